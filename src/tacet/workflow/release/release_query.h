// tacet/workflow/release/release_query.h: publishes the mean of a combination of columns, or of
// scaled and clipped rows.
//
//   Published<QueryRelease> query = *release_query(
//       patients, {.columns = {"ldl", "hdl"}, .direction = {{1, -1}}, .loss = Rho(0.01),
//                  .out = "query.json"});
//
// One of these queries is given (planning/query_map.h has the maps):
//   direction    the mean of one combination of the columns; nothing is clipped
//   sd           all means; rows are scaled by public standard deviations and clipped, for the
//                least squared error of independent columns
//   covariance   all means; rows are whitened by a public covariance and clipped
//                (Adjusted, section 3)
//   weights      all means; rows are multiplied by weights of one's own and clipped
// A goal makes others of them:
//   Test           direction and covariance: one combination for a test of `null` against null +
//                  direction, clipped. No other direction has more power for as few clipped rows.
//   NormalTest     the same, clipped where the power is largest if rows are normal. The level of
//                  the later test then depends on the shape of their distribution.
//   LeastSquares   sd or covariance: all means, the least squared error by any linear map
//   Isotropic      sd or covariance: all means, rows clipped as they are
// Clipping is part of the mechanism, so the guarantee is exact for any rows.
// With group_by all groups share one charge, as nobody is in two of them. Public groups have the
// noise of a query about everybody. Where somebody may be in another group in a neighbouring file
// (private membership under replace-one), noise is sqrt(2) times as large.
// A fraction or mean_of in place of columns is another query (workflow/session/bounded_query.h).
// Domain   1 to 64 columns with declared bounds. A private n is published with noise, and so is
//          that of a group.
// Cost     one scan of the file.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tacet/base/enum_names.h"
#include "tacet/base/result.h"
#include "tacet/data/moments.h"
#include "tacet/mechanisms/matrix.h"
#include "tacet/mechanisms/query_release.h"
#include "tacet/workflow/dataset.h"
#include "tacet/workflow/privacy_amount.h"
#include "tacet/workflow/release/published.h"

namespace tacet {

using data::Membership;
using mechanisms::Matrix;
using mechanisms::QueryRelease;

/// What a query is for, if it is not for what was given.
enum class QueryGoal : std::uint8_t { Test, NormalTest, LeastSquares, Isotropic };
constexpr auto names_of(QueryGoal) {
  using enum QueryGoal;
  return std::to_array<Named<QueryGoal>>(
      {{Test, "test"}, {NormalTest, "normal-test"}, {LeastSquares, "least-squares"}, {Isotropic, "isotropic"}});
}

/// The query about means to publish: what is known of a row, and what the query is for.
struct QueryRequest {
  std::vector<std::string> columns = {};
  std::optional<std::string> fraction = {};  // of rows that satisfy a condition; no columns then
  std::optional<std::string> mean_of = {};   // an expression; no columns then
  std::optional<std::vector<double>> direction = {};
  std::optional<std::vector<double>> sd = {};
  std::optional<Matrix> covariance = {};
  std::optional<std::vector<double>> weights = {};
  std::optional<QueryGoal> goal = {};
  std::optional<std::vector<double>> null = {};    // of a test: centre is null + direction/2
  std::optional<std::string> where = {};           // the rows that count (schemas/row_condition.h)
  std::optional<std::string> group_by = {};        // a categorical column: means of each group
  std::optional<Membership> membership = {};       // empty: as the terms say, or private
  std::optional<std::vector<double>> centre = {};  // public; nothing: the middle of the bounds
  std::optional<std::uint64_t> n = {};             // where rows are clipped: about how many people
  std::optional<double> gamma = {};                // the share of rows to clip, in place of 1/n
  std::optional<double> radius = {};               // where to clip, in place of gamma
  // With fraction and mean_of, for an interval that holds for the population.
  std::optional<std::uint64_t> queries = {};
  std::optional<double> beta = {};
  std::optional<PrivacyAmount> loss = {};  // must be given
  std::optional<std::string> out = {};     // the release file to write
};

/// Publishes the mean of a combination of columns, or of scaled and clipped rows.
Result<Published<QueryRelease>> release_query(const Dataset& dataset, const QueryRequest& request);

}  // namespace tacet
