#include "tacet/workflow/custody/draft_schema.h"

#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "tacet/base/text.h"
#include "tacet/data/data_file.h"
#include "tacet/kernel/ledger/rules.h"
#include "tacet/schemas/data_path.h"
#include "tacet/schemas/draft.h"
#include "tacet/workflow/custody/look_at_data.h"
#include "tacet/workflow/custody/source_register.h"
#include "tacet/workflow/new_file.h"

namespace tacet {
namespace {

/// The file's name without its folder and endings: "patients" for "data/patients.csv.gz".
std::string plain_name(const std::string& path) {
  std::filesystem::path name = std::filesystem::path(path).filename();
  if (name.extension() == ".gz") name = name.stem();
  return name.stem().string();
}

bool parts_fields(char c) { return static_cast<unsigned char>(c) < 0x80 && c != '\n' && c != '\r' && c != '"'; }

Error wrong_delimiter(const std::string& text) {
  constexpr std::size_t kShown = 40;
  return Error::invalid("delimiter", in_quotes(text.substr(0, kShown)), "must be one ASCII character, or comma, semicolon or tab",
                        "for example: delimiter = ';'");
}

Status check_out(const std::string& out) {
  if (std::filesystem::path(out).extension() != ".json") return {};
  return Error::invalid("out", fmt::format("\"{}\"", out), "must not end in .json, because the draft is TOML with comments",
                        "for example: out = people.toml");
}

/// A draft cost no budget, so it may be deleted.
Status write_draft(const std::string& out, const std::string& toml, NewFile::Readers readers) {
  auto reserved = NewFile::reserve(out, toml.size(), NewFile::Draft::Nameless, readers);
  if (!reserved.ok() && reserved.error().code() == Code::AlreadyExists)
    return Error::of(Code::AlreadyExists, fmt::format("\"{}\" is there already", out), "delete it, or choose another name");
  TACET_TRY(NewFile file, std::move(reserved));
  return file.publish(toml);
}

}  // namespace

Result<char> delimiter_named(const std::string& text) {
  if (text == "\\t" || text == "tab") return '\t';
  if (text == "semicolon") return ';';
  if (text == "comma") return ',';
  if (text.size() == 1 && parts_fields(text.front())) return text.front();
  return wrong_delimiter(text);
}

Result<SchemaDraft> draft_schema(const DraftRequest& request, const Context& context) {
  if (request.out) TACET_CHECK(check_out(*request.out));
  if (request.delimiter && !parts_fields(*request.delimiter)) return wrong_delimiter(std::string(1, *request.delimiter));
  const std::string dataset = request.dataset.value_or(plain_name(request.data));
  TACET_CHECK(kernel::check_name("dataset", dataset));
  TACET_TRY(const data::DataFile file, schemas::open_data(request.data));
  if (request.from_data) TACET_CHECK(check_custodian_of_source(source_text(file.real_path()), context.analyst));
  TACET_TRY(schemas::Draft draft, schemas::draft_schema(file, dataset, {request.table, request.delimiter, request.from_data}));
  const auto readers = request.from_data ? NewFile::Readers::Owner : NewFile::Readers::All;
  if (request.out) TACET_CHECK(write_draft(*request.out, draft.toml, readers));
  std::vector<std::string> warnings;
  if (!draft.warning.empty()) warnings.push_back(draft.warning + (request.from_data ? "" : ": draft again with that delimiter"));
  return SchemaDraft{request.out, dataset, std::move(draft.toml), std::move(warnings), request.from_data, draft.proposals, request.data};
}

}  // namespace tacet
