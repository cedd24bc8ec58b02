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

Status check_positive(const char* name, const Decimal& value) {
  if (!value.is_positive()) return Error::invalid(name, value.to_string(), "must be a finite number greater than 0");
  if (value < kSmallest || value > kLargest) return Error::invalid(name, value.to_string(), "must lie between 1e-300 and 1e6");
  return {};
}

Status check_delta(const Decimal& delta) {
  if (delta < Decimal() || delta >= Decimal(1)) return Error::invalid("delta", delta.to_string(), "must be at least 0 and less than 1");
  if (!delta.is_zero() && delta < kSmallest) return Error::invalid("delta", delta.to_string(), "must be 0 or at least 1e-300");
  return {};
}

std::optional<Decimal> pure_epsilon(const Loss& loss) {
  if (const auto* pure = std::get_if<PureLoss>(&loss)) return pure->epsilon;
  if (const auto* laplace = std::get_if<LaplaceLoss>(&loss)) return laplace->epsilon;
  return std::nullopt;
}

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

std::string describe(Currency currency, const Amount& amount) {
  if (currency == Currency::ApproximateDp) return fmt::format("epsilon {}, delta {}", amount.first.to_string(), amount.second.to_string());
  if (currency != Currency::Gdp) return fmt::format("{} {}", name(currency), amount.first.to_string());
  const std::optional<Decimal> root = amount.first.exact_root();
  return root ? fmt::format("mu {}", root->to_string()) : fmt::format("mu^2 {}", amount.first.to_string());
}

}  // namespace tacet::privacy
