// tacet/exact/uniform.h: uniform integers, exactly.
//
//   std::uint64_t die = uniform_below(std::uint64_t{6}, bits) + 1;
// Domain   n >= 1.    Error   none.
// Cost     one word, and one more with probability below n/2^64.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

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

}  // namespace tacet::exact
