// tacet/kernel/ledger/log_file.h: a file of lines that only grows, the same file whatever it is called.
//
//   LogFile file = *LogFile::open("people.ledger");
//   FileLock lock = *file.lock(FileLock::Access::Write);           // on the file itself, whatever name it was opened by
//   std::string news = *file.read_lines(known_end);                // whole lines that others have appended since
//   TACET_CHECK(file.append(known_end + news.size(), line).status);   // on disk when this returns
//
// There is one file and nothing beside it: no log, no journal and no lock file, all of which belong to a name and not to a file.
// A line counts once its line feed is there. A crash can leave a last line without one; nothing was promised for it, and the next
// append replaces it.
// Domain   a local file system (disk.h says which locks).
// Cost     an append is one write and one fdatasync.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "tacet/base/result.h"
#include "tacet/kernel/ledger/disk.h"

namespace tacet::kernel {

class LogFile {
 public:
  /// The file at `path`, for writing where permissions allow it. NotFound if there is none.
  static Result<LogFile> open(const std::string& path, Disk& disk = Disk::real());
  LogFile(OpenFile file, Disk& disk) : file_(std::move(file)), disk_(&disk) {}

  Result<FileLock> lock(FileLock::Access access, std::chrono::milliseconds patience = FileLock::kPatience) const;

  /// Whole lines from `offset` on, at most 64 MiB of them unless the first is longer; empty at the end. LedgerCorrupt if the file is
  /// shorter than `offset`.
  Result<std::string> read_lines(std::int64_t offset) const;

  /// A few hundred bytes, or all of a shorter file.
  Result<std::string> first_bytes() const;

  /// Writes `lines` at `offset`, which is the end of the last whole line, and syncs them. After an error `may_be_there` tells whether the
  /// lines may be on disk all the same.
  struct Appended {
    Status status;
    bool may_be_there = false;
  };
  Appended append(std::int64_t offset, std::string_view lines, bool sync = true) const;

  /// Makes the name outlast a power cut.
  Status keep_name() const;

  bool writable() const { return file_.writable(); }
  bool still_there() const { return file_.still_there(); }
  const std::string& path() const { return file_.path(); }

 private:
  std::string whose() const;
  Status read_into(std::string& bytes, std::size_t size, std::int64_t offset) const;
  OpenFile file_;  // by its absolute path
  Disk* disk_;
};

}  // namespace tacet::kernel
