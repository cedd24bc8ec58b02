// tacet/exact/uniform_wide.h: uniform integers beyond 64 bits, exactly.
//
//   UInt128 place = uniform_below(UInt128{1} << 100, bits);
//   mpz_class ticket = uniform_below(mpz_class("1000000000000000000000"), bits);
// Theorem  of uniform integers with as many bits as n - 1, the first below n is uniform.
// Domain   n >= 1.    Error   none.
// Cost     at most twice the words of n - 1 on average; up to 2^64 as exact/uniform.h; 1: none.
// Checked  tests/exact/uniform_wide_test.cc
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gmpxx.h>

#include "tacet/base/wide.h"
#include "tacet/exact/random_bits.h"

namespace tacet::exact {

UInt128 uniform_below(UInt128 n, RandomBits& bits);
mpz_class uniform_below(const mpz_class& n, RandomBits& bits);

/// Conversion to and from big integers. Domain of from_big: 0 <= value < 2^128.
mpz_class to_big(UInt128 value);
UInt128 from_big(const mpz_class& value);

}  // namespace tacet::exact
