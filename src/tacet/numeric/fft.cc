#include "tacet/numeric/fft.h"

#include <cmath>
#include <numbers>

namespace tacet::numeric {
namespace {

using Complex = std::complex<double>;

/// exp(-2 pi i k / n) for k < n/2, each part within 2^-53 of the exact value: products of two
/// tables in long double, rounded once.
std::vector<Complex> roots_of_unity(std::size_t n) {
  constexpr long double kTurn = 2 * std::numbers::pi_v<long double>;
  std::size_t block = 1;
  while (block * block < n) block *= 2;
  struct Root {
    long double real, imaginary;
  };
  std::vector<Root> coarse;
  std::vector<Root> fine;
  for (std::size_t k = 0; k < block; ++k) {
    const long double angle = kTurn * static_cast<long double>(k) / static_cast<long double>(n);
    fine.push_back({std::cos(angle), -std::sin(angle)});
  }
  for (std::size_t k = 0; k < n / 2; k += block) {
    const long double angle = kTurn * static_cast<long double>(k) / static_cast<long double>(n);
    coarse.push_back({std::cos(angle), -std::sin(angle)});
  }
  std::vector<Complex> roots(n / 2);
  for (std::size_t k = 0; k < n / 2; ++k) {
    const Root& a = coarse[k / block];
    const Root& b = fine[k % block];
    roots[k] = {static_cast<double>(a.real * b.real - a.imaginary * b.imaginary),
                static_cast<double>(a.real * b.imaginary + a.imaginary * b.real)};
  }
  return roots;
}

}  // namespace

Complex power(Complex a, unsigned long n) {
  Complex result = a;
  bool started = false;
  for (;; n >>= 1) {
    if ((n & 1) != 0) {
      result = started ? product(result, a) : a;
      started = true;
    }
    if (n <= 1) return result;
    a = product(a, a);
  }
}

Fft::Fft(std::size_t n) : size_(n) {
  const std::vector<Complex> all = roots_of_unity(n);
  roots_.reserve(n);
  for (std::size_t half = n / 2; half >= 1; half /= 2) {
    ++stages_;
    for (std::size_t k = 0; k < half; ++k) roots_.push_back(all[k * (n / 2 / half)]);
  }
}

void Fft::forward(std::vector<Complex>& data) const {
  const Complex* root = roots_.data();
  for (std::size_t half = size_ / 2; half >= 1; half /= 2) {
    for (std::size_t start = 0; start < size_; start += 2 * half) {
      Complex* const low = data.data() + start;
      Complex* const high = low + half;
      for (std::size_t k = 0; k < half; ++k) {
        const Complex difference = low[k] - high[k];
        low[k] += high[k];
        high[k] = product(difference, root[k]);
      }
    }
    root += half;
  }
}

void Fft::inverse(std::vector<Complex>& data) const {
  const Complex* root = roots_.data() + roots_.size();
  for (std::size_t half = 1; half < size_; half *= 2) {
    root -= half;
    for (std::size_t start = 0; start < size_; start += 2 * half) {
      Complex* const low = data.data() + start;
      Complex* const high = low + half;
      for (std::size_t k = 0; k < half; ++k) {
        const Complex turned = product(high[k], std::conj(root[k]));
        high[k] = low[k] - turned;
        low[k] += turned;
      }
    }
  }
  const double scale = 1 / static_cast<double>(size_);  // a power of two: exact
  for (Complex& value : data) value *= scale;
}

double Fft::relative_error() const { return 8 * static_cast<double>(stages_) * 0x1p-53 * (1 + 0x1p-20); }

}  // namespace tacet::numeric
