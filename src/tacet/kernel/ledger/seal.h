// tacet/kernel/ledger/seal.h: the custodian's key for a ledger, and a mark of its last record.
//
//   Seal seal = **Seal::find(Seal::usual_folder(), ledger_name);  // made with the ledger
//   std::string tag = seal.tag(hash);                             // only the key can make a tag
//   FileLock lock = *seal.lock();                                 // copies of a ledger take turns
//   TACET_CHECK(seal.advance(lock, {.records = 7, .hash = hash}));
//
// "<folder>/<ledger name>.seal" holds a random key of 256 bits, the mark (number and hash of the
// last granted record), and the path where the ledger was made. A ledger that ends before its
// mark, or differs there, is an older copy or a fork, and is refused; a path whose ledger is gone
// gets no new one. The folder is not copied or restored with a ledger; only `tacet budget verify`,
// with release files, detects that both were restored.
// Theorem  tags are keyed BLAKE2b-256, a pseudorandom function (Saarinen & Aumasson, RFC 7693).
// Cost     a tag 0.5 us; advance() one write, not synced: a power cut may leave an older mark.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "tacet/base/result.h"
#include "tacet/kernel/ledger/disk.h"
#include "tacet/kernel/ledger/record.h"

namespace tacet::kernel {

/// The number of records of a ledger, and the hash of the last, in hex.
struct Mark {
  std::int64_t records = 0;
  std::string hash;
};

class Seal {
 public:
  static std::string usual_folder();  // $TACET_HOME, $XDG_STATE_HOME/tacet or ~/.local/state/tacet

  /// Empty if the folder has no seal for that ledger, or this user may not read it.
  static Result<std::optional<Seal>> find(const std::string& folder, const std::string& ledger, Disk& disk = Disk::real());
  static Result<Seal> read(OpenFile file, Disk& disk);

  static std::string path_of(const std::string& folder, const std::string& ledger);
  /// The parts of the file: title, key, mark and path, each with its line feed (new_ledger.cc).
  static constexpr std::string_view kTitle = "tacet seal 1\nkey ", kMarkTitle = "\nmark ";
  static constexpr std::size_t kNumberDigits = 18, kHashDigits = 64, kMarkAt = kTitle.size() + 2 * kKeyBytes + kMarkTitle.size();
  static constexpr std::size_t kMarkSize = kNumberDigits + 1 + kHashDigits + 1, kPathAt = kMarkAt + kMarkSize;
  static std::string mark_text(const Mark& mark);
  static std::optional<Mark> parse_mark(std::string_view text);

  /// Hex.
  std::string tag(std::string_view record_hash) const;
  /// Can the mark be advanced?
  bool writable() const { return file_.writable(); }
  const std::string& path() const { return file_.path(); }

  Result<FileLock> lock(std::chrono::milliseconds patience = FileLock::kPatience) const;
  Result<Mark> mark() const;
  Status advance(const FileLock& lock, const Mark& mark);

 private:
  struct Free {
    void operator()(unsigned char* key) const;
  };
  using Key = std::unique_ptr<unsigned char, Free>;  // locked, not dumped, zero after fork
  static Key new_key();
  Seal(OpenFile file, Key key, Disk& disk) : file_(std::move(file)), key_(std::move(key)), disk_(&disk) {}
  OpenFile file_;
  Key key_;
  Disk* disk_;
};

}  // namespace tacet::kernel
