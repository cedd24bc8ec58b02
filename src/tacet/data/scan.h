// tacet/data/scan.h: one scan of a data source; files by a confined process. Private to data.
//
//   Sums sums = *scan(file, schema, {.by = {"smoking", "disease"}}, {});     // sums.totals.rows
//
// A data file may be hostile and make a parsing library crash or worse. So the program tacet-scan
// parses it, with no access to anything else: no ledger, no key, no other file, no network
// (confine.h, scan_process.h). It returns integers and the number of a fault, never text. The
// results are checked to be possible: counts are not negative, sums are within the bounds of that
// many rows. If it crashes, is killed or answers otherwise, the scan failed (fault.h).
// Trust    a file that takes over the process decides its answer, within what is possible.
// Cost     10 ms to start, nothing per row; bench/counts_bench.cc, bench/moments_bench.cc.
// Checked  tests/data/scan_test.cc, tests/data/confine_test.cc
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "tacet/base/result.h"
#include "tacet/data/data_file.h"
#include "tacet/data/fault.h"
#include "tacet/data/scan_request.h"
#include "tacet/data/schema.h"
#include "tacet/data/shared_region.h"

namespace tacet::data {

/// Adds up every row in this process, and only the confined one does so with a file: our own reader
/// reads CSV files, the embedded engine all others. Memory does not depend on the rows.
Scanning<Sums> scan_here(const DataFile& file, const Schema& schema, const ScanRequest& request, const CountOptions& options = {});
Scanning<Sums> scan_here(const StoredTable& table, const Schema& schema, const ScanRequest& request, const CountOptions& options = {});

// ---- The program tacet-scan. ----

/// The names by which the confined process opens its descriptors: a DuckDB file and its log.
inline constexpr const char* kDataName = "/data";
inline constexpr const char* kLogName = "/data.wal";

/// The shared region, after confinement; the process dies with its parent. Empty without a
/// request. If confinement fails, the process reports it and ends. `build`: what it says it is.
std::optional<SharedRegion> begin_scan(std::uint64_t build = scan_build());
/// The whole program: reads the request, confines itself, and only then opens the file. It answers
/// one request and ends; its exit code is 0 if it has answered, even with a fault.
int answer_scan();

// ---- Who asks. ----

/// Only tests pass another program.
Result<Sums> scan(const DataSource& source, const Schema& schema, const ScanRequest& request, const CountOptions& options,
                  std::string program = {});

}  // namespace tacet::data
