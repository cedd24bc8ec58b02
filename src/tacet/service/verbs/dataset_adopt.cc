#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "tacet/service/all_verbs.h"
#include "tacet/service/budget_answer.h"
#include "tacet/service/place_fields.h"
#include "tacet/service/share_fields.h"
#include "tacet/service/terms_answer.h"
#include "tacet/workflow/custody/adopt_dataset.h"
#include "tacet/workflow/dataset.h"

namespace tacet::service::dataset_adopt_verb {
namespace {

struct Request {
  PlaceFields place;
  AdoptRequest adoption;
  std::optional<std::string> others;  // as written: in the currency of the old budget
};

Result<AdoptedDataset> run(const Request& request, const Context& context) {
  TACET_TRY(DatasetPlace place, dataset_place(request.place));
  if (!place.schema) {
    return Error::invalid("schema", "missing", "must say what is public about the dataset: an old ledger does not",
                          "add schema = people.toml; `init` drafts one");
  }
  AdoptRequest adoption = request.adoption;
  adoption.schema = *std::move(place.schema);
  adoption.ledger = std::move(place.ledger);
  adoption.dataset = std::move(place.dataset);
  if (request.others) {
    TACET_TRY(const Dataset old, Dataset::open({.ledger = adoption.from, .dataset = adoption.dataset, .schema = adoption.schema}, context));
    TACET_TRY(const BudgetSummary budget, old.budget());
    TACET_TRY(adoption.others, parse_others(*request.others, budget.total.currency));
  }
  return adopt_dataset(adoption, context);
}

AnswerTable<OldLedger> old_table() {
  return AnswerTable<OldLedger>()
      .value("ledger", &OldLedger::ledger, "its path")
      .value("name", &OldLedger::name, "its name in the receipts of its releases")
      .value(
          "format", [](const OldLedger& old) { return static_cast<std::uint64_t>(old.format); }, "its format")
      .value("last_hash", &OldLedger::last_hash, "the hash of its last entry");
}

std::string words(const AdoptedDataset& adopted) {
  const BudgetSummary& budget = adopted.budget;
  std::string out = fmt::format(
      "The ledger \"{}\" was closed: no earlier version charges it any more. Its {} entr{} of \"{}\" stand at the start of \"{}\".\n",
      adopted.adopted_from.ledger, budget.entries, budget.entries == 1 ? "y" : "ies", budget.dataset, budget.ledger);
  for (const std::string& dataset : adopted.not_adopted_yet)
    out += fmt::format("It has another dataset, which can be charged once it is adopted too: \"{}\".\n", dataset);
  return out + budget_words(budget) + warning_words(adopted.warnings);
}

}  // namespace

Verb make() {
  return verb<Request, AdoptedDataset>(
      {.name = "dataset adopt",
       .summary = "Go on from the ledger of an earlier version: the same budget and entries, in a new ledger that has terms",
       .example = "tacet dataset adopt --schema patients.toml --ledger new.ledger --from old.ledger",
       .library = LibraryFunction{"adopt_dataset", "tacet/workflow/custody/adopt_dataset.h"},
       .request = RequestTable<Request>()
                      .include(&Request::place, place_table())
                      .required(
                          "from", [](Request& r) -> auto& { return r.adoption.from; }, "FILE",
                          "the ledger of an earlier version of Tacet (format 1 or 2)")
                      .field("others", &Request::others, "AMOUNT",
                             "where there are shares: what all analysts without one may spend together; else nothing")
                      .field(
                          "source", [](Request& r) -> auto& { return r.adoption.source; }, "FILE", "where the data is, if not the schema's")
                      .field(
                          "again", [](Request& r) -> auto& { return r.adoption.again; }, "REASON",
                          "why there is a second budget for the same source, if there is one"),
       .answer = AnswerTable<AdoptedDataset>()
                     .include(&AdoptedDataset::budget, budget_table())
                     .object("adopted_from", &AdoptedDataset::adopted_from, old_table(), "where the first entries come from")
                     .value("not_adopted_yet", &AdoptedDataset::not_adopted_yet, "the other datasets of the old ledger")
                     .value("warnings", &AdoptedDataset::warnings, "warnings about settings that may be intended"),
       .run = run,
       .words = words});
}

}  // namespace tacet::service::dataset_adopt_verb
