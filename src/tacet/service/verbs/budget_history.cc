#include "tacet/workflow/custody/budget_history.h"

#include <fmt/format.h>

#include "tacet/mechanisms/json_file.h"
#include "tacet/report/text_table.h"
#include "tacet/service/all_verbs.h"
#include "tacet/service/budget_answer.h"
#include "tacet/service/place_fields.h"
#include "tacet/workflow/amount_words.h"

namespace tacet::service::budget_history_verb {
namespace {

Result<BudgetHistory> run(const PlaceFields& request, const Context& context) {
  TACET_TRY(const Dataset dataset, open_dataset(request, context));
  return budget_history(dataset);
}

AnswerTable<HistoryEntry> entry_table() {
  return AnswerTable<HistoryEntry>()
      .value("entry", &HistoryEntry::number, "its number, from 1")
      .value("kind", &HistoryEntry::kind, "what it is")
      .value("release_hash", &HistoryEntry::release_hash, "the hash of the file that was written for it; null if none was")
      .value("time", &HistoryEntry::time, "when, UTC")
      .value("analyst", &HistoryEntry::analyst, "who asked; the custodian of an amendment")
      .value("charged", &HistoryEntry::charged, "what was charged")
      .value(
          "charged_words", [](const HistoryEntry& entry) { return entry.charged_words.value_or("nothing"); }, "the same in words")
      .value("spent_after", &HistoryEntry::spent_after, "what was spent in all, up to here")
      .value(
          "spent_after_words", [](const HistoryEntry& entry) { return words(entry.spent_after, AmountIs::Spent); }, "the same in words")
      .value("statement", &HistoryEntry::statement, "what was asked for; the reason of an amendment")
      .value("statement_hash", &HistoryEntry::statement_hash, "the hash of the statement")
      .value("entry_hash", &HistoryEntry::entry_hash, "chains over all earlier entries")
      .value("clock_went_back", &HistoryEntry::clock_went_back, "whether the clock stood before that of the entry before it");
}

/// All names, or if they are many the first of them: "ldl, hdl, glucose and 4 more".
std::string names_words(const Json& names) {
  constexpr std::size_t kMostNames = 4;
  const std::size_t shown = names.size() <= kMostNames ? names.size() : kMostNames - 1;
  std::string words;
  for (std::size_t i = 0; i < shown; ++i)
    words += (i == 0 ? "" : ", ") + (names[i].is_string() ? names[i].get<std::string>() : dump(names[i]));
  return shown == names.size() ? words : fmt::format("{} and {} more", words, names.size() - shown);
}

/// What an entry paid for, in short: "counts by smoking, disease (gaussian)", "mean of ldl by
/// smoking where age >= 40 (k-norm)", "counts of rows by site (gaussian)". Other texts are shown as they are, cut to a line. JSON is not cut, because
/// half of it says nothing.
std::string statement_words(const std::string& statement) {
  constexpr std::size_t kMostLetters = 80;
  const auto read = mechanisms::parse_json(statement, "statement", "text");
  const Json parsed = read && read->is_object() ? *read : Json::object();
  const Json kind = parsed.value("release", Json());
  const Json columns = parsed.value("columns", Json());
  const Json by = parsed.value("by", Json());
  const Json group = parsed.value("group_by", Json());
  // A query has Gaussian noise, whatever it is of.
  const Json mechanism = parsed.value("mechanism", kind == "query" ? Json("gaussian") : Json());
  if (kind.is_string()) {
    std::string words = kind.get<std::string>();
    const Json column = parsed.value("column", Json());
    const Json where = parsed.value("where", Json());
    if (columns.is_array()) words += " of " + names_words(columns);
    if (column.is_string()) words += " of " + column.get<std::string>();
    if (parsed.value("count", Json()) == "rows") words += column.is_string() ? ", of rows" : " of rows";
    if (by.is_array()) words += " by " + names_words(by);
    if (group.is_string()) words += " by " + group.get<std::string>();
    if (where.is_string()) words += " where " + where.get<std::string>();
    return mechanism.is_string() ? fmt::format("{} ({})", words, mechanism.get<std::string>()) : words;
  }
  if (statement.size() <= kMostLetters) return statement;
  return parsed.empty() ? statement.substr(0, kMostLetters) + "..." : "a long statement, which --json shows";
}

std::string entry_words(const HistoryEntry& entry) {
  std::string what = statement_words(entry.statement);
  switch (entry.kind) {
    case EntryKind::FailedScan: return "the data could not be read: " + what;
    case EntryKind::Amendment: return "the terms were amended: " + what;
    case EntryKind::Charge: break;
  }
  return what;
}

std::string words(const BudgetHistory& history) {
  if (history.entries.empty()) return "Nothing has been charged yet.\n";
  report::TextTable table({"entry", "when", "who", "charged", "spent in all", "what"});
  for (const HistoryEntry& entry : history.entries) {
    table.add({fmt::format("{}", entry.number), entry.time + (entry.clock_went_back ? " (clock went back)" : ""), entry.analyst,
               short_amounts(entry.charged_words.value_or("nothing")), words(entry.spent_after, AmountIs::Spent), entry_words(entry)});
  }
  return table.render() +
         (history.sealed
              ? "Every entry agrees with the chain of hashes and with the custodian's key.\n"
              : "Every entry agrees with the chain of hashes. The custodian's key is not here, so forged entries cannot be detected.\n");
}

}  // namespace

Verb make() {
  return verb<PlaceFields, BudgetHistory>(
      {.name = "budget history",
       .summary = "Every charge: who, what, how much and when; verifies the chain of hashes",
       .example = "tacet budget history --schema patients.toml",
       .library = LibraryFunction{"budget_history", "tacet/workflow/custody/budget_history.h"},
       .request = place_table(),
       .answer = AnswerTable<BudgetHistory>()
                     .value("dataset", &BudgetHistory::dataset, "the dataset")
                     .value("ledger", &BudgetHistory::ledger, "the path of its ledger")
                     .value("currency", &BudgetHistory::currency, "how privacy is counted")
                     .value("rule", &BudgetHistory::rule, "the filter rule by which losses combine")
                     .value(
                         "verified", [](const BudgetHistory&) { return true; }, "true: a ledger that contradicts itself is refused")
                     .value("sealed", &BudgetHistory::sealed, "whether every entry was checked with the custodian's key")
                     .value(
                         "format", [](const BudgetHistory& history) { return static_cast<std::uint64_t>(history.format); },
                         "the format of the ledger")
                     .list("entries", &BudgetHistory::entries, entry_table(), "oldest first"),
       .run = run,
       .words = words});
}

}  // namespace tacet::service::budget_history_verb
