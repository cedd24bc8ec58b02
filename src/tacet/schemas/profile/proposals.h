// tacet/schemas/profile/proposals.h: lines of a schema that are proposed from data.
//
//   std::string lines = proposed_lines(profile.learnt.front(), profile.rows);
//   // # Proposal, learnt from the data: not public until you confirm it. ...
//   // confirmed = false
//   // categories = ["f", "m"]
//
// A proposal shows data: categories that occur, and numbers near the least and the greatest. It
// has the line `confirmed = false`, with which no budget can be created (schemas/schema_text.h),
// until a person has compared it with what is publicly known and deletes that line.
// Rules    Few different texts are categories; those in fewer than kRare rows are left out, if
//          there are many rows. Numbers get bounds at multiples of 1, 2 or 5 times a power of ten,
//          outward, which are also the edges of bins. Dates get whole years. A column in which
//          nearly every row has another text is an identifier, and gets nothing. If its name is one
//          for people or records, and names repeat, then it may name the person: contributions are
//          proposed, of as many rows as a name has on average.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tacet/schemas/profile/profile.h"

namespace tacet::schemas {

inline constexpr std::int64_t kRare = 5;

enum class ColumnKind : std::uint8_t { Empty, Categories, Numbers, Dates, Identifier, Texts };
ColumnKind kind_of(const LearntColumn& column, std::int64_t rows);

/// Edges at multiples of a step of 1, 2 or 5 times a power of ten, from at most `lowest` to at
/// least `highest`; at least two, and mostly five to eight.
std::vector<std::string> round_edges(double lowest, double highest);

/// The column that may name the person of each row, by its place: a name of people or records, with
/// names that repeat; of several, the one with the most names.
std::optional<std::size_t> person_column(const std::vector<LearntColumn>& columns, std::int64_t rows);
/// The line of a schema about the rows of a person, which is not yet confirmed.
std::string contribution_line(const LearntColumn& person);

/// Ends in a line feed. Only comments, for a column without a proposal. `person`: that it names the
/// person is proposed.
std::string proposed_lines(const LearntColumn& column, std::int64_t rows, bool person = false);

}  // namespace tacet::schemas
