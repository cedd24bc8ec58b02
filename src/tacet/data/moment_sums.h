// tacet/data/moment_sums.h: exact sums, and sums of products, of columns of small integers, in groups or all together.
//
//   MomentSums sums({.columns = 2, .products = true, .groups = 1});
//   sums.add({q0, q1}, nullptr, 1024);      // 1024 rows: q0[i] and q1[i]
//   sums.merge(others);                     // what another thread has added
//   sums.totals().figures[1];               // of column 1
//
// Theorem  a stretch has at most 2^10 rows, and no value is larger than 2^26 in size (grid.h, norm_clip.h), so the sum of a stretch's
//          products is at most 2^62 and fits 64 bits, in any order. Stretches are added up in 128 bits, which 2^75 rows cannot fill.
//          Integer sums do not depend on order: the result is the same to the bit for every number of threads.
// Domain   |value| <= 2^26; groups below the number declared.
// Error    none.
// Cost     memory: 16 bytes for each sum and product of each group. Time: bench/moments_bench.cc.
// Checked  tests/data/moment_sums_test.cc
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
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

  /// Sums and products of one group.
  std::size_t width() const { return columns + (products ? columns * (columns + 1) / 2 : 0); }
  /// Where the product of columns j <= k stands among them: (0,0), (0,1), ..., (1,1), ... after the sums.
  std::size_t product(std::size_t j, std::size_t k) const { return columns + j * columns - j * (j + 1) / 2 + k; }
};

/// What is added up. The i-th of a group's width() figures stands at group * width() + i.
struct Totals {
  std::vector<std::int64_t> rows;  // of each group
  std::vector<Int128> figures;     // of each group: sums, then products
};

class MomentSums {
 public:
  explicit MomentSums(const MomentShape& shape);

  /// Allocates nothing; without columns it counts rows. Adds at most kStretch rows: columns[j][i] in group codes[i], or all in group 0 where codes is null.
  void add(const std::vector<const std::int32_t*>& columns, const std::uint32_t* codes, std::size_t rows);
  void merge(const MomentSums& other);

  const MomentShape& shape() const { return shape_; }
  const Totals& totals() const { return totals_; }

 private:
  void add_stretch(const std::int32_t* const* columns, std::size_t group, std::size_t rows);

  MomentShape shape_;
  Totals totals_;
  // Scratch: a stretch with its rows ordered by group.
  std::vector<std::uint32_t> ends_, order_;
  std::vector<std::int32_t> ordered_;
  std::vector<const std::int32_t*> parts_;
};

}  // namespace tacet::data
