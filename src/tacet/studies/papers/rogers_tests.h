// tacet/studies/papers/rogers_tests.h: Rogers' tests on simulated tables, as his figures use them.
//
//   const mechanisms::NoiseDistribution noise = zcdp_noise(0.00125);
//   TACET_TRY(const inference::GofSetting setting, classical_gof({0.5, 0.5}, /*n=*/10000, noise));
//   // The critical values of 1000 runs of MCGOF.
//   std::vector<double> critical = mcgof_criticals(setting, /*tests=*/1000, /*seed=*/1);
//
//   ReleaseDraws drawn({2, 2}, /*n=*/1000, {0.25, 0.25, 0.25, 0.25}, noise);
//   numeric::InsecureStream stream(/*seed=*/7, /*index=*/0);
//   const auto look = [](const mechanisms::CountRelease& release) -> Status {
//     (void)release.values;                     // another table each time
//     return {};
//   };
//   TACET_CHECK(drawn.each(stream, /*trials=*/500, look));
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/inference/counts/gof_simulation.h"
#include "tacet/inference/counts/gof_statistic.h"
#include "tacet/inference/counts/independence.h"
#include "tacet/inference/counts/noisy_tables.h"
#include "tacet/inference/outcome.h"
#include "tacet/mechanisms/count_release.h"
#include "tacet/studies/papers/rogers_settings.h"
#include "tacet/studies/study.h"

namespace tacet::studies {

/// The classical statistic of noisy counts (6.4).
Result<inference::GofSetting> classical_gof(const std::vector<double>& null, double n, const mechanisms::NoiseDistribution& noise);
/// MCGOF (Algorithm 8), each with draws of its own.
std::vector<double> mcgof_criticals(const inference::GofSetting& setting, std::size_t tests, std::uint64_t seed);

/// Releases of simulated tables, whose n is public.
class ReleaseDraws {
 public:
  ReleaseDraws(std::vector<std::size_t> shape, double n, const std::vector<double>& probabilities,
               const mechanisms::NoiseDistribution& noise);
  /// So many tables at once, at most kMostTablesInABlock; then each of them.
  void draw(numeric::InsecureStream& stream, std::size_t tables);
  const mechanisms::CountRelease& at(std::size_t table);
  /// Draws whole blocks.
  Status each(numeric::InsecureStream& stream, std::size_t trials,
              const std::function<Status(const mechanisms::CountRelease& release)>& look);

 private:
  mechanisms::CountRelease release_;
  inference::NoisyTables drawn_;
  std::vector<double> deviations_, sums_;
};

/// What GenChiTest (Algorithm 15) for independence decides, or AsymptIndep (13) for the classical
/// statistic: by the critical value, as in the paper, and by the p-value.
struct IndependenceDecision {
  inference::Outcome by_critical, by_p_value;
};
Result<IndependenceDecision> decide_independence(const mechanisms::CountRelease& release, inference::GofStatistic statistic);

/// How often tests of independence reject 2 x 2 tables. AsymptIndep (for Gaussian noise) and
/// MCIndep are as the product has them, and each with the rule of thumb of the paper too, which
/// retains wherever a denoised table has a cell below 5. With that rule AsymptIndep by the printed
/// weights, and Pearson's test, which forgets the noise. At last how often p-value and critical
/// value of AsymptIndep decide differently.
struct IndependenceSum {
  /// Where the sums of a cell have them.
  enum Place : std::uint8_t { Asymptotic, AsymptoticByRule, AsPrinted, MonteCarlo, MonteCarloByRule, Unmodified, Contradictory };
};
Result<Sums> independence_sums(const std::vector<double>& truth, double n, const mechanisms::NoiseDistribution& noise, Piece& piece);

/// The cell of the table that expects fewest people, in standard deviations of the noise.
double least_cell(const std::vector<double>& truth, double n, const mechanisms::NoiseDistribution& noise);

struct PowerTrials {
  std::size_t usual, in_a_hurry;
};
/// A pair of his power figures: the one has all his rhos, the other compares more tests at one rho.
struct PowerFigures {
  const std::vector<Hypotheses>& hypotheses;
  std::span<const double> people;
  PowerTrials trials, rival_trials;
  std::size_t block;
  Result<Sums> (*powers)(const Hypotheses& hypotheses, double rho, double n, Piece& piece);
  Result<Sums> (*rivals)(const Hypotheses& hypotheses, double n, Piece& piece);
};
/// Powers are compared where at most this share of the tables is inconclusive.
inline constexpr double kMostInconclusive = 0.05;
std::string powers_name(const Hypotheses& hypotheses, double rho, double n);
std::string rivals_name(const Hypotheses& hypotheses, double n);
std::vector<Cell> cells_of(const PowerFigures& figures, const Effort& effort);

}  // namespace tacet::studies
