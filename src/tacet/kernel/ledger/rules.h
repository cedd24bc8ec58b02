// tacet/kernel/ledger/rules.h: rules for values in a ledger, checked before anything is written.
//
//   TACET_CHECK(check_name("dataset", "patients"));
// Names (datasets, analysts): 1 to 200 bytes of UTF-8 without control characters. Statements: 1
// byte to 1 MiB of UTF-8 without NUL. Other texts (schema, source, custodian): at most 16 MiB of
// the same. Parts of amounts: 0, or between 1e-700 and 1e13 in at most 1000 characters.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

#include "tacet/base/result.h"
#include "tacet/privacy/currency.h"

namespace tacet::kernel {

/// Messages name the parameter `what`: "dataset", "analyst".
Status check_name(std::string_view what, std::string_view name);
Status check_statement(std::string_view statement);
Status check_text(std::string_view what, std::string_view text, std::size_t longest = std::size_t{16} << 20);
/// One number of an amount.
Status check_part(std::string_view what, const Decimal& part);
/// All parameters but delta are greater than 0: nothing is free, and nothing is paid back.
Status check_loss(const privacy::Loss& loss);

}  // namespace tacet::kernel
