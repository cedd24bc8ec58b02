// tacet/accounting/losses.h: a list of privacy losses, the input of the composition theorems.
//
//   LossTerm laplace = *LossTerm::of(*Epsilon::parse("0.1"), *Delta::parse("0"), 30);  // 30 times
//   LossList losses = *LossList::of({laplace});
//
// A list keeps its parameters as exact decimals, sorts them and merges equal ones. So no result
// depends on the order of a list.
//
// Domain   1 to 10^6 terms; epsilon as in currency.h; 0 <= delta < 1; times >= 1, at most 10^9 in
//          all.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tacet/base/decimal.h"
#include "tacet/base/result.h"
#include "tacet/privacy/currency.h"
#include "tacet/privacy/parameters.h"

namespace tacet::accounting {

/// `times` mechanisms, each (epsilon, delta)-DP.
class LossTerm {
 public:
  static Result<LossTerm> of(const privacy::Epsilon& epsilon, const privacy::Delta& delta, std::uint64_t times);
  /// From doubles; each means its shortest decimal.
  static Result<LossTerm> of(double epsilon, double delta, std::uint64_t times);

  const Decimal& epsilon() const { return epsilon_; }
  const Decimal& delta() const { return delta_; }
  std::uint64_t times() const { return times_; }

 private:
  LossTerm(Decimal epsilon, Decimal delta, std::uint64_t times) : epsilon_(std::move(epsilon)), delta_(std::move(delta)), times_(times) {}
  Decimal epsilon_, delta_;
  std::uint64_t times_;
};

class LossList {
 public:
  static constexpr std::size_t kMostTerms = 1000000;
  static constexpr std::uint64_t kMostTimes = 1000000000;

  static Result<LossList> of(std::vector<LossTerm> terms);

  /// All mechanisms with one epsilon, the largest epsilon first.
  struct Group {
    Decimal epsilon;
    long double value;  // epsilon, with a relative error of at most 2^-63
    std::uint64_t times;
  };
  const std::vector<Group>& groups() const { return groups_; }
  const std::vector<LossTerm>& terms() const { return terms_; }
  std::uint64_t times() const { return times_; }

  /// Bounds on 1 - product of (1 - delta_i), the probability that at least one delta event occurs.
  /// Their relative distance is below 2^-40.
  long double struck_lower() const { return struck_lower_; }
  long double struck_upper() const { return struck_upper_; }

  /// The delta that is left for the pure parts: 1 - (1 - delta) / product of (1 - delta_i),
  /// rounded down. An error if nothing is left.
  Result<long double> delta_left(const privacy::Delta& delta) const;

 private:
  LossList() = default;
  std::vector<LossTerm> terms_;
  std::vector<Group> groups_;
  std::uint64_t times_ = 0;
  long double struck_lower_ = 0, struck_upper_ = 0, log_kept_ = 0;
};

}  // namespace tacet::accounting
