// tacet/data/counts.h: from a file to a sealed table of counts, in one scan.
//
//   DataFile file = *DataFile::open("patients.parquet");
//   CountTable table = *count(file, schema, {"smoking", "disease"});
//   // table.axes: public labels.  table.counts: sealed, row-major, the last axis runs fastest.
//
// Every row is one person and falls into exactly one cell: declared values into theirs, others and missing ones where the
// schema says. So replacing a row moves one count (L1 = 2, L2^2 = 2), and adding or removing one changes one (1 and 1).
// Errors never carry contents of the file, nor messages of the engine.
// Cost     one scan, memory independent of the number of rows; bench/counts_bench.cc compares it with a plain GROUP BY.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/data/schema.h"
#include "tacet/kernel/sensitive.h"

namespace tacet::data {

enum class FileKind : std::uint8_t { Csv, Parquet, DuckDb };

/// A readable file and how to read it, told from its name (.csv, .csv.gz, .tsv, .parquet, .duckdb, .db).
class DataFile {
 public:
  static Result<DataFile> open(const std::string& path);
  const std::string& path() const { return path_; }
  FileKind kind() const { return kind_; }

 private:
  DataFile(std::string path, FileKind kind) : path_(std::move(path)), kind_(kind) {}
  std::string path_;
  FileKind kind_;
};

struct Axis {
  std::string column;
  std::vector<std::string> labels;
};

struct CountTable {
  std::vector<Axis> axes;
  kernel::Sensitive<std::vector<std::int64_t>> counts;
  std::optional<std::int64_t> n;  // the number of rows, where the neighbour relation makes it public
};

/// Called now and then with the fraction done, from 0 to 1, while a scan runs.
using Progress = std::function<void(double)>;

/// The largest table we make.
inline constexpr std::size_t kMostCells = 10'000'000;

Result<CountTable> count(const DataFile& file, const Schema& schema, const std::vector<std::string>& by, const Progress& progress = {});

/// A schema for the custodian to complete, from column names and types only.
Result<std::string> draft_schema(const DataFile& file, const std::string& dataset);

}  // namespace tacet::data
