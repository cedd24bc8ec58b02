// tacet/service/charged_release.h: the way of every release, from what was asked to the file that is left behind.
//
//   TACET_TRY(ChargedRelease order, ChargedRelease::open(request, context, asked));      // terms, source, analyst
//   // plan the noise for order.loss(): whatever can be refused without the data is refused before a row is read
//   return order.carry_out({statement, most_bytes},
//                          [&](const data::CountOptions& options) { return data::count(order.data(), order.declared(), by, options); },
//                          [&](data::CountTable&& table, kernel::Grant&& grant, exact::RandomBits& bits) -> Result<Json> { ... });
//
// What is public comes from the ledger's terms, which are read once; the schema that comes with the request must agree with them. The order
// itself (refuse, reserve, scan, charge, draw, publish) is the kernel's: kernel/release_order.h.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/data/counts.h"
#include "tacet/data/data_file.h"
#include "tacet/data/declared.h"
#include "tacet/kernel/ledger/ledger.h"
#include "tacet/kernel/release_order.h"
#include "tacet/privacy/currency.h"
#include "tacet/service/budget_view.h"
#include "tacet/service/new_file.h"
#include "tacet/service/verb.h"

namespace tacet::service {

class ChargedRelease {
 public:
  /// Gaussian noise asked for in (epsilon, delta) is mu-GDP, and that is what it costs a budget kept in rho or mu.
  static Result<privacy::Loss> as_charged(const privacy::Loss& asked, privacy::Currency budget);
  /// Opens the ledger and the data file; reads no row. What is asked for is charged as as_charged says.
  static Result<ChargedRelease> open(const Json& request, const Context& context, const privacy::Loss& asked);
  /// The same for a loss that depends on the terms: `price` says what is charged to a budget of that currency.
  using Price = std::function<Result<privacy::Loss>(const data::Declared& declared, privacy::Currency budget)>;
  static Result<ChargedRelease> open(const Json& request, const Context& context, const Price& price);

  const privacy::Loss& loss() const { return loss_; }
  const data::Declared& declared() const { return declared_; }
  const data::DataFile& data() const { return data_; }
  /// What is charged for; complete once carry_out has begun.
  const Json& statement() const { return statement_; }

  struct What {
    Json statement;          // without dataset, neighbours and cost, which are added
    std::size_t most_bytes;  // of the release file, the statement apart
    bool idealised = false;
  };
  /// `scan` gives something sealed, `draw` makes the release of it. The answer is the release, the name of its file ("out") and the budget
  /// after it ("budget").
  template <class Scan, class Draw>
  Result<Json> carry_out(What what, const Scan& scan, const Draw& draw) {
    const kernel::ChargeRequest request = describe(std::move(what.statement), what.idealised);
    // What is built between the charge and the file, for every byte that the file may have: noise, JSON (vectors that grow by doubling) and text.
    constexpr std::size_t kMemoryPerByte = 4;
    constexpr std::size_t kMoreMemory = std::size_t{1} << 20U;
    auto answer = kernel::carry_out(
        ledger_, request, {[this] { return context_->open_bits(); }, kMemoryPerByte * what.most_bytes + kMoreMemory},
        [&] { return reserve(what.most_bytes); },
        [&] {
          context_->tell("reading");
          const Context& context = *context_;
          return scan(data::CountOptions{.progress = {[&context](double fraction) { context.tell("reading", fraction); }}});
        },
        [&](auto&& sealed, kernel::Grant&& grant, exact::RandomBits& bits) {
          context_->tell("adding noise");
          return draw(std::forward<decltype(sealed)>(sealed), std::move(grant), bits);
        },
        [&](Json&& release) { return publish(std::move(release)); });
    if (!answer.ok()) return with_hint(std::move(answer).error());
    add_budget(*answer);
    return answer;
  }

  /// "Charged: rho 0.125. Remaining: ..." and where the file is, of what carry_out() answered; `next` is the verb to go on with, if any.
  static std::string words(const Json& result, const std::string& next);
  /// The fields that every release has: data, schema, out, analyst, ledger, dataset and how private.
  static std::vector<Field> fields(std::vector<Field> own);

 private:
  ChargedRelease(const Context& context, LedgerPlace place, kernel::Ledger ledger, data::Declared declared, data::DataFile data,
                 privacy::Loss loss)
      : context_(&context),
        place_(std::move(place)),
        ledger_(std::move(ledger)),
        declared_(std::move(declared)),
        data_(std::move(data)),
        loss_(std::move(loss)) {}
  kernel::ChargeRequest describe(Json statement, bool idealised);
  Status reserve(std::size_t most_bytes);
  Result<kernel::Published<Json>> publish(Json release);
  /// What remains, as the ledger says once the release is over.
  void add_budget(Json& answer) const;
  /// A column that is not in a CSV file is perhaps there behind another delimiter. Reads names alone.
  Error with_hint(Error error) const;

  const Context* context_;
  LedgerPlace place_;
  kernel::Ledger ledger_;
  data::Declared declared_;
  data::DataFile data_;
  privacy::Loss loss_;
  std::string analyst_, out_, cost_;
  Json statement_;
  std::optional<NewFile> file_;
};

}  // namespace tacet::service
