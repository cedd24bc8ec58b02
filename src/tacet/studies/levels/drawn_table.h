// tacet/studies/levels/drawn_table.h: tables of people who are drawn anew, as a release has them.
//
//   const TableDesign design{"even", /*shape=*/{2}, /*p=*/{0.5, 0.5}, /*n=*/400, noise, true};
//   DrawnTable table = draw_table(design, stream);
//   table.release.values[0] - table.counts[0];    // noise
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tacet/inference/counts/proportion.h"
#include "tacet/inference/means/unit_noise.h"
#include "tacet/mechanisms/count_release.h"
#include "tacet/numeric/insecure_counts.h"
#include "tacet/numeric/insecure_stream.h"

namespace tacet::studies {

struct TableDesign {
  std::string name;
  std::vector<std::size_t> shape;
  std::vector<double> p;
  double n;
  mechanisms::NoiseDistribution noise;
  bool n_public;
};

struct DrawnTable {
  mechanisms::CountRelease release;
  std::vector<double> counts;  // of the people who were drawn
};

inline DrawnTable draw_table(const TableDesign& design, numeric::InsecureStream& stream) {
  DrawnTable drawn{};
  drawn.counts.resize(design.p.size());
  numeric::draw_multinomials(stream, design.n, design.p, 1, drawn.counts);
  std::vector<double> noise(design.p.size());
  const bool is_laplace = design.noise.family == kernel::NoiseFamily::Laplace;
  inference::draw_unit_noise(is_laplace ? inference::UnitNoise::Laplace : inference::UnitNoise::Gaussian, 0, stream, noise);
  const bool keeps_sum = design.noise.structure == mechanisms::NoiseStructure::SumZero;
  const double sum = keeps_sum ? std::accumulate(noise.begin(), noise.end(), 0.0) : 0;
  const double mean = sum / static_cast<double>(noise.size());
  drawn.release.shape = design.shape;
  drawn.release.noise = design.noise;
  if (design.n_public) drawn.release.n = design.n;
  for (std::size_t i = 0; i < noise.size(); ++i) drawn.release.values.push_back(drawn.counts[i] + design.noise.scale * (noise[i] - mean));
  return drawn;
}

/// Every kind of noise of a table, by its name.
inline std::vector<std::pair<std::string, mechanisms::NoiseDistribution>> table_noises(double scale) {
  return {{"gaussian", {kernel::NoiseFamily::Gaussian, scale}},
          {"sum-zero", {kernel::NoiseFamily::Gaussian, scale, mechanisms::NoiseStructure::SumZero}},
          {"laplace", {kernel::NoiseFamily::Laplace, scale}}};
}

/// "gaussian n 400 scale 8 private"
inline std::string name_of_table(const std::string& noise, double n, double scale, bool n_public) {
  return fmt::format("{} n {} scale {}{}", noise, n, scale, n_public ? "" : " private");
}

/// Whether an interval misses the value, by more than rounding. A value that is not a number is
/// never missed.
inline bool is_outside(const inference::Interval& interval, double value) {
  return !std::isnan(value) && (value < interval.lower * (1 - 1e-9) - 1e-12 || value > interval.upper * (1 + 1e-9) + 1e-12);
}

/// The fault in a setting.
enum class TableFault : std::uint8_t { None, ForgetsNoise, ForgetsSampling };
/// The release as somebody sees it who takes the noise for nearly nothing.
inline mechanisms::CountRelease without_noise(mechanisms::CountRelease release) {
  release.noise.scale = 1e-3;
  return release;
}

}  // namespace tacet::studies
