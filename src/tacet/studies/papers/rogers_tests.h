// tacet/studies/papers/rogers_tests.h: the settings and the tests of Rogers, chapter 6, as its
// figures use them.
//
//   TACET_TRY(const inference::GofSetting setting,
//             classical_gof(null_hypotheses().front().p, /*n=*/10000, gaussian_noise(0.1)));
//   // The critical values of 1000 runs of MCGOF.
//   std::vector<double> critical = mcgof_criticals(setting, /*tests=*/1000, /*seed=*/1);
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/inference/counts/gof_simulation.h"
#include "tacet/inference/counts/independence.h"
#include "tacet/mechanisms/count_release.h"
#include "tacet/report/figure.h"
#include "tacet/studies/study.h"

namespace tacet::studies::rogers {

inline constexpr double kAlpha = 0.05;

/// Of the pure guarantee, whose noise is Laplace. That of zCDP has rho = epsilon^2/8 and Gaussian
/// noise of the same variance (section 6.3).
inline constexpr std::array kEpsilons = {0.02, 0.05, 0.1};
constexpr double rho_of(double epsilon) { return epsilon * epsilon / 8; }
mechanisms::NoiseDistribution gaussian_noise(double epsilon);
mechanisms::NoiseDistribution laplace_noise(double epsilon);
/// For the tests without privacy: it changes no decision that can be seen.
mechanisms::NoiseDistribution hardly_any_noise();
/// "rho = 0.00125", and "epsilon = 0.1" for Laplace noise.
std::string privacy_of(const mechanisms::NoiseDistribution& noise);

struct NullHypothesis {
  std::string name;
  std::vector<double> p;
};
/// The two that the text names, and one whose cells all differ.
const std::vector<NullHypothesis>& null_hypotheses();

/// The classical statistic of noisy counts (6.4).
Result<inference::GofSetting> classical_gof(const std::vector<double>& null, double n, const mechanisms::NoiseDistribution& noise);
/// The critical value of Pearson's test.
Result<double> pearson_critical(double df);

/// The m of MCGOF and MCIndep.
inline constexpr std::size_t kDraws = 59;
/// MCGOF (Algorithm 8), each with m draws of its own.
std::vector<double> mcgof_criticals(const inference::GofSetting& setting, std::size_t tests, std::uint64_t seed);

/// The two margins of a 2 x 2 table, each by its first probability, and the deviation from
/// independence.
struct TwoByTwo {
  std::string name;
  double first, second;
  std::array<double, 4> deviation = {};
  std::vector<double> table() const;
};

/// Where independence_sums() has what it counts.
enum IndependenceSum : std::uint8_t { Asymptotic, AsymptoticByRule, AsPrinted, MonteCarlo, MonteCarloByRule, Unmodified, Contradictory };
/// How often tests of independence reject tables of n people: AsymptIndep (for Gaussian noise) and
/// MCIndep as the product has them, and each with the rule of thumb of the paper too, which retains
/// wherever a denoised table has a cell below 5. With that rule AsymptIndep by the printed weights,
/// and Pearson's test, which forgets the noise. At last how often p-value and critical value of
/// AsymptIndep decide differently.
Result<Sums> independence_sums(const TwoByTwo& truth, double n, const mechanisms::NoiseDistribution& noise, Piece& piece);

/// The cell of the table that expects fewest people, in standard deviations of the noise.
double least_cell(const TwoByTwo& truth, double n, const mechanisms::NoiseDistribution& noise);

/// Rates that should not be greater than others, or than a bound (which has no trials).
struct AtMost {
  std::string where;
  Rate low, high;
};
/// Holds if none exceeds the other by more than both simulations explain.
Verdict is_at_most(std::string claim, const std::vector<AtMost>& pairs, std::string words = {}, Outcome outcome = Outcome::Reproduced);

/// A line of a figure, with error bars of 1.96 standard errors.
report::Series rates_by_people(std::string name, const std::vector<double>& people, const std::vector<Rate>& rates);
/// The level 0.05 over these numbers of people.
report::Series level_line(const std::vector<double>& people);

}  // namespace tacet::studies::rogers
