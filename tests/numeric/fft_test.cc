#include "tacet/numeric/fft.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "support/promise.h"
#include "support/scripted_bits.h"

namespace tacet::numeric::fft_test {
namespace {

using Complex = std::complex<double>;
using LongComplex = std::complex<long double>;

std::vector<Complex> random_data(std::size_t n, std::uint64_t seed) {
  test::InsecureStream stream(seed);
  const auto part = [&] { return static_cast<double>(stream.next() >> 11) * 0x1p-52 - 1; };
  std::vector<Complex> data(n);
  for (Complex& value : data) value = {part(), part()};
  return data;
}

std::size_t reversed(std::size_t index, std::size_t n) {
  std::size_t result = 0;
  for (std::size_t bit = 1; bit < n; bit *= 2) {
    result = 2 * result + (index & 1);
    index /= 2;
  }
  return result;
}

TEST(Fft, IsTheTransformOfItsDefinitionInBitReversedOrder) {
  for (const std::size_t n : {2U, 4U, 8U, 64U, 512U}) {
    const std::vector<Complex> data = random_data(n, n);
    const Fft fft(n);
    std::vector<Complex> computed = data;
    fft.forward(computed);
    long double error = 0;
    long double norm = 0;
    long double largest = 0;
    long double moduli = 0;
    for (const Complex& value : data) moduli += std::abs(value);
    for (std::size_t k = 0; k < n; ++k) {
      LongComplex sum = 0;
      for (std::size_t j = 0; j < n; ++j) {
        const long double angle =
            -2 * std::numbers::pi_v<long double> * static_cast<long double>((j * k) % n) / static_cast<long double>(n);
        sum += LongComplex(data[j]) * LongComplex(std::cos(angle), std::sin(angle));
      }
      error += std::norm(sum - LongComplex(computed[reversed(k, n)]));
      largest = std::max(largest, std::abs(sum - LongComplex(computed[reversed(k, n)])));
      norm += std::norm(sum);
    }
    EXPECT_LE(std::sqrt(error / norm), fft.relative_error()) << n;
    EXPECT_LE(largest / moduli, fft.relative_error()) << n;
    EXPECT_GT(fft.relative_error(), 0) << n;
  }
}

TEST(Fft, ComesBackWithinTwiceItsStatedError) {
  for (const std::size_t n : {std::size_t{1} << 10, std::size_t{1} << 16}) {
    const std::vector<Complex> data = random_data(n, test::suite_seed());
    const Fft fft(n);
    std::vector<Complex> there_and_back = data;
    fft.forward(there_and_back);
    fft.inverse(there_and_back);
    double error = 0;
    double norm = 0;
    for (std::size_t i = 0; i < n; ++i) {
      error += std::norm(data[i] - there_and_back[i]);
      norm += std::norm(data[i]);
    }
    EXPECT_LE(std::sqrt(error / norm), 2.01 * fft.relative_error()) << n;
    EXPECT_GT(std::sqrt(error / norm), 0) << n;
  }
}

TEST(Fft, ConvolvesIntegersExactlyAfterRounding) {
  const std::size_t n = 1 << 12;
  test::InsecureStream stream(test::suite_seed());
  std::vector<long> a(n / 2);
  std::vector<long> b(n / 2);
  for (long& value : a) value = static_cast<long>(stream.next() % 1000);
  for (long& value : b) value = static_cast<long>(stream.next() % 1000);
  std::vector<Complex> x(n);
  std::vector<Complex> y(n);
  for (std::size_t i = 0; i < n / 2; ++i) {
    x[i] = static_cast<double>(a[i]);
    y[i] = static_cast<double>(b[i]);
  }
  const Fft fft(n);
  fft.forward(x);
  fft.forward(y);
  for (std::size_t i = 0; i < n; ++i) x[i] = product(x[i], y[i]);
  fft.inverse(x);
  for (std::size_t k = 0; k < n; ++k) {
    long exact = 0;
    for (std::size_t i = k < n / 2 ? 0 : k - n / 2 + 1; i <= std::min(k, n / 2 - 1); ++i) exact += a[i] * b[k - i];
    ASSERT_EQ(std::lround(x[k].real()), exact) << k;
  }
}

TEST(Power, IsWithinItsStatedErrorOfThePolarForm) {
  for (const unsigned long n : {1UL, 2UL, 3UL, 7UL, 1000UL, 123457UL}) {
    for (const double angle : {0.0, 0.3, 2.0, -3.0}) {
      const double radius = 0.99999;
      const Complex a = std::polar(radius, angle);
      const LongComplex exact_base(a);
      LongComplex exact = 1;
      for (unsigned long i = 0; i < n; ++i) exact *= exact_base;
      const LongComplex got(power(a, n));
      EXPECT_LE(std::abs(got - exact), 3 * static_cast<long double>(n) * 0x1p-53L * std::abs(exact)) << n << " " << angle;
    }
  }
}

}  // namespace
}  // namespace tacet::numeric::fft_test
