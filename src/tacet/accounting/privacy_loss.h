// tacet/accounting/privacy_loss.h: the law of the total privacy loss of many known mechanisms, and the delta that it means.
//
// The loss of a composition is a sum of independent losses, and delta(e) = E[(1 - exp(e - loss))_+]. Sums are taken by Fourier transforms
// of lattice laws that are proven to be less private (upper) or more private (lower) than the true ones:
//
//   Gaussian   all of them are one Gaussian, exactly; alone, the closed form is used.
//   Laplace    its loss has two atoms and a density between. On a lattice that holds both atoms, the density of a cell is shared between
//              the ends of the cell so that both neighbours keep their probabilities (upper), or put into one point (lower).
//   Response   binomial, exactly; alone, equal_responses.h is used.
//
// Laws on different lattices are rounded once each to a common one, which moves the total by at most half a cell each and is added to
// epsilon. Before transforming, all laws are tilted by exp(theta loss) (Esscher 1932) so that the middle of the tilted law lies at the
// epsilon asked for: the rounding errors of the transform, bounded in the 2-norm (numeric/fft.h), are then small relative to delta itself,
// however small it is. What lies outside the window of the transform is bounded by Chernoff's inequality and added.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "tacet/accounting/equal_responses.h"

namespace tacet::accounting {

enum class LossKind : std::uint8_t { Gaussian, Laplace, Response };

/// `times` mechanisms of a kind. The parameter is mu (sensitivity / standard deviation), or epsilon (sensitivity / scale), with a relative
/// error of at most 2^-63. Laplace noise on two coordinates that move by a and b is two terms, one for each.
struct PrivacyLossTerm {
  LossKind kind;
  long double parameter;
  std::uint64_t times;
};

/// The least delta for which the composition is (epsilon_g, delta)-DP, and the least epsilon for which it is (epsilon, delta)-DP.
/// Theorem  composition: the pair of product laws (Dong, Roth & Su 2022); shared cells: Doroshenko et al. (2022), arXiv:2207.04380; all
///          other bounds are inequalities proven next to the code.
/// Domain   at least one term; parameters between 1e-300 and 1e6, times between 1 and 10^9; epsilon_g >= 0; 1e-300 <= delta < 1.
/// Error    bounds enclose the exact value. In epsilon: one kind with one parameter 1e-7 to 1e-5 standard deviations of the loss; a
///          mixture of d parameters about d 3.5e-5. A delta of any size keeps a relative floor of about 1e-13 times. Beyond 10^7 or so of
///          total epsilon only Chernoff's bound remains (and 0 below).
/// Cost     0.1 s for one parameter, 0.1 s for each parameter of a mixture (bench/composition_bench.cc), whatever `times`.
/// Checked  tests/accounting/privacy_loss_test.cc: closed forms, quadrature, Kairouz-Oh-Viswanath, convolutions without a transform.
LongBounds composed_delta(const std::vector<PrivacyLossTerm>& terms, long double epsilon_g);
LongBounds composed_epsilon(const std::vector<PrivacyLossTerm>& terms, long double delta);

/// The closed form for one Gaussian: Phi(mu/2 - e/mu) - exp(e) Phi(-mu/2 - e/mu), enclosed.
LongBounds gaussian_loss_delta(long double mu, long double epsilon_g);

}  // namespace tacet::accounting
