// tacet/data/tally.h: a dense table of counts, and the cell of a row in it.
//
//   TableShape shape = *TableShape::of({4, 3});   // cells row-major, the last axis runs fastest: cell = 3 i + j
//   Tally tally(shape);
//   tally.add(shape.cell({2, 1}));
//
// This is the whole of the counting: each row adds 1 to one cell, so that a row is worth 1 in L1 and in L2 squared.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tacet/base/result.h"

namespace tacet::data {

/// The largest table we make.
inline constexpr std::size_t kMostCells = 10'000'000;

class TableShape {
 public:
  /// Nothing if the table would have more than kMostCells cells, or none.
  static std::optional<TableShape> of(const std::vector<std::uint32_t>& sizes);

  std::size_t axes() const { return sizes_.size(); }
  std::uint32_t size(std::size_t axis) const { return sizes_[axis]; }
  std::uint32_t stride(std::size_t axis) const { return strides_[axis]; }
  std::size_t cells() const { return cells_; }

 private:
  TableShape() = default;
  std::vector<std::uint32_t> sizes_, strides_;
  std::size_t cells_ = 1;
};

class Tally {
 public:
  explicit Tally(const TableShape& shape) : counts_(shape.cells(), 0) {}

  void add(std::size_t cell) { ++counts_[cell]; }
  /// Adds `other`, an array of as many counts.
  void merge(const std::int64_t* other);

  /// The counts, if none is negative and they sum to `rows`, which the caller has counted in another way; else Internal.
  Result<std::vector<std::int64_t>> checked(std::int64_t rows) &&;

 private:
  std::vector<std::int64_t> counts_;
};

}  // namespace tacet::data
