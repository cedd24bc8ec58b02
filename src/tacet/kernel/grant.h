// tacet/kernel/grant.h: the permission for one release, worth exactly the loss that was charged.
//
//   Grant grant = *ledger.charge(request);
// Only Ledger::charge makes one, after the charge is on disk. It cannot be copied, and a release
// consumes it: the noise must keep the loss of the grant. It opens values of the charged dataset
// only. C++ does not reject use after move; a moved-from Grant is spent, and release() refuses it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
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
  Grant(Grant&&) noexcept = default;
  Grant& operator=(Grant&&) = delete;
  ~Grant() = default;

  /// True after a move: then nothing below can be read, and reading it ends the program.
  bool spent() const { return paid_ == nullptr; }
  const privacy::Loss& loss() const { return paid().loss; }
  const Receipt& receipt() const { return paid().receipt; }
  /// True if the charge was for a mechanism that is proven in real arithmetic only.
  bool idealised() const { return paid().idealised; }
  /// Refused if it is spent, or was charged for another relation or dataset than the value's.
  Status check_for(const Relation& neighbours, const DatasetId& dataset) const;
  /// "rho 0.125 was spent (entry 3 of "patients")".
  std::string spent_words() const;

 private:
  friend class Ledger;
  struct Paid {
    privacy::Loss loss;
    Relation relation;  // the loss was charged for these neighbours
    DatasetId dataset;
    Receipt receipt;
    bool idealised;
  };
  const Paid& paid() const {
    if (spent()) std::abort();
    return *paid_;
  }
  explicit Grant(Paid paid) : paid_(std::make_unique<const Paid>(std::move(paid))) {}
  std::unique_ptr<const Paid> paid_;
};

}  // namespace tacet::kernel
