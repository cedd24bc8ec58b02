#include <optional>
#include <string>

#include <fmt/format.h>

#include "tacet/report/text_table.h"
#include "tacet/service/all_verbs.h"
#include "tacet/service/terms_answer.h"
#include "tacet/workflow/custody/draft_schema.h"

namespace tacet::service::init_verb {
namespace {

struct Request {
  DraftRequest draft;
  std::string out;
  std::optional<std::string> delimiter;  // as written
};

Result<SchemaDraft> run(const Request& request, const Context& /*context*/) {
  DraftRequest draft = request.draft;
  draft.out = request.out;
  if (request.delimiter) {
    TACET_TRY(draft.delimiter, delimiter_named(*request.delimiter));
  }
  return draft_schema(draft);
}

std::string words(const SchemaDraft& draft) {
  const std::string file = report::shell_word(draft.file.value_or(""));
  return fmt::format(
      "{}Wrote {}: a draft from the names and types of the columns, nothing else of the data.\n"
      "Next: declare the categories or bounds of each column you want to publish, then\n"
      "  tacet budget create --schema {} --rho 1\n",
      warning_words(draft.warnings), file, file);
}

}  // namespace

Verb make() {
  return verb<Request, SchemaDraft>(
      {.name = "init",
       .summary = "Draft a schema for a data file, from the names and types of its columns only",
       .example = "tacet init --data patients.csv --out draft.toml",
       .library = LibraryFunction{"draft_schema", "tacet/workflow/custody/draft_schema.h"},
       .request =
           RequestTable<Request>()
               .required(
                   "data", [](Request& r) -> auto& { return r.draft.data; }, "FILE", "the data: .csv, .tsv, .parquet, .duckdb")
               .required("out", &Request::out, "FILE", "the schema file to write")
               .field(
                   "dataset", [](Request& r) -> auto& { return r.draft.dataset; }, "NAME",
                   "what to call the dataset in its ledger; the file's name if not given")
               .field(
                   "table", [](Request& r) -> auto& { return r.draft.table; }, "NAME", "the table of a .duckdb file that holds several")
               .field("delimiter", &Request::delimiter, "C", "what parts the fields of a CSV file, if not a comma (.tsv: a tab)"),
       .answer = AnswerTable<SchemaDraft>()
                     .value("schema", &SchemaDraft::file, "the file that was written")
                     .value("dataset", &SchemaDraft::dataset, "the name of the dataset")
                     .value("draft", &SchemaDraft::toml, "the draft, in TOML")
                     .value("warnings", &SchemaDraft::warnings, "why the draft may not be what was wanted, in words"),
       .run = run,
       .words = words});
}

}  // namespace tacet::service::init_verb
