// tacet/kernel/custody/entry.h: one entry in the history of a dataset.
//
//   for (const Entry& entry : *ledger.history("patients")) fmt::print("{} {}\n", entry.number, entry.statement);
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
  std::string analyst;    // who asked; the custodian of an amendment
  std::string statement;  // what was asked for; the reason of an amendment
  std::string statement_hash, time, entry_hash;
  std::optional<privacy::Loss> loss;     // of a charge, as it was charged
  privacy::Amount charged, spent_after;  // in the budget's currency
  std::string release_hash;              // of the file that was written for a charge; empty if none was
  bool clock_went_back = false;
};

}  // namespace tacet::kernel
