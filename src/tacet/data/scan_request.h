// tacet/data/scan_request.h: the request for a scan, as a value and as bytes. Private to data.
//
//   ScanRequest request{.numbers = {"height"}, .by = {"treated"}, .products = true};
//   std::string text = request_text({schema, request, file.form(), /*threads=*/2});
//   AskedScan asked = read_request(text);
//
// Everything in it is public: columns and their declarations, centres and maps.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tacet/data/data_file.h"
#include "tacet/data/fault.h"
#include "tacet/data/moment_sums.h"
#include "tacet/data/norm_clip.h"
#include "tacet/data/row_filter.h"
#include "tacet/data/row_fold.h"
#include "tacet/data/schema.h"

namespace tacet::data {

/// Receives the progress of a scan, always on the thread that requested it.
struct Progress {
  std::function<void(double)> tell{};    // the fraction done, from 0 to 1; may be empty
  std::chrono::milliseconds after{500};  // a shorter scan reports nothing
  std::chrono::milliseconds every{100};

  /// Waits for the result of another thread, and tells the fraction meanwhile.
  template <class Future, class Fraction>
  auto while_running(Future future, const Fraction& fraction) const {
    for (auto wait = after; future.wait_for(wait) != std::future_status::ready; wait = every) {
      if (tell) tell(fraction());
    }
    return future.get();
  }
};

struct CountOptions {
  Progress progress{};
  unsigned threads = 0;  // 0: all of the machine; the result does not depend on it
};

/// Where rows come from.
using DataSource = std::variant<DataFile, StoredTable>;

/// Cells of a bounded column: between edges, and one for missing numbers.
struct Bins {
  std::string column;
  std::vector<Decimal> edges;  // increasing, at least two
};

struct ScanRequest {
  std::vector<std::string> numbers{};  // bounded columns to add up
  std::vector<std::string> by{};       // categorical; the cells are groups, the last fastest
  bool products = false;               // also the sums of products of two columns
  std::vector<Decimal> centres{};      // one per number; none: near the middle of the bounds
  std::optional<ClipRequest> clip{};   // clips rows instead of columns
  RowFilter where{};                   // the rows that count; no steps: all
  std::vector<Bins> bins{};            // for columns of `by`, in place of declared ones
  std::optional<PersonLimit> people{};

  /// The columns that a scan reads, in order: numbers, by, those of tests, the person.
  std::vector<std::string> columns() const;
};

inline constexpr std::size_t kMostCells = 10'000'000;

/// SchemaInvalid if a column is not declared as needed, or for too many columns or cells.
Result<MomentShape> shape_of(const Schema& schema, const ScanRequest& request);

/// The public names of the cells of a column of `by`.
std::vector<std::string> cell_labels(const Schema& schema, const ScanRequest& request, const std::string& name);

/// How numbers become integers; `single` marks the columns stored in single precision.
Result<RowMap> row_map(const Schema& schema, const ScanRequest& request, std::uint64_t single);

/// A column of a source. A CSV file has texts only.
struct SourceColumn {
  std::string name;
  bool has_text = true;                                                            // its values can be compared by their text
  std::optional<StoredColumn> numbers = StoredColumn{.kind = std::string_view()};  // nothing: it holds none
  std::shared_ptr<void> type = {};                                                 // of the engine
};

struct Sums {
  MomentShape shape;
  Totals totals;
  std::uint64_t single = 0;  // bit j: the source stores number j in single precision
  RowMap map{};              // how numbers became integers

  /// The number of people: of rows, or of those who have some. It cannot overflow: it was checked.
  std::int64_t people() const {
    const std::vector<std::int64_t>& all = totals.units.empty() ? totals.rows : totals.units;
    return std::accumulate(all.begin(), all.end(), std::int64_t{0});
  }
};

/// What `fold` adds, which returns the number of rows. A fault unless the source has one column of
/// each requested name, with numbers or texts as needed.
using Fold = std::function<Scanning<std::int64_t>(const RowPlan& plan, MomentSums& into)>;
Scanning<Sums> sum_rows(const Schema& schema, const ScanRequest& request, const std::vector<SourceColumn>& columns, const Fold& fold);

/// Each thread has its own sums; together they stay below 1 GiB.
unsigned affordable_threads(const ScanRequest& request, const MomentShape& shape, const CountOptions& options);

struct AskedScan {
  Schema schema;  // what reading needs of it: table, dialect and columns
  ScanRequest request;
  FileForm form;
  unsigned threads;
};
std::string request_text(const AskedScan& asked);
/// Throws for any other bytes.
AskedScan read_request(std::string_view text);

}  // namespace tacet::data
