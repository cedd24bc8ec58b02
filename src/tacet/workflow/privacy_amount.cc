#include "tacet/workflow/privacy_amount.h"

#include <fmt/format.h>

#include "tacet/accounting/calibration.h"

namespace tacet {

std::string Digits::shortest(double value) { return fmt::format("{}", value); }

Result<privacy::Loss> loss_of(const PrivacyAmount& amount) {
  if (const auto* rho = std::get_if<Rho>(&amount)) {
    TACET_TRY(const privacy::Rho checked, privacy::Rho::parse(rho->value.text()));
    return privacy::gaussian_loss_from_rho(checked);
  }
  if (const auto* mu = std::get_if<Mu>(&amount)) {
    TACET_TRY(const privacy::Mu checked, privacy::Mu::parse(mu->value.text()));
    return privacy::gaussian_loss_from_mu(checked);
  }
  if (const auto* pure = std::get_if<Epsilon>(&amount)) {
    TACET_TRY(const privacy::Epsilon checked, privacy::Epsilon::parse(pure->value.text()));
    return privacy::pure_loss(checked);
  }
  const auto& both = std::get<EpsilonDelta>(amount);
  TACET_TRY(const privacy::Epsilon epsilon, privacy::Epsilon::parse(both.epsilon.text()));
  TACET_TRY(const privacy::Delta delta, privacy::Delta::parse(both.delta.text()));
  return delta.value().is_zero() ? privacy::pure_loss(epsilon) : privacy::approximate_loss(epsilon, delta);
}

Result<privacy::Budget> budget_of(const PrivacyAmount& amount) {
  if (const auto* rho = std::get_if<Rho>(&amount)) {
    TACET_TRY(const privacy::Rho checked, privacy::Rho::parse(rho->value.text()));
    return privacy::budget_of(checked);
  }
  if (const auto* mu = std::get_if<Mu>(&amount)) {
    TACET_TRY(const privacy::Mu checked, privacy::Mu::parse(mu->value.text()));
    return privacy::budget_of(checked);
  }
  if (const auto* pure = std::get_if<Epsilon>(&amount)) {
    TACET_TRY(const privacy::Epsilon checked, privacy::Epsilon::parse(pure->value.text()));
    return privacy::budget_of(checked);
  }
  const auto& both = std::get<EpsilonDelta>(amount);
  TACET_TRY(const privacy::Epsilon epsilon, privacy::Epsilon::parse(both.epsilon.text()));
  TACET_TRY(const privacy::Delta delta, privacy::Delta::parse(both.delta.text()));
  return privacy::budget_of(epsilon, delta);
}

Result<privacy::Loss> as_charged(const privacy::Loss& asked, privacy::Currency budget) {
  const auto* approximate = std::get_if<privacy::ApproximateLoss>(&asked);
  if (approximate == nullptr || budget == privacy::Currency::PureDp || budget == privacy::Currency::ApproximateDp) return asked;
  return accounting::gaussian_loss_for(*approximate);
}

Result<PrivacyAmount> required_privacy(const std::optional<PrivacyAmount>& amount) {
  if (amount) return *amount;
  return Error::invalid("privacy", "missing", "must be exactly one of epsilon (with or without delta), rho, mu",
                        "for example: rho = 0.125");
}

Result<bool> is_pure(const PrivacyAmount& amount) {
  TACET_TRY(const privacy::Loss loss, loss_of(amount));
  return std::holds_alternative<privacy::PureLoss>(loss);
}

}  // namespace tacet
