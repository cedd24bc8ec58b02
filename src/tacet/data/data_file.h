// tacet/data/data_file.h: a readable file of rows, and how it is read.
//
//   DataFile file = *DataFile::open("patients.parquet");
//
// The kind is told from the name (.csv, .tsv, either with .gz; .parquet; .duckdb, .db), never from the contents. The file is
// opened here, once, by the operating system: whatever its name looks like (a pattern, a URL), it is the name of a local file.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "tacet/base/result.h"

namespace tacet::data {

enum class FileKind : std::uint8_t { Csv, Parquet, DuckDb };

class DataFile {
 public:
  static Result<DataFile> open(const std::string& path);

  const std::string& path() const { return path_; }
  FileKind kind() const { return kind_; }
  /// The delimiter its name suggests: a tab for .tsv, a comma otherwise.
  char delimiter() const { return delimiter_; }
  /// Whether its name says that it is compressed by gzip.
  bool gzip() const { return gzip_; }

  /// Read-only, open for as long as a copy of this DataFile lives.
  int descriptor() const;
  /// A name of the open file that no pattern, prefix or later renaming can change: /proc/self/fd/7.
  std::string descriptor_path() const;
  /// The absolute path without symbolic links, for DuckDB files, which have a log beside them.
  const std::string& real_path() const { return real_path_; }

 private:
  class Descriptor;
  DataFile() = default;
  std::string path_, real_path_;
  FileKind kind_ = FileKind::Csv;
  char delimiter_ = ',';
  bool gzip_ = false;
  std::shared_ptr<const Descriptor> descriptor_;
};

}  // namespace tacet::data
