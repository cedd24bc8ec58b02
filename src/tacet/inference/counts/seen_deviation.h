// tacet/inference/counts/seen_deviation.h: the power of a test against a deviation of the observed
// size.
//
//   GofDesign design = *GofDesign::of({0.5, 0.3, 0.2}, /*n=*/1000, {.variance = 80});
//   GofTest test = *test_goodness_of_fit(release, design.null(), {.alpha = 0.05});
//   auto alternative = seen_deviation(release.values, 1000, design.null(), *test.statistic, 2);
//   GofSetting setting{design, GofStatistic::Projected, noise_source(release)};
//   simulate_power(test, {.draws = 4999}, [&](const Simulation& again) {
//     return simulate_gof(setting, alternative, again); });
//
// Noise and sampling increase every statistic by `chance` on average. For a chi-square statistic
// this is its degrees of freedom. The deviation is reduced until it explains only the rest of the
// statistic.
// For chi-square statistics, chi2_power.h has the power without an alternative.
// Domain   values and probabilities of the same number of cells; n > 0.
// Error    of a simulated power: its standard error, at most 0.032 unless fewer draws were asked
//          for; that of the critical value is not in it. No power without a critical value.
// Cost     a quarter of the tables that the test has drawn, 250 to 2000.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "tacet/inference/counts/goodness_of_fit.h"
#include "tacet/inference/monte_carlo.h"

namespace tacet::inference {

/// Positive probabilities with sum 1 that deviate from `expected` in the direction of the values.
std::vector<double> seen_deviation(std::span<const double> values, double n, const std::vector<double>& expected, double statistic,
                                   double chance);

/// Sets test.power: the probability that a statistic of that alternative exceeds test.critical.
/// `draw` simulates statistics; its draws are independent of those of the critical value.
void simulate_power(GofTest& test, const Simulation& of_the_test, const std::function<std::vector<double>(const Simulation&)>& draw);

}  // namespace tacet::inference
