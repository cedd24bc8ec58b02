// tacet/kernel/ledger/log_file.h: a file of lines that only grows, the same file whatever it is called.
//
//   LogFile file = *LogFile::open("people.ledger");
//   LogFile::Lock lock = *file.lock(LogFile::Access::Write);       // on the file itself: hard links, bind mounts and symbolic links share it
//   std::string news = *file.read_lines(known_end);                // whole lines that others have appended since
//   TACET_CHECK(file.append(known_end + news.size(), line));       // on disk when this returns
//
// There is one file and nothing beside it: no log, no journal and no lock file, all of which belong to a name and not to a file.
// A line counts once its line feed is there. A crash can leave a last line without one; nothing was promised for it, and the next
// append replaces it.
// Domain   a local file system: locks are those of the open file description (fcntl, F_OFD_SETLK), which follow the inode.
// Cost     an append is one write and one fdatasync.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "tacet/base/result.h"

namespace tacet::kernel {

/// What a LogFile does to its disk; tests pass one that fails.
class Disk {
 public:
  virtual ~Disk() = default;
  virtual ssize_t write_at(int descriptor, const char* bytes, std::size_t size, off_t offset);
  virtual int sync(int descriptor);  // contents and size
  virtual int cut(int descriptor, off_t size);
  static Disk& real();
};

class LogFile {
 public:
  enum class Access : std::uint8_t { Read, Write };

  /// The file at `path`, for writing where permissions allow it. NotFound if there is none.
  static Result<LogFile> open(const std::string& path, Disk& disk = Disk::real());
  /// A new file with these contents, which appears at `path` whole or not at all. AlreadyExists if the name is taken.
  static Status create(const std::string& path, std::string_view contents, Disk& disk = Disk::real());
  /// A file without a name, which ends with this object.
  static Result<LogFile> in_memory(std::string_view contents);

  /// Held until it is destroyed; waits for at most 30 seconds.
  class Lock {
   public:
    Lock(Lock&& other) noexcept;
    Lock& operator=(Lock&&) = delete;
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;
    ~Lock();

   private:
    friend class LogFile;
    explicit Lock(int descriptor) : descriptor_(descriptor) {}
    int descriptor_;
  };
  Result<Lock> lock(Access access) const;

  /// Whole lines from `offset` to the end. LedgerCorrupt if the file is shorter than that.
  Result<std::string> read_lines(std::int64_t offset) const;

  /// Writes `lines` at `offset`, which is the end of the last whole line, and syncs them. After an error `may_be_there` tells whether the
  /// lines may be on disk all the same.
  struct Appended {
    Status status;
    bool may_be_there = false;
  };
  Appended append(std::int64_t offset, std::string_view lines, bool sync = true) const;

  bool writable() const { return writable_; }
  /// Is the file still what its path names? What is appended to a file that was deleted or replaced is lost.
  bool still_there() const;
  const std::string& path() const { return path_; }

 private:
  class Descriptor;
  LogFile() = default;
  Error unavailable(std::string_view what, int number) const;
  std::string path_;  // absolute; empty in memory
  std::shared_ptr<const Descriptor> descriptor_;
  Disk* disk_ = nullptr;
  bool writable_ = false;
};

}  // namespace tacet::kernel
