// tacet/data/scan_here.h: every row of a file added up, in this process. Private to the data room, and called by the process that
// scan.h starts: bytes of a data file are not read where the ledger is.
//
//   Summed summed = *scan_here(file, schema, {.by = {"smoking", "disease"}}, options);
//   summed.totals.rows;     // the table of counts
//
// This is the whole of the counting: each row adds 1 to the rows of one group, and its integers (row_fold.h) to that group's sums.
// CSV files are read by our own reader, the others by the embedded engine; what a row is worth is decided by the same code.
// Cost     one scan; memory depends on the request and the threads, not on the rows.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "tacet/data/data_file.h"
#include "tacet/data/fault.h"
#include "tacet/data/moment_sums.h"
#include "tacet/data/scan_request.h"
#include "tacet/data/schema.h"

namespace tacet::data {

struct Summed {
  Totals totals;
  std::uint64_t single;  // a bit for each of the numbers that the file stores in single precision
};

Scanning<Summed> scan_here(const DataFile& file, const Schema& schema, const ScanRequest& request, const CountOptions& options = {});

}  // namespace tacet::data
