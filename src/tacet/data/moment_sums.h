// tacet/data/moment_sums.h: exact sums and sums of products of small integers, in groups.
//
//   MomentSums sums({.columns = 2, .products = true, .groups = 1});
//   const std::int32_t q[] = {3, 4}; sums.add({q, q}, nullptr, 2);   // 2 rows of two columns
//   sums.merge(MomentSums(sums.shape()));                            // the sums of another thread
//   sums.totals().numbers[1];                                        // of column 1
// Theorem  A stretch has at most 2^10 rows of values up to 2^26 in size (grid.h, norm_clip.h), so
//          a sum of products is at most 2^62. Stretches are added in 128 bits, enough for 2^75
//          rows. Integer sums do not depend on order or on the number of threads.
// Domain   |value| <= 2^26; group codes below the number of groups.     Error  none.
// Cost     16 bytes per sum and product of a group; bench/moments_bench.cc.
// Checked  tests/data/moment_sums_test.cc
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "tacet/base/wide.h"
#include "tacet/data/grid.h"

namespace tacet::data {

/// Rows in a stretch: 2^10 2^26 2^26 = 2^62.
inline constexpr std::size_t kStretch = 1024;
static_assert(UInt128{kStretch} * kMostSteps * kMostSteps <= (UInt128{1} << 62));

struct MomentShape {
  std::size_t columns;
  bool products;
  std::size_t groups;
  std::size_t units = 0;  // numbers of rows, before some are dropped: of each group, or of people

  /// The number of sums and products of one group.
  std::size_t width() const { return columns + (products ? columns * (columns + 1) / 2 : 0); }
  /// The index of the product of columns j <= k: after the sums, (0,0), (0,1), ..., (1,1), ...
  std::size_t product(std::size_t j, std::size_t k) const { return columns + j * columns - j * (j + 1) / 2 + k; }
};

/// Element i of a group is numbers[group * width() + i]. Exact, so they are wiped on destruction.
struct Totals {
  std::vector<std::int64_t> rows;   // of each group
  std::vector<std::int64_t> units;  // none if no row can be dropped
  std::vector<Int128> numbers;      // of each group: sums, then products

  explicit Totals(const MomentShape& shape) : rows(shape.groups), units(shape.units), numbers(shape.groups * shape.width()) {}
  Totals(Totals&&) noexcept = default;
  /// All of them, one after the other.
  std::array<std::span<std::byte>, 3> bytes() {
    return {std::as_writable_bytes(std::span(rows)), std::as_writable_bytes(std::span(units)), std::as_writable_bytes(std::span(numbers))};
  }
  ~Totals() {
    kernel::wipe(rows);
    kernel::wipe(units);
    kernel::wipe(numbers);
  }
};

class MomentSums {
 public:
  explicit MomentSums(const MomentShape& shape);

  /// Adds (no columns: counts) at most kStretch rows: columns[j][i] in group codes[i] (null: 0).
  void add(const std::vector<const std::int32_t*>& columns, const std::uint32_t* codes, std::size_t rows);
  /// The same of one group.
  void add_stretch(const std::int32_t* const* columns, std::size_t group, std::size_t rows);
  /// Rows that may be dropped afterwards, in these groups; or people, all at once.
  void see(const std::uint32_t* codes, std::size_t rows);
  void see_people(std::int64_t people) { totals_.units.at(0) = people; }
  void merge(const MomentSums& other);

  const MomentShape& shape() const { return shape_; }
  const Totals& totals() const { return totals_; }
  Totals take() { return std::move(totals_); }

 private:
  MomentShape shape_;
  Totals totals_;
  // Scratch: a stretch with its rows sorted by group.
  std::vector<std::uint32_t> ends_, order_;
  std::vector<std::int32_t> ordered_;
  std::vector<const std::int32_t*> parts_;
};

}  // namespace tacet::data
