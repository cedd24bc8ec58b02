// tacet/mechanisms/laplace_loss.h: the loss that Laplace noise is charged as, and how much of it a promise in rho or in mu buys.
//
//   Loss loss = *laplace_loss(count_sensitivity, budget_of(*Epsilon::parse("1")), Currency::Zcdp);   // epsilon 1, rho 0.21306...
//   Loss same = *laplace_loss(count_sensitivity, budget_of(*Rho::parse("0.21306131942527")), Currency::Zcdp);
//   NoisePlan plan = *plan_noise(NoiseFamily::Laplace, count_sensitivity, loss);
//
// What noise costs follows from its scales and from the sensitivity alone, so that --epsilon, --rho and --mu for the same noise cost the
// same. A promise in rho or mu buys the largest epsilon whose price it covers. Nothing rests on this file: before noise is drawn the
// kernel proves each promise of the loss (kernel/scale_check.h).
// Error    prices are rounded up: rho by a relative 10^-13, mu by 10^-9 at most (of a table: 3 10^-10). Epsilon is rounded down to 12 digits
//          for a promise in rho and to 9 for one in mu.
// Domain   epsilon without a delta; scales as noise_plan.h says. Unsupported or InvalidArgument otherwise.
// Cost     for an epsilon one plan and its price; for rho or mu some 10 of them. A table in mu: 50 ms at mu = 1, 5 s at mu = 40.
// Checked  tests/mechanisms/laplace_loss_test.cc
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "tacet/base/result.h"
#include "tacet/kernel/sensitive.h"
#include "tacet/privacy/currency.h"

namespace tacet::mechanisms {

/// `asked` is what the release is to cost at most. The loss has a mu where that, or the budget that it is charged to, is in mu.
Result<privacy::Loss> laplace_loss(const kernel::Sensitivity& sensitivity, const privacy::Budget& asked, privacy::Currency budget);
/// `weights` as plan_numbers takes them.
Result<privacy::Loss> laplace_loss(const kernel::BoxSensitivity& box, const std::vector<double>& weights, const privacy::Budget& asked,
                                   privacy::Currency budget);

}  // namespace tacet::mechanisms
