// tacet/mechanisms/moment_release.h: a release of sums, means, second moments or covariances.
//
//   MomentRelease r = *read_release_as<MomentRelease>("lipids.json");   // release_file.h
//   r.mean(0);              // of the first group, or of everybody
//   r.parts[0].sums;        // noisy sums of x_j - centre_j, in the columns' own units
//
// All four kinds contain the same facts: the noisy sums (and products) about public centres, and
// the exact distribution of their noise. "values" in the file is the result of the kind, computed
// from these facts. All functions here are post-processing. docs/reference/release_file.md
// describes the JSON.
// Domain   numbers of at most 1e100 in size, scales from 1e-100 to 1e100; 1 to 64 columns, 1 to
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
#include "tacet/kernel/relation.h"
#include "tacet/mechanisms/matrix.h"
#include "tacet/mechanisms/moment_mechanism.h"
#include "tacet/mechanisms/release_header.h"
#include "tacet/mechanisms/released_groups.h"

namespace tacet::mechanisms {

/// The result that was asked for.
enum class MomentKind : std::uint8_t { Sum, Mean, SecondMoment, Covariance };
constexpr auto names_of(MomentKind) {
  using enum MomentKind;
  return std::to_array<Named<MomentKind>>({{Sum, "sum"}, {Mean, "mean"}, {SecondMoment, "second-moment"}, {Covariance, "covariance"}});
}
/// The result is a matrix; otherwise it is a list.
constexpr bool has_products(MomentKind kind) { return kind == MomentKind::SecondMoment || kind == MomentKind::Covariance; }

struct ReleasedColumn {
  std::string name;
  double lower, upper, resolution, centre;
};

struct NoisyNumber {
  double value, scale;  // scale 0: exact, because it is public
};

/// One group, or everybody.
struct GroupMoments {
  NoisyNumber people;
  std::vector<NoisyNumber> sums;  // of x_j - centre_j
  /// Of (x_j - centre_j)(x_k - centre_k), j <= k: (0,0), (0,1), ..., (1,1), ...; may be empty.
  std::vector<NoisyNumber> products;
};

struct MomentRelease {
  ReleaseHeader header = {};
  MomentKind kind = MomentKind::Sum;
  std::vector<ReleasedColumn> columns = {};
  std::optional<ReleasedGroups> groups = {};
  std::vector<GroupMoments> parts = {};
  MomentMechanism mechanism = MomentMechanism::Gaussian;
  std::optional<std::string> floating_point = {};  // if idealised: where floating point enters

  std::size_t dimension() const { return columns.size(); }
  bool has_matrix() const { return has_products(kind); }
  std::size_t product(std::size_t j, std::size_t k) const;  // the place of (j, k) or (k, j)

  /// How many values of a group share one draw of K-norm noise; 0 for mechanisms without it.
  std::size_t draw_size() const;
  /// The standard deviation of this mechanism's noise with this scale, in a count or a sum, and in
  /// a product.
  double sum_noise_sd(double scale) const;
  double product_noise_sd(double scale) const;

  /// Estimates for one group. A noisy number of people below 1 counts as 1.
  std::vector<double> sum(std::size_t group) const;
  std::vector<double> mean(std::size_t group) const;
  /// The second moments about the public centres, divided by the number of people.
  Matrix second_moment(std::size_t group) const;
};

/// {"tacet_release", "kind", "values", "n", ...}; `values` is the result and `noise_sd` its noise
/// (moment_result.h), for one group or for each. They are null, with a reason in `no_answer`, if
/// a group may be empty.
nlohmann::json to_json(const MomentRelease& release);
/// InvalidArgument, naming the field, for anything that to_json would not write.
Result<MomentRelease> moment_release_from_json(const nlohmann::json& value);

}  // namespace tacet::mechanisms
