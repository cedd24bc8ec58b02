// Inputs for the examples in src/tacet/inference/counts; see tests/docs/header_examples.py.
#pragma once

#include <vector>

#include "tacet/inference/counts/collapsed_table.h"
#include "tacet/inference/counts/gof_statistic.h"
#include "tacet/inference/counts/grouped_cells.h"
#include "tacet/mechanisms/count_release.h"

namespace tacet::inputs {

using namespace mechanisms;

extern const CountRelease release, north, south, east;
extern const std::vector<inference::GroupMask> masks;  // of the release
extern const inference::CollapsedTable table;          // of the release

}  // namespace tacet::inputs
