#include "tacet/kernel/ledger_store.h"

#include <utility>

namespace tacet::kernel {
namespace {

using sqlite::Rows;
using sqlite::run;
using sqlite::Statement;

// The columns in the order in which the readers below take them.
#define TACET_BUDGET                                                                                                                   \
  "SELECT id, dataset, neighbours, currency, rule, total, total_delta, slack, created, origin_hash, spent, spent_drift, spent_delta, " \
  "entries, head_hash FROM budget "
#define TACET_ENTRY                                                                                                    \
  "SELECT number, analyst, statement, statement_hash, loss, charged, charged_delta, spent, spent_drift, spent_delta, " \
  "analyst_spent, analyst_spent_drift, analyst_spent_delta, time, clock_went_back, previous_hash, entry_hash FROM entry "
#define TACET_ANALYST "SELECT analyst, spent, spent_drift, spent_delta, last_entry FROM analyst "

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

template <class Row>
Result<std::optional<Row>> first(Rows& rows, Row (*from)(const Rows&)) {
  TACET_TRY(const bool found, rows.next());
  return found ? std::optional<Row>(from(rows)) : std::nullopt;
}

template <class Row>
Result<std::vector<Row>> all(Rows& rows, Row (*from)(const Rows&)) {
  std::vector<Row> result;
  while (true) {
    TACET_TRY(const bool found, rows.next());
    if (!found) return result;
    result.push_back(from(rows));
  }
}

Error no_row_changed() {
  return Error::of(Code::LedgerCorrupt, "the ledger did not take a change to a row that it had just shown", "restore the newest backup");
}

}  // namespace

LedgerStore::LedgerStore(sqlite::Database database)
    : database_(std::move(database)),
      begin_write_("BEGIN IMMEDIATE"),
      begin_read_("BEGIN"),
      commit_("COMMIT"),
      rollback_("ROLLBACK"),
      budget_(TACET_BUDGET "WHERE dataset = ?"),
      shares_("SELECT analyst, most, most_delta FROM share WHERE budget = ? ORDER BY analyst"),
      analyst_(TACET_ANALYST "WHERE budget = ? AND analyst = ?"),
      last_entry_(TACET_ENTRY "WHERE budget = ? ORDER BY number DESC LIMIT 1"),
      last_entry_of_(TACET_ENTRY "WHERE budget = ? AND analyst = ? ORDER BY number DESC LIMIT 1"),
      insert_entry_("INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"),
      update_budget_(
          "UPDATE budget SET spent = ?, spent_drift = ?, spent_delta = ?, entries = ?, head_hash = ? WHERE id = ? AND head_hash = ?"),
      update_analyst_(
          "INSERT INTO analyst VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (budget, analyst) DO UPDATE SET spent = excluded.spent, "
          "spent_drift = excluded.spent_drift, spent_delta = excluded.spent_delta, last_entry = excluded.last_entry") {}

Status LedgerStore::begin_write() { return run(database_, begin_write_); }
Status LedgerStore::begin_read() { return run(database_, begin_read_); }
Status LedgerStore::commit() { return run(database_, commit_); }

void LedgerStore::rollback() {
  // If even this fails, SQLite has already rolled back, or does so when the file is closed.
  if (database_.in_transaction()) (void)run(database_, rollback_);
}

Result<RollRow> LedgerStore::roll() {
  Statement statement("SELECT name, budgets, budgets_hash FROM ledger");
  Rows rows(database_, statement);
  TACET_TRY(const bool found, rows.next());
  RollRow row = found ? RollRow{.name = rows.text(0), .budgets = rows.integer(1), .hash = rows.text(2)} : RollRow{};
  TACET_TRY(const bool second, rows.next());
  if (!found || second) return Error::of(Code::LedgerCorrupt, "the ledger does not say which ledger it is", "restore the newest backup");
  return row;
}

Result<std::vector<BudgetRow>> LedgerStore::budgets() {
  Statement statement(TACET_BUDGET "NOT INDEXED ORDER BY id");
  Rows rows(database_, statement);
  return all(rows, budget_from);
}

Result<std::optional<BudgetRow>> LedgerStore::budget(const std::string& dataset) {
  Rows rows(database_, budget_, dataset);
  return first(rows, budget_from);
}

Result<std::vector<ShareRow>> LedgerStore::shares(std::int64_t budget) {
  Rows rows(database_, shares_, budget);
  return all(rows, +[](const Rows& row) { return ShareRow{.analyst = row.text(0), .most = amount_at(row, 1)}; });
}

Result<std::vector<AnalystRow>> LedgerStore::analysts(std::int64_t budget) {
  Statement statement(TACET_ANALYST "WHERE budget = ? ORDER BY analyst");
  Rows rows(database_, statement, budget);
  return all(rows, analyst_from);
}

Result<std::optional<AnalystRow>> LedgerStore::analyst(std::int64_t budget, const std::string& analyst) {
  Rows rows(database_, analyst_, budget, analyst);
  return first(rows, analyst_from);
}

Result<std::optional<EntryRow>> LedgerStore::last_entry(std::int64_t budget) {
  Rows rows(database_, last_entry_, budget);
  return first(rows, entry_from);
}

Result<std::optional<EntryRow>> LedgerStore::last_entry_of(std::int64_t budget, const std::string& analyst) {
  Rows rows(database_, last_entry_of_, budget, analyst);
  return first(rows, entry_from);
}

Result<std::optional<EntryRow>> LedgerStore::entry(std::int64_t budget, std::int64_t number) {
  Statement statement(TACET_ENTRY "WHERE budget = ? AND number = ?");
  Rows rows(database_, statement, budget, number);
  return first(rows, entry_from);
}

Result<std::vector<EntryRow>> LedgerStore::entries(std::int64_t budget) {
  Statement statement(TACET_ENTRY "WHERE budget = ? ORDER BY number");
  Rows rows(database_, statement, budget);
  return all(rows, entry_from);
}

Status LedgerStore::add_budget(const BudgetRow& budget, const std::vector<ShareRow>& shares, const RollRow& roll_after) {
  Statement insert_budget("INSERT INTO budget VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  Statement insert_share("INSERT INTO share VALUES (?, ?, ?, ?)");
  Statement update_roll("UPDATE ledger SET budgets = ?, budgets_hash = ? WHERE name = ?");
  TACET_CHECK(run(database_, insert_budget, budget.id, budget.dataset, budget.neighbours, budget.currency, budget.rule, budget.total.first,
                  budget.total.second, budget.slack, budget.created, budget.origin_hash, budget.spent.first, budget.spent.drift,
                  budget.spent.delta, budget.entries, budget.head_hash));
  for (const ShareRow& share : shares)
    TACET_CHECK(run(database_, insert_share, budget.id, share.analyst, share.most.first, share.most.second));
  TACET_CHECK(run(database_, update_roll, roll_after.budgets, roll_after.hash, roll_after.name));
  if (database_.changes() != 1) return no_row_changed();
  return {};
}

Status LedgerStore::add_entry(std::int64_t budget, const EntryRow& entry) {
  TACET_CHECK(run(database_, insert_entry_, budget, entry.number, entry.analyst, entry.statement, entry.statement_hash, entry.loss,
                  entry.charged.first, entry.charged.second, entry.spent.first, entry.spent.drift, entry.spent.delta,
                  entry.analyst_spent.first, entry.analyst_spent.drift, entry.analyst_spent.delta, entry.time, entry.clock_went_back,
                  entry.previous_hash, entry.entry_hash));
  TACET_CHECK(run(database_, update_budget_, entry.spent.first, entry.spent.drift, entry.spent.delta, entry.number, entry.entry_hash,
                  budget, entry.previous_hash));
  if (database_.changes() != 1) return no_row_changed();
  return run(database_, update_analyst_, budget, entry.analyst, entry.analyst_spent.first, entry.analyst_spent.drift,
             entry.analyst_spent.delta, entry.number);
}

}  // namespace tacet::kernel
