// tacet/mechanisms/count_release.h: a table of noisy counts, with the distribution of its noise.
//
//   CountRelease r = *read_release_as<CountRelease>("smoking.json");   // release_file.h
//   r.values;   // noisy, the last axis runs fastest
//   r.noise;    // the exact distribution of the noise
//
// docs/reference/release_file.md describes the JSON.
// Domain   numbers of at most 1e100 in size, scales of at least 1e-100, so that later arithmetic
//          cannot overflow.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "tacet/base/enum_names.h"
#include "tacet/base/result.h"
#include "tacet/kernel/release.h"
#include "tacet/mechanisms/release_header.h"
#include "tacet/mechanisms/released_table.h"

namespace tacet::mechanisms {

/// Independent over cells, or projected onto the tables with the same total (covariance scale^2 (I
/// - 11'/p)).
enum class NoiseStructure : std::uint8_t { Independent, SumZero };
constexpr auto names_of(NoiseStructure) {
  return std::to_array<Named<NoiseStructure>>({{NoiseStructure::Independent, "independent"}, {NoiseStructure::SumZero, "sum-zero"}});
}

/// Where the noise lives. Other systems publish noise on the integers: the discrete Gaussian and
/// the two-sided geometric (discrete Laplace) distribution.
enum class NoiseSupport : std::uint8_t { Continuous, Integers };

struct NoiseDistribution {
  kernel::NoiseFamily family;
  /// The standard deviation of Gaussian noise, the scale of Laplace noise; of each cell, before any
  /// projection. On the integers: sigma in P[z] ~ exp(-z^2/(2 sigma^2)), or s in P[z] ~
  /// exp(-|z|/s).
  double scale;
  NoiseStructure structure = NoiseStructure::Independent;
  NoiseSupport support = NoiseSupport::Continuous;
};

/// The name of a family and its support in files: "gaussian", "discrete-gaussian", "laplace",
/// "geometric".
std::string_view noise_name(const NoiseDistribution& noise);
/// The family and support of that name, with the scale; empty for another name.
std::optional<NoiseDistribution> noise_named(std::string_view name, double scale);
/// Noise on the integers leaves whole numbers. InvalidArgument, naming `values`, for others.
Status check_on_integers(const std::vector<double>& values);

struct CountRelease : ReleasedTable {
  ReleaseHeader header = {};
  std::optional<double> n = {};     // the number of people, where it is public
  std::optional<double> grid = {};  // values are multiples of this before any projection
  NoiseDistribution noise = {};
};

nlohmann::json to_json(const CountRelease& release);
/// InvalidArgument, naming the field, for anything that to_json would not write.
Result<CountRelease> count_release_from_json(const nlohmann::json& value);

/// The same fields in a file of another kind, whose values were changed after their noise was
/// added: what noise leaves in values is not asked of them.
Result<CountRelease> changed_counts_from_json(const nlohmann::json& value, std::string_view kind);
/// The values sum to n, up to the rounding of their sum. InvalidArgument otherwise, and without n.
Status check_keeps_total(const CountRelease& release);

}  // namespace tacet::mechanisms
