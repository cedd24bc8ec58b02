// tacet/inference/means/mean_differences.h: by how much the means of groups differ, column by
// column, with intervals that hold together.
//
//   const std::vector<ReleasedGroup> groups = {{&release, 0}, {&release, 1}};
//   MeanDifferences found = *mean_differences(groups, {.alpha = 0.05});
//   const ColumnDifference& ldl = found.pairs[0].columns[0];    // first group minus second
//   ldl.estimate;  ldl.population.lower;  ldl.differs();
//
// All intervals for the population hold together with probability 1 - alpha, over all columns and
// all pairs, and so do those for the file. An interval is the estimate -+ q times its standard
// deviation, where q is the quantile of the largest standardised error of possible means
// (possible_means.h): Tukey's method for all pairs, Dunnett's for those with the first group.
// Theorem  none for finite n: the coverage was measured (docs/explanation/differences.md).
// Domain   2 to 1000 groups with the same columns, 1 to 64 columns; releases of which
//          why_no_population() says nothing; 1e-9 <= alpha <= 0.5, draws as monte_carlo.h.
// Error    that of the draws: about 1 % of q at alpha = 0.05.
// Cost     100 ns for each group and column of each draw; if no number is given, 9,999 draws for
//          up to 2,000 groups times columns, and 1,999 beyond.
// Checked  tests/inference/mean_differences_test.cc; `study run coverage_of_differences`
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "tacet/base/enum_names.h"
#include "tacet/base/result.h"
#include "tacet/inference/monte_carlo.h"
#include "tacet/mechanisms/moment_release.h"

namespace tacet::inference {

/// A group of a release, which must outlive it.
struct ReleasedGroup {
  const mechanisms::MomentRelease* release;
  std::size_t group;
};

/// Which groups are compared: every two, or the first with each other one.
enum class ComparedPairs : std::uint8_t { All, First };
constexpr auto names_of(ComparedPairs) {
  return std::to_array<Named<ComparedPairs>>({{ComparedPairs::All, "all"}, {ComparedPairs::First, "first"}});
}

struct DifferencesOptions {
  double alpha = 0.05;
  ComparedPairs pairs = ComparedPairs::All;
  Simulation simulation = {};
};

struct DifferenceInterval {
  double sd;  // of the error of the estimate
  double lower, upper;
};

struct ColumnDifference {
  double estimate;  // in the column's unit
  DifferenceInterval population, file;

  /// The population's interval does not contain 0.
  bool differs() const { return population.lower > 0 || population.upper < 0; }
};

/// The first group minus the second.
struct PairDifference {
  std::size_t first, second;  // numbers of the groups
  std::vector<ColumnDifference> columns;
};

struct MeanDifferences {
  std::vector<PairDifference> pairs;
  double population_quantile, file_quantile;  // q
  std::size_t draws;
};

Result<MeanDifferences> mean_differences(const std::vector<ReleasedGroup>& groups, const DifferencesOptions& options);

/// The pairs that are compared, of `groups` groups.
std::vector<std::pair<std::size_t, std::size_t>> compared_pairs(std::size_t groups, ComparedPairs which);

}  // namespace tacet::inference
