// tacet/studies/papers/rogers_settings.h: the settings of Rogers' simulations, chapters 6 to 8:
// levels, noise, hypotheses, and points of his figures.
//
//   const mechanisms::NoiseDistribution noise = zcdp_noise(rho_of(/*epsilon=*/0.1));   // 1/rho
//   privacy_of(noise);                           // "rho = 0.00125"
//   rogers_hypotheses()[1].null;                 // 1/2, 1/6, 1/6, 1/6
//   report::Series level = level_line(std::array{500.0, 1e4});
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/mechanisms/count_release.h"
#include "tacet/report/figure.h"
#include "tacet/studies/study.h"

namespace tacet::studies {

/// The level of all his tests, and the Monte Carlo draws of one test (section 6.3).
inline constexpr double kRogersAlpha = 0.05;
inline constexpr std::size_t kRogersDraws = 59;

/// Epsilon is that of the pure guarantee, whose noise is Laplace. That of zCDP has
/// rho = epsilon^2/8 and Gaussian noise of the same variance (section 6.3).
inline constexpr std::array kRogersEpsilons = {0.02, 0.05, 0.1};
inline constexpr std::array kRogersRhos = {0.00005, 0.0003125, 0.00125};
constexpr double rho_of(double epsilon) { return epsilon * epsilon / 8; }
mechanisms::NoiseDistribution zcdp_noise(double rho);
mechanisms::NoiseDistribution laplace_noise(double epsilon);
/// So little noise that counts are as good as public: for tests without privacy. Its scale decides
/// only where a statistic nearly equals a critical value.
mechanisms::NoiseDistribution no_noise(double scale = 1e-3);
/// "rho = 0.00125", and "epsilon = 0.1" for Laplace noise.
std::string privacy_of(const mechanisms::NoiseDistribution& noise);

struct NullHypothesis {
  std::string name;
  std::vector<double> p;
};
/// The two that the text of chapter 6 names, and one whose cells all differ.
const std::vector<NullHypothesis>& null_hypotheses();

/// A null hypothesis and an alternative, as the paper labels the pair: "(a)".
struct Hypotheses {
  std::string name;
  std::vector<double> null, alternative;
};
/// Of four cells: Figures 11, 12, 17 and 18.
const std::vector<Hypotheses>& rogers_hypotheses();
/// Of 2 x 2 tables: Figures 13, 14, 21 and 22. The null hypothesis has the margins that the paper
/// names, the alternative its deviation.
const std::vector<Hypotheses>& rogers_dependence();

/// A 2 x 2 table of independent variables, by the first probability of each.
struct Margins {
  const char* name;
  double row, column;
  std::vector<double> table() const;
};

/// The critical value of Pearson's test.
Result<double> pearson_critical(double df);
double count_above(std::span<const double> statistics, double critical);

/// With error bars of 1.96 standard errors, as all his figures have.
report::Point point_of(double x, const Rate& rate);
report::Series rates_by_people(std::string name, std::span<const double> people, const std::vector<Rate>& rates);
/// The level 0.05 over these numbers of people.
report::Series level_line(std::span<const double> people);

}  // namespace tacet::studies
