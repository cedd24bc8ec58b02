#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "tacet/schemas/schema_text.h"
#include "tacet/service/all_verbs.h"
#include "tacet/service/place_fields.h"
#include "tacet/workflow/custody/check_dataset.h"

namespace tacet::service::dataset_check_verb {
namespace {

struct Request {
  PlaceFields place;
  std::optional<std::string> data;
};

Result<DatasetCheck> run(const Request& request, const Context& context) {
  TACET_TRY(DatasetPlace place, dataset_place(request.place));
  place.data = request.data;
  TACET_TRY(const Dataset dataset, Dataset::open(std::move(place), context));
  return check_dataset(dataset);
}

std::string words(const DatasetCheck& check) {
  if (check.agrees() && check.source && schemas::source_kind(*check.source) == schemas::SourceKind::Path)
    return "Everything agrees: the schema with the terms, the source with the schema, the ledger with its key.\n";
  if (check.agrees()) {
    return fmt::format("The schema agrees with the terms, and the ledger with its key. {}\n",
                       check.source ? "The rows are in the memory of a program: their columns were not checked."
                                    : "No source is known yet: no columns were checked.");
  }
  std::string out;
  for (const std::string& finding : check.findings) out += fmt::format("* {}\n", finding);
  return out;
}

}  // namespace

Verb make() {
  return verb<Request, DatasetCheck>({.name = "dataset check",
                                      .summary = "Does a schema agree with the terms, and the source with both? Reads no row",
                                      .example = "tacet dataset check --schema patients.toml --data patients.csv",
                                      .library = LibraryFunction{"check_dataset", "tacet/workflow/custody/check_dataset.h"},
                                      .request = RequestTable<Request>()
                                                     .include(&Request::place, place_table())
                                                     .field("data", &Request::data, "FILE", "the source, if not that of the terms"),
                                      .answer = AnswerTable<DatasetCheck>()
                                                    .value("dataset", &DatasetCheck::dataset, "the dataset")
                                                    .value("ledger", &DatasetCheck::ledger, "the path of its ledger")
                                                    .value("source", &DatasetCheck::source, "the file that was looked at; null without one")
                                                    .value("agrees", &DatasetCheck::agrees, "whether there are no findings")
                                                    .value("findings", &DatasetCheck::findings, "what does not agree, in words"),
                                      .run = run,
                                      .words = words,
                                      .holds = [](const DatasetCheck& check) { return check.agrees(); }});
}

}  // namespace tacet::service::dataset_check_verb
