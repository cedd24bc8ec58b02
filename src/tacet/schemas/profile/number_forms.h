// tacet/schemas/profile/number_forms.h: guesses how the texts of a column write numbers.
//
//   NumberForms forms;
//   forms.add("1,234", /*rows=*/10); forms.add("12,345", 3); forms.add("7", 1);
//   forms.best()->form.thousands;     // ','
//
// Every text is tried in the forms that a schema can declare: 1234.5, 1,234.5, 1.234,5, 12,5,
// 1 234,5, 1'234.5 and 2024-05-31, with and without a unit behind it. The best form reads the most
// rows; among equals, the first of these. A number that is written alike in several forms counts
// for each of them.
// Cost     a few attempts to read each text that is not a plain number.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "tacet/data/schema.h"
#include "tacet/schemas/profile/profile.h"

namespace tacet::schemas {

/// A date of another order than 2024-05-31: 31.05.2024, 5/31/2024, 2024/05/31.
bool is_other_date(std::string_view text);
/// NA, ?, null and the like, in any case: texts that often mean a missing value.
bool is_missing_word(std::string_view text);

class NumberForms {
 public:
  struct Found {
    data::NumberText form;
    std::int64_t rows = 0;
    double lowest = std::numeric_limits<double>::infinity(), highest = -lowest;
    int decimals = 0;
    /// Plain, but every point stands before three digits, so that 1.234 may be 1,234.
    bool or_thousands = false;
  };

  /// Numbers, NaN and infinities as texts that count in `rows` rows each.
  void add(std::string_view text, std::int64_t rows);
  /// Nothing if no text is a number in any form.
  std::optional<Found> best() const;

 private:
  static constexpr std::size_t kForms = 8;
  struct Seen {
    std::int64_t rows = 0;
    double lowest = std::numeric_limits<double>::infinity(), highest = -lowest;
    int decimals = 0;
    void add(double value, int digits, std::int64_t count);
    void add(const Seen& other);
  };
  struct Unit {
    Seen whole;                      // digits and a sign alone: the same in every form but dates
    std::array<Seen, kForms> forms;  // all others
  };
  static bool add_to(Unit& unit, std::string_view body, std::int64_t rows);
  std::map<std::string, Unit, std::less<>> units_;  // "" without one
};

}  // namespace tacet::schemas
