// tacet/inference/local/local_independence.h: tests hypotheses with unknown parameters, such as
// independence, on local reports.
//
//   CompositeTest answer = *test_local_independence(release, {.alpha = 0.05});   // an r x c table
//   CompositeTest own = *test_local_hypothesis(release, IndependentMargins(2, 3), {.alpha = 0.05});
//
//   exp                       LocalGeneral (Rogers, Algorithm 19; the paper lacks the square): the
//                             least sum of (H_j - n q_j(theta))^2/(n q_j), H the reports,
//                             q(theta) = stays p(theta) + other (1 - p(theta)), the divisor at a
//                             first estimate (8.2.2 says maximise and means minimise).
//   flip, gaussian, laplace   the least projected distance of the unbiased estimates
//                             (minimum_chi2.h) with the noise of local_goodness_of_fit.h.
//
// Theorem  chi-square with d - 1 - s degrees of freedom for large n, s the number of parameters
//          (Rogers 8.2.8 by 7.1.4); for independence (r - 1)(c - 1). montecarlo: reports simulated
//          at the fitted probabilities. These are estimated, so its level is measured, not proven.
// Automatic: the limit if every cell expects at least 5 and the noise is not Laplace, otherwise
// montecarlo. Inconclusive if the limit was asked for and cannot be trusted, or if no nearest
// table was found.
// Domain   as null_model.h and local_goodness_of_fit.h.
// Cost     minimum_chi2.h for each draw.
// Checked  tests/inference/local_independence_test.cc: the minimum by search, level over
//          randomizers and methods, goodness of fit for s = 0.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/inference/counts/composite_hypothesis.h"
#include "tacet/inference/counts/independence.h"
#include "tacet/inference/counts/null_model.h"
#include "tacet/mechanisms/local_randomizer.h"
#include "tacet/mechanisms/local_release.h"

namespace tacet::inference {

/// The probabilities of the reports of M_EXP under a hypothesis.
class ReportedModel final : public NullModel {
 public:
  /// `model` must outlive it.
  ReportedModel(const NullModel& model, const mechanisms::LocalRandomizer& randomizer) : model_(model), randomizer_(randomizer) {}

  std::size_t cells() const override { return model_.cells(); }
  std::size_t parameters() const override { return model_.parameters(); }
  std::vector<double> guess(std::span<const double> values) const override;
  bool probabilities(std::span<const double> theta, std::span<double> p) const override;
  void jacobian(std::span<const double> theta, std::span<const double> p, std::span<double> out) const override;
  std::unique_ptr<ModelDerivative> derivative() const override;

 private:
  const NullModel& model_;
  mechanisms::LocalRandomizer randomizer_;
};

/// The statistic is projected, for exp also called classical; bootstrap is montecarlo.
Result<CompositeTest> test_local_hypothesis(const mechanisms::LocalRelease& release, const NullModel& model, const GofOptions& options);
Result<CompositeTest> test_local_independence(const mechanisms::LocalRelease& release, const GofOptions& options);

/// The statistic of collections of n reports of people who follow `probabilities`.
std::vector<double> simulate_local_independence(TableShape shape, const mechanisms::LocalRandomizer& randomizer, double n,
                                                const std::vector<double>& probabilities, const Simulation& simulation);
/// The power of a test at level alpha against `alternative`, for large n: noncentral chi-square, by
/// the statistic of the expected reports.
Result<double> local_independence_power(TableShape shape, const std::vector<double>& alternative, double n,
                                        const mechanisms::LocalRandomizer& randomizer, double alpha);

}  // namespace tacet::inference
