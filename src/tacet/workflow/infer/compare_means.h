// tacet/workflow/infer/compare_means.h: tests whether two or more groups have the same mean.
//
//   MomentRelease release = *read_release_as<MomentRelease>("by_smoking.json");
//   MeansComparison all = *compare_means({release});                  // of its groups
//   MeansComparison two = *compare_two_means({release}, {.groups = {"never", "current"}});
//   // Against one alternative: never has less of the first column, and more of the second.
//   MeansComparison side = *compare_two_means({release}, {.groups = {"never", "current"},
//                                                         .alternative = {{-4, 1}}});
//   MomentRelease north = *read_release_as<MomentRelease>("north.json");
//   MomentRelease south = *read_release_as<MomentRelease>("south.json");
//   MeansComparison sites = *compare_means({north, south}, {.names = {"north", "south"}});
//   two.differences->pairs[0].columns[0].estimate;    // never minus current, in the first column
//   two.distances[0].distance.estimate;               // the Mahalanobis distance of the two means
//
// This is Hotelling's test and its extension to more groups, with the noise of the release in the
// null distribution. A group whose noisy number of people does not distinguish it from an empty one
// is left out; if it was named, or fewer than two others remain, the test is inconclusive. The
// answer says by how much the groups differ, and in which columns. Costs no privacy.
// Domain   one release with groups, or two or more without, over the same columns and bounds, and
//          not of the same people (disjoint_groups.h); 2 to 1000 groups, 1 to 64 columns;
//          distances for up to 10 groups; 1e-9 <= alpha <= 0.5.
// Error, Cost   as inference/means/equal_means.h, mean_differences.h and difference_region.h.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tacet/base/enum_names.h"
#include "tacet/base/result.h"
#include "tacet/inference/means/difference_region.h"
#include "tacet/inference/means/equal_means.h"
#include "tacet/inference/means/mean_differences.h"
#include "tacet/mechanisms/moment_release.h"
#include "tacet/workflow/context.h"
#include "tacet/workflow/infer/disjoint_groups.h"
#include "tacet/workflow/simulation.h"

namespace tacet {

using inference::ComparedPairs;
using inference::DifferenceRegion;
using inference::MahalanobisDistance;
using inference::MeanDifferences;
using inference::MeansTest;
using mechanisms::MomentRelease;

/// Equal: the rows of all groups have the same covariance, and the statistic pools it.
enum class Covariances : std::uint8_t { Equal, Unequal };
constexpr auto names_of(Covariances) {
  return std::to_array<Named<Covariances>>({{Covariances::Equal, "equal"}, {Covariances::Unequal, "unequal"}});
}

/// Bootstrap keeps its level. The others are those of Dunsche, Kutta & Dette (2022) as published,
/// (3.2) and (3.3), for comparison; they do not.
enum class MeansMethod : std::uint8_t { Bootstrap, Asymptotic, PaperBootstrap };
constexpr auto names_of(MeansMethod) {
  using enum MeansMethod;
  return std::to_array<Named<MeansMethod>>({{Bootstrap, "bootstrap"}, {Asymptotic, "asymptotic"}, {PaperBootstrap, "paper-bootstrap"}});
}

/// Which groups to compare, and how.
struct ComparisonRequest {
  // Labels, of one release with groups; empty: all of them but those that may be empty.
  std::vector<std::string> groups = {};
  std::vector<std::string> names = {};  // of several releases; empty: "release 1", ...
  Covariances covariances = Covariances::Equal;
  double alpha = 0.05;
  /// Of two groups: the difference, first minus second, to test against, one-sided in its
  /// direction. Nothing: against all differences.
  std::optional<std::vector<double>> alternative = {};
  MeansMethod method = MeansMethod::Bootstrap;
  /// Nothing: all pairs of up to 10 groups, otherwise the first group with each other one.
  std::optional<ComparedPairs> pairs = {};
  bool disjoint = false;  // nobody is in two of the releases, says whoever asks
  Simulation simulation = inference::MeansOptions{}.simulation;
};

/// A group, the people in it and its mean.
struct ComparedGroup {
  std::string name;
  double n;
  std::optional<std::vector<double>> mean;  // in the columns' units; nothing: maybe nobody there
};

/// Two groups, by number, and the distance between their means.
struct GroupDistance {
  std::size_t first, second;
  MahalanobisDistance distance;
};

/// The test, with the groups that it compared and by how much they differ.
struct MeansComparison {
  MeansTest test;
  std::vector<std::string> columns;
  std::vector<ComparedGroup> groups;
  ComparisonRequest asked;
  Disjoint disjoint;                           // how it is known that nobody is in two groups
  std::optional<MeanDifferences> differences;  // empty if there is nothing to compare
  std::vector<GroupDistance> distances;        // of the same pairs; empty beyond 10 groups
  std::optional<DifferenceRegion> region;      // of two groups
  std::optional<std::string> warning;          // of a method that does not keep its level
  std::vector<std::string> left_out = {};      // groups that may be empty, if none were named
  std::vector<bool> dates = {};                // of each column: days since 1970-01-01

  /// Columns in which some pair of groups differs, by the intervals for the population.
  std::vector<std::string> differing_columns() const;
};

/// Do the groups have the same mean?
Result<MeansComparison> compare_means(const std::vector<MomentRelease>& releases, const ComparisonRequest& request = {},
                                      const Context& context = {});
/// The same, for exactly two groups.
Result<MeansComparison> compare_two_means(const std::vector<MomentRelease>& releases, const ComparisonRequest& request = {},
                                          const Context& context = {});

}  // namespace tacet
