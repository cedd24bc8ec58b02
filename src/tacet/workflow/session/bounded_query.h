// tacet/workflow/session/bounded_query.h: publishes the fraction of rows that satisfy a condition,
// or the mean of a bounded expression.
//
//   Published<QueryRelease> older =
//       *release_bounded_query(patients, {.fraction = "age >= 40", .loss = Rho(0.01)});
//   older.release.mean();                  // {0.73}
//   AnswerIntervals around = *answer_intervals(older.release);
//   around.lower;                          // of the fraction in the file, at 95 %
//
// The range of the expression is known before any row is read (schemas/row_expression.h), so the
// noise is that of one number in this range. With `queries` and `beta` the answer also has an
// interval for the population that holds for all of that many answers together, however they were
// chosen (planning/adaptive_width.h).
// Domain   Gaussian noise; the number of rows is public, and each is of another person. Numbers are
//          rounded to 2^-20 of the range.
// Cost     one scan, and the evaluation of the expression at each cell.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "tacet/base/result.h"
#include "tacet/kernel/grant.h"
#include "tacet/mechanisms/query_release.h"
#include "tacet/workflow/dataset.h"
#include "tacet/workflow/privacy_amount.h"
#include "tacet/workflow/release/published.h"
#include "tacet/workflow/session/session_terms.h"

namespace tacet {

using mechanisms::QueryRelease;

/// One of a fraction and a mean.
struct BoundedQueryRequest {
  std::optional<std::string> fraction = {};    // of rows that satisfy this condition
  std::optional<std::string> mean_of = {};     // an expression
  std::optional<std::uint64_t> queries = {};   // at most so many answers in all, this one included
  std::optional<double> beta = {};             // that some of them is outside; 0.05 if not given
  std::optional<PrivacyAmount> loss = {};      // must be given
  std::optional<std::string> out = {};         // the release file to write
  std::optional<SessionPromise> session = {};  // whose question it is
  /// After the charge, with the ledger as it is then: or no answer.
  std::function<Status(const kernel::Receipt& receipt, const kernel::Custody& ledger)> admit = {};
};

/// InvalidArgument, naming "fraction" or "mean-of", before any row is read if it has no range.
Result<Published<QueryRelease>> release_bounded_query(const Dataset& dataset, const BoundedQueryRequest& request);

/// An interval for the population that holds for all answers together.
struct PopulationInterval {
  std::uint64_t queries;
  double beta;
  double width;  // the half-width
  double lower, upper;
};

/// Where the truth is, by one answer.
struct AnswerIntervals {
  double confidence;    // of the interval for the file
  double half_width;    // by noise alone
  double lower, upper;  // for the rows in the file
  std::optional<PopulationInterval> population;
};

/// Of a fraction or a mean of an expression; Unsupported for other queries. For the population only
/// if the statement has the number of queries, and the number of rows is public.
Result<AnswerIntervals> answer_intervals(const QueryRelease& release);

/// Rounding to steps makes another query, at most so much of the range from the one that was asked.
inline constexpr double kAnswerRounding = 0x1p-21;

/// Is it such a release?
bool is_bounded(const QueryRelease& release);
/// The range of the values of such an answer.
double answer_range(const QueryRelease& release);

}  // namespace tacet
