#include "tacet/exact/bernoulli_exp.h"

#include <cstdint>

#include "tacet/exact/uniform.h"

namespace tacet::exact {
namespace {

/// For x = p/q <= 1, the first k whose coin of probability x/k shows tails is odd with probability
/// 1 - x + x^2/2! - ... = exp(-x) (von Neumann).
bool bernoulli_exp_minus_fraction(UInt128 p, UInt128 q, RandomBits& bits) {
  for (std::uint64_t k = 1;; ++k) {
    // Two independent coins have probability p/(q k) together; the product q k need not fit.
    const bool goes_on = uniform_below(q, bits) < p && uniform_below(k, bits) == 0;
    if (!goes_on) return k % 2 == 1;
  }
}

}  // namespace

bool bernoulli_exp_minus(UInt128 numerator, UInt128 denominator, RandomBits& bits) {
  for (UInt128 whole = numerator / denominator; whole > 0; --whole) {
    if (!bernoulli_exp_minus_fraction(1, 1, bits)) return false;
  }
  return bernoulli_exp_minus_fraction(numerator % denominator, denominator, bits);
}

}  // namespace tacet::exact
