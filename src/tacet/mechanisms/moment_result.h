// tacet/mechanisms/moment_result.h: the result of a release of moments, with its noise.
//
//   MomentRelease release = *read_release_as<MomentRelease>("means.json");        // release_file.h
//   if (const auto reason = why_no_answer(release, /*group=*/0)) return *reason;  // maybe empty
//   MomentResult f = moment_result(release, 0);
//   f.values;  f.noise_sd;            // a mean of 171.2 and the 0.4 of its noise
//
// The noise of a result combines that of all the noisy numbers it is computed from, to first order
// (docs/explanation/moments.md#the-noise-of-a-result).
// Post-processing: costs no privacy.
// Theorem  the delta method. It leaves out the step of a covariance to the nearest possible one
//          (covariance.h).
// Domain   as moment_release.h; second moments and covariances need a release with products.
// Error    of second order in the noise over n; none for sums, and for means with a public n.
// Cost     d^2; a covariance d^3.
// Checked  tests/mechanisms/moment_result_test.cc
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "tacet/mechanisms/moment_release.h"

namespace tacet::mechanisms {

struct MomentResult {
  std::vector<double> values;  // of the kind: d numbers, or d x d row by row
  /// Of each value; none for matrices by ed, whose entries have noise of unknown size.
  std::optional<std::vector<double>> noise_sd;
};

/// A group may be empty unless its noisy number of people exceeds this many standard deviations of
/// its noise.
inline constexpr double kCountOverNoise = 2;

/// Why there is no result for this group: it is empty, or its noisy count does not distinguish it
/// from an empty one. Sums always have a result.
std::optional<std::string> why_no_answer(const MomentRelease& release, std::size_t group);

MomentResult moment_result(const MomentRelease& release, std::size_t group);

}  // namespace tacet::mechanisms
