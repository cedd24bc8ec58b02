// tacet/service/request.h: reading the fields of a request that call() has already checked for kind.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/privacy/currency.h"
#include "tacet/service/verb.h"

namespace tacet::service {

std::optional<std::string> text_field(const Json& request, const std::string& name);
/// The digits as they were written, or as the shortest decimal that reads back as the JSON number.
std::optional<std::string> number_field(const Json& request, const std::string& name);
/// Why something is done, in a sentence of the custodian's: not blank where it is given.
Result<std::optional<std::string>> reason_field(const Json& request, const std::string& name);
/// A JSON list, or a text: "a, b" without the blanks around its items, or '["a","b,c"]' for names with commas.
Result<std::vector<std::string>> list_field(const Json& request, const std::string& name);

/// A plain finite number, as the nearest double, for what privacy does not depend on.
Result<double> plain_number(const std::string& name, const std::string& text);
/// Every item of a field of numbers: its digits, or a plain number. A list that is given is not empty.
Result<std::vector<std::string>> digits_field(const Json& request, const std::string& name);
Result<std::vector<double>> numbers_field(const Json& request, const std::string& name);
/// The field as the nearest double, or `usual` where there is none: a level, a confidence or a power.
Result<double> level_field(const Json& request, const std::string& name, double usual);
/// A whole number between `least` and `most`.
Result<std::uint64_t> whole_number(const std::string& name, const std::string& text, std::uint64_t least, std::uint64_t most);

/// The number, or null where it is not finite.
Json finite_json(double value);

/// The loss asked for by exactly one of epsilon (with or without delta), rho or mu.
Result<privacy::Loss> loss_field(const Json& request);
/// The budget written by exactly one of epsilon (with or without delta), rho or mu.
Result<privacy::Budget> budget_field(const Json& request);

/// {"rho": "0.5"}, {"epsilon": "1", "delta": "1e-6"}, {"mu_squared": "0.25", "mu": 0.5}: exact decimals as texts.
Json amount_json(privacy::Currency currency, const privacy::Amount& amount);
/// The same for people. Of mu^2 without a short root both: "mu 0.928429 (mu^2 0.86198)", the root cut to six digits.
std::string amount_words(privacy::Currency currency, const privacy::Amount& amount);

/// The fields every verb with a loss or a budget has.
std::vector<Field> currency_fields(const std::string& what);

}  // namespace tacet::service
