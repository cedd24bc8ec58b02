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

/// The text that was given, or that of the schema.
Result<std::string> given_or_declared(const char* name, const std::optional<std::string>& given, const std::optional<data::Schema>& schema,
                                      std::string data::Schema::* declared) {
  if (given ? !given->empty() : schema && !((*schema).*declared).empty()) return given ? *given : (*schema).*declared;
  return Error::invalid(name, given ? "" : "missing", fmt::format("must be given by schema or by {}", name), "add schema = people.toml");
}

}  // namespace

Result<std::string> ledger_path(const DatasetPlace& place) {
  TACET_TRY(std::string path, given_or_declared("ledger", place.ledger, place.schema, &data::Schema::ledger));
  if (path != ":memory:") return path;
  return Error::invalid("ledger", path, "must be a file: a ledger in memory forgets what was spent", "for example: ledger = people.ledger");
}

Result<KnownPlace> known_place(DatasetPlace place) {
  KnownPlace known;
  TACET_TRY(known.ledger, ledger_path(place));
  TACET_TRY(known.dataset, given_or_declared("dataset", place.dataset, place.schema, &data::Schema::dataset));
  known.schema = std::move(place.schema);
  known.data = std::move(place.data);
  known.on_behalf_of = std::move(place.on_behalf_of);
  return known;
}

Result<Dataset> Dataset::open(DatasetPlace place, Context context) {
  if (!place.dataset && !place.schema) {
    TACET_TRY(const std::string path, ledger_path(place));
    TACET_TRY(const ReadableLedger ledger, ReadableLedger::open(path));
    TACET_TRY(place.dataset, only_dataset(ledger.custody));
  }
  TACET_TRY(KnownPlace known, known_place(std::move(place)));
  return Dataset(std::move(known), std::move(context));
}

Result<BudgetSummary> Dataset::budget() const {
  TACET_TRY(const ReadableLedger ledger, ReadableLedger::open(place_.ledger));
  TACET_TRY(const kernel::BudgetState state, ledger.custody.show(place_.dataset));
  return budget_summary(state, place_.ledger, place_.on_behalf_of.value_or(context_.analyst), ledger.format);
}

}  // namespace tacet
