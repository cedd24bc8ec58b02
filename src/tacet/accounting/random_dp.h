// tacet/accounting/random_dp.h: random differential privacy, a weaker promise with its own type.
//
// (epsilon, delta, gamma)-random DP promises (epsilon, delta) for a random pair of neighbouring
// files, except with probability gamma: it does not protect a person who is unlike all others. So
// it is not a Loss: no ledger accepts it, and code that tries does not compile
// (tests/compile_fail/charge_random_dp.cc).
//
//   RandomDp promise = *RandomDp::of(0.5, 0.02, 1e-4);
//   const std::vector<double> eigenvalues = {0.4, 0.1};   // of the covariance of the mean
//   RandomDpNoise noise = *calibrate_mean(promise, eigenvalues, /*n=*/1000);
//
// Model: n rows are independent and normal with a known covariance, and one row is replaced by an
// independent one. f is their mean, g the mean of the k whitened coordinates, and lambda_i are the
// eigenvalues of the covariance of the mean (those of a row, divided by n). Neighbours lie in a
// privacy set except with probability gamma, and there the sensitivity is at most
//
//   whitened mean      g on ||g - g'|| <= D(g)     D(g)^2 = (2/n) r^2, r^2 the upper gamma
//                                                  quantile of chi2(k)
//   mean, that set     f on the same set           D(fg)^2 = lambda_max D(g)^2
//   mean               f on ||f - f'|| <= D(f)     D(f)^2 = (2/n) times the upper gamma quantile
//                                                  of the sum of lambda_i chi2(1)
//
// Theorem  Adjusted, section 3: Definition 3.1, equations (8) and (9), Lemma 3.2; the noise for a
//          given sensitivity by Lemma 2.3.
// Domain   epsilon, delta as in accounting/calibration.h; 10^-300 <= gamma < 1; 1 <= n <= 10^15; 1
//          to 10^6 eigenvalues from 10^-30 to 10^30. Outside: InvalidArgument.
// Error    sigma is certified for the sensitivity; the quantile is accurate to 10^-12 and enlarged
//          by 10^-11. The promise also rests on the normality of the rows.
// Cost     one quantile (numeric/weighted_chi2.h) and one calibration.
// Checked  tests/accounting/random_dp_test.cc: independent values.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "tacet/base/result.h"

namespace tacet::accounting {

class RandomDp {
 public:
  static Result<RandomDp> of(double epsilon, double delta, double gamma);
  double epsilon() const { return epsilon_; }
  double delta() const { return delta_; }
  double gamma() const { return gamma_; }

 private:
  RandomDp(double epsilon, double delta, double gamma) : epsilon_(epsilon), delta_(delta), gamma_(gamma) {}
  double epsilon_, delta_, gamma_;
};

struct RandomDpNoise {
  RandomDp promise;
  double sensitivity;  // on the privacy set
  double sigma;        // of each coordinate
};

/// M_g: the mean of k whitened coordinates, each of variance 1 in the mean. Contract above.
Result<RandomDpNoise> calibrate_whitened_mean(const RandomDp& promise, std::int64_t coordinates, std::int64_t n);
/// M_fg: the mean, on the privacy set of the whitened mean. `covariance` holds the eigenvalues of
/// the covariance of a row. Contract above.
Result<RandomDpNoise> calibrate_mean_on_whitened_set(const RandomDp& promise, std::span<const double> covariance, std::int64_t n);
/// M_f: the mean, on its own privacy set. Contract above.
Result<RandomDpNoise> calibrate_mean(const RandomDp& promise, std::span<const double> covariance, std::int64_t n);

}  // namespace tacet::accounting
