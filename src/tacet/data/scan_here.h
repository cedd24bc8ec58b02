// tacet/data/scan_here.h: adds up every row of a file, in this process. Private to the data room.
//
//   Summed summed = *scan_here(file, schema, {.by = {"smoking", "disease"}}, options);
//   summed.totals.rows;     // the table of counts
//
// Only the process that scan.h starts calls it. This is the whole counting: each row adds 1 to the
// rows of one group, and its integers (row_fold.h) to the sums of that group. Our own reader reads
// CSV files, the embedded engine all others; the same code interprets the rows.
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
  std::uint64_t single;  // bit j: the file stores number j in single precision
};

Scanning<Summed> scan_here(const DataFile& file, const Schema& schema, const ScanRequest& request, const CountOptions& options = {});

}  // namespace tacet::data
