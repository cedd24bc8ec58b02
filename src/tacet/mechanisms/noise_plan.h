// tacet/mechanisms/noise_plan.h: how much noise a loss buys, for counts, sums and moments. Proposals: the kernel proves them before it draws.
//
//   NoisePlan plan = *plan_noise(NoiseFamily::Gaussian, sensitivity, loss);                // a table of counts
//   NumbersPlan plan = *plan_numbers(NoiseFamily::Gaussian, box, weights, loss);           // sums and moments
//   TACET_CHECK(kernel::check_scales(plan, box, loss));                                     // as the release will: worth it before a charge
//
// With a box, the weights of the coordinates of one stretch say how the loss is shared: coordinate j gets the part w_j^2 of mu^2 (Gaussian),
// or w_j of epsilon (Laplace). They are public and decide about accuracy alone. Where several stretches can be touched by one person, each
// gets an equal part. Where products move together (kernel/outer_products.h), noise of scale
//   s_ij = factor bounds_ij / (share of the promise),    share: w_ij/|w|_1 of epsilon (Laplace), w_ij/|w|_2 of mu (Gaussian)
// is enough: bounds_ij is m_i m_j for Laplace noise and sqrt(most_ij m_i m_j) for Gaussian noise, and the factor is that for the shares
// (Gaussian: its root for their squares).
// Laplace noise for a LaplaceLoss is that for its epsilon; mechanisms/laplace_loss.h makes such losses.
// Theorem  that of kernel/scale_check.h; the scales for (epsilon, delta), and of Laplace noise for mu, are those of accounting/.
// Domain   scales from 2^-40 to 2^60; as kernel/release.h and kernel/release_numbers.h say. Outside, and where the loss does not buy this noise:
//          an error that says why.
// Error    never too small; for counts and rho, mu or epsilon the least double that is enough, otherwise a relative 10^-12 above it at most.
// Cost     some microseconds for each coordinate; Laplace noise for a table in mu 20 ms (accounting/laplace_gdp.h).
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

/// What each figure of the first stretch counts as, in its own unit, where the loss is shared: weights that suit a goal are made of these.
/// most_j, but for products that move together less than that.
std::vector<double> charged_sizes(kernel::NoiseFamily family, const kernel::BoxSensitivity& box);

/// The largest pure epsilon, rounded down to a double, that implies what the loss promises. `noise` names the noise that asks.
/// Theorem  mu and rho: Lee et al. (2022), (12), by accounting/conversion.h.
/// Domain   losses without delta that are not of Laplace noise; Unsupported otherwise.
/// Error    one-sided, down: a relative 10^-12 at most.   Cost  below 20 microseconds.   Checked  tests/kernel/release_k_norm_test.cc
Result<double> pure_epsilon(const privacy::Loss& loss, std::string_view noise);

}  // namespace tacet::mechanisms
