#include "tacet/exact/enclosures.h"

#include <algorithm>

#include "tacet/exact/fixed_point.h"

namespace tacet::exact {
namespace {

/// arctan(1/n) 2^bits with an error bound: each term is rounded down twice, the rest is below 1.
struct Approximation {
  mpz_class value;
  unsigned long error;
};
Approximation arctan_of_inverse(unsigned long n, unsigned long bits) {
  mpz_class power = (mpz_class(1) << bits) / n;
  mpz_class sum = power;
  unsigned long k = 1;
  for (; power != 0; ++k) {
    power /= n * n;
    const mpz_class term = power / (2 * k + 1);
    sum += k % 2 == 1 ? mpz_class(-term) : term;
  }
  return {sum, 2 * k + 2};
}

/// Lower and upper bound on sqrt(2 pi) 2^bits, with pi = 16 arctan(1/5) - 4 arctan(1/239).
Enclosure root_of_two_pi(unsigned long bits) {
  const Approximation fifth = arctan_of_inverse(5, bits), other = arctan_of_inverse(239, bits);
  const mpz_class pi = 16 * fifth.value - 4 * other.value;
  const mpz_class error = 16 * mpz_class(fifth.error) + 4 * mpz_class(other.error);
  const mpz_class low = (2 * (pi - error)) << bits, high = (2 * (pi + error)) << bits;
  return {sqrt(low), sqrt(high) + 1};
}

/// Bounds on x + x^3/3 + x^5/(3 5) + ... in units of 2^-work, for x = numerator / 2^shift > 0.
/// Once 2k + 1 >= 2 x^2 each term is at most half the one before: the rest is at most the last.
Enclosure odd_series(const mpz_class& numerator, unsigned long shift, unsigned long work) {
  const mpz_class square = numerator * numerator;
  mpz_class low = (numerator << work) >> shift, high = shifted_up(numerator << work, shift);
  Enclosure sum{low, high};
  for (unsigned long odd = 3;; odd += 2) {
    low = (low * square >> (2 * shift)) / odd;
    high = divided_up(shifted_up(high * square, 2 * shift), odd);
    sum.lower += low;
    sum.upper += high;
    if (high <= 1 && (mpz_class(odd) << (2 * shift)) >= 2 * square) break;
  }
  sum.upper += high;
  return sum;
}

}  // namespace

// exp(-t) = exp(-s)^(2^halvings) with s = t/2^halvings < 1/16. The sum of N terms, rounded down,
// errs by less than 2N + 2 units of 2^-work, and squaring makes that less than 2^halvings (2N + 3)
// units. The `guard` bits reduce it to less than one unit of 2^-precision.
Enclosure exp_minus_bounds(const mpz_class& numerator, unsigned long shift, unsigned long precision) {
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

// Errors are below 2^32 exp(x^2/2) units of 2^-work for any x in use; `guard` bits make that less
// than one unit of 2^-precision. A larger error would widen the bounds, not invalidate them.
Enclosure normal_lower_bounds(const mpz_class& numerator, unsigned long shift, unsigned long precision) {
  const mpz_class one = mpz_class(1) << precision;
  const mpz_class half_down = one >> 1, half_up = shifted_up(one, 1);
  if (numerator == 0) return {half_down, half_up};
  const mpz_class size = abs(numerator);
  const mpz_class square = size * size;
  // Phi(-|x|) <= exp(-x^2/2)/2 is less than a unit once 0.7213 x^2 >= precision.
  if (5 * square >= (7 * mpz_class(precision)) << (2 * shift)) {
    return numerator > 0 ? Enclosure{one - 1, one} : Enclosure{0, 1};
  }
  // log2(exp(x^2/2)) = 0.7213 x^2 < 3/4 x^2.
  const unsigned long guard = 40 + shifted_up(3 * square, 2 * shift + 2).get_ui();
  const unsigned long work = precision + guard;

  const Enclosure exponential = exp_minus_bounds(square, 2 * shift + 1, work);
  const Enclosure series = odd_series(size, shift, work);
  const Enclosure root = root_of_two_pi(work);
  // The product has units of 2^-2work, so dividing it by the root leaves units of 2^-work.
  const mpz_class low = (exponential.lower * series.lower / root.upper) >> guard;
  const mpz_class high = shifted_up(divided_up(exponential.upper * series.upper, root.lower), guard);
  const mpz_class least = numerator > 0 ? mpz_class(half_down + low) : mpz_class(half_down - high);
  const mpz_class most = numerator > 0 ? mpz_class(half_up + high) : mpz_class(half_up - low);
  return {std::max(least, mpz_class(0)), std::min(most, one)};
}

// N levels err by a factor of about exp(-2 x sqrt(N)), here (x >= 8) less than 2^-precision.
Enclosure scaled_tail_bounds(const mpz_class& numerator, unsigned long shift, unsigned long precision) {
  constexpr unsigned long kFraction = 8;
  constexpr unsigned long kGuard = 64;  // exp(x^2/2) has at most 47 bits for x < 8
  const unsigned long work = precision + kGuard;
  if (numerator < mpz_class(kFraction) << shift) {
    const Enclosure tail = normal_lower_bounds(-numerator, shift, work);
    const Enclosure exponential = exp_minus_bounds(numerator * numerator, 2 * shift + 1, work);
    return {(tail.lower << precision) / exponential.upper, divided_up(tail.upper << precision, exponential.lower)};
  }
  // Level k, in units of 2^-work, is x + k/(level k + 1). The last is in [x, x + (N + 1)/x].
  const mpz_class unit = mpz_class(1) << (2 * work);
  const mpz_class low_x = (numerator << work) >> shift, high_x = shifted_up(numerator << work, shift);
  unsigned long k = 32 + precision * precision / 450;
  Enclosure level{low_x, high_x + divided_up((k + 1) * unit, low_x)};
  for (; k > 0; --k) level = {low_x + k * unit / level.upper, high_x + divided_up(k * unit, level.lower)};
  const Enclosure root = root_of_two_pi(work);
  return {((unit << work) / (level.upper * root.upper)) >> kGuard, shifted_up(divided_up(unit << work, level.lower * root.lower), kGuard)};
}

}  // namespace tacet::exact
