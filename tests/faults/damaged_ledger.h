// A ledger to be damaged, and the check that what is left is refused.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tacet/kernel/custody/custody.h"

#include "kernel/scratch_folder.h"

namespace tacet::testing {

/// A ledger with two datasets and records of every kind: "patients" has rho 1, of which 0.75 is
/// spent, 0.5 of it by ada, whose share is 0.5, the rest by ben.
class DamagedLedger {
 public:
  DamagedLedger();

  std::string path() const { return folder_.path("people.ledger"); }
  const ScratchFolder& folder() const { return folder_; }
  const std::string& bytes() const { return whole_; }
  /// Its lines, each with its line feed.
  std::vector<std::string> lines() const;

  /// With the key: a ledger with these bytes must be refused, and nobody is granted anything by it.
  void expect_refused(const std::string& bytes) const;
  /// Without the key, where a ledger can be read only: it must be refused, or be the right one, or
  /// one that ends earlier. Returns whether it was refused.
  bool is_refused_to_readers(const std::string& bytes) const;
  /// As somebody without the key would: every hash anew, from line `from` on; the tags stay.
  static std::string rehashed(std::vector<std::string> lines, std::size_t from = 1);

 private:
  ScratchFolder folder_;
  std::vector<kernel::Entry> history_;
  std::string whole_;
};

}  // namespace tacet::testing
