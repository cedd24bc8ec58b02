// Inputs for the examples in src/tacet/schemas; see tests/docs/header_examples.py.
#pragma once

#include "tacet/data/data_file.h"
#include "tacet/data/schema.h"
#include "tacet/schemas/schema_tree.h"

namespace tacet::inputs {

extern const data::DataFile file;
extern const data::Schema schema, kept;  // kept: in the terms of the budget
extern const schemas::SchemaNode::Table fields;

}  // namespace tacet::inputs
