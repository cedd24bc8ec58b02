// tacet/schemas/profile/row_tally.h: all tallies of a source, each value given to those it is for.
//
//   RowTally tally(schema, {{.name = "smoking"}, {.name = "age"}}, /*learn=*/false);
//   for (const std::size_t at : tally.wanted()) tally.add(at, "never", /*rows=*/1);
//   FileProfile counted{.rows = 1};
//   tally.finish(counted);
//
// A column that is not declared, or is in the source twice, is not wanted, unless it is to be
// learnt.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tacet/data/schema.h"
#include "tacet/schemas/profile/column_tally.h"
#include "tacet/schemas/profile/people_tally.h"
#include "tacet/schemas/profile/profile.h"

namespace tacet::schemas {

/// A column of the source.
struct SourceField {
  std::string name;
  std::string type = {};  // as in a listing
  bool readable = true;   // its values have texts
  StoredAs stored = {};
};

class RowTally {
 public:
  RowTally(const data::Schema& schema, const std::vector<SourceField>& fields, bool learn);
  /// The positions of the columns to be read.
  const std::vector<std::size_t>& wanted() const { return wanted_; }
  /// The value of `rows` rows; nothing for NULL and empty fields.
  void add(std::size_t at, std::optional<std::string_view> text, std::int64_t rows);
  /// The values of this column cannot be read, after all.
  void give_up(std::size_t at) { slots_[at].readable = false; }
  /// Sets the columns, people and learnt columns of the profile.
  void finish(FileProfile& profile) const;

 private:
  struct Slot {
    bool readable = true;
    std::optional<std::size_t> declared{}, learnt{};
    bool person = false;
  };
  std::vector<Slot> slots_;
  std::vector<std::size_t> wanted_;
  std::vector<ColumnTally> declared_;
  std::vector<LearntTally> learnt_;
  std::optional<PeopleTally> people_;
};

}  // namespace tacet::schemas
