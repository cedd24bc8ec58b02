// tacet/inference/counts/goodness_of_fit.h: tests given probabilities on noisy counts.
//
//   GofTest test = *test_goodness_of_fit(release, {0.5, 0.3, 0.2}, {.alpha = 0.05});
//   test.outcome;      // reject, retain or inconclusive
//   test.p_value;
//
// The release states its noise: family, scale, grid and structure. Methods:
//
//   asymptotic   the normal limit (Rogers AsymptGOF and NewStatAsymptGOF); Gaussian noise, public
//                n. Inconclusive if a cell expects fewer than 5 people: the limit cannot be
//                trusted then.
//   montecarlo   tables of the null hypothesis with the noise of the release (Rogers MCGOF),
//                p = (1 + #{T* >= T})/(B + 1); public n.
//   bootstrap    Lee's Algorithm 2 if n is not public: tables of round(N) people, N the noisy
//                total as released, classical statistic. With public n it is montecarlo.
//                Inconclusive if N is not positive. For a denoised table with N less than twenty
//                times its standard error: the largest p-value over all sizes that N leaves
//                possible (gof_unknown_total.h). (Lee uses the total after truncation, which is
//                too large: see the code.)
//   automatic    montecarlo if n is public, unless the table is so large that the limit is both
//                trusted and much faster; otherwise bootstrap. The limit has the same statistic and
//                power, and keeps its level approximately.
//
// `denoise` shrinks and projects the released table first, and every simulated one too (Lee's
// James-Stein, rank-deficient and truncated mechanisms). The statistic is then the classical one
// of the result, with the public n or the sum of the denoised table.
// The default statistic is the one of greatest power against a deviation of unknown direction
// (gof_power_any_direction; Laplace noise counts as normal noise of the same variance). It is
// chosen from the design alone: a choice by the values would break the level.
// Theorem  montecarlo: T and the B simulated statistics are exchangeable under the null
//          hypothesis, so P[p <= alpha] <= alpha for every n, p, noise and denoising (Rogers
//          6.1.5). asymptotic: gof_statistic.h. bootstrap with unknown n: no proof; its level was
//          measured.
// Domain   2 to 10^7 cells (simulated: 10^6, and n to 2^50); 10^-9 <= alpha <= 1/2; (B + 1) alpha
//          >= 1, B <= 10^7.
// Cost     asymptotic: gof_statistic.h; simulated: gof_simulation.h, and 2000 tables more for the
//          power if it has no formula.
// Checked  tests/inference/goodness_of_fit_test.cc: level over d, n, noise, hypotheses and
//          methods; a wrong null distribution is caught. The whole grid:
//          `study run levels_of_fit`.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tacet/base/enum_names.h"
#include "tacet/base/result.h"
#include "tacet/inference/counts/gof_statistic.h"
#include "tacet/inference/estimates/denoise.h"
#include "tacet/inference/monte_carlo.h"
#include "tacet/inference/outcome.h"
#include "tacet/mechanisms/count_release.h"

namespace tacet::inference {

enum class GofMethod : std::uint8_t { Asymptotic, MonteCarlo, Bootstrap, Automatic };
constexpr auto names_of(GofMethod) {
  return std::to_array<Named<GofMethod>>({{GofMethod::Asymptotic, "asymptotic"},
                                          {GofMethod::MonteCarlo, "montecarlo"},
                                          {GofMethod::Bootstrap, "bootstrap"},
                                          {GofMethod::Automatic, "auto"}});
}

/// Why the projected statistic was taken, where powers were not compared.
inline constexpr const char* kUsualChoice = "the projected statistic, which usually has the most power";

struct GofOptions {
  double alpha;
  std::optional<GofStatistic> statistic = {};
  GofMethod method = GofMethod::Automatic;
  Simulation simulation = {};
  DenoiseOptions denoise = {};
  bool with_power = true;  // also compute GofTest::power
};

struct GofTest {
  GofStatistic statistic_kind = GofStatistic::Projected;
  GofMethod method = GofMethod::Asymptotic;  // never Automatic
  std::optional<double> statistic = {};
  double df = 0;  // the dimension of the statistic's variation
  std::optional<double> p_value = {}, critical = {};
  Outcome outcome = Outcome::Inconclusive;
  std::optional<std::string> reason = {};             // of an inconclusive outcome
  std::optional<std::string> null_distribution = {};  // in words; empty without a p-value
  std::optional<std::string> choice = {};             // of statistic and method, if made here
  std::optional<double> least_expected = {};          // people, in the cell that expects fewest
  std::optional<std::size_t> draws = {};              // empty: asymptotic
  /// The power against a deviation of the estimated size in the observed direction: by the
  /// distributions of gof_statistic.h for Gaussian noise and public n, otherwise by simulation.
  std::optional<double> power = {};
  std::optional<double> power_standard_error = {};  // of a simulated power, as if the critical value were exact
};

/// Refuses what a test on denoised tables cannot do: bounds, the limit, another statistic than the
/// classical one. `simulated` is the method to use.
Status check_denoised(const GofOptions& options, GofMethod simulated);

/// Shrinkage and truncation depend on the size of the table. The level was measured for js with
/// truncation, at 0.05: with a relative error of the noisy total of 1/2 it is 0.076, with 1/8 it
/// is 0.059, and with 1/20 it was kept, as far as 1000 trials of each setting can tell
/// (`study run levels_of_fit`).
inline constexpr double kLeastTotal = 20;

/// `null` has a probability for each value of the release, in its order. InvalidArgument if the
/// method cannot be used with the release.
Result<GofTest> test_goodness_of_fit(const mechanisms::CountRelease& release, const std::vector<double>& null, const GofOptions& options);

}  // namespace tacet::inference
