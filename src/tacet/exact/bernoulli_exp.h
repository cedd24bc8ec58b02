// tacet/exact/bernoulli_exp.h: a coin that falls heads with probability exp(-x), for rational x >= 0, exactly.
//
//   bool heads = bernoulli_exp_minus(3, 2, bits);    // probability exp(-3/2)
//
// Source   Canonne, Kamath & Steinke (2020), arXiv:2004.00010, Algorithm 1 (von Neumann's odd-even run).
// Domain   denominator >= 1; any numerator.
// Error    none: no floating-point number is formed.
// Cost     at most e coins on average for x <= 1; floor(x) + 1 rounds at most for larger x, ended by the first tail.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tacet/base/wide.h"
#include "tacet/exact/random_bits.h"

namespace tacet::exact {

bool bernoulli_exp_minus(UInt128 numerator, UInt128 denominator, RandomBits& bits);

}  // namespace tacet::exact
