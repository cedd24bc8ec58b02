// Inputs for the examples in src/tacet/accounting; see tests/docs/header_examples.py.
#pragma once

#include "tacet/privacy/currency.h"
#include "tacet/privacy/filter.h"

namespace tacet::inputs {

using namespace privacy;

}  // namespace tacet::inputs
