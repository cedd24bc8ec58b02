// tacet/mechanisms/local_randomizer.h: what reports that people randomised themselves say about the true counts, and how surely.
//
//   LocalRandomizer law{LocalKind::Exp, /*parameter=*/1.0};
//   std::vector<double> counts = estimates(law, 1000, {412, 301, 287});      // unbiased; they sum to n
//   double error = std::sqrt(covariance(law, 1000, counts, 0, 0));           // of the first
//
// Local privacy (Rogers, chapter 8): every person sends a report that is private by itself, so nobody need be trusted with values, and no
// ledger keeps a budget. With k categories and x_i the category of person i:
//
//   exp       M_EXP (Algorithm 17): x_i with probability e^eps/(e^eps + k - 1), every other one with 1/(e^eps + k - 1)
//   flip      M_FC (Algorithm 20): k bits, 1 at x_i, each flipped with probability 1/(e^(eps/2) + 1)
//   gaussian  1 at x_i and 0 elsewhere, plus Gaussian noise on every coordinate (8.2.1)
//   laplace   the same with Laplace noise (8.2.2)
//
// The randomness is that of the reports alone: the true counts c are fixed, as everywhere in a release file.
// Theorem  exp: H_j = c_j p + (n - c_j) q on average, q = p e^-eps; (H_j - n q)/(p - q) is unbiased. Reports are independent, so that
//          Var H_j = c_j p (1-p) + (n-c_j) q (1-q) and Cov(H_i, H_j) = -(c_i + c_j) p q - (n - c_i - c_j) q^2.
//          flip: n (mean - f)/(1 - 2 f) is unbiased with variance n f (1-f)/(1-2f)^2, whatever c is, and coordinates are independent.
//          gaussian, laplace: n mean, with n times the variance of one report. Each covariance is linear in c, so that with unbiased
//          estimates in place of c it is unbiased itself; it is never negative there.
// Domain   2 to 10^6 categories; 10^-9 <= epsilon <= 100; scales 10^-100 to 10^100; n at most 2^53.
// Error    relative 10^-12 (estimates: of their standard error); gaussian and laplace leave out the rounding to the grid, 10^-7.
// Cost     linear in the categories; covariance: constant.
// Checked  tests/mechanisms/local_randomizer_test.cc: exact sums over all reports, simulation of the randomizers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "tacet/base/enum_names.h"
#include "tacet/base/result.h"
#include "tacet/kernel/release.h"
#include "tacet/privacy/currency.h"

namespace tacet::mechanisms {

enum class LocalKind : std::uint8_t { Exp, Flip, Gaussian, Laplace };
constexpr auto names_of(LocalKind) {
  return std::to_array<Named<LocalKind>>(
      {{LocalKind::Exp, "exp"}, {LocalKind::Flip, "flip"}, {LocalKind::Gaussian, "gaussian"}, {LocalKind::Laplace, "laplace"}});
}

struct LocalRandomizer {
  LocalKind kind;
  double parameter;  // exp and flip: epsilon; gaussian and laplace: the scale of the noise in one report
};

inline constexpr std::size_t kMostCategories = 1'000'000;
inline constexpr double kLeastLocalEpsilon = 1e-9;
inline constexpr double kLargestLocalEpsilon = 100;

/// InvalidArgument unless the parameter is in its domain.
Status check_distribution(const LocalRandomizer& law);
Status check_categories(std::size_t categories);

/// One report is a vector with a single 1, whose neighbours are at distance sqrt 2 (L2) and 2 (L1).
kernel::Sensitivity local_sensitivity();
/// The noise of one report.
Result<kernel::NoisePlan> plan_local_noise(kernel::NoiseFamily family, const privacy::Loss& loss);

/// exp: of the true category, and of any other one. flip: of a bit that stays, and of one that is flipped.
struct Chances {
  double stays, other;
};
Chances chances(const LocalRandomizer& law, std::size_t categories);

/// `reports`: how often each category was reported (exp), or the mean of each coordinate. InvalidArgument where no n reports give that.
Status check_reports(const LocalRandomizer& law, double n, const std::vector<double>& reports);
std::vector<double> estimates(const LocalRandomizer& law, double n, const std::vector<double>& reports);

/// Of the estimates i and j, given the true counts; with estimates in place of these, its unbiased estimate.
double covariance(const LocalRandomizer& law, double n, const std::vector<double>& counts, std::size_t i, std::size_t j);

}  // namespace tacet::mechanisms
