// Inputs for the examples in src/tacet/workflow/custody; see tests/docs/header_examples.py.
#pragma once

#include <string>

#include "tacet/data/declared.h"
#include "tacet/kernel/custody/custody.h"
#include "tacet/schemas/schema_text.h"
#include "tacet/workflow/dataset.h"

namespace tacet::inputs {

extern const KnownPlace place;
extern const data::Schema schema;
extern const data::Declared declared;
extern const kernel::Ledger ledger;

}  // namespace tacet::inputs
