// tacet/accounting/privacy_loss.h: the total privacy loss of many known mechanisms, and its delta.
//
//   const std::vector<PrivacyLossTerm> terms = {{LossKind::Gaussian, 0.005L, 4000},
//                                               {LossKind::Laplace, 0.01L, 3000}};
//   LongBounds epsilon = composed_epsilon(terms, 1e-6L);        // encloses the exact value
//
// The loss of a composition is a sum of independent losses, and
// delta(e) = E[(1 - exp(e - loss))_+]. Fourier transforms add up distributions on lattices that
// are proven to be less private (upper) or more private (lower) than the true ones:
//
//   Gaussian   all of them are one Gaussian, exactly; alone, the closed form is used.
//   Laplace    two atoms and a density. The lattice contains both atoms; the density of a cell is
//              split between its ends (upper) or moved to one point (lower).
//   Response   binomial, exactly; alone, equal_responses.h is used.
//
// Distributions on different lattices are rounded to a common one. This moves the total by at most
// half a cell each, which is added to epsilon. All are tilted by exp(theta loss) (Esscher 1932),
// so that the rounding error of the transform (numeric/fft.h) is small relative to delta.
// Chernoff's inequality bounds the mass outside the window.
// Derivation  docs/explanation/privacy_loss_distributions.md
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "tacet/accounting/equal_responses.h"

namespace tacet::accounting {

enum class LossKind : std::uint8_t { Gaussian, Laplace, Response };

/// `times` mechanisms of a kind. The parameter is mu (sensitivity / standard deviation) or epsilon
/// (sensitivity / scale), with a relative error of at most 2^-63. Laplace noise on two coordinates
/// that change by a and b is two terms.
struct PrivacyLossTerm {
  LossKind kind;
  long double parameter;
  std::uint64_t times;
};

/// The least delta for which the composition is (epsilon_g, delta)-DP, and the least epsilon for
/// which it is (epsilon, delta)-DP.
/// Theorem  composition: the pair of product distributions (Dong, Roth & Su 2022); split cells:
///          Doroshenko et al. (2022), arXiv:2207.04380; the code proves the other bounds.
/// Domain   at least one term; parameters between 1e-300 and 1e6, times between 1 and 10^9;
///          epsilon_g >= 0; 1e-300 <= delta < 1.
/// Error    bounds enclose the exact value. In epsilon: 1e-7 to 1e-5 standard deviations of the
///          loss for one kind with one parameter, about d 3.5e-5 for a mixture of d parameters.
///          The relative width of delta is at least about 1e-13 times the number of terms. Beyond
///          a total epsilon of about 10^7 the upper bound is Chernoff's and the lower bound is 0.
/// Cost     0.1 s per parameter (bench/composition_bench.cc), for any `times`.
/// Checked  tests/accounting/privacy_loss_test.cc: closed forms, quadrature, Kairouz-Oh-Viswanath,
///          convolutions without a transform.
LongBounds composed_delta(const std::vector<PrivacyLossTerm>& terms, long double epsilon_g);
LongBounds composed_epsilon(const std::vector<PrivacyLossTerm>& terms, long double delta);

/// delta at many increasing epsilons, from a few tilts for all of them.
/// Theorem  Every tilt bounds delta at every epsilon, so the best bounds of several do.
/// Domain   as above; at least one Laplace mechanism or two kinds.
/// Error    as above near the epsilons of the tilts; between them the relative width grows, the
///          absolute one hardly.
/// Cost     a second per parameter.
std::vector<LongBounds> composed_deltas(const std::vector<PrivacyLossTerm>& terms, const std::vector<long double>& epsilons);

/// The closed form for one Gaussian: Phi(mu/2 - e/mu) - exp(e) Phi(-mu/2 - e/mu), enclosed.
LongBounds gaussian_loss_delta(long double mu, long double epsilon_g);

}  // namespace tacet::accounting
