#include "tacet/schemas/schema_text.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <iterator>
#include <memory>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "tacet/base/text.h"
#include "tacet/schemas/schema_tree.h"
#include "tacet/schemas/words.h"

namespace tacet::schemas {
namespace {

using data::Bounds;
using data::Categories;
using data::Column;
using data::CsvDialect;
using data::Schema;

using Table = SchemaNode::Table;

constexpr std::size_t kMostBytes = std::size_t{64} << 20;

const std::vector<std::string> kRootFields{"tacet", "dataset", "ledger", "source", "neighbours", "idealised", "table", "csv", "columns"};
const std::vector<std::string> kCsvFields{"delimiter", "quote", "escape", "header", "line_breaks_in_quotes"};
const std::vector<std::string> kColumnFields{"categories", "other", "missing", "missing_values",
                                             "membership", "lower", "upper",   "resolution"};

const SchemaNode* find_field(const Table& table, std::string_view name) {
  for (const auto& [key, node] : table) {
    if (key == name) return &node;
  }
  return nullptr;
}

Status only_known_fields(const Table& table, const std::string& where, const std::vector<std::string>& known) {
  for (const auto& [key, node] : table) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    return Error::schema("field", in_quotes(key) + where, "must be one of " + listed(known), did_you_mean(key, known));
  }
  return {};
}

Error missing_field(const std::string& name, const std::string& rule, const std::string& line) {
  return Error::schema(name, "not written", rule, "write: " + line);
}

// A label, a name or a path. A NUL would truncate it in C interfaces.
Result<std::string> text_of(const SchemaNode& node, const std::string& name, const std::string& remedy) {
  const auto* text = std::get_if<std::string>(&node.value);
  if (text == nullptr) return Error::schema(name, node.shown(), "must be text in quotes", remedy);
  if (text->empty()) return Error::schema(name, "\"\"", "must not be empty", remedy);
  if (text->find('\0') != std::string::npos) return Error::schema(name, node.shown(), "must not hold the character NUL", remedy);
  return *text;
}

// A label may be a text, an integer or a boolean; it is compared with the text of values.
Result<std::string> label_of(const SchemaNode& node, const std::string& name, const std::string& remedy) {
  if (const auto* flag = std::get_if<bool>(&node.value)) return std::string(*flag ? "true" : "false");
  if (const auto* number = std::get_if<SchemaNode::Integer>(&node.value)) return number->value.to_rational().get_num().get_str();
  if (!std::holds_alternative<std::string>(node.value)) {
    return Error::schema(name, node.shown(), "must be text, an integer or true or false", "write it in quotes, as it stands in the data");
  }
  return text_of(node, name, remedy);
}

Result<std::vector<std::string>> labels_of(const SchemaNode& node, const std::string& name, const std::string& remedy) {
  const auto* list = std::get_if<SchemaNode::List>(&node.value);
  if (list == nullptr) return Error::schema(name, node.shown(), "must be a list", remedy);
  if (list->empty()) return Error::schema(name, "[]", "must list at least one value", remedy);
  std::vector<std::string> labels;
  std::set<std::string> seen;
  for (const SchemaNode& item : *list) {
    TACET_TRY(std::string label, label_of(item, name, remedy));
    if (!seen.insert(label).second) return Error::schema(name, node.shown(), "must list each value once", "delete one " + in_quotes(label));
    labels.push_back(std::move(label));
  }
  return labels;
}

Result<Decimal> number_of(const SchemaNode& node, const std::string& name) {
  if (const auto* integer = std::get_if<SchemaNode::Integer>(&node.value)) return integer->value;
  if (const auto* fraction = std::get_if<SchemaNode::Fraction>(&node.value)) return fraction->value;
  if (const auto* text = std::get_if<std::string>(&node.value)) {
    if (Result<Decimal> decimal = Decimal::parse(*text); decimal.ok()) return decimal;
  }
  return Error::schema(name, node.shown(), "must be a decimal number", "for example: 0.5, 3 or 1e-9");
}

Result<bool> flag_of(const SchemaNode& node, const std::string& name, const std::string& remedy) {
  const auto* flag = std::get_if<bool>(&node.value);
  if (flag == nullptr) return Error::schema(name, node.shown(), "must be true or false", remedy);
  return *flag;
}

// The fields of one column, and the words for messages about them.
class ColumnReader {
 public:
  ColumnReader(const std::string& name, const Table& fields, kernel::Relation::Kind relation)
      : fields_(fields), relation_(relation), path_("columns." + toml_key(name)), header_("[" + path_ + "]") {
    column_.name = name;
  }

  Result<Column> read() && {
    TACET_CHECK(only_known_fields(fields_, " under " + header_, kColumnFields));
    const SchemaNode* categories = field("categories");
    const SchemaNode* numeric = nullptr;
    std::string numeric_name;
    for (const std::string name : {"lower", "upper", "resolution"}) {
      if (field(name) == nullptr) continue;
      numeric = field(name);
      numeric_name = name;
    }
    if (categories != nullptr && numeric != nullptr) {
      return Error::schema(path(numeric_name), numeric->shown(), "a column has either categories or bounds, not both",
                           "delete one of them under " + header_);
    }
    TACET_CHECK(read_missing_values());
    if (categories != nullptr) {
      TACET_CHECK(read_categories(*categories));
    } else if (numeric != nullptr) {
      TACET_CHECK(read_bounds());
    }
    for (const std::string name : {"other", "missing", "missing_values", "membership"}) {
      const bool also_numbers = name == "missing" || name == "missing_values";
      if (field(name) == nullptr || column_.categories || (column_.bounds && also_numbers)) continue;
      return Error::schema(path(name), field(name)->shown(),
                           "has a meaning only beside categories" + std::string(also_numbers ? " or bounds" : ""),
                           fmt::format("write under {}: categories = [\"...\", \"...\"]", header_));
    }
    TACET_CHECK(read_membership());
    return std::move(column_);
  }

 private:
  const SchemaNode* field(std::string_view name) const { return find_field(fields_, name); }
  std::string path(const std::string& name) const { return path_ + "." + name; }
  std::string write(const std::string& line) const { return fmt::format("write under {}: {}", header_, line); }

  Status read_missing_values() {
    const SchemaNode* node = field("missing_values");
    if (node == nullptr) return {};
    const auto* list = std::get_if<SchemaNode::List>(&node->value);
    SchemaNode::List rest;
    if (list != nullptr) {
      // Only here the empty text is a value: a quoted empty field, or an empty string of a Parquet
      // file.
      bool empty = false;
      for (const SchemaNode& item : *list) {
        const auto* text = std::get_if<std::string>(&item.value);
        if (text == nullptr || !text->empty() || empty) {
          rest.push_back(item);
        } else {
          empty = true;
        }
      }
      if (empty) column_.missing_values.emplace_back();
      if (empty && rest.empty()) return {};
    }
    TACET_TRY(std::vector<std::string> values,
              labels_of(list == nullptr ? *node : SchemaNode{rest}, path("missing_values"), write("missing_values = [\"?\", \"NA\"]")));
    column_.missing_values.insert(column_.missing_values.end(), std::make_move_iterator(values.begin()),
                                  std::make_move_iterator(values.end()));
    return {};
  }

  // The index of the cell with this label, which is created if necessary.
  static std::size_t cell(Categories& categories, const std::string& label) {
    const auto found = std::find(categories.labels.begin(), categories.labels.end(), label);
    if (found != categories.labels.end()) return static_cast<std::size_t>(found - categories.labels.begin());
    categories.labels.push_back(label);
    return categories.labels.size() - 1;
  }

  Status read_categories(const SchemaNode& node) {
    Categories categories;
    TACET_TRY(categories.labels, labels_of(node, path("categories"), write("categories = [\"...\", \"...\"]")));
    categories.declared = categories.labels.size();
    for (const std::string& value : column_.missing_values) {
      if (std::find(categories.labels.begin(), categories.labels.end(), value) == categories.labels.end()) continue;
      return Error::schema(path("missing_values"), in_quotes(value), "is also one of the categories, so it would count twice",
                           "delete it from one of the two lists");
    }
    std::string other = "other";
    if (const SchemaNode* named = field("other")) {
      TACET_TRY(other, label_of(*named, path("other"), write("other = \"other\"")));
    }
    std::string missing = other;
    if (const SchemaNode* named = field("missing")) {
      TACET_TRY(missing, label_of(*named, path("missing"), write("missing = \"missing\"")));
    }
    categories.other = cell(categories, other);
    categories.missing = cell(categories, missing);
    // A cell `other` that is named like a missing value would contain two different things.
    const auto& absent = column_.missing_values;
    if (other != missing && std::find(absent.begin(), absent.end(), other) != absent.end()) {
      return Error::schema(path("other"), in_quotes(other), "is also one of missing_values, which count in " + in_quotes(missing),
                           write("other = \"other\""));
    }
    column_.categories = std::move(categories);
    return {};
  }

  Status read_membership() {
    const SchemaNode* node = field("membership");
    if (node == nullptr) return {};
    const auto* text = std::get_if<std::string>(&node->value);
    if (text == nullptr || (*text != "public" && *text != "private")) {
      return Error::schema(path("membership"), node->shown(), R"(must be "public" (who is in which category is known to all) or "private")",
                           write("membership = \"private\""));
    }
    column_.public_membership = *text == "public";
    if (column_.public_membership && relation_ != kernel::Relation::ReplaceOne) {
      return Error::schema(path("membership"), node->shown(),
                           "cannot be public under neighbours = \"add-or-remove-one\", where the number of people in a group is private",
                           "delete the line, or write: neighbours = \"replace-one\"");
    }
    return {};
  }

  Status read_bounds() {
    Bounds bounds;
    const std::pair<std::string, Decimal*> required[] = {
        {"lower", &bounds.lower}, {"upper", &bounds.upper}, {"resolution", &bounds.resolution}};
    for (const auto& [name, target] : required) {
      const SchemaNode* node = field(name);
      if (node == nullptr) {
        return Error::schema(path(name), "not written", "a column with bounds needs lower, upper and resolution", write(name + " = ..."));
      }
      TACET_TRY(*target, number_of(*node, path(name)));
    }
    if (bounds.lower >= bounds.upper) {
      return Error::schema(path("lower"), bounds.lower.to_string(), "must be less than upper, which is " + bounds.upper.to_string(),
                           "write the least and the greatest value that a person can have");
    }
    if (!bounds.resolution.is_positive()) {
      return Error::schema(path("resolution"), bounds.resolution.to_string(), "must be greater than 0", write("resolution = 1"));
    }
    if (bounds.resolution > bounds.upper - bounds.lower) {
      return Error::schema(path("resolution"), bounds.resolution.to_string(),
                           "must be at most upper - lower, which is " + (bounds.upper - bounds.lower).to_string(),
                           "the resolution is the step to which values are rounded");
    }
    if (const SchemaNode* node = field("missing")) {
      TACET_TRY(bounds.missing, number_of(*node, path("missing")));
      if (*bounds.missing < bounds.lower || *bounds.missing > bounds.upper) {
        return Error::schema(path("missing"), bounds.missing->to_string(),
                             fmt::format("must lie between lower and upper, {} and {}", bounds.lower.to_string(), bounds.upper.to_string()),
                             "a missing value counts as this number");
      }
    } else {
      bounds.missing = (bounds.lower + bounds.upper) * *Decimal::parse("0.5");
    }
    column_.bounds = std::move(bounds);
    return {};
  }

  const Table& fields_;
  kernel::Relation::Kind relation_;
  std::string path_, header_;
  Column column_;
};

Result<std::optional<char>> character_of(const SchemaNode& node, const std::string& name, const std::string& example) {
  const auto* text = std::get_if<std::string>(&node.value);
  if (text == nullptr || text->size() != 1 || static_cast<unsigned char>(text->front()) >= 0x80 || text->front() == '\0' ||
      text->front() == '\n' || text->front() == '\r') {
    return Error::schema(name, node.shown(), "must be one ASCII character, and no line break", "for example: " + example);
  }
  return std::optional<char>(text->front());
}

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

Result<Schema> schema_from(const Table& root, const std::string& folder) {
  TACET_CHECK(only_known_fields(root, "", kRootFields));
  Schema schema;

  const SchemaNode* version = find_field(root, "tacet");
  if (version == nullptr) return missing_field("tacet", "must be the version of the schema's language, 1", "tacet = 1");
  const auto* number = std::get_if<SchemaNode::Integer>(&version->value);
  if (number == nullptr || number->value != Decimal(1)) {
    return Error::schema("tacet", version->shown(), "must be 1, the only version of the schema's language", "write: tacet = 1");
  }

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
  for (const auto& [key, node] : *declared) {
    const auto* fields = std::get_if<Table>(&node.value);
    if (fields == nullptr) {
      return Error::schema("columns." + toml_key(key), node.shown(), "must be a table",
                           fmt::format("write: [columns.{}], and its fields below it", toml_key(key)));
    }
    TACET_TRY(Column column, ColumnReader(key, *fields, schema.relation.kind()).read());
    schema.columns.push_back(std::move(column));
  }
  std::vector<std::string> public_columns;
  for (const Column& column : schema.columns) {
    if (column.public_membership) public_columns.push_back(column.name);
  }
  if (!public_columns.empty()) {
    TACET_TRY(schema.relation, kernel::Relation::within(std::move(public_columns)));
  }
  return schema;
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

Result<Schema> parse_schema(std::string_view text, bool json, const std::string& folder) {
  TACET_TRY(const Table root, json ? parse_json(text) : parse_toml(text));
  return schema_from(root, folder);
}

Result<Schema> read_schema(const std::string& path) {
  TACET_TRY(const std::string text, text_of_file(path));
  const std::filesystem::path file(path);
  return parse_schema(text, file.extension() == ".json", file.parent_path().string());
}

}  // namespace tacet::schemas
