// tacet/planning/two_sample_power.h: how often a noisy two-sample test will find a difference of means, before anything is released.
//
//   SampleDesign arm{.people = 1000, .noise = ..., .covariance_noise = 0.01};
//   TwoSamplePower power = *two_sample_power({.covariance = s, .difference = d, .groups = {arm, arm}, .alpha = 0.05}, {.draws = 400});
//
// By simulation of the whole: normal rows with the supposed covariance, the noise of means and products, the covariance as the test will estimate it
// (inference/mean_summary.h), and the test with its own draws. `limit` is the law for large n with everything but the means known: chi-square with d
// degrees of freedom, noncentral by difference' (W_1 + W_2)^-1 difference; it is quick, and too hopeful where noise hides the covariance.
// All in half widths of the columns, as inference/mean_summary.h.
// Theorem  second moments of n normal rows: S^1/2 (I + G/sqrt n) S^1/2 to first order, G symmetric and normal, variance 1 beside and 2 on the diagonal.
// Domain   1 to 64 columns, a positive definite covariance with variances below 1, at least 2 people in each group.
// Error    standard error sqrt(p(1 - p)/draws).      Cost  a test of 199 draws for each: 1 ms for 10 columns, 3 ms for 30.
// Checked  tests/planning/two_sample_power_test.cc
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/inference/mean_summary.h"
#include "tacet/inference/monte_carlo.h"

namespace tacet::planning {

struct SampleDesign {
  double people;
  inference::MeanNoise noise;
  double covariance_noise;  // standard deviation of the noise of a second moment
};

struct TwoSampleQuestion {
  std::vector<double> covariance;  // of a row, row by row
  std::vector<double> difference;
  std::array<SampleDesign, 2> groups;
  double alpha;
};

struct TwoSamplePower {
  double power, standard_error;
  double limit;
};

/// InvalidArgument, naming covariance, difference, n or alpha, outside the domain.
Result<TwoSamplePower> two_sample_power(const TwoSampleQuestion& question, const inference::Simulation& simulation);
Result<double> two_sample_limit(const TwoSampleQuestion& question);

}  // namespace tacet::planning
