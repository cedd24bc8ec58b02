// tacet/accounting/max_information.h: p-values of tests that were chosen after a look at the data.
//
// A test is selected by what mechanisms told about the n rows on which it is then run. If all they
// told has a beta-approximate max-information of m bits, a test at the threshold (alpha - beta)/2^m
// rejects a true null hypothesis with probability at most alpha.
//
//   Selection looked{.n = 1000, .steps = {PureStep{0.05}}};
//   CorrectedLevel level = *corrected_level(looked, /*alpha=*/0.05);
//   level.threshold;                        // 0.00265...: reject below it
//   corrected_p_value(looked, 1e-4);        // to compare with alpha, beside the p-value 1e-4
//
// Theorem  docs/explanation/adaptive_analysis.md states and proves these bounds; n rows, in nats:
//          pure_any            epsilon n, for any rows (Rogers 1.5.2)
//          pure_product        n epsilon^2/8 + epsilon sqrt(n log(1/beta)/2), independent rows
//          approximate         Rogers 4.2.1 with explicit constants; independent rows,
//                              epsilon <= 1/2
//          mutual_information  (t + 0.54)/beta bits, t = n rho/log 2 (Rogers 3.4.4, 4.6.1), and
//                              for mu-GDP n (mu^2/4 + mu^3/(6 sqrt(2 pi)))/log 2; independent
//                              rows. `sharper` then has no beta: the largest threshold gamma whose
//                              binary relative entropy d(alpha, gamma) is at least t log 2
//          description         B + log2(1/beta) bits, for any rows (Rogers 1.5.1)
//          composition         1.4.2: bits and betas add up in a valid order
//          Mechanisms at the beginning are composed as privacy first: epsilon, delta, rho and mu^2
//          add up; beside others mu counts as rho = mu^2/2. After a description only pure losses
//          and descriptions are allowed: what was told makes rows dependent, and Rogers 4.4.1 has a
//          case where such an order gives all rows away. That order is refused.
// Domain   1 <= n <= 10^15; epsilon, rho, mu^2 10^-100 to 10^6, 0 < delta < 1, 0 < B <= 10^6.
// Error    relative 10^-9 of the logarithm of the threshold.
// Cost     below 10 ms; 0.5 s for (epsilon, delta) with a tiny epsilon, which counts as a larger
//          one, and for descriptions after an (epsilon, delta) mechanism.
// Checked  tests/accounting/max_information_test.cc: tests/data_reference/max_information.csv.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "tacet/base/enum_names.h"
#include "tacet/base/result.h"

namespace tacet::accounting {

/// A mechanism that told something about the rows before the test was chosen.
struct PureStep {
  double epsilon;
};
struct ApproximateStep {
  double epsilon, delta;
};
struct ConcentratedStep {
  double rho;
};
struct GaussianStep {
  double mu;  // the whole is mu-GDP: Gaussian noise, and whatever is charged in mu
};
struct DescribedStep {
  double bits;  // one of 2^bits possible outputs
};
using SelectionStep = std::variant<PureStep, ApproximateStep, ConcentratedStep, GaussianStep, DescribedStep>;

enum class RowsAre : std::uint8_t { Independent, Any };
constexpr auto names_of(RowsAre) { return std::to_array<Named<RowsAre>>({{RowsAre::Independent, "independent"}, {RowsAre::Any, "any"}}); }

/// All that was told, in the order in which it was told.
struct Selection {
  double n;
  std::vector<SelectionStep> steps;
  RowsAre rows = RowsAre::Independent;
};

enum class InformationRule : std::uint8_t { PureAny, PureProduct, Approximate, MutualInformation, Description, Composition };
constexpr auto names_of(InformationRule) {
  using enum InformationRule;
  return std::to_array<Named<InformationRule>>({{PureAny, "pure_any"},
                                                {PureProduct, "pure_product"},
                                                {Approximate, "approximate"},
                                                {MutualInformation, "mutual_information"},
                                                {Description, "description"},
                                                {Composition, "composition"}});
}

/// The least proven max-information for a beta, in bits; infinite where a theorem proves none.
/// Unsupported for an order, or a kind of rows, for which no bound holds; the message says why.
struct MaxInformation {
  double bits;
  InformationRule rule;
};
Result<MaxInformation> max_information(const Selection& selection, double beta);

/// A threshold with what it follows from. It is 0 where no theorem leaves anything.
struct CorrectedLevel {
  double threshold;
  double max_information;  // bits, at beta
  double beta;
  InformationRule rule;
  /// A larger threshold that is also valid, where one is known: descriptions by the union bound,
  /// alpha/2^B; mutual information by binary relative entropy.
  std::optional<double> sharper;
};
/// The largest threshold over beta. 10^-9 <= alpha <= 0.5.
Result<CorrectedLevel> corrected_level(const Selection& selection, double alpha);

/// The least alpha whose threshold, the sharper one if there is one, is at least p, at most 1: a
/// p-value that is valid although the test was selected.
Result<double> corrected_p_value(const Selection& selection, double p);

}  // namespace tacet::accounting
