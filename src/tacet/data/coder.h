// tacet/data/coder.h: maps the text of any value to a cell of its column.
//
//   Coder coder(*column.categories, column.missing_values);
//   coder.code("never");   // 0: a declared category; " never " too
//   coder.code("x7#");     // the cell for undeclared values
//   coder.missing();       // the cell for NULL and empty fields
//
// Total: any bytes give a cell in [0, size()), so no value can make counting fail or grow. A value
// is a category if the bytes are equal. If none is, spaces and tabs around the value do not count,
// 1 and 1.0 are equal for each whole number, and spaces alone are missing. No case is folded.
// Cost     a few comparisons for up to kFew texts, else one hash; only declared texts are stored.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tacet/data/schema.h"
#include "tacet/data/stored_column.h"

namespace tacet::data {

class Coder {
 public:
  Coder(const Categories& categories, const std::vector<std::string>& missing_values)
      : other_(static_cast<std::uint32_t>(categories.other)),
        missing_(static_cast<std::uint32_t>(categories.missing)),
        size_(static_cast<std::uint32_t>(categories.labels.size())) {
    // Declared categories only: the other labels name cells, not values.
    for (std::size_t i = 0; i < categories.declared; ++i) few_.emplace_back(categories.labels[i], static_cast<std::uint32_t>(i));
    for (const std::string& value : missing_values) few_.emplace_back(value, missing_);
    // Whole numbers are written as 1 or as 1.0. The first of equal texts counts: what is declared.
    for (std::size_t i = 0, declared = few_.size(); i < declared; ++i) {
      const auto [text, code] = few_[i];
      const std::string whole = text.substr(0, text.size() - (text.ends_with(".0") ? 2 : 0));
      if (whole.empty() || whole == "-" || whole.find_first_not_of("0123456789", whole[0] == '-' ? 1 : 0) != whole.npos) continue;
      few_.emplace_back(whole == text ? text + ".0" : whole, code);
    }
    if (few_.size() > kFew) many_.insert(few_.begin(), few_.end());
  }

  std::uint32_t code(std::string_view text) const {
    if (few_.size() <= kFew) {
      for (const auto& [known, code] : few_) {
        if (known == text) return code;
      }
    } else if (const auto found = many_.find(text); found != many_.end()) {
      return found->second;
    }
    const std::string_view inner = trimmed(text);
    return inner.size() == text.size() ? other_ : inner.empty() ? missing_ : code(inner);
  }
  std::uint32_t missing() const { return missing_; }
  std::uint32_t size() const { return size_; }

 private:
  static constexpr std::size_t kFew = 8;
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  std::vector<std::pair<std::string, std::uint32_t>> few_;
  std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> many_;
  std::uint32_t other_, missing_, size_;
};

}  // namespace tacet::data
