#include "tacet/schemas/row_condition.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tacet/base/text.h"
#include "tacet/data/stored_column.h"
#include "tacet/schemas/condition_form.h"
#include "tacet/schemas/condition_tokens.h"
#include "tacet/schemas/words.h"

namespace tacet::schemas {
namespace {

using data::ClassTest;
using data::Column;

constexpr std::size_t kMostTests = 64, kDeepestParenthesis = 64, kMostDigits = 15;
constexpr std::array<std::string_view, 6> kComparisons = {"=", "!=", "<", "<=", ">", ">="};

bool is_comparison(const Token& token) {
  return token.kind == Token::Sign && std::find(kComparisons.begin(), kComparisons.end(), token.text) != kComparisons.end();
}

bool is_reserved(const Token& token) {
  for (const std::string_view keyword : {"and", "or", "not", "in", "is", "between"}) {
    if (token.is_keyword(keyword)) return true;
  }
  return false;
}

/// Significant ones. 0.1 and 0.10000000000000001 are one binary number; 15 digits always differ.
std::size_t digits_of(std::string_view number) {
  std::string digits;
  for (const char c : number.substr(0, number.find_first_of("eE"))) {
    if (c >= '0' && c <= '9' && (c != '0' || !digits.empty())) digits += c;
  }
  return digits.find_last_not_of('0') + 1;
}

class ConditionParser {
 public:
  ConditionParser(const data::Schema& schema, std::vector<Token> tokens) : schema_(schema), tokens_(std::move(tokens)) {}

  Result<ConditionNode> parse() {
    TACET_TRY(ConditionNode node, either(/*negated=*/false));
    const Token& rest = here();
    if (rest.kind == Token::End) return node;
    if (rest.is(")")) return condition_error(rest, "must not close a parenthesis that was not opened", "leave it out");
    if (is_comparison(rest)) return condition_error(rest, "must compare a column once: comparisons are not chained", chain_remedy());
    if (rest.is(",")) return condition_error(rest, "must have commas in the list of `in` only", "write numbers as 1234.5");
    return condition_error(rest, "must continue with `and` or `or` here, or end",
                           "texts of several words stand in quotes: 'never married'");
  }

 private:
  const Token& here() const { return tokens_[at_]; }
  /// The last token is the end, which nobody takes.
  Token take() { return tokens_[at_ + 1 < tokens_.size() ? at_++ : at_]; }
  bool take_keyword(std::string_view keyword) {
    if (!here().is_keyword(keyword)) return false;
    ++at_;
    return true;
  }

  /// Under `not`, `and` and `or` change places, and each test accepts the other values.
  Result<ConditionNode> either(bool negated) {
    return joined("or", negated ? ConditionNode::And : ConditionNode::Or, [&] { return all(negated); });
  }
  Result<ConditionNode> all(bool negated) {
    return joined("and", negated ? ConditionNode::Or : ConditionNode::And, [&] { return one(negated); });
  }
  template <class Part>
  Result<ConditionNode> joined(std::string_view keyword, ConditionNode::Kind kind, const Part& part) {
    ConditionNode node{kind, {}, {}};
    do {
      TACET_TRY(ConditionNode next, part());
      node.parts.push_back(std::move(next));
    } while (take_keyword(keyword));
    return node.parts.size() == 1 ? std::move(node.parts.front()) : std::move(node);
  }

  Result<ConditionNode> one(bool negated) {
    while (take_keyword("not")) negated = !negated;
    if (!here().is("(")) return test(negated);
    const Token open = take();
    if (++depth_ > kDeepestParenthesis) {
      return condition_error(open, fmt::format("must have at most {} parentheses within each other", kDeepestParenthesis),
                             "leave some out");
    }
    TACET_TRY(ConditionNode node, either(negated));
    if (here().kind == Token::End) return condition_error(open, "must be closed by another parenthesis", "write )");
    if (!here().is(")")) {
      if (is_comparison(here())) return condition_error(here(), "must compare a column once: comparisons are not chained", chain_remedy());
      return condition_error(here(), "must continue with `and`, `or` or )", "texts of several words stand in quotes: 'never married'");
    }
    take();
    --depth_;
    return node;
  }

  std::string chain_remedy() const {
    return fmt::format("write for example: {0} >= 18 and {0} < 40, or {0} between 18 and 39",
                       column_ == nullptr ? "age" : condition_word(column_->name, '"'));
  }

  Result<const Column*> column() {
    const Token name = take();
    if (name.kind == Token::End || name.kind == Token::Sign || (name.kind == Token::Word && is_reserved(name))) {
      return condition_error(
          name, "must have the name of a column here",
          fmt::format("the schema declares {}; a name that is a word of the language stands in quotes", listed(schema_.names())));
    }
    const Column* const found = schema_.find(name.text);
    if (found == nullptr) return condition_error(name, "must be a declared column", unknown_remedy(name));
    if (found->bounds || (found->categories && found->bins.empty())) return found;
    return condition_error(name, "must have bounds or categories in the schema: only what is declared can be compared",
                           fmt::format("write under [columns.{}]: categories = [\"...\", \"...\"], or lower = ..., upper = ... and "
                                       "resolution = ...",
                                       toml_key(name.text)));
  }

  std::string unknown_remedy(const Token& name) const {
    if (column_ != nullptr && column_->categories && !is_number(*column_)) {
      const auto& labels = column_->categories->labels;
      if (std::find(labels.begin(), labels.end(), name.text) != labels.end()) {
        return fmt::format("name the column again, or write a list: {} in (..., {})", condition_word(column_->name, '"'),
                           condition_word(name.text, '\''));
      }
    }
    std::string hint = did_you_mean(name.text, schema_.names());
    if (!hint.empty()) return hint;
    return fmt::format("a test begins with a column, one of {}", listed(schema_.names()));
  }

  Result<ConditionNode> test(bool negated) {
    TACET_TRY(column_, column());
    if (++tests_ > kMostTests) {
      return Error::invalid("where", fmt::format("a condition of more than {} tests", kMostTests),
                            fmt::format("must have at most {}", kMostTests), "write lists by `in`, and ranges by `between`");
    }
    const bool swapped = here().is_keyword("not");
    const Token sign = swapped ? (take(), take()) : take();
    negated = negated != swapped;
    if (sign.is_keyword("is") && !swapped) return missing_test(negated);
    if (sign.is_keyword("in")) return list_test(sign, negated);
    if (sign.is_keyword("between")) return range_test(sign, negated);
    if (is_comparison(sign) && !swapped) return comparison(sign, negated);
    return condition_error(sign,
                           fmt::format("must have a comparison of {} here: {}, in (...) or is missing", condition_word(column_->name, '"'),
                                       is_number(*column_) ? "= != < <= > >=, between a and b" : "=, !="),
                           column_->categories && !is_number(*column_) ? "for example: in (current, former)" : "for example: >= 40");
  }

  Result<ConditionNode> missing_test(bool negated) {
    if (take_keyword("not")) negated = !negated;
    const Token word = take();
    const std::string name = condition_word(column_->name, '"');
    if (!word.is_keyword("missing"))
      return condition_error(word, "must be `missing` after `is`", fmt::format("write {0} is missing, or {0} = ...", name));
    const std::size_t classes = is_number(*column_) ? 2 : column_->categories->labels.size();
    const auto cell = missing_class(*column_, classes);
    if (!cell) {
      const std::string& counts_as = column_->categories->labels[column_->categories->missing];
      return condition_error(
          word, fmt::format("cannot be told apart: the schema counts missing values of {} as {}", name, in_quotes(counts_as)),
          fmt::format("write {} = {}; a schema with missing = \"missing\" would keep them apart", name, condition_word(counts_as, '\'')));
    }
    ConditionNode node{ConditionNode::Test, {column_->name, {}, std::vector<std::uint8_t>(classes, negated ? 1 : 0)}, {}};
    node.test.accepts[*cell] = negated ? 0 : 1;
    return node;
  }

  Result<ConditionNode> list_test(const Token& in, bool negated) {
    if (!here().is("(")) return condition_error(here(), "must be a list in parentheses after `in`", "for example: in (current, former)");
    const Token open = take();
    std::vector<Token> items;
    do {
      const Token item = take();
      TACET_CHECK(check_constant(item));
      items.push_back(item);
      if (here().kind == Token::End) return condition_error(open, "must be closed by another parenthesis", "write )");
      if (!here().is(",") && !here().is(")"))
        return condition_error(here(), "must be a comma or ) in a list", "texts of several words stand in quotes: 'never married'");
    } while (take().is(","));
    return is_number(*column_) ? points(items, negated) : cells(in, items, negated);
  }

  Result<ConditionNode> range_test(const Token& between, bool negated) {
    if (!is_number(*column_)) return no_order(between);
    TACET_TRY(const Decimal low, number(take()));
    if (!take_keyword("and")) return condition_error(here(), "must be `and` between the two ends", "for example: between 18 and 39");
    const Token second = take();
    TACET_TRY(const Decimal high, number(second));
    if (high < low) {
      return condition_error(second, fmt::format("must not be below the first end of the range, {}", number_text(*column_, low)),
                             "write the smaller one first");
    }
    const auto [yes, no] = marks(negated);
    if (low == high) return ConditionNode{ConditionNode::Test, {column_->name, {low}, {no, yes, no, 0}}, {}};
    return ConditionNode{ConditionNode::Test, {column_->name, {low, high}, {no, yes, yes, yes, no, 0}}, {}};
  }

  Result<ConditionNode> comparison(const Token& sign, bool negated) {
    const Token constant = take();
    TACET_CHECK(check_constant(constant));
    const bool equality = sign.text == "=" || sign.text == "!=";
    if (!is_number(*column_)) return equality ? cells(sign, {constant}, negated != (sign.text == "!=")) : no_order(sign);
    TACET_TRY(const Decimal cut, number(constant));
    const auto [yes, no] = marks(negated);
    const bool not_equal = sign.text == "!=";
    const std::uint8_t below = sign.text.starts_with('<') || not_equal ? yes : no;
    const std::uint8_t above = sign.text.starts_with('>') || not_equal ? yes : no;
    const std::uint8_t equal = sign.text.ends_with('=') && !not_equal ? yes : no;
    return ConditionNode{ConditionNode::Test, {column_->name, {cut}, {below, equal, above, 0}}, {}};
  }

  static std::pair<std::uint8_t, std::uint8_t> marks(bool negated) {
    return negated ? std::pair<std::uint8_t, std::uint8_t>(0, 1) : std::pair<std::uint8_t, std::uint8_t>(1, 0);
  }

  Error no_order(const Token& sign) const {
    return condition_error(
        sign, fmt::format("must be =, !=, in or not in: {} has categories, which have no order", condition_word(column_->name, '"')),
        "the schema declares " + listed(column_->categories->declared_labels()));
  }

  Status check_constant(const Token& token) const {
    const char* const kind = is_number(*column_) ? (column_->text.date ? "a date" : "a number") : "a category";
    if (token.kind == Token::End) return condition_error(token, fmt::format("must have {} here", kind), "for example: age >= 40");
    if (token.kind == Token::Sign)
      return condition_error(token, fmt::format("must have {} here", kind), "texts with signs stand in quotes: '<=50K'");
    if (is_reserved(token))
      return condition_error(token, fmt::format("must have {} here, not a word of the language", kind), "as a text it stands in quotes");
    return {};
  }

  Result<Decimal> number(const Token& token) const {
    TACET_CHECK(check_constant(token));
    const std::string name = condition_word(column_->name, '"');
    if (token.kind == Token::Word && token.is_keyword("missing"))
      return condition_error(token, "must be a number", fmt::format("write {} is missing", name));
    TACET_TRY(Decimal value, column_->text.date ? date(token) : plain_number(token));
    const data::Bounds& bounds = *column_->bounds;
    if (value < bounds.lower || bounds.upper < value) {
      return condition_error(token,
                             fmt::format("must be within the bounds of {}, {} to {}", name, number_text(*column_, bounds.lower),
                                         number_text(*column_, bounds.upper)),
                             "values outside the bounds count as the nearest bound");
    }
    return value;
  }

  Result<Decimal> plain_number(const Token& token) const {
    auto value = token.kind == Token::Word ? Decimal::parse(token.text) : Result<Decimal>(Error::invalid("where", "", ""));
    if (!value.ok()) {
      return condition_error(token,
                             fmt::format("must be a number: {} is compared as one, by its bounds", condition_word(column_->name, '"')),
                             "write it without quotes, separators and units, for example: 1234.5");
    }
    if (digits_of(token.text) > kMostDigits)
      return condition_error(token, fmt::format("must have at most {} digits", kMostDigits), "round it");
    return value;
  }

  Result<Decimal> date(const Token& token) const {
    if (const auto day = day_of(token.text)) return *day;
    return condition_error(token, fmt::format("must be a date: {} has dates", condition_word(column_->name, '"')),
                           "for example: 2024-05-31");
  }

  /// Numbers of a list.
  Result<ConditionNode> points(const std::vector<Token>& items, bool negated) const {
    std::vector<Decimal> cuts;
    for (const Token& item : items) {
      TACET_TRY(Decimal value, number(item));
      cuts.push_back(std::move(value));
    }
    std::sort(cuts.begin(), cuts.end());
    cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
    const auto [yes, no] = marks(negated);
    ConditionNode node{ConditionNode::Test, {column_->name, cuts, std::vector<std::uint8_t>(2 * cuts.size() + 2, no)}, {}};
    for (std::size_t i = 0; i < cuts.size(); ++i) node.test.accepts[2 * i + 1] = yes;
    node.test.accepts.back() = 0;
    return node;
  }

  /// Categories of a list, or a single one.
  Result<ConditionNode> cells(const Token& sign, const std::vector<Token>& items, bool negated) const {
    const std::vector<std::string>& labels = column_->categories->labels;
    const auto missing = missing_class(*column_, labels.size());
    const auto [yes, no] = marks(negated);
    ConditionNode node{ConditionNode::Test, {column_->name, {}, std::vector<std::uint8_t>(labels.size(), no)}, {}};
    for (const Token& item : items) {
      const auto found = std::find(labels.begin(), labels.end(), item.text);
      const auto cell = static_cast<std::size_t>(found - labels.begin());
      const std::string name = condition_word(column_->name, '"');
      if (missing == cell) {
        return condition_error(item, fmt::format("must not be the cell of missing values, which satisfy no {}", sign.text),
                               fmt::format("write {} is missing", name));
      }
      if (found == labels.end()) {
        std::vector<std::string> known = labels;
        if (missing) known.erase(known.begin() + static_cast<std::ptrdiff_t>(*missing));
        const std::string hint = did_you_mean(item.text, known);
        return condition_error(item, fmt::format("must be a category of {}: {}", name, listed(known)),
                               hint.empty() ? "undeclared values count in the cell of `other`" : hint);
      }
      node.test.accepts[cell] = yes;
    }
    if (missing) node.test.accepts[*missing] = 0;
    return node;
  }

  const data::Schema& schema_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0, depth_ = 0, tests_ = 0;
  const Column* column_ = nullptr;  // of the last test
};

}  // namespace

Result<Condition> parse_condition(const data::Schema& schema, std::string_view text) {
  TACET_TRY(std::vector<Token> tokens, condition_tokens(text));
  TACET_TRY(ConditionNode written, ConditionParser(schema, std::move(tokens)).parse());
  const ConditionNode form = normal_form(schema, std::move(written));
  if (const auto constant = form.constant()) {
    return Error::invalid("where", *constant ? "a condition that every row satisfies" : "a condition that no row satisfies",
                          "must count some rows and not others, by the bounds and categories of the schema",
                          *constant ? "leave it out" : "look for `and` in place of `or`");
  }
  Condition condition{filter_of(schema, form), condition_text(schema, form)};
  // What the ledger and the release file say must be readable again.
  TACET_TRY(std::vector<Token> again, condition_tokens(condition.text));
  TACET_CHECK(ConditionParser(schema, std::move(again)).parse());
  return condition;
}

}  // namespace tacet::schemas
