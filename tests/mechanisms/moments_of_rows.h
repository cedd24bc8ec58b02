// A release of moments as tests need it: rows in units of half their bounds' width, the units of
// each column, and noise that is given.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tacet/mechanisms/moment_release.h"

namespace tacet::test {

/// Columns of bounds [-unit, 3 unit], so of half width 2 unit and centre unit. Every figure is off
/// by noise_sd times one of `draws` (used in order, over and over), in units of what one person can
/// move it by.
inline mechanisms::MomentRelease moments_of_rows(const std::vector<std::vector<double>>& rows, const std::vector<double>& units,
                                                 double noise_sd, const std::vector<double>& draws = {0}) {
  const std::size_t d = units.size();
  mechanisms::MomentRelease release{};
  release.kind = mechanisms::MomentKind::Covariance;
  release.mechanism = mechanisms::MomentMechanism::Gaussian;
  for (std::size_t j = 0; j < d; ++j)
    release.columns.push_back({"x" + std::to_string(j), -units[j], 3 * units[j], units[j] / 1000, units[j]});
  mechanisms::GroupMoments part{};
  part.people = {static_cast<double>(rows.size()), 0};
  std::size_t used = 0;
  const auto noisy = [&](double sum, double size) -> mechanisms::NoisyNumber {
    return {sum + draws[used++ % draws.size()] * noise_sd * size, noise_sd * size};
  };
  for (std::size_t j = 0; j < d; ++j) {
    double sum = 0;
    for (const auto& row : rows) sum += row[j] * 2 * units[j];
    part.sums.push_back(noisy(sum, 2 * units[j]));
  }
  for (std::size_t j = 0; j < d; ++j) {
    for (std::size_t k = j; k < d; ++k) {
      double sum = 0;
      for (const auto& row : rows) sum += row[j] * 2 * units[j] * (row[k] * 2 * units[k]);
      part.products.push_back(noisy(sum, 4 * units[j] * units[k]));
    }
  }
  release.parts = {part};
  return release;
}

/// The covariance of the rows in these units, divided by n: two passes.
inline std::vector<double> covariance_of_rows(const std::vector<std::vector<double>>& rows, const std::vector<double>& units) {
  const std::size_t d = units.size();
  const auto n = static_cast<double>(rows.size());
  std::vector<double> mean(d);
  for (const auto& row : rows) {
    for (std::size_t j = 0; j < d; ++j) mean[j] += row[j] / n;
  }
  std::vector<double> covariance(d * d);
  for (const auto& row : rows) {
    for (std::size_t at = 0; at < d * d; ++at)
      covariance[at] += (row[at / d] - mean[at / d]) * (row[at % d] - mean[at % d]) * 4 * units[at / d] * units[at % d] / n;
  }
  return covariance;
}

}  // namespace tacet::test
