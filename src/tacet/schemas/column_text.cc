#include "tacet/schemas/column_text.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tacet/base/text.h"
#include "tacet/data/canonical_schema.h"
#include "tacet/data/stored_column.h"
#include "tacet/schemas/schema_fields.h"
#include "tacet/schemas/words.h"

namespace tacet::schemas {
namespace {

using data::Bounds;
using data::Categories;
using data::Column;

const std::vector<std::string> kColumnFields{"categories", "other",   "missing",    "missing_values", "membership",
                                             "lower",      "upper",   "resolution", "bins",           "missing_number",
                                             "thousands",  "decimal", "unit",       "date",           "confirmed"};

bool contains(const std::vector<std::string>& texts, const std::string& text) {
  return std::find(texts.begin(), texts.end(), text) != texts.end();
}

/// The fields of one column, and the words for messages about them.
class ColumnReader {
 public:
  ColumnReader(const std::string& name, const SchemaNode::Table& fields, kernel::Relation::Kind relation, bool person)
      : fields_(fields), relation_(relation), person_(person), path_("columns." + toml_key(name)), header_("[" + path_ + "]") {
    column_.name = name;
  }

  Result<Column> read() && {
    TACET_CHECK(only_known_fields(fields_, " under " + header_, kColumnFields));
    const SchemaNode* const categories = field("categories");
    const SchemaNode* const bins = field("bins");
    if (categories != nullptr && bins != nullptr) {
      return Error::schema(path("bins"), bins->shown(), "a column has either categories or bins, not both",
                           "bins are the categories of numbers: delete one of the two under " + header_);
    }
    const bool bounded = field("lower") != nullptr || field("upper") != nullptr || field("resolution") != nullptr;
    TACET_CHECK(check_meanings(bounded));
    TACET_CHECK(read_number_text());
    TACET_CHECK(read_missing_values());
    if (categories != nullptr) TACET_CHECK(read_categories(*categories, bounded));
    if (bounded) TACET_CHECK(read_bounds());
    if (bins != nullptr) TACET_CHECK(read_bins(*bins));
    TACET_CHECK(read_membership());
    return std::move(column_);
  }

 private:
  const SchemaNode* field(std::string_view name) const { return find_field(fields_, name); }
  std::string path(const std::string& name) const { return path_ + "." + name; }
  std::string write(const std::string& line) const { return fmt::format("write under {}: {}", header_, line); }
  /// The name of the value of a missing number: `missing` is a cell where there are cells.
  std::string missing_number() const { return field("categories") != nullptr || field("bins") != nullptr ? "missing_number" : "missing"; }
  Result<Decimal> value_of(const SchemaNode& node, const std::string& name) const {
    return column_.text.date ? date_of(node, path(name)) : number_of(node, path(name));
  }
  std::string in_words(const Decimal& number) const { return data::number_text(number, column_.text.date); }

  /// Refuses fields that say nothing about this kind of column.
  Status check_meanings(bool bounded) const {
    const bool labelled = field("categories") != nullptr, numeric = bounded || field("bins") != nullptr;
    struct Meaning {
      const char* name;
      bool holds;
      const char *beside, *line;
    };
    const char* const categories_line = "categories = [\"...\", \"...\"]";
    const char* const bounds_line = "lower = ..., upper = ... and resolution = ...";
    const Meaning meanings[] = {{"other", labelled, "categories", categories_line},
                                {"missing", labelled || numeric, "categories, bins or bounds", categories_line},
                                {"missing_values", labelled || numeric || person_, "categories, bins or bounds", categories_line},
                                {"membership", labelled, "categories", categories_line},
                                {"missing_number", bounded, "bounds", bounds_line},
                                {"thousands", numeric, "bounds or bins", bounds_line},
                                {"decimal", numeric, "bounds or bins", bounds_line},
                                {"unit", numeric, "bounds or bins", bounds_line},
                                {"date", numeric, "bounds or bins", bounds_line}};
    for (const Meaning& meaning : meanings) {
      const SchemaNode* const node = field(meaning.name);
      if (node == nullptr || meaning.holds) continue;
      return Error::schema(path(meaning.name), node->shown(), fmt::format("has a meaning only beside {}", meaning.beside),
                           write(meaning.line));
    }
    const SchemaNode* const number = field("missing_number");
    if (number == nullptr || missing_number() == "missing_number") return {};
    return Error::schema(path("missing_number"), number->shown(), "has a meaning only where `missing` names a cell",
                         write("missing = " + number->shown()));
  }

  /// A character between digits, which must not be read as a part of the number.
  Result<char> separator_of(const std::string& name) const {
    const SchemaNode& node = *field(name);
    TACET_TRY(const char c, character_of(node, path(name), name + " = \",\""));
    if (std::string_view("0123456789+-eE").find(c) == std::string_view::npos) return c;
    return Error::schema(path(name), node.shown(), "must not be a digit, a sign or the letter e", write(name + " = \",\""));
  }

  Status read_number_text() {
    data::NumberText& text = column_.text;
    if (const SchemaNode* node = field("date")) {
      TACET_TRY(text.date, flag_of(*node, path("date"), write("date = true")));
    }
    for (const std::string name : {"thousands", "decimal", "unit"}) {
      if (!text.date || field(name) == nullptr) continue;
      return Error::schema(path(name), field(name)->shown(), "has no meaning beside date = true", "dates are written as 2024-05-31");
    }
    if (field("thousands") != nullptr) {
      TACET_TRY(text.thousands, separator_of("thousands"));
    }
    if (field("decimal") != nullptr) {
      TACET_TRY(text.decimal, separator_of("decimal"));
    }
    if (text.thousands == text.decimal) {
      return Error::schema(path("thousands"), field("thousands")->shown(),
                           fmt::format("must differ from decimal, which is {}", in_quotes(std::string(1, text.decimal))),
                           write(R"(thousands = "." and decimal = ",", or the other way round)"));
    }
    return read_unit();
  }

  Status read_unit() {
    const SchemaNode* const node = field("unit");
    if (node == nullptr) return {};
    TACET_TRY(std::string unit, text_of(*node, path("unit"), write("unit = \"mg\"")));
    if (data::trimmed(unit).size() != unit.size()) {
      return Error::schema(path("unit"), node->shown(), "must not begin or end with a space or a tab",
                           "spaces between a number and its unit do not count");
    }
    // The unit "0" would make 1 of 10.
    if (unit.find_first_not_of("0123456789+-.,eE \t") == std::string::npos) {
      return Error::schema(path("unit"), node->shown(), "must not be read as a part of the number", write("unit = \"mg\""));
    }
    column_.text.unit = std::move(unit);
    return {};
  }

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

  /// Where there are cells and numbers, `missing` is a cell, and nobody is left out of a table.
  Status check_missing_cell(const SchemaNode& node, const std::vector<std::string>& declared) const {
    const bool number = std::holds_alternative<SchemaNode::Integer>(node.value) || std::holds_alternative<SchemaNode::Fraction>(node.value);
    const auto* text = std::get_if<std::string>(&node.value);
    if (number && !contains(declared, node.shown())) {
      return Error::schema(path("missing"), node.shown(), "must be the name of a cell: that of missing values",
                           write("missing_number = " + node.shown()) + ", for the value of a missing number in sums");
    }
    if (text == nullptr || *text != kLeftOut) return {};
    return Error::schema(path("missing"), node.shown(), "must be the name of a cell: a table leaves nobody out",
                         write("missing = \"missing\"") + ", and missing_number = \"left out\" for sums");
  }

  Status read_categories(const SchemaNode& node, bool bounded) {
    Categories categories;
    TACET_TRY(categories.labels, labels_of(node, path("categories"), write("categories = [\"...\", \"...\"]")));
    categories.declared = categories.labels.size();
    for (const std::string& value : column_.missing_values) {
      if (!contains(categories.labels, value)) continue;
      return Error::schema(path("missing_values"), in_quotes(value), "is also one of the categories, so it would count twice",
                           "delete it from one of the two lists");
    }
    std::string other = "other";
    if (const SchemaNode* named = field("other")) {
      TACET_TRY(other, label_of(*named, path("other"), write("other = \"other\"")));
    }
    std::string missing = other;
    if (const SchemaNode* named = field("missing")) {
      if (bounded) TACET_CHECK(check_missing_cell(*named, categories.labels));
      TACET_TRY(missing, label_of(*named, path("missing"), write("missing = \"missing\"")));
    }
    categories.other = cell(categories, other);
    categories.missing = cell(categories, missing);
    // A cell `other` that is named like a missing value would contain two different things.
    if (other != missing && contains(column_.missing_values, other)) {
      return Error::schema(path("other"), in_quotes(other), "is also one of missing_values, which count in " + in_quotes(missing),
                           write("other = \"other\""));
    }
    column_.categories = std::move(categories);
    return {};
  }

  Status read_bins(const SchemaNode& node) {
    const char* const line = "bins = [0, 18, 40, 65, 120]";
    const auto* list = std::get_if<SchemaNode::List>(&node.value);
    if (list == nullptr || list->size() < 2)
      return Error::schema(path("bins"), node.shown(), "must be a list of at least two edges", write(line));
    for (const SchemaNode& item : *list) {
      TACET_TRY(Decimal edge, value_of(item, "bins"));
      if (!column_.bins.empty() && edge <= column_.bins.back()) {
        return Error::schema(path("bins"), node.shown(),
                             fmt::format("must increase: {} comes after {}", in_words(edge), in_words(column_.bins.back())), write(line));
      }
      column_.bins.push_back(std::move(edge));
    }
    const std::optional<Bounds>& bounds = column_.bounds;
    if (bounds && (column_.bins.front() < bounds->lower || column_.bins.back() > bounds->upper)) {
      return Error::schema(path("bins"), node.shown(),
                           fmt::format("must lie between lower and upper, {} and {}", in_words(bounds->lower), in_words(bounds->upper)),
                           "numbers outside of the bounds count as the nearer bound, so no bin beyond it has anybody");
    }
    Categories cells{data::bin_labels(column_.bins, column_.text.date), column_.bins.size() - 1, 0, 0};
    std::string missing = "missing";
    if (const SchemaNode* named = field("missing")) {
      TACET_CHECK(check_missing_cell(*named, {}));
      TACET_TRY(missing, text_of(*named, path("missing"), write("missing = \"missing\"")));
      if (contains(cells.labels, missing)) {
        return Error::schema(path("missing"), named->shown(), "is also the name of a bin, so two cells would have one name",
                             write("missing = \"missing\""));
      }
    }
    cells.other = cells.missing = cell(cells, missing);
    column_.categories = std::move(cells);
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
    Bounds bounds{{}, {}, Decimal(1), {}};
    for (const auto& [name, target] :
         {std::pair<std::string, Decimal*>{"lower", &bounds.lower}, {"upper", &bounds.upper}, {"resolution", &bounds.resolution}}) {
      const SchemaNode* const node = field(name);
      const bool step = name == "resolution";
      if (node == nullptr && step && column_.text.date) continue;  // days
      if (node == nullptr) {
        return Error::schema(path(name), "not written",
                             column_.text.date ? "a column of dates with bounds needs lower and upper"
                                               : "a column with bounds needs lower, upper and resolution",
                             write(name + " = ..."));
      }
      TACET_TRY(*target, step ? number_of(*node, path(name)) : value_of(*node, name));
    }
    if (bounds.lower >= bounds.upper) {
      return Error::schema(path("lower"), in_words(bounds.lower), "must be less than upper, which is " + in_words(bounds.upper),
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
    TACET_CHECK(read_missing_number(bounds));
    column_.bounds = std::move(bounds);
    return {};
  }

  Status read_missing_number(Bounds& bounds) const {
    const std::string name = missing_number();
    const SchemaNode* const node = field(name);
    const auto* text = node == nullptr ? nullptr : std::get_if<std::string>(&node->value);
    if (node == nullptr || (text != nullptr && *text == kLeftOut)) return {};
    Result<Decimal> value = value_of(*node, name);
    if (!value) {
      return Error::schema(path(name), node->shown(),
                           fmt::format("must be a {}, or \"{}\"", column_.text.date ? "date" : "number", kLeftOut),
                           write(fmt::format("{} = \"{}\"", name, kLeftOut)));
    }
    if (*value < bounds.lower || *value > bounds.upper) {
      return Error::schema(path(name), in_words(*value),
                           fmt::format("must lie between lower and upper, {} and {}", in_words(bounds.lower), in_words(bounds.upper)),
                           "a missing value counts as this number");
    }
    bounds.missing = *std::move(value);
    return {};
  }

  const SchemaNode::Table& fields_;
  kernel::Relation::Kind relation_;
  bool person_;
  std::string path_, header_;
  Column column_;
};

}  // namespace

Result<Column> read_column(const std::string& name, const SchemaNode::Table& fields, kernel::Relation::Kind relation, bool person) {
  return ColumnReader(name, fields, relation, person).read();
}

}  // namespace tacet::schemas
