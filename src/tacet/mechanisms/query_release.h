// tacet/mechanisms/query_release.h: the public file of a release of clipped, linearly mapped rows.
//
//   QueryRelease r = *read_release_as<QueryRelease>("query.json");   // release_file.h
//   r.mean();    // of the columns (whitened or scaled query), or of the combination (direction)
//   r.groups;    // by a column, or nothing; then r.mean(1) is that of the second group
//
// Every row x became v = map (x - centre), clipped to length `radius`. The file has the noisy sum
// of v, for everybody or for each group, with independent Gaussian noise of standard deviation
// `scale` in each coordinate. Clipping is part of the mechanism, so the guarantee is exact for any
// rows. Only the claim that few rows are clipped depends on assumptions about them. A query that
// others published without clipping has no radius (workflow/release/import_mean.h).
// Domain   1 to 64 columns, as many coordinates or one; numbers of at most 1e100 in size; 1 to
//          10^4 groups.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "tacet/base/enum_names.h"
#include "tacet/base/result.h"
#include "tacet/mechanisms/matrix.h"
#include "tacet/mechanisms/release_header.h"
#include "tacet/mechanisms/released_groups.h"

namespace tacet::mechanisms {

/// The source of the map: one direction, public standard deviations, a public covariance that
/// whitens, weights of one's own, the least squared error for a covariance, or one combination for
/// a test, which is clipped and has variance 1 by the public covariance.
enum class QueryBy : std::uint8_t { Direction, Sd, Covariance, Weights, LeastSquares, Test };
constexpr auto names_of(QueryBy) {
  using enum QueryBy;
  return std::to_array<Named<QueryBy>>({{Direction, "direction"},
                                        {Sd, "sd"},
                                        {Covariance, "covariance"},
                                        {Weights, "weights"},
                                        {LeastSquares, "least-squares"},
                                        {Test, "test"}});
}

/// One group, or everybody.
struct QueryPart {
  double n = 0;  // public, noisy, or a plan
  bool n_is_public = true;
  std::optional<double> people_scale = {};  // of the Gaussian noise in n, if it is noisy
  std::vector<double> sums = {};            // noisy, of the coordinates of v
};

struct QueryRelease {
  ReleaseHeader header = {};
  std::vector<std::string> columns = {};
  std::vector<double> centre = {};  // one for each column
  Matrix map = {};                  // a row for each coordinate
  bool clipped = true;              // false: an imported query, whose rows nobody clipped
  double radius = 0;                // where rows are clipped
  double scale = 0;                 // of the noise in each sum
  std::optional<ReleasedGroups> groups = {};
  std::vector<QueryPart> parts = {{}};  // one for each group, or for everybody

  bool is_direction() const { return map.rows == 1 && columns.size() > 1; }
  /// From the statement; empty if it does not say.
  std::optional<QueryBy> by() const;
  /// For one direction: the mean of the combination, map (centre + ...), in its units. Otherwise
  /// the mean of every column, with the map inverted.
  std::vector<double> mean(std::size_t group = 0) const;
  /// The standard deviations of these means that come from noise alone.
  std::vector<double> mean_sd(std::size_t group = 0) const;
  /// Why a group has no mean: it is empty, or its noisy number of people does not distinguish it
  /// from an empty one. Everybody has a mean.
  std::optional<std::string> why_no_mean(std::size_t group) const;
};

/// Without groups, the file is as it was before there were any. With them it has `parts` in place
/// of `planned_n`, `people` and `sums`, so that a program that knows no groups refuses it.
nlohmann::json to_json(const QueryRelease& release);
/// InvalidArgument, naming the field, for anything that to_json would not write.
Result<QueryRelease> query_release_from_json(const nlohmann::json& value);

}  // namespace tacet::mechanisms
