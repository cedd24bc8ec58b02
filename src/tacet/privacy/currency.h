// tacet/privacy/currency.h: privacy losses in exact decimals, and their cost to a budget.
//
// Four currencies, each with a quantity that adds up over releases:
//   currency                 written         adds up               composition
//   pure epsilon             epsilon         epsilon               Dwork et al. 2006, basic
//   (epsilon, delta)         epsilon, delta  epsilon, delta apart  Dwork et al. 2006, basic
//   rho (zero-concentrated)  rho             rho                   Bun & Steinke 2016, Lemma 1.7
//   mu (Gaussian)            mu              mu^2                  Dong, Roth & Su 2022, Cor. 2
//
// A Loss belongs to one release. The Gaussian mechanism is exactly mu-GDP and exactly mu^2/2-zCDP,
// so its loss can be charged to a rho or mu budget; a pure loss to an epsilon or (epsilon, delta)
// budget. Laplace noise is pure, and loses less rho and mu than its epsilon implies.
//   Loss loss = GaussianLoss{*Decimal::parse("0.25")};        // mu = 0.5, which is rho = 0.125
//   Amount charge = *amount_in(Currency::Gdp, loss);          // mu^2 = 0.25, exactly
// Error    none: amounts are exact decimals, and nothing is ever rounded down.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "tacet/base/decimal.h"
#include "tacet/base/enum_names.h"

namespace tacet::privacy {

/// Refused unless `value`, a parameter `name` other than delta, lies between 1e-300 and 1e6.
Status check_positive(const char* name, const Decimal& value);
/// Refused unless 0 <= delta < 1; 1e-300 is the least but 0.
Status check_delta(const Decimal& delta);

enum class Currency : std::uint8_t { PureDp, ApproximateDp, Zcdp, Gdp };
constexpr auto names_of(Currency) {
  return std::to_array<Named<Currency>>(
      {{Currency::PureDp, "epsilon"}, {Currency::ApproximateDp, "epsilon-delta"}, {Currency::Zcdp, "rho"}, {Currency::Gdp, "mu"}});
}

struct PureLoss {
  Decimal epsilon;
};
struct ApproximateLoss {
  Decimal epsilon, delta;
};
struct GaussianLoss {
  Decimal mu_squared;
};
/// Three promises, proven by kernel/scale_check.h. Without mu^2, epsilon implies one.
struct LaplaceLoss {
  Decimal epsilon, rho;
  std::optional<Decimal> mu_squared;
};
using Loss = std::variant<PureLoss, ApproximateLoss, GaussianLoss, LaplaceLoss>;

/// The epsilon of a loss without delta; otherwise empty.
std::optional<Decimal> pure_epsilon(const Loss& loss);

/// A quantity that adds up: spent, charged or allowed. `second` is delta, or 0.
struct Amount {
  Decimal first, second;
  friend Amount operator+(const Amount& a, const Amount& b) { return {a.first + b.first, a.second + b.second}; }
  friend Amount operator-(const Amount& a, const Amount& b) { return {a.first - b.first, a.second - b.second}; }
  friend bool operator==(const Amount&, const Amount&) = default;
};

/// The cost of `loss` to a budget in `currency`; Unsupported without a proven conversion.
Result<Amount> amount_in(Currency currency, const Loss& loss);

/// A budget as its owner writes it: epsilon; epsilon and delta; rho; mu (kept as mu^2).
struct Budget {
  Currency currency;
  Amount total;
};

/// For people: "rho 0.125", "epsilon 1, delta 1e-6", "mu 0.5" ("mu^2 0.3" if the root is long).
std::string describe(Currency currency, const Amount& amount);

}  // namespace tacet::privacy
