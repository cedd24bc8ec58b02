#include "tacet/mechanisms/laplace_loss.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <utility>

#include <gmpxx.h>

#include "tacet/accounting/calibration.h"
#include "tacet/accounting/laplace_gdp.h"
#include "tacet/accounting/short_decimal.h"
#include "tacet/kernel/scale_check.h"
#include "tacet/mechanisms/noise_plan.h"
#include "tacet/privacy/noise_proofs.h"
#include "tacet/privacy/parameters.h"

namespace tacet::mechanisms {
namespace {

using kernel::BoxSensitivity;
using kernel::NoiseFamily;
using kernel::Sensitivity;
using privacy::Currency;
using privacy::LaplaceLoss;

constexpr int kRhoDigits = 14;  // of a cost
constexpr int kMuDigits = 10;
constexpr int kEpsilonDigitsForRho = 12;
constexpr int kEpsilonDigitsForMu = 9;
constexpr int kMostSteps = 1000;
// The bounds of a guess; plans check narrower ones.
constexpr double kLeastGuess = 1e-300;
constexpr double kMostGuess = 1e6;

/// The cost of the noise for an epsilon, with its mu on request.
using PriceAt = std::function<Result<LaplaceLoss>(const Decimal& epsilon, bool with_mu)>;

bool is_table(const Sensitivity& sensitivity) { return sensitivity.l1 == 2 && sensitivity.l2_squared == 2; }

Result<LaplaceLoss> price_of_counts(const Sensitivity& sensitivity, const Decimal& epsilon, bool with_mu) {
  TACET_TRY(const kernel::NoisePlan plan, plan_noise(NoiseFamily::Laplace, sensitivity, privacy::PureLoss{epsilon}));
  LaplaceLoss loss{epsilon, accounting::short_decimal_up(kernel::laplace_rho(plan, sensitivity), kRhoDigits), {}};
  if (!with_mu) return loss;
  if (sensitivity.l1 == 1) {
    loss.mu_squared = accounting::short_decimal_up(privacy::laplace_mu_squared_up(1 / mpq_class(plan.scale)), kMuDigits);
    return loss;
  }
  TACET_TRY(const Decimal mu, is_table(sensitivity) ? accounting::laplace_table_mu(epsilon) : privacy::mu_of_pure_up(epsilon));
  loss.mu_squared = mu * mu;
  return loss;
}

Result<LaplaceLoss> price_of_numbers(const BoxSensitivity& box, const std::vector<double>& weights, const Decimal& epsilon, bool with_mu) {
  TACET_TRY(const kernel::NumbersPlan plan, plan_numbers(NoiseFamily::Laplace, box, weights, privacy::PureLoss{epsilon}));
  const mpq_class rho = kernel::laplace_rho(plan, box);
  // Values that no person changes cost nothing, but a ledger cannot be charged for nothing.
  if (rho <= 0) return Error::of(Code::Unsupported, "no person can change these values", "declare wider bounds");
  LaplaceLoss loss{epsilon, accounting::short_decimal_up(rho, kRhoDigits), {}};
  if (with_mu) loss.mu_squared = accounting::short_decimal_up(kernel::laplace_mu_squared(plan, box), kMuDigits);
  return loss;
}

Error no_epsilon(Currency currency, const Decimal& amount) {
  return Error::invalid(currency == Currency::Zcdp ? "rho" : "mu^2", amount.to_string().substr(0, 40),
                        "must be a size for which Laplace noise is calibrated", "ask for epsilon instead");
}

const Decimal& cost_in(Currency currency, const LaplaceLoss& loss) { return currency == Currency::Zcdp ? loss.rho : *loss.mu_squared; }

/// The epsilon that costs `amount`, by secants in logarithms: costs grow like a power of epsilon
/// between 1 and 2.
Result<double> guess_epsilon(const PriceAt& price, Currency currency, double amount, int digits) {
  const auto excess = [&](double log_epsilon) -> Result<double> {
    TACET_TRY(const Decimal epsilon, Decimal::from_shortest(std::exp(log_epsilon)));
    TACET_TRY(const LaplaceLoss loss, price(epsilon, currency == Currency::Gdp));
    return std::log(cost_in(currency, loss).approximate() / amount);
  };
  const double close = std::pow(10.0, -digits);
  constexpr int kMostRounds = 20;
  double before = std::log(amount / 4 + std::sqrt(amount));
  TACET_TRY(double excess_before, excess(before));
  double guess = before - excess_before / 1.5;
  for (int round = 0; round < kMostRounds && std::abs(guess - before) > close; ++round) {
    TACET_TRY(const double excess_now, excess(guess));
    const double slope = std::clamp((excess_now - excess_before) / (guess - before), 0.9, 2.1);
    before = std::exchange(guess, guess - excess_now / slope);
    excess_before = excess_now;
  }
  return std::exp(guess);
}

/// The loss with the largest epsilon of `digits` digits that costs at most `amount`.
Result<LaplaceLoss> largest(const PriceAt& price, Currency currency, const Decimal& amount, double guess, int digits) {
  if (!(guess >= kLeastGuess && guess <= kMostGuess)) return no_epsilon(currency, amount);
  Decimal epsilon = accounting::short_decimal_down(mpq_class(guess), digits);
  const Decimal step = accounting::short_decimal_step(mpq_class(guess), digits);
  std::optional<LaplaceLoss> fits;
  for (int steps = 0; steps < kMostSteps && epsilon.is_positive(); ++steps) {
    TACET_TRY(LaplaceLoss tried, price(epsilon, currency == Currency::Gdp));
    const bool kept = cost_in(currency, tried) <= amount;
    if (!kept && fits) return *std::move(fits);
    if (kept && !fits && steps > 0) return tried;  // on the way down
    if (kept) fits = std::move(tried);
    epsilon = kept ? epsilon + step : epsilon - step;
  }
  return no_epsilon(currency, amount);
}

Result<privacy::Loss> within(const PriceAt& price, const privacy::Budget& asked, Currency budget, const std::optional<double>& guess) {
  const bool with_mu = asked.currency == Currency::Gdp || budget == Currency::Gdp;
  const Decimal& amount = asked.total.first;
  if (!asked.total.second.is_zero())
    return Error::of(Code::Unsupported, "Laplace noise needs no delta", "give epsilon alone, or mu or rho");
  Decimal epsilon = amount;
  if (asked.currency == Currency::Zcdp || asked.currency == Currency::Gdp) {
    const int digits = asked.currency == Currency::Zcdp ? kEpsilonDigitsForRho : kEpsilonDigitsForMu;
    if (amount.approximate() <= 0) return no_epsilon(asked.currency, amount);
    double near = guess.value_or(0);
    if (!guess) {
      TACET_TRY(near, guess_epsilon(price, asked.currency, amount.approximate(), digits));
    }
    TACET_TRY(LaplaceLoss loss, largest(price, asked.currency, amount, near, digits));
    if (loss.mu_squared || !with_mu) return privacy::Loss(std::move(loss));
    epsilon = loss.epsilon;
  }
  TACET_TRY(LaplaceLoss loss, price(epsilon, with_mu));
  return privacy::Loss(std::move(loss));
}

}  // namespace

Result<privacy::Loss> laplace_loss(const Sensitivity& sensitivity, const privacy::Budget& asked, Currency budget) {
  std::optional<double> guess;
  if (is_table(sensitivity) && asked.currency == Currency::Gdp) {
    // The cost of a table in mu takes long to compute, and the inverse rule for tables gives
    // epsilon directly.
    TACET_TRY(const privacy::Mu mu, accounting::mu_down({asked.total.first}));
    if (const auto scale = accounting::laplace_scale_table(mu, Decimal(2))) guess = 2 / scale->value();
  }
  return within([&](const Decimal& epsilon, bool with_mu) { return price_of_counts(sensitivity, epsilon, with_mu); }, asked, budget, guess);
}

Result<privacy::Loss> laplace_loss(const BoxSensitivity& box, const std::vector<double>& weights, const privacy::Budget& asked,
                                   Currency budget) {
  return within([&](const Decimal& epsilon, bool with_mu) { return price_of_numbers(box, weights, epsilon, with_mu); }, asked, budget, {});
}

}  // namespace tacet::mechanisms
