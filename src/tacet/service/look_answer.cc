#include "tacet/service/look_answer.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tacet/report/text_table.h"
#include "tacet/schemas/profile/advice.h"

namespace tacet::service {
namespace {

using schemas::ColumnProfile;
using schemas::DialectProfile;
using schemas::NumberProfile;
using schemas::PeopleProfile;
using schemas::TextCount;
using schemas::UnusedCategory;

std::uint64_t natural(std::int64_t count) { return static_cast<std::uint64_t>(std::max<std::int64_t>(count, 0)); }

/// A column, with the number of rows that its shares are of.
struct LookedColumn {
  ColumnProfile column;
  std::int64_t rows;
};
using Count = std::optional<std::int64_t>;
using CountOf = std::function<Count(const ColumnProfile&)>;

CountOf of_numbers(std::int64_t NumberProfile::* member) {
  return [member](const ColumnProfile& column) { return column.numbers ? Count((*column.numbers).*member) : Count(); };
}

/// The columns of the table for people, and the fields: name, heading, meaning.
struct CountField {
  const char *name, *heading, *meaning;
  CountOf of;
};
const std::vector<CountField>& count_fields() {
  static const std::vector<CountField> all{
      {"missing", "missing", "rows that are empty, NULL or one of missing_values", [](const ColumnProfile& c) { return Count(c.missing); }},
      {"other", "other", "rows with no declared category; null without categories", [](const ColumnProfile& c) { return c.other; }},
      {"not_numbers", "not read", "rows that are no number or date as declared; null without bounds and bins",
       of_numbers(&NumberProfile::not_numbers)},
      {"below", "below", "rows below the lower bound, which count as it", of_numbers(&NumberProfile::below)},
      {"above", "above", "rows above the upper bound, which count as it", of_numbers(&NumberProfile::above)},
      {"outside_bins", "outside bins", "rows before the first or after the last edge of the bins; null without bins",
       [](const ColumnProfile& c) { return c.numbers ? c.numbers->outside_bins : Count(); }}};
  return all;
}

std::optional<double> share_of(const Count& count, std::int64_t rows) {
  if (!count || rows <= 0) return std::nullopt;
  return static_cast<double>(*count) / static_cast<double>(rows);
}

AnswerTable<TextCount> text_table() {
  return AnswerTable<TextCount>()
      .value("text", &TextCount::text, "the text, at most 80 bytes of it")
      .value("rows", [](const TextCount& one) { return natural(one.rows); }, "the rows that have it");
}

AnswerTable<LookedColumn> looked_table() {
  AnswerTable<LookedColumn> table;
  table.value(
           "column", [](const LookedColumn& looked) { return looked.column.name; }, "its name")
      .value("readable", [](const LookedColumn& looked) { return looked.column.readable; }, "false if its values cannot be read");
  for (const CountField& field : count_fields()) {
    table.value(
        field.name,
        [of = field.of](const LookedColumn& looked) {
          const Count count = of(looked.column);
          return count ? std::optional(natural(*count)) : std::nullopt;
        },
        field.meaning);
    table.value(
        fmt::format("{}_share", field.name),
        [of = field.of](const LookedColumn& looked) { return share_of(of(looked.column), looked.rows); },
        "the same as a share of all rows; null without rows");
  }
  return table
      .list(
          "unused", [](const LookedColumn& looked) { return looked.column.unused; },
          AnswerTable<UnusedCategory>()
              .value("category", &UnusedCategory::category, "a declared category that is in no row")
              .object("instead", &UnusedCategory::instead, text_table(), "an undeclared text that may be meant; null without one"),
          "categories that never occur")
      .list(
          "undeclared", [](const LookedColumn& looked) { return looked.column.undeclared; }, text_table(),
          "the most frequent texts that count as `other`")
      .list(
          "unread",
          [](const LookedColumn& looked) { return looked.column.numbers ? looked.column.numbers->texts : std::vector<TextCount>(); },
          text_table(), "the most frequent texts that are no number or date");
}

AnswerTable<PeopleProfile> people_table() {
  const auto count = [](std::int64_t PeopleProfile::* member) {
    return [member](const PeopleProfile& people) { return natural(people.*member); };
  };
  return AnswerTable<PeopleProfile>()
      .value("people", count(&PeopleProfile::people), "the number of people")
      .value("over", count(&PeopleProfile::over), "people with more rows than the limit")
      .value("dropped", count(&PeopleProfile::dropped), "rows beyond the limit; at least so many, if there is a limit of groups")
      .value("nameless", count(&PeopleProfile::nameless), "rows that name nobody, and are dropped")
      .value("most_rows", count(&PeopleProfile::most_rows), "the most rows of one person");
}

AnswerTable<DialectProfile> dialect_table() {
  const auto text = [](const std::optional<char>& c) {
    return c ? std::optional(*c == '\0' ? std::string() : std::string(1, *c)) : std::nullopt;
  };
  return AnswerTable<DialectProfile>()
      .value("byte_order_mark", &DialectProfile::byte_order_mark, "whether the file begins with one; it is skipped")
      .value("utf16", &DialectProfile::utf16, "whether the file is written in UTF-16, which cannot be read")
      .value(
          "delimiter", [text](const DialectProfile& dialect) { return text(dialect.delimiter); }, "a better delimiter; null: as declared")
      .value(
          "quote", [text](const DialectProfile& dialect) { return text(dialect.quote); },
          "a better quote, \"\" for none; null: as declared")
      .value("line_breaks_in_quotes", &DialectProfile::line_breaks_in_quotes, "whether fields in quotes seem to hold line breaks")
      .value("header", &DialectProfile::header, "whether the first line seems to be names; null: as declared");
}

}  // namespace

AnswerTable<DataLook> look_table() {
  return AnswerTable<DataLook>()
      .value(
          "rows", [](const DataLook& look) { return natural(look.profile.rows); }, "the number of rows")
      .value(
          "misfits", [](const DataLook& look) { return natural(look.profile.misfits); }, "lines of a CSV file of which nothing can be read")
      .list(
          "columns",
          [](const DataLook& look) {
            std::vector<LookedColumn> columns;
            for (const ColumnProfile& column : look.profile.columns) columns.push_back({column, look.profile.rows});
            return columns;
          },
          looked_table(), "the declared columns")
      .object(
          "people", [](const DataLook& look) { return look.profile.people; }, people_table(), "rows per person; null without contributions")
      .object(
          "csv", [](const DataLook& look) { return look.profile.dialect; }, dialect_table(),
          "how a CSV file seems to be written; null for other sources")
      .value("advice", &DataLook::advice, "what to look at, in words that quote data");
}

std::string look_words(const DataLook& look) {
  std::string out = fmt::format("{} row{}.\n", schemas::grouped(look.profile.rows), look.profile.rows == 1 ? "" : "s");
  // Only what some column can have.
  std::vector<CountField> shown;
  for (const CountField& field : count_fields()) {
    const auto has = [&](const ColumnProfile& column) { return field.of(column).has_value(); };
    if (std::any_of(look.profile.columns.begin(), look.profile.columns.end(), has)) shown.push_back(field);
  }
  if (!look.profile.columns.empty()) {
    std::vector<std::string> header{"column"};
    for (const CountField& field : shown) header.emplace_back(field.heading);
    report::TextTable table(std::move(header));
    for (const ColumnProfile& column : look.profile.columns) {
      std::vector<std::string> row{column.name};
      for (const CountField& field : shown) {
        const Count count = field.of(column);
        row.push_back(!column.readable || !count ? "" : *count == 0 ? "0" : schemas::with_share(*count, look.profile.rows));
      }
      table.add(std::move(row));
    }
    out += table.render();
  }
  if (const auto& people = look.profile.people) {
    out += fmt::format("{} people; {} with more rows than the limit; {} rows dropped.\n", schemas::grouped(people->people),
                       schemas::with_share(people->over, people->people),
                       schemas::with_share(people->dropped + people->nameless, look.profile.rows));
  }
  if (look.advice.empty()) return out + "Every row is as declared.\n";
  out += "Look at:\n";
  for (const std::string& sentence : look.advice) out += fmt::format("* {}\n", report::printable(sentence));
  return out;
}

}  // namespace tacet::service
