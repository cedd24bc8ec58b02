#include "tacet/service/privacy_fields.h"

#include <fmt/format.h>

namespace tacet::service {
namespace {

Result<Digits> digits(const Json& request, const std::string& name) { return Codec<Digits>::read(request.at(name), name); }

Status read_privacy(std::optional<PrivacyAmount>& amount, const Json& request) {
  const bool epsilon = request.contains("epsilon");
  const bool rho = request.contains("rho");
  const bool mu = request.contains("mu");
  if (int{epsilon} + int{rho} + int{mu} > 1) {
    return Error::invalid("privacy", "given twice", "must be exactly one of epsilon (with or without delta), rho, mu",
                          "for example: rho = 0.125");
  }
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

RequestTable<std::optional<PrivacyAmount>> privacy_table(const std::string& what) {
  return RequestTable<std::optional<PrivacyAmount>>().together(
      {{"rho", "R", what + " in rho (zero-concentrated privacy; Gaussian or Laplace noise)", FieldKind::Number},
       {"mu", "M", what + " in mu (Gaussian privacy; Gaussian or Laplace noise)", FieldKind::Number},
       {"epsilon", "E", what + " in epsilon (pure privacy; Laplace noise)", FieldKind::Number},
       {"delta", "D", "with epsilon: the delta of (epsilon, delta)", FieldKind::Number}},
      read_privacy);
}

std::string words(const PrivacyAmount& amount) {
  if (const auto* rho = std::get_if<Rho>(&amount)) return fmt::format("rho {}", rho->value.text());
  if (const auto* mu = std::get_if<Mu>(&amount)) return fmt::format("mu {}", mu->value.text());
  if (const auto* pure = std::get_if<Epsilon>(&amount)) return fmt::format("epsilon {}", pure->value.text());
  const auto& both = std::get<EpsilonDelta>(amount);
  return fmt::format("epsilon {} and delta {}", both.epsilon.text(), both.delta.text());
}

}  // namespace tacet::service
