// Inputs for the examples in src/tacet/old_ledger; see tests/docs/header_examples.py.
#pragma once

#include "tacet/kernel/custody/custody.h"

namespace tacet::inputs {

extern kernel::Custody ledger;                 // the new one
extern const kernel::Declaration declaration;  // of a dataset in it

}  // namespace tacet::inputs
