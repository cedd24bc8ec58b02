// tacet/kernel/ledger/log_file.h: a file of lines that only grows, the same under every name.
//
//   LogFile file = *LogFile::open("people.ledger");
//   FileLock lock = *file.lock(FileLock::Access::Write);           // on the file, not on its name
//   std::string news = *file.read_lines(known_end);                // new lines of others
//   TACET_CHECK(file.append(known_end + news.size(), line).status);   // on disk when this returns
// There is no log, journal or lock file beside it: these belong to a name, not to a file. A line
// counts once it has its line feed. A crash can leave one without; the next append replaces it.
// Domain   a local file system (locks: disk.h).     Cost   an append: one write, one fdatasync.
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
  /// The file at `path`, for writing if permissions allow it. NotFound if there is none.
  static Result<LogFile> open(const std::string& path, Disk& disk = Disk::real());
  LogFile(OpenFile file, Disk& disk) : file_(std::move(file)), disk_(&disk) {}

  Result<FileLock> lock(FileLock::Access access, std::chrono::milliseconds patience = FileLock::kPatience) const;

  /// Whole lines from `offset` on, up to 64 MiB unless the first is longer; empty at the end.
  /// LedgerCorrupt if the file is shorter than `offset`.
  Result<std::string> read_lines(std::int64_t offset) const;

  /// A few hundred bytes, or a shorter file as a whole.
  Result<std::string> first_bytes() const;

  /// Writes `lines` at `offset`, the end of the last whole line, and syncs them. After an error
  /// `may_be_there` says whether the lines may still be on disk.
  struct Appended {
    Status status;
    bool may_be_there = false;
  };
  Appended append(std::int64_t offset, std::string_view lines, bool sync = true) const;

  bool writable() const { return file_.writable(); }
  bool still_there() const { return file_.still_there(); }
  const std::string& path() const { return file_.path(); }
  Disk& disk() const { return *disk_; }

 private:
  std::string whose() const;
  Status read_into(std::string& bytes, std::size_t size, std::int64_t offset) const;
  OpenFile file_;  // by its absolute path
  Disk* disk_;
};

}  // namespace tacet::kernel
