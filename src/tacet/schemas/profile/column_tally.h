// tacet/schemas/profile/column_tally.h: sorts the values of one column as a release would.
//
//   ColumnTally tally(*schema.find("smoking"), /*stored=*/{});
//   tally.add("never", /*rows=*/3);
//   tally.add(std::nullopt, 1);                       // NULL, or an empty field
//   ColumnProfile smoking = tally.profile();
//
// Categories are told by data/coder.h and numbers by data/stored_column.h, which releases use. So a
// row that is counted here as `other`, missing or beyond a bound is so in a release, too.
// LearntTally does the same for a column that is not declared yet.
// Cost     per value a lookup or a conversion; memory: TextTally.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "tacet/data/coder.h"
#include "tacet/data/schema.h"
#include "tacet/schemas/profile/number_forms.h"
#include "tacet/schemas/profile/profile.h"
#include "tacet/schemas/profile/text_tally.h"

namespace tacet::schemas {

/// How a source stores a column, as far as it decides which number a text is.
struct StoredAs {
  bool single = false;   // in single precision
  bool numbers = false;  // as numbers, so that true is 1; otherwise as texts
};

class ColumnTally {
 public:
  ColumnTally(const data::Column& column, const StoredAs& stored);
  void add(std::optional<std::string_view> text, std::int64_t rows);
  ColumnProfile profile() const;

 private:
  void add_number(std::string_view text, std::int64_t rows);
  /// In the precision of the column.
  double stored(double value) const { return stored_.single ? static_cast<double>(static_cast<float>(value)) : value; }

  data::Column column_;
  StoredAs stored_;
  std::optional<data::Coder> coder_;  // with cells of their own for `other` and missing
  std::vector<std::int64_t> cells_;
  std::vector<double> missing_numbers_;
  double lower_, upper_, first_ = 0, last_ = 0;
  TextTally undeclared_, unread_;
  NumberForms forms_;
  ColumnProfile profile_;
};

class LearntTally {
 public:
  static constexpr std::size_t kMostTexts = 100;          // that a draft could list
  static constexpr std::size_t kMostDifferent = 1 << 20;  // that are told apart

  LearntTally(std::string name, std::string type);
  void add(std::optional<std::string_view> text, std::int64_t rows);
  LearntColumn learnt() const;

 private:
  LearntColumn column_;
  TextTally texts_, missing_words_;
  NumberForms forms_;
  std::int64_t values_ = 0;                      // rows that are not missing
  std::unordered_set<std::uint64_t> different_;  // hashes of texts
};

}  // namespace tacet::schemas
