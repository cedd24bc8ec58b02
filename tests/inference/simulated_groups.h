// tests/inference/simulated_groups.h: releases of groups as `release covariance --for two-sample`
// makes them, without a file and a ledger, for measuring levels and powers
// (tests/inference/equal_means_test.cc).
//
//   // 10 columns, 1000 people, epsilon 0.5 for each group:
//   GroupDesign design = planned_design(10, 1000, "0.5", Noise::Pure);
//   MeanSummary group = simulate_group(stream, design, shift);
//
// The noise has the scales that the kernel plans and is drawn in double precision; what it is added
// to, and how a summary is made of it, is as in a release. Columns lie in [-1, 1].
// SPDX-License-Identifier: Apache-2.0
#pragma once

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
#include "tacet/numeric/insecure_stream.h"
#include "tacet/privacy/currency.h"
#include "tacet/privacy/parameters.h"
#include "tacet/studies/levels/drawn_rows.h"

namespace tacet::inference {

using studies::RowLaw;

enum class Noise : std::uint8_t { Pure, Gaussian };

/// The number of people is public.
struct GroupDesign : studies::RowDesign {
  std::string family;  // of the release
  double sum_scale, square_scale, product_scale;
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

/// The noise that the release plans: Pure for epsilon, Gaussian for rho = epsilon^2/2.
inline GroupDesign planned_design(std::size_t d, std::size_t n, const std::string& epsilon, Noise noise) {
  const kernel::BoxSensitivity box = cube_box(d);
  const mechanisms::MomentNumbers numbers{false, d, true};
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
  return {{.dimension = d, .people = n},
          noise == Noise::Pure ? "k-norm+laplace" : "gaussian",
          scales[0] / kSteps,
          scales[d] / (kSteps * kSteps),
          d > 1 ? scales[d + 1] / (kSteps * kSteps) : 0};
}

/// A release of one group: the moments and noise.
inline mechanisms::MomentRelease release_of(numeric::InsecureStream& stream, const GroupDesign& design,
                                            const studies::RowMoments& moments) {
  const std::size_t d = design.dimension;
  const auto n = static_cast<double>(design.people);
  const bool pure = design.family != "gaussian";
  mechanisms::MomentRelease release{};
  release.kind = mechanisms::MomentKind::Covariance;
  release.mechanism = *named<mechanisms::MomentMechanism>("family", design.family);
  release.columns.assign(d, {"x", -1, 1, 1 / kSteps, 0});
  MeanNoise noise{pure ? MeanNoise::Family::KNorm : MeanNoise::Family::Gaussian, std::vector<double>(d, design.sum_scale), d};
  std::vector<double> numbers(d);
  for (std::size_t j = 0; j < d; ++j) numbers[j] = n * moments.mean[static_cast<Eigen::Index>(j)];
  noise.add(stream, numbers);
  mechanisms::GroupMoments part{{n, 0}, {}, {}};
  for (std::size_t j = 0; j < d; ++j) part.sums.push_back({numbers[j], design.sum_scale});
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
