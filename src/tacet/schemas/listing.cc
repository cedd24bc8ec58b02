#include "tacet/schemas/listing.h"

#include <algorithm>

#include <fmt/format.h>

#include "tacet/base/text.h"
#include "tacet/data/scan_request.h"
#include "tacet/schemas/profile/look_process.h"
#include "tacet/schemas/profile/profile_codec.h"
#include "tacet/schemas/words.h"

namespace tacet::schemas {
namespace {

// The first word of a type; the part in brackets may contain values.
std::string short_type(const std::string& type) {
  if (type.ends_with("[]")) return "LIST";
  if (type.ends_with("]")) return "ARRAY";
  std::string word = type.substr(0, type.find('('));
  const bool plain = std::all_of(word.begin(), word.end(), [](char c) { return (c >= 'A' && c <= 'Z') || c == '_' || c == ' '; });
  return plain ? word : "unknown";
}

Result<std::string> choose(const std::vector<std::string>& tables, const data::DataFile& file, const std::optional<std::string>& wanted) {
  const std::string shown = in_quotes(file.path());
  if (tables.empty())
    return Error::of(Code::NotFound, fmt::format("{} holds no table", shown), "views do not count; store their rows as a table");
  if (!wanted) {
    if (tables.size() == 1) return tables.front();
    return Error::schema("table", "not written", fmt::format("must name one of the tables of {}: {}", shown, listed(tables)),
                         "write in the schema: table = " + in_quotes(tables.front()));
  }
  switch (std::count(tables.begin(), tables.end(), *wanted)) {
    case 1: return *wanted;
    case 0:
      return Error::of(Code::NotFound, fmt::format("{} has no table {}; its tables are {}", shown, in_quotes(*wanted), listed(tables)),
                       did_you_mean(*wanted, tables));
    default:
      return Error::of(Code::Unsupported, fmt::format("{} has two tables that a schema would write as {}", shown, in_quotes(*wanted)),
                       "rename one of them");
  }
}

}  // namespace

Result<FileListing> list_columns(const data::DataFile& file, const data::Schema& schema) {
  TACET_TRY(const std::string said, look_apart(file, {.scan = data::request_text({schema, {}, file.form(), 1}), .names = true}));
  const std::optional<NamesInFile> names = read_names(said);
  if (!names) {
    return Error::of(Code::DataUnreadable, fmt::format("the names in {} cannot be read", in_quotes(file.path())),
                     "it may be damaged, or not what its name says");
  }
  FileListing listing;
  listing.delimiter = schema.csv.delimiter.value_or(file.delimiter());
  for (const NamesInFile::Column& column : names->columns)
    listing.columns.push_back({column.name, column.type.empty() ? "" : short_type(column.type)});
  if (file.kind() == data::FileKind::DuckDb) {
    TACET_TRY(listing.table, choose(names->tables, file, schema.table));
  }
  return listing;
}

std::optional<char> likely_delimiter(const data::DataFile& file, const FileListing& listing) {
  if (file.kind() != data::FileKind::Csv || listing.columns.size() != 1) return std::nullopt;
  for (const char delimiter : {';', '\t', '|', ','}) {
    if (delimiter != listing.delimiter && listing.columns.front().name.find(delimiter) != std::string::npos) return delimiter;
  }
  return std::nullopt;
}

std::string delimiter_hint(const data::DataFile& file, const FileListing& listing) {
  const std::optional<char> delimiter = likely_delimiter(file, listing);
  if (!delimiter) return {};
  const std::string shown = in_quotes(std::string(1, *delimiter));
  return fmt::format("its first line is one field that holds {}; if that parts the columns, write under [csv]: delimiter = {}", shown,
                     shown);
}

}  // namespace tacet::schemas
