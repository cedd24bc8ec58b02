#include "tacet/inference/counts/expression.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace tacet::inference {
namespace {

constexpr std::size_t kMostCharacters = 2000;
constexpr int kDeepestBrackets = 50;

using Op = Expression::Op;

/// Recursive descent, which writes the steps of a stack machine.
class ExpressionParser {
 public:
  ExpressionParser(const std::string& text, const std::vector<ModelParameter>& parameters) : text_(text), parameters_(parameters) {}

  Result<Expression> parse() {
    if (text_.size() > kMostCharacters)
      return Error::invalid("expression", fmt::format("{} characters", text_.size()), fmt::format("must have at most {}", kMostCharacters));
    if (!sum(0) || peek() != '\0') {
      return Error::invalid("expression", fmt::format("\"{}\"", text_.substr(0, 60)),
                            fmt::format("must be an expression: character {} is not expected ({})", at_ + 1, wanted_),
                            "for example: 2*a*(1 - a)");
    }
    return std::move(expression_);
  }

 private:
  char peek() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool take(char wanted) {
    if (peek() != wanted) return false;
    ++at_;
    return true;
  }
  void push(Op op, double number = 0, std::size_t parameter = 0) { expression_.steps.push_back({op, number, parameter}); }
  bool fail(std::string wanted) {
    wanted_ = std::move(wanted);
    return false;
  }

  bool sum(int depth) {
    if (!product(depth)) return false;
    while (peek() == '+' || peek() == '-') {
      const Op op = text_[at_++] == '+' ? Op::Add : Op::Subtract;
      if (!product(depth)) return false;
      push(op);
    }
    return true;
  }
  bool product(int depth) {
    if (!signed_power(depth)) return false;
    while (peek() == '*' || peek() == '/') {
      const Op op = text_[at_++] == '*' ? Op::Multiply : Op::Divide;
      if (!signed_power(depth)) return false;
      push(op);
    }
    return true;
  }
  bool signed_power(int depth) {
    if (depth > kDeepestBrackets) return fail("too many brackets");
    if (take('-')) {
      if (!signed_power(depth + 1)) return false;
      push(Op::Negate);
      return true;
    }
    if (!atom(depth)) return false;
    if (!take('^')) return true;
    if (!signed_power(depth + 1)) return false;  // from the right: 2^3^2 is 2^9
    push(Op::Power);
    return true;
  }
  bool atom(int depth) {
    const char first = peek();
    if (std::isdigit(static_cast<unsigned char>(first)) != 0 || first == '.') return number();
    if (std::isalpha(static_cast<unsigned char>(first)) != 0) return word(depth);
    if (!take('(')) return fail("a number, a parameter or a bracket is");
    if (!sum(depth + 1)) return false;
    return take(')') || fail("a closing bracket is");
  }
  bool number() {
    double value = 0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error != std::errc{}) return fail("a number is");
    at_ = static_cast<std::size_t>(end - text_.data());
    push(Op::Number, value);
    return true;
  }
  bool word(int depth) {
    const std::size_t from = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '_')) ++at_;
    const std::string name = text_.substr(from, at_ - from);
    const auto found =
        std::find_if(parameters_.begin(), parameters_.end(), [&](const ModelParameter& parameter) { return parameter.name == name; });
    if (found != parameters_.end()) {
      push(Op::Parameter, 0, static_cast<std::size_t>(found - parameters_.begin()));
      return true;
    }
    constexpr std::pair<const char*, Op> kFunctions[] = {{"exp", Op::Exp}, {"log", Op::Log}, {"sqrt", Op::Sqrt}};
    for (const auto& [function, op] : kFunctions) {
      if (name != function) continue;
      if (!take('(')) return fail("a bracket is, after a function");
      if (!sum(depth + 1)) return false;
      push(op);
      return take(')') || fail("a closing bracket is");
    }
    at_ = from;
    return fail("a parameter, exp, log or sqrt is");
  }

  const std::string& text_;
  const std::vector<ModelParameter>& parameters_;
  Expression expression_;
  std::size_t at_ = 0;
  std::string wanted_ = "an operator or the end is";
};

/// A number with its derivatives.
struct Dual {
  double value;
  std::vector<double> slope;
};

/// f(a) with f'(a).
void apply(Dual& a, double value, double derivative) {
  a.value = value;
  for (double& one : a.slope) one *= derivative;
}

/// f(a, b) with its partial derivatives.
void combine(Dual& a, const Dual& b, double value, double by_a, double by_b) {
  a.value = value;
  for (std::size_t k = 0; k < a.slope.size(); ++k) a.slope[k] = by_a * a.slope[k] + (b.slope[k] == 0 ? 0 : by_b * b.slope[k]);
}

void step_of_two(Op op, Dual& a, const Dual& b) {
  switch (op) {
    case Op::Add: return combine(a, b, a.value + b.value, 1, 1);
    case Op::Subtract: return combine(a, b, a.value - b.value, 1, -1);
    case Op::Multiply: return combine(a, b, a.value * b.value, b.value, a.value);
    case Op::Divide: return combine(a, b, a.value / b.value, 1 / b.value, -a.value / (b.value * b.value));
    default: break;
  }
  const double value = std::pow(a.value, b.value);
  const double by_a = b.value == 0 ? 0 : b.value * std::pow(a.value, b.value - 1);
  combine(a, b, value, by_a, value * std::log(a.value));
}

}  // namespace

Result<Expression> parse_expression(const std::string& text, const std::vector<ModelParameter>& parameters) {
  return ExpressionParser(text, parameters).parse();
}

double evaluate(const Expression& expression, std::span<const double> parameters, std::span<double> slope) {
  thread_local std::vector<Dual> stack;
  stack.clear();
  for (const Expression::Step& step : expression.steps) {
    if (step.op == Op::Number || step.op == Op::Parameter) {
      Dual pushed{step.op == Op::Number ? step.number : parameters[step.parameter], std::vector<double>(parameters.size(), 0.0)};
      if (step.op == Op::Parameter) pushed.slope[step.parameter] = 1;
      stack.push_back(std::move(pushed));
      continue;
    }
    Dual& top = stack.back();
    switch (step.op) {
      case Op::Negate: apply(top, -top.value, -1); continue;
      case Op::Exp: apply(top, std::exp(top.value), std::exp(top.value)); continue;
      case Op::Log: apply(top, std::log(top.value), 1 / top.value); continue;
      case Op::Sqrt: apply(top, std::sqrt(top.value), 0.5 / std::sqrt(top.value)); continue;
      default: break;
    }
    step_of_two(step.op, stack[stack.size() - 2], top);
    stack.pop_back();
  }
  std::copy(stack.back().slope.begin(), stack.back().slope.end(), slope.begin());
  return stack.back().value;
}

}  // namespace tacet::inference
