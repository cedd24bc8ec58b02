#include "tacet/inference/counts/grouped_cells.h"

#include <vector>

namespace tacet::inference {

GroupedCells::GroupedCells(const mechanisms::CountRelease& release, std::span<const GroupMask> masks)
    : classes_(release, std::vector<std::size_t>(masks.begin(), masks.end()), kGroupClasses) {}

double GroupedCells::sum(unsigned group) const {
  return sum(weights([&](GroupMask mask) { return (mask >> group & 1) != 0 ? 1.0 : 0.0; }));
}

double GroupedCells::sum(const GroupWeights& weights) const {
  double total = 0;
  for (std::size_t mask = 0; mask < kGroupClasses; ++mask) total += weights[mask] * classes_.values()[mask];
  return total;
}

bool GroupedCells::has_cells(unsigned group) const {
  for (std::size_t mask = 0; mask < kGroupClasses; ++mask)
    if ((mask >> group & 1) != 0 && classes_.has_cells(mask)) return true;
  return false;
}

}  // namespace tacet::inference
