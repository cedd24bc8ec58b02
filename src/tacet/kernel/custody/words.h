// tacet/kernel/custody/words.h: charges and refusals in words, in the currency of the budget.
//
//   *charge_words(Currency::Zcdp, gaussian_loss_from_rho(*Rho::parse("0.125")));  // rho 0.125
//   *charge_words(Currency::Zcdp, pure_loss(*Epsilon::parse("0.5")));   // epsilon 0.5 (rho 0.125)
//
// No release needs them: the ledger refuses with a sentence without numbers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tacet/base/result.h"
#include "tacet/kernel/custody/custody.h"
#include "tacet/privacy/currency.h"

namespace tacet::kernel {

/// The loss in its own parameters: "epsilon 0.5, delta 0.000001"; a Gaussian one in rho or mu.
std::string loss_words(privacy::Currency currency, const privacy::Loss& loss);
/// The cost in the currency of the budget, after the loss itself if that differs; or Unsupported.
Result<std::string> charge_words(privacy::Currency currency, const privacy::Loss& loss);

/// The refusal of a loss that does not fit, with what it needs and what remains. Other errors are
/// unchanged.
Error with_amounts(const Error& refusal, const BudgetState& state, const std::string& analyst, const privacy::Loss& loss);

}  // namespace tacet::kernel
