#include "tacet/schemas/schema_text.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "tacet/base/text.h"
#include "tacet/data/canonical_schema.h"
#include "tacet/schemas/column_text.h"
#include "tacet/schemas/schema_fields.h"
#include "tacet/schemas/schema_tree.h"
#include "tacet/schemas/words.h"

namespace tacet::schemas {
namespace {

using data::Column;
using data::Contributions;
using data::CsvDialect;
using data::Schema;

using Table = SchemaNode::Table;

constexpr std::size_t kMostBytes = std::size_t{64} << 20;

const std::vector<std::string> kRootFields{"tacet",     "dataset", "ledger", "source",        "neighbours",
                                           "idealised", "table",   "csv",    "contributions", "columns"};
const std::vector<std::string> kCsvFields{"delimiter", "quote", "escape", "header", "line_breaks_in_quotes"};
const std::vector<std::string> kContributionFields{"person", "rows", "groups"};

Result<CsvDialect> read_csv_dialect(const SchemaNode& node) {
  const auto* fields = std::get_if<Table>(&node.value);
  if (fields == nullptr) return Error::schema("csv", node.shown(), "must be a table", "write: [csv] and its fields below it");
  TACET_CHECK(only_known_fields(*fields, " under [csv]", kCsvFields));
  CsvDialect csv;
  if (const SchemaNode* delimiter = find_field(*fields, "delimiter")) {
    TACET_TRY(csv.delimiter, character_of(*delimiter, "csv.delimiter", R"(delimiter = ";")"));
  }
  if (const SchemaNode* quote = find_field(*fields, "quote")) {
    const auto* text = std::get_if<std::string>(&quote->value);
    if (text != nullptr && text->empty()) {
      csv.quote.reset();
    } else {
      TACET_TRY(csv.quote, character_of(*quote, "csv.quote", R"(quote = "'", or quote = "" if quotes are ordinary characters)"));
    }
  }
  if (const SchemaNode* escape = find_field(*fields, "escape")) {
    TACET_TRY(csv.escape, character_of(*escape, "csv.escape", R"(escape = "\\")"));
    if (!csv.quote) return Error::schema("csv.escape", escape->shown(), "has a meaning only with a quote", "delete it, or name the quote");
  }
  if (const SchemaNode* header = find_field(*fields, "header")) {
    TACET_TRY(csv.header, flag_of(*header, "csv.header", "write under [csv]: header = true"));
  }
  if (const SchemaNode* breaks = find_field(*fields, "line_breaks_in_quotes")) {
    TACET_TRY(csv.line_breaks_in_quotes, flag_of(*breaks, "csv.line_breaks_in_quotes", "write under [csv]: line_breaks_in_quotes = true"));
    if (csv.line_breaks_in_quotes && !csv.quote)
      return Error::schema("csv.line_breaks_in_quotes", breaks->shown(), "has a meaning only with a quote", "delete it, or name the quote");
  }
  for (const std::optional<char>& special : {csv.quote, csv.escape}) {
    if (!special) continue;
    const bool clashes = csv.delimiter ? *special == *csv.delimiter : *special == ',' || *special == '\t';
    if (clashes) {
      return Error::schema("csv.delimiter", csv.delimiter ? in_quotes(std::string(1, *csv.delimiter)) : "not written",
                           "must differ from quote and escape", "for example: delimiter = \";\"");
    }
  }
  return csv;
}

const char* const kContributionsLine = R"(contributions = { person = "patient", rows = 3 })";

/// A limit on what one person contributes.
Result<std::int64_t> limit_of(const SchemaNode& node, const std::string& name) {
  const auto* number = std::get_if<SchemaNode::Integer>(&node.value);
  if (number != nullptr && number->value >= Decimal(1) && number->value <= Decimal(data::kMostContributions))
    return number->value.to_rational().get_num().get_si();
  return Error::schema(name, node.shown(), fmt::format("must be a whole number from 1 to {}", data::kMostContributions),
                       "write the most that any analysis needs of one person: noise grows with it");
}

Result<Contributions> read_contributions(const SchemaNode& node, const std::vector<Column>& columns) {
  const auto* fields = std::get_if<Table>(&node.value);
  if (fields == nullptr)
    return Error::schema("contributions", node.shown(), "must be a table", fmt::format("write: {}", kContributionsLine));
  TACET_CHECK(only_known_fields(*fields, " under [contributions]", kContributionFields));
  Contributions contributions;
  const SchemaNode* const person = find_field(*fields, "person");
  if (person == nullptr) return missing_field("contributions.person", "must be the column that names the person", kContributionsLine);
  TACET_TRY(contributions.person, text_of(*person, "contributions.person", fmt::format("write: {}", kContributionsLine)));
  const SchemaNode* const rows = find_field(*fields, "rows");
  if (rows == nullptr) {
    return missing_field("contributions.rows", "must be how many rows of one person count at most, in each group if groups is given",
                         kContributionsLine);
  }
  TACET_TRY(contributions.rows, limit_of(*rows, "contributions.rows"));
  if (const SchemaNode* const groups = find_field(*fields, "groups")) {
    TACET_TRY(contributions.groups, limit_of(*groups, "contributions.groups"));
  }
  std::vector<std::string> names;
  for (const Column& column : columns) {
    names.push_back(column.name);
    if (!column.public_membership) continue;
    return Error::schema("columns." + toml_key(column.name) + ".membership", "\"public\"",
                         "cannot be public beside contributions, where the rows of a person may be in several groups",
                         "delete the line, or the contributions");
  }
  if (std::find(names.begin(), names.end(), contributions.person) == names.end()) {
    const std::string hint = did_you_mean(contributions.person, names);
    return Error::schema("contributions.person", in_quotes(contributions.person),
                         "must be a declared column, which needs neither categories nor bounds",
                         hint.empty() ? fmt::format("write: [columns.{}], and nothing below it", toml_key(contributions.person)) : hint);
  }
  return contributions;
}

/// The column that names the person, if the field is as it must be: read_contributions checks it.
std::string person_named(const SchemaNode& contributions) {
  const auto* const fields = std::get_if<Table>(&contributions.value);
  const SchemaNode* const person = fields == nullptr ? nullptr : find_field(*fields, "person");
  const auto* const name = person == nullptr ? nullptr : std::get_if<std::string>(&person->value);
  return name == nullptr ? "" : *name;
}

/// Refuses columns that were proposed from data, until a person has confirmed them.
Status check_confirmed(const Table& columns, Unconfirmed unconfirmed) {
  std::vector<std::string> waiting;
  for (const auto& [key, node] : columns) {
    const auto* fields = std::get_if<Table>(&node.value);
    const SchemaNode* const confirmed = fields == nullptr ? nullptr : find_field(*fields, "confirmed");
    if (confirmed == nullptr) continue;
    TACET_TRY(const bool flag,
              flag_of(*confirmed, "columns." + toml_key(key) + ".confirmed", "delete the line once you have confirmed the column"));
    if (!flag) waiting.push_back(key);
  }
  if (waiting.empty() || unconfirmed == Unconfirmed::Allowed) return {};
  return Error::schema(
      "columns." + toml_key(waiting.front()) + ".confirmed", "false",
      fmt::format("must be confirmed by a person: {} {} proposed from the data, and what is learnt from data is not public",
                  listed(waiting), waiting.size() == 1 ? "was" : "were"),
      "compare each with what is publicly known, change what differs, and delete its line: confirmed = false");
}

/// Fields that no schema has, and the version of its language.
Status check_language(const Table& root) {
  if (const SchemaNode* person = find_field(root, "person")) {
    return Error::schema("person", person->shown(), "must be written with the number of rows that a person may have",
                         fmt::format("write: {}", kContributionsLine));
  }
  TACET_CHECK(only_known_fields(root, "", kRootFields));
  const SchemaNode* version = find_field(root, "tacet");
  if (version == nullptr) return missing_field("tacet", "must be the version of the schema's language, 1", "tacet = 1");
  const auto* number = std::get_if<SchemaNode::Integer>(&version->value);
  if (number == nullptr || number->value != Decimal(1)) {
    return Error::schema("tacet", version->shown(), "must be 1, the only version of the schema's language", "write: tacet = 1");
  }
  return {};
}

/// Which budget pays, and where the data are.
Status read_place(const Table& root, const std::string& folder, Schema& schema) {
  const std::string dataset_line = "dataset = \"patients\"";
  const SchemaNode* dataset = find_field(root, "dataset");
  if (dataset == nullptr) return missing_field("dataset", "must be the name under which budgets are kept", dataset_line);
  TACET_TRY(schema.dataset, text_of(*dataset, "dataset", "write: " + dataset_line));

  const std::string ledger_line = "ledger = \"patients.ledger\"";
  const SchemaNode* ledger = find_field(root, "ledger");
  if (ledger == nullptr) return missing_field("ledger", "must be the file in which spending is recorded, beside this one", ledger_line);
  TACET_TRY(const std::string ledger_name, text_of(*ledger, "ledger", "write: " + ledger_line));
  schema.ledger = (std::filesystem::path(folder) / ledger_name).string();

  if (const SchemaNode* source = find_field(root, "source")) {
    TACET_TRY(const std::string written, text_of(*source, "source", "write: source = \"patients.csv\", or delete the line"));
    const bool path = source_kind(written) == SourceKind::Path;
    schema.source = path ? (std::filesystem::path(folder) / written).string() : written;
  }
  return {};
}

/// All other fields.
Status read_facts(const Table& root, Unconfirmed unconfirmed, Schema& schema) {
  if (const SchemaNode* idealised = find_field(root, "idealised")) {
    TACET_TRY(schema.idealised, flag_of(*idealised, "idealised", "write: idealised = false"));
  }
  if (const SchemaNode* neighbours = find_field(root, "neighbours")) {
    const auto* text = std::get_if<std::string>(&neighbours->value);
    const std::string written = text == nullptr ? std::string() : *text;
    const auto kind = named<kernel::Relation::Kind>("neighbours", written);
    if (!kind) {
      return Error::schema("neighbours", neighbours->shown(),
                           R"(must be "replace-one" (the number of people is public) or "add-or-remove-one" (it is private))",
                           "write: neighbours = \"replace-one\"");
    }
    schema.relation = *kind;
  }
  if (const SchemaNode* table = find_field(root, "table")) {
    TACET_TRY(schema.table, text_of(*table, "table", "write the name of a table of the DuckDB file, or delete the line"));
  }
  if (const SchemaNode* csv = find_field(root, "csv")) {
    TACET_TRY(schema.csv, read_csv_dialect(*csv));
  }

  const SchemaNode* columns = find_field(root, "columns");
  if (columns == nullptr) {
    return missing_field("columns", "a schema declares at least one column",
                         "[columns.smoking], and below it categories = [\"...\", \"...\"]");
  }
  const auto* declared = std::get_if<Table>(&columns->value);
  if (declared == nullptr || declared->empty()) {
    return Error::schema("columns", declared == nullptr ? columns->shown() : "empty", "must be a table of columns",
                         "write: [columns.smoking], and below it categories = [\"...\", \"...\"]");
  }
  TACET_CHECK(check_confirmed(*declared, unconfirmed));
  const SchemaNode* const contributions = find_field(root, "contributions");
  const std::string person = contributions == nullptr ? "" : person_named(*contributions);
  for (const auto& [key, node] : *declared) {
    const auto* fields = std::get_if<Table>(&node.value);
    if (fields == nullptr) {
      return Error::schema("columns." + toml_key(key), node.shown(), "must be a table",
                           fmt::format("write: [columns.{}], and its fields below it", toml_key(key)));
    }
    TACET_TRY(Column column, read_column(key, *fields, schema.relation.kind(), key == person));
    schema.columns.push_back(std::move(column));
  }
  if (contributions != nullptr) {
    TACET_TRY(schema.contributions, read_contributions(*contributions, schema.columns));
  }
  std::vector<std::string> public_columns;
  for (const Column& column : schema.columns) {
    if (column.public_membership) public_columns.push_back(column.name);
  }
  if (!public_columns.empty()) {
    TACET_TRY(schema.relation, kernel::Relation::within(std::move(public_columns)));
  }
  return {};
}

Error no_schema(const std::string& path, const std::string& what, const std::string& remedy) {
  return Error::of(Code::SchemaInvalid, fmt::format("{} {}", in_quotes(path), what), remedy);
}

Result<std::string> text_of_file(const std::string& path) {
  struct stat about{};
  const bool there = path.find('\0') == std::string::npos && ::stat(path.c_str(), &about) == 0;
  if (!there) {
    return Error::of(Code::NotFound, fmt::format("there is no schema file {}", in_quotes(path)),
                     "`init` drafts one from the data's columns");
  }
  if (!S_ISREG(about.st_mode))
    return no_schema(path, "is not a regular file", "a folder, a pipe or a device is no schema; `init` drafts one");
  const int number = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (number < 0) return no_schema(path, "cannot be opened", "check its permissions");
  const std::unique_ptr<const int, void (*)(const int*)> closed(&number, [](const int* open) { ::close(*open); });
  std::string text;
  std::array<char, std::size_t{1} << 16U> chunk{};
  for (;;) {
    const ssize_t got = ::read(number, chunk.data(), chunk.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return no_schema(path, "cannot be read", "check that the disk it is on is readable");
    if (got == 0) return text;
    if (text.size() + static_cast<std::size_t>(got) > kMostBytes)
      return no_schema(path, "is too large for a schema", "is it the data file?");
    text.append(chunk.data(), static_cast<std::size_t>(got));
  }
}

}  // namespace

SourceKind source_kind(std::string_view source) {
  if (source.starts_with(kMemory)) return SourceKind::Memory;
  return source.find("://") == std::string_view::npos ? SourceKind::Path : SourceKind::Uri;
}

Result<Schema> parse_schema(std::string_view text, bool json, const std::string& folder, Unconfirmed unconfirmed) {
  TACET_TRY(const Table root, json ? parse_json(text) : parse_toml(text));
  Schema schema;
  TACET_CHECK(check_language(root));
  TACET_CHECK(read_place(root, folder, schema));
  TACET_CHECK(read_facts(root, unconfirmed, schema));
  return schema;
}

Result<Schema> kept_schema(std::string_view text) {
  const Error refused = Error::of(Code::SchemaInvalid, "the text is not a schema as Tacet writes it for the terms of a budget",
                                  "it must be kept as it was written, to the letter");
  const auto root = parse_json(text);
  if (!root) return refused;
  Schema schema;
  if (!check_language(*root) || !read_facts(*root, Unconfirmed::Refused, schema)) return refused;
  if (schema.csv.escape == schema.csv.quote) schema.csv.escape.reset();
  if (data::canonical(schema) != text) return refused;
  return schema;
}

Result<data::Declared> declared_by(kernel::Terms terms) {
  if (terms.declared().schema.empty()) {
    return Error::of(Code::SchemaInvalid,
                     fmt::format("the terms of \"{}\" hold no schema, so nothing can be read by them", terms.dataset()),
                     "a budget that is to pay for data is made with one: `budget create schema = FILE`");
  }
  auto schema = kept_schema(terms.declared().schema);
  return data::Declared::of(std::move(terms), schema ? *std::move(schema) : Schema());  // which declares nothing
}

Result<Schema> read_schema(const std::string& path, Unconfirmed unconfirmed) {
  TACET_TRY(const std::string text, text_of_file(path));
  const std::filesystem::path file(path);
  return parse_schema(text, file.extension() == ".json", file.parent_path().string(), unconfirmed);
}

}  // namespace tacet::schemas
