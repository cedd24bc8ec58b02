// tacet/workflow/release/paid_before.h: finds an earlier charge for exactly the same release.
//
//   const std::vector<kernel::Entry> history;              // of kernel/custody/custody.h
//   const auto before = paid_before(history, R"({"release":"counts"})");
//   if (before) show(before->entry, before->time);
//
// Two releases are the same if their statements are: dataset, neighbours, columns, condition,
// mechanism and cost. Only the ledger is asked, never the data, so the answer is public. The ledger
// does not know whether the rows have changed in the meantime. After an amendment the terms may
// differ, so entries before it do not count.
// Error    none.
// Cost     linear in the entries; a search for the file reads at most 64 MiB of one folder.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tacet/kernel/custody/entry.h"

namespace tacet {

/// An earlier charge for the same release.
struct PaidBefore {
  std::uint64_t entry;  // its number in the history
  std::string time;     // RFC 3339, UTC
  std::string analyst;
  std::optional<std::string> release_hash;  // of its file; empty: the ledger has none
  std::optional<std::string> file;          // a file with that hash; empty: none was found
};

/// The last such charge whose file the ledger knows; without one, the last such charge. `history`
/// begins with the oldest entry.
std::optional<PaidBefore> paid_before(const std::vector<kernel::Entry>& history, const std::string& statement);

/// The path of a file of this folder whose name ends in .json and whose bytes have this hash.
std::optional<std::string> file_with_hash(const std::string& folder, const std::string& hash);

}  // namespace tacet
