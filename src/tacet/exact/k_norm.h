// tacet/exact/k_norm.h: noise for vectors in a cube: integer vectors whose probability falls with their largest coordinate, exactly.
//
//   P[z] is proportional to exp(-max_j |z_j| / s)      for every z in Z^d, s a positive rational.
//
//   KNormNoise noise = *KNormNoise::of(10, 1 << 20, 1);      // d = 10, s = 2^20
//   std::vector<Int128> z = noise.draw(bits);
//
// This is the K-norm mechanism of Hardt & Talwar (2010) for the cube, on integers: where no coordinate of an integer vector moves by more
// than D, no outcome is more than exp(D/s) times as likely. Each coordinate has a variance of about (d+1)(d+2)/3 s^2; Laplace noise for the
// same promise has 2 d^2 s^2.
// Theorem  The radius r = max_j |z_j| has N(r) points, N(r) = (2r+1)^d - (2r-1)^d and N(0) = 1, so a weight N(r) exp(-r/s).
//          Radius: the sum of d geometric variables has the weight C(r+d-1, d-1) exp(-r/s), and is accepted with probability
//          N(r) / (2^d d! C(r+d-1, d-1)) = N(r) / (2^d d (r+1)...(r+d-1)). That is at most 1, as N(r) <= 2 d (2r+1)^(d-1)
//          = 2^d d (r+1/2)^(d-1) for r >= 1 (mean value theorem). It is decided by a uniform integer u below the denominator: u < N(r).
//          Point: given that, u is uniform below N(r). The points of the shell whose first coordinate of size r is the j-th are
//          2 (2r-1)^(j-1) (2r+1)^(d-j) many; u chooses j. Coordinates before j are uniform below r in size, those after it up to r, and
//          the j-th is r or -r.
//          Geometric variables: Canonne, Kamath & Steinke (2020), arXiv:2004.00010, Algorithm 2 without its sign.
// Domain   1 <= d <= 1024; 1/2 <= s <= 2^100, s >= d/32, s = numerator/denominator with numerator <= 2^112, denominator < 2^64.
// Error    none: no floating-point number is formed.
// Cost     a radius is accepted with probability close to exp(-d/(2 s)). At s = 2^20: 2 microseconds for d = 4, 4.5 for d = 16,
//          15 for d = 64, 110 for d = 256 (bench/k_norm_bench.cc).
// Timing   varies with the draw; not safe to be timed (docs/explanation/threats.md#timing).
// Checked  tests/exact/k_norm_test.cc: every probability for small d and s, moments for larger ones, replayed words, planted faults.
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
