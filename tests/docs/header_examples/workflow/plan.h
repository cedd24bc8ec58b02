// Inputs for the examples in src/tacet/workflow/plan; see tests/docs/header_examples.py.
#pragma once

#include "tacet/data/schema.h"
#include "tacet/mechanisms/matrix.h"
#include "tacet/workflow/release/release_file.h"

namespace tacet::inputs {

extern const data::Schema schema;
extern const mechanisms::Matrix sigma;  // the covariance of a row

}  // namespace tacet::inputs
