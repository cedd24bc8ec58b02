// tacet/inference/counts/seen_deviation.h: how often a test finds a deviation of the size that a table shows.
//
//   std::vector<double> alternative = seen_deviation(release.values, n, fitted, statistic, df);
//   simulate_power(test, options.simulation, [&](const Simulation& s) { return statistics_of(alternative, s); });
//
// Noise and sampling add to every statistic, on average `chance`, which for a chi-square statistic is
// its degrees of freedom. The deviation is made smaller until it explains the rest alone.
// Where a statistic is chi-square, chi2_power.h has the power without an alternative.
// Domain   values and probabilities of as many cells; n > 0.
// Error    of a simulated power: its standard error, at most 0.012.          Cost  2000 tables.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "tacet/inference/counts/goodness_of_fit.h"
#include "tacet/inference/monte_carlo.h"

namespace tacet::inference {

/// Positive probabilities with sum 1 that deviate from `expected` as the values do.
std::vector<double> seen_deviation(std::span<const double> values, double n, const std::vector<double>& expected, double statistic,
                                   double chance);

/// Sets test.power: how often statistics of that alternative exceed test.critical. `draw` gives them;
/// its draws are not those that made the critical value.
void simulate_power(GofTest& test, const Simulation& of_the_test, const std::function<std::vector<double>(const Simulation&)>& draw);

}  // namespace tacet::inference
