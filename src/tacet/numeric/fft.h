// tacet/numeric/fft.h: circular convolutions of power-of-two length, with a proven rounding bound.
//
//   Fft fft(1 << 18);
//   std::vector<std::complex<double>> a(fft.size()), b(fft.size());
//   fft.forward(a);  fft.forward(b);                               // in bit-reversed order
//   for (std::size_t i = 0; i < fft.size(); ++i) a[i] *= b[i];     // any pointwise operation
//   fft.inverse(a);                                                // the convolution
//
// The spectrum stays in bit-reversed order. This saves two passes and does not affect pointwise
// operations.
//
// Source   Cooley & Tukey (1965), as Gentleman & Sande; error bound: Higham (2002), Theorem 24.2.
// Domain   lengths 2 to 2^24, powers of two; finite numbers.
// Error    ||computed - exact||_2 <= relative_error() ||exact||_2 for either transform, with
//          relative_error() = 8 log2(n) 2^-53 (1 + 2^-20).
//          Each value of forward() also errs by at most relative_error() times the sum of the
//          moduli of the data: each datum reaches it along one path of log2(n) butterflies, whose
//          factors have modulus 1 and err by less than 5 2^-53.
// Cost     n/2 log2(n) butterflies of about 2 ns; a table of n complex numbers.
// Checked  tests/numeric/fft_test.cc: the definition in long double, the bound, convolutions of
//          integers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>
#include <cstddef>
#include <vector>

namespace tacet::numeric {

/// a b, without the checks for infinities in std::complex. Relative error at most sqrt(5) 2^-53.
inline std::complex<double> product(std::complex<double> a, std::complex<double> b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}
/// a^n for n >= 1 by repeated squaring. Relative error at most 3 n 2^-53 for n <= 10^12.
std::complex<double> power(std::complex<double> a, unsigned long n);

class Fft {
 public:
  explicit Fft(std::size_t n);
  std::size_t size() const { return size_; }
  void forward(std::vector<std::complex<double>>& data) const;
  /// The inverse of forward(), with the factor 1/n.
  void inverse(std::vector<std::complex<double>>& data) const;
  double relative_error() const;

 private:
  std::size_t size_;
  int stages_ = 0;
  // For half-lengths n/2, n/4, ..., 1, one after the other: exp(-pi i k / half).
  std::vector<std::complex<double>> roots_;
};

}  // namespace tacet::numeric
