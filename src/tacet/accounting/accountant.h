// tacet/accounting/accountant.h: the exact privacy of many known mechanisms together, enclosed.
//
// composition_optimal.h knows only the (epsilon, delta) of each mechanism. This class knows the
// whole distribution of Gaussian noise, Laplace noise and randomised response, which is better
// than the worst case. All parameters are fixed in advance.
//
//   Accountant accountant;
//   accountant.add_gaussian(*Mu::parse("0.005"), 4000);
//   accountant.add_laplace(*Epsilon::parse("0.01"), 3000);
//   accountant.add_response(*Epsilon::parse("0.01"), *Delta::parse("0"), 3000);
//   Bounds epsilon = *accountant.epsilon(*Delta::parse("1e-6"));        // 3.98931..., 3.98941...
//
// Report `upper`. `lower` is below the exact value: no computation can give less than that.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "tacet/accounting/composition_optimal.h"
#include "tacet/accounting/losses.h"
#include "tacet/accounting/privacy_loss.h"
#include "tacet/base/result.h"
#include "tacet/privacy/currency.h"
#include "tacet/privacy/parameters.h"

namespace tacet::accounting {

class Accountant {
 public:
  /// Gaussian noise whose standard deviation is (L2 sensitivity)/mu.
  Status add_gaussian(const privacy::Mu& mu, std::uint64_t times);
  /// Laplace noise of scale s on one number that changes by at most epsilon s. For two numbers
  /// that change by at most a s and b s, add both.
  Status add_laplace(const privacy::Epsilon& epsilon, std::uint64_t times);
  /// Randomised response, or any mechanism of which only (epsilon, delta)-DP is known.
  Status add_response(const privacy::Epsilon& epsilon, const privacy::Delta& delta, std::uint64_t times);

  /// The least epsilon for which all together are (epsilon, delta)-DP.
  /// Theorem  as composed_epsilon (privacy_loss.h); the event of delta_i has probability delta_i
  ///          (Kairouz, Oh & Viswanath 2015).
  /// Domain   at least one mechanism, at most 1000 different ones, 10^9 altogether; delta at least
  ///          1e-300 above the probability that any delta_i event occurs.
  /// Error    lower <= exact <= upper; distances as in privacy_loss.h.
  /// Cost     as composed_epsilon: below a second for 10,000 mechanisms of three kinds
  ///          (bench/composition_bench.cc).
  /// Checked  tests/accounting/accountant_test.cc.
  Result<Bounds> epsilon(const privacy::Delta& delta) const;
  /// The least delta for which all together are (epsilon, delta)-DP. Contract as above.
  Result<Bounds> delta(const privacy::Epsilon& epsilon) const;

 private:
  Status add(LossKind kind, const Decimal& parameter, std::uint64_t times);
  Status check() const;
  std::vector<PrivacyLossTerm> terms_;
  std::vector<LossTerm> responses_;
  std::uint64_t times_ = 0;
};

}  // namespace tacet::accounting
