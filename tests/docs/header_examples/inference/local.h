// Inputs for the examples in src/tacet/inference/local; see tests/docs/header_examples.py.
#pragma once

#include "tacet/mechanisms/local_release.h"

namespace tacet::inputs {

using namespace mechanisms;

extern const LocalRelease release;

}  // namespace tacet::inputs
