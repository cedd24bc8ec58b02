#include <variant>

#include "tacet/service/all_verbs.h"
#include "tacet/service/budget_answer.h"
#include "tacet/service/place_fields.h"
#include "tacet/workflow/custody/ledger_summary.h"
#include "tacet/workflow/dataset.h"

namespace tacet::service::budget_show_verb {
namespace {

/// Of one dataset or, where only a ledger is named, of all its datasets.
using Reply = std::variant<BudgetSummary, LedgerSummary>;

Result<Reply> run(const PlaceFields& request, const Context& context) {
  TACET_TRY(const DatasetPlace place, dataset_place(request, DatasetNamed::Perhaps));
  if (!place.dataset && !place.schema) {
    TACET_TRY(LedgerSummary ledger, ledger_summary(*place.ledger, context));
    return Reply(std::move(ledger));
  }
  TACET_TRY(const Dataset dataset, Dataset::open(place, context));
  TACET_TRY(BudgetSummary budget, dataset.budget());
  return Reply(std::move(budget));
}

AnswerTable<LedgerSummary> ledger_table() {
  return AnswerTable<LedgerSummary>()
      .value("ledger", &LedgerSummary::ledger, "the path of the ledger")
      .value(
          "format", [](const LedgerSummary& ledger) { return static_cast<std::uint64_t>(ledger.format); }, "the format of the ledger")
      .list("datasets", &LedgerSummary::datasets, budget_table(), "in place of the other fields, with ledger alone: every budget of it");
}

/// Both have a ledger and a format; the other fields are those of a budget, or the list of all.
AnswerTable<Reply> reply_table() {
  std::vector<AnswerField> fields = budget_table().fields();
  for (AnswerField& field : fields) field.always = field.name == "ledger" || field.name == "format";
  for (AnswerField& field : ledger_table().fields()) {
    if (field.name != "datasets") continue;
    field.always = false;
    fields.push_back(field);
  }
  return AnswerTable<Reply>().json_object(std::move(fields), [](const Reply& reply) {
    const auto* ledger = std::get_if<LedgerSummary>(&reply);
    return ledger != nullptr ? ledger_table().write(*ledger) : budget_table().write(std::get<BudgetSummary>(reply));
  });
}

std::string words(const Reply& reply) {
  const auto* ledger = std::get_if<LedgerSummary>(&reply);
  return ledger != nullptr ? budget_list_words(ledger->datasets) : budget_words(std::get<BudgetSummary>(reply));
}

}  // namespace

Verb make() {
  return verb<PlaceFields, Reply>(
      {.name = "budget show",
       .summary = "What was spent of a budget, what remains, and how many more releases fit; with --ledger alone, of all its datasets",
       .example = "tacet budget show --schema patients.toml",
       .library = LibraryFunction{"Dataset::budget", "tacet/workflow/dataset.h"},
       .request = place_table(),
       .answer = reply_table(),
       .run = run,
       .words = words});
}

}  // namespace tacet::service::budget_show_verb
