#include "tacet/service/table_words.h"

#include <fmt/format.h>

#include "tacet/report/text_table.h"

namespace tacet::service {
namespace {

constexpr std::size_t kMostLines = 60;
constexpr std::size_t kMostColumns = 8;

std::string cell_label(const mechanisms::ReleasedTable& released, std::size_t axis, std::size_t at) {
  return released.axes.empty() ? fmt::format("{}", at + 1) : released.axes[axis].labels[at];
}

std::string axis_name(const mechanisms::ReleasedTable& released, std::size_t axis) {
  return released.axes.empty() ? fmt::format("axis {}", axis + 1) : released.axes[axis].name;
}

/// One cell to a line: for one axis, or if the last axis is too wide for a terminal.
std::string as_list(const mechanisms::ReleasedTable& released, const std::function<std::string(std::size_t)>& cell) {
  report::TextTable table({"cell", "value"});
  for (std::size_t i = 0; i < released.values.size() && i < kMostLines; ++i) table.add({released.cell_name(i), cell(i)});
  return table.render();
}

}  // namespace

std::string table_words(const mechanisms::ReleasedTable& released, const std::function<std::string(std::size_t)>& cell) {
  const std::size_t axes = released.shape.size();
  const std::size_t columns = released.shape.back();
  const std::size_t rows = released.values.size() / columns;
  std::string out;
  if (axes == 1 || columns > kMostColumns) {
    out = as_list(released, cell);
  } else {
    std::string corner;
    for (std::size_t axis = 0; axis + 1 < axes; ++axis) corner += axis_name(released, axis) + (axis + 2 < axes ? ", " : "");
    std::vector<std::string> header = {fmt::format("{} \\ {}", corner, axis_name(released, axes - 1))};
    for (std::size_t column = 0; column < columns; ++column) header.push_back(cell_label(released, axes - 1, column));
    report::TextTable table(header);
    for (std::size_t row = 0; row < rows && row < kMostLines; ++row) {
      std::string name;
      std::size_t rest = row;
      for (std::size_t axis = axes - 1; axis-- > 0;) {
        name = cell_label(released, axis, rest % released.shape[axis]) + (name.empty() ? "" : ", " + name);
        rest /= released.shape[axis];
      }
      std::vector<std::string> line = {name};
      for (std::size_t column = 0; column < columns; ++column) line.push_back(cell(row * columns + column));
      table.add(line);
    }
    out = table.render();
  }
  const std::size_t lines = axes == 1 || columns > kMostColumns ? released.values.size() : rows;
  if (lines > kMostLines) out += fmt::format("  ... and {} more lines; all are in the file.\n", lines - kMostLines);
  return out;
}

std::optional<std::string> empty_table_words(const mechanisms::CountRelease& release) {
  if (!release.n || *release.n != 0) return std::nullopt;
  return "Nobody is in the file, and that is public: every true count is 0. The released values are noise alone.\n";
}

}  // namespace tacet::service
