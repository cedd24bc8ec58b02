// tacet/data/row_fold.h: turns rows into groups and integers, and adds them. Private to data.
//
//   Grid height = *Grid::of("height", *column.bounds);
//   RowPlan plan{.map = std::vector<Grid>{height}, .shape = {1, true, 1},
//                .numbers = {{.column = 0}}};
//   RowFold fold(plan);                             // one for each thread
//   fold.add(columns, {}, 2048);                    // any number of rows
//
// Each row alone decides what it adds: its group (cells of `by`), whether it counts (`filter`, and
// missing numbers that are left out), and its integers (grid.h, norm_clip.h). Only person_rows.h
// looks at more than one row, all of one person. Sums are exact (moment_sums.h).
// Cost     memory: kStretch rows of numbers and integers; adding allocates nothing.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <variant>
#include <vector>

#include "tacet/data/coder.h"
#include "tacet/data/grid.h"
#include "tacet/data/moment_sums.h"
#include "tacet/data/norm_clip.h"
#include "tacet/data/person_rows.h"
#include "tacet/data/row_filter.h"
#include "tacet/data/stored_column.h"

namespace tacet::data {

/// How the numbers of a row become integers.
using RowMap = std::variant<std::vector<Grid>, NormClip>;

/// A column that is read as numbers.
struct NumberInput {
  std::size_t column;             // its position in the source
  std::vector<double> missing{};  // the numbers that mean "missing"
  NumberText text{};
  double lower = 0, upper = 0;  // for classes: numbers outside count as the nearest of these
};

/// A column that is read as texts: cells of its categories, or people.
struct TextInput {
  std::size_t column;  // its position in the source
  std::variant<Coder, std::shared_ptr<PersonRows>> codes;

  /// The code of a text goes to *out, that of a person not before finish(), which takes them all.
  void code(const std::optional<std::string_view>& text, std::uint32_t* out) const {
    const auto* const coder = std::get_if<Coder>(&codes);
    if (coder == nullptr) return std::get<std::shared_ptr<PersonRows>>(codes)->note(text.value_or(""));
    *out = text ? coder->code(*text) : coder->missing();
  }
  void finish(std::uint32_t* out) const {
    if (const auto* people = std::get_if<std::shared_ptr<PersonRows>>(&codes)) (*people)->numbers(out);
  }
};

/// Sorts the values of an input into classes 0 to size - 1.
struct RowClasses {
  bool number;  // of plan.numbers; otherwise of plan.texts
  std::size_t input;
  std::uint32_t size;
  std::vector<double> cuts{};  // of numbers; the last class is for missing ones
  bool apart = false;          // a number that equals a cut has a class of its own
};

struct RowPlan {
  RowMap map{};  // of the first numbers
  MomentShape shape;
  std::vector<NumberInput> numbers{};
  std::vector<TextInput> texts{};
  std::vector<RowClasses> by{};      // none: one group; the last fastest
  RowFilter filter{};                // the names of its tests and their cuts are not used
  std::vector<RowClasses> tested{};  // by each test
  std::uint64_t left_out = 0;        // bit j: without its number j a row does not count
  std::shared_ptr<PersonRows> people{};
  std::size_t person = 0;    // the text that names the person, if there are people
  std::uint64_t single = 0;  // bit j: the source stores number j in single precision
};

class RowFold {
 public:
  /// The plan must outlive it.
  explicit RowFold(const RowPlan& plan);
  RowFold(const RowFold&) = delete;  // it points into itself
  RowFold& operator=(const RowFold&) = delete;
  ~RowFold() = default;

  /// Rows from `first` on: columns[j] are the numbers j, codes[t][row] the codes of texts t. False
  /// for a code out of range, which would write outside the sums.
  bool add(const std::vector<StoredColumn>& columns, const std::vector<const std::uint32_t*>& codes, std::size_t rows,
           std::size_t first = 0);

  void merge(const RowFold& other) { sums_.merge(other.sums_); }
  const MomentSums& sums() const { return sums_; }

 private:
  bool sort_rows(const std::vector<const std::uint32_t*>& codes, std::size_t first, std::size_t count);
  bool classify(const RowClasses& classes, const std::vector<const std::uint32_t*>& codes, std::size_t first, std::size_t count);
  bool accept(const std::vector<const std::uint32_t*>& codes, std::size_t first, std::size_t count);
  void leave_out(std::size_t count);
  std::size_t compact(std::size_t count);

  const RowPlan& plan_;
  MomentSums sums_;
  std::vector<double> numbers_, scratch_;
  std::vector<std::int32_t> integers_;
  std::vector<const double*> inputs_;
  std::vector<std::int32_t*> outputs_;
  std::vector<const std::int32_t*> addends_;
  std::vector<std::uint32_t> classes_, groups_, persons_;
  std::vector<std::uint8_t> masks_;  // operands of the filter; the first is the result
};

}  // namespace tacet::data
