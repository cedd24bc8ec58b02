#include "tacet/mechanisms/product_root.h"

#include <algorithm>
#include <cmath>

#include "tacet/kernel/outer_products.h"

namespace tacet::mechanisms {
namespace {

/// A square matrix, row by row.
struct Square {
  std::size_t side;
  std::vector<double> entries;
  explicit Square(std::size_t n) : side(n), entries(n * n) {}
  double& at(std::size_t i, std::size_t j) { return entries[i * side + j]; }
};

/// Jacobi's method: rotates `matrix` until it is diagonal, up to rounding, and `basis` with it.
void diagonalise(Square& matrix, Square& basis) {
  const std::size_t n = matrix.side;
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

}  // namespace

std::vector<std::int64_t> product_root(const std::vector<mpq_class>& shares, std::size_t columns) {
  const mpq_class largest = *std::max_element(shares.begin(), shares.end());
  Square matrix(columns), basis(columns);
  std::size_t at = 0;
  for (std::size_t i = 0; i < columns; ++i) {
    basis.at(i, i) = 1;
    for (std::size_t j = i; j < columns; ++j) {
      const mpq_class entry = shares[at++] / largest / (i == j ? 1 : 2);
      matrix.at(i, j) = matrix.at(j, i) = entry.get_d();
    }
  }
  diagonalise(matrix, basis);
  constexpr double kLargestEntry = 8;
  std::vector<std::int64_t> root;
  for (std::size_t i = 0; i < columns; ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      const double value = basis.at(i, j) * std::sqrt(std::max(0.0, matrix.at(j, j)));
      root.push_back(std::abs(value) < kLargestEntry ? std::llround(std::ldexp(value, kernel::kRootLog2)) : 0);
    }
  }
  return root;
}

}  // namespace tacet::mechanisms
