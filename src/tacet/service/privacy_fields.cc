#include "tacet/service/privacy_fields.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "tacet/workflow/amount_words.h"

namespace tacet::service {
namespace {

Result<Digits> digits(const Json& request, const std::string& name) { return Codec<Digits>::read(request.at(name), name); }

/// `rule` names the possible ways.
Status read_privacy(std::optional<PrivacyAmount>& amount, const Json& request, const std::string& rule, const std::string& remedy) {
  const bool epsilon = request.contains("epsilon");
  const bool rho = request.contains("rho");
  const bool mu = request.contains("mu");
  if (int{epsilon} + int{rho} + int{mu} > 1) return Error::invalid("privacy", "given twice", rule, remedy);
  if (request.contains("delta") && !epsilon) {
    TACET_TRY(const Digits delta, digits(request, "delta"));
    return Error::invalid("delta", delta.text(), "goes with epsilon only");
  }
  if (rho) {
    TACET_TRY(const Digits value, digits(request, "rho"));
    amount = Rho{value};
  } else if (mu) {
    TACET_TRY(const Digits value, digits(request, "mu"));
    amount = Mu{value};
  } else if (epsilon) {
    TACET_TRY(const Digits value, digits(request, "epsilon"));
    amount = Epsilon{value};
    if (request.contains("delta")) {
      TACET_TRY(const Digits delta, digits(request, "delta"));
      amount = EpsilonDelta{value, delta};
    }
  }
  return {};
}

}  // namespace

RequestTable<std::optional<PrivacyAmount>> privacy_table(const std::string& what, PossibleNoise noise) {
  const bool gaussian = noise == PossibleNoise::Gaussian;
  const std::string kinds = gaussian ? "" : "; Gaussian or Laplace noise";
  return RequestTable<std::optional<PrivacyAmount>>().together(
      {{"rho", "R", fmt::format("{} in rho (zero-concentrated privacy{})", what, kinds), FieldKind::Number},
       {"mu", "M", fmt::format("{} in mu (Gaussian privacy{})", what, kinds), FieldKind::Number},
       {"epsilon", "E", what + (gaussian ? " in epsilon and delta, both given" : " in epsilon (pure privacy; Laplace noise)"),
        FieldKind::Number},
       {"delta", "D", "with epsilon: the delta of (epsilon, delta)", FieldKind::Number}},
      [](std::optional<PrivacyAmount>& amount, const Json& request) {
        return read_privacy(amount, request, "must be exactly one of epsilon (with or without delta), rho, mu", "for example: rho = 0.125");
      });
}

RequestTable<std::optional<PrivacyAmount>> privacy_table_of(std::vector<Field> fields) {
  const auto has = [&fields](const char* name) {
    return std::any_of(fields.begin(), fields.end(), [name](const Field& field) { return field.name == name; });
  };
  std::string ways;
  for (const char* way : {"epsilon", "rho", "mu"}) {
    if (!has(way)) continue;
    ways += (ways.empty() ? "" : ", ") + std::string(way);
    if (has("delta") && ways == "epsilon") ways += " (with or without delta)";
  }
  const std::string remedy = has("rho") ? "for example: rho = 0.125" : "for example: epsilon = 1";
  return RequestTable<std::optional<PrivacyAmount>>().together(
      std::move(fields),
      [rule = "must be exactly one of " + ways, remedy](std::optional<PrivacyAmount>& amount, const Json& request) -> Status {
        TACET_CHECK(read_privacy(amount, request, rule, remedy));
        if (!amount) return Error::invalid("privacy", "missing", rule, remedy);
        return {};
      });
}

std::string words(const PrivacyAmount& amount) {
  if (const auto* rho = std::get_if<Rho>(&amount)) return fmt::format("rho {}", short_amount(rho->value.text(), AmountIs::Spent));
  if (const auto* mu = std::get_if<Mu>(&amount)) return fmt::format("mu {}", mu->value.text());
  if (const auto* pure = std::get_if<Epsilon>(&amount)) return fmt::format("epsilon {}", pure->value.text());
  const auto& both = std::get<EpsilonDelta>(amount);
  return fmt::format("epsilon {} and delta {}", both.epsilon.text(), both.delta.text());
}

std::string local_promise_words(const PrivacyAmount& amount) {
  const auto* both = std::get_if<EpsilonDelta>(&amount);
  return both == nullptr ? words(amount) : fmt::format("epsilon {}, delta {}", both->epsilon.text(), both->delta.text());
}

std::string promise_words(const PrivacyAmount& amount) {
  if (const auto* rho = std::get_if<Rho>(&amount))
    return fmt::format("rho-zCDP with rho {}", short_amount(rho->value.text(), AmountIs::Spent));
  if (const auto* mu = std::get_if<Mu>(&amount)) return fmt::format("mu-GDP with mu {}", mu->value.text());
  if (const auto* pure = std::get_if<Epsilon>(&amount)) return fmt::format("(epsilon {}, delta 0)-DP", pure->value.text());
  const auto& both = std::get<EpsilonDelta>(amount);
  return fmt::format("(epsilon {}, delta {})-DP", both.epsilon.text(), both.delta.text());
}

}  // namespace tacet::service
