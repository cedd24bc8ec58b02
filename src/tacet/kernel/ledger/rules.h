// tacet/kernel/ledger/rules.h: what may enter a ledger. Checked before anything is written.
//
// Names (datasets, analysts): 1 to 200 bytes of UTF-8 without control characters, compared byte by byte.
// Statements: 1 byte to 1 MiB of UTF-8 without NUL. Other texts (schema, source, custodian): at most 16 MiB of the same.
// Amounts: 0 or between 1e-700 and 1e13, written in at most 1000 characters; the second part (delta) is 0
// outside the epsilon-delta currency.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "tacet/base/result.h"
#include "tacet/privacy/currency.h"

namespace tacet::kernel {

/// `what` is the parameter's name in the message: "dataset", "analyst".
Status check_name(std::string_view what, std::string_view name);
Status check_statement(std::string_view statement);
Status check_text(std::string_view what, std::string_view text);
Status check_amount(std::string_view what, privacy::Currency currency, const privacy::Amount& amount);
/// The parameters of a loss as they are kept: epsilon, epsilon and delta, or mu^2; of Laplace noise its epsilon.
privacy::Amount parameters_of(const privacy::Loss& loss);
/// Its parameters may be amounts, and all but delta are greater than 0: nothing is free, and nothing is paid back.
Status check_loss(const privacy::Loss& loss);
Status check_total(privacy::Currency currency, const privacy::Amount& total);

}  // namespace tacet::kernel
