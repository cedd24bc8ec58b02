#include "tacet/exact/bernoulli_exp.h"

#include <cstdint>

#include "tacet/exact/uniform.h"
#include "tacet/exact/uniform_wide.h"

namespace tacet::exact {
namespace {

/// exp(-p/q) for p <= q: P[the first k with Bernoulli(x/k) = 0 is odd] = 1 - x + x^2/2! - ...
bool bernoulli_exp_minus_fraction(UInt128 p, UInt128 q, RandomBits& bits) {
  for (std::uint64_t k = 1;; ++k) {
    // Bernoulli(p/(q k)) as two independent coins, so that q k need not fit.
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
