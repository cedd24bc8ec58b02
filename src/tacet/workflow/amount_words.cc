#include "tacet/workflow/amount_words.h"

#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>

namespace tacet {
namespace {

constexpr int kDigits = 6;
constexpr std::string_view kDigit = "0123456789";

/// How many digits a number has from its first to its last that is not 0.
std::size_t significant_digits(std::string_view number) {
  std::string digits;
  for (const char letter : number.substr(0, number.find_first_of("eE"))) {
    if (kDigit.find(letter) != std::string_view::npos) digits += letter;
  }
  const std::size_t first = digits.find_first_not_of('0');
  return first == std::string::npos ? 0 : digits.find_last_not_of('0') - first + 1;
}

}  // namespace

std::string short_amount(std::string_view number, AmountIs what) {
  const std::string text(number);
  return significant_digits(number) <= kDigits ? text : short_amount(std::stod(text), what);
}

std::string short_amount(double number, AmountIs what) {
  if (!std::isfinite(number) || number == 0) return fmt::format("{}", number);
  const double step = std::pow(10, std::floor(std::log10(std::abs(number))) + 1 - kDigits);
  const double steps = number / step;
  const double nearest = std::nearbyint(steps);
  // A double that stands for a short decimal is that decimal, not a little more or less.
  const bool exact = std::abs(steps - nearest) < 1e-9;
  const double rounded = exact ? nearest : what == AmountIs::Spent ? std::ceil(steps) : std::floor(steps);
  return fmt::format("{:.{}g}", rounded * step, kDigits);
}

std::string short_amounts(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t begin = std::min(text.find_first_of(kDigit), text.size());
    out += text.substr(0, begin);
    text.remove_prefix(begin);
    std::size_t end = std::min(text.find_first_not_of("0123456789."), text.size());
    if (end < text.size() && text[end] == 'e') {
      const std::size_t power = end + 1 + (end + 1 < text.size() && (text[end + 1] == '-' || text[end + 1] == '+') ? 1 : 0);
      const std::size_t after = std::min(text.find_first_not_of(kDigit, power), text.size());
      if (after > power) end = after;
    }
    // The end of a sentence is no part of its number.
    if (end > 0 && text[end - 1] == '.') --end;
    out += short_amount(text.substr(0, end), AmountIs::Spent);
    text.remove_prefix(end);
  }
  return out;
}

}  // namespace tacet
