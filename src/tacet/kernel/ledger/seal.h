// tacet/kernel/ledger/seal.h: the custodian's secret for one ledger, and how far that ledger has been seen to go; kept apart from it.
//
//   Seal seal = *Seal::create(Seal::usual_folder(), ledger_name);     // with the first budget
//   std::string tag = seal.tag(record_hash);                          // nobody without the key can write a record
//   Seal::Lock lock = *seal.lock();                                   // copies of one ledger charge one after the other
//   TACET_CHECK(seal.advance(lock, {.records = 7, .hash = hash}));
//
// The file "<folder>/<ledger name>.seal" holds a random key of 256 bits and a mark: the number and the hash of the last record that was
// granted. A ledger that ends before its mark, or differs there, is an older copy or a fork, and is refused. The folder is
// $TACET_HOME, or else $XDG_STATE_HOME/tacet, or else ~/.local/state/tacet; whoever copies or restores a ledger does not touch it.
// Who can also put back an older seal is found out by the release files alone: tacet budget verify.
// Theorem  tags are BLAKE2b-256 under the key, a pseudorandom function (Saarinen & Aumasson 2015, RFC 7693).
// Cost     a tag 0.5 us; advance() one write that is not synced: a power cut may lose it, and then the mark is an earlier one.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "tacet/base/result.h"

namespace tacet::kernel {

/// How far a ledger goes: how many records it has, and the hash of the last, in hex.
struct Mark {
  std::int64_t records = 0;
  std::string hash;
};

class Seal {
 public:
  static std::string usual_folder();

  /// A new key. The folder is made if there is none.
  static Result<Seal> create(const std::string& folder, const std::string& ledger);
  /// Nothing if this folder has none for that ledger, or this user may not read it.
  static Result<std::optional<Seal>> find(const std::string& folder, const std::string& ledger);
  /// A key that ends with this object, for a ledger in memory.
  static Result<Seal> in_memory();

  Seal(Seal&&) noexcept;
  Seal& operator=(Seal&&) noexcept;
  ~Seal();

  /// Hex.
  std::string tag(std::string_view record_hash) const;

  class Lock {
   public:
    Lock(Lock&& other) noexcept;
    Lock& operator=(Lock&&) = delete;
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;
    ~Lock();

   private:
    friend class Seal;
    explicit Lock(int descriptor) : descriptor_(descriptor) {}
    int descriptor_;
  };
  Result<Lock> lock() const;
  Result<Mark> mark() const;
  Status advance(const Lock& lock, const Mark& mark);

 private:
  struct Impl;
  explicit Seal(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace tacet::kernel
