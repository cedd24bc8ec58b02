// tacet/old_ledger/old_ledger.h: reads and checks ledgers of the SQLite formats, to continue them.
//
//   TACET_CHECK(close_old_ledger("people.ledger", ledger.name()));    // first: stops old programs
//   std::vector<OldDataset> datasets = *read_old_ledger("people.ledger");
//   for (const OldDataset& old : datasets)
//     TACET_CHECK(ledger.adopt(old.dataset, declaration, old.shares, old.from(), old.charges));
//
// These are the two formats before terms. Format 1 had plain sums only and no neighbour relation;
// format 2 has filter rules. Everything that those formats allow is checked: every hash, every
// sum, and that the entries of all budgets are present. Their hashes have no key, so a careful
// forgery is not detected.
// Error    LedgerCorrupt: damaged, edited, or not a ledger of Tacet. Unsupported: an unknown
//          format. NotFound: no file.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tacet/base/decimal.h"
#include "tacet/base/result.h"
#include "tacet/kernel/ledger/terms.h"
#include "tacet/kernel/relation.h"
#include "tacet/privacy/currency.h"
#include "tacet/privacy/filter.h"

namespace tacet::old_ledger {

struct OldDataset {
  std::string ledger;           // its name, as in receipts
  int format = 0;               // 1 or 2
  std::int64_t closed_for = 0;  // closing_mark() of the ledger that continues it; 0 while open
  std::string dataset;
  std::string created;  // time
  privacy::Budget budget;
  std::optional<kernel::Relation> relation;  // empty in format 1: its custodian knows
  privacy::FilterRule rule;
  Decimal slack;
  std::vector<kernel::Share> shares;  // analysts without a share had only the total
  std::vector<kernel::AdoptedCharge> charges;
  std::string last_hash;  // of the last entry, or of the budget before the first

  /// The origin of the entries, as a ledger records it: name and last hash.
  std::string from() const;
};

/// All datasets, in the order in which their budgets were created. Changes nothing; works on a
/// closed ledger.
Result<std::vector<OldDataset>> read_old_ledger(const std::string& path);

/// A closed file stores 28 bits of the name of the ledger that continues it; never 0.
std::int64_t closing_mark(const std::string& ledger);
/// Makes the file unreadable for earlier versions of Tacet, and lets only the ledger of that name
/// continue it. Its entries stay. Repeating it is harmless. AlreadyExists if it was closed for
/// another ledger: one budget cannot continue in two.
Status close_old_ledger(const std::string& path, const std::string& ledger);

}  // namespace tacet::old_ledger
