// tacet/schemas/profile/text_tally.h: counts texts, in bounded memory.
//
//   TextTally tally;
//   tally.add("never", /*rows=*/3);
//   tally.most_frequent(10);          // {{"never", 3}}
//
// Counts are exact. Once kMost different texts are known, new ones are no longer counted, and
// complete() is false.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tacet/schemas/profile/profile.h"

namespace tacet::schemas {

/// The text as a TextCount has it.
std::string shown_text(std::string_view text);

class TextTally {
 public:
  static constexpr std::size_t kMost = 200'000;
  static constexpr std::size_t kLongestKey = 200;  // texts that agree so far count as one

  explicit TextTally(std::size_t most = kMost) : most_(most) {}
  void add(std::string_view text, std::int64_t rows);
  bool complete() const { return complete_; }
  std::size_t size() const { return counts_.size(); }
  /// By rows, most first; then by text.
  std::vector<TextCount> most_frequent(std::size_t most) const;
  /// All of them, by text.
  std::vector<TextCount> by_text() const;
  /// The most frequent text that a person may have meant by `written`: equal up to case, spaces,
  /// dashes and underscores, or the same number.
  std::optional<TextCount> like(std::string_view written) const;

 private:
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  std::size_t most_;
  bool complete_ = true;
  std::unordered_map<std::string, std::int64_t, Hash, std::equal_to<>> counts_;
};

}  // namespace tacet::schemas
