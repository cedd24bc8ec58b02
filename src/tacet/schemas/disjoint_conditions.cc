#include "tacet/schemas/disjoint_conditions.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tacet/base/decimal.h"
#include "tacet/schemas/condition_tokens.h"

namespace tacet::schemas {
namespace {

/// An end of a range of numbers.
struct RangeEnd {
  Decimal value;
  bool included;
};

/// What a value must satisfy: one of these texts, and at least or at most these numbers.
struct ColumnTest {
  std::optional<std::vector<std::string>> texts = {};
  std::optional<RangeEnd> lower = {}, upper = {};
};
using Tests = std::multimap<std::string, ColumnTest>;

bool is_text(const Token& token) { return token.kind == Token::Word || token.kind == Token::Quoted; }

std::optional<RangeEnd> range_end(const Token& token, bool included) {
  const auto value = Decimal::parse(token.text);
  if (!value.ok()) return std::nullopt;
  return RangeEnd{*value, included};
}

/// The list of `in (a, b)`, from the token after the column.
std::optional<ColumnTest> listed_test(std::span<const Token> tokens) {
  if (tokens.size() < 4 || !tokens[0].is_keyword("in") || !tokens[1].is("(") || !tokens.back().is(")")) return std::nullopt;
  ColumnTest test{.texts = std::vector<std::string>{}};
  for (std::size_t i = 2; i + 1 < tokens.size(); ++i) {
    const bool place_of_text = i % 2 == 0;
    if (place_of_text ? !is_text(tokens[i]) : !tokens[i].is(",")) return std::nullopt;
    if (place_of_text) test.texts->push_back(tokens[i].text);
  }
  return test;
}

/// What is after the column; empty if it is not understood.
std::optional<ColumnTest> column_test(std::span<const Token> tokens) {
  if (tokens.size() == 2 && tokens[0].kind == Token::Sign && is_text(tokens[1])) {
    ColumnTest test;
    const std::string& sign = tokens[0].text;
    if (sign == "=") {
      test.texts = std::vector<std::string>{tokens[1].text};
    } else if (sign == "<" || sign == "<=") {
      test.upper = range_end(tokens[1], sign == "<=");
    } else if (sign == ">" || sign == ">=") {
      test.lower = range_end(tokens[1], sign == ">=");
    }
    return test;
  }
  if (tokens.size() == 4 && tokens[0].is_keyword("between") && tokens[2].is_keyword("and"))
    return ColumnTest{.lower = range_end(tokens[1], true), .upper = range_end(tokens[3], true)};
  return listed_test(tokens);
}

/// The tests that every row of the condition satisfies.
Tests necessary_tests(std::string_view text) {
  Tests tests;
  const auto tokens = condition_tokens(text);
  if (!tokens.ok()) return tests;
  std::vector<std::vector<Token>> parts(1);
  int depth = 0;
  for (std::size_t i = 0; i + 1 < tokens->size(); ++i) {
    const Token& token = (*tokens)[i];
    depth += token.is("(") ? 1 : token.is(")") ? -1 : 0;
    if (depth == 0 && token.is_keyword("or")) return {};
    // The `and` of a `between a and b` does not end a part.
    const bool between = parts.back().size() == 3 && parts.back()[1].is_keyword("between");
    if (depth == 0 && token.is_keyword("and") && !between) {
      parts.emplace_back();
    } else {
      parts.back().push_back(token);
    }
  }
  for (const std::vector<Token>& part : parts) {
    if (part.size() < 3 || !is_text(part.front()) || part.front().is_keyword("not")) continue;
    if (const auto test = column_test(std::span(part).subspan(1))) tests.emplace(part.front().text, *test);
  }
  return tests;
}

/// Also in a column of single precision, where 0.1 and 0.10000000001 are one number.
bool far_apart(const Decimal& low, const Decimal& high) {
  const double from = low.approximate(), to = high.approximate();
  return to - from > 0x1p-22 * std::max(std::abs(from), std::abs(to)) + 1e-37;
}

bool ends_before(const std::optional<RangeEnd>& upper, const std::optional<RangeEnd>& lower) {
  if (!upper || !lower || lower->value < upper->value) return false;
  return far_apart(upper->value, lower->value) || (upper->value == lower->value && !(upper->included && lower->included));
}

/// Different texts, and no numbers that may be one number in the column.
bool are_apart(const std::string& a, const std::string& b) {
  const auto first = Decimal::parse(a), second = Decimal::parse(b);
  if (!first.ok() || !second.ok()) return a != b;
  return *first < *second ? far_apart(*first, *second) : far_apart(*second, *first);
}

bool exclude(const ColumnTest& a, const ColumnTest& b) {
  if (ends_before(a.upper, b.lower) || ends_before(b.upper, a.lower)) return true;
  if (!a.texts || !b.texts) return false;
  return std::all_of(a.texts->begin(), a.texts->end(), [&](const std::string& one) {
    return std::all_of(b.texts->begin(), b.texts->end(), [&](const std::string& other) { return are_apart(one, other); });
  });
}

}  // namespace

bool are_disjoint(std::string_view first, std::string_view second) {
  const Tests others = necessary_tests(second);
  for (const auto& [column, test] : necessary_tests(first)) {
    const auto [from, to] = others.equal_range(column);
    for (auto other = from; other != to; ++other) {
      if (exclude(test, other->second)) return true;
    }
  }
  return false;
}

}  // namespace tacet::schemas
