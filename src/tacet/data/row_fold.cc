#include "tacet/data/row_fold.h"

#include <algorithm>

namespace tacet::data {

RowFold::RowFold(const RowPlan& plan)
    : plan_(plan),
      sums_(plan.shape),
      numbers_(plan.missing.size() * kStretch),
      integers_(plan.shape.columns * kStretch),
      inputs_(plan.missing.size()) {
  if (const auto* clip = std::get_if<NormClip>(&plan.map)) scratch_.resize(clip->scratch_size());
  for (std::size_t i = 0; i < plan.shape.columns; ++i) {
    outputs_.push_back(integers_.data() + i * kStretch);
    addends_.push_back(outputs_.back());
  }
}

void RowFold::add(const std::vector<StoredColumn>& columns, const std::uint32_t* codes, std::size_t rows, std::size_t first) {
  for (std::size_t begin = 0; begin < rows; begin += kStretch) {
    const std::size_t count = std::min(kStretch, rows - begin);
    for (std::size_t j = 0; j < inputs_.size(); ++j)
      inputs_[j] = read_numbers(columns[j], first + begin, count, plan_.missing[j], numbers_.data() + j * kStretch);
    if (const auto* clip = std::get_if<NormClip>(&plan_.map)) {
      clip->apply(inputs_.data(), count, outputs_.data(), scratch_.data());
    } else {
      const auto& grids = *std::get_if<std::vector<Grid>>(&plan_.map);
      for (std::size_t j = 0; j < grids.size(); ++j) grids[j].steps(inputs_[j], count, outputs_[j]);
    }
    sums_.add(addends_, codes == nullptr ? nullptr : codes + begin, count);
  }
}

}  // namespace tacet::data
