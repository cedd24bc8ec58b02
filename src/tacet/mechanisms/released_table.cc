#include "tacet/mechanisms/released_table.h"

#include <fmt/format.h>

namespace tacet::mechanisms {

std::string ReleasedTable::cell_name(std::size_t cell) const {
  if (axes.empty()) return fmt::format("cell {}", cell + 1);
  std::string name;
  for (std::size_t i = axes.size(); i-- > 0;) {
    const std::size_t label = cell % shape[i];
    cell /= shape[i];
    name = axes[i].name + "=" + axes[i].labels[label] + (name.empty() ? "" : ", " + name);
  }
  return name;
}

}  // namespace tacet::mechanisms
