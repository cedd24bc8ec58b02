// tacet/mechanisms/query_release.h: the public file of a release of clipped, linearly mapped rows.
//
//   QueryRelease r = *read_query_release("query.json");
//   r.mean();          // of the columns (a whitened or scaled query), or of the one combination that was asked for (a direction)
//
// Every row x became v = map (x - centre), clipped to length `radius`; the file holds the noisy sum of v, with isotropic Gaussian noise of
// standard deviation `scale` in each of its coordinates. Clipping is part of the mechanism, so the guarantee is exact whatever the rows
// were; that rows are hardly clipped rests on what was assumed about them (`statement`).
// Domain   1 to 64 columns, as many coordinates or one; numbers of at most 1e100 in size.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "tacet/base/result.h"

namespace tacet::mechanisms {

struct QueryRelease {
  nlohmann::json statement;
  std::vector<std::string> columns;
  std::vector<double> centre;            // one for each column
  std::vector<std::vector<double>> map;  // a line for each coordinate
  double radius;
  double n;  // public, or a plan where it is not
  bool n_is_public;
  std::vector<double> sums;  // noisy, of the coordinates of v
  double scale;              // of the noise in each of them
  nlohmann::json privacy;
  std::string guarantee;
  nlohmann::json ledger;
  std::string time;

  bool is_direction() const { return map.size() == 1 && columns.size() > 1; }
  /// Of one direction: its mean, map (centre + ...) in the units of the combination. Otherwise the mean of every column: the map is undone.
  std::vector<double> mean() const;
  /// The standard deviations that noise alone gives these means.
  std::vector<double> mean_sd() const;
};

nlohmann::json to_json(const QueryRelease& release);
Result<QueryRelease> query_release_from_json(const nlohmann::json& value);
Result<QueryRelease> read_query_release(const std::string& path);

}  // namespace tacet::mechanisms
