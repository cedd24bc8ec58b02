// tacet/data/data_file.h: a readable file of rows, and how it is read.
//
//   OwnedDescriptor opened(::open("patients.tsv", O_RDONLY | O_CLOEXEC));
//   DataFile file = *DataFile::of(std::move(opened), {FileKind::Csv, '\t'}, "patients.tsv");
//
// The file is opened once, by its name (schemas/data_path.h), and read by its descriptor. Its name,
// not its contents, determines its form.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fcntl.h>

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
  /// Refused unless it is a regular file. `path` is its name in messages.
  static Result<DataFile> of(OwnedDescriptor descriptor, const FileForm& form, const std::string& path);
  /// A file that another process has opened; `name` is the name under which libraries open it.
  static DataFile adopt(OwnedDescriptor descriptor, const FileForm& form, const std::string& name);

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
