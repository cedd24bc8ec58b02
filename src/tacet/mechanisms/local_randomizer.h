// tacet/mechanisms/local_randomizer.h: estimates of true counts from reports that people
// randomised themselves.
//
//   LocalRandomizer exp{LocalKind::Exp, /*parameter=*/1.0};
//   std::vector<double> counts = estimates(exp, 1000, {412, 301, 287});  // unbiased; sum n
//   double error = std::sqrt(covariance(exp, 1000, counts, 0, 0));       // of the first
//
// Local privacy (Rogers, chapter 8): every report is private by itself, so nobody else needs to be
// trusted with the values, and no ledger keeps a budget. There are k categories, and x_i is the
// category of person i:
//
//   exp       M_EXP (Algorithm 17): x_i with probability e^eps/(e^eps + k - 1),
//             every other category with probability 1/(e^eps + k - 1)
//   flip      M_FC (Algorithm 20): k bits, 1 at x_i, flipped with probability 1/(e^(eps/2) + 1)
//   gaussian  1 at x_i and 0 elsewhere, plus Gaussian noise on every coordinate (8.2.1)
//   laplace   the same with Laplace noise (8.2.2)
//
// Only the reports are random: the true counts are fixed, as in every release file.
// Theorem  docs/explanation/local.md has the estimates, their covariances and the derivation. A
//          covariance is linear in the true counts, so it stays unbiased with estimates in their
//          place.
// Domain   2 to 10^6 categories; 10^-9 <= epsilon <= 100; scales 10^-100 to 10^100; n at most
//          2^53.
// Error    relative 10^-12 (estimates: of their standard error); gaussian and laplace leave out
//          the rounding to the grid, 10^-7.
// Cost     linear in the categories; covariance: constant.
// Checked  tests/mechanisms/local_randomizer_test.cc: exact sums over all reports, simulation of
//          the randomizers.
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
  double parameter;  // exp and flip: epsilon; gaussian and laplace: the scale of the noise
};

inline constexpr std::size_t kMostCategories = 1'000'000;
inline constexpr double kLeastLocalEpsilon = 1e-9;
inline constexpr double kLargestLocalEpsilon = 100;

/// InvalidArgument unless the parameter is in its domain.
Status check_distribution(const LocalRandomizer& randomizer);
Status check_categories(std::size_t categories);

/// One report is a vector with a single 1. Two reports are at distance sqrt 2 (L2) and 2 (L1).
kernel::Sensitivity local_sensitivity();
/// The noise of one report.
Result<kernel::NoisePlan> plan_local_noise(kernel::NoiseFamily family, const privacy::Loss& loss);

/// exp: the probabilities of the true category and of any other. flip: of a bit that stays and of
/// one that is flipped.
struct Chances {
  double stays, other;
};
Chances chances(const LocalRandomizer& randomizer, std::size_t categories);

/// `reports`: the count of each reported category (exp), or the mean of each coordinate.
/// InvalidArgument if n reports cannot give them.
Status check_reports(const LocalRandomizer& randomizer, double n, const std::vector<double>& reports);
std::vector<double> estimates(const LocalRandomizer& randomizer, double n, const std::vector<double>& reports);

/// The covariance of the estimates i and j, given the true counts. With estimates in place of the
/// counts, an unbiased estimate of it.
double covariance(const LocalRandomizer& randomizer, double n, const std::vector<double>& counts, std::size_t i, std::size_t j);

}  // namespace tacet::mechanisms
