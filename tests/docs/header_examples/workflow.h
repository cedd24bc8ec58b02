// Inputs for the examples in src/tacet/workflow; see tests/docs/header_examples.py.
#pragma once

#include <string_view>
#include <vector>

#include "tacet/data/counts.h"
#include "tacet/workflow/arrow_column.h"
#include "tacet/workflow/custody/source_register.h"
#include "tacet/workflow/dataset.h"
#include "tacet/workflow/infer/independence.h"
#include "tacet/workflow/release/release_counts.h"

namespace tacet::inputs {

extern const Context context;
extern const KnownPlace place;
extern const data::Declared declared;  // in its terms

extern const std::vector<double> ages;
extern const std::vector<std::string_view> sexes;
extern ArrowArrayStream stream;
extern const ArrowSchema schema;  // of the stream
extern const ArrowArray batch;    // of the stream

}  // namespace tacet::inputs
