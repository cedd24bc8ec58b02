// Inputs for the examples in src/tacet/inference/estimates; see tests/docs/header_examples.py.
#pragma once

#include "tacet/mechanisms/count_release.h"

namespace tacet::inputs {

extern const mechanisms::CountRelease release;

}  // namespace tacet::inputs
