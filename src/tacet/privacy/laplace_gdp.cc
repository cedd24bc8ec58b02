#include "tacet/privacy/laplace_gdp.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>

#include <boost/math/tools/roots.hpp>
#include <fmt/format.h>
#include <gmpxx.h>

#include "tacet/exact/exp_bounds.h"
#include "tacet/exact/normal_bounds.h"

namespace tacet::privacy {
namespace {

const Decimal kLeastMu = *Decimal::parse("1e-9");
const Decimal kMostMu(40);
const Decimal kLeastL1 = *Decimal::parse("1e-100");
const Decimal kMostL1 = *Decimal::parse("1e100");

// Absolute precision of every decision beyond the size of what is compared: the smallest mu takes 30 bits of it, the result 52.
constexpr unsigned long kBits = 160;

// --- Guesses in double arithmetic. Nothing that is promised rests on them. ---

/// log Phi(-z) for z > -8, to about 1e-9.
double guess_log_upper(double z) {
  if (z < 30) return std::log(std::erfc(z / std::numbers::sqrt2) / 2);
  return -z * z / 2 - std::log(z * std::sqrt(2 * std::numbers::pi)) + std::log1p(-1 / (z * z) + 3 / (z * z * z * z));
}

/// w >= 0 with e^-w (3 + w) = 4 Phi(x), for Phi(x) <= 3/4: the type II error of T_b at slope e^epsilon.
double guess_w(double x) {
  const double target = std::log(4.0) + guess_log_upper(-x);
  double w = std::max(0.0, std::log(3.0) - target);
  for (int i = 0; i < 60; ++i) w = std::max(0.0, w - (std::log(3 + w) - w - target) / (1 / (3 + w) - 1));
  return w;
}

/// Where T_b touches G_mu when b is the least scale: the slope there is -e^epsilon. In terms of x = epsilon/mu - mu/2, both type II errors
/// agree (guess_w) and so do both type I errors, e^-w (1 + w) / 4 = e^epsilon Phi(-x - mu).
struct Touch {
  double epsilon, d;
};
Touch guess_touch(double mu) {
  const auto excess = [mu](double x) {
    const double w = guess_w(x), epsilon = mu * (x + mu / 2);
    return std::log(4.0) + epsilon + w + guess_log_upper(x + mu) - std::log1p(w);
  };
  const double least = -mu / 2, most = 0.6744897501960817;  // Phi(most) = 3/4: there w = 0
  std::uintmax_t rounds = 100;
  const auto bracket = boost::math::tools::toms748_solve(excess, least, most, boost::math::tools::eps_tolerance<double>(48), rounds);
  const double x = (bracket.first + bracket.second) / 2;
  const double epsilon = mu * (x + mu / 2);
  return {epsilon, epsilon / 2 + guess_w(x)};
}

// --- Decisions between integers. ---

struct Dyadic {  // numerator / 2^shift
  mpz_class numerator;
  unsigned long shift;
};

Dyadic dyadic_down(const mpq_class& value, unsigned long shift) {
  mpz_class numerator;
  const mpz_class scaled = value.get_num() << shift;
  mpz_fdiv_q(numerator.get_mpz_t(), scaled.get_mpz_t(), value.get_den_mpz_t());
  return {numerator, shift};
}
Dyadic dyadic_up(const mpq_class& value, unsigned long shift) {
  Dyadic down = dyadic_down(-value, shift);
  return {-down.numerator, shift};
}

/// exp(-t) for rational t >= 0, from below: t is rounded up first.
mpz_class exp_minus_down(const mpq_class& t, unsigned long precision) {
  const Dyadic up = dyadic_up(t, precision);
  return exact::exp_minus_bounds(up.numerator, up.shift, precision).lower;
}
/// Phi(x) for x = value, from above.
mpz_class normal_lower_up(const Dyadic& value, unsigned long precision) {
  return exact::normal_lower_bounds(value.numerator, value.shift, precision).upper;
}

/// ceil(0.75 x^2): more bits than exp(-x^2/2) has zeros.
unsigned long bits_of_square(double x) { return static_cast<unsigned long>(std::ceil(0.75 * x * x)); }

/// The least double b in the neighbourhood of `guess` at which the monotone `holds` is true; 0 if there is none.
template <class Holds>
double least_double(double guess, const Holds& holds) {
  double low = guess, high = guess;
  for (int bits = 50; !holds(high) && bits > 0; bits -= 2) {
    low = high;
    high *= 1 + std::ldexp(1.0, -bits);
  }
  if (low == high) {
    for (int bits = 50; holds(low) && bits > 0; bits -= 2) {
      high = low;
      low *= 1 - std::ldexp(1.0, -bits);
    }
  }
  if (!holds(high) || holds(low)) return 0;
  for (;;) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) return high;
    (holds(middle) ? high : low) = middle;
  }
}

struct Request {
  Dyadic mu;        // at most the mu asked for, and less by at most 2^-kBits: a smaller mu asks for more
  double guess_mu;  // the same, roughly
  mpq_class l1;
  double guess_l1;
};

Result<Request> checked(const Mu& mu, const Decimal& l1) {
  if (mu.value() < kLeastMu || mu.value() > kMostMu) {
    return Error::invalid("mu", mu.value().to_string(), "must lie between 1e-9 and 40 where Laplace noise is calibrated to it");
  }
  if (l1 < kLeastL1 || l1 > kMostL1) {
    return Error::invalid("l1", l1.to_string(), "must be a finite number between 1e-100 and 1e100",
                          "a table of counts under replace-one has l1 = 2");
  }
  return Request{dyadic_down(mu.value().to_rational(), kBits), mu.value().approximate(), l1.to_rational(), l1.approximate()};
}

Error no_scale(const Request& request) {
  return Error::of(Code::Internal,
                   fmt::format("no Laplace scale could be certified at mu {} and l1 {}", request.guess_mu, request.guess_l1));
}

Dyadic half(const Dyadic& value) { return {value.numerator, value.shift + 1}; }
Dyadic negative(const Dyadic& value) { return {-value.numerator, value.shift}; }

/// The least double b with e^-(l1/b) >= Phi(-mu/2) / Phi(mu/2).
Result<double> universal(const Request& request) {
  const unsigned long precision = kBits + bits_of_square(request.guess_mu / 2);
  const mpz_class one = mpz_class(1) << precision;
  const mpz_class tail = normal_lower_up(negative(half(request.mu)), precision);
  const double epsilon = request.guess_mu < 1
                             ? 2 * std::atanh(std::erf(request.guess_mu / (2 * std::numbers::sqrt2)))
                             : std::log1p(-std::exp(guess_log_upper(request.guess_mu / 2))) - guess_log_upper(request.guess_mu / 2);
  const auto holds = [&](double b) {
    // With q = Phi(-mu/2): e^-t (1 - q) >= q, which is harder the larger q is.
    return exp_minus_down(request.l1 / mpq_class(b), precision) * (one - tail) >= tail * one;
  };
  const double b = least_double(request.guess_l1 / epsilon, holds);
  if (b == 0) return no_scale(request);
  return b;
}

/// The least double b with e^-(l1/2b) >= 2 Phi(-mu/2).
Result<double> by_l1(const Request& request) {
  const unsigned long precision = kBits + bits_of_square(request.guess_mu / 2);
  const mpz_class tail = normal_lower_up(negative(half(request.mu)), precision);
  const double half_epsilon = request.guess_mu < 1 ? -std::log1p(-std::erf(request.guess_mu / (2 * std::numbers::sqrt2)))
                                                   : -(std::numbers::ln2 + guess_log_upper(request.guess_mu / 2));
  const auto holds = [&](double b) { return exp_minus_down(request.l1 / (2 * mpq_class(b)), precision) >= 2 * tail; };
  const double b = least_double(request.guess_l1 / (2 * half_epsilon), holds);
  if (b == 0) return no_scale(request);
  return b;
}

/// The test that takes N(mu, 1) for N(0, 1) when it sees less than c, at a slope of about -e^epsilon.
class GaussianTest {
 public:
  GaussianTest(const Request& request, double epsilon) {
    const double c = request.guess_mu / 2 + epsilon / request.guess_mu;
    precision_ = kBits + bits_of_square(c);
    const Dyadic threshold = dyadic_down(mpq_class(c), kBits);
    type_one_ = normal_lower_up(negative(threshold), precision_);
    type_two_ = normal_lower_up({threshold.numerator - request.mu.numerator, kBits}, precision_);
  }

  /// Is delta_b(epsilon) <= Phi(mu - c) - e^epsilon Phi(-c), for d = l1/(2b)? As numbers that do not overflow:
  /// Phi(-c) <= e^-epsilon (e^-w (1 + w/2) - Phi(c - mu)). Beyond epsilon = 2d, w = 0.
  bool covers(const mpq_class& d, double epsilon) const {
    const mpq_class exact_epsilon(epsilon);
    mpq_class w = d - exact_epsilon / 2;
    if (w < 0) w = 0;
    const Dyadic up = dyadic_up(w, kBits);  // e^-w (1 + w/2) falls with w
    const mpz_class exponential = exact::exp_minus_bounds(up.numerator, up.shift, precision_).lower;
    const mpz_class room = (exponential * ((mpz_class(2) << up.shift) + up.numerator) >> (up.shift + 1)) - type_two_;
    if (room <= 0) return false;
    return exp_minus_down(exact_epsilon, precision_) * room >= type_one_ << precision_;
  }

 private:
  unsigned long precision_;
  mpz_class type_one_, type_two_;  // from above
};

/// A proof that delta_b <= delta_mu on [0, 2d]: cells whose chords lie below the line of one test.
bool proven(const Request& request, const mpq_class& d) {
  const double end = d.get_d() * (2 + 0x1p-40);  // beyond 2d
  constexpr double kNarrowest = 0x1p-30, kWidest = 0x1p-3;
  double at = 0, width = kWidest;
  while (at < end) {
    const double next = std::min(end, at + width * end);
    const GaussianTest test(request, at + (next - at) / 2);
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

/// The least b, up to an excess, with delta_b <= delta_mu everywhere.
Result<double> table(const Request& request) {
  const Touch touch = guess_touch(request.guess_mu);
  const GaussianTest test(request, touch.epsilon);
  const auto d_of = [&](double b) -> mpq_class { return request.l1 / (2 * mpq_class(b)); };
  // The inequality at one point bounds b from below ...
  const double least = least_double(request.guess_l1 / (2 * touch.d), [&](double b) { return test.covers(d_of(b), touch.epsilon); });
  if (least == 0) return no_scale(request);
  // ... and a little above it holds everywhere.
  for (const double excess : {0x1p-44, 0x1p-43, 0x1p-42, 0x1p-41}) {
    const double b = least * (1 + excess);
    if (proven(request, d_of(b))) return b;
  }
  return no_scale(request);
}

}  // namespace

std::string_view name(LaplaceRule rule) {
  switch (rule) {
    case LaplaceRule::Universal: return "universal";
    case LaplaceRule::OneOrTwoDimensional: return "one-dimensional";
    case LaplaceRule::Table: return "table";
  }
  return "unknown";
}

Loss loss_of(const LaplaceScale& scale) { return gaussian_loss_from_mu(scale.mu()); }

Result<LaplaceScale> laplace_scale_universal(const Mu& mu, const Decimal& l1) {
  TACET_TRY(const Request request, checked(mu, l1));
  TACET_TRY(const double value, universal(request));
  return LaplaceScale(value, LaplaceRule::Universal, mu);
}

Result<LaplaceScale> laplace_scale_one_or_two_dimensional(const Mu& mu, const Decimal& l1, std::size_t dimension) {
  if (dimension == 0) return Error::invalid("dimension", "0", "must be 1 or 2");
  if (dimension > 2) {
    return Error::of(
        Code::Unsupported,
        fmt::format("in {} dimensions this scale is only conjectured to keep mu-GDP (Lee et al. 2022, Conjecture 12)", dimension),
        "use the rule for tables of counts, or the universal rule");
  }
  TACET_TRY(const Request request, checked(mu, l1));
  TACET_TRY(const double value, by_l1(request));
  return LaplaceScale(value, LaplaceRule::OneOrTwoDimensional, mu);
}

Result<LaplaceScale> laplace_scale_table(const Mu& mu, const Decimal& l1) {
  TACET_TRY(const Request request, checked(mu, l1));
  TACET_TRY(const double value, table(request));
  return LaplaceScale(value, LaplaceRule::Table, mu);
}

Result<ConjecturedLaplaceScale> laplace_scale_by_conjecture_12(const Mu& mu, const Decimal& l1) {
  TACET_TRY(const Request request, checked(mu, l1));
  TACET_TRY(const double value, by_l1(request));
  return ConjecturedLaplaceScale(value);
}

}  // namespace tacet::privacy
