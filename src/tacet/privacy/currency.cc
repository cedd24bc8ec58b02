#include "tacet/privacy/currency.h"

#include <optional>
#include <utility>

#include <fmt/format.h>

namespace tacet::privacy {
namespace {

// Wide enough for any use; later sums and squares stay reasonable.
const Decimal kSmallest = *Decimal::parse("1e-300");
const Decimal kLargest = *Decimal::parse("1e6");
const Decimal kHalf = *Decimal::parse("0.5");

}  // namespace

template <class Tag>
Result<Positive<Tag>> Positive<Tag>::of(const Decimal& value) {
  if (!value.is_positive()) return Error::invalid(Tag::kName, value.to_string(), "must be a finite number greater than 0");
  if (value < kSmallest || value > kLargest) return Error::invalid(Tag::kName, value.to_string(), "must lie between 1e-300 and 1e6");
  return Positive(value);
}

template <class Tag>
Result<Positive<Tag>> Positive<Tag>::parse(std::string_view text) {
  auto value = Decimal::parse(text);
  if (!value) {
    return Error::invalid(Tag::kName, std::string(text.substr(0, 40)), "must be a finite decimal number greater than 0",
                          fmt::format("for example: {} = 0.5", Tag::kName));
  }
  return of(*value);
}

template class Positive<EpsilonTag>;
template class Positive<RhoTag>;
template class Positive<MuTag>;

Result<Delta> Delta::of(const Decimal& value) {
  if (value < Decimal() || value >= Decimal(1)) return Error::invalid("delta", value.to_string(), "must be at least 0 and less than 1");
  if (!value.is_zero() && value < kSmallest) return Error::invalid("delta", value.to_string(), "must be 0 or at least 1e-300");
  return Delta(value);
}

Result<Delta> Delta::parse(std::string_view text) {
  auto value = Decimal::parse(text);
  if (!value) {
    return Error::invalid("delta", std::string(text.substr(0, 40)), "must be a decimal number, at least 0 and less than 1",
                          "for example: delta = 1e-6");
  }
  return of(*value);
}

Loss pure_loss(const Epsilon& epsilon) { return PureLoss{epsilon.value()}; }
Loss approximate_loss(const Epsilon& epsilon, const Delta& delta) { return ApproximateLoss{epsilon.value(), delta.value()}; }
Loss gaussian_loss_from_rho(const Rho& rho) { return GaussianLoss{rho.value() + rho.value()}; }
Loss gaussian_loss_from_mu(const Mu& mu) { return GaussianLoss{mu.value() * mu.value()}; }

std::optional<Decimal> pure_epsilon(const Loss& loss) {
  if (const auto* pure = std::get_if<PureLoss>(&loss)) return pure->epsilon;
  if (const auto* laplace = std::get_if<LaplaceLoss>(&loss)) return laplace->epsilon;
  return std::nullopt;
}

bool fits(const Amount& charge, const Amount& room) { return charge.first <= room.first && charge.second <= room.second; }

Result<Amount> amount_in(Currency currency, const Loss& loss) {
  const auto epsilon = pure_epsilon(loss);
  const auto* approximate = std::get_if<ApproximateLoss>(&loss);
  const auto* gaussian = std::get_if<GaussianLoss>(&loss);
  const auto* laplace = std::get_if<LaplaceLoss>(&loss);
  if ((currency == Currency::PureDp || currency == Currency::ApproximateDp) && epsilon) return Amount{*epsilon, {}};
  if (currency == Currency::ApproximateDp && approximate != nullptr) return Amount{approximate->epsilon, approximate->delta};
  if (currency == Currency::Zcdp && gaussian != nullptr) return Amount{gaussian->mu_squared * kHalf, {}};
  if (currency == Currency::Zcdp && laplace != nullptr) return Amount{laplace->rho, {}};
  if (currency == Currency::Gdp && gaussian != nullptr) return Amount{gaussian->mu_squared, {}};
  if (currency == Currency::Gdp && laplace != nullptr && laplace->mu_squared) return Amount{*laplace->mu_squared, {}};
  const bool delta = currency == Currency::PureDp && approximate != nullptr;
  const char* kind = gaussian != nullptr ? "Gaussian noise, which is accounted in rho or mu"
                     : delta             ? "a delta, which such a budget does not have"
                                         : "noise that is accounted in epsilon";
  return Error::of(Code::Unsupported, fmt::format("the budget is kept in {}, but the release uses {}", name(currency), kind),
                   gaussian != nullptr ? "use mechanism = laplace with epsilon, or a budget in rho or mu"
                   : delta             ? "use mechanism = laplace with epsilon alone, or a budget in epsilon and delta"
                                       : "use mechanism = gaussian with rho or mu, or a budget in epsilon");
}

Budget budget_of(const Epsilon& epsilon) { return {Currency::PureDp, {epsilon.value(), {}}}; }
Budget budget_of(const Epsilon& epsilon, const Delta& delta) { return {Currency::ApproximateDp, {epsilon.value(), delta.value()}}; }
Budget budget_of(const Rho& rho) { return {Currency::Zcdp, {rho.value(), {}}}; }
Budget budget_of(const Mu& mu) { return {Currency::Gdp, {mu.value() * mu.value(), {}}}; }

std::string describe(Currency currency, const Amount& amount) {
  if (currency == Currency::ApproximateDp) return fmt::format("epsilon {}, delta {}", amount.first.to_string(), amount.second.to_string());
  if (currency != Currency::Gdp) return fmt::format("{} {}", name(currency), amount.first.to_string());
  const std::optional<Decimal> root = amount.first.exact_root();
  return root ? fmt::format("mu {}", root->to_string()) : fmt::format("mu^2 {}", amount.first.to_string());
}

}  // namespace tacet::privacy
