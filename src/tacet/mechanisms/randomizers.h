// tacet/mechanisms/randomizers.h: a person's own machine randomises one value before anybody else
// sees it.
//
//   ExpRandomizer randomizer = *ExpRandomizer::of(3, *privacy::Epsilon::parse("1"));
//   std::size_t report = *randomizer.report(/*value=*/2, bits);   // one of 3 categories; private
//
// The guarantee is local: for any two values, a report (exp, flip, laplace) is at most e^epsilon
// times as likely for one as for the other. Gaussian reports keep rho, mu or (epsilon, delta). A
// second report of the same person costs as much again; nothing here counts reports.
// mechanisms/local_randomizer.h estimates counts from many reports.
// Theorem  exp: Rogers, Algorithm 17. A uniform category is kept if it is the true one, or with
//          probability e^-eps if it is not; otherwise another one is drawn. So the true category
//          has e^eps times the weight of any other, and the number of rounds does not depend on
//          the value.
//          flip: Rogers, Algorithm 20 and Theorem 8.2.9: the same for every bit, with eps/2. Two
//          values differ in two bits.
//          gaussian, laplace: Rogers 8.2.1 and 8.2.2, with the scale and the exact noise of
//          kernel/release.h for a table of one person.
// Domain   2 to 10^6 categories; exp and flip: 10^-9 <= epsilon <= 100 with at most 16 decimal
//          places, a fraction of two words.
// Error    none: no floating-point number is formed between bits and report. gaussian and laplace
//          then give the report as doubles, in multiples of a power of two.
// Cost     exp: k/(1 + (k-1) e^-eps) rounds of some words on average; flip: k coins; gaussian,
//          laplace: k draws.
// Timing   exp, flip: its distribution does not depend on the value; gaussian, laplace: varies
//          with the noise; see docs/explanation/threats.md.
// Checked  tests/mechanisms/randomizers_test.cc: closed forms, replayed words;
//          tests/privacy/local_audit_test.cc.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/exact/random_bits.h"
#include "tacet/kernel/release.h"
#include "tacet/privacy/currency.h"
#include "tacet/privacy/parameters.h"

namespace tacet::mechanisms {

/// exp(-numerator/denominator): the odds of a coin that exact/bernoulli_exp.h tosses.
struct CoinOdds {
  std::uint64_t numerator, denominator;
};

class ExpRandomizer {
 public:
  static Result<ExpRandomizer> of(std::size_t categories, const privacy::Epsilon& epsilon);
  /// Internal if `value` is not a category; the message does not contain it. The same holds below.
  Result<std::size_t> report(std::size_t value, exact::RandomBits& bits) const;

 private:
  ExpRandomizer(std::size_t categories, CoinOdds odds) : categories_(categories), odds_(odds) {}
  std::size_t categories_;
  CoinOdds odds_;
};

class FlipRandomizer {
 public:
  static Result<FlipRandomizer> of(std::size_t categories, const privacy::Epsilon& epsilon);
  /// As many bits, 0 or 1, as there are categories.
  Result<std::vector<std::uint8_t>> report(std::size_t value, exact::RandomBits& bits) const;

 private:
  FlipRandomizer(std::size_t categories, CoinOdds odds) : categories_(categories), odds_(odds) {}
  std::size_t categories_;
  CoinOdds odds_;
};

class NoiseRandomizer {
 public:
  static Result<NoiseRandomizer> of(std::size_t categories, kernel::NoiseFamily family, const privacy::Loss& loss);
  /// As many numbers as there are categories, multiples of 2^-plan().grid_log2.
  Result<std::vector<double>> report(std::size_t value, exact::RandomBits& bits) const;
  const kernel::NoisePlan& plan() const { return plan_; }

 private:
  NoiseRandomizer(std::size_t categories, kernel::NoisePlan plan) : categories_(categories), plan_(plan) {}
  std::size_t categories_;
  kernel::NoisePlan plan_;
};

}  // namespace tacet::mechanisms
