#include "tacet/kernel/outer_products.h"

#include <algorithm>

#include "tacet/exact/fixed_point.h"
#include "tacet/exact/uniform.h"

namespace tacet::kernel {
namespace {

// The matrix N (docs/explanation/outer_products.md) has entries of at most 1, in units of 2^-112.
constexpr int kUnitLog2 = 2 * kRootLog2;
constexpr std::int64_t kLargestRoot = std::int64_t{8} << kRootLog2;
constexpr unsigned long kPartBits = 256;  // c_ij are rounded up to multiples of 2^-256

/// Calls call(i, j, value) for i <= j: the upper triangle of a symmetric matrix, row by row.
template <class Values, class Call>
void for_each_pair(const Values& triangle, std::size_t columns, Call&& call) {
  std::size_t at = 0;
  for (std::size_t i = 0; i < columns; ++i) {
    for (std::size_t j = i; j < columns; ++j) call(i, j, triangle[at++]);
  }
}

/// At least the sum of |N - GG'|, in units of 2^-112; 1 covers the rounding of each `value`. Each
/// |GG'| is at most 64 (2^59)^2 = 2^124. Any other G counts as 0.
mpz_class distance(const std::vector<Int128>& triangle, std::span<const std::int64_t> root, std::size_t columns) {
  const auto is_small = [](std::int64_t entry) { return entry >= -kLargestRoot && entry <= kLargestRoot; };
  const bool proposed = root.size() == columns * columns && std::all_of(root.begin(), root.end(), is_small);
  mpz_class sum = 0;
  for_each_pair(triangle, columns, [&](std::size_t i, std::size_t j, Int128 value) {
    Int128 product = 0;
    for (std::size_t k = 0; proposed && k < columns; ++k) product += Int128{root[i * columns + k]} * root[j * columns + k];
    const Int128 apart = value > product ? value - product : product - value;
    sum += (i == j ? 1 : 2) * exact::to_big(static_cast<UInt128>(apart + 1));
  });
  return sum;
}

}  // namespace

mpq_class outer_product_factor(const std::vector<mpq_class>& parts, std::size_t columns, std::span<const std::int64_t> root) {
  mpq_class total = 0;
  for (const mpq_class& part : parts) total += part;
  const mpq_class largest = *std::max_element(parts.begin(), parts.end());
  if (largest <= 0) return 1;
  std::vector<Int128> triangle;
  for_each_pair(parts, columns, [&](std::size_t i, std::size_t j, const mpq_class& part) {
    const mpz_class units = exact::units_down(part / largest, static_cast<unsigned long>(i == j ? kUnitLog2 : kUnitLog2 - 1));
    triangle.push_back(static_cast<Int128>(exact::from_big(units)));
  });
  return 1 + exact::from_units(distance(triangle, root, columns), kUnitLog2) * largest / total;
}

mpq_class spent_by_products(NoiseFamily family, std::span<const Int128> most, std::span<const double> scales, std::size_t columns,
                            std::span<const std::int64_t> root) {
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
  return outer_product_factor(parts, columns, root) * total;
}

}  // namespace tacet::kernel
