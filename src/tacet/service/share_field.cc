#include "tacet/service/share_field.h"

#include <optional>

#include <fmt/format.h>

#include "tacet/service/request.h"

namespace tacet::service {
namespace {

constexpr std::size_t kShown = 60;

/// How an amount of such a budget is written: "RHO", "EPSILON/DELTA".
std::string form_of(privacy::Currency currency) {
  switch (currency) {
    case privacy::Currency::PureDp: return "EPSILON";
    case privacy::Currency::ApproximateDp: return "EPSILON/DELTA";
    case privacy::Currency::Zcdp: return "RHO";
    case privacy::Currency::Gdp: break;
  }
  return "MU";
}

std::string example_of(privacy::Currency currency) { return currency == privacy::Currency::ApproximateDp ? "0.5/1e-7" : "0.5"; }

/// The amount, or why it is none; nothing to say where its form is wrong.
Result<privacy::Amount, std::optional<Error>> amount_of(std::string amount, privacy::Currency currency) {
  Json parts = Json::object();
  if (const std::size_t slash = amount.find('/'); slash != std::string::npos) {
    parts["delta"] = amount.substr(slash + 1);
    amount.resize(slash);
  }
  if (parts.contains("delta") != (currency == privacy::Currency::ApproximateDp)) return std::optional<Error>();
  const bool epsilon = currency == privacy::Currency::PureDp || currency == privacy::Currency::ApproximateDp;
  parts[epsilon ? "epsilon" : std::string(name(currency))] = amount;
  const auto budget = budget_field(parts);
  if (!budget) return std::optional<Error>(budget.error());
  return budget->total;
}

Error wrong(const std::string& name, const std::string& text, const std::string& form, const std::optional<Error>& reason,
            const std::string& example) {
  const std::string why = reason ? fmt::format(" ({} {})", reason->name(), reason->rule()) : "";
  return Error::invalid(name, fmt::format("\"{}\"", text.substr(0, kShown)),
                        fmt::format("must be {}, in the terms of the budget{}", form, why), "for example: " + example);
}

}  // namespace

Result<kernel::Share> parse_share(const std::string& text, privacy::Currency currency) {
  const std::string form = "NAME=" + form_of(currency);
  const std::string example = fmt::format("--share ada={},bob={}", example_of(currency), example_of(currency));
  const std::size_t equals = text.rfind('=');
  if (equals == std::string::npos || equals == 0) return wrong("share", text, form, {}, example);
  const auto limit = amount_of(text.substr(equals + 1), currency);
  if (!limit) return wrong("share", text, form, limit.error(), example);
  return kernel::Share{text.substr(0, equals), *limit};
}

Result<privacy::Amount> parse_others(const std::string& text, privacy::Currency currency) {
  const auto limit = amount_of(text, currency);
  if (!limit) return wrong("others", text, form_of(currency), limit.error(), "--others " + example_of(currency));
  return *limit;
}

}  // namespace tacet::service
