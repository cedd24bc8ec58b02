// tacet/workflow/infer/compare_means.h: tests whether two or more groups have the same mean.
//
//   MomentRelease release = *read_release_as<MomentRelease>("by_smoking.json");
//   MeansComparison all = *compare_means({release});                  // of its groups
//   MeansComparison two = *compare_two_means({release}, {.groups = {"never", "current"}});
//   MomentRelease north = *read_release_as<MomentRelease>("north.json");
//   MomentRelease south = *read_release_as<MomentRelease>("south.json");
//   MeansComparison sites = *compare_means({north, south}, {.names = {"north", "south"}});
//
// This is Hotelling's test and its extension to more groups, with the noise of the release in the
// null distribution. Inconclusive if a group is empty, or if its noisy number of people does not
// distinguish it from an empty one. Costs no privacy.
// Domain   one release with groups, or two or more without, over the same columns and bounds; 2 to
//          1000 groups, 1 to 64 columns; 1e-9 <= alpha <= 0.5.
// Error, Cost   as inference/means/equal_means.h.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tacet/base/enum_names.h"
#include "tacet/base/result.h"
#include "tacet/inference/means/equal_means.h"
#include "tacet/mechanisms/moment_release.h"
#include "tacet/workflow/context.h"
#include "tacet/workflow/simulation.h"

namespace tacet {

using inference::MeansTest;
using mechanisms::MomentRelease;

/// Equal: the rows of all groups have the same covariance, and the statistic pools it.
enum class Covariances : std::uint8_t { Equal, Unequal };
constexpr auto names_of(Covariances) {
  return std::to_array<Named<Covariances>>({{Covariances::Equal, "equal"}, {Covariances::Unequal, "unequal"}});
}

/// Which groups to compare, and how.
struct ComparisonRequest {
  std::vector<std::string> groups = {};  // labels, of one release with groups; empty: all of them
  std::vector<std::string> names = {};   // of several releases; empty: "release 1", ...
  Covariances covariances = Covariances::Equal;
  double alpha = 0.05;
  Simulation simulation = inference::MeansOptions{}.simulation;
};

/// A group, the people in it and its mean.
struct ComparedGroup {
  std::string name;
  double n;
  std::optional<std::vector<double>> mean;  // in the columns' units; nothing: maybe nobody there
};

/// The test, with the groups that it compared.
struct MeansComparison {
  MeansTest test;
  std::vector<std::string> columns;
  std::vector<ComparedGroup> groups;
  ComparisonRequest asked;
};

/// Do the groups have the same mean?
Result<MeansComparison> compare_means(const std::vector<MomentRelease>& releases, const ComparisonRequest& request = {},
                                      const Context& context = {});
/// The same, for exactly two groups.
Result<MeansComparison> compare_two_means(const std::vector<MomentRelease>& releases, const ComparisonRequest& request = {},
                                          const Context& context = {});

}  // namespace tacet
