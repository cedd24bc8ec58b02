// tacet/data/row_fold.h: turns rows of numbers into integers and adds them. Private to data.
//
//   Grid height = *Grid::of("height", *column.bounds);
//   RowPlan plan{.map = std::vector<Grid>{height}, .missing = {{-999}}, .shape = {1, true, 1}};
//   RowFold fold(plan);                             // one for each thread
//   fold.add(columns, nullptr, 2048);               // any number of rows
//
// Each row becomes integers alone (grid.h, norm_clip.h); sums are exact (moment_sums.h).
// Cost     memory: kStretch rows of numbers and integers; adding allocates nothing.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "tacet/data/coder.h"
#include "tacet/data/grid.h"
#include "tacet/data/moment_sums.h"
#include "tacet/data/norm_clip.h"
#include "tacet/data/stored_column.h"

namespace tacet::data {

/// How the numbers of a row become integers.
using RowMap = std::variant<std::vector<Grid>, NormClip>;

/// A categorical column; its code times the stride is its part of the group number of a row.
struct GroupAxis {
  std::size_t column;  // its position in the source
  Coder coder;
  std::uint32_t stride;

  std::uint32_t part(const std::optional<std::string_view>& text) const { return (text ? coder.code(*text) : coder.missing()) * stride; }
};

struct RowPlan {
  RowMap map;
  std::vector<std::vector<double>> missing;  // per column, the numbers that mean "missing"
  MomentShape shape;
  std::vector<GroupAxis> axes{};       // none: one group
  std::vector<std::size_t> numbers{};  // positions of the columns in the source
  std::uint64_t single = 0;            // bit j: it stores number j in single precision
};

class RowFold {
 public:
  /// The plan must outlive it.
  explicit RowFold(const RowPlan& plan);
  RowFold(const RowFold&) = delete;  // it points into itself
  RowFold& operator=(const RowFold&) = delete;
  ~RowFold() = default;

  /// Rows from `first` on, of columns as in the plan; `codes` are their groups, null for one group.
  void add(const std::vector<StoredColumn>& columns, const std::uint32_t* codes, std::size_t rows, std::size_t first = 0);

  void merge(const RowFold& other) { sums_.merge(other.sums_); }
  const MomentSums& sums() const { return sums_; }

 private:
  const RowPlan& plan_;
  MomentSums sums_;
  std::vector<double> numbers_, scratch_;
  std::vector<std::int32_t> integers_;
  std::vector<const double*> inputs_;
  std::vector<std::int32_t*> outputs_;
  std::vector<const std::int32_t*> addends_;
};

}  // namespace tacet::data
