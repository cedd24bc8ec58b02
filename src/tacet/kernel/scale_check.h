// tacet/kernel/scale_check.h: does this noise keep the loss that was paid for? Every release asks, right before it draws.
//
//   TACET_CHECK(check_scales(plan, statistic.sensitivity(), grant.loss()));
//
// Planners (mechanisms/noise_plan.h) propose scales; nothing rests on them. Here what the final scales give away is computed in exact
// rationals from the sensitivity that the sealed value carries, and compared with the loss. A scale that is too small by any amount that
// the rule can decide is refused, and so is a plan whose numbers could overflow, since a failure after noise must not depend on data.
//
// What is given away, with s the scale of a coordinate:
//   counts      Gaussian: mu^2 = l2^2/s^2 (Dong, Roth & Su 2022, Theorem 1). Laplace: epsilon = l1/s (Dwork et al. 2006). Changes are
//               integers: with l1 = 2 and l2^2 = 2 at most two counts move, by 1 each, which in mu is the rule for tables; a count that
//               moves by k gives away h(k/s) <= k^2 h(1/s) in rho, all together at most l2^2 h(1/s), and at most h(l1/s).
//   a norm      Gaussian: mu^2 = l2^2/s^2, with the least s of all coordinates.
//   a box       one stretch: Gaussian mu^2 = sum of (most_j/s_j)^2: divided by s_j, which is invertible, the change has that norm at most.
//               Laplace: epsilon = sum of most_j/s_j, and rho and mu^2 the sum of what each of these shifts gives away. Products count as kernel/outer_products.h says where that is less. A person gives
//               away the sum over the `touched` stretches that give away most.
//   a cube      epsilon = touched max_j(c_j most_j)/s (kernel/release_k_norm.h).
//   cube and products   the sum of both.
// Gaussian noise keeps mu^2 (so rho = mu^2/2: Bun & Steinke 2016, Proposition 1.6) or (epsilon, delta); the others keep epsilon, or mu and rho
// by the epsilon that implies them; Laplace noise alone keeps a LaplaceLoss. h, its convexity and all inequalities: privacy/noise_proofs.h.
//
// Error    Internal, with nothing about data. One-sided: no plan passes that gives away more than the loss.
// Cost     some microseconds for each coordinate; (epsilon, delta) 60 microseconds, Laplace tables in mu 20 ms.
// Checked  tests/kernel/scale_check_test.cc: every planner's scales pass, and a part in 10^9 less is refused.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gmpxx.h>

#include "tacet/base/result.h"
#include "tacet/kernel/release.h"
#include "tacet/kernel/release_cube_products.h"
#include "tacet/kernel/release_k_norm.h"
#include "tacet/kernel/release_numbers.h"
#include "tacet/kernel/sensitive.h"
#include "tacet/privacy/currency.h"

namespace tacet::kernel {

Status check_scales(const NoisePlan& plan, const Sensitivity& sensitivity, const privacy::Loss& loss);
Status check_scales(const NumbersPlan& plan, const BoxSensitivity& box, const privacy::Loss& loss);
Status check_scales(const NumbersPlan& plan, const NormSensitivity& norm, const privacy::Loss& loss);
Status check_scales(const CubePlan& plan, const BoxSensitivity& box, const privacy::Loss& loss);
Status check_scales(const CubeProductsPlan& plan, const BoxSensitivity& box, const privacy::Loss& loss);

/// What Laplace noise gives away in rho and in mu^2, from above: the price of a plan that suits its sensitivity, and what check_scales compares.
mpq_class laplace_rho(const NoisePlan& plan, const Sensitivity& sensitivity);
mpq_class laplace_rho(const NumbersPlan& plan, const BoxSensitivity& box);
mpq_class laplace_mu_squared(const NumbersPlan& plan, const BoxSensitivity& box);

/// Does a mechanism that is epsilon-DP keep the loss? For releases that give away a sum of such parts.
Status check_pure(const mpq_class& epsilon, const privacy::Loss& loss);

}  // namespace tacet::kernel
