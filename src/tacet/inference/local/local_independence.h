// tacet/inference/local/local_independence.h: hypotheses with open parameters about people who randomised their own values; independence is one.
//
//   CompositeTest answer = *test_local_independence(release, {.alpha = 0.05});       // a release of kind "local" of an r x c table
//   CompositeTest own = *test_local_hypothesis(release, HardyWeinberg{}, {.alpha = 0.05});
//
//   exp                       LocalGeneral (Rogers, Algorithm 19; the square is missing in print): the least of sum of (H_j - n q_j(theta))^2/(n q_j),
//                             H the reports, q(theta) = stays p(theta) + other (1 - p(theta)), the divisor at a first estimate (8.2.2 prints
//                             maximise where it has to minimise).
//   flip, gaussian, laplace   the least projected distance of the unbiased estimates (minimum_chi2.h) with the noise that local_goodness_of_fit.h has.
//
// Theorem  chi-square with d - 1 - s degrees of freedom for large n, s the number of parameters (Rogers 8.2.8 by 7.1.4); for independence
//          (r - 1)(c - 1). montecarlo: reports drawn at the fitted probabilities; since these are estimated its level is measured, not proven.
// Automatic: the limit where every cell expects at least 5 and the noise is not Laplace, otherwise montecarlo. Inconclusive where the limit
//          was asked for and is not to be trusted, or where no nearest table was found.
// Domain   as null_model.h and local_goodness_of_fit.h.    Cost  minimum_chi2.h for each draw.
// Checked  tests/inference/local_independence_test.cc: the minimum by search, level over randomizers and methods, goodness of fit where s = 0.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/inference/counts/composite_hypothesis.h"
#include "tacet/inference/counts/null_model.h"
#include "tacet/mechanisms/local_randomizer.h"
#include "tacet/mechanisms/local_release.h"

namespace tacet::inference {

/// What M_EXP makes of a hypothesis: the probabilities of the reports.
class ReportedModel final : public NullModel {
 public:
  /// `model` must outlive it.
  ReportedModel(const NullModel& model, const mechanisms::LocalRandomizer& law) : model_(model), law_(law) {}

  std::size_t cells() const override { return model_.cells(); }
  std::size_t parameters() const override { return model_.parameters(); }
  std::vector<double> guess(std::span<const double> values) const override;
  bool probabilities(std::span<const double> theta, std::span<double> p) const override;
  void jacobian(std::span<const double> theta, std::span<const double> p, std::span<double> out) const override;

 private:
  const NullModel& model_;
  mechanisms::LocalRandomizer law_;
};

/// The statistic is projected, for exp also called classical; bootstrap is montecarlo.
Result<CompositeTest> test_local_hypothesis(const mechanisms::LocalRelease& release, const NullModel& model, const GofOptions& options);
Result<CompositeTest> test_local_independence(const mechanisms::LocalRelease& release, const GofOptions& options);

}  // namespace tacet::inference
