// Inputs for the examples in src/tacet/kernel/ledger; see tests/docs/header_examples.py.
#pragma once

#include <cstdint>
#include <string>

#include "tacet/kernel/ledger/ledger_state.h"

namespace tacet::inputs {

using namespace privacy;

extern const Loss loss;
extern kernel::LedgerState& state;  // of an open ledger
extern const kernel::Record record;
extern const std::string line, ledger_name, hash;  // of a ledger and its last record
extern const int descriptor;                       // of an open file
extern const std::int64_t rows, known_end;         // of a data file; of the lines that were read

}  // namespace tacet::inputs
