// tacet/data/counts.h: from a file to a sealed table of counts, in one scan.
//
//   DataFile file = *DataFile::open("patients.parquet");
//   CountTable table = *count(file, declared, {"smoking", "disease"});
//   // table.axes: public labels.  table.counts: sealed, row-major, the last axis runs fastest.
//
// Every row is one person and falls into exactly one cell; the schema says where undeclared and
// missing values count. So replacing a row changes counts by L1 = 2, L2^2 = 2; adding or removing
// one by 1 and 1. A value is compared by its text, in CSV or as DuckDB writes it (12, 1.5, true,
// 2024-05-31). Errors contain neither data nor messages of the engine.
// Cost     one scan; memory independent of the rows; a plain GROUP BY: bench/counts_bench.cc.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/data/declared.h"
#include "tacet/data/scan_request.h"
#include "tacet/kernel/public_fact.h"
#include "tacet/kernel/sensitive.h"

namespace tacet::data {

struct Axis {
  std::string column;
  kernel::PublicFact<std::vector<std::string>> labels;
};

struct CountTable {
  std::vector<Axis> axes;
  kernel::Sensitive<std::vector<std::int64_t>> counts;
  // The number of rows, if the neighbour relation makes it public.
  std::optional<kernel::PublicFact<std::int64_t>> n;
};

/// The sensitivity of any table of counts: one row adds 1 to one cell (row_fold.h, coder.h).
kernel::Sensitivity count_sensitivity(const kernel::Relation& relation);

/// The table of the columns `by`, at most kMostCells cells. Columns must be declared.
Result<CountTable> count(const DataSource& source, const Declared& declared, const std::vector<std::string>& by,
                         const CountOptions& options = {});

}  // namespace tacet::data
