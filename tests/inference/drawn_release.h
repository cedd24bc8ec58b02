// tests/inference/drawn_release.h: releases of tables that were drawn, for tests of levels and
// powers.
//
//   CountRelease release = draw_release(stream, {0.5, 0.3, 0.2}, 1000, {3}, gaussian(8),
//                                       /*n_public=*/true);
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "tacet/inference/counts/noisy_tables.h"
#include "tacet/mechanisms/count_release.h"

namespace tacet::inference {

inline mechanisms::NoiseDistribution gaussian(double scale) {
  return {kernel::NoiseFamily::Gaussian, scale, mechanisms::NoiseStructure::Independent};
}
inline mechanisms::NoiseDistribution sum_zero(double scale) {
  return {kernel::NoiseFamily::Gaussian, scale, mechanisms::NoiseStructure::SumZero};
}
inline mechanisms::NoiseDistribution laplace(double scale) {
  return {kernel::NoiseFamily::Laplace, scale, mechanisms::NoiseStructure::Independent};
}

inline mechanisms::CountRelease release_of(std::vector<double> values, std::vector<std::size_t> shape, std::optional<double> n,
                                           const mechanisms::NoiseDistribution& law) {
  mechanisms::CountRelease release{};
  release.n = n;
  release.shape = std::move(shape);
  release.values = std::move(values);
  release.noise = law;
  return release;
}

inline mechanisms::CountRelease draw_release(numeric::InsecureStream& stream, const std::vector<double>& p, double n,
                                             std::vector<std::size_t> shape, const mechanisms::NoiseDistribution& law, bool n_public) {
  const NoisyTables tables(n, p, {law});
  std::vector<double> values(p.size());
  std::vector<double> sum(1);
  tables.draw(stream, 1, values, sum);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] += tables.expected()[i];
  return release_of(std::move(values), std::move(shape), n_public ? std::optional(n) : std::nullopt, law);
}

inline std::vector<double> product(const std::vector<double>& rows, const std::vector<double>& columns) {
  std::vector<double> p;
  for (const double row : rows)
    for (const double column : columns) p.push_back(row * column);
  return p;
}

}  // namespace tacet::inference
