#include "tacet/data/moment_sums.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "tacet/data/vectors.h"

namespace tacet::data {
namespace {

TACET_VECTORS std::int64_t sum_of(const std::int32_t* a, std::size_t rows) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < rows; ++i) sum += a[i];
  return sum;
}

TACET_VECTORS std::int64_t dot(const std::int32_t* a, const std::int32_t* b, std::size_t rows) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < rows; ++i) sum += std::int64_t{a[i]} * b[i];
  return sum;
}

}  // namespace

MomentSums::MomentSums(const MomentShape& shape) : shape_(shape), totals_(shape) {
  if (shape.groups > 1 && shape.columns > 0) {
    ends_.resize(shape.groups);
    order_.resize(kStretch);
    ordered_.resize(shape.columns * kStretch);
    parts_.resize(shape.columns);
  }
}

void MomentSums::add_stretch(const std::int32_t* const* columns, std::size_t group, std::size_t rows) {
  totals_.rows[group] += static_cast<std::int64_t>(rows);
  Int128* const totals = totals_.numbers.data() + group * shape_.width();
  for (std::size_t j = 0; j < shape_.columns; ++j) totals[j] += sum_of(columns[j], rows);
  if (!shape_.products) return;
  for (std::size_t j = 0; j < shape_.columns; ++j) {
    for (std::size_t k = j; k < shape_.columns; ++k) totals[shape_.product(j, k)] += dot(columns[j], columns[k], rows);
  }
}

void MomentSums::add(const std::vector<const std::int32_t*>& columns, const std::uint32_t* codes, std::size_t rows) {
  if (codes == nullptr || shape_.groups == 1) {
    add_stretch(columns.data(), 0, rows);
    return;
  }
  if (shape_.columns == 0) {
    for (std::size_t i = 0; i < rows; ++i) ++totals_.rows[codes[i]];
    return;
  }
  // A counting sort by group; then the rows of each group are contiguous.
  std::fill(ends_.begin(), ends_.end(), 0U);
  for (std::size_t i = 0; i < rows; ++i) ++ends_[codes[i]];
  std::uint32_t begin = 0;
  for (std::uint32_t& end : ends_) begin += std::exchange(end, begin);
  for (std::size_t i = 0; i < rows; ++i) order_[ends_[codes[i]]++] = static_cast<std::uint32_t>(i);
  for (std::size_t j = 0; j < shape_.columns; ++j) {
    std::int32_t* const to = ordered_.data() + j * kStretch;
    for (std::size_t i = 0; i < rows; ++i) to[i] = columns[j][order_[i]];
  }
  begin = 0;
  for (std::size_t group = 0; group < shape_.groups; ++group) {
    const std::uint32_t end = ends_[group];
    if (end == begin) continue;
    for (std::size_t j = 0; j < shape_.columns; ++j) parts_[j] = ordered_.data() + j * kStretch + begin;
    add_stretch(parts_.data(), group, end - begin);
    begin = end;
  }
}

void MomentSums::see(const std::uint32_t* codes, std::size_t rows) {
  for (std::size_t i = 0; i < rows; ++i) ++totals_.units[codes[i]];
}

void MomentSums::merge(const MomentSums& other) {
  const auto add_to = [](auto& mine, const auto& theirs) {
    std::transform(mine.begin(), mine.end(), theirs.begin(), mine.begin(), std::plus<>());
  };
  add_to(totals_.rows, other.totals_.rows);
  add_to(totals_.units, other.totals_.units);
  add_to(totals_.numbers, other.totals_.numbers);
}

}  // namespace tacet::data
