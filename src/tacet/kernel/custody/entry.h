// tacet/kernel/custody/entry.h: one entry in the history of a dataset.
//
//   const std::vector<Entry> entries = *Custody::open("people.ledger")->history("patients");
//   for (const Entry& entry : entries) show(entry.statement);
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "tacet/base/enum_names.h"
#include "tacet/privacy/currency.h"

namespace tacet::kernel {

enum class EntryKind : std::uint8_t { Charge, FailedScan, Amendment };
constexpr auto names_of(EntryKind) {
  return std::to_array<Named<EntryKind>>(
      {{EntryKind::Charge, "charge"}, {EntryKind::FailedScan, "failed-scan"}, {EntryKind::Amendment, "amendment"}});
}

struct Entry {
  std::int64_t number = 0;
  EntryKind kind = EntryKind::Charge;
  std::string analyst;    // the custodian, for an amendment
  std::string statement;  // the request; the reason, for an amendment
  std::string statement_hash, time, entry_hash;
  std::optional<privacy::Loss> loss;     // of a charge
  privacy::Amount charged, spent_after;  // in the currency of the budget
  std::string release_hash;              // of the released file; empty if none was written
  bool clock_went_back = false;
};

}  // namespace tacet::kernel
