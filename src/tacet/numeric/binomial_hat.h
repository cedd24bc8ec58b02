// tacet/numeric/binomial_hat.h: a proposal distribution close to the binomial, for rejection.
//
//   const double n = 1000, p = 0.3, q = 1 - p, mean = n * p, whole = std::round(mean);
//   const double variance = n * p * q, spread = hat_spread(variance), bend = (q - p) / 6;
//   double k = whole + branchless_round(bent_normal(spread, bend, z) + (mean - whole));
//   bool accepted = std::log(u) <= log_binomial(n, p, q, k)
//                                      - log_bent_normal(k - mean, spread, bend)
//                                      - kHatSlack / variance;
//
// Here z is standard normal, u uniform, and spread = sqrt(variance - 1/12). The proposal k is the
// integer nearest to mean + spread z + bend (z^2 - 1). Its distribution is close to the binomial:
// the bend corrects skewness, and 1/12 corrects the rounding.
// Source   Cornish & Fisher's first correction (skewness), Sheppard's correction (rounding).
// Theorem  Let R be the ratio of the binomial probability of k to its proposal probability. If
//          R <= exp(kHatSlack/variance), acceptance with probability R / exp(kHatSlack/variance)
//          gives exactly the binomial distribution. If also R >= exp(-kHatDepth/variance), a
//          uniform variable below 1 - (kHatSlack + kHatDepth)/variance accepts without computing
//          R.
//          Both constants were found numerically and then enlarged by a tenth: kHatSlack for every
//          count, kHatDepth for the counts that |z| <= kHatBulk can propose.
// Domain   p <= 1/2, mean >= 10 (kLeastMeanToReject), n <= 2^50.
// Error    logarithms of probabilities: 10^-11 + 10^-15 spread.
// Cost     2 ns per proposal, 20 ns per acceptance that must be computed; callers vectorise both.
// Checked  tests/numeric/binomial_hat_test.cc: both bounds for every count over a grid of n and p;
//          the logarithms against exact values.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>

#include "tacet/numeric/vector_math.h"

namespace tacet::numeric {

inline constexpr double kLeastMeanToReject = 10;
inline constexpr double kHatSlack = 0.15;
inline constexpr double kHatDepth = 1.35;
inline constexpr double kHatBulk = 2.75;

TACET_INLINE double hat_spread(double variance) { return std::sqrt(variance - 1.0 / 12); }
TACET_INLINE double bent_normal(double spread, double bend, double z) { return spread * z + bend * (z * z - 1); }

/// The sum over j >= J of He_2j(middle) square^j / (2j + 1)!, with an error of 10^-13. He_i is the
/// Hermite polynomial of degree i; `even` and `odd` are He_(2J-2) and He_(2J-1), `part` is the
/// factor of the term before. Recursion unrolls the sum, because compilers do not vectorise nested
/// loops.
inline constexpr int kSeriesTerms = 8;
template <int J>
TACET_INLINE double interval_series(double middle, double square, double even, double odd, double part) {
  if constexpr (J > kSeriesTerms) {
    return part * even;
  } else {
    const double next_even = middle * odd - (2 * J - 1) * even;
    const double next_odd = middle * next_even - 2 * J * odd;
    return part * even + interval_series<J + 1>(middle, square, next_even, next_odd, part * square * (1.0 / (2 * J * (2 * J + 1))));
  }
}

/// The logarithm of P[the integer nearest to mean + bent_normal is mean + from_mean].
TACET_INLINE double log_bent_normal(double from_mean, double spread, double bend) {
  // Solves the parabola at both ends of the unit interval around the count, without cancellation.
  const double left = from_mean + bend - 0.5;
  const double right = from_mean + bend + 0.5;
  const double root_left = std::sqrt(spread * spread + 4 * bend * left);
  const double root_right = std::sqrt(spread * spread + 4 * bend * right);
  const double width = 2 / (root_left + root_right);
  const double middle = left / (spread + root_left) + right / (spread + root_right);
  // The normal probability of the interval, by Taylor's series about its middle. In the domain,
  // middle times width is below 2.4.
  const double sum = interval_series<1>(middle, 0.25 * width * width, 1, middle, 1);
  constexpr double kHalfLogTwoPi = 0.91893853320467274178;
  return branchless_log(width * sum) - 0.5 * middle * middle - kHalfLogTwoPi;
}

/// log k! - k log k + k, by Stirling's series. Domain: k >= kLeastForStirling.
inline constexpr double kLeastForStirling = 16;
TACET_INLINE double stirling_rest(double k) {
  constexpr double kTwoPi = 6.28318530717958647693;
  const double inverse = 1 / k;
  const double square = inverse * inverse;
  return 0.5 * branchless_log(kTwoPi * k) + inverse * (1.0 / 12 - square * (1.0 / 360 - square * (1.0 / 1260 - square * (1.0 / 1680))));
}

/// The same for every integer k >= 0.
inline double factorial_rest(double k) {
  constexpr std::array<double, 16> kSmall = {0.0,
                                             1.0,
                                             1.3068528194400546,
                                             1.4959226032237258,
                                             1.6328763858683832,
                                             1.7403021806115442,
                                             1.828694396641771,
                                             1.9037903176782212,
                                             1.9690705693065629,
                                             2.0268062840554952,
                                             2.0785616431350586,
                                             2.12545984509181,
                                             2.168334698205882,
                                             2.207822206123445,
                                             2.244418568125061,
                                             2.2785183673077407};
  return k < kLeastForStirling ? kSmall[static_cast<std::size_t>(k)] : stirling_rest(k);
}

/// (1 + t) log(1 + t) - t, for t >= -1.
TACET_INLINE double entropy_rest(double t) {
  const double sum = 1 + t;
  return sum * branchless_log(sum) + (t - (sum - 1)) - t;
}

/// The logarithm of the probability of k without its factorials. It takes differences from the
/// mean first, so that no large terms cancel.
TACET_INLINE double log_binomial_entropy(double n, double p, double q, double k) {
  const double mean = n * p;
  const double rest = n * q;
  const double from_mean = k - mean;
  return -mean * entropy_rest(from_mean / mean) - rest * entropy_rest(-from_mean / rest);
}

inline double log_binomial(double n, double p, double q, double k) {
  return log_binomial_entropy(n, p, q, k) + (factorial_rest(n) - factorial_rest(k) - factorial_rest(n - k));
}

}  // namespace tacet::numeric
