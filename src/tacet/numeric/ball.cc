#include "tacet/numeric/ball.h"

#include <cfloat>

namespace tacet::numeric {
namespace {

static_assert(std::numeric_limits<double>::is_iec559 && FLT_EVAL_METHOD == 0,
              "the proofs of ball.h are about IEEE 754 doubles, rounded after every operation");

// log 2 = kFirst + kSecond + kThird: 35 bits, 35 bits, and the nearest double to the rest. As
// |k| < 2^18, the products k kFirst and k kSecond are exact.
constexpr double kFirst = 0x1.62e42fef80000p-1;
constexpr double kSecond = 0x1.1cf79abc80000p-36;
constexpr double kThird = 0x1.e3b39803f2f6bp-72;
constexpr double kPerLog2 = 0x1.71547652b82fep+0;
constexpr double kMostArgument = 1e5;
constexpr double kMostReduced = 0.36;  // above log(2)/2
constexpr double kExpError = 4 * kUnit;

constexpr int kTaylorTerms = 12;
constexpr auto kInverseFactorials = [] {  // 1/2!, 1/3!, ..., 1/13!
  struct {
    double values[kTaylorTerms];
  } result{};
  double factorial = 1;
  for (int j = 0; j < kTaylorTerms; ++j) {
    factorial *= j + 2;  // exact: 13! < 2^53
    result.values[j] = 1 / factorial;
  }
  return result;
}();

/// a + b = sum + error, exactly (Knuth 1969, TwoSum).
struct TwoSum {
  double sum, error;
};
TwoSum two_sum(double a, double b) {
  const double sum = a + b;
  const double other = sum - a;
  return {sum, (a - (sum - other)) + (b - other)};
}

}  // namespace

// Argument reduction: x = k log 2 + r + rest with |r| <= 0.36. A Taylor polynomial of degree 13
// gives e^r with a relative error below 4 units of 2^-53 (docs/explanation/ball_arithmetic.md).
ScaledBall exp_scaled(const Ball& x) {
  const bool served = std::abs(x.mid) <= kMostArgument && x.rad <= 1;  // false for NaN
  if (!served) return {{1, kInfinity}, 0};
  const double k = std::nearbyint(x.mid * kPerLog2);
  const TwoSum reduced = two_sum(x.mid - k * kFirst, -(k * kSecond));
  const double r = reduced.sum;
  if (!(std::abs(r) <= kMostReduced)) return {{1, kInfinity}, 0};
  const double rest = reduced.error - k * kThird;
  double q = kInverseFactorials.values[kTaylorTerms - 1];
  for (int j = kTaylorTerms - 2; j >= 0; --j) q = kInverseFactorials.values[j] + r * q;
  const double mid = 1 + (r + (r * r * q + rest * (1 + r)));
  // e^(x +- rad) differs from e^x by at most e^x rad (1 + rad), for rad <= 1.
  const double rad = kOutward * mid * (kExpError + x.rad * (1 + x.rad) * (1 + 2 * kExpError));
  return {{mid, rad}, static_cast<int>(k)};
}

Ball exp(const Ball& x) {
  constexpr int kMostExponent = 990;
  if (x.mid + x.rad < -800) return {0, kTiny};  // e^-800 < 2^-1100
  const ScaledBall scaled = exp_scaled(x);
  if (!(scaled.mantissa.rad < kInfinity)) return {1, kInfinity};
  // The mantissa is below 5, as rad <= 1.
  if (scaled.exponent < -kMostExponent) return {0, std::ldexp(8.0, -kMostExponent)};
  if (scaled.exponent > kMostExponent) return {kInfinity, kInfinity};
  return {std::ldexp(scaled.mantissa.mid, scaled.exponent), std::ldexp(scaled.mantissa.rad, scaled.exponent) + kTiny};
}

// Let y be a guess of log x. Then log x = y + log(1 + t) with 1 + t = x e^-y, and
// |log(1 + t) - t + t^2/2| <= |t|^3 / (3 (1 - |t|)).
Ball log(const Ball& x) {
  const bool served = x.mid > x.rad && x.mid < kInfinity;  // false for NaN
  if (!served) return {0, kInfinity};
  int exponent = 0;
  double mantissa = std::frexp(x.mid, &exponent);
  if (mantissa < 0.7) {
    mantissa *= 2;
    --exponent;
  }
  const double guess = std::log(mantissa);
  const Ball t = Ball(mantissa, std::ldexp(x.rad, -exponent) + kTiny) * exp(Ball(-guess)) - 1;
  const double size = std::abs(t.mid) + t.rad;
  if (!(size <= 0.25)) return {guess, kInfinity};
  const Ball correction = widened(t - t * t * 0.5, size * size * size / 2);
  return Ball(guess) + correction + kLog2 * exponent;
}

// log(1 + x) = 2 atanh(s) with s = x/(2 + x). For |s| <= 1/15 the terms after s^15/15 are below s
// 15^-16.
Ball log1p(const Ball& x) {
  if (!(std::abs(x.mid) + x.rad <= 0.125)) return log(Ball(1) + x);
  const Ball s = x / (Ball(2) + x);
  const Ball square = s * s;
  Ball sum(0);
  for (int j = 15; j >= 3; j -= 2) sum = square * (sum + Ball(1) / j);
  const Ball result = s + s * sum;
  return Ball(2) * widened(result, std::abs(result.mid) * 0x1p-60);
}

}  // namespace tacet::numeric
