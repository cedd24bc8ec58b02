// A ledger to be damaged, and the check that its answers are right or refused.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tacet/kernel/ledger/ledger.h"

#include "faults/faulty_vfs.h"
#include "kernel/scratch_folder.h"

namespace tacet::testing {

std::string read_all(const std::string& path);
void write_all(const std::string& path, const std::string& bytes);

/// A ledger with 20 entries: "patients" has rho 1 of which 0.75 is spent, 0.5 of it by ada, whose share is 0.5, the rest by ben.
class DamagedLedger {
 public:
  DamagedLedger();

  std::string path() const { return folder_.path("people.ledger"); }
  const ScratchFolder& folder() const { return folder_; }

  /// Asks everything of the file at `where`, and expects of each answer that it is right or a refusal, and that no budget comes
  /// back. Returns whether anything was refused.
  bool is_right_or_refused(const std::string& where) const;
  /// The same for a copy whose byte `at` is another; the copy is deleted.
  bool is_right_or_refused_with(std::size_t at, unsigned char flipped_bits) const;
  /// Edits the ledger as somebody with the sqlite3 program would.
  void edit(const std::string& sql) const;
  std::size_t size() const { return whole_.size(); }
  const std::string& bytes() const { return whole_; }

 private:
  FaultyDisk disk_;  // without a fault: only so that nothing waits for real syncs
  ScratchFolder folder_;
  std::vector<kernel::Entry> history_;
  std::string whole_;
};

}  // namespace tacet::testing
