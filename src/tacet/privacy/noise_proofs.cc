#include "tacet/privacy/noise_proofs.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "tacet/exact/enclosures.h"
#include "tacet/exact/fixed_point.h"

namespace tacet::privacy {
namespace {

using exact::from_units;
using exact::units_down;
using exact::units_up;

// Arguments are rounded to 2^-kBits on the harder side. For scales that can be drawn the compared
// values exceed 2^-60, which leaves 100 bits and more.
constexpr unsigned long kBits = 256;

/// A lower bound on exp(-t), t >= 0.
mpz_class exp_minus_down(const mpq_class& t, unsigned long precision) {
  return exact::exp_minus_bounds(units_up(t, kBits), kBits, precision).lower;
}

/// An upper bound on Phi(x).
mpz_class normal_up(const mpq_class& x, unsigned long precision) {
  return exact::normal_lower_bounds(units_up(x, kBits), kBits, precision).upper;
}

/// A lower bound on mu/2, as a dyadic rational.
mpq_class half_mu_down(const mpq_class& mu_squared) { return from_units(exact::root_units_down(mu_squared / 4, kBits), kBits); }

/// An upper bound on Phi(-m) exp(m^2/2), for a dyadic m >= 0.
mpz_class scaled_tail_up(const mpq_class& m) { return exact::scaled_tail_bounds(units_down(m, kBits), kBits, kBits).upper; }

/// More bits than the leading zeros of exp(-x^2/2).
unsigned long bits_of_square(double x) { return static_cast<unsigned long>(std::ceil(0.75 * x * x)); }

/// The test of N(0, 1) against N(mu, 1) with threshold c, at a slope near -e^epsilon. Any c holds.
class GaussianTest {
 public:
  GaussianTest(const mpq_class& mu_squared, double epsilon) {
    const double guess_mu = std::sqrt(mu_squared.get_d());
    const double c = guess_mu / 2 + epsilon / guess_mu;
    precision_ = kBits + bits_of_square(c);
    type_one_ = normal_up(-mpq_class(c), precision_);
    type_two_ = normal_up(mpq_class(c) - 2 * half_mu_down(mu_squared), precision_);
  }

  /// Is delta_b(epsilon) <= Phi(mu - c) - e^epsilon Phi(-c)? Written so that nothing overflows:
  /// Phi(-c) <= e^-epsilon (e^-w (1 + w/2) - Phi(c - mu)). Beyond epsilon = 2d, w = 0.
  bool covers(const mpq_class& d, double epsilon) const {
    const mpq_class exact_epsilon(epsilon);
    mpq_class w = d - exact_epsilon / 2;
    if (w < 0) w = 0;
    const mpz_class up = units_up(w, kBits);  // e^-w (1 + w/2) decreases in w
    const mpz_class exponential = exact::exp_minus_bounds(up, kBits, precision_).lower;
    const mpz_class room = (exponential * ((mpz_class(2) << kBits) + up) >> (kBits + 1)) - type_two_;
    if (room <= 0) return false;
    return exp_minus_down(exact_epsilon, precision_) * room >= type_one_ << precision_;
  }

 private:
  unsigned long precision_;
  mpz_class type_one_, type_two_;  // upper bounds
};

bool in_table_domain(const mpq_class& ratio, const mpq_class& mu_squared) {
  static const mpq_class least("1/1000000000000000000");  // (10^-9)^2
  return ratio > 0 && ratio <= 1000 && mu_squared >= least && mu_squared <= 1600;
}

}  // namespace

bool gaussian_keeps(const mpq_class& mu_squared, const mpq_class& epsilon, const mpq_class& delta) {
  if (mu_squared <= 0 || epsilon <= 0 || delta <= 0) return false;
  // delta has over 2^kBits units; mu is rounded up (it loses more), and b (the tail decreases).
  const unsigned long precision = kBits + mpz_sizeinbase(delta.get_den_mpz_t(), 2);
  const mpq_class mu = from_units(exact::root_units_up(mu_squared, kBits), kBits);
  const mpq_class a = mu / 2 - epsilon / mu;
  const mpq_class b = mu / 2 + epsilon / mu;
  const mpz_class above = normal_up(a, precision);
  const mpz_class tail = exact::scaled_tail_bounds(units_up(b, kBits), kBits, kBits).lower;
  const mpz_class below = exp_minus_down(a * a / 2, precision) * tail >> kBits;
  return above - below <= units_down(delta, precision);
}

bool pure_keeps_mu(const mpq_class& epsilon, const mpq_class& mu_squared) {
  if (epsilon < 0 || mu_squared <= 0) return false;
  const mpq_class m = half_mu_down(mu_squared);
  const mpq_class beyond = epsilon - m * m / 2;
  if (beyond <= 0) return true;
  const mpz_class one = mpz_class(1) << kBits;
  return exp_minus_down(beyond, kBits) * (one - normal_up(-m, kBits)) >= scaled_tail_up(m) * one;
}

Result<Decimal> mu_of_pure_up(const Decimal& epsilon) {
  static const Decimal least = *Decimal::parse("1e-9"), most(100);
  if (!epsilon.is_positive() || epsilon > most) {
    return Error::invalid("epsilon", epsilon.to_string().substr(0, 40), "must be greater than 0 and at most 100 to be counted in mu",
                          "use less, or a budget in epsilon");
  }
  const Decimal counted = std::max(epsilon, least);
  thread_local std::pair<Decimal, Decimal> last;  // series of releases repeat one epsilon
  if (last.first == counted) return last.second;
  const mpq_class exact = counted.to_rational();
  const std::string scientific = fmt::format("{:.17e}", counted.approximate());
  const Decimal grid = *Decimal::parse("1e-10") * *Decimal::parse("1" + scientific.substr(scientific.find('e')));
  // The least multiple of the grid that passes; mu = sqrt(pi/2) epsilon is always enough.
  std::int64_t too_small = 0, enough = 200'000'000'000;
  while (enough - too_small > 1) {
    const std::int64_t middle = too_small + (enough - too_small) / 2;
    const Decimal mu = Decimal(middle) * grid;
    (pure_keeps_mu(exact, (mu * mu).to_rational()) ? enough : too_small) = middle;
  }
  last = {counted, Decimal(enough) * grid};
  return last.second;
}

bool laplace_keeps_mu(const mpq_class& ratio, const mpq_class& mu_squared) {
  if (ratio < 0 || mu_squared <= 0) return false;
  const mpq_class m = half_mu_down(mu_squared);
  const mpq_class beyond = (ratio - m * m) / 2;
  return beyond <= 0 || exp_minus_down(beyond, kBits) >= 2 * scaled_tail_up(m);
}

mpq_class laplace_rho_up(const mpq_class& shift) {
  if (shift <= 0) return 0;
  // h(x) >= x^2/3 for x < 1: about twice the leading zeros of x. The exponential errs by 2^8.
  const auto bits = [](const mpz_class& value) { return static_cast<long>(mpz_sizeinbase(value.get_mpz_t(), 2)); };
  const auto zeros = static_cast<unsigned long>(std::max(0L, bits(shift.get_den()) - bits(shift.get_num()) + 1));
  const unsigned long precision = 80 + 2 * zeros;
  const mpz_class exponential = exact::exp_minus_bounds(units_down(shift, precision), precision, precision).upper;
  return from_units(units_up(shift, precision) + exponential - (mpz_class(1) << precision), precision);
}

mpq_class laplace_mu_squared_up(const mpq_class& shift) {
  if (shift <= 0) return 0;
  const double half = shift.get_d() / 2;
  double low = 1e-16, high = 70;  // m, by bisection: -log(2 Phi(-m/2)) = x/2
  while (high > low * (1 + 0x1p-48)) {
    const double middle = std::sqrt(low * high), z = middle / (2 * std::numbers::sqrt2);
    (-(z < 1 ? std::log1p(-std::erf(z)) : std::log(std::erfc(z))) < half ? low : high) = middle;
  }
  for (const double more : {0x1p-42, 0x1p-40, 0x1p-38}) {
    const mpq_class mu(high * (1 + more));
    if (high < 69 && high > 2e-16 && laplace_keeps_mu(shift, mu * mu)) return mu * mu;
  }
  return 4 * shift;
}

bool laplace_table_keeps_mu(const mpq_class& ratio, const mpq_class& mu_squared) {
  if (!in_table_domain(ratio, mu_squared)) return false;
  if (pure_keeps_mu(ratio, mu_squared)) return true;  // far more noise than needed
  const mpq_class d = ratio / 2;
  const double end = d.get_d() * (2 + 0x1p-40);  // beyond 2d
  constexpr double kNarrowest = 0x1p-30, kWidest = 0x1p-3;
  double at = 0, width = kWidest;
  while (at < end) {
    const double next = std::min(end, at + width * end);
    const GaussianTest test(mu_squared, at + (next - at) / 2);
    if (next > at && test.covers(d, next) && test.covers(d, at)) {
      at = next;
      width = std::min(kWidest, 2 * width);
    } else {
      width /= 2;
      if (width < kNarrowest) return false;
    }
  }
  return true;
}

bool laplace_table_keeps_mu_at(const mpq_class& ratio, const mpq_class& mu_squared, double epsilon) {
  return in_table_domain(ratio, mu_squared) && GaussianTest(mu_squared, epsilon).covers(ratio / 2, epsilon);
}

}  // namespace tacet::privacy
