#include "tacet/kernel/outer_products.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <cstdint>

#include <gmpxx.h>

#include "tacet/base/wide.h"
#include "tacet/exact/rounding.h"
#include "tacet/kernel/release_steps.h"

namespace tacet::kernel {
namespace {

using Matrix = Eigen::MatrixXd;

// N is scaled to entries of at most 1 and kept in units of 2^-96; G, whose rows then have a length of at most 8, in units of 2^-48.
constexpr int kUnitLog2 = 96;
constexpr int kGuessLog2 = 48;
constexpr double kLargestGuess = 8;

/// Calls with (i, j, value) for i <= j: the upper triangle of a symmetric matrix, row by row.
template <class Value, class Call>
void for_each_pair(const std::vector<Value>& triangle, std::size_t columns, Call&& call) {
  std::size_t at = 0;
  for (std::size_t i = 0; i < columns; ++i) {
    for (std::size_t j = i; j < columns; ++j) call(i, j, triangle[at++]);
  }
}

/// Some G with GG' near N, in units of 2^-48, row by row: eigenvectors times the roots of their eigenvalues, without those below 0.
std::vector<std::int64_t> guessed_root(const std::vector<Int128>& triangle, std::size_t columns) {
  const auto size = static_cast<Eigen::Index>(columns);
  Matrix matrix(size, size);
  for_each_pair(triangle, columns, [&](std::size_t i, std::size_t j, Int128 value) {
    matrix(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = std::ldexp(static_cast<double>(value), -kUnitLog2);
    matrix(static_cast<Eigen::Index>(j), static_cast<Eigen::Index>(i)) = std::ldexp(static_cast<double>(value), -kUnitLog2);
  });
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(matrix);
  const Matrix root = solver.eigenvectors() * solver.eigenvalues().cwiseMax(0).cwiseSqrt().asDiagonal();
  std::vector<std::int64_t> out;
  for (Eigen::Index i = 0; i < size; ++i) {
    for (Eigen::Index j = 0; j < size; ++j) {
      // Anything will do, so long as the integers below cannot overflow.
      const double value = std::abs(root(i, j)) <= kLargestGuess ? root(i, j) : 0;
      out.push_back(std::llround(std::ldexp(value, kGuessLog2)));
    }
  }
  return out;
}

/// At least the sum of |N - GG'| over all entries, in units of 2^-96. Each |GG'| is at most 64 (2^51)^2 = 2^108.
Int128 distance(const std::vector<Int128>& triangle, const std::vector<std::int64_t>& root, std::size_t columns) {
  Int128 sum = 0;
  for_each_pair(triangle, columns, [&](std::size_t i, std::size_t j, Int128 value) {
    Int128 product = 0;
    for (std::size_t k = 0; k < columns; ++k) product += Int128{root[i * columns + k]} * root[j * columns + k];
    const Int128 apart = value > product ? value - product : product - value;
    sum += (i == j ? 1 : 2) * (apart + 1);  // 1: what `value` lost when it was rounded down
  });
  return sum;
}

}  // namespace

std::vector<double> outer_product_bounds(NoiseFamily family, const std::vector<double>& most, std::size_t columns) {
  std::vector<double> squares(columns);
  for_each_pair(most, columns, [&](std::size_t i, std::size_t j, double bound) {
    if (i == j) squares[i] = bound;
  });
  std::vector<double> bounds;
  bounds.reserve(most.size());
  for_each_pair(most, columns, [&](std::size_t i, std::size_t j, double bound) {
    const double sizes = exact::least_double_root_at_least(mpq_class(squares[i]) * squares[j]);  // m_i m_j
    bounds.push_back(family == NoiseFamily::Laplace ? sizes : exact::least_double_root_at_least(mpq_class(bound) * sizes));
  });
  return bounds;
}

double outer_product_factor(NoiseFamily family, const std::vector<double>& weights, std::size_t columns) {
  const bool laplace = family == NoiseFamily::Laplace;
  std::vector<mpq_class> shares;
  mpq_class total = 0;
  for (const double weight : weights) {
    shares.push_back(laplace ? mpq_class(weight) : mpq_class(weight) * weight);
    total += shares.back();
  }
  const mpq_class largest = *std::max_element(shares.begin(), shares.end());
  std::vector<Int128> triangle;
  for_each_pair(shares, columns, [&](std::size_t i, std::size_t j, const mpq_class& share) {
    const mpq_class units = share / largest * mpz_class(mpz_class(1) << (i == j ? kUnitLog2 : kUnitLog2 - 1));
    triangle.push_back(from_big(units.get_num() / units.get_den()));
  });
  const mpq_class apart =
      mpq_class(to_big(distance(triangle, guessed_root(triangle, columns), columns))) / mpz_class(mpz_class(1) << kUnitLog2);
  const mpq_class factor = 1 + apart * largest / total;
  return laplace ? exact::least_double_at_least(factor) : exact::least_double_root_at_least(factor);
}

}  // namespace tacet::kernel
