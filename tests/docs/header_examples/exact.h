// Inputs for the examples in src/tacet/exact; see tests/docs/header_examples.py.
#pragma once

#include "tacet/exact/random_bits.h"

namespace tacet::inputs {

extern exact::RandomBits& bits;

}  // namespace tacet::inputs
