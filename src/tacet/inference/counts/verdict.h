// tacet/inference/counts/verdict.h: the outcome of a test from its statistic and the null
// distribution.
//
//   auto chi_square = *numeric::WeightedChi2::of_weights(std::vector<double>{1, 1});
//   GofTest test{.statistic = 7.3};
//   decide_by_limit(test, chi_square, "chi-square with 2 degrees of freedom", 0.05,
//                   GofMethod::MonteCarlo);
//   test.p_value; test.critical; test.outcome;
//
// All tests of counts use these functions, so that their words are the same.
// Error    only that of the distribution.
// Cost     that of its quantile, or a sort of the draws.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tacet/inference/counts/collapsed_table.h"
#include "tacet/inference/counts/goodness_of_fit.h"
#include "tacet/numeric/weighted_chi2.h"

namespace tacet::inference {

/// p-value, critical value and outcome by a limit for large n. Inconclusive if test.least_expected
/// is below 5 people; the reason then suggests the method `instead`. test.statistic must be set.
void decide_by_limit(GofTest& test, const numeric::WeightedChi2& null, std::string null_distribution, double alpha, GofMethod instead);

/// The same by simulated tables of `cells` cells: `draw` gives statistics of the null hypothesis,
/// which stop when the p-value is known. `drawn` says what is drawn: "tables of 400 people".
/// InvalidArgument for a wrong number of draws.
Status decide_by_draws(GofTest& test, const GofOptions& options, std::size_t cells, const NullDraws& draw, std::string_view drawn);

/// A statistic of the values of a collapsed table; empty where they leave it undefined.
using CollapsedStatistic = std::function<std::optional<double>(std::span<const double> values)>;

/// The same for a statistic that is chi-square with test.df degrees of freedom for large n: by this
/// limit if the noise is Gaussian and every class expects 5 people, otherwise by tables that follow
/// `null`, which `fitted` describes: "the fitted margins". Sets test.method and
/// test.least_expected, too.
Status decide_collapsed(GofTest& test, const GofOptions& options, const CollapsedTable& table, const std::vector<double>& null,
                        const CollapsedStatistic& statistic, std::string_view fitted);

/// The test has no p-value, for this reason.
void leave_open(GofTest& test, std::string reason);

/// "a cell is expected to hold 3.2 people, fewer than 5"
std::string few_expected(double least_expected);
/// "..., so the limit for large n cannot be trusted; montecarlo can"
std::string untrusted_limit(const std::string& because, std::optional<GofMethod> instead);

}  // namespace tacet::inference
