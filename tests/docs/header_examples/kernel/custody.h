// Inputs for the examples in src/tacet/kernel/custody; see tests/docs/header_examples.py.
#pragma once

#include <string>

#include "tacet/kernel/custody/custody.h"
#include "tacet/kernel/ledger/record.h"

namespace tacet::inputs {

using namespace privacy;

extern const kernel::Record record;
extern const std::string hash;  // of the record

}  // namespace tacet::inputs
