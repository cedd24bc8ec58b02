// tacet/workflow/amount_words.h: amounts of privacy as people read them: six digits, not forty.
//
//   short_amount("0.05760156614281", AmountIs::Spent);       // "0.0576016"
//   short_amounts("epsilon 0.5 (rho 0.05760156614281)");     // "epsilon 0.5 (rho 0.0576016)"
//
// Files and JSON keep all digits. What is spent or promised is rounded up, what is available down.
//
// Domain   decimal numbers, with or without an exponent.
// Error    none: text without numbers stays.          Cost   linear in the text.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace tacet {

/// Whether an amount can still be used, or was.
enum class AmountIs { Available, Spent };

/// A number as it is written if it has at most six significant digits, otherwise rounded to six.
std::string short_amount(std::string_view number, AmountIs what);
std::string short_amount(double number, AmountIs what);
/// Every number of a text, as amounts that are spent.
std::string short_amounts(std::string_view text);

}  // namespace tacet
