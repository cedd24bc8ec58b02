// tacet/kernel/ledger/disk.h: what a ledger does to its disk, and the lock on a file itself.
//
//   TACET_TRY(const FileLock lock, FileLock::take(descriptor, FileLock::Access::Write, "the ledger \"people.ledger\""));
//   if (const int number = write_all(disk, descriptor, line, end); number != 0) return disk_error(whose, "written", number);
//
// Locks belong to the open file (fcntl, F_OFD_SETLK) and follow the inode: hard links, bind mounts and symbolic links share them.
// Tests pass a Disk that fails.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "tacet/base/owned_descriptor.h"
#include "tacet/base/result.h"

namespace tacet::kernel {

class Disk {
 public:
  virtual ~Disk() = default;
  virtual ssize_t write_at(int descriptor, const char* bytes, std::size_t size, off_t offset);
  virtual int sync(int descriptor);  // contents and size of a file, the names in a folder
  virtual int cut(int descriptor, off_t size);
  static Disk& real();
};

/// 0, or the number of the error (errno).
int write_all(Disk& disk, int descriptor, std::string_view bytes, off_t offset);
/// Makes the names in the folder of `path` outlast a power cut, and not only the contents of its files. 0 or errno.
int sync_folder_of(Disk& disk, const std::string& path);

/// LedgerUnavailable. `whose`: "the ledger \"people.ledger\""; `what`: "written".
Error disk_error(std::string_view whose, std::string_view what, int number);

/// LedgerCorrupt, with what to do about it.
Error ledger_damaged(std::string sentence);

/// An open file and the path that it was opened by; closed with this object.
class OpenFile {
 public:
  /// For writing where permissions allow it; nothing if it cannot be opened (errno).
  static std::optional<OpenFile> open(const std::string& path, int more_flags);
  OpenFile(int descriptor, std::string path, bool writable) : file_(descriptor), path_(std::move(path)), writable_(writable) {}

  int descriptor() const { return file_.number(); }
  const std::string& path() const { return path_; }
  bool writable() const { return writable_; }
  /// Is it still what its path names? What is written to a file that was deleted or replaced is lost.
  bool still_there() const;

 private:
  OwnedDescriptor file_;
  std::string path_;
  bool writable_;
};

/// Held until it is destroyed.
class FileLock {
 public:
  enum class Access : std::uint8_t { Read, Write };
  static constexpr std::chrono::milliseconds kPatience{30'000};  // a charge takes milliseconds

  static Result<FileLock> take(int descriptor, Access access, std::string_view whose, std::chrono::milliseconds patience = kPatience);
  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&&) = delete;
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  ~FileLock();

 private:
  explicit FileLock(int descriptor) : descriptor_(descriptor) {}
  int descriptor_;
};

}  // namespace tacet::kernel
