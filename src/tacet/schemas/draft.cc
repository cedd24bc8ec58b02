#include "tacet/schemas/draft.h"

#include <algorithm>
#include <initializer_list>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tacet/base/text.h"
#include "tacet/schemas/listing.h"
#include "tacet/schemas/profile/look.h"
#include "tacet/schemas/profile/proposals.h"
#include "tacet/schemas/words.h"

namespace tacet::schemas {
namespace {

// A file name from the name of the dataset: letters, digits, dots, dashes and underscores; any
// other character becomes a dash.
std::string ledger_name(std::string_view dataset) {
  std::string name;
  for (const char c : dataset) {
    const bool plain = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
    name += plain || (c == '.' && !name.empty()) ? c : '-';
  }
  return name + ".ledger";
}

// Explains every field once; the columns below repeat only the lines to fill in. Without its "#"
// each line is TOML.
constexpr std::string_view kLegend =
    "# A column to be tabulated needs its categories, and may say where other values count:\n"
    "#   categories = [\"...\", \"...\"]   # every value that is public knowledge; never those found in the data\n"
    "#   other = \"other\"               # where any other value counts: a cell of its own, or one of the categories\n"
    "#   missing = \"other\"             # where a missing value counts; with `other`, if not written\n"
    "#   missing_values = [\"?\", \"NA\"]  # what is written for a missing value, if anything is\n"
    "#   membership = \"public\"         # only if everybody may know who is in which category, as of treated and untreated\n"
    "# A column to take sums and means of needs bounds, instead or too:\n"
    "#   lower = 0                     # the least value that a person can have, known without looking\n"
    "#   upper = 120                   # and the greatest\n"
    "#   resolution = 1                # the step to which values are rounded\n"
    "#   missing = 40                  # what a missing value counts as in sums; left out of them, if not written\n"
    "#   thousands = \",\"               # if numbers are written as 1,234; likewise decimal = \",\" and unit = \"mg\"\n"
    "# A column of numbers to be tabulated needs bins, beside bounds or alone:\n"
    "#   bins = [0, 18, 40, 65, 120]   # cells: 0 to under 18, ..., 65 to 120, and missing\n"
    "# A column of dates has dates for bounds and bins:\n"
    "#   date = true                   # written as 2024-05-31\n"
    "#   lower = 1900-01-01\n"
    "#   upper = 2025-12-31\n"
    "# In the lines below put what you know where \"...\" stands, and delete the \"#\" before them. What stays a comment is not used.\n\n";
constexpr const char* kFromData =
    "# FOR THE CUSTODIAN'S EYES ONLY: the lines marked as proposals were learnt from the data, and show some of it. Do not pass this file\n"
    "# on before each of them is confirmed or deleted. No budget can be created while a column says confirmed = false.\n"
    "# Nobody else on this machine may read this file; let others when it is public: chmod a+r.\n";
constexpr std::string_view kCategoryLines = "# categories = [\"...\", \"...\"]\n";
constexpr std::string_view kBoundLines = "# lower = ...\n# upper = ...\n# resolution = ...\n";
constexpr std::string_view kOr = "# or:\n";

std::string fields_for(const std::string& type) {
  const auto is_one_of = [&](std::initializer_list<std::string_view> types) {
    return std::find(types.begin(), types.end(), type) != types.end();
  };
  if (type.empty()) return fmt::format("{}{}{}", kCategoryLines, kOr, kBoundLines);
  if (is_one_of({"TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "UHUGEINT", "FLOAT",
                 "DOUBLE", "DECIMAL"}))
    return fmt::format("{}{}{}", kBoundLines, kOr, kCategoryLines);
  if (type == "BOOLEAN") return "# categories = [\"false\", \"true\"]\n";
  if (is_one_of({"LIST", "ARRAY", "STRUCT", "MAP", "UNION", "unknown"}))
    return "# values of this type cannot be used; store their parts as columns of their own\n";
  return std::string(kCategoryLines);
}

struct Described {
  std::vector<ListedColumn> columns;
  std::string notes, warning;
};

/// The usual dialect, with a column that is not looked for.
data::Schema unknown_schema(const DraftOptions& options) {
  data::Schema unknown;
  unknown.table = options.table;
  unknown.csv.delimiter = options.delimiter;
  unknown.columns.push_back({.name = "-"});
  return unknown;
}

/// The rows, and in `schema` the dialect in which a CSV file seems to be written.
Result<FileProfile> learn(const data::DataFile& file, data::Schema& schema) {
  TACET_TRY(FileProfile profile, look_at(file, schema, {.learn = true}));
  if (!profile.dialect) return profile;
  const DialectProfile guess = *profile.dialect;
  const bool other = (guess.delimiter && !schema.csv.delimiter) || guess.quote || guess.line_breaks_in_quotes;
  if (!other) return profile;
  if (guess.delimiter && !schema.csv.delimiter) schema.csv.delimiter = guess.delimiter;
  if (guess.quote) schema.csv.quote = *guess.quote == '\0' ? std::nullopt : guess.quote;
  schema.csv.line_breaks_in_quotes = guess.line_breaks_in_quotes;
  return look_at(file, schema, {.learn = true});
}

/// Lines under [csv] for what is unusual in a dialect.
std::string dialect_lines(const data::CsvDialect& csv, bool guessed) {
  std::string lines;
  if (csv.delimiter) lines += fmt::format("delimiter = {}\n", in_quotes(std::string(1, *csv.delimiter)));
  if (!csv.quote) lines += "quote = \"\"\n";
  if (csv.quote && *csv.quote != '"') lines += fmt::format("quote = {}\n", in_quotes(std::string(1, *csv.quote)));
  if (csv.line_breaks_in_quotes) lines += "line_breaks_in_quotes = true\n";
  if (lines.empty()) return "# [csv]\n# delimiter = \";\"   # by default a tab for .tsv and a comma otherwise\n";
  return (guessed ? "# Proposal, learnt from the file: is it written so?\n[csv]\n" : "[csv]\n") + lines;
}

Result<Described> describe(const data::DataFile& file, const DraftOptions& options, const data::Schema& unknown) {
  TACET_TRY(const FileListing listing, list_columns(file, unknown));
  Described described{listing.columns, {}, {}};
  if (file.kind() == data::FileKind::Csv) {
    if (const std::optional<char> likely = likely_delimiter(file, listing)) {
      described.warning = fmt::format("the first line of the file is one field that holds {}, which may be its delimiter",
                                      in_quotes(std::string(1, *likely)));
      described.notes = fmt::format("# Beware: {}.\n", described.warning);
    }
    described.notes +=
        "# The names below are the first line of the file. If that line is not names but a person, delete this draft, write under\n"
        "# [csv]: header = false, and declare every column, in order.";
    described.notes += options.from_data ? "\n\n" : " Types are not told: they would be learnt from the data.\n\n";
    described.notes += dialect_lines(unknown.csv, options.from_data && !options.delimiter);
    described.notes +=
        "# quote = \"'\"       # by default the double quote; \"\" if quotes are ordinary characters\n"
        "# escape = \"\\\\\"     # by default a quote is doubled\n"
        "# header = false    # if the first line is not names\n"
        "# line_breaks_in_quotes = true   # by default each line is one person, whatever stands on it; then a quote that somebody left\n"
        "#                                # open takes in the lines of others\n\n";
    return described;
  }
  described.notes =
      options.from_data ? "# Names and types are those of the file.\n" : "# Names and types are those of the file; no row was read.\n";
  if (file.kind() == data::FileKind::DuckDb) described.notes += fmt::format("table = {}\n", in_quotes(listing.table));
  described.notes += "\n";
  return described;
}

}  // namespace

Result<Draft> draft_schema(const data::DataFile& file, const std::string& dataset, const DraftOptions& options) {
  if (dataset.empty() || dataset.find('\0') != std::string::npos || !is_utf8(dataset)) {
    return Error::invalid("dataset", in_quotes(dataset), "must be a name", "for example: patients");
  }
  data::Schema unknown = unknown_schema(options);
  std::optional<FileProfile> learnt;
  if (options.from_data) {
    TACET_TRY(learnt, learn(file, unknown));
  }
  TACET_TRY(const Described described, describe(file, options, unknown));
  std::string out = options.from_data ? kFromData : "";
  const std::size_t nobody = described.columns.size();
  const std::size_t person = learnt ? person_column(learnt->learnt, learnt->rows).value_or(nobody) : nobody;
  out += fmt::format(
      "# What is public about {}. Complete it: each column needs its categories or its bounds before it can be used.\n"
      "# Write what is known without looking at the data: what stands here is shown to everybody.\n"
      "tacet = 1\n"
      "dataset = {}\n"
      "ledger = {}   # where spending is recorded, beside this file\n"
      "neighbours = \"replace-one\"   # the number of people is public; if it is not: \"add-or-remove-one\"\n"
      "# source = \"...\"     # where the data are: a path from this file's folder, or a URI\n"
      "# idealised = true   # if mechanisms may be charged that are proven in real arithmetic alone\n",
      in_quotes(file.path()), in_quotes(dataset), in_quotes(ledger_name(dataset)));
  out += person < nobody
             ? contribution_line(learnt->learnt[person])
             : "# contributions = { person = \"...\", rows = 3 }   # if a person may have several rows: who, and how many count at most\n";
  out += described.notes;
  out += kLegend;
  std::set<std::string> seen;
  std::size_t proposals = 0;
  for (std::size_t i = 0; i < described.columns.size(); ++i) {
    const ListedColumn& column = described.columns[i];
    if (!is_utf8(column.name)) {
      out += fmt::format("# The name of column {} is no text in UTF-8: until it is renamed, it cannot be used.\n\n", i + 1);
      continue;
    }
    if (!seen.insert(column.name).second) {
      out += fmt::format("# Column {} is also named {}: until one of them is renamed, neither can be used.\n\n", i + 1,
                         in_quotes(column.name));
      continue;
    }
    const std::string proposed = learnt && i < learnt->learnt.size() && learnt->learnt[i].name == column.name
                                     ? proposed_lines(learnt->learnt[i], learnt->rows, person == i)
                                     : std::string();
    const bool waits = proposed.find("\nconfirmed = false") != std::string::npos;
    proposals += waits ? 1 : 0;
    out += fmt::format("[columns.{}]{}\n{}{}\n", toml_key(column.name), column.type.empty() ? "" : "   # " + column.type, proposed,
                       waits ? "" : fields_for(column.type));
  }
  std::string warning = described.warning;
  if (learnt && learnt->dialect && learnt->dialect->header == false) {
    warning = fmt::format("{}{}the first line of the file looks like a person, not like names", warning, warning.empty() ? "" : "; ");
  }
  return Draft{std::move(out), std::move(warning), proposals};
}

}  // namespace tacet::schemas
