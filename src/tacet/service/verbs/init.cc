#include <cstdint>
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

Result<SchemaDraft> run(const Request& request, const Context& context) {
  DraftRequest draft = request.draft;
  draft.out = request.out;
  if (request.delimiter) {
    TACET_TRY(draft.delimiter, delimiter_named(*request.delimiter));
  }
  return draft_schema(draft, context);
}

std::string words_from_data(const SchemaDraft& draft, const std::string& file) {
  return fmt::format(
      "For the custodian's eyes only: {} shows data. Nothing was spent.\n"
      "{}Wrote {}: a draft with proposals for {} column{}, learnt from the data.\n"
      "Next: compare each with what is publicly known, and delete its line `confirmed = false`. No budget can be created before.\n"
      "  tacet dataset check --schema {} --data {}    # what the proposals do to the rows\n"
      "  tacet budget create --schema {} --rho 1\n",
      file, warning_words(draft.warnings), file, draft.proposals, draft.proposals == 1 ? "" : "s", file, report::shell_word(draft.data),
      file);
}

std::string words(const SchemaDraft& draft) {
  const std::string file = report::shell_word(draft.file.value_or(""));
  if (draft.from_data) return words_from_data(draft, file);
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
       .summary = "Draft a schema for a data file, from the names and types of its columns only, or with proposals from its rows",
       .example = "tacet init --data patients.csv --out draft.toml",
       .library = LibraryFunction{"draft_schema", "tacet/workflow/custody/draft_schema.h"},
       .shows_data = true,
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
               .field("delimiter", &Request::delimiter, "C", "what parts the fields of a CSV file, if not a comma (.tsv: a tab)")
               .field(
                   "from-data", [](Request& r) -> auto& { return r.draft.from_data; }, "",
                   "propose categories, bounds and bins from the rows, for the custodian to confirm"),
       .answer = AnswerTable<SchemaDraft>()
                     .value("schema", &SchemaDraft::file, "the file that was written")
                     .value("dataset", &SchemaDraft::dataset, "the name of the dataset")
                     .value("draft", &SchemaDraft::toml, "the draft, in TOML")
                     .value("from_data", &SchemaDraft::from_data, "whether it has proposals that show data")
                     .value(
                         "proposals", [](const SchemaDraft& draft) { return std::uint64_t{draft.proposals}; },
                         "how many columns wait to be confirmed")
                     .value("warnings", &SchemaDraft::warnings, "why the draft may not be what was wanted, in words"),
       .run = run,
       .words = words});
}

}  // namespace tacet::service::init_verb
