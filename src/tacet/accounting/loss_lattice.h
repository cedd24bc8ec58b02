// tacet/accounting/loss_lattice.h: the laws of privacy losses, tilted and put on lattices; the parts of privacy_loss.cc.
//
// A law P of a loss x is kept tilted: p(x) = P(x) exp(theta x - log_scale), about a probability law whose middle lies where delta is
// wanted.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "tacet/accounting/privacy_loss.h"
#include "tacet/numeric/fft.h"

namespace tacet::accounting {

/// Less private than the truth, or more private.
enum class Side : std::uint8_t { Upper, Lower };

/// The logarithm of E[exp(t L)], L the loss of one term (all its `times`). Relative error 2^-50.
long double log_mgf(const PrivacyLossTerm& term, long double t);
long double log_mgf(const std::vector<PrivacyLossTerm>& terms, long double t);

/// The t in [from, to] with the least f(t), for f that falls and then rises; t is searched on a logarithmic scale.
long double least_at(const std::function<long double(long double)>& f, long double from, long double to);

/// Where a tilted law lies but for 2^-60 on either side, and the exponents of Chernoff's inequality that say so.
struct Window {
  long double low, high, toward_low, toward_high;
};
Window window_of(const std::vector<PrivacyLossTerm>& terms, long double theta);

/// One Laplace mechanism on the lattice (epsilon / m) Z, which holds the atoms at +-epsilon.
class LaplaceStep {
 public:
  LaplaceStep(long double epsilon, std::size_t m, Side side);
  long double log_mgf(long double t) const;
  /// The tilted law at -m ... m, and its log_scale.
  std::vector<double> tilted(long double theta, long double& log_scale) const;

 private:
  long double epsilon_, spacing_;
  std::ptrdiff_t m_;
  std::vector<long double> mass_;
};

/// A tilted law on the points (first + i) spacing.
struct TiltedDistribution {
  double spacing = 0;
  std::ptrdiff_t first = 0;
  std::vector<double> p;
  long double log_scale = 0;
  double error = 0;     // in the 2-norm
  double missing = 0;   // probability that is not there or in the wrong place
  double relative = 0;  // relative error of every p
  std::vector<long double> log_mgf;
};

/// All Laplace mechanisms of a term, on their own lattice, and the logarithms of E[exp(t loss)] of that law at the `probes`.
TiltedDistribution laplace_distribution(const PrivacyLossTerm& term, long double theta, Side side, const numeric::Fft& fft,
                                        const std::vector<long double>& probes = {});

/// A law rounded to the points of another lattice, taken as a circle of `size` points. A loss moves by at most spacing/2, and log_scale is
/// that of the moved law.
struct Circle {
  std::vector<double> p;
  long double log_scale = 0;
  double error = 0, missing = 0, relative = 0;
};
Circle rounded(const TiltedDistribution& law, long double theta, double spacing, std::size_t size);
Circle response_circle(const PrivacyLossTerm& term, long double theta, double spacing, std::size_t size);
Circle gaussian_circle(const PrivacyLossTerm& term, long double theta, double spacing, std::size_t size);

double two_norm(const std::vector<double>& values);

}  // namespace tacet::accounting
