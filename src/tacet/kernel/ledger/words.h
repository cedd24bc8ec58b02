// tacet/kernel/ledger/words.h: charges and refusals in words, in the currency of the budget.
//
//   *charge_words(Currency::Zcdp, gaussian_loss_from_rho(*Rho::parse("0.125")));  // rho 0.125
//   *charge_words(Currency::Zcdp, pure_loss(*Epsilon::parse("0.5")));   // epsilon 0.5 (rho 0.125)
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tacet/base/result.h"
#include "tacet/privacy/currency.h"
#include "tacet/privacy/filter.h"

namespace tacet::kernel {

/// The loss in its own parameters: "epsilon 0.5, delta 0.000001"; a Gaussian one in rho or mu.
std::string loss_words(privacy::Currency currency, const privacy::Loss& loss);
/// The cost in the currency of the budget, after the loss itself if that differs; or Unsupported.
Result<std::string> charge_words(privacy::Currency currency, const privacy::Loss& loss);

/// Why `loss` does not fit into `budget` by `filter`. `where`: "the budget of ...".
Error no_room(const privacy::Filter& filter, const privacy::Budget& budget, const privacy::Loss& loss, const std::string& where);

}  // namespace tacet::kernel
