// Inputs for the examples in src/tacet/schemas/expression; see tests/docs/header_examples.py.
#pragma once

#include "tacet/data/schema.h"

namespace tacet::inputs {

extern const data::Schema schema;

}  // namespace tacet::inputs
