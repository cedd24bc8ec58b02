// tacet/data/data_file.h: a readable file of rows, and how it is read.
//
//   DataFile file = *DataFile::open("patients.parquet");
//
// The name, not the contents, determines the kind (.csv, .tsv, either with .gz; .parquet; .duckdb,
// .db). The file is opened here, once; a name like a pattern or a URL is still a local file.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "tacet/base/owned_descriptor.h"
#include "tacet/base/result.h"

namespace tacet::data {

enum class FileKind : std::uint8_t { Csv, Parquet, DuckDb };

/// How a file is read; its name determines this.
struct FileForm {
  FileKind kind = FileKind::Csv;
  char delimiter = ',';  // a tab for .tsv
  bool gzip = false;
};

class DataFile {
 public:
  static Result<DataFile> open(const std::string& path);
  /// A file that another process has opened; `name` is the name under which libraries open it.
  static DataFile adopt(int descriptor, const FileForm& form, const std::string& name);

  const std::string& path() const { return path_; }
  const FileForm& form() const { return form_; }
  FileKind kind() const { return form_.kind; }
  char delimiter() const { return form_.delimiter; }
  bool gzip() const { return form_.gzip; }

  /// Read-only; open while a copy of this DataFile exists.
  int descriptor() const { return descriptor_->number(); }
  /// A name of the open file that no pattern, prefix or renaming can change: /proc/self/fd/7.
  std::string descriptor_path() const;
  /// The absolute path without symbolic links, for DuckDB files, which may have a log beside them.
  const std::string& real_path() const { return real_path_; }

 private:
  DataFile() = default;
  std::string path_, real_path_;
  FileForm form_;
  std::shared_ptr<const OwnedDescriptor> descriptor_;
};

}  // namespace tacet::data
