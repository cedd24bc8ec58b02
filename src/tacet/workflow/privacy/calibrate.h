// tacet/workflow/privacy/calibrate.h: the noise for a promise; never too little.
//
//   GaussianCalibration noise = *calibrate_gaussian({.l2 = 1, .loss = EpsilonDelta(1, 1e-6)});
//   noise.sigma;                        // 4.2246789: the standard deviation for every coordinate
//   BoxCalibration box = *calibrate_box({.box = {1, 4}, .loss = Mu(0.5)});
//   box.sigma;                          // one standard deviation for each coordinate
//   LaplaceCalibration laplace = *calibrate_laplace({.l1 = 2, .loss = Mu(1),
//       .rule = LaplaceMuRule::Table, .neighbours = Relation::ReplaceOne});
//   laplace.scale;                      // 1.3589054
//
// A sensitivity is the largest change of the statistic by one person. It is a decimal, and is
// rounded up to a double; the promise is an exact decimal. Nothing is charged: a release proves
// its noise. What noise of a given scale gives away: laplace_guarantee.h.
// Domain   sensitivities and weights 1e-50 to 1e50; promises as in accounting/calibration.h and
//          accounting/laplace_gdp.h. Outside: InvalidArgument.
// Error    one-sided: every scale keeps its promise; accounting/ says how much larger it may be.
// Cost     microseconds; LaplaceMuRule::Table 20 ms at mu = 1, 2 s at mu = 40.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "tacet/base/enum_names.h"
#include "tacet/base/result.h"
#include "tacet/workflow/privacy/laplace_rule.h"
#include "tacet/workflow/privacy_amount.h"

namespace tacet {

/// The method that found a scale of Gaussian noise.
enum class GaussianRule : std::uint8_t { LeastDouble, PrivacyCurve, GivenWeights, LeastVariance };
constexpr auto names_of(GaussianRule) {
  return std::to_array<Named<GaussianRule>>(
      {{GaussianRule::LeastDouble, "least double, decided in rational arithmetic"},
       {GaussianRule::PrivacyCurve, "exact privacy curve, certified, at most 1e-12 above the optimum"},
       {GaussianRule::GivenWeights, "elliptical, weights as given"},
       {GaussianRule::LeastVariance, "elliptical, least total variance"}});
}
/// The theorem that a rule rests on.
std::string_view theorem_of(GaussianRule rule);

/// The sensitivity, and the privacy to keep.
struct GaussianCalibrationRequest {
  Digits l2;           // the L2 sensitivity
  PrivacyAmount loss;  // Gaussian noise is never pure: InvalidArgument for an epsilon alone
};
/// The standard deviation of the noise, and what it gives away.
struct GaussianCalibration {
  double sigma;
  double mu, rho;  // the loss of this sigma, rounded up
  double l2;       // the sensitivity, rounded up
  GaussianRule rule;
  /// For comparison, where epsilon < 1: l2 sqrt(2 log(1.25/delta))/epsilon (Dwork & Roth 2014,
  /// Theorem A.1; Aggregation, Theorem 3).
  std::optional<double> classical_sigma;
};
/// The least Gaussian noise that keeps this privacy.
Result<GaussianCalibration> calibrate_gaussian(const GaussianCalibrationRequest& request);

/// How far one person moves each coordinate, and the privacy to keep.
struct BoxCalibrationRequest {
  std::vector<Digits> box;  // the largest change of each coordinate by one person
  PrivacyAmount loss;       // Unsupported for an epsilon alone
  /// Parts of the budget, squared; nothing: those with the least total variance.
  std::optional<std::vector<Digits>> weights = {};
};
/// The noise of each coordinate.
struct BoxCalibration {
  std::vector<double> sigma;
  double mu, rho;
  std::vector<double> box, weights;  // as used, rounded
  double total_variance;
  GaussianRule rule;
};
/// The Gaussian noise of several numbers with a bound each.
Result<BoxCalibration> calibrate_box(const BoxCalibrationRequest& request);

/// The sensitivity, and the privacy to keep.
struct LaplaceCalibrationRequest {
  Digits l1;                                      // the L1 sensitivity
  PrivacyAmount loss;                             // Epsilon or Mu
  std::optional<LaplaceMuRule> rule = {};         // only with Mu; nothing: universal
  std::optional<Relation::Kind> neighbours = {};  // check_rule (laplace_rule.h) refuses a rule
  std::optional<std::size_t> dimension = {};      // that is not for such a statistic
};
/// The scale of the noise, and the theorem behind it.
struct LaplaceCalibration {
  double scale;
  std::optional<LaplaceMuRule> rule;  // empty for a pure epsilon, which needs none
  bool proven;
  std::string_view theorem;
};
/// The least Laplace noise that keeps this privacy.
Result<LaplaceCalibration> calibrate_laplace(const LaplaceCalibrationRequest& request);

}  // namespace tacet
