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
//   Loss loss = gaussian_loss_from_rho(*Rho::parse("0.125"));
//   Amount charge = *amount_in(Currency::Gdp, loss);          // mu^2 = 0.25, exactly
// Error    none: amounts are exact decimals, and nothing is ever rounded down.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "tacet/base/decimal.h"
#include "tacet/base/enum_names.h"

namespace tacet::privacy {

/// A parameter from 1e-300 to 1e6; only parse() and of() make one.
template <class Tag>
class Positive {
 public:
  static Result<Positive> parse(std::string_view text);
  static Result<Positive> of(const Decimal& value);
  const Decimal& value() const { return value_; }

 private:
  explicit Positive(Decimal value) : value_(std::move(value)) {}
  Decimal value_;
};

struct EpsilonTag {
  static constexpr const char* kName = "epsilon";
};
struct RhoTag {
  static constexpr const char* kName = "rho";
};
struct MuTag {
  static constexpr const char* kName = "mu";
};
using Epsilon = Positive<EpsilonTag>;
using Rho = Positive<RhoTag>;
using Mu = Positive<MuTag>;

/// The probability delta of (epsilon, delta)-DP, 0 <= delta < 1.
class Delta {
 public:
  static Result<Delta> parse(std::string_view text);
  static Result<Delta> of(const Decimal& value);
  const Decimal& value() const { return value_; }

 private:
  explicit Delta(Decimal value) : value_(std::move(value)) {}
  Decimal value_;
};

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

Loss pure_loss(const Epsilon& epsilon);
Loss approximate_loss(const Epsilon& epsilon, const Delta& delta);
Loss gaussian_loss_from_rho(const Rho& rho);
Loss gaussian_loss_from_mu(const Mu& mu);
/// The epsilon of a loss without delta; otherwise empty.
std::optional<Decimal> pure_epsilon(const Loss& loss);

/// A quantity that adds up: spent, charged or allowed. `second` is delta, or 0.
struct Amount {
  Decimal first, second;
  friend Amount operator+(const Amount& a, const Amount& b) { return {a.first + b.first, a.second + b.second}; }
  friend Amount operator-(const Amount& a, const Amount& b) { return {a.first - b.first, a.second - b.second}; }
  friend bool operator==(const Amount&, const Amount&) = default;
};
/// True if both parts of `charge` fit into `room`.
bool fits(const Amount& charge, const Amount& room);

/// The cost of `loss` to a budget in `currency`; Unsupported without a proven conversion.
Result<Amount> amount_in(Currency currency, const Loss& loss);

/// A budget as its owner writes it: epsilon; epsilon and delta; rho; mu (kept as mu^2).
struct Budget {
  Currency currency;
  Amount total;
};
Budget budget_of(const Epsilon& epsilon);
Budget budget_of(const Epsilon& epsilon, const Delta& delta);
Budget budget_of(const Rho& rho);
Budget budget_of(const Mu& mu);

/// For people: "rho 0.125", "epsilon 1, delta 1e-6", "mu 0.5" ("mu^2 0.3" if the root is long).
std::string describe(Currency currency, const Amount& amount);

}  // namespace tacet::privacy
