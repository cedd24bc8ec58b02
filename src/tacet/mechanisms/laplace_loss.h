// tacet/mechanisms/laplace_loss.h: the loss of Laplace noise, from a promise in epsilon, rho or
// mu.
//
//   const Sensitivity one{.relation = Relation::ReplaceOne, .l1 = 2, .l2_squared = 2};   // a table
//   // epsilon 1, rho 0.21306...
//   Loss loss = *laplace_loss(one, budget_of(*Epsilon::parse("1")), Currency::Zcdp);
//   Budget rho = budget_of(*Rho::parse("0.21306131942527"));
//   Loss same = *laplace_loss(one, rho, Currency::Zcdp);
//   NoisePlan plan = *plan_noise(NoiseFamily::Laplace, one, loss);
//
// The cost of noise follows from its scales and the sensitivity, so epsilon, rho and mu for the
// same noise cost the same. A promise in rho or mu buys the largest epsilon whose cost it covers.
// No guarantee depends on this file: the kernel proves each promise of the loss before it draws
// noise (kernel/scale_check.h).
// Error    costs are rounded up: rho by a relative 10^-13, mu by 10^-9 at most (of a table: 3
//          10^-10). Epsilon is rounded down to 12 digits for a promise in rho and to 9 digits for
//          one in mu.
// Domain   epsilon without a delta; scales as in noise_plan.h. Otherwise Unsupported or
//          InvalidArgument.
// Cost     for an epsilon one plan and its cost; for rho or mu about 10 of them. A table in mu: 50
//          ms at mu = 1, 5 s at mu = 40.
// Checked  tests/mechanisms/laplace_loss_test.cc
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "tacet/base/result.h"
#include "tacet/kernel/sensitive.h"
#include "tacet/privacy/currency.h"

namespace tacet::mechanisms {

/// `asked` is the most that the release may cost. The loss has a mu if `asked` or the budget is in
/// mu.
Result<privacy::Loss> laplace_loss(const kernel::Sensitivity& sensitivity, const privacy::Budget& asked, privacy::Currency budget);
/// `weights` as plan_numbers takes them.
Result<privacy::Loss> laplace_loss(const kernel::BoxSensitivity& box, const std::vector<double>& weights, const privacy::Budget& asked,
                                   privacy::Currency budget);

}  // namespace tacet::mechanisms
