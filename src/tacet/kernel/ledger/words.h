// tacet/kernel/ledger/words.h: charges and refusals in the words of the budget that they are for.
//
//   *charge_words(Currency::Zcdp, gaussian_loss_from_rho(rho))     "rho 0.125"
//   *charge_words(Currency::Zcdp, pure_loss(epsilon))              "epsilon 0.5 (rho 0.125)"
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tacet/base/result.h"
#include "tacet/privacy/currency.h"
#include "tacet/privacy/filter.h"

namespace tacet::kernel {

/// The loss in its own parameters: "epsilon 0.5, delta 0.000001"; a Gaussian one as rho in a budget in rho, and as mu elsewhere.
std::string loss_words(privacy::Currency currency, const privacy::Loss& loss);
/// What it costs in the words of the budget, after the loss itself if that is of another kind. Unsupported if it cannot be counted.
Result<std::string> charge_words(privacy::Currency currency, const privacy::Loss& loss);

/// Why `loss` does not fit into `budget` as `filter` counts it. `where`: "the budget of ...".
Error no_room(const privacy::Filter& filter, const privacy::Budget& budget, const privacy::Loss& loss, const std::string& where);

}  // namespace tacet::kernel
