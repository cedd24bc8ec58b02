#include "tacet/exact/exp_bounds.h"

#include <algorithm>

#include "tacet/exact/fixed_point.h"

namespace tacet::exact {

// exp(-t) = exp(-s)^(2^halvings) with s = t/2^halvings < 1/16. The sum of N terms, rounded down,
// errs by less than 2N + 2 units of 2^-work, and squaring makes that less than 2^halvings (2N + 3)
// units. The `guard` bits reduce it to less than one unit of 2^-precision.
ExpBounds exp_minus_bounds(const mpz_class& numerator, unsigned long shift, unsigned long precision) {
  const unsigned long size = mpz_sizeinbase(numerator.get_mpz_t(), 2);
  const unsigned long halvings = size + 4 > shift ? size + 4 - shift : 0;
  const unsigned long guard = halvings + 16;
  const unsigned long work = precision + guard;

  const unsigned long scale = shift + halvings;
  const mpz_class s = scale >= work ? mpz_class(numerator >> (scale - work)) : mpz_class(numerator << (work - scale));

  const mpz_class one = mpz_class(1) << work;
  mpz_class term = one;
  mpz_class sum = one;
  unsigned long terms = 1;
  for (; term != 0; ++terms) {
    term = (term * s >> work) / terms;
    sum += terms % 2 == 1 ? mpz_class(-term) : term;
  }

  const mpz_class slack = 2 * terms + 2;
  mpz_class lower = std::max(mpz_class(sum - slack), mpz_class(0));
  mpz_class upper = std::min(mpz_class(sum + slack), one);
  for (unsigned long i = 0; i < halvings; ++i) {
    lower = lower * lower >> work;
    upper = shifted_up(upper * upper, work);
  }
  return {lower >> guard, shifted_up(upper, guard)};
}

}  // namespace tacet::exact
