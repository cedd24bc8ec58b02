// Inputs for the examples in src/tacet/planning; see tests/docs/header_examples.py.
#pragma once

#include <vector>

#include "tacet/inference/counts/gof_statistic.h"
#include "tacet/mechanisms/moment_release.h"
#include "tacet/numeric/normal.h"
#include "tacet/privacy/currency.h"

namespace tacet::inputs {

using namespace inference;
using namespace mechanisms;
using namespace privacy;

extern const NoiseDistribution noise;  // of a table
extern const GaussianLoss loss;        // mu 0.1
extern const MomentRelease blank;      // workflow/plan/blank_release.h

}  // namespace tacet::inputs
