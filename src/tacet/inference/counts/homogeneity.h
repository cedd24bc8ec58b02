// tacet/inference/counts/homogeneity.h: tests whether groups with separate releases have the same
// probabilities.
//
//   HomogeneityTest compared = *test_homogeneity({north, south, east}, {.alpha = 0.05});
//   compared.test.outcome;          // reject, retain or inconclusive
//   compared.pooled;                // the common probabilities, if the hypothesis is true
//
// Groups may differ in people, in noise (family, scale, grid, structure), and in whether n is
// public. If n is public, the noise of the total is known and is removed first; otherwise the
// noisy total replaces n. Statistics: homogeneity_statistic.h. Methods:
//
//   bootstrap    Lee's Algorithm 3: tables of all groups from the pooled probabilities, each with
//                the people and the noise of its own release, pooled again; p = (1 + #{T* >=
//                T})/(B + 1). Any noise.
//   asymptotic   chi-square with (groups - 1)(cells - 1) degrees of freedom; projected statistic
//                and Gaussian noise. Inconclusive if a cell expects fewer than 5 people.
//   automatic    the projected statistic and the bootstrap, unless the tables are so large that the
//                limit is both trusted and much faster.
//
// `denoise` shrinks and projects the released tables first, and every simulated one too (Lee's
// Figures 11 and 12). The statistic is then the classical one. rows_as_groups takes the groups from
// one release instead, whose noise is independent over cells.
// Tables that were projected before they were published (done) are taken as they are, and the
// common probabilities are theirs.
// Inconclusive also if the noisy total of a group is below one person, or, for denoised tables, if
// it is less than twenty times its standard error.
// Theorem  asymptotic: homogeneity_statistic.h. bootstrap: no proof, since the common
//          probabilities are estimated; its level was measured.
// Domain   2 to 1000 groups of 2 cells or more (simulated: 10^6 cells altogether, n to 2^50);
//          alpha and draws as goodness_of_fit.h.
// Cost     30 to 60 ns for each cell of each group of each draw; a projected draw grows with the
//          square of the groups beyond ten.
// Checked  tests/inference/homogeneity_test.cc: level over groups, people, noise, families and
//          methods, also under the heavy noise of Lee's examples; power; a distribution that
//          ignores the noise is caught.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/inference/counts/goodness_of_fit.h"
#include "tacet/inference/counts/homogeneity_statistic.h"
#include "tacet/mechanisms/count_release.h"

namespace tacet::inference {

inline constexpr std::size_t kMostGroups = 1000;

struct HomogeneityTest {
  GofTest test;
  std::vector<double> pooled;  // a probability for each cell
  std::vector<double> people;  // of each group: n, or the sum of its noisy counts
};

/// A release for each category of a column of one release, with the cells of the others. Nobody is
/// in two of them. Their totals are noisy, unless the release says that they are public.
/// InvalidArgument if the release has no such column, and Unsupported if its noise keeps the total
/// and so depends on all cells.
Result<std::vector<mechanisms::CountRelease>> rows_as_groups(const mechanisms::CountRelease& release, const std::string& column);

/// GofOptions as for goodness_of_fit.h; the statistic is classical or projected, the method not
/// montecarlo.
Result<HomogeneityTest> test_homogeneity(const std::vector<mechanisms::CountRelease>& groups, const GofOptions& options);

/// The statistic `of` lists of tables with the noise and the public n of `groups`, whose values are
/// not read. Group i has group_people[i] people, who follow probabilities[i], or the last list
/// given.
std::vector<double> simulate_homogeneity(const std::vector<mechanisms::CountRelease>& groups, const std::vector<double>& group_people,
                                         const std::vector<std::vector<double>>& probabilities, const HomogeneityStatistic& of,
                                         const DenoiseOptions& denoise, const Simulation& simulation, std::optional<double> observed = {});

}  // namespace tacet::inference
