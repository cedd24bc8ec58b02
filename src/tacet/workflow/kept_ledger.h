// tacet/workflow/kept_ledger.h: a ledger that stays open between the releases of a Dataset.
//
//   KeptLedger kept;
//   TACET_TRY(kernel::Custody ledger, kept.take("patients.ledger"));
//   // ... one release ...
//   kept.keep(std::move(ledger));                               // only if nothing failed
//
// Opening a ledger reads and checks all of it; one that is open reads only what is new. It is not
// used again if its file or its key were moved, replaced or deleted, or after a fork.
// Threads  any: who finds it taken opens one of their own.
// Checked  tests/workflow/kept_ledger_test.cc
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mutex>
#include <optional>
#include <string>

#include "tacet/base/result.h"
#include "tacet/kernel/custody/custody.h"

namespace tacet {

/// A ledger that stays open, for one release at a time.
class KeptLedger {
 public:
  /// The one that is kept, if it is still the ledger at this path; otherwise opens it.
  Result<kernel::Custody> take(const std::string& path);
  void keep(kernel::Custody&& ledger);

 private:
  std::mutex alone_;
  std::optional<kernel::Custody> kept_;
};

}  // namespace tacet
