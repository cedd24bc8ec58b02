// tacet/workflow/infer/mean_basis.h: the means of a release that a request is about, and the basis
// of its answer.
//
//   MomentRelease release = *read_release_as<MomentRelease>("means.json");
//   MeanChoice treated{.group = "treated", .target = MeanTarget::Population};
//   MeanRegionAnswer r = *mean_region(release, {.means = treated});
//   r.basis.includes;            // "the gaussian noise of the release", ...
//
// Releases of sums, means, second moments and covariances have means, and so do queries.
// Domain   1 to 64 means.
// Error, Cost   as inference/means/mean_distribution.h.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "tacet/base/enum_names.h"
#include "tacet/base/result.h"
#include "tacet/inference/means/mean_distribution.h"
#include "tacet/inference/means/noisy_mean.h"
#include "tacet/mechanisms/matrix.h"
#include "tacet/mechanisms/moment_release.h"
#include "tacet/mechanisms/query_release.h"
#include "tacet/workflow/context.h"

namespace tacet {

using inference::MeanMethod;
using inference::MeanTarget;
using mechanisms::Matrix;
using mechanisms::MomentRelease;
using mechanisms::QueryRelease;

/// A release with means: read_release_as<MomentRelease, QueryRelease>(path).
using MeanRelease = std::variant<MomentRelease, QueryRelease>;

/// Which means of a release, and whose.
struct MeanChoice {
  std::optional<std::string> group = {};  // its label, if the release has groups
  /// Nothing: the population if a covariance is given, otherwise the data.
  std::optional<MeanTarget> target = {};
  std::optional<Matrix> covariance = {};  // public, of a row; for the population
  std::optional<std::size_t> draws = {};  // empty: as in inference/means/mean_distribution.h
  std::uint64_t seed = 1;
};

/// The origin of the covariance of a row, for the sampling error.
enum class CovarianceSource : std::uint8_t { None, Given, Query, Released };
constexpr auto names_of(CovarianceSource) {
  using enum CovarianceSource;
  return std::to_array<Named<CovarianceSource>>(
      {{None, "none"}, {Given, "public, as given"}, {Query, "public, of the query"}, {Released, "private, of the release"}});
}

/// What an answer about means rests on.
struct MeanBasis {
  std::vector<std::string> columns;
  std::vector<bool> dates = {};  // of each column: days since 1970-01-01; empty: no column has dates
  std::optional<std::string> group;
  MeanTarget target;
  double n;
  mechanisms::Counted counted;  // by n: people, or rows where a person may have several
  bool n_is_public;
  CovarianceSource covariance;
  MeanMethod method;
  std::optional<std::size_t> draws;   // empty: no simulation
  std::optional<std::uint64_t> seed;  // of the simulation
  std::vector<std::string> includes, leaves_out;
};

/// The chosen means, for inference.
struct MeanQuestion {
  inference::NoisyMean mean;
  inference::MeanDistributionOptions distribution;
  std::optional<std::string> group;
  std::vector<bool> dates = {};  // as in MeanBasis

  /// Without method, draws, seed and the included errors; an answer adds these.
  MeanBasis basis() const;
};

/// The number of groups, or 1.
std::size_t group_count(const MeanRelease& release);

/// Progress goes to `context`, which must outlive the question.
Result<MeanQuestion> mean_question(const MeanRelease& release, const MeanChoice& choice, const Context& context);

}  // namespace tacet
