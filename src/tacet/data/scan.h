// tacet/data/scan.h: one scan of a data file, done by a process that can do nothing else. Private to the data room.
//
//   Sums sums = *scan(file, schema, {.by = {"smoking", "disease"}}, options);       // sums.totals.rows is the table
//
// The bytes of a data file may be anybody's, and a library that parses them may be made to crash or worse. So they are parsed by the
// program tacet-scan, which has the file and nothing else: no ledger, no key, no other file, no network (confine.h, scan_process.h). What
// comes back are integers and the number of a fault, no text to be shown. They are checked to be what some file can give: counts that are
// not negative, sums within the bounds of so many rows. A process that crashes, is killed or answers anything else is a scan that failed,
// in the words for every failed scan (fault.h).
// Trust    what is counted is decided there: a file that takes over the process decides what it answers, within what is possible.
// Cost     10 ms to start it, and nothing for each row; bench/counts_bench.cc, bench/moments_bench.cc.
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

/// Exact, and so wiped when nobody wants them any more.
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

  /// The number of rows. No sum of so many overflows: it has been checked.
  std::int64_t people() const { return std::accumulate(totals.rows.begin(), totals.rows.end(), std::int64_t{0}); }
};

/// By another program than tacet-scan in tests alone.
Result<Sums> scan(const DataFile& file, const Schema& schema, const ScanRequest& request, const CountOptions& options,
                  std::string program = {});

/// Tables, and names and types of columns (source.h), as CBOR: {"tables": [..], "columns": [[name, type], ..]}. Reads no row. For people; the
/// text is the file's own, or whatever the process that read it made of it.
Result<std::string> list_apart(const DataFile& file, const Schema& schema);

}  // namespace tacet::data
