// Inputs for the examples in src/tacet/workflow/infer; see tests/docs/header_examples.py.
#pragma once

#include "tacet/workflow/infer/histogram_source.h"
#include "tacet/workflow/release/release_file.h"

namespace tacet::inputs {

extern const CountRelease table, genotypes;
extern const HistogramSource source;

}  // namespace tacet::inputs
