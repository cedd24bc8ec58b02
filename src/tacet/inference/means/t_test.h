// tacet/inference/means/t_test.h: the t-test for one column, or for one combination of columns: one
// group against a value, or two groups.
//
//   ColumnTest test = *t_test({{&release, 0}, {&release, 1}}, /*column=*/0,
//                             {.alternative = Alternative::Greater});
//   test.estimate;  test.p_value;  test.lower;       // of the first mean minus the second
//   ColumnTest ratio = *t_test({{&release, 0}}, /*weights=*/{1, -2}, {.null = 0});
//
// The statistic is (estimate - null)/sd, where sd is from noise and sampling, or from noise alone
// for the people in the file. Its distribution is that of possible means
// (possible_combination.h), so the p-value and the interval agree: the null is rejected if the
// interval does not contain it. Without noise this is the t-test for one group, and the test of
// Behrens and Fisher for two, which is Welch's with a little more caution in small groups. df are
// Welch's degrees of freedom (1938, 1947), where the noise of a variance counts as few people do;
// they are reported, not used.
// Theorem  none for finite n: the level was measured (docs/explanation/differences.md).
// Domain   one or two groups; a weight for each column, not all 0; the population needs second
//          moments; 1e-9 <= alpha <= 0.5; |null| at most 1e100.
// Error    that of the draws; p = (1 + #)/(B + 1).
// Cost     99,999 draws of one column, 10 to 20 ms, if none are asked for; of a combination of d
//          columns about 0.5 d^2 ms more.
// Checked  tests/inference/t_test_test.cc; `study run coverage_of_differences`
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "tacet/base/enum_names.h"
#include "tacet/base/result.h"
#include "tacet/inference/means/mean_differences.h"
#include "tacet/inference/means/mean_distribution.h"
#include "tacet/inference/outcome.h"

namespace tacet::inference {

/// The mean, or the difference of two, is other than the null; less; greater.
enum class Alternative : std::uint8_t { TwoSided, Less, Greater };
constexpr auto names_of(Alternative) {
  using enum Alternative;
  return std::to_array<Named<Alternative>>({{TwoSided, "two-sided"}, {Less, "less"}, {Greater, "greater"}});
}

/// The weights were computed as C^-1 e, with C the covariance that the release shows, which makes
/// the variance of the combination too small. For the sampling error of C, each draw is larger by
/// the root of 1/(p r), for independent beta variables p of shapes (f - d + 1)/2 and (d - 1)/2, and
/// r of shapes (f - d + 2)/2 and (d - 1)/2. For its noise, `raise` is added to the variance of a
/// row. docs/explanation/differences.md derives both.
struct ChosenWeights {
  std::size_t columns;  // d
  double freedom;       // f, of the covariance as people are sampled; at least d
  double raise = 0;     // in the square of the combination's unit
};

struct TTestOptions {
  double alpha = 0.05;
  Alternative alternative = Alternative::TwoSided;
  double null = 0;
  MeanTarget target = MeanTarget::Population;
  Simulation simulation = {.draws = 99'999};
  std::optional<ChosenWeights> chosen = {};
};

struct ColumnTest {
  double estimate, sd;
  double statistic;
  double critical;           // the statistic beyond which the null is rejected
  double noise_share;        // the part of sd^2 that is noise
  std::optional<double> df;  // empty for the people in the file, where nothing is estimated
  double p_value;
  std::optional<double> lower, upper;  // empty: no bound on this side (one-sided alternatives)
  Outcome outcome;
  std::size_t draws;
};

Result<ColumnTest> t_test(const std::vector<ReleasedGroup>& groups, std::size_t column, const TTestOptions& options);
/// Of the combination of the columns with these weights, in their units.
Result<ColumnTest> t_test(const std::vector<ReleasedGroup>& groups, const std::vector<double>& weights, const TTestOptions& options);

}  // namespace tacet::inference
