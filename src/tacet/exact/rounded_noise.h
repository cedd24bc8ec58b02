// tacet/exact/rounded_noise.h: Gaussian and Laplace noise, rounded correctly to integers.
//
// Draws round(scale * Z), where Z has distribution function F: exactly standard Gaussian, or
// Laplace with density exp(-|z|)/2.
//   P[k] = F((k + 1/2)/scale) - F((k - 1/2)/scale)      for every integer k.
//
//   RoundedNoise noise = *RoundedNoise::gaussian(1024.0);
//   Int128 z = noise.draw(bits);
//
// The scale enters as an exact integer times a power of two; no floating-point number is formed.
// Domain   any double scale with 0 < scale <= 2^60.
// Error    none: the distribution is exact. Proof: docs/explanation/exact_noise.md.
// Cost     about two words and 35 ns per draw (bench/noise_bench.cc).
// Timing   varies with the draw; not safe to be timed (docs/explanation/threats.md#timing).
// Checked  tests/exact/rounded_noise_test.cc: formula, MPFR, Karney's sampler, scripts, faults.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "tacet/base/result.h"
#include "tacet/base/wide.h"
#include "tacet/exact/random_bits.h"

namespace tacet::exact {

/// scale = significand * 2^exponent, as every double is.
struct Dyadic {
  std::uint64_t significand = 0;
  int exponent = 0;
};

class StripTable;

class RoundedNoise {
 public:
  static Result<RoundedNoise> gaussian(double scale);
  static Result<RoundedNoise> laplace(double scale);
  Int128 draw(RandomBits& bits) const;

 private:
  RoundedNoise(Dyadic unit, const StripTable& table) : unit_(unit), table_(&table) {}
  Dyadic unit_;  // width of one strip under the curve: 5/4 scale (Gaussian), scale (Laplace)
  const StripTable* table_;
};

}  // namespace tacet::exact
