// Inputs for the examples in src/tacet/workflow/session; see tests/docs/header_examples.py.
#pragma once

#include "tacet/data/declared.h"
#include "tacet/workflow/dataset.h"

namespace tacet::inputs {

extern const Dataset patients;
extern const data::Declared declared;

}  // namespace tacet::inputs
