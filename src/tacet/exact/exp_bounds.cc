#include "tacet/exact/exp_bounds.h"

#include <algorithm>

namespace tacet::exact {
namespace {

mpz_class shifted_down(const mpz_class& value, unsigned long bits) {
  mpz_class result;
  mpz_fdiv_q_2exp(result.get_mpz_t(), value.get_mpz_t(), bits);
  return result;
}

mpz_class shifted_down_ceiling(const mpz_class& value, unsigned long bits) {
  mpz_class result;
  mpz_cdiv_q_2exp(result.get_mpz_t(), value.get_mpz_t(), bits);
  return result;
}

}  // namespace

// exp(-t) = exp(-s)^(2^halvings) with s = t/2^halvings < 1/16. In units of 2^-work, with everything rounded down, each
// term of the alternating series for exp(-s) is at most 2 units too small (1 carried over from the term before, shrunk by
// s/n < 1/16, and 1 of its own), s itself at most 1 unit, and what is cut off is below 1 unit; so the sum of N terms errs
// by less than 2N + 2 units. Squaring doubles an error and adds a unit, on numbers at most 1: 2^halvings (2N + 3) units at
// the end, which `guard` bits beyond `precision` make less than one.
ExpBounds exp_minus_bounds(const mpz_class& numerator, unsigned long shift, unsigned long precision) {
  const unsigned long size = mpz_sizeinbase(numerator.get_mpz_t(), 2);
  const unsigned long halvings = size + 4 > shift ? size + 4 - shift : 0;
  const unsigned long guard = halvings + 16;
  const unsigned long work = precision + guard;

  mpz_class s = numerator;
  const unsigned long scale = shift + halvings;
  if (scale >= work) {
    s = shifted_down(s, scale - work);
  } else {
    s <<= work - scale;
  }

  mpz_class term = 1;
  term <<= work;
  mpz_class sum = term;
  unsigned long terms = 1;
  for (; term != 0; ++terms) {
    term = shifted_down(term * s, work);
    term /= terms;
    if (terms % 2 == 1) {
      sum -= term;
    } else {
      sum += term;
    }
  }

  const mpz_class slack = 2 * terms + 2;
  const mpz_class one = mpz_class(1) << work;
  mpz_class lower = sum - slack;
  if (lower < 0) lower = 0;
  mpz_class upper = sum + slack;
  if (upper > one) upper = one;
  for (unsigned long i = 0; i < halvings; ++i) {
    lower = shifted_down(lower * lower, work);
    upper = shifted_down_ceiling(upper * upper, work);
  }
  return {shifted_down(lower, guard), shifted_down_ceiling(upper, guard)};
}

}  // namespace tacet::exact
