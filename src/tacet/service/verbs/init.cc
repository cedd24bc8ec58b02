#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "tacet/data/data_file.h"
#include "tacet/kernel/ledger/rules.h"
#include "tacet/report/text_table.h"
#include "tacet/schemas/draft.h"
#include "tacet/service/all_verbs.h"
#include "tacet/service/new_file.h"
#include "tacet/service/request.h"

namespace tacet::service {
namespace {

/// The file's name without its folder and endings: "patients" for "data/patients.csv.gz".
std::string plain_name(const std::string& path) {
  std::filesystem::path name = std::filesystem::path(path).filename();
  if (name.extension() == ".gz") name = name.stem();
  return name.stem().string();
}

Result<std::optional<char>> delimiter_field(const Json& request) {
  const auto written = text_field(request, "delimiter");
  if (!written) return std::optional<char>();
  const std::string text = *written == "\\t" || *written == "tab" ? "\t" : *written;
  if (text.size() == 1 && static_cast<unsigned char>(text.front()) < 0x80 && text != "\n" && text != "\r" && text != "\"")
    return std::optional<char>(text.front());
  return Error::invalid("delimiter", fmt::format("\"{}\"", text.substr(0, 40)), "must be one ASCII character, or the word tab",
                        "for example: --delimiter ';'");
}

Result<Json> run(const Json& request, const Context& /*context*/) {
  const std::string path = *text_field(request, "data");
  const std::string out = *text_field(request, "out");
  if (std::filesystem::path(out).extension() == ".json") {
    return Error::invalid("out", fmt::format("\"{}\"", out), "must not end in .json, because the draft is TOML with comments",
                          "for example: --out people.toml");
  }
  const std::string dataset = text_field(request, "dataset").value_or(plain_name(path));
  TACET_CHECK(kernel::check_name("dataset", dataset));
  TACET_TRY(const data::DataFile file, data::DataFile::open(path));
  TACET_TRY(const std::optional<char> delimiter, delimiter_field(request));
  TACET_TRY(const schemas::Draft draft, schemas::draft_schema(file, dataset, {text_field(request, "table"), delimiter}));
  auto reserved = NewFile::reserve(out, draft.toml.size());
  if (!reserved.ok() && reserved.error().code() == Code::AlreadyExists)
    return Error::of(Code::AlreadyExists, fmt::format("\"{}\" is there already", out), "delete it, or choose another --out");
  TACET_TRY(NewFile schema, std::move(reserved));
  TACET_CHECK(schema.publish(draft.toml));
  Json warnings = Json::array();
  if (!draft.warning.empty()) warnings.push_back(draft.warning + ": draft again with --delimiter");
  return Json{{"schema", out}, {"dataset", dataset}, {"draft", draft.toml}, {"warnings", warnings}};
}

std::string words(const Json& result) {
  const std::string file = report::shell_word(result.at("schema").get<std::string>());
  std::string warnings;
  for (const Json& warning : result.at("warnings")) warnings += fmt::format("Beware: {}.\n", warning.get<std::string>());
  return fmt::format(
      "{}Wrote {}: a draft from the names and types of the columns, nothing else of the data.\n"
      "Next: declare the categories or bounds of each column you want to publish, then\n"
      "  tacet budget create --schema {} --rho 1\n",
      warnings, file, file);
}

}  // namespace

Verb init_verb() {
  return {"init",
          "Draft a schema for a data file, from the names and types of its columns only",
          "tacet init --data patients.csv --out draft.toml",
          {{"data", "FILE", "the data: .csv, .tsv, .parquet, .duckdb", FieldKind::Text, true},
           {"out", "FILE", "the schema file to write", FieldKind::Text, true},
           {"dataset", "NAME", "what to call the dataset in its ledger; the file's name if not given"},
           {"table", "NAME", "the table of a .duckdb file that holds several"},
           {"delimiter", "C", "what parts the fields of a CSV file, if not a comma (.tsv: a tab)"}},
          run,
          words};
}

}  // namespace tacet::service
