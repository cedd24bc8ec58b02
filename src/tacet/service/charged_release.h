// tacet/service/charged_release.h: the way of every release, from what was asked to the file that is left behind.
//
//   TACET_TRY(ChargedRelease order, ChargedRelease::open(request, context, asked, schema.relation));
//   // plan the noise for order.loss(): whatever can be refused without the data is refused before it is opened
//   TACET_CHECK(order.prepare(statement, most_bytes));     // budget, file name, random bits
//   // read the data
//   TACET_TRY(kernel::Grant grant, order.charge());        // durable from here on
//   TACET_TRY(auto released, kernel::release(std::move(sealed), ..., std::move(grant), order.bits()));
//   return order.publish(json_of(released));
//
// So a request beyond the budget is answered alike whatever the data holds, and nothing is charged for a release that could not be written.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/exact/random_bits.h"
#include "tacet/kernel/ledger.h"
#include "tacet/privacy/currency.h"
#include "tacet/service/budget_view.h"
#include "tacet/service/new_file.h"
#include "tacet/service/verb.h"

namespace tacet::service {

class ChargedRelease {
 public:
  /// Opens the ledger. Gaussian noise asked for in (epsilon, delta) is mu-GDP, and that is what it costs a budget kept in rho or mu.
  static Result<ChargedRelease> open(const Json& request, const Context& context, const privacy::Loss& asked, kernel::Relation relation);

  const privacy::Loss& loss() const { return loss_; }
  const std::string& dataset() const { return place_.dataset; }

  /// Completes the statement with dataset, neighbours and cost, and refuses what budget, file name or entropy would refuse.
  Status prepare(Json statement, std::size_t most_bytes);
  const Json& statement() const { return statement_; }

  /// EngineFailed, and nothing is spent, where there is not the memory for what follows the charge.
  Result<kernel::Grant> charge();
  exact::RandomBits& bits() { return *bits_; }

  /// Writes the release and answers with it, the name of the file ("out") and the budget after it ("budget").
  Result<Json> publish(Json release);

  /// "Charged: rho 0.125. Remaining: ..." and where the file is, of what publish() answered; `next` is the verb to go on with, if any.
  static std::string words(const Json& result, const std::string& next);
  /// The fields that every release has: data, schema, out, analyst, ledger, dataset and how private.
  static std::vector<Field> fields(std::vector<Field> own);

 private:
  ChargedRelease(LedgerPlace place, kernel::Ledger ledger, privacy::Loss loss, kernel::Relation relation)
      : place_(std::move(place)), ledger_(std::move(ledger)), loss_(std::move(loss)), relation_(relation) {}
  LedgerPlace place_;
  kernel::Ledger ledger_;
  privacy::Loss loss_;
  kernel::Relation relation_;
  std::string analyst_, out_, cost_, spent_;
  std::size_t most_memory_ = 0;  // of what is built after the charge
  Json statement_;
  std::optional<NewFile> file_;
  std::unique_ptr<exact::RandomBits> bits_;
  std::function<Result<std::unique_ptr<exact::RandomBits>>()> open_bits_;
};

}  // namespace tacet::service
