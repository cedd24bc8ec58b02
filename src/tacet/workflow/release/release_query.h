// tacet/workflow/release/release_query.h: publishes the mean of a combination of columns, or of
// scaled and clipped rows.
//
//   Published<QueryRelease> query = *release_query(
//       patients, {.columns = {"ldl", "hdl"}, .direction = {{1, -1}}, .loss = Rho(0.01),
//                  .out = "query.json"});
//
// Exactly one of three queries is given:
//   direction    the mean of one combination of the columns; nothing is clipped
//   sd           all means; rows are scaled by public standard deviations and clipped
//                (Aggregation, section 3)
//   covariance   all means; rows are whitened by a public covariance and clipped
//                (Adjusted, section 3)
// Clipping is part of the mechanism, so the guarantee is exact for any rows.
// Domain   1 to 64 columns with declared bounds. A private n is published with noise.
// Cost     one scan of the file.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/mechanisms/matrix.h"
#include "tacet/mechanisms/query_release.h"
#include "tacet/workflow/dataset.h"
#include "tacet/workflow/privacy_amount.h"
#include "tacet/workflow/release/published.h"

namespace tacet {

using mechanisms::Matrix;
using mechanisms::QueryRelease;

/// The query about means to publish: a direction, standard deviations or a covariance.
struct QueryRequest {
  std::vector<std::string> columns;
  std::optional<std::vector<double>> direction = {};
  std::optional<std::vector<double>> sd = {};
  std::optional<Matrix> covariance = {};
  std::optional<std::string> where = {};           // the rows that count (schemas/row_condition.h)
  std::optional<std::vector<double>> centre = {};  // public; nothing: the middle of the bounds
  std::optional<std::uint64_t> n = {};             // with sd or covariance: about how many people
  std::optional<PrivacyAmount> loss = {};          // must be given
  std::optional<std::string> out = {};             // the release file to write
};

/// Publishes the mean of a combination of columns, or of scaled and clipped rows.
Result<Published<QueryRelease>> release_query(const Dataset& dataset, const QueryRequest& request);

}  // namespace tacet
