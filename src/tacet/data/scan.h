// tacet/data/scan.h: one scan of a data file, by a confined process. Private to the data room.
//
//   Sums sums = *scan(file, schema, {.by = {"smoking", "disease"}}, options);  // sums.totals.rows
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

#include <cstdint>
#include <numeric>
#include <string>

#include "tacet/base/result.h"
#include "tacet/data/data_file.h"
#include "tacet/data/moment_sums.h"
#include "tacet/data/row_fold.h"
#include "tacet/data/scan_request.h"
#include "tacet/data/schema.h"

namespace tacet::data {

/// Exact values, so they are wiped on destruction.
struct Sums {
  MomentShape shape;
  Totals totals;
  RowMap map{};  // how numbers became integers

  explicit Sums(const MomentShape& asked)
      : shape(asked), totals{std::vector<std::int64_t>(asked.groups), std::vector<Int128>(asked.groups * asked.width())} {}
  Sums(Sums&&) noexcept = default;
  ~Sums() {
    kernel::wipe(totals.rows);
    kernel::wipe(totals.figures);
  }

  /// The number of rows. The sum cannot overflow: it has been checked.
  std::int64_t people() const { return std::accumulate(totals.rows.begin(), totals.rows.end(), std::int64_t{0}); }
};

/// Only tests pass another program.
Result<Sums> scan(const DataFile& file, const Schema& schema, const ScanRequest& request, const CountOptions& options,
                  std::string program = {});

/// Tables and columns (source.h) as CBOR, {"tables": [..], "columns": [[name, type], ..]}; reads
/// no row. For people to read: the process may have returned any text.
Result<std::string> list_apart(const DataFile& file, const Schema& schema);

}  // namespace tacet::data
