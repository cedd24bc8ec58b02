// tacet/numeric/ball.h: numbers that carry a proven bound of their own error.
//
// A Ball is a double and a radius. The true value lies within the radius, whatever was rounded on
// the way. Privacy decisions are computed in Balls and decided by their ends:
//
//   Ball q = exp(Ball(-3.0)) / (Ball(1.0) + Ball(7.0));
//   Enclosure e = enclosure(q);                              // e.lower <= exp(-3)/8 <= e.upper
//   bool proven = upper(q) <= 0.01;                          // true only if proven, never for NaN
//
// Theorem  |fl(x op y) - (x op y)| <= 2^-53 |fl(x op y)| + 2^-1075 for the IEEE 754 sum,
//          difference, product, quotient and root, rounded to nearest. A radius is a sum of
//          products of numbers >= 0, with at most ten roundings. kOutward covers these roundings;
//          kTiny covers underflow.
//          No function of the C library is trusted: exp is summed here, and log takes the
//          library's value as a guess that exp confirms or corrects.
// Assumes  IEEE 754 doubles without excess precision (asserted at compile time), and the rounding
//          mode that a program starts with.
// Domain   all doubles. Overflow, or division by a ball around 0, gives an infinite or NaN radius.
// Error    given by the radius: 1 unit of 2^-53 per operation, 4 per exp, 8 per log; values below
//          2^-900 have no relative accuracy.
// Cost     about 3 times that of doubles. No allocation.
// Checked  tests/numeric/ball_test.cc: 2 * 10^4 random expressions of 8 steps, exp and log,
//          against MPFR.
// Derivation  docs/explanation/ball_arithmetic.md
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <limits>

namespace tacet::numeric {

/// lower <= the true value <= upper.
struct Enclosure {
  double lower, upper;
};

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr double kUnit = 0x1p-53;           // the relative error of one rounding
inline constexpr double kOutward = 1.0 + 0x1p-48;  // more than (1 + 2^-53)^16
inline constexpr double kTiny = 0x1p-1000;         // more than underflow loses in one operation

struct Ball {
  double mid;
  double rad = 0;
  constexpr Ball(double exact) : mid(exact) {}  // NOLINT(google-explicit-constructor): it is exact
  constexpr Ball(double middle, double radius) : mid(middle), rad(radius) {}
};

inline Ball operator-(const Ball& a) { return {-a.mid, a.rad}; }

inline Ball operator+(const Ball& a, const Ball& b) {
  const double mid = a.mid + b.mid;
  return {mid, kOutward * (a.rad + b.rad + kUnit * std::abs(mid)) + kTiny};
}

inline Ball operator-(const Ball& a, const Ball& b) { return a + -b; }

inline Ball operator*(const Ball& a, const Ball& b) {
  const double mid = a.mid * b.mid;
  return {mid, kOutward * (std::abs(a.mid) * b.rad + a.rad * (std::abs(b.mid) + b.rad) + kUnit * std::abs(mid)) + kTiny};
}

/// Error bound, with A and B the exact values and a and b the midpoints:
/// |A/B - a/b| <= (|A - a| + |a/b| |B - b|)/|B|.
inline Ball operator/(const Ball& a, const Ball& b) {
  const double mid = a.mid / b.mid;
  const double least = std::abs(b.mid) * (1 - 0x1p-50) - b.rad;
  if (!(least > 0)) return {mid, kInfinity};
  return {mid, kOutward * ((a.rad + std::abs(mid) * b.rad + kTiny) / least + kUnit * std::abs(mid)) + kTiny};
}

/// Domain: the exact value A is >= 0. Error bound, with a the midpoint: |sqrt A - sqrt
/// a| <= |A - a| / sqrt a; and sqrt A <= sqrt(2 rad) if a <= rad.
inline Ball sqrt(const Ball& a) {
  if (!(a.mid > a.rad)) return {0, kOutward * std::sqrt(std::abs(a.mid) + a.rad) + kTiny};
  const double mid = std::sqrt(a.mid);
  return {mid, kOutward * ((a.rad + kTiny) / mid + kUnit * mid) + kTiny};
}

inline Ball widened(const Ball& a, double radius) { return {a.mid, kOutward * (a.rad + radius)}; }

/// The ends, rounded outwards.
inline double lower(const Ball& a) { return std::nextafter(a.mid - a.rad, -kInfinity); }
inline double upper(const Ball& a) { return std::nextafter(a.mid + a.rad, kInfinity); }
inline Enclosure enclosure(const Ball& a) { return {lower(a), upper(a)}; }

/// mantissa * 2^exponent, for exponentials outside the range of doubles. 1/2 <= mantissa <= 2.
struct ScaledBall {
  Ball mantissa;
  int exponent;
};
/// Domain  |x| <= 10^5, radius included; outside, the mantissa has an infinite radius.
ScaledBall exp_scaled(const Ball& x);
Ball exp(const Ball& x);
/// Domain: the exact value is > 0. A ball that touches 0 has a logarithm of infinite radius.
Ball log(const Ball& x);
/// log(1 + x), accurate for small x.
Ball log1p(const Ball& x);

// The nearest doubles; tests/numeric/ball_test.cc compares them with MPFR.
inline constexpr Ball kLog2{0x1.62e42fefa39efp-1, 0x1p-54};          // log 2
inline constexpr Ball kRootTwoPi{0x1.40d931ff62706p+1, 0x1p-52};     // sqrt(2 pi)
inline constexpr Ball kLogRootTwoPi{0x1.d67f1c864beb5p-1, 0x1p-54};  // log sqrt(2 pi)
inline constexpr Ball kPi{0x1.921fb54442d18p+1, 0x1p-52};            // pi

}  // namespace tacet::numeric
