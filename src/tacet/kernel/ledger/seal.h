// tacet/kernel/ledger/seal.h: the custodian's secret for one ledger, and how far that ledger has been seen to go; kept apart from it.
//
//   Seal seal = **Seal::find(Seal::usual_folder(), name);             // made with the ledger (custody/new_ledger.h)
//   std::string tag = seal.tag(record_hash);                          // nobody without the key can write a record
//   FileLock lock = *seal.lock();                                     // copies of one ledger charge one after the other
//   TACET_CHECK(seal.advance(lock, {.records = 7, .hash = hash}));
//
// The file "<folder>/<ledger name>.seal" holds a random key of 256 bits, a mark, which is the number and the hash of the last record that
// was granted, and the path that the ledger was made at. A ledger that ends before its mark, or differs there, is an older copy or a fork,
// and is refused; a path whose ledger is gone gets no new one. The folder is $TACET_HOME, or else $XDG_STATE_HOME/tacet, or else
// ~/.local/state/tacet; whoever copies, restores or deletes a ledger does not touch it.
// Restoring an older ledger together with its older seal is detected only by comparing release files: tacet budget verify.
// Theorem  tags are BLAKE2b-256 under the key, a pseudorandom function (Saarinen & Aumasson 2015, RFC 7693).
// Cost     a tag 0.5 us; advance() one write that is not synced: a power cut may lose it, and then the mark is an earlier one.
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

namespace tacet::kernel {

/// How far a ledger goes: how many records it has, and the hash of the last, in hex.
struct Mark {
  std::int64_t records = 0;
  std::string hash;
};

class Seal {
 public:
  static std::string usual_folder();

  /// Nothing if this folder has none for that ledger, or this user may not read it.
  static Result<std::optional<Seal>> find(const std::string& folder, const std::string& ledger, Disk& disk = Disk::real());
  static Result<Seal> read(OpenFile file, Disk& disk);

  static std::string path_of(const std::string& folder, const std::string& ledger);
  /// The contents of a new file; `key` in hex.
  static std::string new_text(std::string_view key, std::string_view made_at);
  /// The path that the ledger of this file was made at, if it has records.
  static std::optional<std::string> used_at(int descriptor);

  /// Hex.
  std::string tag(std::string_view record_hash) const;
  /// May the mark be moved on?
  bool writable() const { return file_.writable(); }
  const std::string& path() const { return file_.path(); }

  Result<FileLock> lock(std::chrono::milliseconds patience = FileLock::kPatience) const;
  Result<Mark> mark() const;
  Status advance(const FileLock& lock, const Mark& mark);

 private:
  struct Free {
    void operator()(unsigned char* key) const;
  };
  using Key =
      std::unique_ptr<unsigned char, Free>;  // in a page of its own that is locked into memory, not dumped, and zero in a forked child
  static Key new_key();
  Seal(OpenFile file, Key key, Disk& disk) : file_(std::move(file)), key_(std::move(key)), disk_(&disk) {}
  OpenFile file_;
  Key key_;
  Disk* disk_;
};

}  // namespace tacet::kernel
