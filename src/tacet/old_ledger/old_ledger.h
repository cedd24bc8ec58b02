// tacet/old_ledger/old_ledger.h: ledgers of the formats before terms, which were SQLite databases; read and checked, to go on from.
//
//   TACET_CHECK(close_old_ledger("people.ledger", ledger.name()));          // first: from here on no old program charges it
//   std::vector<OldDataset> datasets = *read_old_ledger("people.ledger");
//   for (const OldDataset& old : datasets) TACET_CHECK(ledger.adopt(old.dataset, declaration, old.shares, old.from(), old.charges));
//
// Format 1 knew plain sums only, and no neighbour relation; format 2 has filter rules. Everything is checked that those formats
// allow: every hash, every sum, and that the entries of all budgets are there. Their hashes have no key, so a careful forger is not found.
// Error    LedgerCorrupt: damaged, edited, or no ledger of Tacet. Unsupported: of no format that is known here. NotFound: no file.
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
  std::string ledger;           // its name, as in the receipts
  int format = 0;               // 1 or 2
  std::int64_t closed_for = 0;  // closing_mark() of the ledger that it was closed for; 0 while it is open
  std::string dataset;
  std::string created;  // time
  privacy::Budget budget;
  std::optional<kernel::Relation> relation;  // nothing in format 1: its custodian knows
  privacy::FilterRule rule;
  Decimal slack;
  std::vector<kernel::Share> shares;  // whoever had none was bound by the total only
  std::vector<kernel::AdoptedCharge> charges;
  std::string last_hash;  // of the last entry, or of the budget before the first

  /// What a ledger writes down of where its entries come from: name and last hash.
  std::string from() const;
};

/// All datasets, in the order in which they got their budgets. Changes nothing; a ledger that was closed can be read.
Result<std::vector<OldDataset>> read_old_ledger(const std::string& path);

/// What a closed file keeps of the name of the ledger that goes on from it: 28 bits of it, and never 0.
std::int64_t closing_mark(const std::string& ledger);
/// Makes the file one that no earlier version of Tacet opens, and that goes on in the ledger of that name alone. Its entries stay. Twice does no
/// harm; AlreadyExists if it was closed for another ledger, since one budget cannot go on in two.
Status close_old_ledger(const std::string& path, const std::string& ledger);

}  // namespace tacet::old_ledger
