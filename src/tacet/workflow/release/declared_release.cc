#include "tacet/workflow/release/declared_release.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace tacet {

Status check_release(const Release& release) {
  const auto read = mechanisms::release_from_json(mechanisms::to_json(release));
  return read.ok() ? Status() : Status(read.error());
}

Result<std::vector<std::size_t>> imported_shape(std::size_t cells, const std::vector<std::size_t>& shape) {
  if (shape.empty()) return std::vector<std::size_t>{cells};
  std::size_t product = shape.size() <= mechanisms::kMostAxes ? 1 : 0;
  for (const std::size_t size : shape) product = size > 0 && product <= cells / size ? product * size : 0;
  if (product == cells && cells > 0) return shape;
  return Error::invalid(
      "shape",
      shape.size() <= mechanisms::kMostAxes ? fmt::format("{}", fmt::join(shape, " x ")) : fmt::format("of {} dimensions", shape.size()),
      fmt::format("must have at most {} dimensions and the {} cells that there are", mechanisms::kMostAxes, cells),
      "leave it out for a list");
}

}  // namespace tacet
