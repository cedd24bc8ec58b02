#include "tacet/accounting/gaussian_curve.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "tacet/accounting/check.h"
#include "tacet/numeric/mills.h"

namespace tacet::accounting {
namespace {

using numeric::Ball;
using numeric::Enclosure;
using numeric::kInfinity;
using numeric::kMostGapHalf;
using numeric::kUnit;
using numeric::mills;
using numeric::mills_gap;

constexpr double kLeastMu = 1e-110;
constexpr double kMostMu = 1e6;
constexpr double kMostEpsilon = 1e13;
constexpr double kMostMultiple = 1e80;   // beyond, the ratio itself underflows
constexpr double kNothingLeft = 60;      // phi(60) < 2^-2500
constexpr double kVanished = 0x1p-1022;  // a smaller delta is enclosed by [0, kVanished]
// Distances from the computed root at which the certificate is tried, the most frequent first.
constexpr double kMargins[] = {0x1p-49, 0x1p-47, 0x1p-45, 0x1p-43, 0x1p-42};  // 2e-15 to 2.3e-13

bool in_domain(double epsilon, double mu) { return epsilon >= 0 && epsilon <= kMostEpsilon && mu >= kLeastMu && mu <= kMostMu; }

// delta = phi(a) ratio; or 1 - delta = phi(a) ratio, if `complement`.
struct CurveBall {
  Ball half_square;  // a^2/2
  Ball ratio;
  bool complement;
};
CurveBall curve_ball(double epsilon, double mu) {
  const double h = 0.5 * mu;
  const Ball m = Ball(epsilon) / mu;
  const Ball a = m - h;
  const Ball half_square = a * a * 0.5;
  if (h <= kMostGapHalf) return {half_square, mills_gap(m, h), false};
  if (a.mid >= 0) return {half_square, mills(a) - mills(m + h), false};
  return {half_square, mills(-a) + mills(m + h), true};
}

/// phi(a) ratio, as mantissa and exponent. Only for a^2/2 <= 10^5.
numeric::ScaledBall value_of(const CurveBall& curve) {
  const numeric::ScaledBall e = numeric::exp_scaled(-curve.half_square);
  return {e.mantissa * curve.ratio / numeric::kRootTwoPi, e.exponent};
}

/// True only if delta (or 1 - delta, if `complement`) is below 2 phi(60) < 2^-2500, as the ratio
/// is at most M(a), or M(-a) + M(b).
bool vanishes(const CurveBall& curve) { return lower(curve.half_square) > 0.5 * kNothingLeft * kNothingLeft; }

// The same in doubles, for the iterations: D = delta/phi(a) or E = (1 - delta)/phi(a).
struct CurvePoint {
  double m, h, a, b;
  double mills_b;  // only with_b
  double ratio;    // D, or E if the complement is wanted
};
enum class Wanted : bool { Delta, Complement };

CurvePoint curve_point(double epsilon, double mu, Wanted wanted, bool with_b) {
  CurvePoint p{};
  p.h = 0.5 * mu;
  p.m = epsilon / mu;
  p.a = p.m - p.h;
  p.b = p.m + p.h;
  const bool small = p.h <= kMostGapHalf;
  if (with_b || !small) p.mills_b = mills(p.b);
  bool complement = false;
  if (small) {
    p.ratio = mills_gap(p.m, p.h);
  } else if (p.a >= 0) {
    p.ratio = mills(p.a) - p.mills_b;
  } else {
    p.ratio = mills(-p.a) + p.mills_b;
    complement = true;
  }
  if (complement != (wanted == Wanted::Complement)) p.ratio = numeric::kRootTwoPi.mid * std::exp(0.5 * p.a * p.a) - p.ratio;
  return p;
}

/// The target of the iteration: log delta, or log(1 - delta) if delta > 1/2 (1 - delta is then
/// exact).
struct Target {
  Wanted wanted;
  double log_value;
  explicit Target(double delta)
      : wanted(delta > 0.5 ? Wanted::Complement : Wanted::Delta), log_value(delta > 0.5 ? std::log(1 - delta) : std::log(delta)) {}
  double excess(const CurvePoint& p) const { return std::log(p.ratio) - 0.5 * p.a * p.a - numeric::kLogRootTwoPi.mid - log_value; }
};

/// Halley's step for f, f', f''; Newton's step if the curvature is not reliable.
double halley(double f, double first, double second) {
  const double newton = -f / first;
  const double denominator = 1 + 0.5 * newton * second / first;
  return denominator > 0.25 ? newton / denominator : newton;
}

/// Abramowitz & Stegun (1964), 26.2.23: the normal upper quantile up to 4.5e-4, as a start.
double rough_upper_quantile(double p, double complement) {
  const double t = std::sqrt(-2 * std::log(std::min(p, complement)));
  const double z = t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
  return p <= complement ? z : -z;
}

// delta(epsilon, mu) is below Phi(-a) and below delta(0, mu), so both give a mu that is too small.
// Near the point where they are equal, the true mu exceeds both.
double first_mu(double epsilon, double delta) {
  const double z = rough_upper_quantile(delta, 1 - delta);
  const double root = std::sqrt(z * z + 2 * epsilon);
  const double by_tail = z > 0 ? 2 * epsilon / (root + z) : root - z;
  const double at_zero = delta < 0.5 ? numeric::kRootTwoPi.mid * delta : 2 * rough_upper_quantile(0.5 * (1 - delta), 0.5);
  return std::hypot(by_tail, at_zero);
}

double solve_mu(double epsilon, double delta) {
  const Target target(delta);
  double mu = first_mu(epsilon, delta);
  for (int round = 0; round < 40; ++round) {
    const CurvePoint p = curve_point(epsilon, mu, target.wanted, false);
    const double product = p.a * p.b;
    // In s = log mu: d log delta = A ds with A = mu/D, and dA = A (1 - A + a b) ds. For 1 - delta,
    // A is -mu/E.
    const double slope = (target.wanted == Wanted::Delta ? mu : -mu) / p.ratio;
    const double step = std::clamp(halley(target.excess(p), slope, slope * (1 - slope + product)), -1.0, 1.0);
    mu *= std::exp(step);
    if (std::abs(step) < 1e-8) break;  // the next step is of the order step^3 slope^2
  }
  return mu;
}

double solve_epsilon(double delta, double mu) {
  const Target target(delta);
  double epsilon = std::max(mu * (0.5 * mu + rough_upper_quantile(delta, 1 - delta) + 1e-3), 1e-3 * mu);
  for (int round = 0; round < 60; ++round) {
    const CurvePoint p = curve_point(epsilon, mu, target.wanted, true);
    // d log delta = -B d epsilon with B = M(b)/D, and d log B = (1 - 1/(M(b) mu) + B) d epsilon.
    // For 1 - delta, B is -M(b)/E.
    const double slope = (target.wanted == Wanted::Delta ? -p.mills_b : p.mills_b) / p.ratio;
    const double step = halley(target.excess(p), slope, slope * (1 - 1 / (p.mills_b * mu) - slope));
    const double next = std::max(epsilon + step, 0.125 * epsilon);
    const double moved = std::abs(next - epsilon);
    epsilon = next;
    if (moved <= 1e-8 * std::min(epsilon, mu)) break;
  }
  return epsilon;
}

Status check_delta(double delta) { return check_between("delta", delta, kLeastDelta, "1e-300", 1 - kUnit, "less than 1"); }
Status check_mu(double mu) { return check_between("mu", mu, kLeastMu, "1e-110", kMostMu, "at most 1e6"); }

Error uncertified(const char* what, double a, double b) {
  return Error::of(Code::Internal,
                   fmt::format("{} for {} and {} could not be certified; nothing is returned rather than something unsafe", what, a, b));
}

}  // namespace

Enclosure gaussian_log_delta(double epsilon, double mu) {
  if (!in_domain(epsilon, mu) || epsilon > kMostMultiple * mu) return {-kInfinity, 0};
  const CurveBall curve = curve_ball(epsilon, mu);
  Ball result(0);
  if (curve.complement) {
    if (vanishes(curve)) return {-kUnit, 0};
    const numeric::ScaledBall value = value_of(curve);
    result = log1p(-Ball(std::ldexp(value.mantissa.mid, value.exponent), std::ldexp(value.mantissa.rad, value.exponent) + numeric::kTiny));
  } else {
    result = log(curve.ratio) - numeric::kLogRootTwoPi - curve.half_square;
  }
  const Enclosure ends = enclosure(result);
  return {ends.lower >= -kInfinity ? ends.lower : -kInfinity, ends.upper <= 0 ? ends.upper : 0};
}

Enclosure gaussian_delta(double epsilon, double mu) {
  if (!in_domain(epsilon, mu)) return {0, 1};
  const CurveBall curve = curve_ball(epsilon, mu);
  if (vanishes(curve)) return curve.complement ? Enclosure{1 - kUnit, 1} : Enclosure{0, kVanished};
  const numeric::ScaledBall value = value_of(curve);
  // Scaling the ends by 2^exponent is exact while they are normal doubles.
  Enclosure ends = enclosure(value.mantissa);
  ends = {std::ldexp(ends.lower, value.exponent), std::ldexp(ends.upper, value.exponent)};
  if (curve.complement) ends = {lower(Ball(1) - ends.upper), upper(Ball(1) - ends.lower)};
  return {ends.lower >= kVanished ? ends.lower : 0, ends.upper <= 1 ? std::max(ends.upper, kVanished) : 1};
}

bool gaussian_delta_is_at_most(double epsilon, double mu, double delta) {
  const bool served = in_domain(epsilon, mu) && delta > 0 && delta <= 1;  // false for NaN
  if (!served) return false;
  if (delta == 1) return true;
  const CurveBall curve = curve_ball(epsilon, mu);
  // Every positive double exceeds 2^-2500, and 1 exceeds every delta below 1 by more than that.
  if (vanishes(curve)) return !curve.complement;
  const numeric::ScaledBall value = value_of(curve);
  // Scaling delta by 2^-exponent is exact, or overflows beyond every finite value; exponents
  // are <= 0.
  if (!curve.complement) return upper(value.mantissa) <= std::ldexp(delta, -value.exponent);
  const double rest = upper(Ball(1) - delta);
  return lower(value.mantissa) >= std::ldexp(rest, -value.exponent);
}

Result<double> gaussian_epsilon_up(double delta, double mu) {
  TACET_CHECK(check_delta(delta));
  TACET_CHECK(check_mu(mu));
  if (gaussian_delta_is_at_most(0, mu, delta)) return 0.0;
  const double root = solve_epsilon(delta, mu);
  for (const double margin : kMargins) {
    const double epsilon = root + margin * (root + mu);
    if (gaussian_delta_is_at_most(epsilon, mu, delta)) return epsilon;
  }
  return uncertified("epsilon", delta, mu);
}

Result<double> gaussian_mu_down(double epsilon, double delta) {
  if (epsilon != 0) TACET_CHECK(check_between("epsilon", epsilon, 1e-100, "1e-100", 1e6, "at most 1e6"));
  TACET_CHECK(check_delta(delta));
  if (epsilon == 0 && delta < 1e-100) {
    return Error::invalid("delta", fmt::format("{}", delta), "must be at least 1e-100 when epsilon is 0");
  }
  const double root = solve_mu(epsilon, delta);
  for (const double margin : kMargins) {
    const double mu = root - margin * root;
    if (gaussian_delta_is_at_most(epsilon, mu, delta)) return mu;
  }
  return uncertified("mu", epsilon, delta);
}

}  // namespace tacet::accounting
