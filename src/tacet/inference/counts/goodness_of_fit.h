// tacet/inference/counts/goodness_of_fit.h: do the people behind a Release follow given probabilities? A test that knows the noise.
//
//   GofTest test = *test_goodness_of_fit(release, {0.5, 0.3, 0.2}, {.alpha = 0.05});
//   test.outcome;      // reject, retain or inconclusive
//   test.p_value;
//
// The noise is that of the Release: its family, scale, grid and structure, not an assumption. Methods:
//
//   asymptotic   the normal limit (Rogers AsymptGOF and NewStatAsymptGOF); Gaussian noise and public n. Inconclusive where a cell is expected to
//                hold fewer than 5 people, since the limit is then not to be trusted.
//   montecarlo   tables drawn from the null with the release's noise (Rogers MCGOF), p = (1 + #{T* >= T})/(B + 1); public n.
//   bootstrap    Lee's Algorithm 2 where n is not public: tables of round(N) people, N the noisy total as released, classical statistic. With public
//                n it is montecarlo. Inconclusive where N is not positive, and for a denoised table where N is less than twenty times its own standard
//                error. (Lee takes the total after truncation, which is too large: see the code.)
//   automatic    montecarlo where n is public, unless the table is so large that the limit is both far quicker and trusted; otherwise bootstrap.
//                The limit has the same statistic, and so the same power, and a level that is only nearly kept.
//
// `denoise` shrinks and projects the released table first, and every drawn one too (Lee's James-Stein, rank-deficient and truncated mechanisms);
// the statistic is then the classical one of what comes out, with n where it is public and otherwise with the sum of the denoised table.
// Where no statistic is asked for, it is the one of greatest power against a deviation of unknown direction, computed from the design alone
// (gof_power_any_direction; Laplace noise as normal noise of the same variance): a choice that looked at the values would spoil the level.
// Theorem  montecarlo: the released T and the B simulated ones are exchangeable under the null, so P[p <= alpha] <= alpha for every n, p, noise
//          and denoising (Rogers 6.1.5). asymptotic: gof_statistic.h. bootstrap with unknown n: no proof; its level is measured.
// Domain   2 to 10^7 cells (simulated: 10^6, and n to 2^50); 10^-9 <= alpha <= 1/2; (B + 1) alpha >= 1, B <= 10^7.
// Cost     asymptotic: gof_statistic.h; simulated: gof_simulation.h, and 2000 tables more for the power where it has no formula.
// Checked  tests/inference/goodness_of_fit_test.cc: level over d, n, noise, nulls and methods; a wrong null law is caught. The whole grid,
//          with power: studies/gof_level.cc.
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

struct GofOptions {
  double alpha;
  std::optional<GofStatistic> statistic = {};
  GofMethod method = GofMethod::Automatic;
  Simulation simulation = {};
  DenoiseOptions denoise = {};
  bool with_power = true;  // GofTest::power is wanted
};

struct GofTest {
  GofStatistic statistic_kind = GofStatistic::Projected;
  GofMethod method = GofMethod::Asymptotic;  // never Automatic
  std::optional<double> statistic = {};
  double df = 0;  // the dimension that the statistic varies in
  std::optional<double> p_value = {}, critical = {};
  Outcome outcome = Outcome::Inconclusive;
  std::optional<std::string> reason = {};             // of an inconclusive outcome
  std::optional<std::string> null_distribution = {};  // in words; nothing where there is no p-value
  std::optional<std::string> choice = {};             // why this statistic and this method, where they were not asked for
  std::optional<double> least_expected = {};          // people in the cell that is expected to hold fewest
  std::size_t draws = 0;                              // 0: asymptotic
  /// How often a deviation of the estimated size, in the direction that was seen, is rejected: by the
  /// distributions of gof_statistic.h for Gaussian noise and public n, otherwise by simulation.
  std::optional<double> power = {};
  std::optional<double> power_standard_error = {};  // of a simulated power
};

/// `null` has a probability for each value of the release, in its order. InvalidArgument where the method does not serve the release.
Result<GofTest> test_goodness_of_fit(const mechanisms::CountRelease& release, const std::vector<double>& null, const GofOptions& options);

}  // namespace tacet::inference
