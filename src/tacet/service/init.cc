#include <fmt/format.h>

#include <filesystem>

#include "tacet/data/data_file.h"
#include "tacet/data/draft.h"
#include "tacet/report/text_table.h"
#include "tacet/service/all_verbs.h"
#include "tacet/service/new_file.h"
#include "tacet/service/request.h"

namespace tacet::service {
namespace {

Result<Json> run(const Json& request, const Context& /*context*/) {
  const std::string path = *text_field(request, "data");
  const std::string out = *text_field(request, "out");
  const std::string dataset = text_field(request, "dataset").value_or(std::filesystem::path(path).stem().string());
  TACET_TRY(const data::DataFile file, data::DataFile::open(path));
  TACET_TRY(const std::string draft, data::draft_schema(file, dataset));
  TACET_TRY(NewFile schema, NewFile::reserve(out, draft.size()));
  TACET_CHECK(schema.publish(draft));
  return Json{{"schema", out}, {"dataset", dataset}, {"draft", draft}};
}

std::string words(const Json& result) {
  return fmt::format(
      "Wrote {}: a draft from the names and types of the columns, nothing else of the data.\n"
      "Next: declare the categories or bounds of each column you want to publish, then\n"
      "  tacet budget create --schema {} --rho 1\n",
      report::printable(result.at("schema").get<std::string>()), report::printable(result.at("schema").get<std::string>()));
}

}  // namespace

Verb init_verb() {
  return {"init",
          "Draft a schema for a data file, from the names and types of its columns only",
          "tacet init --data patients.csv --out draft.toml",
          {{"data", "FILE", "the data: .csv, .tsv, .parquet, .duckdb", FieldKind::Text, true},
           {"out", "FILE", "the schema file to write", FieldKind::Text, true},
           {"dataset", "NAME", "what to call the dataset in its ledger; the file's name if not given"}},
          run,
          words};
}

}  // namespace tacet::service
