// tacet/kernel/scale_check.h: proves that noise keeps the charged loss, right before it is drawn.
//
//   TACET_CHECK(check_scales(noise_plan, counts.sensitivity(), grant.loss()));
// Planners (mechanisms/noise_plan.h) propose scales and are not trusted. check_scales computes the
// loss of the final scales in exact rationals, from the sensitivity of the sealed value. It
// refuses a scale that is too small by any amount that the rule can decide. It also refuses a plan
// that could overflow, because a failure after the noise must not depend on data. What each noise
// loses and keeps: docs/explanation/noise_of_a_release.md.
// Error    Internal, without data. One-sided: no plan passes that loses more than the loss.
// Cost     some microseconds per coordinate; (epsilon, delta) 60 us; Laplace tables in mu 20 ms.
// Checked  tests/kernel/scale_check_test.cc: all planners pass; a part in 10^9 less fails.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gmpxx.h>

#include "tacet/base/result.h"
#include "tacet/kernel/release.h"
#include "tacet/kernel/release_numbers.h"
#include "tacet/kernel/sensitive.h"
#include "tacet/privacy/currency.h"

namespace tacet::kernel {

Status check_scales(const NoisePlan& plan, const Sensitivity& sensitivity, const privacy::Loss& loss);
Status check_scales(const NumbersPlan& plan, const BoxSensitivity& box, const privacy::Loss& loss);
Status check_scales(const NumbersPlan& plan, const NormSensitivity& norm, const privacy::Loss& loss);
Status check_scales(const CubePlan& plan, const BoxSensitivity& box, const privacy::Loss& loss);
Status check_scales(const CubeProductsPlan& plan, const BoxSensitivity& box, const privacy::Loss& loss);

/// Upper bounds on rho and mu^2 of Laplace noise: the price of a plan, as in check_scales.
mpq_class laplace_rho(const NoisePlan& plan, const Sensitivity& sensitivity);
mpq_class laplace_rho(const NumbersPlan& plan, const BoxSensitivity& box);
mpq_class laplace_mu_squared(const NumbersPlan& plan, const BoxSensitivity& box);

/// Does an epsilon-DP mechanism keep the loss? For releases that add up such parts.
Status check_pure(const mpq_class& epsilon, const privacy::Loss& loss);

}  // namespace tacet::kernel
