// tacet/accounting/calibration.h: the least noise that keeps a promise, never too little.
//
//   Result<GaussianScale> s = calibrate_gaussian(ForEpsilonDelta{.epsilon = 1, .delta = 1e-6},
//                                                L2{1});                  // sigma = 4.2246789...
//   Result<double> b = calibrate_laplace(*Epsilon::parse("0.5"), L1{2});    // 4, exactly
//
// A promise is given in exact decimals (privacy/currency.h) or in doubles, which are taken at
// their exact binary value. A scale is the standard deviation of Gaussian noise or the scale of
// Laplace noise, in the units of the sensitivity. With several coordinates, each with its own
// bound:
//
//   const std::vector<double> sensitivities = {1, 4}, weights = {1, 1};
//   std::vector<double> sigma(2);
//   Status status = calibrate_box(ForMu{0.5}, sensitivities, weights, sigma);
//
// Domain   epsilon, rho and mu 10^-100 to 10^6, delta 10^-300 to below 1, sensitivities and
//          weights 10^-50 to 10^50. Outside, and for NaN: InvalidArgument, with name, value and
//          rule.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "tacet/base/result.h"
#include "tacet/privacy/currency.h"
#include "tacet/privacy/parameters.h"

namespace tacet::accounting {

struct L1 {
  double value;  // a bound on the sum of absolute changes
};
struct L2 {
  double value;  // a bound on the root of the sum of squared changes
};

struct ForEpsilonDelta {
  double epsilon, delta;
};
struct ForRho {
  double rho;
};
struct ForMu {
  double mu;
};

struct GaussianScale {
  double sigma;
  double mu, rho;  // upper bounds on l2/sigma and (l2/sigma)^2/2
};

/// A sensitivity or a weight as it was written, rounded up to a double: a bound stays a bound.
/// `name` is the parameter that messages name.
/// Domain   10^-50 to 10^50. Outside: InvalidArgument.
/// Error    none: the least double that is at least the decimal.
/// Cost     a microsecond.               Checked  tests/accounting/calibration_test.cc
Result<double> bound_up(const std::string& name, std::string_view digits);

/// The least sigma, up to the stated excess, that makes Gaussian noise (epsilon, delta)-DP.
/// Theorem  Balle & Wang (2018), arXiv:1805.06530, Theorem 8 (Rogers; Adjusted, Lemma 2.3;
///          Aggregation, Theorem 4).
/// Domain   as above.
/// Error    one-sided: delta(sigma) <= delta is proven (accounting/gaussian_curve.h);
///          sigma <= (1 + 10^-12) sigma_min.
/// Cost     about 5 evaluations of the curve: 0.5 to 1 microseconds (bench/calibration_bench.cc).
///          No allocation.
/// Checked  tests/accounting/calibration_test.cc: the whole domain against MPFR, and independent
///          values.
Result<GaussianScale> calibrate_gaussian(ForEpsilonDelta target, L2 l2);
/// The same for decimals, which are rounded down to doubles first.
Result<GaussianScale> calibrate_gaussian(const privacy::Epsilon& epsilon, const privacy::Delta& delta, L2 l2);

/// The least sigma that makes Gaussian noise rho-zCDP, or mu-GDP.
/// Theorem  rho: sigma^2 >= l2^2/(2 rho), Bun & Steinke (2016), Proposition 1.6 (Rogers 2.2.2).
///          mu: sigma >= l2/mu, Dong, Roth & Su (2022), Theorem 1.
/// Domain   as above.
/// Error    none: the least double that satisfies the inequality, decided in rational arithmetic.
/// Cost     a few microseconds.          Checked  tests/accounting/calibration_test.cc
Result<GaussianScale> calibrate_gaussian(ForRho target, L2 l2);
Result<GaussianScale> calibrate_gaussian(ForMu target, L2 l2);
Result<GaussianScale> calibrate_gaussian(const privacy::Rho& rho, L2 l2);
Result<GaussianScale> calibrate_gaussian(const privacy::Mu& mu, L2 l2);

/// The least scale that makes Laplace noise epsilon-DP: l1/epsilon.
/// Theorem  Dwork, McSherry, Nissim & Smith (2006), Proposition 1 (Rogers 2.1.2).
/// Domain   as above.
/// Error    none: the least double that is at least l1/epsilon.
/// Cost     a few microseconds.          Checked  tests/accounting/calibration_test.cc
Result<double> calibrate_laplace(double epsilon, L1 l1);
Result<double> calibrate_laplace(const privacy::Epsilon& epsilon, L1 l1);

/// The largest mu, rounded down, at which Gaussian noise keeps the promise.
/// Theorem  as calibrate_gaussian; mu = sqrt(2 rho).      Domain  as above.
/// Error    one-sided: never too large; too small by a relative 10^-12 at most.
/// Cost     as calibrate_gaussian.       Checked  tests/accounting/calibration_test.cc
Result<ForMu> mu_for(ForEpsilonDelta target);
Result<ForMu> mu_for(ForRho target);
/// The same for the loss of a release. Unsupported for a pure loss: no Gaussian noise is
/// epsilon-DP.
Result<ForMu> mu_for(const privacy::Loss& loss);
/// A decimal mu whose square is at most that of the loss: its root if that has at most 17 digits,
/// else rounded down by a relative 10^-15 at most. A mu-GDP release with it costs no more than the
/// loss.
Result<privacy::Mu> mu_down(const privacy::GaussianLoss& loss);
/// Gaussian noise that keeps (epsilon, delta), as a loss in mu. A budget in rho or mu is then
/// charged no more than necessary.
/// Contract as mu_for; the decimal mu is too small by a relative 10^-12 at most.
Result<privacy::Loss> gaussian_loss_for(const privacy::ApproximateLoss& promise);

/// Elliptical noise for a box: coordinate j changes by at most sensitivities[j], and
/// sigma[j] = sensitivities[j] |weights| / (weights[j] mu). Coordinate j gets the share
/// weights[j]^2 of mu^2; least_error_weights gives the weights with the least total variance.
/// Theorem  Aggregation, Algorithm 2. The paper omits the proof: divide coordinate j by sigma[j],
///          which is invertible. The squared L2 norm of the change is then at most the sum of
///          (sensitivities[j]/sigma[j])^2 = mu^2, and Theorem 1 of Dong, Roth & Su applies.
/// Domain   as above; the three spans have the same length, at least 1.
/// Error    one-sided: the sum is proven to be at most mu^2; excess of each sigma at most (d + 20)
///          2^-53.
/// Cost     linear. No allocation.       Checked  tests/accounting/calibration_test.cc
Status calibrate_box(ForMu target, std::span<const double> sensitivities, std::span<const double> weights, std::span<double> sigma);

/// Elliptical noise for an ellipsoid: the change x satisfies sum of (weights[j] x_j)^2 <= l2^2,
/// and sigma[j] = l2/(weights[j] mu).
/// Theorem  as calibrate_box: divided by sigma, the change has an L2 norm of at most mu
///          (Aggregation, section 4, with l2 = 2 C for rows clipped at C).
/// Domain   as above; both spans have the same length, at least 1.
/// Error    one-sided: each sigma is rounded up, by at most 8 * 2^-53.
/// Cost     linear. No allocation.       Checked  tests/accounting/calibration_test.cc
Status calibrate_ellipsoid(ForMu target, L2 l2, std::span<const double> weights, std::span<double> sigma);

/// weights[j] = sqrt(sensitivities[j]): the least expected squared error of calibrate_box, (sum of
/// sensitivities / mu)^2.
/// Theorem  Aggregation, Theorem 5.      Domain  as calibrate_box.
/// Error    1 ulp; privacy does not depend on it.
/// Cost     linear. No allocation.       Checked  tests/accounting/calibration_test.cc
Status least_error_weights(std::span<const double> sensitivities, std::span<double> weights);

}  // namespace tacet::accounting
