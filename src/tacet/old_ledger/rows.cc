#include "tacet/old_ledger/rows.h"

#include <array>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace tacet::old_ledger {
namespace {

using sqlite::Database;
using sqlite::Rows;

constexpr const char* kRoll = "CREATE TABLE ledger (name TEXT NOT NULL, budgets INTEGER NOT NULL, budgets_hash TEXT NOT NULL) STRICT";
constexpr const char* kShare =
    "CREATE TABLE share (budget INTEGER NOT NULL, analyst TEXT NOT NULL, most TEXT NOT NULL, most_delta TEXT NOT NULL, "
    "PRIMARY KEY (budget, analyst)) STRICT, WITHOUT ROWID";
constexpr const char* kIndex = "CREATE INDEX entry_by_analyst ON entry (budget, analyst, number)";
using Tables = std::array<const char*, 6>;

constexpr Tables kPlainSums = {
    kRoll,
    "CREATE TABLE budget (id INTEGER PRIMARY KEY, dataset TEXT NOT NULL UNIQUE, currency TEXT NOT NULL, total TEXT NOT NULL, "
    "total_delta TEXT NOT NULL, created TEXT NOT NULL, origin_hash TEXT NOT NULL, spent TEXT NOT NULL, spent_delta TEXT NOT NULL, "
    "entries INTEGER NOT NULL, head_hash TEXT NOT NULL) STRICT",
    kShare,
    "CREATE TABLE analyst (budget INTEGER NOT NULL, analyst TEXT NOT NULL, spent TEXT NOT NULL, spent_delta TEXT NOT NULL, "
    "last_entry INTEGER NOT NULL, PRIMARY KEY (budget, analyst)) STRICT, WITHOUT ROWID",
    "CREATE TABLE entry (budget INTEGER NOT NULL, number INTEGER NOT NULL, analyst TEXT NOT NULL, statement TEXT NOT NULL, "
    "statement_hash TEXT NOT NULL, charged TEXT NOT NULL, charged_delta TEXT NOT NULL, spent TEXT NOT NULL, spent_delta TEXT NOT NULL, "
    "analyst_spent TEXT NOT NULL, analyst_spent_delta TEXT NOT NULL, time TEXT NOT NULL, clock_went_back INTEGER NOT NULL, "
    "previous_hash TEXT NOT NULL, entry_hash TEXT NOT NULL, UNIQUE (budget, number)) STRICT",
    kIndex};

constexpr Tables kFilterRules = {
    kRoll,
    "CREATE TABLE budget (id INTEGER PRIMARY KEY, dataset TEXT NOT NULL UNIQUE, neighbours TEXT NOT NULL, currency TEXT NOT NULL, "
    "rule TEXT NOT NULL, total TEXT NOT NULL, total_delta TEXT NOT NULL, slack TEXT NOT NULL, created TEXT NOT NULL, "
    "origin_hash TEXT NOT NULL, spent TEXT NOT NULL, spent_drift TEXT NOT NULL, spent_delta TEXT NOT NULL, "
    "entries INTEGER NOT NULL, head_hash TEXT NOT NULL) STRICT",
    kShare,
    "CREATE TABLE analyst (budget INTEGER NOT NULL, analyst TEXT NOT NULL, spent TEXT NOT NULL, spent_drift TEXT NOT NULL, "
    "spent_delta TEXT NOT NULL, last_entry INTEGER NOT NULL, PRIMARY KEY (budget, analyst)) STRICT, WITHOUT ROWID",
    "CREATE TABLE entry (budget INTEGER NOT NULL, number INTEGER NOT NULL, analyst TEXT NOT NULL, statement TEXT NOT NULL, "
    "statement_hash TEXT NOT NULL, loss TEXT NOT NULL, charged TEXT NOT NULL, charged_delta TEXT NOT NULL, spent TEXT NOT NULL, "
    "spent_drift TEXT NOT NULL, spent_delta TEXT NOT NULL, analyst_spent TEXT NOT NULL, analyst_spent_drift TEXT NOT NULL, "
    "analyst_spent_delta TEXT NOT NULL, time TEXT NOT NULL, clock_went_back INTEGER NOT NULL, "
    "previous_hash TEXT NOT NULL, entry_hash TEXT NOT NULL, UNIQUE (budget, number)) STRICT",
    kIndex};

// The columns in the order of the readers below; '' for those that format 1 does not have.
struct Queries {
  const char *budgets, *analysts, *entries;
};
constexpr Queries kOfPlainSums = {
    "SELECT id, dataset, '', currency, '', total, total_delta, '', created, origin_hash, spent, '', spent_delta, entries, head_hash "
    "FROM budget NOT INDEXED ORDER BY id",
    "SELECT analyst, spent, '', spent_delta, last_entry FROM analyst WHERE budget = ? ORDER BY analyst",
    "SELECT number, analyst, statement, statement_hash, '', charged, charged_delta, spent, '', spent_delta, analyst_spent, '', "
    "analyst_spent_delta, time, clock_went_back, previous_hash, entry_hash FROM entry WHERE budget = ? ORDER BY number"};
constexpr Queries kOfFilterRules = {
    "SELECT id, dataset, neighbours, currency, rule, total, total_delta, slack, created, origin_hash, spent, spent_drift, spent_delta, "
    "entries, head_hash FROM budget NOT INDEXED ORDER BY id",
    "SELECT analyst, spent, spent_drift, spent_delta, last_entry FROM analyst WHERE budget = ? ORDER BY analyst",
    "SELECT number, analyst, statement, statement_hash, loss, charged, charged_delta, spent, spent_drift, spent_delta, analyst_spent, "
    "analyst_spent_drift, analyst_spent_delta, time, clock_went_back, previous_hash, entry_hash FROM entry WHERE budget = ? "
    "ORDER BY number"};
constexpr const char* kShares = "SELECT analyst, most, most_delta FROM share WHERE budget = ? ORDER BY analyst";

AmountText amount_at(const Rows& rows, int column) { return {rows.text(column), rows.text(column + 1)}; }
TotalsText totals_at(const Rows& rows, int column) { return {rows.text(column), rows.text(column + 1), rows.text(column + 2)}; }

BudgetRow budget_from(const Rows& rows) {
  return {.id = rows.integer(0),
          .dataset = rows.text(1),
          .neighbours = rows.text(2),
          .currency = rows.text(3),
          .rule = rows.text(4),
          .total = amount_at(rows, 5),
          .slack = rows.text(7),
          .created = rows.text(8),
          .origin_hash = rows.text(9),
          .spent = totals_at(rows, 10),
          .entries = rows.integer(13),
          .head_hash = rows.text(14)};
}

EntryRow entry_from(const Rows& rows) {
  return {.number = rows.integer(0),
          .analyst = rows.text(1),
          .statement = rows.text(2),
          .statement_hash = rows.text(3),
          .loss = rows.text(4),
          .charged = amount_at(rows, 5),
          .spent = totals_at(rows, 7),
          .analyst_spent = totals_at(rows, 10),
          .time = rows.text(13),
          .clock_went_back = rows.integer(14),
          .previous_hash = rows.text(15),
          .entry_hash = rows.text(16)};
}

AnalystRow analyst_from(const Rows& rows) { return {.analyst = rows.text(0), .spent = totals_at(rows, 1), .last_entry = rows.integer(4)}; }
ShareRow share_from(const Rows& rows) { return {.analyst = rows.text(0), .most = amount_at(rows, 1)}; }

template <class Row>
Result<std::vector<Row>> all_rows(Rows rows, Row (*from)(const Rows&)) {
  std::vector<Row> result;
  while (true) {
    TACET_TRY(const bool found, rows.next());
    if (!found) return result;
    result.push_back(from(rows));
  }
}

Result<RollRow> read_roll(Database& database) {
  Rows rows(database, "SELECT name, budgets, budgets_hash FROM ledger");
  TACET_TRY(const bool found, rows.next());
  RollRow row = found ? RollRow{.name = rows.text(0), .budgets = rows.integer(1), .hash = rows.text(2)} : RollRow{};
  TACET_TRY(const bool second, rows.next());
  if (!found || second) return Error::of(Code::LedgerCorrupt, "the ledger does not say which ledger it is", "restore the newest backup");
  return row;
}

}  // namespace

Result<Format> format_of(Database& database, const std::string& path) {
  Rows rows(database, "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid");
  TACET_TRY(std::vector<std::string> found, all_rows(std::move(rows), +[](const Rows& row) { return row.text(0); }));
  if (!found.empty() && found.back() == kClosingTrigger) found.pop_back();
  const auto is = [&](const Tables& tables) { return found == std::vector<std::string>(tables.begin(), tables.end()); };
  if (is(kPlainSums)) return Format::PlainSums;
  if (is(kFilterRules)) return Format::FilterRules;
  return Error::of(Code::LedgerCorrupt, fmt::format("the tables of the ledger \"{}\" are not those that Tacet makes", path),
                   "it was damaged or edited; restore the newest backup");
}

Result<LedgerRows> read_rows(Database& database, Format format) {
  const Queries& queries = format == Format::PlainSums ? kOfPlainSums : kOfFilterRules;
  TACET_CHECK(database.run("BEGIN"));  // ends with the connection
  LedgerRows ledger;
  TACET_TRY(ledger.roll, read_roll(database));
  TACET_TRY(std::vector<BudgetRow> budgets, all_rows(Rows(database, queries.budgets), budget_from));
  for (BudgetRow& budget : budgets) {
    const std::int64_t id = budget.id;
    BudgetRows rows{.budget = std::move(budget), .shares = {}, .analysts = {}, .entries = {}};
    TACET_TRY(rows.shares, all_rows(Rows(database, kShares, id), share_from));
    TACET_TRY(rows.analysts, all_rows(Rows(database, queries.analysts, id), analyst_from));
    TACET_TRY(rows.entries, all_rows(Rows(database, queries.entries, id), entry_from));
    ledger.budgets.push_back(std::move(rows));
  }
  return ledger;
}

}  // namespace tacet::old_ledger
