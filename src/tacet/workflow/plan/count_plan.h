// tacet/workflow/plan/count_plan.h: the power of a test on a noisy table.
//
//   const Matrix joint{2, 2, {0.27, 0.23, 0.23, 0.27}};
//   CountTestPlan plan = *plan_independence(joint, {.loss = Rho(0.01), .power = 0.8});
//   plan.n;            // the number of people needed
//   plan.powers;       // of each statistic with n people
//
// A plan reads no data and costs no privacy. Exactly one of n and power is given. The neighbours
// of the table replace one person; with `local`, people randomise their own reports.
// Domain   planning/gof_plan.h, independence_plan.h, homogeneity_plan.h and local_plan.h.
// Error    by the limit for large n: as good as the limit, which is poor if least_expected is
//          below 5; by simulation: standard_error.
// Cost     by the limit: milliseconds; by simulation: tables under two hypotheses, each fitted once
//          where parameters are unknown: bench/independence_bench.cc.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "tacet/base/enum_names.h"
#include "tacet/base/result.h"
#include "tacet/inference/counts/gof_statistic.h"
#include "tacet/inference/estimates/denoise.h"
#include "tacet/mechanisms/counts.h"
#include "tacet/planning/power_curve.h"
#include "tacet/workflow/context.h"
#include "tacet/workflow/privacy/local_terms.h"
#include "tacet/workflow/privacy_amount.h"
#include "tacet/workflow/simulation.h"

namespace tacet {

using inference::GofStatistic;
using inference::Projection;
using inference::Shrinkage;
using mechanisms::CountMechanism;
using mechanisms::NoiseDistribution;
using planning::PowerCurves;

/// The method for a power: the limit distributions for large n, or simulated tables.
enum class PowerMethod : std::uint8_t { Asymptotic, Simulation };
constexpr auto names_of(PowerMethod) {
  return std::to_array<Named<PowerMethod>>({{PowerMethod::Asymptotic, "asymptotic"}, {PowerMethod::Simulation, "simulation"}});
}

/// The privacy of the table, the test, and the people or the power.
struct CountPlanOptions {
  std::optional<PrivacyAmount> loss = {};        // of the table, or of a person's report; must be given
  std::optional<CountMechanism> mechanism = {};  // empty: by the loss, Laplace or Gaussian
  std::optional<LocalKind> local = {};           // in place of a table: reports that people randomise
  std::optional<double> n = {};                  // the number of people
  std::optional<double> power = {};              // in place of n: the wanted power
  double alpha = 0.05;
  std::optional<GofStatistic> statistic = {};  // empty: projected; classical for denoised tables and for exp
  std::optional<PowerMethod> method = {};      // empty: asymptotic, where there is a limit
  Simulation simulation = {};
  bool curves = false;  // also compute CountTestPlan::curves
  // Goodness of fit and homogeneity: denoise every table first, and take the classical statistic.
  Shrinkage shrink = Shrinkage::None;
  Projection project = Projection::None;
};

/// The power of one statistic.
struct StatisticPower {
  GofStatistic statistic;
  std::optional<double> power;          // empty: not computed, a classical limit of many cells
  std::optional<double> variance = {};  // goodness of fit: under the alternative, by the limit
};

/// The power of a test of reports of one kind, by the limit for large n.
struct RandomizerPower {
  LocalKind kind;
  std::optional<double> power;  // empty: this kind does not keep such a loss
};

/// The power of a test of counts, and the people it needs.
struct CountTestPlan {
  double power = 0;                           // of the chosen statistic
  std::optional<std::string> reason = {};     // of a power below the level
  std::optional<double> standard_error = {};  // of a simulated power
  double n = 0;
  bool people_wanted = false;  // n was found for a wanted power
  double alpha = 0;
  GofStatistic statistic = GofStatistic::Projected;
  PowerMethod method = PowerMethod::Asymptotic;
  std::optional<std::size_t> draws = {};           // simulated tables; empty: none
  std::optional<std::uint64_t> seed = {};          // of the simulation
  std::optional<NoiseDistribution> noise = {};     // of each cell of a table
  std::optional<LocalRandomizer> randomizer = {};  // of each person's report
  double least_expected = 0;                       // people, in the cell that expects fewest
  std::vector<StatisticPower> powers = {};         // of every statistic with n people
  std::optional<PowerCurves> curves = {};          // from a twentieth of n to twenty times as many
  std::optional<double> naive_level = {};          // goodness of fit: of a test that forgets the noise
  std::vector<RandomizerPower> randomizers = {};   // local: of every kind that can keep the loss
  Shrinkage shrink = Shrinkage::None;
  Projection project = Projection::None;
};

/// The noise of a table with this loss.
Result<NoiseDistribution> planned_noise(const std::optional<PrivacyAmount>& loss, std::optional<CountMechanism> mechanism);

/// The parts of a plan that depend on its test.
struct PowerQuestion {
  planning::PowerPlan plan;
  std::variant<NoiseDistribution, LocalRandomizer> noise;
  std::vector<double> null;  // the probabilities of the null hypothesis
  std::size_t work;          // of a simulated table: as many cells are drawn in the same time
};
/// The randomizer of local reports, if options ask for them; refuses what goes with tables only.
Result<LocalRandomizer> planned_randomizer(LocalKind kind, const CountPlanOptions& options);
/// The plan of any test of counts.
Result<CountTestPlan> plan_count_test(const PowerQuestion& question, const CountPlanOptions& options, const Context& context);

}  // namespace tacet
