// tests/inference/simulated_groups.h: summaries of groups as releases would give them, for tests of levels and powers.
//
//   GroupDesign design{.dimension = 10, .people = 1000, .noise = {.family = Family::Gaussian, ...}, .covariance_noise = 0.01};
//   MeanSummary group = simulate_group(stream, design, shift);
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "tacet/inference/mean_summary.h"
#include "tacet/numeric/insecure_stream.h"

namespace tacet::inference {

/// Rows in [-1, 1]: uniform and independent, or normal with correlation 0.9, or a spike of 100 times the variance, clipped.
enum class RowLaw : std::uint8_t { Uniform, Equicorrelated, Spiked };

struct GroupDesign {
  std::size_t dimension;
  std::size_t people;
  MeanNoise noise;
  double covariance_noise;  // standard deviation of each noisy second moment
  RowLaw rows = RowLaw::Uniform;
  double width = 0.63;  // uniform rows: +-width; normal rows: a standard deviation of width/sqrt(3)
};

/// Noise under rho (replace-one) for rows in the cube, `share` of it for the means: Gaussian, as release covariance --for two-sample adds it.
inline GroupDesign gaussian_design(std::size_t d, std::size_t n, double rho, double share) {
  const double mu = std::sqrt(2 * rho);
  const auto count = static_cast<double>(n);
  const auto columns = static_cast<double>(d);
  const double scale = 2 * std::sqrt(columns) / (count * mu * std::sqrt(share));
  return {d, n, {MeanNoise::Family::Gaussian, std::vector<double>(d, scale), d}, columns / (count * mu * std::sqrt(1 - share))};
}

/// Under epsilon: K-norm noise for the means, Laplace noise for the products.
inline GroupDesign pure_design(std::size_t d, std::size_t n, double epsilon, double share) {
  const auto count = static_cast<double>(n);
  const auto columns = static_cast<double>(d);
  const double scale = 2 / (count * share * epsilon);
  const double laplace = columns * (columns + 1) / 2 / ((1 - share) * epsilon * count);
  return {d, n, {MeanNoise::Family::KNorm, std::vector<double>(d, scale), d}, std::sqrt(2.0) * laplace};
}

inline void draw_row(numeric::InsecureStream& stream, const GroupDesign& design, std::vector<double>& row) {
  const double sd = design.width / std::sqrt(3.0);
  if (design.rows == RowLaw::Uniform) {
    stream.fill_uniform(row);
    for (double& x : row) x = design.width * (2 * x - 1);
    return;
  }
  stream.fill_normal(row);
  if (design.rows == RowLaw::Spiked) {
    for (std::size_t j = 0; j < row.size(); ++j) row[j] *= j == 0 ? sd : sd / 10;
    return;
  }
  std::vector<double> common(1);
  stream.fill_normal(common);
  for (double& x : row) x = sd * (std::sqrt(0.1) * x + std::sqrt(0.9) * common[0]);
}

inline MeanSummary simulate_group(numeric::InsecureStream& stream, const GroupDesign& design, double shift) {
  const std::size_t d = design.dimension;
  std::vector<double> mean(d);
  std::vector<double> moments(d * d);
  std::vector<double> row(d);
  for (std::size_t i = 0; i < design.people; ++i) {
    draw_row(stream, design, row);
    for (std::size_t j = 0; j < d; ++j) {
      row[j] = std::min(1.0, std::max(-1.0, row[j] + shift));
      mean[j] += row[j] / static_cast<double>(design.people);
      for (std::size_t k = 0; k <= j; ++k) moments[j * d + k] += row[j] * row[k] / static_cast<double>(design.people);
    }
  }
  std::vector<double> noise(1);
  for (std::size_t j = 0; j < d; ++j) {
    for (std::size_t k = 0; k <= j; ++k) {
      if (design.noise.family == MeanNoise::Family::Gaussian) {
        stream.fill_normal(noise);
      } else {
        stream.fill_laplace(noise);
        noise[0] /= std::sqrt(2.0);
      }
      moments[k * d + j] = moments[j * d + k] += design.covariance_noise * noise[0];
    }
  }
  design.noise.add(stream, mean);
  MeanSummary summary{};
  summary.people = static_cast<double>(design.people);
  summary.mean = mean;
  summary.noise = design.noise;
  summary.covariance_noise = design.covariance_noise;
  double variance = 0;
  for (std::size_t j = 0; j < d; ++j) variance += design.noise.variance(j);
  HiddenCovariance hidden = covariance_for_tests(moments, mean, variance, design.covariance_noise, design.covariance_noise);
  summary.covariance = std::move(hidden.matrix);
  summary.weighting = std::move(hidden.weighting);
  summary.raised = hidden.raised;
  return summary;
}

}  // namespace tacet::inference
