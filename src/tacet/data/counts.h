// tacet/data/counts.h: from a file to a sealed table of counts, in one scan.
//
//   DataFile file = *DataFile::open("patients.parquet");
//   CountTable table = *count(file, declared, {"smoking", "disease"});
//   // table.axes: public labels.  table.counts: sealed, row-major, the last axis runs fastest.
//
// Every row is one person and falls into exactly one cell: declared values into theirs, others and missing ones where the
// schema says. So replacing a row moves one count (L1 = 2, L2^2 = 2), and adding or removing one changes one (1 and 1).
// A value is compared by its text: as it stands in a CSV file, and as DuckDB writes it for other kinds (12, 1.5, true, 2024-05-31).
// Errors never carry contents of the file, nor messages of the engine.
// Cost     one scan; memory depends on the table and the threads, not on the rows; bench/counts_bench.cc compares it with a
//          plain GROUP BY and measures both.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/data/data_file.h"
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
  std::optional<kernel::PublicFact<std::int64_t>> n;  // the number of rows, where the neighbour relation makes it public
};

/// What one person changes in any table of counts: one row adds 1 to one cell (scan_here.h), whatever it holds (coder.h), and
/// replacing it takes 1 from a cell and gives 1 to another.
kernel::Sensitivity count_sensitivity(const kernel::Relation& relation);

/// The table of the columns `by`, at most kMostCells cells. Fails before any row is read where the terms do not declare them.
Result<CountTable> count(const DataFile& file, const Declared& declared, const std::vector<std::string>& by,
                         const CountOptions& options = {});

}  // namespace tacet::data
