#include "tacet/schemas/condition_form.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tacet/schemas/condition_tokens.h"

namespace tacet::schemas {
namespace {

using data::ClassTest;
using data::Column;

/// The same test with these cuts, which contain its own.
std::vector<std::uint8_t> refined(const ClassTest& test, const std::vector<Decimal>& cuts) {
  std::vector<std::uint8_t> accepts;
  std::size_t mine = 0;  // the class of the numbers just below the next cut
  for (const Decimal& cut : cuts) {
    accepts.push_back(test.accepts[mine]);
    const bool own = mine / 2 < test.cuts.size() && test.cuts[mine / 2] == cut;
    accepts.push_back(test.accepts[own ? mine + 1 : mine]);
    if (own) mine += 2;
  }
  accepts.push_back(test.accepts[mine]);
  accepts.push_back(test.accepts.back());
  return accepts;
}

/// Both tests are of this column.
ClassTest combined(const Column& column, const ClassTest& a, const ClassTest& b, bool both) {
  ClassTest out{a.column, {}, a.accepts};
  std::vector<std::uint8_t> other = b.accepts;
  if (is_number(column)) {
    std::set_union(a.cuts.begin(), a.cuts.end(), b.cuts.begin(), b.cuts.end(), std::back_inserter(out.cuts));
    out.accepts = refined(a, out.cuts);
    other = refined(b, out.cuts);
  }
  for (std::size_t i = 0; i < out.accepts.size(); ++i) out.accepts[i] = both ? out.accepts[i] & other[i] : out.accepts[i] | other[i];
  return out;
}

/// Without cuts that part nothing. No number is below the lower bound or above the upper.
ClassTest simplified(const Column& column, ClassTest test) {
  if (!is_number(column) || test.cuts.empty()) return test;
  const std::size_t numbers = 2 * test.cuts.size() + 1;
  if (test.cuts.front() == column.bounds->lower) test.accepts[0] = test.accepts[1];
  if (test.cuts.back() == column.bounds->upper) test.accepts[numbers - 1] = test.accepts[numbers - 2];
  ClassTest out{test.column, {}, {test.accepts[0]}};
  for (std::size_t i = 0; i < test.cuts.size(); ++i) {
    const std::uint8_t equal = test.accepts[2 * i + 1], above = test.accepts[2 * i + 2];
    if (out.accepts.back() == equal && equal == above) continue;
    out.cuts.push_back(test.cuts[i]);
    out.accepts.push_back(equal);
    out.accepts.push_back(above);
  }
  out.accepts.push_back(test.accepts.back());
  return out;
}

std::size_t place_of(const data::Schema& schema, const ConditionNode& node) {
  if (node.kind == ConditionNode::Test) return static_cast<std::size_t>(schema.find(node.test.column) - schema.columns.data());
  std::size_t place = schema.columns.size();
  for (const ConditionNode& part : node.parts) place = std::min(place, place_of(schema, part));
  return place;
}

/// One test for each column, then the other parts.
std::vector<ConditionNode> merged(const data::Schema& schema, std::vector<ConditionNode> parts, bool both) {
  std::vector<ConditionNode> out;
  for (ConditionNode& part : parts) {
    const auto same = std::find_if(out.begin(), out.end(), [&](const ConditionNode& other) {
      return part.kind == ConditionNode::Test && other.kind == ConditionNode::Test && other.test.column == part.test.column;
    });
    if (same == out.end()) {
      out.push_back(std::move(part));
    } else {
      same->test = combined(*schema.find(part.test.column), same->test, part.test, both);
    }
  }
  for (ConditionNode& part : out) {
    if (part.kind == ConditionNode::Test) part.test = simplified(*schema.find(part.test.column), part.test);
  }
  return out;
}

ConditionNode constant_node(bool value) {
  // A test without classes would be malformed; this one is of no column and never compiled.
  return {ConditionNode::Test, {"", {}, {static_cast<std::uint8_t>(value ? 1 : 0)}}, {}};
}

void sort_parts(const data::Schema& schema, std::vector<ConditionNode>& parts) {
  std::vector<std::pair<std::pair<std::size_t, std::string>, ConditionNode>> keyed;
  for (ConditionNode& part : parts) {
    std::pair<std::size_t, std::string> key{place_of(schema, part), condition_text(schema, part)};
    keyed.emplace_back(std::move(key), std::move(part));
  }
  std::stable_sort(keyed.begin(), keyed.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  const auto last = std::unique(keyed.begin(), keyed.end(), [](const auto& a, const auto& b) { return a.first == b.first; });
  keyed.erase(last, keyed.end());
  parts.clear();
  for (auto& [key, part] : keyed) parts.push_back(std::move(part));
}

/// Classes first to last of a number, as comparisons joined by `and`.
std::string interval_text(const Column& column, const ClassTest& test, std::size_t first, std::size_t last) {
  const std::string name = condition_word(column.name, '"');
  const auto cut = [&](std::size_t i) { return number_text(column, test.cuts[i]); };
  const bool from = first > 0, to = last < 2 * test.cuts.size();
  const bool closed_from = first % 2 == 1, closed_to = last % 2 == 1;
  if (from && to && closed_from && closed_to) return fmt::format("{} between {} and {}", name, cut(first / 2), cut(last / 2));
  std::string text;
  if (from) text = fmt::format("{} {} {}", name, closed_from ? ">=" : ">", cut(closed_from ? first / 2 : first / 2 - 1));
  if (to) text += fmt::format("{}{} {} {}", from ? " and " : "", name, closed_to ? "<=" : "<", cut(last / 2));
  return text;
}

std::string list_text(const std::string& name, const std::vector<std::string>& values, bool negated) {
  if (values.size() == 1) return fmt::format("{} {} {}", name, negated ? "!=" : "=", values.front());
  return fmt::format("{} {} ({})", name, negated ? "not in" : "in", fmt::join(values, ", "));
}

/// Runs of accepted classes are intervals, except single numbers.
std::vector<std::string> number_texts(const Column& column, const ClassTest& test) {
  const std::string name = condition_word(column.name, '"');
  const std::size_t numbers = test.accepts.size() - 1;
  const auto accepted = [&](std::size_t i) { return test.accepts[i] != 0; };
  std::vector<std::string> out, points, holes;
  for (std::size_t i = 1; i < numbers; i += 2) {
    if (!accepted(i) && accepted(i - 1) && accepted(i + 1)) holes.push_back(number_text(column, test.cuts[i / 2]));
    if (accepted(i) && !accepted(i - 1) && !accepted(i + 1)) points.push_back(number_text(column, test.cuts[i / 2]));
  }
  const auto rejected = static_cast<std::size_t>(std::count(test.accepts.begin(), test.accepts.end() - 1, std::uint8_t{0}));
  if (!holes.empty() && holes.size() == rejected) {
    out.push_back(list_text(name, holes, /*negated=*/true));
  } else if (rejected == 0) {
    out.push_back(name + " is not missing");
  } else {
    for (std::size_t first = 0; first < numbers; ++first) {
      if (!accepted(first)) continue;
      std::size_t last = first;
      while (last + 1 < numbers && accepted(last + 1)) ++last;
      if (last > first || first % 2 == 0) out.push_back(interval_text(column, test, first, last));
      first = last;
    }
    if (!points.empty()) out.push_back(list_text(name, points, /*negated=*/false));
  }
  if (test.accepts.back() != 0) out.push_back(name + " is missing");
  return out;
}

std::vector<std::string> category_texts(const Column& column, const ClassTest& test) {
  const std::string name = condition_word(column.name, '"');
  const auto missing = missing_class(column, test.accepts.size());
  std::vector<std::string> accepted, rejected, out;
  bool can_accept = true, can_reject = true;  // by labels that a condition can contain
  for (std::size_t i = 0; i < test.accepts.size(); ++i) {
    if (i == missing) continue;
    const std::string& label = column.categories->labels[i];
    bool& can = test.accepts[i] != 0 ? can_accept : can_reject;
    can = can && is_writable(label);
    (test.accepts[i] != 0 ? accepted : rejected).push_back(condition_word(label, '\''));
  }
  if (rejected.empty()) {
    out.push_back(name + " is not missing");
  } else if (!accepted.empty()) {
    const bool negated = can_reject && (!can_accept || rejected.size() < accepted.size());
    out.push_back(list_text(name, negated ? rejected : accepted, negated));
  }
  if (missing && test.accepts[*missing] != 0) out.push_back(name + " is missing");
  return out;
}

/// Alternatives, to be joined by `or`.
std::vector<std::string> test_texts(const data::Schema& schema, const ConditionNode& node) {
  const Column& column = *schema.find(node.test.column);
  return is_number(column) ? number_texts(column, node.test) : category_texts(column, node.test);
}

void write_steps(const data::Schema& schema, const ConditionNode& node, data::RowFilter& filter) {
  if (node.kind == ConditionNode::Test) {
    ClassTest test = node.test;
    const Column& column = *schema.find(test.column);
    // A number needs a cut: any will do where only missing ones differ.
    if (is_number(column) && test.cuts.empty()) {
      test.cuts = {column.bounds->lower};
      test.accepts = refined(node.test, test.cuts);
    }
    filter.steps.push_back(static_cast<std::int32_t>(filter.tests.size()));
    filter.tests.push_back(std::move(test));
    return;
  }
  for (std::size_t i = 0; i < node.parts.size(); ++i) {
    write_steps(schema, node.parts[i], filter);
    if (i > 0) filter.steps.push_back(node.kind == ConditionNode::And ? data::RowFilter::kAnd : data::RowFilter::kOr);
  }
}

}  // namespace

std::optional<bool> ConditionNode::constant() const {
  if (kind != Test) return std::nullopt;
  const auto is_same = [&](std::uint8_t accepted) { return accepted == test.accepts.front(); };
  if (!std::all_of(test.accepts.begin(), test.accepts.end(), is_same)) return std::nullopt;
  return test.accepts.front() != 0;
}

std::optional<std::size_t> missing_class(const Column& column, std::size_t classes) {
  if (is_number(column)) return classes - 1;
  const data::Categories& cells = *column.categories;
  return cells.missing >= cells.declared && cells.missing != cells.other ? std::optional(cells.missing) : std::nullopt;
}

ConditionNode normal_form(const data::Schema& schema, ConditionNode node) {
  if (node.kind == ConditionNode::Test) {
    node.test = simplified(*schema.find(node.test.column), node.test);
    return node;
  }
  const bool both = node.kind == ConditionNode::And;
  std::vector<ConditionNode> parts;
  for (ConditionNode& written : node.parts) {
    ConditionNode part = normal_form(schema, std::move(written));
    if (const auto constant = part.constant()) {
      if (*constant != both) return constant_node(*constant);  // false and ..., true or ...
      continue;
    }
    if (part.kind == node.kind) {
      std::move(part.parts.begin(), part.parts.end(), std::back_inserter(parts));
    } else {
      parts.push_back(std::move(part));
    }
  }
  parts = merged(schema, std::move(parts), both);
  for (const ConditionNode& part : parts) {
    if (part.constant() == !both) return constant_node(!both);
  }
  parts.erase(std::remove_if(parts.begin(), parts.end(), [](const ConditionNode& part) { return part.constant().has_value(); }),
              parts.end());
  if (parts.empty()) return constant_node(both);
  sort_parts(schema, parts);
  if (parts.size() == 1) return std::move(parts.front());
  return {node.kind, {}, std::move(parts)};
}

std::string condition_text(const data::Schema& schema, const ConditionNode& node) {
  if (node.kind == ConditionNode::Test) return fmt::format("{}", fmt::join(test_texts(schema, node), " or "));
  const bool both = node.kind == ConditionNode::And;
  std::vector<std::string> texts;
  for (const ConditionNode& part : node.parts) {
    // `and` binds more tightly than `or`.
    const bool alternatives = part.kind == ConditionNode::Or || (part.kind == ConditionNode::Test && test_texts(schema, part).size() > 1);
    std::string text = condition_text(schema, part);
    texts.push_back(both && alternatives ? "(" + text + ")" : std::move(text));
  }
  return fmt::format("{}", fmt::join(texts, both ? " and " : " or "));
}

data::RowFilter filter_of(const data::Schema& schema, const ConditionNode& node) {
  data::RowFilter filter;
  write_steps(schema, node, filter);
  return filter;
}

std::string number_text(const Column& column, const Decimal& number) {
  constexpr double kFirst = -719528, kLast = 2932896;  // 0000-01-01 and 9999-12-31
  const double days = number.approximate();
  if (!column.text.date || !(days >= kFirst && days <= kLast)) return number.to_string();
  const std::chrono::days day(static_cast<int>(days));
  const std::chrono::year_month_day date{std::chrono::sys_days(day)};
  return fmt::format("{:04}-{:02}-{:02}", int{date.year()}, unsigned{date.month()}, unsigned{date.day()});
}

}  // namespace tacet::schemas
