// tacet/kernel/grant.h: the permission for one release, worth exactly the loss that was charged.
//
//   Grant grant = *ledger.charge(request);
// Only Ledger::charge makes one, after the charge is on disk. It cannot be copied, and a release
// consumes it: the noise must keep the loss of the grant. It opens values of the charged dataset
// only. C++ does not reject use after move; a moved-from Grant is spent, and release() refuses it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "tacet/base/result.h"
#include "tacet/kernel/ledger/terms.h"
#include "tacet/kernel/relation.h"
#include "tacet/privacy/currency.h"

namespace tacet::kernel {

/// The position of a charge in its ledger; part of the release file.
struct Receipt {
  std::string ledger;  // the random name of the ledger, not its path
  std::string dataset;
  std::int64_t entry = 0;      // number in the history of the dataset, from 1
  std::string entry_hash;      // hex; chained over all earlier entries
  std::string statement_hash;  // hex, of the charged statement
  std::string time;            // RFC 3339, UTC
  std::string charged;         // for people: "rho 0.125"
};

class Grant {
 public:
  Grant(const Grant&) = delete;
  Grant& operator=(const Grant&) = delete;
  Grant(Grant&& other) noexcept
      : loss_(std::move(other.loss_)),
        relation_(std::move(other.relation_)),
        dataset_(std::move(other.dataset_)),
        receipt_(std::move(other.receipt_)),
        idealised_(other.idealised_),
        spent_(std::exchange(other.spent_, true)) {}
  Grant& operator=(Grant&&) = delete;
  ~Grant() = default;

  const privacy::Loss& loss() const { return loss_; }
  /// The loss was charged for these neighbours; release() refuses a value with another relation.
  const Relation& relation() const { return relation_; }
  const DatasetId& dataset() const { return dataset_; }
  const Receipt& receipt() const { return receipt_; }
  /// True if the charge was for a mechanism that is proven in real arithmetic only.
  bool idealised() const { return idealised_; }
  bool spent() const { return spent_; }
  /// Refused if it is spent, or was charged for another relation or dataset than the value's.
  Status check_for(const Relation& neighbours, const DatasetId& dataset) const;
  /// "rho 0.125 was spent (entry 3 of "patients")".
  std::string spent_words() const;

 private:
  friend class Ledger;
  Grant(privacy::Loss loss, Relation relation, DatasetId dataset, Receipt receipt, bool idealised)
      : loss_(std::move(loss)),
        relation_(std::move(relation)),
        dataset_(std::move(dataset)),
        receipt_(std::move(receipt)),
        idealised_(idealised) {}
  privacy::Loss loss_;
  Relation relation_;
  DatasetId dataset_;
  Receipt receipt_;
  bool idealised_;
  bool spent_ = false;
};

}  // namespace tacet::kernel
