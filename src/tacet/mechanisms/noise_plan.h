// tacet/mechanisms/noise_plan.h: the noise that a loss buys, for counts, sums and moments.
//
//   NoisePlan counts = *plan_noise(NoiseFamily::Gaussian, sensitivity, loss);
//   NumbersPlan sums = *plan_numbers(NoiseFamily::Gaussian, box, weights, loss);   // and moments
//   TACET_CHECK(kernel::check_scales(sums, box, loss));   // worthwhile before a charge
//
// A plan is a proposal: the kernel proves it before it draws.
// With a box, the weights of the coordinates of one stretch say how the loss is shared: coordinate
// j gets the part w_j^2 of mu^2 (Gaussian), or w_j of epsilon (Laplace). The weights are public
// and affect accuracy only. If one person can change several stretches, each stretch gets an equal
// part. If products change together (kernel/outer_products.h), noise of scale
//   s_ij = factor bounds_ij / (share of the promise)
// is enough. The share is w_ij/|w|_1 of epsilon (Laplace) or w_ij/|w|_2 of mu (Gaussian);
// bounds_ij is m_i m_j for Laplace noise and sqrt(most_ij m_i m_j) for Gaussian noise; the factor
// is that for the shares (Gaussian: its root for their squares).
// Laplace noise for a LaplaceLoss is that for its epsilon; mechanisms/laplace_loss.h makes such
// losses.
// Theorem  that of kernel/scale_check.h; accounting/ has the scales for (epsilon, delta), and of
//          Laplace noise for mu.
// Domain   scales from 2^-40 to 2^60; otherwise as in kernel/release.h and
//          kernel/release_numbers.h. An error says why if outside, or if the loss does not buy
//          this noise.
// Error    never too small; for counts and rho, mu or epsilon the least double that is enough,
//          otherwise a relative 10^-12 above it at most.
// Cost     some microseconds for each coordinate; Laplace noise for a table in mu 20 ms
//          (accounting/laplace_gdp.h).
// Checked  tests/mechanisms/noise_plan_test.cc, tests/kernel/scale_check_test.cc
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/kernel/release.h"
#include "tacet/kernel/release_numbers.h"
#include "tacet/kernel/sensitive.h"
#include "tacet/privacy/currency.h"

namespace tacet::mechanisms {

/// The noise that `loss` buys for this sensitivity. Reads no data.
Result<kernel::NoisePlan> plan_noise(kernel::NoiseFamily family, const kernel::Sensitivity& sensitivity, const privacy::Loss& loss);

/// `weights`: one for each coordinate of a stretch, greater than 0.
Result<kernel::NumbersPlan> plan_numbers(kernel::NoiseFamily family, const kernel::BoxSensitivity& box, const std::vector<double>& weights,
                                         const privacy::Loss& loss);
Result<kernel::NumbersPlan> plan_numbers(kernel::NoiseFamily family, const kernel::NormSensitivity& norm, std::size_t coordinates,
                                         const privacy::Loss& loss);
/// Laplace noise for a part of a pure epsilon.
Result<kernel::NumbersPlan> plan_laplace_for(const kernel::BoxSensitivity& box, const std::vector<double>& weights, double epsilon);

/// InvalidArgument for a weight that is not from 1e-50 to 1e50.
Status check_weights(const std::vector<double>& weights);

/// The sizes of the values of the first stretch, each in its own unit; moment_noise.h makes
/// weights from them. A size is most_j, or less for products that change together.
std::vector<double> charged_sizes(kernel::NoiseFamily family, const kernel::BoxSensitivity& box);

/// The largest pure epsilon, rounded down to a double, that implies the promise of the loss.
/// Errors contain the name `noise`.
/// Theorem  mu and rho: Lee et al. (2022), (12), by accounting/conversion.h.
/// Domain   losses without delta that are not of Laplace noise; Unsupported otherwise.
/// Error    one-sided, down: a relative 10^-12 at most.
/// Cost     below 20 microseconds.
/// Checked  tests/kernel/release_k_norm_test.cc
Result<double> pure_epsilon(const privacy::Loss& loss, std::string_view noise);

}  // namespace tacet::mechanisms
