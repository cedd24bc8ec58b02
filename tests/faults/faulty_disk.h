// A disk that fails on request, and that knows what a power cut would leave of each file.
//
//   FaultyDisk disk;
//   disk.fail({.at = 7, .kind = Fault::Kind::Full});  // the 7th write, sync or cut from now on
//   auto ledger = Custody::open(path, {.create = true, .disk = &disk});
//   disk.calm();
//   // what would be on the disk had the power gone at the fault:
//   disk.write_survivors(from, to, random, 0.5);
//
// Operations are counted from the last fail() or calm(). A failing write at the end of a file
// leaves its first half behind, as a full disk does; one over bytes that are there already leaves
// those. Model of a power cut: a file keeps what was written before its last sync. Of what came
// after it, every sector of 512 bytes survives or not at random; what is lost reads as zeros where
// the file was not so long before. A sync that fails leaves what it was for in doubt for ever. A
// name survives if its folder was synced since, and otherwise at random. From the cut on nothing
// can be written.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tacet/kernel/ledger/disk.h"

namespace tacet::testing {

struct Fault {
  enum class Kind : std::uint8_t { None, Full, IoError, ShortWrite, PowerCut };
  std::int64_t at = std::numeric_limits<std::int64_t>::max();  // the first operation that fails, counted from 1
  Kind kind = Kind::None;
  bool lasting = false;     // all later operations fail as well (a power cut always lasts)
  bool lying_sync = false;  // planted: a sync does nothing and says that it did
};

class FaultyDisk : public kernel::Disk {
 public:
  ssize_t write_at(int descriptor, const char* bytes, std::size_t size, off_t offset) override;
  int sync(int descriptor) override;
  int cut(int descriptor, off_t size) override;

  void fail(const Fault& fault);
  void calm() { fail({}); }
  std::int64_t operations() const { return operations_; }
  /// Whether the fault has struck.
  bool struck() const { return struck_; }

  /// Writes what survived of each file in `from` into `to`. Each unsynced sector or name survives
  /// with this probability.
  void write_survivors(const std::filesystem::path& from, const std::filesystem::path& to, std::mt19937_64& random, double survival) const;

 private:
  using FileId = std::pair<dev_t, ino_t>;
  enum class State : std::uint8_t { Pending, InDoubt, Durable };
  struct Change {
    bool is_cut = false;
    std::size_t at = 0;  // where the bytes go, or the new size
    std::string bytes;
    State state = State::Pending;
  };
  struct File {
    std::string before;  // what it held when it was first seen
    std::vector<Change> changes;
  };
  static FileId id_of(int descriptor);
  File& file_of(int descriptor);
  /// Counts an operation. Does it fail?
  bool fails();

  Fault fault_;
  std::int64_t operations_ = 0;
  bool struck_ = false, cut_off_ = false;
  std::map<FileId, File> files_;
  std::set<std::string> durable_names_;
};

/// A disk without faults, for tests about something else: nothing waits for real syncs.
class QuickDisk : public kernel::Disk {
 public:
  int sync(int /*descriptor*/) override { return 0; }
  static QuickDisk& one() {
    static QuickDisk disk;
    return disk;
  }
};

std::string read_all(const std::filesystem::path& path);
void write_all(const std::filesystem::path& path, const std::string& bytes);

}  // namespace tacet::testing
