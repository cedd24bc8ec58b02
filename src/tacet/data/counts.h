// tacet/data/counts.h: from a file to a sealed table of counts, in one scan.
//
//   CountTable table = *count(file, declared, {.by = {"smoking", "disease"}});
//   // table.axes: public labels.  table.counts: sealed, row-major, the last axis runs fastest.
//
// Every row falls into exactly one cell, or does not count (`where`); the schema says where
// undeclared and missing values count. A value is compared by its text, in CSV or as DuckDB writes
// it (12, 1.5, true, 2024-05-31). Errors contain neither data nor messages of the engine.
// Theorem  A person with at most r rows in each of at most g cells (1 and 1 if a row is a person)
//          adds at most g r to all cells, and at most g r^2 to the sum of their squares. Replacing
//          a person changes counts by at most twice that: L1 = 2 g r, L2^2 = 2 g r^2. Each of the
//          sums of a histogram may hold all g r rows of a person: L levels of sums add L times
//          g r and (g r)^2.
// Cost     one scan; memory independent of the rows; a plain GROUP BY: bench/counts_bench.cc.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/data/declared.h"
#include "tacet/data/scan_request.h"
#include "tacet/kernel/ledger/terms.h"
#include "tacet/kernel/sensitive.h"

namespace tacet::data {

struct Axis {
  std::string column;
  kernel::PublicFact<std::vector<std::string>> labels;
  std::optional<kernel::PublicFact<std::vector<std::int64_t>>> sizes;  // rows of each label, if public
};

struct CountTable {
  std::vector<Axis> axes;
  kernel::Sensitive<std::vector<std::int64_t>> counts;
  std::optional<kernel::PublicFact<std::int64_t>> n;  // the total, if the neighbour relation makes it public
};

/// If a person may have several rows: each counts, or a person counts once in a cell.
enum class CountUnit : std::uint8_t { People, Rows };
constexpr auto names_of(CountUnit) { return std::to_array<Named<CountUnit>>({{CountUnit::People, "people"}, {CountUnit::Rows, "rows"}}); }

struct CountRequest {
  std::vector<std::string> by;
  RowFilter where{};
  std::vector<Bins> bins{};  // of bounded columns, in place of declared ones
  CountUnit unit = CountUnit::People;
  /// Above 1, for one column in `bins`: after its cells come the sums of so many neighbouring bins,
  /// then of so many of these, and so on (sum_widths). A missing number is in no sum.
  std::size_t branching = 1;
  /// Public. If there are any: in place of the cells, the sum over all rows of the weight of their
  /// cell. No row may be dropped, come or go; replacing one changes the sum by a difference of two.
  std::vector<std::int32_t> weights{};
};

/// The number of bins in each sum of a level: b, b^2, ..., while below the number of bins.
std::vector<std::size_t> sum_widths(std::size_t bins, std::size_t branching);

/// The limit for each person, without its key; nothing if a row is a person.
std::optional<PersonLimit> person_limit(const Schema& schema, CountUnit unit);
/// The same rows are kept in all releases of a dataset.
std::array<std::uint8_t, 16> person_key(const kernel::DatasetId& dataset);
/// Is the number of rows that count public, where that of people is? Then no row can be dropped but
/// those beyond the first of a person.
bool rows_are_public(const std::optional<PersonLimit>& limit, const RowFilter& where);

/// `levels`: of sums of a histogram, besides the cells.
kernel::Sensitivity count_sensitivity(const kernel::Relation& relation, const std::optional<PersonLimit>& limit = {},
                                      std::size_t levels = 0);

/// The table of the columns `by`, at most kMostCells cells. Columns must be declared.
Result<CountTable> count(const DataSource& source, const Declared& declared, const CountRequest& request, const CountOptions& options = {});

}  // namespace tacet::data
