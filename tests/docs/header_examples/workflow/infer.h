// Inputs for the examples in src/tacet/workflow/infer; see tests/docs/header_examples.py.
#pragma once

#include "tacet/workflow/release/release_file.h"

namespace tacet::inputs {

extern const CountRelease table, genotypes;

}  // namespace tacet::inputs
