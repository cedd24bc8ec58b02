// tacet/kernel/grant.h: the permission to release once, worth exactly what was charged.
//
// Only Ledger::charge makes one, after the charge is on disk. It cannot be copied, and kernel::release consumes it:
// noise is calibrated from the grant's own loss, so a release can never give away more than was paid for.
// Honest limit: C++ does not reject use after move; a moved-from Grant is spent and release() refuses it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "tacet/base/result.h"
#include "tacet/kernel/sensitive.h"
#include "tacet/privacy/currency.h"

namespace tacet::kernel {

/// Where a charge stands in its ledger; part of the release file.
struct Receipt {
  std::string ledger;  // the ledger's random name, not its path
  std::string dataset;
  std::int64_t entry = 0;      // its number in the dataset's history, from 1
  std::string entry_hash;      // hex; chains over all earlier entries
  std::string statement_hash;  // hex, of the statement that was charged for
  std::string time;            // RFC 3339, UTC
  std::string charged;         // for people: "rho 0.125"
};

class Grant {
 public:
  Grant(const Grant&) = delete;
  Grant& operator=(const Grant&) = delete;
  Grant(Grant&& other) noexcept
      : loss_(std::move(other.loss_)),
        relation_(other.relation_),
        receipt_(std::move(other.receipt_)),
        spent_(std::exchange(other.spent_, true)) {}
  Grant& operator=(Grant&&) = delete;
  ~Grant() = default;

  const privacy::Loss& loss() const { return loss_; }
  /// Of the neighbours for which the loss was charged: release() refuses a value whose sensitivity is for others.
  Relation relation() const { return relation_; }
  const Receipt& receipt() const { return receipt_; }
  bool spent() const { return spent_; }
  /// Refused if it was spent before, or charged for other neighbours than those of the value that it is to pay for.
  Status check_for(Relation neighbours) const;
  /// "rho 0.125 was spent (entry 3 of "patients")".
  std::string spent_words() const;

 private:
  friend class Ledger;
  Grant(privacy::Loss loss, Relation relation, Receipt receipt)
      : loss_(std::move(loss)), relation_(relation), receipt_(std::move(receipt)) {}
  privacy::Loss loss_;
  Relation relation_;
  Receipt receipt_;
  bool spent_ = false;
};

}  // namespace tacet::kernel
