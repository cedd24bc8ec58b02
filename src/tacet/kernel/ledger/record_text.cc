#include "tacet/kernel/ledger/record_text.h"

#include <variant>

#include <fmt/format.h>

#include "tacet/kernel/ledger/rules.h"

namespace tacet::kernel {
namespace {

constexpr std::string_view kHexDigits = "0123456789abcdef";
constexpr std::string_view kEscaped = "\"\\\b\f\n\r\t";
constexpr std::string_view kLetters = "\"\\bfnrt";  // the same after a backslash
constexpr std::size_t kMostDigits = 18;             // of a number: none overflows

bool needs_escape(char c) { return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\'; }

}  // namespace

void RecordWriter::name(std::string_view key) {
  if (text_.back() != '{') text_ += ',';
  text_ += '"';
  text_ += key;
  text_ += "\":";
}

void RecordWriter::quote(std::string_view value) {
  text_ += '"';
  for (std::size_t at = 0; at < value.size(); ++at) {
    const std::size_t start = at;
    while (at < value.size() && !needs_escape(value[at])) ++at;
    text_ += value.substr(start, at - start);
    if (at == value.size()) break;
    const std::size_t letter = kEscaped.find(value[at]);
    if (letter != std::string_view::npos) {
      text_ += '\\';
      text_ += kLetters[letter];
    } else {
      text_ += fmt::format("\\u{:04x}", static_cast<unsigned>(value[at]));
    }
  }
  text_ += '"';
}

void RecordWriter::quote_all(const std::vector<std::string>& values) {
  text_ += '[';
  for (const std::string& value : values) {
    if (text_.back() != '[') text_ += ',';
    quote(value);
  }
  text_ += ']';
}

void RecordWriter::number(std::string_view key, std::int64_t value) {
  name(key);
  text_ += std::to_string(value);
}

void RecordWriter::flag(std::string_view key, bool value) {
  name(key);
  text_ += value ? "true" : "false";
}

void RecordWriter::amount(std::string_view key, const privacy::Amount& value) {
  name(key);
  quote_all({value.first.to_string(), value.second.to_string()});
}

void RecordWriter::loss(std::string_view key, const privacy::Loss& value) {
  name(key);
  if (const auto* pure = std::get_if<privacy::PureLoss>(&value)) {
    quote_all({"pure", pure->epsilon.to_string()});
  } else if (const auto* approximate = std::get_if<privacy::ApproximateLoss>(&value)) {
    quote_all({"approximate", approximate->epsilon.to_string(), approximate->delta.to_string()});
  } else if (const auto* laplace = std::get_if<privacy::LaplaceLoss>(&value)) {
    std::vector<std::string> promises = {"laplace", laplace->epsilon.to_string(), laplace->rho.to_string()};
    if (laplace->mu_squared) promises.push_back(laplace->mu_squared->to_string());
    quote_all(promises);
  } else {
    quote_all({"gaussian", std::get<privacy::GaussianLoss>(value).mu_squared.to_string()});
  }
}

void RecordWriter::relation(std::string_view key, const Relation& value) {
  object(key, [&] {
    text("neighbours", kernel::name(value.kind()));
    name("public_columns");
    quote_all(value.public_columns());
  });
}

bool RecordReader::skip(std::string_view what) {
  if (text_.substr(at_, what.size()) != what) return false;
  at_ += what.size();
  return true;
}

bool RecordReader::is_next(std::string_view key) const {
  const std::string_view rest = text_.substr(at_);
  return good_ && rest.starts_with(",\"") && rest.substr(2).starts_with(key) && rest.substr(2 + key.size()).starts_with("\":");
}

void RecordReader::name(std::string_view key) {
  if (!good_) return;
  if (text_[at_ - 1] != '{') expect(",");
  expect("\"");
  expect(key);
  expect("\":");
}

std::string RecordReader::quoted() {
  std::string value;
  expect("\"");
  while (good_) {
    const std::size_t start = at_;
    while (at_ < text_.size() && !needs_escape(text_[at_])) ++at_;
    value += text_.substr(start, at_ - start);
    if (skip("\"")) break;
    expect("\\");
    if (!good_ || at_ == text_.size()) break;
    const char letter = text_[at_++];
    if (const std::size_t which = kLetters.find(letter); which != std::string_view::npos) {
      value += kEscaped[which];
    } else {
      // Only control characters are written as numbers.
      const std::string_view digits = text_.substr(at_, 4);
      const std::size_t low = digits.size() == 4 ? kHexDigits.find(digits[3]) : std::string_view::npos;
      good_ = letter == 'u' && (digits.starts_with("000") || digits.starts_with("001")) && low != std::string_view::npos;
      if (!good_) break;
      value += static_cast<char>((digits[2] == '1' ? 16 : 0) + static_cast<int>(low));
      at_ += 4;
    }
  }
  good_ = good_ && check_text("text", value).ok();
  return good_ ? value : std::string();
}

Decimal RecordReader::quoted_decimal() {
  const std::string text = quoted();
  if (!good_) return {};
  auto value = Decimal::parse(text);
  good_ = value.ok() && *value >= Decimal();
  return good_ ? *std::move(value) : Decimal();
}

std::vector<std::string> RecordReader::all_quoted() {
  std::vector<std::string> values;
  expect("[");
  while (good_ && !skip("]")) {
    if (!values.empty()) expect(",");
    values.push_back(quoted());
  }
  return values;
}

void RecordReader::number(std::string_view key, std::int64_t& value) {
  name(key);
  const std::size_t start = at_;
  value = 0;
  while (good_ && at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9' && at_ - start < kMostDigits)
    value = 10 * value + (text_[at_++] - '0');
  good_ = good_ && at_ > start;
}

void RecordReader::flag(std::string_view key, bool& value) {
  name(key);
  value = good_ && skip("true");
  if (!value) expect("false");
}

void RecordReader::decimal(std::string_view key, Decimal& value) {
  name(key);
  value = quoted_decimal();
}

void RecordReader::amount(std::string_view key, privacy::Amount& value) {
  name(key);
  expect("[");
  value.first = quoted_decimal();
  expect(",");
  value.second = quoted_decimal();
  expect("]");
}

void RecordReader::loss(std::string_view key, privacy::Loss& value) {
  name(key);
  expect("[");
  const std::string kind = quoted();
  expect(",");
  Decimal first = quoted_decimal();
  if (kind == "pure") {
    value = privacy::PureLoss{std::move(first)};
  } else if (kind == "gaussian") {
    value = privacy::GaussianLoss{std::move(first)};
  } else if (kind == "laplace") {
    expect(",");
    privacy::LaplaceLoss laplace{std::move(first), quoted_decimal(), {}};
    if (skip(",")) laplace.mu_squared = quoted_decimal();
    value = std::move(laplace);
  } else {
    good_ = good_ && kind == "approximate";
    expect(",");
    value = privacy::ApproximateLoss{std::move(first), quoted_decimal()};
  }
  expect("]");
}

void RecordReader::relation(std::string_view key, Relation& value) {
  std::string kind;
  std::vector<std::string> columns;
  object(key, [&] {
    text("neighbours", kind);
    name("public_columns");
    columns = all_quoted();
  });
  const auto named = relation_kind_named(kind);
  good_ = good_ && named.ok();
  if (!good_) return;
  value = *named;
  if (columns.empty()) return;
  auto within = Relation::within(std::move(columns));
  good_ = within.ok() && value.people_are_public();
  if (good_) value = *std::move(within);
}

}  // namespace tacet::kernel
