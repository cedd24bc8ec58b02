#include "tacet/schemas/profile/column_tally.h"

#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include "tacet/base/text.h"
#include "tacet/data/stored_column.h"

namespace tacet::schemas {
namespace {

constexpr std::size_t kMostShown = 10;    // texts of a column
constexpr std::size_t kMostUnused = 100;  // categories
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Declared categories, then a cell for other values and one for missing ones.
data::Categories apart(const data::Categories& declared) {
  data::Categories cells{declared.declared_labels(), declared.declared, declared.declared, declared.declared + 1};
  cells.labels.emplace_back();
  cells.labels.emplace_back();
  return cells;
}

}  // namespace

ColumnTally::ColumnTally(const data::Column& column, const StoredAs& stored)
    : column_(column), stored_(stored), lower_(-kInfinity), upper_(kInfinity) {
  profile_.name = column.name;
  if (column.categories && column.bins.empty()) {
    coder_.emplace(apart(*column.categories), column.missing_values);
    cells_.resize(column.categories->declared + 2);
  }
  if (!column.bounds && column.bins.empty()) return;
  profile_.numbers.emplace();
  for (const std::string& text : column.missing_values) {
    if (const double number = data::read_number(text, column.text); !std::isnan(number)) missing_numbers_.push_back(this->stored(number));
  }
  if (column.bounds) {
    lower_ = this->stored(column.bounds->lower.approximate());
    upper_ = this->stored(column.bounds->upper.approximate());
  }
  if (column.bins.empty()) return;
  profile_.numbers->outside_bins = 0;
  first_ = this->stored(column.bins.front().approximate());
  last_ = this->stored(column.bins.back().approximate());
}

void ColumnTally::add(std::optional<std::string_view> text, std::int64_t rows) {
  const bool number = profile_.numbers.has_value();
  if (!text) {
    if (coder_ || number) profile_.missing += rows;
    return;
  }
  if (coder_) {
    const std::uint32_t cell = coder_->code(*text);  // a quoted empty field is `other`
    cells_[cell] += rows;
    if (cell == coder_->missing()) profile_.missing += rows;
    if (cell == column_.categories->declared && *text != data::kNoText) {
      undeclared_.add(data::trimmed(*text), rows);
      if (!is_utf8(*text)) profile_.not_utf8 += rows;
    }
  }
  if (number) add_number(*text, rows);
}

void ColumnTally::add_number(std::string_view text, std::int64_t rows) {
  NumberProfile& numbers = *profile_.numbers;
  double value = data::read_number(text, column_.text);
  if (stored_.numbers && (text == "true" || text == "false")) value = text == "true" ? 1 : 0;
  value = stored(value);
  bool missing = false;
  for (const double absent : missing_numbers_) missing = missing || value == absent;
  // What is written for a missing value may be no number.
  const std::string_view inner = data::trimmed(text);
  for (const std::string& word : column_.missing_values) missing = missing || (std::isnan(value) && word == inner);
  if (std::isnan(value) && (inner.empty() || inner == "nan" || inner == "NaN" || inner == "NAN")) missing = true;
  if (missing) {
    if (!coder_) profile_.missing += rows;
    return;
  }
  if (std::isnan(value)) {
    numbers.not_numbers += rows;
    if (text == data::kNoText) return;
    unread_.add(inner, rows);
    forms_.add(inner, rows);
    if (is_other_date(inner)) numbers.other_dates += rows;
    if (!coder_ && !is_utf8(text)) profile_.not_utf8 += rows;
    return;
  }
  if (value < lower_) numbers.below += rows;
  if (value > upper_) numbers.above += rows;
  if (numbers.outside_bins && (value < first_ || value > last_)) *numbers.outside_bins += rows;
}

ColumnProfile ColumnTally::profile() const {
  ColumnProfile out = profile_;
  if (coder_) {
    out.other = cells_[column_.categories->declared];
    for (std::size_t i = 0; i < column_.categories->declared && out.unused.size() < kMostUnused; ++i) {
      if (cells_[i] > 0) continue;
      const std::string& label = column_.categories->labels[i];
      out.unused.push_back({label, undeclared_.like(label)});
    }
    out.undeclared = undeclared_.most_frequent(kMostShown);
    out.all_texts = undeclared_.complete();
  }
  if (out.numbers) {
    out.numbers->texts = unread_.most_frequent(kMostShown);
    out.all_texts = out.all_texts && unread_.complete();
    if (const auto best = forms_.best()) out.numbers->written = WrittenAs{best->form, best->rows};
  }
  return out;
}

LearntTally::LearntTally(std::string name, std::string type) : texts_(kMostTexts + 1), missing_words_(kMostTexts) {
  column_.name = std::move(name);
  column_.type = std::move(type);
}

void LearntTally::add(std::optional<std::string_view> text, std::int64_t rows) {
  const std::string_view inner = text ? data::trimmed(*text) : std::string_view();
  if (inner.empty()) {
    column_.missing += rows;
    return;
  }
  if (inner == data::kNoText) return;  // a line that does not fit
  if (is_missing_word(inner)) return missing_words_.add(inner, rows);
  values_ += rows;
  texts_.add(inner, rows);
  if (different_.size() < kMostDifferent) {
    column_.different_of += rows;
    different_.insert(std::hash<std::string_view>()(inner));
  }
  forms_.add(inner, rows);
  if (is_other_date(inner)) column_.other_dates += rows;
}

LearntColumn LearntTally::learnt() const {
  LearntColumn out = column_;
  out.different = static_cast<std::int64_t>(different_.size());
  out.missing_words = missing_words_.by_text();
  if (texts_.complete() && texts_.size() <= kMostTexts) out.texts = texts_.by_text();
  const auto best = forms_.best();
  constexpr std::int64_t kMostTimes = 10;  // at most a tenth of the rows may be something else
  if (best && best->rows >= values_ - values_ / kMostTimes) {
    out.numbers = WrittenAs{best->form, best->rows, best->or_thousands};
    out.lowest = best->lowest;
    out.highest = best->highest;
    out.decimals = best->decimals;
  }
  return out;
}

}  // namespace tacet::schemas
