// tacet/workflow/custody/readable_ledger.h: opens a ledger of any format for reading.
//
//   TACET_TRY(const ReadableLedger ledger, ReadableLedger::open(place.ledger));
//   TACET_TRY(const kernel::BudgetState state, ledger.custody.show(place.dataset));
//
// A ledger of an older format, without terms, is checked as far as its format allows and copied
// into memory. It cannot be charged; `tacet dataset adopt` continues it in a ledger that can.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tacet/base/result.h"
#include "tacet/kernel/custody/custody.h"

namespace tacet {

/// A ledger of any format, to be read.
struct ReadableLedger {
  static Result<ReadableLedger> open(const std::string& path);

  kernel::Custody custody;
  std::string name;  // in the receipts of its releases
  /// 1 and 2 are older formats, which no key protects. Format 1 has no neighbour relation.
  int format = 3;
};

}  // namespace tacet
