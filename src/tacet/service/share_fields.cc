#include "tacet/service/share_fields.h"

#include <optional>

#include <fmt/format.h>

#include "tacet/privacy/parameters.h"

namespace tacet::service {
namespace {

using privacy::Currency;

constexpr std::size_t kShownOfAShare = 60;

/// The form of an amount of such a budget: "RHO", "EPSILON/DELTA".
std::string form_of(Currency currency) {
  switch (currency) {
    case Currency::PureDp: return "EPSILON";
    case Currency::ApproximateDp: return "EPSILON/DELTA";
    case Currency::Zcdp: return "RHO";
    case Currency::Gdp: break;
  }
  return "MU";
}

std::string example_of(Currency currency) { return currency == Currency::ApproximateDp ? "0.5/1e-7" : "0.5"; }

/// Nothing if the form is wrong.
std::optional<PrivacyAmount> amount_of(const std::string& text, Currency currency) {
  const std::size_t slash = text.find('/');
  if ((slash != std::string::npos) != (currency == Currency::ApproximateDp)) return std::nullopt;
  switch (currency) {
    case Currency::PureDp: return Epsilon{text};
    case Currency::ApproximateDp: return EpsilonDelta{text.substr(0, slash), text.substr(slash + 1)};
    case Currency::Zcdp: return Rho{text};
    case Currency::Gdp: break;
  }
  return Mu{text};
}

struct Wrong {
  std::string name, text, form, example;

  Error error(const std::string& why = {}) const {
    return Error::invalid(name, fmt::format("\"{}\"", text.substr(0, kShownOfAShare)),
                          fmt::format("must be {}, in the terms of the budget{}", form, why),
                          fmt::format("for example: {} = {}", name, example));
  }
};

Result<PrivacyAmount> checked_amount(const std::string& text, Currency currency, const Wrong& wrong) {
  const std::optional<PrivacyAmount> amount = amount_of(text, currency);
  if (!amount) return wrong.error();
  const auto budget = budget_of(*amount);
  if (!budget) return wrong.error(fmt::format(" ({} {})", budget.error().name(), budget.error().rule()));
  return *amount;
}

}  // namespace

Result<AnalystShare> parse_share(const std::string& text, Currency currency) {
  const std::string example = example_of(currency);
  const Wrong wrong{"share", text, "NAME=" + form_of(currency), fmt::format("ada={},bob={}", example, example)};
  const std::size_t equals = text.rfind('=');
  if (equals == std::string::npos || equals == 0) return wrong.error();
  TACET_TRY(PrivacyAmount most, checked_amount(text.substr(equals + 1), currency, wrong));
  return AnalystShare{text.substr(0, equals), std::move(most)};
}

Result<PrivacyAmount> parse_others(const std::string& text, Currency currency) {
  return checked_amount(text, currency, {"others", text, form_of(currency), example_of(currency)});
}

}  // namespace tacet::service
