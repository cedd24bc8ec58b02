#include "tacet/service/terms_answer.h"

#include <cstdint>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "tacet/base/text.h"
#include "tacet/data/canonical_schema.h"
#include "tacet/report/text_table.h"
#include "tacet/schemas/words.h"
#include "tacet/service/budget_answer.h"

namespace tacet::service {
namespace {

using data::Column;
using data::CsvDialect;

std::optional<std::string> character(const std::optional<char>& c) { return c ? std::optional(std::string(1, *c)) : std::nullopt; }
std::optional<std::string> delimiter_of(const CsvDialect& csv) { return character(csv.delimiter); }
std::optional<std::string> quote_of(const CsvDialect& csv) { return character(csv.quote); }
std::optional<std::string> escape_of(const CsvDialect& csv) { return character(csv.escape ? csv.escape : csv.quote); }

AnswerTable<CsvDialect> csv_table() {
  return AnswerTable<CsvDialect>()
      .value("delimiter", delimiter_of, "what separates the fields; null: a comma, or a tab in .tsv files")
      .value("quote", quote_of, "the quote; null where quotes are ordinary characters")
      .value("escape", escape_of, "what stands before a quote inside quotes; null where there are none")
      .value("header", &CsvDialect::header, "whether the first line holds the names of the columns")
      .value("line_breaks_in_quotes", &CsvDialect::line_breaks_in_quotes, "whether fields in quotes may hold line breaks");
}

using Text = std::optional<std::string>;

/// The cell of a column with categories.
Text label(const Column& column, std::size_t data::Categories::* cell) {
  return column.categories ? Text(column.categories->labels[(*column.categories).*cell]) : std::nullopt;
}
/// The bound of a column with bounds.
Text decimal(const Column& column, Decimal data::Bounds::* bound) {
  return column.bounds ? Text(((*column.bounds).*bound).to_string()) : std::nullopt;
}
/// The value of a missing number in sums; nothing: it is left out, or there are no sums.
Text missing_number_of(const Column& column) {
  return column.bounds && column.bounds->missing ? Text(column.bounds->missing->to_string()) : std::nullopt;
}
Text missing_of(const Column& column) { return column.categories ? label(column, &data::Categories::missing) : missing_number_of(column); }
/// A field that is shown only where it is unusual.
Text unless_empty(const std::string& text) { return text.empty() ? std::nullopt : Text(text); }
std::vector<std::string> edges_of(const Column& column) {
  std::vector<std::string> edges;
  for (const Decimal& edge : column.bins) edges.push_back(edge.to_string());
  return edges;
}
kernel::Membership membership_of(const Column& column) {
  return column.public_membership ? kernel::Membership::Public : kernel::Membership::Private;
}

AnswerTable<Column> column_table() {
  using Texts = std::optional<std::vector<std::string>>;
  return AnswerTable<Column>()
      .value("name", &Column::name, "the column")
      .value("membership", membership_of, "whether it is public who is in which category")
      .value(
          "categories", [](const Column& c) { return c.categories ? Texts(c.categories->labels) : std::nullopt; },
          "the cells; left out without categories")
      .unless_null()
      .value(
          "other", [](const Column& c) { return label(c, &data::Categories::other); }, "the cell of undeclared values")
      .unless_null()
      .value("missing", missing_of, "what a missing value counts as; left out where nothing is declared")
      .unless_null()
      .value(
          "missing_number", [](const Column& c) { return c.categories ? missing_number_of(c) : std::nullopt; },
          "of a column with cells and bounds: what a missing number counts as in sums")
      .unless_null()
      .value(
          "bins", [](const Column& c) { return c.bins.empty() ? std::nullopt : Texts(edges_of(c)); },
          "the edges of the cells of numbers; left out without bins")
      .unless_null()
      .value(
          "lower", [](const Column& c) { return decimal(c, &data::Bounds::lower); }, "the lower bound; left out without bounds")
      .unless_null()
      .value(
          "upper", [](const Column& c) { return decimal(c, &data::Bounds::upper); }, "the upper bound")
      .unless_null()
      .value(
          "resolution", [](const Column& c) { return decimal(c, &data::Bounds::resolution); }, "the step to which values are rounded")
      .unless_null()
      .value(
          "missing_values", [](const Column& c) { return c.missing_values.empty() ? std::nullopt : Texts(c.missing_values); },
          "texts that mean missing, beside an empty field; left out where there are none")
      .unless_null()
      .value(
          "thousands", [](const Column& c) { return character(c.text.thousands); }, "what separates thousands; left out if nothing does")
      .unless_null()
      .value(
          "decimal", [](const Column& c) { return c.text.decimal == '.' ? std::nullopt : character(c.text.decimal); },
          "what stands before decimals; left out if a point does")
      .unless_null()
      .value(
          "unit", [](const Column& c) { return unless_empty(c.text.unit); }, "what may follow a number; left out if nothing may")
      .unless_null()
      .value(
          "date", [](const Column& c) { return c.text.date ? std::optional(true) : std::nullopt; },
          "true for dates, whose numbers are the days since 1970-01-01; left out otherwise")
      .unless_null();
}

struct ShownShare {
  std::string analyst;
  BudgetAmount most;
};

std::vector<ShownShare> shares_of(const DatasetTerms& t) {
  std::vector<ShownShare> shown;
  for (const kernel::Share& share : t.terms.shares()) shown.push_back({share.analyst, {t.terms.declared().budget.currency, share.limit}});
  return shown;
}

AnswerTable<ShownShare> share_table() {
  return AnswerTable<ShownShare>()
      .value("analyst", &ShownShare::analyst, "the analyst")
      .value("most", &ShownShare::most, "what the analyst may spend in all")
      .value("words", [](const ShownShare& share) { return words(share.most); }, "the same in words");
}

const kernel::Declaration& declared(const DatasetTerms& t) { return t.terms.declared(); }

std::optional<data::Contributions> contributions_of(const DatasetTerms& t) { return t.schema ? t.schema->contributions : std::nullopt; }

std::string neighbours_of(const DatasetTerms& t) { return schemas::neighbour_words(declared(t).relation, contributions_of(t)); }

AnswerTable<data::Contributions> contributions_table() {
  using data::Contributions;
  return AnswerTable<Contributions>()
      .value("person", &Contributions::person, "the column that names the person")
      .value(
          "rows", [](const Contributions& c) { return static_cast<std::uint64_t>(c.rows); },
          "rows of one person that count at most, in each group if there is a limit of groups")
      .value(
          "groups", [](const Contributions& c) { return c.groups ? std::optional(static_cast<std::uint64_t>(*c.groups)) : std::nullopt; },
          "groups of one person that count at most; null without such a limit")
      .value("words", [](const Contributions& c) { return schemas::contribution_words(c); }, "the same in words");
}

BudgetAmount total_of(const DatasetTerms& t) { return {declared(t).budget.currency, declared(t).budget.total}; }

std::optional<BudgetAmount> others_of(const DatasetTerms& t) {
  if (!declared(t).others) return std::nullopt;
  return BudgetAmount{declared(t).budget.currency, *declared(t).others};
}

std::string joined(const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& text : texts) {
    const std::string written = report::printable(text);
    out += (out.empty() ? "" : ", ") + (written.empty() ? "\"\"" : written);
  }
  return out;
}

/// The unusual properties of CSV files, and always the delimiter.
std::string csv_words(const CsvDialect& csv) {
  std::string out = csv.delimiter ? "fields are separated by " + in_quotes(*delimiter_of(csv))
                                  : "fields are separated by a comma (in .tsv files by a tab)";
  if (!csv.quote) out += ", quotes are ordinary characters";
  if (csv.quote && csv.quote != '"') out += ", the quote is " + in_quotes(*quote_of(csv));
  if (csv.escape && csv.escape != csv.quote) out += ", quotes are escaped by " + in_quotes(*escape_of(csv));
  if (!csv.header) out += ", there is no header line";
  if (csv.line_breaks_in_quotes) out += ", fields in quotes may hold line breaks";
  return out;
}

/// Parts of a cell of the table below.
void also(std::string& words, const std::string& more) { words += (words.empty() ? "" : "; ") + more; }

std::string number_form_words(const data::NumberText& text) {
  std::string out = text.thousands ? fmt::format("{} between thousands", in_quotes(std::string(1, *text.thousands))) : "";
  if (text.decimal != '.') also(out, fmt::format("{} before decimals", in_quotes(std::string(1, text.decimal))));
  if (!text.unit.empty()) also(out, "in " + text.unit);
  return out;
}

/// What is declared, and how undeclared and missing values count.
struct ColumnWords {
  std::string values, other, missing;
};

ColumnWords words_of(const Column& column) {
  ColumnWords words;
  const bool date = column.text.date, bins = !column.bins.empty();
  const auto shown = [&](const Decimal& number) { return data::number_text(number, date); };
  if (bins) {
    std::string edges;
    for (const Decimal& edge : column.bins) edges += (edges.empty() ? "" : ", ") + shown(edge);
    words = {"bins " + edges, column.bounds ? "missing, or the nearest bin or bound" : "missing, or the nearest bin", {}};
  } else if (column.categories) {
    words = {joined(column.categories->labels), *label(column, &data::Categories::other), {}};
  }
  if (column.categories) words.missing = *label(column, &data::Categories::missing);
  if (column.bounds) {
    const data::Bounds& bounds = *column.bounds;
    also(words.values, fmt::format("{} to {} in steps of {}{}", shown(bounds.lower), shown(bounds.upper), bounds.resolution.to_string(),
                                   date ? " days" : ""));
    if (!bins) also(words.other, "missing, or the nearer bound");
    also(words.missing, bounds.missing ? (column.categories ? "in sums " : "") + shown(*bounds.missing) : "left out of sums");
  }
  if (!column.text.usual() && !date) also(words.values, number_form_words(column.text));
  return words;
}

std::string columns_words(const std::vector<Column>& columns, const std::string& person) {
  report::TextTable table({"column", "declared", "other values count as", "missing ones as", "what is missing", "membership"});
  for (const Column& column : columns) {
    const bool declared = column.categories || column.bounds;
    const std::string absent = column.missing_values.empty() ? "empty" : "empty, " + joined(column.missing_values);
    const auto [values, other, missing] = words_of(column);
    table.add({column.name,
               declared                ? values
               : column.name == person ? "names the person"
                                       : "no categories or bounds, so it cannot be published",
               other, missing, declared ? absent : "", std::string(name(membership_of(column)))});
  }
  return table.render();
}

}  // namespace

AnswerTable<DatasetTerms> terms_table() {
  return AnswerTable<DatasetTerms>()
      .value(
          "dataset", [](const DatasetTerms& t) { return t.terms.dataset(); }, "the dataset")
      .value("ledger", &DatasetTerms::ledger, "the path of its ledger")
      .value(
          "origin_hash", [](const DatasetTerms& t) { return t.terms.origin_hash(); }, "the hash of the record that created the budget")
      .value(
          "custodian", [](const DatasetTerms& t) { return declared(t).custodian; }, "who may amend the terms")
      .value(
          "neighbours", [](const DatasetTerms& t) { return declared(t).relation.kind(); }, "the neighbour relation")
      .value("neighbours_words", neighbours_of, "the same in words")
      .value(
          "public_columns", [](const DatasetTerms& t) { return declared(t).relation.public_columns(); },
          "columns whose values neighbours share")
      .object("contributions", contributions_of, contributions_table(),
              "what one person may contribute; null where every row is another person")
      .value("budget", total_of, "the budget")
      .value(
          "budget_words", [](const DatasetTerms& t) { return words(total_of(t)); }, "the same in words")
      .value(
          "rule", [](const DatasetTerms& t) { return declared(t).rule; }, "the filter rule by which losses combine")
      .list("shares", shares_of, share_table(), "what analysts may spend at most")
      .value("others", others_of, "what all without a share may spend together; null without such a limit")
      .value(
          "others_words", [](const DatasetTerms& t) { return others_of(t) ? Text(words(*others_of(t))) : std::nullopt; },
          "the same in words")
      .value(
          "idealised", [](const DatasetTerms& t) { return declared(t).idealised; },
          "whether mechanisms may be charged that are proven in real arithmetic only")
      .value(
          "source", [](const DatasetTerms& t) { return unless_empty(declared(t).source); },
          "where the rows are; null until the first release")
      .value(
          "again", [](const DatasetTerms& t) { return unless_empty(declared(t).again); },
          "why there is a second budget for the same source; null where there is none")
      .json(
          "schema",
          [](const DatasetTerms& t) {
            return t.schema ? Json::parse(declared(t).schema, nullptr, /*allow_exceptions=*/false) : Json(nullptr);
          },
          {{"type", {"object", "null"}}}, "the schema as the ledger keeps it; null without one")
      .object(
          "csv", [](const DatasetTerms& t) { return t.schema ? std::optional(t.schema->csv) : std::nullopt; }, csv_table(),
          "how CSV files are read; null without a schema")
      .list(
          "columns", [](const DatasetTerms& t) { return t.schema ? t.schema->columns : std::vector<Column>(); }, column_table(),
          "the declared columns");
}

std::string terms_words(const DatasetTerms& terms) {
  const kernel::Declaration& said = declared(terms);
  std::string out = fmt::format("The terms of \"{}\", declared by {}:\n", terms.terms.dataset(),
                                said.custodian.empty() ? "an unnamed custodian" : said.custodian);
  out += fmt::format("  budget      {} (rule {})\n", words(total_of(terms)), name(said.rule));
  for (const ShownShare& share : shares_of(terms)) out += fmt::format("  share       {}: at most {}\n", share.analyst, words(share.most));
  if (!terms.terms.shares().empty()) {
    const std::optional<BudgetAmount> others = others_of(terms);
    out += others ? fmt::format("  others      at most {} for all without a share together\n", words(*others))
                  : "  others      analysts without a share can spend nothing\n";
  }
  out += fmt::format("  neighbours  {}\n", neighbours_of(terms));
  if (const auto people = contributions_of(terms))
    out += fmt::format("  one person  {}\n", report::printable(schemas::contribution_words(people)));
  out += fmt::format("  source      {}\n", said.source.empty() ? "that of the first release" : said.source);
  if (terms.schema) out += fmt::format("  csv         {}\n", csv_words(terms.schema->csv));
  out += fmt::format("  mechanisms  {}\n", said.idealised ? "exact and idealised" : "exact only");
  if (terms.schema && !terms.schema->columns.empty())
    out += columns_words(terms.schema->columns, contributions_of(terms) ? contributions_of(terms)->person : "");
  return out;
}

std::string warning_words(const std::vector<std::string>& warnings) {
  std::string out;
  for (const std::string& warning : warnings) out += fmt::format("Beware: {}.\n", report::printable(warning));
  return out;
}

}  // namespace tacet::service
