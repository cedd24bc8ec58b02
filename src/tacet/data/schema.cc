#include "tacet/data/schema.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "tacet/data/schema_tree.h"
#include "tacet/data/text.h"

namespace tacet::data {
namespace {

using Table = SchemaNode::Table;

constexpr std::uintmax_t kMostBytes = std::uintmax_t{64} << 20;

const std::vector<std::string> kRootFields{"tacet", "dataset", "ledger", "neighbours", "table", "csv", "columns"};
const std::vector<std::string> kCsvFields{"delimiter", "quote", "escape", "header"};
const std::vector<std::string> kColumnFields{"categories", "other", "missing", "missing_values", "lower", "upper", "resolution"};

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

// Text that may stand as a label, a name or a path: NUL would cut it short in the interfaces it passes through.
Result<std::string> text_of(const SchemaNode& node, const std::string& name, const std::string& remedy) {
  const auto* text = std::get_if<std::string>(&node.value);
  if (text == nullptr) return Error::schema(name, node.shown(), "must be text in quotes", remedy);
  if (text->empty()) return Error::schema(name, "\"\"", "must not be empty", remedy);
  if (text->find('\0') != std::string::npos) return Error::schema(name, node.shown(), "must not hold the character NUL", remedy);
  return *text;
}

// A label may be written as text, as an integer or as a boolean; it is compared with the text of the data's values.
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

// The fields of one column, and the words for messages about them.
class ColumnReader {
 public:
  ColumnReader(const std::string& name, const Table& fields)
      : fields_(fields), path_("columns." + toml_key(name)), header_("[" + path_ + "]") {
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
    for (const std::string name : {"other", "missing", "missing_values"}) {
      if (field(name) == nullptr || column_.categories || (column_.bounds && name != "other")) continue;
      return Error::schema(path(name), field(name)->shown(),
                           "has a meaning only beside categories" + std::string(name == "other" ? "" : " or bounds"),
                           fmt::format("write under {}: categories = [\"...\", \"...\"]", header_));
    }
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
      // Here alone the empty text is a value: a quoted empty field, or an empty string of a Parquet file.
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

  // The index of the cell with this label, which is made if there is none.
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
    // A cell of its own for what is no category, named like something that means "missing", would hold two different things.
    const auto& absent = column_.missing_values;
    if (other != missing && std::find(absent.begin(), absent.end(), other) != absent.end()) {
      return Error::schema(path("other"), in_quotes(other), "is also one of missing_values, which count in " + in_quotes(missing),
                           write("other = \"other\""));
    }
    column_.categories = std::move(categories);
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
      if (bounds.missing < bounds.lower || bounds.missing > bounds.upper) {
        return Error::schema(path("missing"), bounds.missing.to_string(),
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
    const auto* flag = std::get_if<bool>(&header->value);
    if (flag == nullptr) return Error::schema("csv.header", header->shown(), "must be true or false", "write under [csv]: header = true");
    csv.header = *flag;
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

  if (const SchemaNode* neighbours = find_field(root, "neighbours")) {
    const auto* text = std::get_if<std::string>(&neighbours->value);
    const std::string written = text == nullptr ? std::string() : *text;
    if (written == name(kernel::Relation::ReplaceOne)) {
      schema.relation = kernel::Relation::ReplaceOne;
    } else if (written == name(kernel::Relation::AddOrRemoveOne)) {
      schema.relation = kernel::Relation::AddOrRemoveOne;
    } else {
      return Error::schema("neighbours", neighbours->shown(),
                           R"(must be "replace-one" (the number of people is public) or "add-or-remove-one" (it is private))",
                           "write: neighbours = \"replace-one\"");
    }
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
    TACET_TRY(Column column, ColumnReader(key, *fields).read());
    schema.columns.push_back(std::move(column));
  }
  return schema;
}

}  // namespace

const Column* Schema::find(std::string_view name) const {
  for (const Column& column : columns) {
    if (column.name == name) return &column;
  }
  return nullptr;
}

std::vector<std::string> Schema::names() const {
  std::vector<std::string> out;
  out.reserve(columns.size());
  for (const Column& column : columns) out.push_back(column.name);
  return out;
}

Result<Schema> parse_schema(std::string_view text, bool json, const std::string& folder) {
  TACET_TRY(const Table root, json ? parse_json(text) : parse_toml(text));
  return schema_from(root, folder);
}

Result<Schema> read_schema(const std::string& path) {
  const std::filesystem::path file(path);
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) {
    return Error::of(Code::NotFound, fmt::format("there is no schema file {}", in_quotes(path)),
                     "`tacet init` drafts one from the data's columns");
  }
  const std::uintmax_t size = std::filesystem::file_size(file, error);
  if (error || size > kMostBytes) {
    return Error::of(Code::SchemaInvalid, fmt::format("{} is too large for a schema", in_quotes(path)), "is it the data file?");
  }
  std::ifstream stream(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  if (!stream) return Error::of(Code::SchemaInvalid, fmt::format("{} cannot be read", in_quotes(path)), "check its permissions");
  return parse_schema(text, file.extension() == ".json", file.parent_path().string());
}

}  // namespace tacet::data
