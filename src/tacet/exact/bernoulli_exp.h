// tacet/exact/bernoulli_exp.h: a coin with an exact probability exp(-x), x >= 0 rational.
//
//   bool heads = bernoulli_exp_minus(3, 2, bits);    // probability exp(-3/2)
// Source   Canonne, Kamath & Steinke (2020), arXiv:2004.00010, Algorithm 1.
// Domain   denominator >= 1; any numerator.     Error   none: no floating-point number is formed.
// Cost     at most e coins on average if x <= 1; else at most floor(x) + 1 rounds, until a tail.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tacet/base/wide.h"
#include "tacet/exact/random_bits.h"

namespace tacet::exact {

bool bernoulli_exp_minus(UInt128 numerator, UInt128 denominator, RandomBits& bits);

}  // namespace tacet::exact
