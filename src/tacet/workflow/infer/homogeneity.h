// tacet/workflow/infer/homogeneity.h: tests whether groups have the same probabilities.
//
//   CountRelease north = *read_release_as<CountRelease>("north.json");
//   CountRelease south = *read_release_as<CountRelease>("south.json");
//   HomogeneityTest test = *test_homogeneity({north, south}, {.alpha = 0.05});
//   test.outcome;
//   test.pooled;        // the common probabilities, if the hypothesis is true
//
// Each group has its own release, or is a category of a column of one. The groups may differ in
// people and in noise. Nobody may be in two of them (disjoint_groups.h). The test reads no data and
// costs no privacy.
// Domain   2 to 1000 groups with the same cells; 1e-9 <= alpha <= 0.5; draws as
//          workflow/simulation.h.
// Error    inference/counts/homogeneity.h.
// Cost     30 to 60 ns for each cell of each group of each draw.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/inference/estimates/denoise.h"
#include "tacet/workflow/infer/count_test.h"
#include "tacet/workflow/infer/disjoint_groups.h"
#include "tacet/workflow/infer/table_release.h"

namespace tacet {

using inference::Projection;
using inference::Shrinkage;

/// The level, the statistic and the method of a test of homogeneity.
struct HomogeneityOptions {
  double alpha = 0.05;
  std::optional<GofStatistic> statistic = {};  // projected (nothing) or classical
  GofMethod method = GofMethod::Automatic;     // not montecarlo: parameters are estimated
  bool disjoint = false;                       // nobody is in two groups, says whoever asks
  /// Public numbers of people, of the categories of one release: where membership is public.
  std::vector<double> people = {};
  Simulation simulation = {};
  // The tables are denoised first, and so is every simulated one.
  Shrinkage shrink = Shrinkage::None;
  Projection project = Projection::None;
};

/// The test, with the people of each group and the pooled probabilities.
struct HomogeneityTest : CountTest {
  std::vector<std::optional<double>> n = {};           // of each group, if it is public
  std::vector<double> people = {};                     // of each group: n, or the noisy total
  std::optional<std::vector<double>> pooled = {};      // a probability for each cell
  Disjoint disjoint = Disjoint::Unknown;               // how it is known that nobody is in two groups
  std::optional<std::vector<std::string>> names = {};  // of the groups, if they are of one release
  std::vector<std::size_t> shape = {};                 // of the table of a group
  Shrinkage shrink = Shrinkage::None;
  Projection project = Projection::None;
};

/// InvalidArgument, naming the release by its number, if it has other cells than the first; or if
/// two releases may be of the same people.
Result<HomogeneityTest> test_homogeneity(const std::vector<CountRelease>& groups, const HomogeneityOptions& options = {},
                                         const Context& context = {});
/// Tables that were projected before they were published, all in the same way, with public n.
Result<HomogeneityTest> test_homogeneity(const std::vector<DenoisedRelease>& groups, const HomogeneityOptions& options = {},
                                         const Context& context = {});
/// The groups are the categories of the column `by` of one release of counts, which has more
/// columns. Their noisy totals take the place of their people, unless the release or options.people
/// has them.
Result<HomogeneityTest> test_homogeneity(const CountRelease& release, const std::string& by, const HomogeneityOptions& options = {},
                                         const Context& context = {});

}  // namespace tacet
