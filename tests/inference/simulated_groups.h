// tests/inference/simulated_groups.h: releases of groups as `release covariance --for two-sample`
// makes them, without a file and a ledger, for measuring levels and powers
// (tests/inference/equal_means_test.cc, studies/means_level.cc).
//
//   // 10 columns, 1000 people, epsilon 0.5 for each group:
//   GroupDesign design = planned_design(10, 1000, "0.5", Noise::Pure);
//   MeanSummary group = simulate_group(stream, design, shift);
//
// The noise has the scales that the kernel plans and is drawn in double precision; what it is added
// to, and how a summary is made of it, is as in a release. Columns lie in [-1, 1].
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Dense>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tacet/inference/means/mean_summary.h"
#include "tacet/kernel/release_numbers.h"
#include "tacet/mechanisms/cube_plan.h"
#include "tacet/mechanisms/moment_noise.h"
#include "tacet/mechanisms/noise_plan.h"
#include "tacet/mechanisms/noisy_values.h"
#include "tacet/numeric/insecure_gamma.h"
#include "tacet/numeric/insecure_stream.h"
#include "tacet/privacy/currency.h"
#include "tacet/privacy/parameters.h"

namespace tacet::inference {

/// Uniform and independent; normal with correlation 0.9; normal with a spike of 100 times the
/// variance; normal with 0.02 of the variance; the same with a mean near the bounds, where the
/// square of the mean is much larger than what the covariance is made of.
enum class RowLaw : std::uint8_t { Uniform, Equicorrelated, Spiked, Small, Far };
inline constexpr double kFarMean = 0.8;

enum class Noise : std::uint8_t { Pure, Gaussian };

struct GroupDesign {
  std::size_t dimension;
  std::size_t people;
  std::string family;  // of the release
  double count_scale;  // 0: the number of people is public
  double sum_scale, square_scale, product_scale;
  RowLaw rows = RowLaw::Uniform;
  double width = 0.63;  // uniform rows: +-width; normal rows: a standard deviation of width/sqrt(3)
  double mean = 0;      // of every column, besides the shift
};

/// What replacing one row of d columns in [-1, 1] changes, in steps of a thousandth, where the
/// number of people is public.
inline constexpr double kSteps = 1000;
inline kernel::BoxSensitivity cube_box(std::size_t d) {
  const auto steps = static_cast<Int128>(kSteps);
  kernel::BoxSensitivity box{kernel::Relation::ReplaceOne, std::vector<Int128>(d, 2 * steps), 1, 1, d};
  for (std::size_t j = 0; j < d; ++j) {
    for (std::size_t k = j; k < d; ++k) box.most.push_back((j == k ? 1 : 2) * steps * steps);
  }
  return box;
}

/// The noise that the release plans: Pure for epsilon, Gaussian for rho = epsilon^2/2. `counts`:
/// the box begins with a private count.
inline GroupDesign planned_design(std::size_t d, std::size_t n, const std::string& epsilon, Noise noise, const kernel::BoxSensitivity& box,
                                  bool counts) {
  const mechanisms::MomentNumbers numbers{counts, d, true};
  const auto family = noise == Noise::Pure ? kernel::NoiseFamily::Laplace : kernel::NoiseFamily::Gaussian;
  const std::vector<double> sizes = mechanisms::charged_sizes(family, box);
  std::vector<double> scales;
  if (noise == Noise::Pure) {
    const auto weights = *mechanisms::cube_product_weights(numbers, sizes, mechanisms::MomentGoal::TwoSample);
    const auto plan = *mechanisms::plan_cube_products(box, weights, privacy::pure_loss(*privacy::Epsilon::parse(epsilon)));
    for (std::size_t j = 0; j < numbers.size(); ++j) scales.push_back(mechanisms::scale_of(plan, j));
  } else {
    // rho = epsilon^2/2 is mu = epsilon.
    const auto weights = *mechanisms::moment_weights(numbers, sizes, mechanisms::MomentGoal::TwoSample, family);
    scales = mechanisms::plan_numbers(family, box, weights, privacy::gaussian_loss_from_mu(*privacy::Mu::parse(epsilon)))->scale;
  }
  const std::size_t sums = counts ? 1 : 0;
  return {.dimension = d,
          .people = n,
          .family = noise == Noise::Pure ? "k-norm+laplace" : "gaussian",
          .count_scale = counts ? scales[0] : 0,
          .sum_scale = scales[sums] / kSteps,
          .square_scale = scales[sums + d] / (kSteps * kSteps),
          .product_scale = d > 1 ? scales[sums + d + 1] / (kSteps * kSteps) : 0};
}

inline GroupDesign planned_design(std::size_t d, std::size_t n, const std::string& epsilon, Noise noise) {
  return planned_design(d, n, epsilon, noise, cube_box(d), false);
}

/// The mean of a group's rows, and their second moments about the middle.
struct RowMoments {
  Eigen::VectorXd mean;
  Eigen::MatrixXd second;
};

namespace simulated {

inline void fill_normal(numeric::InsecureStream& stream, Eigen::MatrixXd& values) {
  stream.fill_normal({values.data(), static_cast<std::size_t>(values.size())});
}

/// Of a row: a factor of the covariance, lower triangular.
inline Eigen::MatrixXd factor(const GroupDesign& design) {
  const auto d = static_cast<Eigen::Index>(design.dimension);
  const double variance = design.width * design.width / 3;
  Eigen::MatrixXd covariance = variance * Eigen::MatrixXd::Identity(d, d);
  if (design.rows == RowLaw::Equicorrelated)
    covariance = variance * (0.1 * Eigen::MatrixXd::Identity(d, d) + Eigen::MatrixXd::Constant(d, d, 0.9));
  if (design.rows == RowLaw::Spiked) covariance.diagonal().tail(d - 1) *= 0.01;
  if (design.rows == RowLaw::Small || design.rows == RowLaw::Far) covariance *= 0.02;
  return covariance.llt().matrixL();
}

/// A column for each person.
inline Eigen::MatrixXd draw_rows(numeric::InsecureStream& stream, const GroupDesign& design, double middle) {
  Eigen::MatrixXd rows(static_cast<Eigen::Index>(design.dimension), static_cast<Eigen::Index>(design.people));
  if (design.rows == RowLaw::Uniform) {
    stream.fill_uniform({rows.data(), static_cast<std::size_t>(rows.size())});
    rows = (2 * design.width * (rows.array() - 0.5)).matrix();
  } else {
    fill_normal(stream, rows);
    rows = factor(design).triangularView<Eigen::Lower>() * rows;
  }
  return (rows.array() + middle).max(-1).min(1).matrix();
}

}  // namespace simulated

/// Rows are drawn for up to 2000 people. Beyond that their mean is drawn as normal, and their
/// covariance by Bartlett's decomposition of a Wishart matrix, as of normal rows that are not
/// clipped: with 10^4 people it is known to 1 in 70 whatever the law of the rows.
inline RowMoments draw_moments(numeric::InsecureStream& stream, const GroupDesign& design, double shift) {
  constexpr std::size_t kMostRows = 2000;
  const auto d = static_cast<Eigen::Index>(design.dimension);
  const auto n = static_cast<double>(design.people);
  const double middle = design.mean + shift + (design.rows == RowLaw::Far ? kFarMean : 0);
  if (design.people <= kMostRows) {
    const Eigen::MatrixXd rows = simulated::draw_rows(stream, design, middle);
    Eigen::MatrixXd second = Eigen::MatrixXd::Zero(d, d);
    second.selfadjointView<Eigen::Lower>().rankUpdate(rows, 1 / n);
    return {rows.rowwise().mean(), second.selfadjointView<Eigen::Lower>()};
  }
  const Eigen::MatrixXd factor = simulated::factor(design);
  Eigen::MatrixXd normal(d, d + 1);
  simulated::fill_normal(stream, normal);
  const Eigen::VectorXd mean = (factor.triangularView<Eigen::Lower>() * normal.col(d) / std::sqrt(n)).array() + middle;
  Eigen::MatrixXd bartlett = normal.leftCols(d).triangularView<Eigen::StrictlyLower>();
  for (Eigen::Index j = 0; j < d; ++j) {
    double gamma = 0;
    numeric::fill_gamma(stream, (n - 1 - static_cast<double>(j)) / 2, {&gamma, 1});
    bartlett(j, j) = std::sqrt(2 * gamma);
  }
  const Eigen::MatrixXd root = factor * bartlett;
  return {mean, root * root.transpose() / n + mean * mean.transpose()};
}

/// A release of one group: the moments and noise.
inline mechanisms::MomentRelease release_of(numeric::InsecureStream& stream, const GroupDesign& design, const RowMoments& moments) {
  const std::size_t d = design.dimension;
  const auto n = static_cast<double>(design.people);
  const bool pure = design.family != "gaussian";
  const std::size_t counted = design.count_scale > 0 ? 1 : 0;
  mechanisms::MomentRelease release{};
  release.kind = mechanisms::MomentKind::Covariance;
  release.mechanism = *named<mechanisms::MomentMechanism>("family", design.family);
  release.columns.assign(d, {"x", -1, 1, 1 / kSteps, 0});
  MeanNoise noise{pure ? MeanNoise::Family::KNorm : MeanNoise::Family::Gaussian, std::vector<double>(counted + d, design.sum_scale),
                  counted + d};
  if (counted > 0) noise.scale[0] = design.count_scale;
  std::vector<double> numbers(counted + d);
  if (counted > 0) numbers[0] = n;
  for (std::size_t j = 0; j < d; ++j) numbers[counted + j] = n * moments.mean[static_cast<Eigen::Index>(j)];
  noise.add(stream, numbers);
  mechanisms::GroupMoments part{{counted > 0 ? numbers[0] : n, design.count_scale}, {}, {}};
  for (std::size_t j = 0; j < d; ++j) part.sums.push_back({numbers[counted + j], design.sum_scale});
  std::vector<double> draws(d * (d + 1) / 2);
  if (pure) {
    stream.fill_laplace(draws);
  } else {
    stream.fill_normal(draws);
  }
  for (std::size_t j = 0; j < d; ++j) {
    for (std::size_t k = j; k < d; ++k) {
      const double scale = j == k ? design.square_scale : design.product_scale;
      const double moment = moments.second(static_cast<Eigen::Index>(j), static_cast<Eigen::Index>(k));
      part.products.push_back({n * moment + scale * draws[part.products.size()], scale});
    }
  }
  release.parts.push_back(std::move(part));
  return release;
}

inline MeanSummary simulate_group(numeric::InsecureStream& stream, const GroupDesign& design, double shift) {
  return *summarise_mean(release_of(stream, design, draw_moments(stream, design, shift)), 0);
}

}  // namespace tacet::inference
