// tacet/accounting/loss_lattice.h: tilted distributions of privacy losses on lattices.
//
//   const std::vector<PrivacyLossTerm> terms = {{LossKind::Laplace, 0.01L, 3000}};
//   Window window = window_of(terms, /*theta=*/20);             // holds almost all of the loss
//   const numeric::Fft fft(1 << 16);
//   TiltedDistribution total = laplace_distribution(terms[0], 20, Side::Upper, fft);
//
// These are the parts of privacy_loss.cc. A distribution P of a loss x is stored tilted:
// p(x) = P(x) exp(theta x - log_scale). This is nearly a probability distribution, with its middle
// where delta is needed.
// Derivation  docs/explanation/privacy_loss_distributions.md
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

/// Upper: at most as private as the truth. Lower: at least as private.
enum class Side : std::uint8_t { Upper, Lower };

/// log E[exp(t L)], where L is the loss of one term (all its `times`). Relative error 2^-50.
long double log_mgf(const PrivacyLossTerm& term, long double t);
long double log_mgf(const std::vector<PrivacyLossTerm>& terms, long double t);

/// The t in [from, to] with the least f(t), for f that falls and then rises; searches log t.
long double least_at(const std::function<long double(long double)>& f, long double from, long double to);

/// The interval that contains a tilted distribution except 2^-60 on either side, and the exponents
/// of Chernoff's inequality that prove it.
struct Window {
  long double low, high, toward_low, toward_high;
};
Window window_of(const std::vector<PrivacyLossTerm>& terms, long double theta);

/// One Laplace mechanism on the lattice (epsilon / m) Z, which holds the atoms at +-epsilon.
class LaplaceStep {
 public:
  LaplaceStep(long double epsilon, std::size_t m, Side side);
  long double log_mgf(long double t) const;
  /// The tilted distribution at -m ... m, and its log_scale.
  std::vector<double> tilted(long double theta, long double& log_scale) const;

 private:
  long double epsilon_, spacing_;
  std::ptrdiff_t m_;
  std::vector<long double> mass_;
};

/// A tilted distribution on the points (first + i) spacing.
struct TiltedDistribution {
  double spacing = 0;
  std::ptrdiff_t first = 0;
  std::vector<double> p;
  long double log_scale = 0;
  double error = 0;     // in the 2-norm
  double missing = 0;   // probability that is absent or in a wrong place
  double relative = 0;  // relative error of every p
  std::vector<long double> log_mgf;
};

/// All Laplace mechanisms of a term on their own lattice, with log E[exp(t loss)] at the `probes`.
TiltedDistribution laplace_distribution(const PrivacyLossTerm& term, long double theta, Side side, const numeric::Fft& fft,
                                        const std::vector<long double>& probes = {});

/// A distribution rounded to the points of another lattice, on a circle of `size` points. A loss
/// moves by at most spacing/2; log_scale is that of the moved distribution.
struct Circle {
  std::vector<double> p;
  long double log_scale = 0;
  double error = 0, missing = 0, relative = 0;
};
Circle rounded(const TiltedDistribution& distribution, long double theta, double spacing, std::size_t size);
Circle response_circle(const PrivacyLossTerm& term, long double theta, double spacing, std::size_t size);
Circle gaussian_circle(const PrivacyLossTerm& term, long double theta, double spacing, std::size_t size);

double two_norm(const std::vector<double>& values);

}  // namespace tacet::accounting
