// Inputs for the examples in src/tacet/data; see tests/docs/header_examples.py.
#pragma once

#include <string>
#include <vector>

#include "tacet/data/counts.h"
#include "tacet/data/row_fold.h"
#include "tacet/data/scan_request.h"
#include "tacet/data/schema.h"
#include "tacet/data/shared_region.h"
#include "tacet/kernel/ledger/ledger.h"

namespace tacet::inputs {

extern const data::DataFile file;
extern const data::Schema schema;
extern const data::Column column;  // one of the schema
extern const data::Declared declared;
extern const kernel::Ledger ledger;
extern data::SharedRegion region;

extern const double* values;          // 1024 rows of a column
extern const double* const* numbers;  // 1024 rows of all columns
extern std::int32_t* out;             // the same as integers
extern std::int32_t* const* outs;
extern const std::vector<data::StoredColumn> columns;
extern const std::string source;  // of rows, in SQL
extern const data::RowPlan plan;
extern data::MomentSums sums;
extern const data::PersonLimit limit;

}  // namespace tacet::inputs
