// Inputs for the examples in src/tacet/inference/counts; see tests/docs/header_examples.py.
#pragma once

#include <vector>

#include "tacet/inference/counts/gof_statistic.h"
#include "tacet/mechanisms/count_release.h"

namespace tacet::inputs {

using namespace mechanisms;

extern const CountRelease release, north, south, east;

}  // namespace tacet::inputs
