// tacet/schemas/profile/profile.h: what the rows of a source hold, against what is declared.
//
//   const ColumnProfile& smoking = profile.columns.front();    // as look.h returns it
//   smoking.other.value_or(0);                                 // rows that count as `other`
//
// All of it is data without noise, for the custodian alone: no error, log, ledger or release may
// have any of it (docs/explanation/threats.md#what-the-custodian-sees).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tacet/data/schema.h"

namespace tacet::schemas {

/// A text of the data, at most kLongestText bytes of it, and the number of rows that have it. Bytes
/// that are not UTF-8 are written in hexadecimal, with a backslash and an x.
struct TextCount {
  std::string text;
  std::int64_t rows = 0;
  friend bool operator==(const TextCount&, const TextCount&) = default;
};
inline constexpr std::size_t kLongestText = 80;

/// A declared category that is in no row, and the undeclared text that it may stand for.
struct UnusedCategory {
  std::string category;
  std::optional<TextCount> instead{};
};

/// Texts that would be numbers if the schema said how they are written.
struct WrittenAs {
  data::NumberText form;
  std::int64_t rows = 0;
  bool or_thousands = false;  // read as plain numbers, but each point may separate thousands, too
};

/// A column of numbers against its bounds and bins.
struct NumberProfile {
  std::int64_t not_numbers = 0;                // not missing, but no number (or date) as declared
  std::int64_t below = 0;                      // less than the lower bound, and counted as it
  std::int64_t above = 0;                      // greater than the upper bound
  std::optional<std::int64_t> outside_bins{};  // before the first or after the last edge, if there are bins
  std::vector<TextCount> texts{};              // the most frequent of those that are not numbers
  std::optional<WrittenAs> written{};
  std::int64_t other_dates = 0;  // of those that are not numbers: dates in another order
};

/// A declared column. Every row is counted in at most one of missing, other and not_numbers.
struct ColumnProfile {
  std::string name;
  bool readable = true;                 // false: the engine cannot give its values
  std::int64_t missing = 0;             // empty, NULL, or one of missing_values
  std::optional<std::int64_t> other{};  // of a column with categories
  std::vector<UnusedCategory> unused{};
  std::vector<TextCount> undeclared{};  // the most frequent texts that count as `other`
  bool all_texts = true;                // false: more different texts than are counted
  std::optional<NumberProfile> numbers{};
  std::int64_t not_utf8 = 0;  // of the texts that count as `other`, or are not numbers
};

/// The rows of each person against `contributions`.
struct PeopleProfile {
  std::int64_t people = 0;
  std::int64_t nameless = 0;   // rows without a name, which are dropped
  std::int64_t over = 0;       // people with more rows than are kept
  std::int64_t dropped = 0;    // rows beyond the limit; with a limit of groups, at least so many
  std::int64_t most_rows = 0;  // of one person
};

/// A proposal of how a CSV file is written, where it differs from what is declared.
struct DialectProfile {
  bool byte_order_mark = false;
  bool utf16 = false;
  std::optional<char> delimiter{};
  std::optional<char> quote{};  // '\0': quotes are ordinary characters
  bool line_breaks_in_quotes = false;
  std::optional<bool> header{};
};

/// A column before there is a schema for it: everything that a draft proposes from.
struct LearntColumn {
  std::string name, type;  // as in a listing; a CSV file has no types
  bool readable = true;
  std::int64_t missing = 0;                // empty or NULL
  std::vector<TextCount> missing_words{};  // NA, ? and the like
  std::int64_t different = 0;              // texts, without those
  std::int64_t different_of = 0;           // rows among which they were counted
  std::vector<TextCount> texts{};          // all of them by name, if they are few
  std::optional<WrittenAs> numbers{};      // if most are numbers or dates
  double lowest = 0, highest = 0;          // of these
  int decimals = 0;                        // the most digits after the point
  std::int64_t other_dates = 0;            // dates in another order than 2024-05-31
};

struct FileProfile {
  std::int64_t rows = 0;
  std::int64_t misfits = 0;  // lines of a CSV file of which nothing can be read
  std::vector<ColumnProfile> columns{};
  std::optional<PeopleProfile> people{};
  std::optional<DialectProfile> dialect{};  // of a CSV file
  std::vector<LearntColumn> learnt{};       // if it was asked for
};

}  // namespace tacet::schemas
