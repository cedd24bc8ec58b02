// A disk that fails on request: SQLite's own file layer, wrapped, and made the default of this process; and fsync(), replaced in
// the programs that link this, for the folders that the ledger syncs itself.
//
//   FaultyDisk disk;                                        // from here on every database goes through it
//   disk.fail(Fault{.at = 7, .kind = Fault::Kind::Full});   // the 7th write, sync or truncation from now on
//   ...
//   disk.calm();
//   disk.write_survivors(from, to, random);                 // what would be on the disk had the power gone at the fault
//
// Operations are counted from the last fail() or calm(). A failing write leaves its first half behind, as a full disk does.
// Model of a power cut: a file keeps what was written before its last sync; of what was written after it, each write survives
// or not at random. A new name survives if its folder was synced since, or its file was (logs only: SQLite syncs their folder
// along), and otherwise at random. From the cut on nothing can be read or written.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <random>

namespace tacet::testing {

struct Fault {
  enum class Kind : std::uint8_t { None, Full, IoError, PowerCut };
  std::int64_t at = std::numeric_limits<std::int64_t>::max();  // the first operation that fails, counted from 1
  Kind kind = Kind::None;
  bool lasting = false;     // all later operations fail as well (a power cut always lasts)
  bool lying_sync = false;  // planted: a sync does nothing and says that it did
};

class FaultyDisk {
 public:
  FaultyDisk();
  FaultyDisk(const FaultyDisk&) = delete;
  FaultyDisk& operator=(const FaultyDisk&) = delete;
  ~FaultyDisk();

  void fail(const Fault& fault);
  void calm();
  std::int64_t operations() const;
  /// Whether the fault has struck.
  bool struck() const;
  /// Another connection holds every lock; waiting for it takes no time here.
  void hold_locks(bool held);
  /// How long SQLite has waited for locks, had it really waited.
  std::int64_t waited_microseconds() const;

  /// Writes what survived of each file in `from` into `to`. Each unsynced write survives with this probability.
  void write_survivors(const std::filesystem::path& from, const std::filesystem::path& to, std::mt19937_64& random, double survival) const;
};

}  // namespace tacet::testing
