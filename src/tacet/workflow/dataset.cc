#include "tacet/workflow/dataset.h"

#include <vector>

#include <fmt/format.h>

#include "tacet/kernel/custody/custody.h"
#include "tacet/workflow/custody/readable_ledger.h"

namespace tacet {
namespace {

/// The only dataset of a ledger that has one.
Result<std::string> only_dataset(const kernel::Custody& ledger) {
  TACET_TRY(const std::vector<std::string> names, ledger.datasets());
  if (names.size() == 1) return names.front();
  return Error::invalid("dataset", "missing", fmt::format("must be given: the ledger has {} datasets", names.size()),
                        names.empty() ? "create a budget first" : fmt::format("for example: dataset = {}", names.front()));
}

}  // namespace

Result<DatasetPlace> completed(DatasetPlace place) {
  if (place.schema && place.ledger.empty()) place.ledger = place.schema->ledger;
  if (place.schema && place.dataset.empty()) place.dataset = place.schema->dataset;
  if (place.ledger.empty()) return Error::invalid("ledger", "missing", "must be given by schema or by ledger", "add schema = people.toml");
  if (place.ledger != ":memory:") return place;
  return Error::invalid("ledger", place.ledger, "must be a file: a ledger in memory forgets what was spent",
                        "for example: ledger = people.ledger");
}

Result<Dataset> Dataset::open(DatasetPlace place, Context context) {
  TACET_TRY(place, completed(std::move(place)));
  if (place.dataset.empty()) {
    TACET_TRY(const ReadableLedger ledger, ReadableLedger::open(place.ledger));
    TACET_TRY(place.dataset, only_dataset(ledger.custody));
  }
  return Dataset(std::move(place), std::move(context));
}

Result<BudgetSummary> Dataset::budget() const {
  TACET_TRY(const ReadableLedger ledger, ReadableLedger::open(place_.ledger));
  TACET_TRY(const kernel::BudgetState state, ledger.custody.show(place_.dataset));
  return budget_summary(state, place_.ledger, place_.on_behalf_of.value_or(context_.analyst), ledger.format);
}

}  // namespace tacet
