// tacet/workflow/privacy_amount.h: an amount of privacy as a person writes it, in one of four
// ways:
//
//   Rho rho(0.125);                      // zero-concentrated privacy; Gaussian or Laplace noise
//   Mu mu(0.5);                          // Gaussian privacy; Gaussian or Laplace noise
//   Epsilon epsilon("0.5");              // pure privacy; Laplace noise
//   EpsilonDelta both(1, 1e-6);          // approximate privacy; Gaussian noise
//   privacy::Loss loss = *loss_of(rho);
//
// Nothing is checked here: the call that uses the amount refuses numbers that are not positive and
// finite. A double means the shortest decimal that reads back as it, so Rho(0.1) is exactly one
// tenth.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "tacet/base/result.h"
#include "tacet/privacy/currency.h"
#include "tacet/privacy/parameters.h"

namespace tacet {

/// A decimal as it was written, kept exact.
class Digits {
 public:
  Digits(std::string text) : text_(std::move(text)) {}  // NOLINT(google-explicit-constructor)
  Digits(const char* text) : text_(text) {}             // NOLINT(google-explicit-constructor)
  template <class Number>
    requires std::integral<Number> || std::floating_point<Number>
  Digits(Number value) : text_(shortest(static_cast<double>(value))) {}  // NOLINT(google-explicit-constructor)

  const std::string& text() const { return text_; }
  bool operator==(const Digits&) const = default;

 private:
  static std::string shortest(double value);
  std::string text_;
};

/// An amount in rho: zero-concentrated differential privacy.
struct Rho {
  Digits value;
};
/// An amount in mu: Gaussian differential privacy.
struct Mu {
  Digits value;
};
/// An amount in epsilon: pure differential privacy.
struct Epsilon {
  Digits value;
};
/// An amount in epsilon and delta: approximate differential privacy.
struct EpsilonDelta {
  Digits epsilon, delta;
};
/// An amount of privacy in any of these currencies.
using PrivacyAmount = std::variant<Rho, Mu, Epsilon, EpsilonDelta>;
/// The amounts that Gaussian noise keeps exactly: rho = mu^2/2.
using GaussianAmount = std::variant<Rho, Mu>;

/// The loss of Gaussian noise with this privacy, or of pure noise. A delta of 0 is pure privacy.
Result<privacy::Loss> loss_of(const PrivacyAmount& amount);
/// The same as a budget, or as a promise of Laplace noise.
Result<privacy::Budget> budget_of(const PrivacyAmount& amount);
/// The loss of Gaussian or pure noise in a budget of that currency. Gaussian noise for (epsilon,
/// delta) is mu-GDP, which is its cost in rho or mu.
Result<privacy::Loss> as_charged(const privacy::Loss& asked, privacy::Currency budget);
/// The remedy where Gaussian noise is asked for with an epsilon alone, whatever the budget is.
inline constexpr const char* kNoiseForEpsilon =
    "use mechanism = laplace epsilon = E, which every budget pays, or mechanism = gaussian epsilon = E delta = D, which all but one in "
    "epsilon alone pay";
/// InvalidArgument if no amount was given.
Result<PrivacyAmount> required_privacy(const std::optional<PrivacyAmount>& amount);

}  // namespace tacet
