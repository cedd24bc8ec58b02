// tacet/workflow/release/charged_release.h: the steps that all releases share, from request to
// file.
//
//   TACET_TRY(ChargedRelease order,
//             ChargedRelease::open(patients, {.out = "r.json", .price = price}));
//   // Plan the noise for order.loss() here: refusals without data come before the scan.
//   return order.carry_out<CountRelease>(
//       {{{"release", "counts"}}, /*most_bytes=*/4096},
//       [&](const data::CountOptions& options) {
//         return data::count(order.data(), order.declared(), {.by = {"smoking"}}, options);
//       },
//       [&](data::CountTable&& table, kernel::Grant&& grant,
//           exact::RandomBits& bits) -> Result<CountRelease> {
//         return noisy(std::move(table), std::move(grant), bits);      // kernel/release.h
//       });
//
// Public facts come from the ledger's terms, which are read once; a schema in the request must
// agree with them. The kernel keeps the order of the steps (refuse, reserve, scan, charge, draw,
// publish): kernel/release_order.h.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "tacet/base/result.h"
#include "tacet/data/counts.h"
#include "tacet/data/declared.h"
#include "tacet/data/scan_request.h"
#include "tacet/kernel/custody/custody.h"
#include "tacet/kernel/release_order.h"
#include "tacet/mechanisms/release_file.h"
#include "tacet/privacy/currency.h"
#include "tacet/workflow/dataset.h"
#include "tacet/workflow/new_file.h"
#include "tacet/workflow/release/paid_before.h"
#include "tacet/workflow/release/published.h"

namespace tacet {

/// A release from its price to its file. What can be refused is refused before the charge.
class ChargedRelease {
 public:
  /// The loss that is charged to a budget of that currency; it may depend on the terms.
  using Price = std::function<Result<privacy::Loss>(const data::Declared& declared, privacy::Currency budget)>;

  /// What is asked for: the file to write and the price.
  struct Asked {
    std::optional<std::string> out;  // the file to write
    Price price;
    std::optional<std::string_view> mechanism = {};  // as the request names it, for advice
  };
  /// Opens the ledger and the data; reads no row.
  static Result<ChargedRelease> open(const Dataset& dataset, Asked asked);

  const privacy::Loss& loss() const { return loss_; }
  const data::Declared& declared() const { return declared_; }
  const data::DataSource& data() const { return data_; }
  /// Until carry_out has returned.
  const kernel::Custody& ledger() const { return ledger_; }
  /// The statement that is charged; complete once carry_out has begun.
  const std::string& statement() const { return statement_; }

  /// What is released, as the ledger will state it.
  struct What {
    nlohmann::json statement;  // without dataset, neighbours and cost, which are added
    std::size_t most_bytes;    // of the release file, without the statement
    bool idealised = false;
  };
  /// `scan` returns sealed data, and `draw` makes the release from it.
  template <class Release, class Scan, class Draw>
  Result<Published<Release>> carry_out(What what, const Scan& scan, const Draw& draw) {
    return carry_out<Release>(std::move(what), scan, draw, [](const Release& release) { return mechanisms::to_text(release); });
  }
  /// The same, with the text of the file.
  template <class Release, class Scan, class Draw, class Text>
  Result<Published<Release>> carry_out(What what, const Scan& scan, const Draw& draw, const Text& text) {
    const kernel::ChargeRequest request = describe(std::move(what.statement), what.idealised);
    // Between the charge and the file, every byte of the file needs memory: noise, JSON (vectors
    // that grow by doubling) and text.
    constexpr std::size_t kMemoryPerByte = 4;
    constexpr std::size_t kMoreMemory = std::size_t{1} << 20U;
    const Context& context = dataset_.context();
    std::optional<PaidBefore> before = earlier_charge();
    auto published = kernel::carry_out(
        ledger_, request, {[&context] { return context.open_bits(); }, kMemoryPerByte * what.most_bytes + kMoreMemory},
        [&] { return reserve(what.most_bytes); },
        [&] {
          context.tell("reading");
          return scan(data::CountOptions{.progress = {[&context](double fraction) { context.tell("reading", fraction); }}});
        },
        [&](auto&& sealed, kernel::Grant&& grant, exact::RandomBits& bits) {
          context.tell("adding noise");
          return draw(std::forward<decltype(sealed)>(sealed), std::move(grant), bits);
        },
        [&](Release&& release) -> Result<kernel::Published<Published<Release>>> {
          TACET_TRY(Written written, write(text(release)));
          return kernel::Published<Published<Release>>{{std::move(release), std::move(written.file), std::nullopt, std::nullopt},
                                                       std::move(written.hash)};
        });
    if (!published.ok()) return with_hint(std::move(published).error());
    published->budget = budget_after();
    published->paid_before = std::move(before);
    dataset_.kept().keep(std::move(ledger_));
    return published;
  }

 private:
  ChargedRelease(Dataset dataset, kernel::Custody ledger, data::Declared declared, data::DataSource data, privacy::Loss loss)
      : dataset_(std::move(dataset)),
        ledger_(std::move(ledger)),
        declared_(std::move(declared)),
        data_(std::move(data)),
        loss_(std::move(loss)) {}

  struct Written {
    std::optional<std::string> file;
    std::string hash;
  };
  kernel::ChargeRequest describe(nlohmann::json statement, bool idealised);
  Status reserve(std::size_t most_bytes);
  Result<Written> write(const std::string& contents);
  std::optional<BudgetSummary> budget_after() const;
  /// For the same statement, before this charge. It warns only, so a failure finds nothing.
  std::optional<PaidBefore> earlier_charge() const;
  /// Suggests another delimiter if that would show a missing column of a CSV file. Reads only
  /// names.
  Error with_hint(Error error) const;

  Dataset dataset_;
  kernel::Custody ledger_;
  data::Declared declared_;
  data::DataSource data_;
  privacy::Loss loss_;
  std::string analyst_, cost_;
  std::optional<std::string> out_;
  std::string statement_;
  std::optional<NewFile> file_;
};

/// For the statement: what a missing number of each column counts as, or "left out".
nlohmann::json missing_numbers(const data::Schema& schema, const std::vector<std::string>& columns);
/// For the header of a release; nothing if a row is a person.
std::optional<mechanisms::ReleasedContributions> released_contributions(const std::optional<data::PersonLimit>& limit,
                                                                        data::CountUnit unit);

}  // namespace tacet
