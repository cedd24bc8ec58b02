#include "tacet/schemas/profile/number_forms.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <utility>
#include <vector>

#include "tacet/base/text.h"
#include "tacet/data/stored_column.h"
#include "tacet/schemas/column_text.h"
#include "tacet/schemas/condition_tokens.h"

namespace tacet::schemas {
namespace {

using data::NumberText;

constexpr std::size_t kMostUnits = 8, kLongestUnit = 12;
constexpr std::size_t kPlain = 0, kPoints = 3, kDate = 7;
const std::array<NumberText, 8>& forms_in_order() {
  static const std::array<NumberText, 8> forms{
      NumberText{},       {.thousands = ','},  {.decimal = ','}, {.thousands = '.', .decimal = ','}, {.thousands = ' ', .decimal = ','},
      {.thousands = ' '}, {.thousands = '\''}, {.date = true}};
  return forms;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Digits after the last decimal sign, without zeros at the end; at most 20.
int decimals_of(std::string_view body, char decimal) {
  constexpr int kMostDigits = 20;
  const std::size_t at = body.rfind(decimal);
  if (at == std::string_view::npos) return 0;
  int digits = 0, position = 0;
  for (const char c : body.substr(at + 1)) {
    if (!is_digit(c) || position == kMostDigits) break;
    ++position;
    if (c != '0') digits = position;
  }
  return digits;
}

/// 0,123 has no thousands.
bool begins_with_zero_group(std::string_view body, char separator) {
  if (body.starts_with('-') || body.starts_with('+')) body.remove_prefix(1);
  return body.size() > 1 && body[0] == '0' && body[1] == separator;
}

std::string folded(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

/// What stands behind the last digit, with the spaces before it gone.
std::pair<std::string_view, std::string_view> split_unit(std::string_view text) {
  std::size_t end = text.size();
  while (end > 0 && !is_digit(text[end - 1])) --end;
  return {data::trimmed(text.substr(0, end)), data::trimmed(text.substr(end))};
}

}  // namespace

bool is_other_date(std::string_view text) {
  text = data::trimmed(text);
  std::vector<std::size_t> lengths{0};
  char separator = '\0';
  for (const char c : text) {
    if (is_digit(c)) {
      ++lengths.back();
    } else if ((c == '.' || c == '/' || c == '-') && (separator == '\0' || separator == c)) {
      separator = c;
      lengths.push_back(0);
    } else {
      if (c == ' ' && lengths.size() == 3 && lengths.back() > 0) break;  // a time follows
      return false;
    }
  }
  if (lengths.size() != 3 || lengths[1] < 1 || lengths[1] > 2) return false;
  const bool year_last = lengths[2] == 4 && lengths[0] >= 1 && lengths[0] <= 2;
  const bool year_first = lengths[0] == 4 && lengths[2] >= 1 && lengths[2] <= 2;
  return year_last || (year_first && (separator != '-' || lengths[1] == 1 || lengths[2] == 1));
}

bool is_missing_word(std::string_view text) {
  static constexpr std::array<std::string_view, 16> kWords{"?", "na", "n/a", "#n/a", "nan", "null",    "none",   "nil",
                                                           "-", "--", ".",   "..",   "*",   "missing", "(null)", "<na>"};
  const std::string word = folded(data::trimmed(text));
  return std::find(kWords.begin(), kWords.end(), word) != kWords.end();
}

void NumberForms::Seen::add(double value, int digits, std::int64_t count) {
  rows += count;
  if (std::isfinite(value)) {
    lowest = std::min(lowest, value);
    highest = std::max(highest, value);
  }
  decimals = std::max(decimals, digits);
}

void NumberForms::Seen::add(const Seen& other) {
  rows += other.rows;
  lowest = std::min(lowest, other.lowest);
  highest = std::max(highest, other.highest);
  decimals = std::max(decimals, other.decimals);
}

bool NumberForms::add_to(Unit& unit, std::string_view body, std::int64_t rows) {
  const auto& forms = forms_in_order();
  const double plain = data::read_number(body);
  const std::size_t sign = body.starts_with('-') || body.starts_with('+') ? 1 : 0;
  if (!std::isnan(plain) && std::all_of(body.begin() + static_cast<std::ptrdiff_t>(sign), body.end(), is_digit)) {
    unit.whole.add(plain, 0, rows);
    return true;
  }
  if (!std::isnan(plain)) {
    unit.forms[kPlain].add(plain, decimals_of(body, '.'), rows);
    // 1.234 may be a number with a separator of thousands, too.
    const double points = data::read_number(body, forms[kPoints]);
    if (!std::isnan(points) && !begins_with_zero_group(body, '.')) unit.forms[kPoints].add(points, 0, rows);
    // With a decimal point, what reads 1,234 reads this, too: see best().
    return true;
  }
  bool read = false;
  for (std::size_t f = 1; f < kForms; ++f) {
    if (forms[f].thousands && begins_with_zero_group(body, *forms[f].thousands)) continue;
    const double value = data::read_number(body, forms[f]);
    if (std::isnan(value)) continue;
    unit.forms[f].add(value, f == kDate ? 0 : decimals_of(body, forms[f].decimal), rows);
    read = true;
  }
  return read;
}

void NumberForms::add(std::string_view text, std::int64_t rows) {
  text = data::trimmed(text);
  if (text.empty() || folded(text) == "nan") return;
  if (add_to(units_[""], text, rows)) return;
  const auto [body, unit] = split_unit(text);
  if (body.empty() || may_belong_to_a_number(unit) || commands_a_terminal(unit) || unit.size() > kLongestUnit) return;
  Unit attempt;
  if (!add_to(attempt, body, rows)) return;
  auto known = units_.find(unit);
  if (known == units_.end()) {
    if (units_.size() > kMostUnits || !is_utf8(unit) || unit.find('\0') != unit.npos) return;
    known = units_.emplace(std::string(unit), Unit()).first;
  }
  known->second.whole.add(attempt.whole);
  for (std::size_t f = 0; f < kForms; ++f) known->second.forms[f].add(attempt.forms[f]);
}

std::optional<NumberForms::Found> NumberForms::best() const {
  std::optional<Found> best;
  const auto& forms = forms_in_order();
  for (const auto& [name, unit] : units_) {
    for (std::size_t f = 0; f < kForms; ++f) {
      if (f == kDate && !name.empty()) continue;
      Seen seen;
      const auto take = [&](const Unit& part) {
        seen.add(part.forms[f]);
        if (f != kDate) seen.add(part.whole);
        // A form with a decimal point reads plain numbers, too.
        if (f != kPlain && f != kDate && forms[f].decimal == '.') seen.add(part.forms[kPlain]);
      };
      take(unit);
      if (const auto bare = units_.find(""); !name.empty() && bare != units_.end()) take(bare->second);
      if (seen.rows == 0 || (best && seen.rows <= best->rows)) continue;
      best = Found{forms[f], seen.rows, seen.lowest, seen.highest, seen.decimals};
      best->form.unit = name;
      best->or_thousands = f == kPlain && unit.forms[kPlain].rows > 0 && unit.forms[kPoints].rows == unit.forms[kPlain].rows;
    }
  }
  if (best && best->lowest > best->highest) best->lowest = best->highest = 0;  // infinities alone
  return best;
}

}  // namespace tacet::schemas
