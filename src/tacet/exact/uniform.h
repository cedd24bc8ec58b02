// tacet/exact/uniform.h: uniform integers of any size, exactly.
//
//   std::uint64_t die = uniform_below(std::uint64_t{6}, bits) + 1;
//   UInt128 place = uniform_below(UInt128{1} << 100, bits);
//   mpz_class ticket = uniform_below(mpz_class("1000000000000000000000"), bits);
// Theorem  of uniform integers with as many bits as n - 1, the first below n is uniform.
// Domain   n >= 1.    Error   none.
// Cost     up to 2^64: one word, and one more with probability below n/2^64. Beyond: at most twice
//          the words of n - 1 on average; big integers: none for n = 1.
// Checked  tests/exact/uniform_test.cc, tests/exact/uniform_wide_test.cc
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <gmpxx.h>

#include "tacet/base/wide.h"
#include "tacet/exact/random_bits.h"

namespace tacet::exact {

/// Uniform on 0, ..., n-1. Multiply and reject (Lemire 2019, arXiv:1805.10941).
inline std::uint64_t uniform_below(std::uint64_t n, RandomBits& bits) {
  UInt128 product = UInt128{bits.word()} * n;
  if (static_cast<std::uint64_t>(product) < n) [[unlikely]] {
    const std::uint64_t excess = (0 - n) % n;  // 2^64 mod n
    while (static_cast<std::uint64_t>(product) < excess) product = UInt128{bits.word()} * n;
  }
  return static_cast<std::uint64_t>(product >> 64);
}
UInt128 uniform_below(UInt128 n, RandomBits& bits);
mpz_class uniform_below(const mpz_class& n, RandomBits& bits);

/// Conversion to and from big integers. Domain of from_big: 0 <= value < 2^128.
mpz_class to_big(UInt128 value);
UInt128 from_big(const mpz_class& value);

}  // namespace tacet::exact
