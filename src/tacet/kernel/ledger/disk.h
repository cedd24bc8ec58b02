// tacet/kernel/ledger/disk.h: the disk operations of a ledger, and the lock on a file.
//
//   TACET_TRY(const FileLock lock, FileLock::take(descriptor, FileLock::Access::Write, "ledger"));
//   const int error = write_all(Disk::real(), descriptor, line, known_end);     // 0: no error
//
// Locks belong to the open file (fcntl, F_OFD_SETLK) and to its inode: hard links, bind mounts and
// symbolic links share them. Tests pass a Disk that fails.
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
  virtual int sync(int descriptor);  // contents and size of a file, names in a folder
  virtual int cut(int descriptor, off_t size);
  static Disk& real();
};

/// 0 or errno.
int write_all(Disk& disk, int descriptor, std::string_view bytes, off_t offset);

/// LedgerUnavailable. `whose`: "the ledger \"people.ledger\""; `what`: "written".
Error disk_error(std::string_view whose, std::string_view what, int number);

/// LedgerCorrupt, with a remedy.
Error ledger_damaged(std::string sentence);

/// An open file and its path; closed with this object.
class OpenFile {
 public:
  /// For writing if permissions allow it; empty if it cannot be opened (errno).
  static std::optional<OpenFile> open(const std::string& path, int more_flags);
  OpenFile(int descriptor, std::string path, bool writable) : file_(descriptor), path_(std::move(path)), writable_(writable) {}

  int descriptor() const { return file_.number(); }
  const std::string& path() const { return path_; }
  bool writable() const { return writable_; }
  /// Does the path still name this file? Writes to a deleted or replaced file are lost.
  bool still_there() const;

 private:
  OwnedDescriptor file_;
  std::string path_;
  bool writable_;
};

/// Held until destruction.
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
