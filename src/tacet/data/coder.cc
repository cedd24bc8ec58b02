#include "tacet/data/coder.h"

namespace tacet::data {

Coder::Coder(const Categories& categories, const std::vector<std::string>& missing_values)
    : other_(static_cast<std::uint32_t>(categories.other)),
      missing_(static_cast<std::uint32_t>(categories.missing)),
      size_(static_cast<std::uint32_t>(categories.labels.size())) {
  // Declared categories only: the labels after them name cells, not values.
  for (std::size_t i = 0; i < categories.declared; ++i) few_.emplace_back(categories.labels[i], static_cast<std::uint32_t>(i));
  for (const std::string& value : missing_values) few_.emplace_back(value, missing_);
  if (few_.size() > kFew) many_.insert(few_.begin(), few_.end());
}

}  // namespace tacet::data
