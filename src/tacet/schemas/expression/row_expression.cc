#include "tacet/schemas/expression/row_expression.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <ranges>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <gmpxx.h>

#include "tacet/base/text.h"
#include "tacet/schemas/condition_form.h"
#include "tacet/schemas/condition_tokens.h"
#include "tacet/schemas/expression/expression_tree.h"
#include "tacet/schemas/row_condition.h"

namespace tacet::schemas {
namespace {

const double kNoNumber = std::numeric_limits<double>::quiet_NaN();
// A release file holds numbers up to 1e100, and noise down to 1e-100. A sum of 2^45 rows, or noise
// of 2^40 ranges, leaves room.
constexpr double kLargestValue = 1e60, kLeastRange = 1e-60;

/// What an expression asks of a column: its numbers, or only whether conditions hold.
struct ColumnUse {
  bool numbers = false;
  std::vector<Decimal> cuts{};
};

void uses_in(const ExpressionNode& node, std::map<std::string, ColumnUse>& uses) {
  if (node.kind == ExpressionNode::Column) uses[node.column].numbers = true;
  for (const data::ClassTest& test : node.condition.filter.tests) {
    std::vector<Decimal>& cuts = uses[test.column].cuts;
    cuts.insert(cuts.end(), test.cuts.begin(), test.cuts.end());
  }
  for (const ExpressionNode& part : node.parts) uses_in(part, uses);
}

mpz_class floor_of_ratio(const mpq_class& value) {
  mpz_class down;
  mpz_fdiv_q(down.get_mpz_t(), value.get_num_mpz_t(), value.get_den_mpz_t());
  return down;
}

/// A column of the table. A cell of a number is one step, or a run of steps that no condition
/// tells apart; the last cell is for missing numbers.
struct CellAxis {
  const data::Column* column;
  bool each_step = false;
  Decimal step{};
  mpz_class last = 0;               // the number of the step at the upper bound
  std::vector<mpz_class> starts{};  // of a number: the first step of each cell; not if each step is one
  std::size_t cells = 0, stride = 1;

  bool number() const { return column->bounds.has_value(); }
  bool is_missing(std::size_t cell) const { return number() && cell + 1 == cells; }
  mpz_class start(std::size_t cell) const { return each_step ? mpz_class(static_cast<unsigned long>(cell)) : starts[cell]; }
  Decimal point(const mpz_class& step_number) const {
    return step_number == last ? column->bounds->upper : column->bounds->lower + Decimal(step_number, 0) * step;
  }
  Decimal point_of(std::size_t cell) const { return point(start(cell)); }

  void set_step(const Decimal& length) {
    step = length;
    last = -floor_of_ratio(-(column->bounds->upper - column->bounds->lower).to_rational() / step.to_rational());
    if (each_step)
      cells = last < mpz_class(static_cast<unsigned long>(kMostExpressionCells)) ? last.get_ui() + 2 : 2 * kMostExpressionCells;
  }
};

CellAxis axis_for(const data::Column& column, const ColumnUse& use) {
  CellAxis axis{&column};
  if (!axis.number()) {
    axis.cells = column.categories->labels.size();
    return axis;
  }
  axis.each_step = use.numbers;
  axis.set_step(column.bounds->resolution);
  if (use.numbers) {
    while (axis.cells > kMostCellsOfAColumn) axis.set_step(axis.step + axis.step);
    return axis;
  }
  std::set<mpz_class> starts = {0};
  for (const Decimal& cut : use.cuts) {
    const mpq_class steps = (cut - column.bounds->lower).to_rational() / axis.step.to_rational();
    const mpz_class below = -floor_of_ratio(-steps), above = floor_of_ratio(steps) + 1;  // the first step at the cut, and after it
    for (const mpz_class& start : {below, above}) {
      if (start > 0 && start <= axis.last) starts.insert(start);
    }
    if (cut < column.bounds->upper) starts.insert(axis.last);  // the last step may be shorter than the others
  }
  axis.starts.assign(starts.begin(), starts.end());
  axis.cells = axis.starts.size() + 1;
  return axis;
}

/// Longer steps for the columns with the most cells, until there are few enough.
Result<std::vector<CellAxis>> axes_of(const data::Schema& schema, const std::map<std::string, ColumnUse>& uses,
                                      const std::string& parameter) {
  std::vector<CellAxis> axes;
  for (const data::Column& column : schema.columns) {
    if (const auto use = uses.find(column.name); use != uses.end()) axes.push_back(axis_for(column, use->second));
  }
  const auto all = [&] {
    std::size_t product = 1;
    for (const CellAxis& axis : axes) product = std::min(product * axis.cells, kMostExpressionCells + 1);
    return product;
  };
  constexpr std::size_t kFewestSteps = 18;
  while (all() > kMostExpressionCells) {
    CellAxis* finest = nullptr;
    for (CellAxis& axis : axes) {
      if (axis.each_step && axis.cells > kFewestSteps && (finest == nullptr || axis.cells > finest->cells)) finest = &axis;
    }
    if (finest == nullptr) {
      return Error::invalid(parameter, fmt::format("about {} columns", axes.size()),
                            fmt::format("must have at most {} combinations of categories and steps", kMostExpressionCells),
                            "ask about fewer columns at once");
    }
    finest->set_step(finest->step + finest->step);
  }
  std::size_t stride = 1;
  for (CellAxis& axis : std::ranges::reverse_view(axes)) {
    axis.stride = stride;
    stride *= axis.cells;
  }
  return axes;
}

/// Evaluates an expression at every cell.
class CellTable {
 public:
  CellTable(std::vector<CellAxis> axes, std::size_t cells) : axes_(std::move(axes)), cells_(cells) {}

  Result<std::vector<double>> values(const ExpressionNode& node) {
    switch (node.kind) {
      case ExpressionNode::Number: return std::vector<double>(cells_, node.number.approximate());
      case ExpressionNode::Column: return column(node);
      case ExpressionNode::Holds: return holds(node.condition.filter);
      case ExpressionNode::Add: return combined(node, std::plus<>());
      case ExpressionNode::Subtract: return combined(node, std::minus<>());
      case ExpressionNode::Multiply: return combined(node, std::multiplies<>());
      case ExpressionNode::Divide: return quotient(node);
      case ExpressionNode::Negate: return mapped(node, [](double x) { return -x; });
      case ExpressionNode::Abs: return mapped(node, [](double x) { return std::abs(x); });
      case ExpressionNode::Sqrt: return mapped(node, [](double x) { return std::sqrt(x); });
      case ExpressionNode::Log: return mapped(node, [](double x) { return std::log(x); });
      case ExpressionNode::Exp: return mapped(node, [](double x) { return std::exp(x); });
      case ExpressionNode::Min:
        return combined(node, [](double x, double y) { return std::isnan(x) || std::isnan(y) ? kNoNumber : std::min(x, y); });
      case ExpressionNode::Max:
        return combined(node, [](double x, double y) { return std::isnan(x) || std::isnan(y) ? kNoNumber : std::max(x, y); });
    }
    return Error::invalid("mean-of", "unknown", "must be an expression");
  }

  /// Where the cell is, in words: "age = 40 and smoking = current".
  std::string place(std::size_t cell) const {
    std::string words;
    for (const CellAxis& axis : axes_) {
      const std::size_t own = cell / axis.stride % axis.cells;
      words += fmt::format("{}{} {}", words.empty() ? "" : " and ", condition_word(axis.column->name, '"'),
                           axis.is_missing(own) ? std::string("is missing")
                           : axis.number()      ? "= " + number_text(*axis.column, axis.point_of(own))
                                                : "= " + condition_word(axis.column->categories->labels[own], '\''));
    }
    return words.empty() ? "for every row" : "where " + words;
  }
  /// A column that is missing there, if any.
  const data::Column* missing_at(std::size_t cell) const {
    for (const CellAxis& axis : axes_) {
      if (axis.is_missing(cell / axis.stride % axis.cells)) return axis.column;
    }
    return nullptr;
  }
  const std::vector<CellAxis>& axes() const { return axes_; }

 private:
  using Values = Result<std::vector<double>>;

  const CellAxis& axis_of(const std::string& name) const {
    return *std::find_if(axes_.begin(), axes_.end(), [&](const CellAxis& axis) { return axis.column->name == name; });
  }

  /// A number for each cell of one column, spread over the table.
  std::vector<double> spread(const CellAxis& axis, const std::vector<double>& own) const {
    std::vector<double> all(cells_);
    for (std::size_t cell = 0; cell < cells_; ++cell) all[cell] = own[cell / axis.stride % axis.cells];
    return all;
  }

  Values column(const ExpressionNode& node) const {
    const CellAxis& axis = axis_of(node.column);
    std::vector<double> own;
    for (std::size_t cell = 0; cell + 1 < axis.cells; ++cell) own.push_back(axis.point_of(cell).approximate());
    const std::optional<Decimal>& declared = axis.column->bounds->missing;
    own.push_back(node.has_default ? node.number.approximate() : declared ? declared->approximate() : kNoNumber);
    return spread(axis, own);
  }

  std::vector<double> holds_by_test(const data::ClassTest& test) const {
    const CellAxis& axis = axis_of(test.column);
    std::vector<double> own;
    if (!axis.number()) {
      for (const std::uint8_t accepted : test.accepts) own.push_back(accepted);
    } else {
      for (std::size_t cell = 0; cell + 1 < axis.cells; ++cell) {
        const Decimal point = axis.point_of(cell);
        const auto reached = std::upper_bound(test.cuts.begin(), test.cuts.end(), point) - test.cuts.begin();
        const auto exceeded = std::lower_bound(test.cuts.begin(), test.cuts.end(), point) - test.cuts.begin();
        own.push_back(test.accepts[static_cast<std::size_t>(reached + exceeded)]);
      }
      own.push_back(test.accepts.back());
    }
    return spread(axis, own);
  }

  Values holds(const data::RowFilter& filter) const {
    std::vector<std::vector<double>> waiting;
    for (const std::int32_t step : filter.steps) {
      if (step >= 0) {
        waiting.push_back(holds_by_test(filter.tests[static_cast<std::size_t>(step)]));
        continue;
      }
      const std::vector<double> last = std::move(waiting.back());
      waiting.pop_back();
      std::vector<double>& into = waiting.back();
      for (std::size_t i = 0; i < cells_; ++i)
        into[i] = step == data::RowFilter::kAnd ? std::min(into[i], last[i]) : std::max(into[i], last[i]);
    }
    return std::move(waiting.front());
  }

  template <class Map>
  Values mapped(const ExpressionNode& node, const Map& map) {
    TACET_TRY(std::vector<double> out, values(node.parts[0]));
    for (double& value : out) value = map(value);
    return out;
  }

  template <class Operation>
  Values combined(const ExpressionNode& node, const Operation& operation) {
    TACET_TRY(std::vector<double> out, values(node.parts[0]));
    for (std::size_t part = 1; part < node.parts.size(); ++part) {
      TACET_TRY(const std::vector<double> right, values(node.parts[part]));
      for (std::size_t i = 0; i < cells_; ++i) out[i] = operation(out[i], right[i]);
    }
    return out;
  }

  Values quotient(const ExpressionNode& node) {
    TACET_TRY(std::vector<double> out, values(node.parts[0]));
    TACET_TRY(const std::vector<double> right, values(node.parts[1]));
    for (std::size_t i = 0; i < cells_; ++i) {
      if (right[i] == 0) {
        return Error::invalid("mean-of", fmt::format("a division by {}", expression_text(node.parts[1])),
                              fmt::format("must not divide by 0, as it may {}", place(i)),
                              "add a constant, or keep it away from 0: max(x, 1)");
      }
      out[i] /= right[i];
    }
    return out;
  }

  std::vector<CellAxis> axes_;
  std::size_t cells_;
};

Status check_values(const CellTable& table, const std::vector<double>& values) {
  for (std::size_t cell = 0; cell < values.size(); ++cell) {
    if (std::abs(values[cell]) <= kLargestValue) continue;
    const data::Column* const missing = table.missing_at(cell);
    if (std::isnan(values[cell]) && missing != nullptr && !missing->bounds->missing) {
      const Decimal& example = missing->bounds->lower;
      const std::string name = condition_word(missing->name, '"');
      return Error::invalid("mean-of", fmt::format("without a number where {} is missing", name),
                            "must say what a missing number counts as",
                            fmt::format("write if_missing({}, {}), or declare missing = {} in the schema", name,
                                        number_text(*missing, example), number_text(*missing, example)));
    }
    const std::string value = std::isnan(values[cell])   ? "no number"
                              : std::isinf(values[cell]) ? "infinite"
                                                         : fmt::format("{}", values[cell]);
    return Error::invalid("mean-of", fmt::format("{} {}", value, table.place(cell)),
                          "must be a number of at most 1e60 in size for every row within the bounds of the schema",
                          "keep what goes into log and sqrt above 0: log(max(x, 1))");
  }
  return {};
}

Result<CellNumbers> tabulated(const data::Schema& schema, const ExpressionNode& node, const std::string& parameter) {
  std::map<std::string, ColumnUse> uses;
  uses_in(node, uses);
  TACET_TRY(std::vector<CellAxis> axes, axes_of(schema, uses, parameter));
  std::size_t cells = 1;
  for (const CellAxis& axis : axes) cells *= axis.cells;
  CellTable table(std::move(axes), cells);
  CellNumbers out{};
  TACET_TRY(out.numbers, table.values(node));
  TACET_CHECK(check_values(table, out.numbers));
  const auto [least, most] = std::minmax_element(out.numbers.begin(), out.numbers.end());
  out.lowest = *least;
  out.highest = *most;
  if (!(out.lowest < out.highest)) {
    return Error::invalid(parameter, fmt::format("{} for every row", out.lowest), "must not be the same for every row",
                          "what needs no data costs nothing");
  }
  if (out.highest - out.lowest < kLeastRange) {
    return Error::invalid(parameter, fmt::format("between {} and {}", out.lowest, out.highest), "must differ by at least 1e-60 among rows",
                          "use larger factors, or measure in a smaller unit");
  }
  for (const CellAxis& axis : table.axes()) {
    out.columns.push_back(axis.column->name);
    if (!axis.number()) continue;
    // A step is what is nearer to its point than to the others.
    const Decimal half = *Decimal::parse("0.5");
    data::Bins bins{axis.column->name, {axis.column->bounds->lower}};
    for (std::size_t cell = 1; cell + 1 < axis.cells; ++cell)
      bins.edges.push_back((axis.point(axis.start(cell) - 1) + axis.point(axis.start(cell))) * half);
    bins.edges.push_back(axis.column->bounds->upper);
    out.bins.push_back(std::move(bins));
    if (axis.each_step && axis.step > axis.column->bounds->resolution) out.steps.emplace_back(axis.column->name, axis.step);
  }
  return out;
}

}  // namespace

Result<CellNumbers> tabulate_expression(const data::Schema& schema, std::string_view text) {
  TACET_TRY(const ExpressionNode node, parse_expression(schema, text));
  TACET_TRY(CellNumbers out, tabulated(schema, node, "mean-of"));
  out.text = expression_text(node);
  return out;
}

Result<CellNumbers> tabulate_fraction(const data::Schema& schema, std::string_view condition) {
  auto parsed = parse_condition(schema, condition);
  if (!parsed.ok()) {
    const Error& inner = parsed.error();
    return Error::invalid("fraction", inner.value(), inner.rule(), inner.remedy());
  }
  ExpressionNode node{ExpressionNode::Holds};
  node.condition = *std::move(parsed);
  TACET_TRY(CellNumbers out, tabulated(schema, node, "fraction"));
  out.text = node.condition.text;
  return out;
}

}  // namespace tacet::schemas
