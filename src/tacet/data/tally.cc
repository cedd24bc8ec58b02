#include "tacet/data/tally.h"

#include <utility>

#include "tacet/base/wide.h"

namespace tacet::data {

std::optional<TableShape> TableShape::of(const std::vector<std::uint32_t>& sizes) {
  TableShape shape;
  shape.sizes_ = sizes;
  shape.strides_.resize(sizes.size());
  for (std::size_t axis = sizes.size(); axis-- > 0;) {
    shape.strides_[axis] = static_cast<std::uint32_t>(shape.cells_);
    const std::optional<std::size_t> cells = checked_multiply<std::size_t>(shape.cells_, sizes[axis]);
    if (!cells || *cells == 0 || *cells > kMostCells) return std::nullopt;
    shape.cells_ = *cells;
  }
  return shape;
}

void Tally::merge(const std::int64_t* other) {
  for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i] += other[i];
}

Result<std::vector<std::int64_t>> Tally::checked(std::int64_t rows) && {
  std::int64_t sum = 0;
  for (const std::int64_t count : counts_) {
    const std::optional<std::int64_t> next = count < 0 ? std::nullopt : checked_add(sum, count);
    if (!next) return Error::of(Code::Internal, "a count is negative or too large", "please report this");
    sum = *next;
  }
  if (sum != rows) return Error::of(Code::Internal, "the counts do not sum to the number of rows", "please report this");
  return std::move(counts_);
}

}  // namespace tacet::data
