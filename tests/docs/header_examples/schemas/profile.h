// Inputs for the examples in src/tacet/schemas/profile; see tests/docs/header_examples.py.
#pragma once

#include "tacet/data/data_file.h"
#include "tacet/data/schema.h"
#include "tacet/schemas/profile/profile.h"

namespace tacet::inputs {

extern const data::DataFile file;
extern const data::Schema schema;
extern const schemas::FileProfile profile;

}  // namespace tacet::inputs
