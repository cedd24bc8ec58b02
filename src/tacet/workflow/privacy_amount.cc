#include "tacet/workflow/privacy_amount.h"

#include <fmt/format.h>

#include "tacet/accounting/calibration.h"
#include "tacet/privacy/parameters.h"

namespace tacet {
namespace {

/// What `of` makes of the amount in its own currency, once that is checked.
template <class Made, class Of>
Result<Made> of_checked(const PrivacyAmount& amount, const Of& of) {
  if (const auto* rho = std::get_if<Rho>(&amount)) {
    TACET_TRY(const privacy::Rho checked, privacy::Rho::parse(rho->value.text()));
    return of(checked);
  }
  if (const auto* mu = std::get_if<Mu>(&amount)) {
    TACET_TRY(const privacy::Mu checked, privacy::Mu::parse(mu->value.text()));
    return of(checked);
  }
  if (const auto* pure = std::get_if<Epsilon>(&amount)) {
    TACET_TRY(const privacy::Epsilon checked, privacy::Epsilon::parse(pure->value.text()));
    return of(checked);
  }
  const auto& both = std::get<EpsilonDelta>(amount);
  TACET_TRY(const privacy::Epsilon epsilon, privacy::Epsilon::parse(both.epsilon.text()));
  TACET_TRY(const privacy::Delta delta, privacy::Delta::parse(both.delta.text()));
  return of(epsilon, delta);
}

struct LossOf {
  privacy::Loss operator()(const privacy::Rho& rho) const { return privacy::gaussian_loss_from_rho(rho); }
  privacy::Loss operator()(const privacy::Mu& mu) const { return privacy::gaussian_loss_from_mu(mu); }
  privacy::Loss operator()(const privacy::Epsilon& epsilon) const { return privacy::pure_loss(epsilon); }
  privacy::Loss operator()(const privacy::Epsilon& epsilon, const privacy::Delta& delta) const {
    return delta.value().is_zero() ? privacy::pure_loss(epsilon) : privacy::approximate_loss(epsilon, delta);
  }
};

}  // namespace

std::string Digits::shortest(double value) { return fmt::format("{}", value); }

Result<privacy::Loss> loss_of(const PrivacyAmount& amount) { return of_checked<privacy::Loss>(amount, LossOf{}); }

Result<privacy::Budget> budget_of(const PrivacyAmount& amount) {
  return of_checked<privacy::Budget>(amount, [](const auto&... checked) { return privacy::budget_of(checked...); });
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

}  // namespace tacet
