// tacet/studies/papers/rogers_tables.h: what studies of Rogers' tests on tables share: his
// settings, tables to test, and comparisons of rejections.
//
//   const mechanisms::NoiseDistribution noise = zcdp_noise(0.00125);    // variance 1/rho
//   ReleaseDraws drawn({2, 2}, /*n=*/1000, {0.25, 0.25, 0.25, 0.25}, noise);
//   numeric::InsecureStream stream(/*seed=*/7, /*index=*/0);
//   const auto look = [](const mechanisms::CountRelease& release) -> Status {
//     (void)release.values;                     // another table each time
//     return {};
//   };
//   TACET_CHECK(drawn.each(stream, /*trials=*/500, look));
//   const Lead lead = Lead::paired(/*more=*/120, /*fewer=*/95, /*trials=*/500);
//   Verdict verdict = leads("projected outperforms classical", {{"n = 1000", lead}});
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/inference/counts/gof_statistic.h"
#include "tacet/inference/counts/noisy_tables.h"
#include "tacet/inference/outcome.h"
#include "tacet/mechanisms/count_release.h"
#include "tacet/report/figure.h"
#include "tacet/studies/findings.h"
#include "tacet/studies/study.h"

namespace tacet::studies {

/// The level of all his tests, and his amounts of privacy (section 6.3).
inline constexpr double kRogersAlpha = 0.05;
inline constexpr std::array<double, 3> kRogersRhos = {0.00005, 0.0003125, 0.00125};
/// Powers are compared where at most this share of the tables is inconclusive.
inline constexpr double kMostInconclusive = 0.05;
/// The Monte Carlo draws of one test (section 6.3).
inline constexpr std::size_t kRogersDraws = 59;

/// A null hypothesis and an alternative, as the paper labels the pair: "(a)".
struct Hypotheses {
  std::string name;
  std::vector<double> null, alternative;
};
/// Of four cells: Figures 11, 12, 17 and 18.
const std::vector<Hypotheses>& rogers_hypotheses();

/// Of 2 x 2 tables: Figures 13, 21 and 22. The null hypothesis has the margins that the paper
/// names, the alternative its deviation.
const std::vector<Hypotheses>& rogers_dependence();

mechanisms::NoiseDistribution zcdp_noise(double rho);
/// So little noise that counts are as good as public.
mechanisms::NoiseDistribution no_noise();
Result<double> chi_square_critical(double df, double alpha);

double count_above(std::span<const double> statistics, double critical);
/// With error bars of 1.96 standard errors, as all his figures have.
report::Point point_of(double x, const Rate& rate);

/// Releases of simulated tables, whose n is public.
class ReleaseDraws {
 public:
  ReleaseDraws(std::vector<std::size_t> shape, double n, const std::vector<double>& probabilities,
               const mechanisms::NoiseDistribution& noise);
  Status each(numeric::InsecureStream& stream, std::size_t trials,
              const std::function<Status(const mechanisms::CountRelease& release)>& look);

 private:
  mechanisms::CountRelease release_;
  inference::NoisyTables drawn_;
};

/// What GenChiTest (Algorithm 15) for independence decides, or AsymptIndep (13) for the classical
/// statistic: by the critical value, as in the paper, and by the p-value.
struct IndependenceDecision {
  inference::Outcome by_critical, by_p_value;
};
Result<IndependenceDecision> decide_independence(const mechanisms::CountRelease& release, inference::GofStatistic statistic);

/// A pair of his power figures: the one has all his rhos, the other compares more tests at one rho.
struct PowerFigures {
  const std::vector<Hypotheses>& hypotheses;
  std::span<const double> people;
  std::size_t trials, rival_trials, block;
  Result<Sums> (*powers)(const Hypotheses& hypotheses, double rho, double n, Piece& piece);
  Result<Sums> (*rivals)(const Hypotheses& hypotheses, double n, Piece& piece);
};
std::string powers_name(const Hypotheses& hypotheses, double rho, double n);
std::string rivals_name(const Hypotheses& hypotheses, double n);
std::vector<Cell> cells_of(const PowerFigures& figures);

/// How much more often one test rejects than another.
struct Lead {
  double difference, standard_error;

  /// On the same tables: rejections by the one only, and by the other only.
  static Lead paired(double more, double fewer, double trials);
  static Lead between(const Rate& one, const Rate& other);
};
/// The lead whose counts are the sums of a cell at this place and the next.
Lead lead_at(std::size_t place, const Measured& measured, const std::string& cell);
/// No lead is below 0, and their mean is above it, by more than the error of simulation.
Verdict leads(std::string claim, const std::vector<std::pair<std::string, Lead>>& all, std::string words = {},
              Outcome outcome = Outcome::Reproduced);
/// No rate exceeds `most` by more than the error of simulation.
Verdict never_above(std::string claim, const std::vector<std::pair<std::string, Rate>>& all, double most, std::string words = {});

}  // namespace tacet::studies
