// tacet/privacy/parameters.h: epsilon, delta, rho and mu as people write them, and their losses.
//
//   Loss loss = gaussian_loss_from_rho(*Rho::parse("0.125"));
//   Budget budget = budget_of(*Epsilon::parse("1"), *Delta::parse("1e-6"));
//   Filter filter = *basic_filter(*Epsilon::parse("1"), *Delta::parse("0"));
// No release rests on these types: the ledger checks every loss and every budget (currency.h).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <utility>

#include "tacet/base/decimal.h"
#include "tacet/base/result.h"
#include "tacet/privacy/currency.h"
#include "tacet/privacy/filter.h"

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

Loss pure_loss(const Epsilon& epsilon);
Loss approximate_loss(const Epsilon& epsilon, const Delta& delta);
Loss gaussian_loss_from_rho(const Rho& rho);
Loss gaussian_loss_from_mu(const Mu& mu);

/// True if both parts of `charge` fit into `room`.
bool fits(const Amount& charge, const Amount& room);

Budget budget_of(const Epsilon& epsilon);
Budget budget_of(const Epsilon& epsilon, const Delta& delta);
Budget budget_of(const Rho& rho);
Budget budget_of(const Mu& mu);

/// Filter::of for each rule.
Result<Filter> basic_filter(const Epsilon& epsilon, const Delta& delta);
Result<Filter> rogers_filter(const Epsilon& epsilon, const Delta& delta);
Result<Filter> whitehouse_filter(const Epsilon& epsilon, const Delta& delta, const Delta& slack);
Filter zcdp_filter(const Rho& rho);
Filter gdp_filter(const Mu& mu);

}  // namespace tacet::privacy
