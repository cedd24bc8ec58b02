// tests/support/big.h: real numbers of 256 bits, by MPFR: the referee of what is computed in
// doubles.
//
//   Big q = normal_upper(Big(37.5));            // P[Z > 37.5], to 70 digits
//   EXPECT_LE(error_ulps(ours, q), 4);
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include <mpfr.h>

namespace tacet::test {

class Big {
 public:
  static constexpr mpfr_prec_t kBits = 256;
  Big() { mpfr_init2(value_, kBits); }
  Big(double exact) : Big() { mpfr_set_d(value_, exact, MPFR_RNDN); }  // NOLINT(google-explicit-constructor): a double is an exact number
  Big(const Big& other) : Big() { mpfr_set(value_, other.value_, MPFR_RNDN); }
  Big(Big&& other) noexcept : Big() { mpfr_swap(value_, other.value_); }
  Big& operator=(Big other) noexcept {
    mpfr_swap(value_, other.value_);
    return *this;
  }
  ~Big() { mpfr_clear(value_); }

  double nearest() const { return mpfr_get_d(value_, MPFR_RNDN); }
  mpfr_ptr raw() { return value_; }
  mpfr_srcptr raw() const { return value_; }

  friend Big operator+(const Big& a, const Big& b) { return two(mpfr_add, a, b); }
  friend Big operator-(const Big& a, const Big& b) { return two(mpfr_sub, a, b); }
  friend Big operator*(const Big& a, const Big& b) { return two(mpfr_mul, a, b); }
  friend Big operator/(const Big& a, const Big& b) { return two(mpfr_div, a, b); }
  friend Big operator-(const Big& a) { return one(mpfr_neg, a); }
  friend bool operator<(const Big& a, const Big& b) { return mpfr_less_p(a.value_, b.value_) != 0; }
  friend bool operator<=(const Big& a, const Big& b) { return mpfr_lessequal_p(a.value_, b.value_) != 0; }
  friend bool operator>(const Big& a, const Big& b) { return b < a; }
  friend bool operator>=(const Big& a, const Big& b) { return b <= a; }
  friend Big exp(const Big& a) { return one(mpfr_exp, a); }
  friend Big log(const Big& a) { return one(mpfr_log, a); }
  friend Big log1p(const Big& a) { return one(mpfr_log1p, a); }
  friend Big sqrt(const Big& a) { return one(mpfr_sqrt, a); }
  friend Big abs(const Big& a) { return one(mpfr_abs, a); }
  friend Big erfc(const Big& a) { return one(mpfr_erfc, a); }
  friend Big erf(const Big& a) { return one(mpfr_erf, a); }
  static Big pi() {
    Big result;
    mpfr_const_pi(result.value_, MPFR_RNDN);
    return result;
  }

 private:
  template <class F>
  static Big one(F f, const Big& a) {
    Big result;
    f(result.value_, a.value_, MPFR_RNDN);
    return result;
  }
  template <class F>
  static Big two(F f, const Big& a, const Big& b) {
    Big result;
    f(result.value_, a.value_, b.value_, MPFR_RNDN);
    return result;
  }
  mpfr_t value_;
};

inline Big normal_density(const Big& x) { return exp(-(x * x) / 2) / sqrt(Big(2) * Big::pi()); }

/// P[Z > x]/phi(x). MPFR's erfc takes milliseconds beyond 4, where Laplace's fraction 1/(x + 1/(x +
/// 2/(x + ...))) is quick: cut after n terms its relative error is about exp(-2 x sqrt(n)), here
/// below 2^-250. tests/support/big_test.cc compares the two.
inline Big normal_mills(const Big& x) {
  constexpr double kFrom = 4;
  if (x < Big(kFrom)) return erfc(x / sqrt(Big(2))) / 2 / normal_density(x);
  const double size = x.nearest();
  Big tail = x;
  for (int n = 30 + static_cast<int>(10'000 / (size * size)); n >= 1; --n) tail = x + Big(n) / tail;
  return Big(1) / tail;
}
inline Big normal_upper(const Big& x) { return x < Big(4) ? erfc(x / sqrt(Big(2))) / 2 : normal_density(x) * normal_mills(x); }

/// delta(epsilon, mu) = Phi(mu/2 - epsilon/mu) - e^epsilon Phi(-mu/2 - epsilon/mu), as it is
/// printed. For mu >= 10^-30 at least 40 digits survive.
inline Big gaussian_delta(const Big& epsilon, const Big& mu) {
  const Big m = epsilon / mu;
  return normal_upper(m - mu / 2) - exp(epsilon) * normal_upper(m + mu / 2);
}

/// A number in [0, 1) from 64 random bits.
inline double to_uniform(std::uint64_t bits) { return static_cast<double>(bits >> 11) * 0x1p-53; }

/// How far `ours` is from `truth`, in units of the last place of the truth's nearest double.
inline double error_ulps(double ours, const Big& truth) {
  const double nearest = std::abs(truth.nearest());
  const double ulp = std::nextafter(nearest, std::numeric_limits<double>::infinity()) - nearest;
  return (abs(Big(ours) - truth) / Big(ulp)).nearest();
}
/// |ours/truth - 1|.
inline double relative_error(double ours, const Big& truth) { return abs((Big(ours) - truth) / truth).nearest(); }

}  // namespace tacet::test
