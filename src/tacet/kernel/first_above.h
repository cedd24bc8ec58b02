// tacet/kernel/first_above.h: is a statistic above a noisy level? One grant pays until one is.
//
//   FirstAbove first = *FirstAbove::begin({2, /*level=*/40, /*own=*/80}, std::move(grant), bits);
//   bool above = *first.ask(std::move(counts), /*centre=*/310, /*level=*/20, bits);
// Nothing is answered after the first that is above, or a failure. Only this object has the noise
// of the level: it is drawn after the charge, and ends with it.
// Theorem  epsilon = most/level + 2 most/own, by exponential noise: docs/explanation/checks.md
// Checked  tests/kernel/first_above_test.cc
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "tacet/exact/rounded_noise.h"
#include "tacet/kernel/grant.h"
#include "tacet/kernel/sensitive.h"

namespace tacet::kernel {

class FirstAbove {
 public:
  struct Plan {
    std::int64_t most;  // one person changes a statistic by at most this
    double level, own;  // scales of the noise of all levels together, and of each statistic
  };
  static Result<FirstAbove> begin(const Plan& plan, Grant&& grant, exact::RandomBits& bits);

  /// Is |statistic - centre| and its noise above `level` and the noise of the level?
  Result<bool> ask(Sensitive<std::vector<std::int64_t>>&& statistic, std::int64_t centre, std::int64_t level, exact::RandomBits& bits);

 private:
  FirstAbove(Grant&& paid, std::int64_t most, exact::RoundedNoise own, Int128 noise)
      : paid_(std::move(paid)), most_(most), own_(own), noise_(noise) {}
  Grant paid_;
  std::int64_t most_;
  exact::RoundedNoise own_;
  Int128 noise_;  // of the level
  bool over_ = false;
};

}  // namespace tacet::kernel
