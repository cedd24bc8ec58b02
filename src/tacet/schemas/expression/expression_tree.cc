#include "tacet/schemas/expression/expression_tree.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tacet/base/text.h"
#include "tacet/schemas/condition_form.h"
#include "tacet/schemas/condition_tokens.h"
#include "tacet/schemas/words.h"

namespace tacet::schemas {
namespace {

constexpr std::size_t kMostOperations = 256, kDeepestNesting = 64, kLongestPower = 8;
constexpr double kLargestNumber = 1e100;
constexpr const char* kParameter = "mean-of";
constexpr const char* kExpressionExample = "for example: (age - 40) / 80 * [smoking in (current, former)]";

struct NamedFunction {
  std::string_view name;
  ExpressionNode::Kind kind;
  std::size_t least, most;  // arguments
};
constexpr std::array<NamedFunction, 6> kFunctions = {{{"abs", ExpressionNode::Abs, 1, 1},
                                                      {"sqrt", ExpressionNode::Sqrt, 1, 1},
                                                      {"log", ExpressionNode::Log, 1, 1},
                                                      {"exp", ExpressionNode::Exp, 1, 1},
                                                      {"min", ExpressionNode::Min, 2, 16},
                                                      {"max", ExpressionNode::Max, 2, 16}}};
constexpr std::string_view kIfMissing = "if_missing";

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool begins_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80; }
bool continues_name(char c) { return begins_name(c) || is_digit(c) || c == '.'; }

/// A name that an expression may have without quotes.
bool is_plain_name(std::string_view name) {
  return !name.empty() && begins_name(name.front()) && std::all_of(name.begin(), name.end(), continues_name);
}

std::string name_text(const std::string& name) {
  if (is_plain_name(name)) return name;
  std::string out = "\"";
  for (const char c : name) out += c == '"' ? std::string(2, '"') : std::string(1, c);
  return out + "\"";
}

class ExpressionParser {
 public:
  ExpressionParser(const data::Schema& schema, std::string_view text) : schema_(schema), text_(text) {}

  Result<ExpressionNode> parse() {
    TACET_TRY(ExpressionNode node, sum());
    if (next() == '\0') return node;
    if (next() == ')') return fault("must not close a parenthesis that was not opened", "leave it out");
    if (is_comparison(next())) return fault("must have comparisons inside brackets", "write [age >= 40], which is 1 or 0");
    return fault("must continue with + - * / or end here", kExpressionExample);
  }

 private:
  static bool is_comparison(char c) { return c == '<' || c == '>' || c == '=' || c == '!'; }

  /// The next character that is no space; 0 at the end.
  char next() {
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool take(char c) {
    if (next() != c) return false;
    ++at_;
    return true;
  }

  Error fault(const std::string& rule, const std::string& remedy) { return fault_at(at_, rule, remedy); }
  Error fault_at(std::size_t at, const std::string& rule, const std::string& remedy) const {
    const auto is_first = [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80; };
    const auto place = std::count_if(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(std::min(at, text_.size())), is_first) + 1;
    std::size_t end = std::min(at + 20, text_.size());
    while (end < text_.size() && !is_first(text_[end])) ++end;
    const std::string what =
        at >= text_.size() ? std::string("over") : in_quotes(text_.substr(at, end - at)) + (end < text_.size() ? " ..." : "");
    return Error::invalid(kParameter, fmt::format("{} at character {}", what, place), rule, remedy);
  }

  Result<ExpressionNode> joined(ExpressionNode::Kind kind, std::vector<ExpressionNode> parts) {
    if (++operations_ > kMostOperations)
      return fault(fmt::format("must have at most {} operations", kMostOperations), "ask for a shorter expression");
    ExpressionNode node{kind};
    node.parts = std::move(parts);
    return node;
  }

  Result<ExpressionNode> sum() {
    TACET_TRY(ExpressionNode node, product());
    for (;;) {
      const bool plus = next() == '+';
      if (!plus && next() != '-') return node;
      ++at_;
      TACET_TRY(ExpressionNode right, product());
      TACET_TRY(node, joined(plus ? ExpressionNode::Add : ExpressionNode::Subtract, {std::move(node), std::move(right)}));
    }
  }

  Result<ExpressionNode> product() {
    TACET_TRY(ExpressionNode node, signed_power());
    for (;;) {
      const bool times = next() == '*';
      if (!times && next() != '/') return node;
      ++at_;
      TACET_TRY(ExpressionNode right, signed_power());
      TACET_TRY(node, joined(times ? ExpressionNode::Multiply : ExpressionNode::Divide, {std::move(node), std::move(right)}));
    }
  }

  Result<ExpressionNode> signed_power() {
    bool negative = false;
    while (next() == '-' || next() == '+') negative = (text_[at_++] == '-') != negative;
    TACET_TRY(ExpressionNode node, power());
    if (!negative) return node;
    return joined(ExpressionNode::Negate, {std::move(node)});
  }

  /// x ^ 3 is x * x * x.
  Result<ExpressionNode> power() {
    const std::size_t before = operations_;
    TACET_TRY(const ExpressionNode base, primary());
    const std::size_t inside = operations_ - before;
    if (!take('^')) return base;
    const char digit = next();
    const bool whole = digit >= '2' && digit <= '0' + static_cast<char>(kLongestPower);
    if (!whole || (at_ + 1 < text_.size() && (is_digit(text_[at_ + 1]) || text_[at_ + 1] == '.')))
      return fault(fmt::format("must be a whole number from 2 to {} after ^", kLongestPower), "for example: age ^ 2");
    ++at_;
    ExpressionNode node = base;
    for (char i = '1'; i < digit; ++i) {
      operations_ += inside;  // of each copy: powers of powers would grow without limit
      TACET_TRY(node, joined(ExpressionNode::Multiply, {std::move(node), base}));
    }
    return node;
  }

  Result<ExpressionNode> primary() {
    const char c = next();
    if (c == '(') {
      TACET_CHECK(enter());
      TACET_TRY(ExpressionNode node, sum());
      TACET_CHECK(leave());
      return node;
    }
    if (c == '[') return condition();
    if (is_digit(c) || c == '.') return number();
    if (c == '"' || begins_name(c)) return named();
    if (c == '\0') return fault("must have a number, a column or a condition in brackets here", kExpressionExample);
    if (c == '\'') return fault("must have names of columns in double quotes here", "texts stand in conditions only: [smoking = current]");
    if (is_comparison(c)) return fault("must have comparisons inside brackets", "write [age >= 40], which is 1 or 0");
    return fault("must have a number, a column, ( or [ here", kExpressionExample);
  }

  Status enter() {
    opened_.push_back(at_++);
    if (opened_.size() <= kDeepestNesting) return {};
    return fault(fmt::format("must have at most {} parentheses within each other", kDeepestNesting), "leave some out");
  }
  Status leave() {
    const std::size_t open = opened_.back();
    if (next() == '\0') return fault_at(open, "must be closed by another parenthesis", "write )");
    if (is_comparison(next())) return fault("must have comparisons inside brackets", "write [age >= 40], which is 1 or 0");
    if (!take(')')) return fault("must continue with + - * / or )", kExpressionExample);
    opened_.pop_back();
    return {};
  }

  Result<Decimal> digits() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && (is_digit(text_[at_]) || text_[at_] == '.')) ++at_;
    if (at_ < text_.size() && (text_[at_] == 'e' || text_[at_] == 'E')) {
      const std::size_t sign = at_ + 1 < text_.size() && (text_[at_ + 1] == '-' || text_[at_ + 1] == '+') ? 1 : 0;
      if (at_ + 1 + sign < text_.size() && is_digit(text_[at_ + 1 + sign])) at_ += 1 + sign;
      while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
    }
    const std::string_view written = text_.substr(begin, at_ - begin);
    const auto value = written.size() <= 40 ? Decimal::parse(written) : Result<Decimal>(Error::invalid("", "", ""));
    const bool names = at_ < text_.size() && begins_name(text_[at_]);
    if (!value.ok() || names || !(std::abs(value->approximate()) <= kLargestNumber)) {
      return fault_at(begin, "must be a number such as 1234.5 or 1e6, with at most 40 letters and at most 1e100",
                      names ? "a name that begins with a digit stands in double quotes" : "write it with fewer digits");
    }
    return *value;
  }
  Result<ExpressionNode> number() {
    TACET_TRY(Decimal value, digits());
    return ExpressionNode{ExpressionNode::Number, std::move(value)};
  }

  Result<std::string> name() {
    const std::size_t begin = at_;
    if (!take('"')) {
      while (at_ < text_.size() && continues_name(text_[at_])) ++at_;
      return std::string(text_.substr(begin, at_ - begin));
    }
    std::string name;
    for (; at_ < text_.size(); ++at_) {
      if (text_[at_] == '"') {
        if (at_ + 1 >= text_.size() || text_[at_ + 1] != '"') break;
        ++at_;
      }
      name += text_[at_];
    }
    if (!take('"')) return fault_at(begin, "must close the quote by another one", "write \"body mass\"");
    return name;
  }

  Result<ExpressionNode> named() {
    const std::size_t begin = at_;
    const bool quoted = next() == '"';
    TACET_TRY(const std::string word, name());
    if (quoted || next() != '(') return column(word, begin);
    if (word == kIfMissing) return if_missing();
    const auto* const known =
        std::find_if(kFunctions.begin(), kFunctions.end(), [&](const NamedFunction& one) { return one.name == word; });
    if (known == kFunctions.end()) {
      return fault_at(begin, "must be one of the functions abs, sqrt, log, exp, min, max and if_missing",
                      "a product is written with *: age * (bmi - 20)");
    }
    TACET_CHECK(enter());
    std::vector<ExpressionNode> parts;
    do {
      TACET_TRY(ExpressionNode part, sum());
      parts.push_back(std::move(part));
    } while (take(','));
    TACET_CHECK(leave());
    if (parts.size() < known->least || parts.size() > known->most)
      return fault_at(begin, fmt::format("must have {}", known->most == 1 ? "one argument" : "2 to 16 arguments"), kExpressionExample);
    return joined(known->kind, std::move(parts));
  }

  Result<ExpressionNode> if_missing() {
    TACET_CHECK(enter());
    next();
    const std::size_t begin = at_;
    TACET_TRY(const std::string word, name());
    TACET_TRY(ExpressionNode node, column(word, begin));
    if (!take(',')) return fault("must be a comma here", "for example: if_missing(age, 40)");
    const bool negative = next() == '-';
    if (negative) ++at_;
    next();
    TACET_TRY(const Decimal value, digits());
    node.number = negative ? Decimal() - value : value;
    node.has_default = true;
    const data::Bounds& bounds = *schema_.find(word)->bounds;
    if (node.number < bounds.lower || node.number > bounds.upper) {
      return fault_at(begin,
                      fmt::format("must count as a number within the bounds, {} to {}", bounds.lower.to_string(), bounds.upper.to_string()),
                      "for example: if_missing(age, 40)");
    }
    TACET_CHECK(leave());
    return node;
  }

  Result<ExpressionNode> column(const std::string& word, std::size_t begin) {
    const data::Column* const found = schema_.find(word);
    if (found == nullptr) {
      const std::string hint = did_you_mean(word, schema_.names());
      return fault_at(begin, "must be a declared column", hint.empty() ? "the schema declares " + listed(schema_.names()) : hint);
    }
    if (!found->bounds) {
      return fault_at(begin, "must be a column with bounds in the schema",
                      found->categories
                          ? fmt::format("a category counts in a condition: [{} = ...]", condition_word(word, '"'))
                          : fmt::format("write under [columns.{}]: lower = ..., upper = ... and resolution = ...", toml_key(word)));
    }
    ExpressionNode node{ExpressionNode::Column};
    node.column = word;
    return node;
  }

  /// Up to the bracket that closes it, outside of quotes.
  Result<ExpressionNode> condition() {
    const std::size_t open = at_++;
    char quote = '\0';
    const std::size_t begin = at_;
    for (; at_ < text_.size() && (quote != '\0' || text_[at_] != ']'); ++at_) {
      const char c = text_[at_];
      if (quote == '\0' && (c == '\'' || c == '"')) {
        quote = c;
      } else if (c == quote) {
        quote = '\0';
      }
    }
    if (at_ >= text_.size()) return fault_at(open, "must be closed by ]", "for example: [age >= 40]");
    auto parsed = parse_condition(schema_, text_.substr(begin, at_ - begin));
    if (!parsed.ok()) {
      const Error& inner = parsed.error();
      return Error::invalid(kParameter, fmt::format("a condition that is {}", inner.value()), inner.rule(), inner.remedy());
    }
    ++at_;
    ExpressionNode node{ExpressionNode::Holds};
    node.condition = *std::move(parsed);
    return node;
  }

  const data::Schema& schema_;
  std::string_view text_;
  std::size_t at_ = 0, operations_ = 0;
  std::vector<std::size_t> opened_;
};

int rank_of(ExpressionNode::Kind kind) {
  switch (kind) {
    case ExpressionNode::Add:
    case ExpressionNode::Subtract: return 1;
    case ExpressionNode::Multiply:
    case ExpressionNode::Divide: return 2;
    case ExpressionNode::Negate: return 3;
    default: return 4;
  }
}

std::string in_parentheses(const ExpressionNode& part, int least) {
  std::string text = expression_text(part);
  return rank_of(part.kind) < least ? "(" + text + ")" : text;
}

}  // namespace

Result<ExpressionNode> parse_expression(const data::Schema& schema, std::string_view text) {
  if (text.size() > kLongestCondition) {
    return Error::invalid(kParameter, fmt::format("a text of {} bytes", text.size()),
                          fmt::format("must have at most {}", kLongestCondition), kExpressionExample);
  }
  const auto is_control = [](char c) { return !is_blank(c) && static_cast<unsigned char>(c) < 0x20; };
  if (!is_utf8(text) || std::any_of(text.begin(), text.end(), is_control) || commands_a_terminal(text))
    return Error::invalid(kParameter, "not a text", "must be UTF-8 without control characters", kExpressionExample);
  if (std::all_of(text.begin(), text.end(), is_blank))
    return Error::invalid(kParameter, "empty", "must be an expression", kExpressionExample);
  return ExpressionParser(schema, text).parse();
}

std::string expression_text(const ExpressionNode& node) {
  const auto binary = [&](std::string_view sign, int left, int right) {
    return fmt::format("{} {} {}", in_parentheses(node.parts[0], left), sign, in_parentheses(node.parts[1], right));
  };
  switch (node.kind) {
    case ExpressionNode::Number: return node.number.to_string();
    case ExpressionNode::Column:
      return node.has_default ? fmt::format("if_missing({}, {})", name_text(node.column), node.number.to_string()) : name_text(node.column);
    case ExpressionNode::Holds: return "[" + node.condition.text + "]";
    case ExpressionNode::Add: return binary("+", 1, 2);
    case ExpressionNode::Subtract: return binary("-", 1, 2);
    case ExpressionNode::Multiply: return binary("*", 2, 3);
    case ExpressionNode::Divide: return binary("/", 2, 3);
    case ExpressionNode::Negate: return "-" + in_parentheses(node.parts[0], 4);
    default: break;
  }
  std::vector<std::string> parts;
  for (const ExpressionNode& part : node.parts) parts.push_back(expression_text(part));
  const auto* const known =
      std::find_if(kFunctions.begin(), kFunctions.end(), [&](const NamedFunction& one) { return one.kind == node.kind; });
  return fmt::format("{}({})", known->name, fmt::join(parts, ", "));
}

}  // namespace tacet::schemas
