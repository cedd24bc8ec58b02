#include "tacet/workflow/infer/table_event.h"

#include <algorithm>

#include <fmt/format.h>

#include "tacet/inference/counts/independence.h"

namespace tacet {
namespace {

constexpr const char* kEventRule = "must be written COLUMN=LABEL, with | between labels and `and` between columns";
constexpr const char* kEventExample = "for example: smoking=current|former and sex=f";
constexpr std::size_t kMostShown = 60;

/// The parts of `text` between occurrences of `separator` outside of double quotes.
std::vector<std::string> parts_of(const std::string& text, const std::string& separator) {
  std::vector<std::string> parts(1);
  bool quoted = false;
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] == '"') quoted = !quoted;
    if (!quoted && text.compare(i, separator.size(), separator) == 0) {
      parts.emplace_back();
      i += separator.size();
      continue;
    }
    parts.back() += text[i++];
  }
  return parts;
}

std::string without_quotes(std::string word) {
  word.erase(0, std::min(word.find_first_not_of(' '), word.size()));
  word.erase(word.find_last_not_of(' ') + 1);
  if (word.size() >= 2 && word.front() == '"' && word.back() == '"') word = word.substr(1, word.size() - 2);
  return word;
}

Error unreadable(const std::string& parameter, const std::string& text) {
  return Error::invalid(parameter, fmt::format("\"{}\"", text.substr(0, kMostShown)), kEventRule, kEventExample);
}

std::string written(const std::string& word) {
  const bool plain = !word.empty() && word.find_first_of(" |=<>\",") == std::string::npos;
  return plain ? word : '"' + word + '"';
}

}  // namespace

Result<TableEvent> parse_event(const std::string& text, const std::string& parameter) {
  TableEvent event;
  for (const std::string& condition : parts_of(text, " and ")) {
    const std::vector<std::string> sides = parts_of(condition, "=");
    const std::string column = without_quotes(sides.front());
    if (sides.size() < 2 || column.empty()) return unreadable(parameter, text);
    // A label may begin with a sign of its own: income=<=50K.
    const std::string rest = condition.substr(sides.front().size() + 1);
    ColumnChoice choice{column, {}};
    for (const std::string& label : parts_of(rest, "|")) {
      choice.labels.push_back(without_quotes(label));
      if (choice.labels.back().empty()) return unreadable(parameter, text);
    }
    event.all_of.push_back(std::move(choice));
  }
  return event;
}

Result<ProportionOf> parse_proportion(const std::string& text, const std::string& parameter) {
  const std::vector<std::string> sides = parts_of(text, " given ");
  if (sides.size() > 2) {
    return Error::invalid(parameter, fmt::format("\"{}\"", text.substr(0, kMostShown)), "must have the word given at most once",
                          "join conditions with and");
  }
  ProportionOf proportion;
  TACET_TRY(proportion.of, parse_event(sides[0], parameter));
  if (sides.size() < 2) return proportion;
  TACET_TRY(proportion.given, parse_event(sides[1], parameter));
  return proportion;
}

std::string text_of(const TableEvent& event) {
  std::vector<std::string> conditions;
  for (const ColumnChoice& choice : event.all_of) {
    std::vector<std::string> labels;
    for (const std::string& label : choice.labels) labels.push_back(written(label));
    conditions.push_back(fmt::format("{}={}", written(choice.column), fmt::join(labels, "|")));
  }
  return fmt::format("{}", fmt::join(conditions, " and "));
}

std::vector<mechanisms::ReleaseAxis> axes_of(const mechanisms::ReleasedTable& table) {
  if (!table.axes.empty()) return table.axes;
  std::vector<mechanisms::ReleaseAxis> axes;
  for (std::size_t axis = 0; axis < table.shape.size(); ++axis) {
    axes.push_back({fmt::format("{}", axis + 1), {}});
    for (std::size_t label = 0; label < table.shape[axis]; ++label) axes.back().labels.push_back(fmt::format("{}", label + 1));
  }
  return axes;
}

Result<std::vector<bool>> cells_of(const mechanisms::ReleasedTable& table, const TableEvent& event, const std::string& parameter) {
  const std::vector<mechanisms::ReleaseAxis> axes = axes_of(table);
  std::vector<bool> cells(table.values.size(), true);
  for (const ColumnChoice& choice : event.all_of) {
    const auto axis = std::find_if(axes.begin(), axes.end(), [&](const auto& each) { return each.name == choice.column; });
    if (axis == axes.end()) {
      std::vector<std::string> names;
      for (const auto& each : axes) names.push_back(each.name);
      return Error::invalid(parameter, fmt::format("\"{}\"", text_of(event).substr(0, kMostShown)), "must name columns of the release",
                            fmt::format("it has: {}", fmt::join(names, ", ")));
    }
    std::vector<bool> meant(axis->labels.size(), false);
    for (const std::string& label : choice.labels) {
      const auto found = std::find(axis->labels.begin(), axis->labels.end(), label);
      if (found == axis->labels.end()) {
        return Error::invalid(
            parameter, fmt::format("\"{}\"", text_of(event).substr(0, kMostShown)), fmt::format("must name labels of {}", axis->name),
            fmt::format("they are: {}", fmt::join(axis->labels.begin(),
                                                  axis->labels.begin() + std::min<std::ptrdiff_t>(20, std::ssize(axis->labels)), ", ")));
      }
      meant[static_cast<std::size_t>(found - axis->labels.begin())] = true;
    }
    std::size_t inner = 1;
    for (auto after = static_cast<std::size_t>(axis - axes.begin()) + 1; after < table.shape.size(); ++after) inner *= table.shape[after];
    for (std::size_t cell = 0; cell < cells.size(); ++cell) cells[cell] = cells[cell] && meant[cell / inner % meant.size()];
  }
  return cells;
}

Result<ColumnClasses> classes_by(const mechanisms::ReleasedTable& table, const std::vector<std::string>& columns,
                                 const std::string& parameter) {
  const std::vector<mechanisms::ReleaseAxis> axes = axes_of(table);
  ColumnClasses found{{}, std::vector<std::size_t>(table.values.size()), 1};
  std::vector<std::size_t> places;
  for (const std::string& column : columns) {
    const auto axis = std::find_if(axes.begin(), axes.end(), [&](const auto& each) { return each.name == column; });
    const auto place = static_cast<std::size_t>(axis - axes.begin());
    if (axis == axes.end() || std::find(places.begin(), places.end(), place) != places.end()) {
      std::vector<std::string> names;
      for (const auto& each : axes) names.push_back(each.name);
      return Error::invalid(parameter, fmt::format("\"{}\"", column.substr(0, kMostShown)), "must name columns of the release, each once",
                            fmt::format("it has: {}", fmt::join(names, ", ")));
    }
    places.push_back(place);
    found.axes.push_back(*axis);
    found.classes *= axis->labels.size();
    std::size_t inner = 1;
    for (std::size_t after = place + 1; after < table.shape.size(); ++after) inner *= table.shape[after];
    for (std::size_t cell = 0; cell < table.values.size(); ++cell) {
      found.class_of_cell[cell] = found.class_of_cell[cell] * axis->labels.size() + cell / inner % axis->labels.size();
    }
  }
  return found;
}

Result<ColumnClasses> two_columns(const mechanisms::ReleasedTable& table, const std::optional<std::string>& rows,
                                  const std::optional<std::string>& columns) {
  if (rows.has_value() != columns.has_value()) {
    return Error::invalid(rows ? "columns" : "rows", "missing", "must name the other variable of the table",
                          "for example: rows = smoking columns = disease");
  }
  std::vector<std::string> names;
  if (rows) {
    names = {*rows, *columns};
  } else {
    TACET_CHECK(inference::two_way(table));
    for (const auto& axis : axes_of(table)) names.push_back(axis.name);
  }
  TACET_TRY(ColumnClasses classes, classes_by(table, names, "rows or columns"));
  TACET_CHECK(inference::two_way({{}, {classes.axes[0].labels.size(), classes.axes[1].labels.size()}, {}}));
  return classes;
}

}  // namespace tacet
