// tacet/exact/k_norm.h: exact noise on integer vectors, by their largest coordinate.
//
//   P[z] is proportional to exp(-max_j |z_j| / s)      for every z in Z^d, s a positive rational.
//
//   KNormNoise noise = *KNormNoise::of(10, 1 << 20, 1);      // d = 10, s = 2^20
//   std::vector<Int128> z = noise.draw(bits);
//
// If every coordinate of an integer vector changes by at most D, every probability changes by a
// factor of at most exp(D/s). The variance of a coordinate is about (d+1)(d+2)/3 s^2; Laplace
// noise with the same guarantee has 2 d^2 s^2.
// Source   Hardt & Talwar (2010); Canonne, Kamath & Steinke (2020), arXiv:2004.00010, Algorithm 2.
// Domain   1 <= d <= 1024; 1/2 <= s <= 2^100, s >= d/32, s = numerator/denominator with numerator
//          <= 2^112, denominator < 2^64.
// Error    none: no floating-point number is formed.
// Cost     a radius is accepted with probability close to exp(-d/(2 s)). At s = 2^20: 2, 4.5, 15
//          and 110 microseconds for d = 4, 16, 64 and 256 (bench/k_norm_bench.cc).
// Timing   varies with the draw; not safe to be timed (docs/explanation/threats.md#timing).
// Checked  tests/exact/k_norm_test.cc             Derivation  docs/explanation/k_norm_noise.md
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/base/wide.h"
#include "tacet/exact/random_bits.h"

namespace tacet::exact {

class KNormNoise {
 public:
  static constexpr std::size_t kMostCoordinates = 1024;

  /// s = numerator/denominator.
  static Result<KNormNoise> of(std::size_t coordinates, UInt128 numerator, std::uint64_t denominator);
  std::vector<Int128> draw(RandomBits& bits) const;

 private:
  KNormNoise(std::size_t coordinates, UInt128 numerator, std::uint64_t denominator)
      : coordinates_(coordinates), numerator_(numerator), denominator_(denominator) {}
  UInt128 geometric(RandomBits& bits) const;

  std::size_t coordinates_;
  UInt128 numerator_;
  std::uint64_t denominator_;
};

}  // namespace tacet::exact
