// tacet/exact/uniform_wide.h: uniform integers beyond 64 bits, exactly.
//
//   UInt128 place = uniform_below(UInt128{1} << 100, bits);
//   mpz_class ticket = uniform_below(mpz_class("1000000000000000000000"), bits);
//
// Theorem  the first of independent uniform integers of as many bits as n - 1 that is below n is uniform below n.
// Domain   n >= 1.
// Error    none.
// Cost     the words that n - 1 fills, twice on average at most; up to 2^64 as exact/uniform.h; none for mpz_class(1).
// Checked  tests/exact/uniform_wide_test.cc
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gmpxx.h>

#include "tacet/base/wide.h"
#include "tacet/exact/random_bits.h"

namespace tacet::exact {

UInt128 uniform_below(UInt128 n, RandomBits& bits);
mpz_class uniform_below(const mpz_class& n, RandomBits& bits);

/// The same number, as big integers have it; from_big: of a number at least 0 and below 2^128.
mpz_class to_big(UInt128 value);
UInt128 from_big(const mpz_class& value);

}  // namespace tacet::exact
