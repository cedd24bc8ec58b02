// tests/support/karney.h: the slow, simple, independent way to the same noise: the oracle of
// exact/rounded_noise.h.
//
// Karney's exact Gaussian and von Neumann's exact exponential, with uniform deviates whose 32-bit
// digits are drawn only when a comparison or the final rounding asks for them. No table, no
// floating point; nothing is shared with the production sampler but the law.
//
//   KarneyGaussian oracle(1024.0);
//   Int128 z = oracle.draw(bits);      // round(1024 Z)
//
// Source   Karney (2016), "Sampling exactly from the normal distribution", Algorithms N and B; von
//          Neumann (1951).
// Domain   as RoundedNoise: 0 < scale <= 2^60.     Error   none.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "tacet/base/wide.h"
#include "tacet/exact/random_bits.h"

namespace tacet::test {

class KarneyGaussian {
 public:
  explicit KarneyGaussian(double scale);
  Int128 draw(exact::RandomBits& bits) const;

 private:
  std::uint64_t significand_;
  int exponent_;
};

class VonNeumannLaplace {
 public:
  explicit VonNeumannLaplace(double scale);
  Int128 draw(exact::RandomBits& bits) const;

 private:
  std::uint64_t significand_;
  int exponent_;
};

}  // namespace tacet::test
