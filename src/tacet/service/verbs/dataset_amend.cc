#include <string>

#include <fmt/format.h>

#include "tacet/service/all_verbs.h"
#include "tacet/service/place_fields.h"
#include "tacet/service/terms_answer.h"
#include "tacet/workflow/custody/amend_dataset.h"

namespace tacet::service::dataset_amend_verb {
namespace {

struct Request {
  PlaceFields place;
  AmendRequest amendment;
};

Result<AmendedDataset> run(const Request& request, const Context& context) {
  TACET_TRY(const Dataset dataset, open_dataset(request.place, context));
  return amend_dataset(dataset, request.amendment);
}

std::string words(const AmendedDataset& amended) {
  std::string changed;
  for (const AmendedTerm term : amended.changed) changed += fmt::format("{}{}", changed.empty() ? "" : ", ", name(term));
  return fmt::format("Changed: {}.\n", changed) + terms_words(amended.terms) + warning_words(amended.warnings);
}

}  // namespace

Verb make() {
  return verb<Request, AmendedDataset>(
      {.name = "dataset amend",
       .summary = "Change the terms, as their custodian, with a reason: a file that moved, a category that was forgotten",
       .example = "tacet dataset amend --schema patients.toml --source patients.csv --reason \"the file was renamed\"",
       .library = LibraryFunction{"amend_dataset", "tacet/workflow/custody/amend_dataset.h"},
       .request =
           RequestTable<Request>()
               .include(&Request::place, place_table())
               .field(
                   "source", [](Request& r) -> auto& { return r.amendment.source; }, "FILE",
                   "where the data is now, if the schema does not say it")
               .required(
                   "reason", [](Request& r) -> auto& { return r.amendment.reason; }, "TEXT", "why; everybody can read it in the history"),
       .answer = AnswerTable<AmendedDataset>()
                     .include(&AmendedDataset::terms, terms_table())
                     .value("changed", &AmendedDataset::changed, "what was changed")
                     .value("warnings", &AmendedDataset::warnings, "warnings about settings that may be intended"),
       .run = run,
       .words = words});
}

}  // namespace tacet::service::dataset_amend_verb
