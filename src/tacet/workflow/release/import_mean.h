// tacet/workflow/release/import_mean.h: makes a release from noisy means that others published.
//
//   MeanRelease means = *import_mean({.values = {171.2, 70.4},
//                                     .n = 5000,
//                                     .noise = VectorNoise{NoiseFamily::Gaussian, {0.4, 0.3}},
//                                     .columns = {"height", "weight"}});
//   MeanRegionAnswer region = *mean_region(means, {});
//
// Three forms. (1) Means with Gaussian noise: independent, or with any covariance. (2) Linear
// combinations of them: values = map m + noise, where `map` has an inverse, or one row. Both
// become a query (mechanisms/query_release.h), for regions and tests of means. (3) With bounds, a
// release of means (mechanisms/moment_release.h), with Gaussian or Laplace noise; with the noisy
// covariance of a row too, it serves tests of equal means.
// The caller declares the noise; nothing guarantees the privacy. It is the noise of the published
// means, not of sums, and n is the public number of people.
// Method   (1), (2): with noise covariance R R' the coordinates R^-1 map m have independent noise.
//          (3): sums are n (value - centre). A noisy covariance S becomes n ((n-1)/n S + x x' -
//          N), where x are the noisy means about the centre and N is the covariance of their noise:
//          E[x x'] is too large by N. A covariance without noise gets a billionth of itself.
// Domain   1 to 64 means; n 1 to 2^53 (a covariance: at least 2); noise 1e-90 to 1e90; the noise
//          covariance and S positive definite. Outside: InvalidArgument, and no file.
// Error    double arithmetic.
// Cost     d^3.
// Checked  tests/workflow/import_mean_test.cc: against releases, and without noise against plain
//          computation.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/kernel/release.h"
#include "tacet/mechanisms/matrix.h"
#include "tacet/workflow/infer/mean_basis.h"

namespace tacet {

using kernel::NoiseFamily;

/// Independent noise of published numbers.
struct VectorNoise {
  NoiseFamily family = NoiseFamily::Gaussian;
  std::vector<double> scale = {};  // standard deviation or Laplace scale: one for all, or one each
};

/// Noisy means that somebody published, and their noise.
struct MeanImport {
  std::vector<double> values;
  std::uint64_t n;
  std::variant<VectorNoise, Matrix> noise;      // a matrix: the covariance of Gaussian noise
  std::vector<std::string> columns = {};        // names; empty: "column 1", ...
  std::optional<Matrix> map = {};               // values = map m + noise; empty: values = m + noise
  std::vector<double> lower = {}, upper = {};   // bounds of the columns: one for all, or one each
  std::optional<Matrix> covariance = {};        // of a row, as published; needs bounds
  std::optional<double> covariance_noise = {};  // in each of its entries; the family of `noise`
  std::optional<std::string> out = {};          // the release file to write
};

/// A release of these means. It costs no budget of ours.
Result<MeanRelease> import_mean(const MeanImport& means);

}  // namespace tacet
