#include "tacet/kernel/outer_products.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "tacet/exact/fixed_point.h"
#include "tacet/exact/uniform.h"

namespace tacet::kernel {
namespace {

// The matrix N (docs/explanation/outer_products.md) is scaled to entries of at most 1, in units of
// 2^-112. The guessed root G then has rows of length at most 8, in units of 2^-56.
constexpr int kUnitLog2 = 112;
constexpr int kGuessLog2 = 56;
constexpr double kLargestGuess = 8;
constexpr unsigned long kPartBits = 256;  // c_ij are rounded up to multiples of 2^-256

/// Calls call(i, j, value) for i <= j: the upper triangle of a symmetric matrix, row by row.
template <class Values, class Call>
void for_each_pair(const Values& triangle, std::size_t columns, Call&& call) {
  std::size_t at = 0;
  for (std::size_t i = 0; i < columns; ++i) {
    for (std::size_t j = i; j < columns; ++j) call(i, j, triangle[at++]);
  }
}

/// A square matrix, row by row.
struct Square {
  std::size_t size;
  std::vector<double> entries;
  explicit Square(std::size_t n) : size(n), entries(n * n) {}
  double& at(std::size_t i, std::size_t j) { return entries[i * size + j]; }
};

/// Jacobi's method: rotates `matrix` until it is diagonal, up to rounding, and `basis` with it.
void diagonalise(Square& matrix, Square& basis) {
  const std::size_t n = matrix.size;
  const auto turn = [](double& left, double& right, double cosine, double sine) {
    const double before = left;
    left = cosine * before - sine * right;
    right = sine * before + cosine * right;
  };
  constexpr int kMostSweeps = 30;
  for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
    bool turned = false;
    for (std::size_t p = 0; p < n; ++p) {
      for (std::size_t q = p + 1; q < n; ++q) {
        const double beside = matrix.at(p, q);
        if (std::abs(beside) < 0x1p-80) continue;
        turned = true;
        const double slope = (matrix.at(q, q) - matrix.at(p, p)) / (2 * beside);
        const double tangent = std::copysign(1 / (std::abs(slope) + std::hypot(slope, 1.0)), slope);
        const double cosine = 1 / std::hypot(tangent, 1.0), sine = tangent * cosine;
        for (std::size_t k = 0; k < n; ++k) turn(matrix.at(k, p), matrix.at(k, q), cosine, sine);
        for (std::size_t k = 0; k < n; ++k) turn(matrix.at(p, k), matrix.at(q, k), cosine, sine);
        for (std::size_t k = 0; k < n; ++k) turn(basis.at(k, p), basis.at(k, q), cosine, sine);
      }
    }
    if (!turned) return;
  }
}

/// A G with GG' near N: eigenvectors times the roots of their positive eigenvalues.
std::vector<std::int64_t> guessed_root(const std::vector<Int128>& triangle, std::size_t columns) {
  Square matrix(columns), basis(columns);
  for_each_pair(triangle, columns, [&](std::size_t i, std::size_t j, Int128 value) {
    matrix.at(i, j) = matrix.at(j, i) = std::ldexp(static_cast<double>(value), -kUnitLog2);
    if (i == j) basis.at(i, j) = 1;
  });
  diagonalise(matrix, basis);
  std::vector<std::int64_t> out;
  for (std::size_t i = 0; i < columns; ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      const double value = basis.at(i, j) * std::sqrt(std::max(0.0, matrix.at(j, j)));
      // Any value is valid, as long as the integers below cannot overflow.
      out.push_back(std::abs(value) <= kLargestGuess ? std::llround(std::ldexp(value, kGuessLog2)) : 0);
    }
  }
  return out;
}

/// At least the sum of |N - GG'|, in units of 2^-112; 1 covers the rounding of each `value`. Each
/// |GG'| is at most 64 (2^59)^2 = 2^124.
mpz_class distance(const std::vector<Int128>& triangle, const std::vector<std::int64_t>& root, std::size_t columns) {
  mpz_class sum = 0;
  for_each_pair(triangle, columns, [&](std::size_t i, std::size_t j, Int128 value) {
    Int128 product = 0;
    for (std::size_t k = 0; k < columns; ++k) product += Int128{root[i * columns + k]} * root[j * columns + k];
    const Int128 apart = value > product ? value - product : product - value;
    sum += (i == j ? 1 : 2) * exact::to_big(static_cast<UInt128>(apart + 1));
  });
  return sum;
}

}  // namespace

mpq_class outer_product_factor(const std::vector<mpq_class>& parts, std::size_t columns) {
  mpq_class total = 0;
  for (const mpq_class& part : parts) total += part;
  const mpq_class largest = *std::max_element(parts.begin(), parts.end());
  if (largest <= 0) return 1;
  std::vector<Int128> triangle;
  for_each_pair(parts, columns, [&](std::size_t i, std::size_t j, const mpq_class& part) {
    const mpz_class units = exact::units_down(part / largest, static_cast<unsigned long>(i == j ? kUnitLog2 : kUnitLog2 - 1));
    triangle.push_back(static_cast<Int128>(exact::from_big(units)));
  });
  return 1 + exact::from_units(distance(triangle, guessed_root(triangle, columns), columns), kUnitLog2) * largest / total;
}

mpq_class spent_by_products(NoiseFamily family, std::span<const Int128> most, std::span<const double> scales, std::size_t columns) {
  std::vector<mpz_class> bounds, squares;
  for (const Int128 bound : most) bounds.push_back(exact::to_big(static_cast<UInt128>(bound)));
  for_each_pair(bounds, columns, [&](std::size_t i, std::size_t j, const mpz_class& bound) {
    if (i == j) squares.push_back(bound);
  });
  std::vector<mpq_class> parts;
  mpq_class total = 0;
  for_each_pair(bounds, columns, [&](std::size_t i, std::size_t j, const mpz_class& bound) {
    const mpq_class sizes = exact::from_units(exact::root_units_up(squares[i] * squares[j], kPartBits), kPartBits);
    const mpq_class scale(scales[parts.size()]);
    const mpq_class part = family == NoiseFamily::Laplace ? mpq_class(sizes / scale) : mpq_class(sizes * bound / (scale * scale));
    parts.push_back(exact::from_units(exact::units_up(part, kPartBits), kPartBits));
    total += parts.back();
  });
  return outer_product_factor(parts, columns) * total;
}

}  // namespace tacet::kernel
