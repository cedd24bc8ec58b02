// Old ledgers by somebody who hashes everything anew: every sum is derived again from the losses.
#include "tacet/old_ledger/chain.h"

#include <functional>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/exact/fixed_decimal.h"
#include "tacet/privacy/parameters.h"

#include "kernel/ledger_requests.h"
#include "support/spend.h"

namespace tacet::old_ledger {
namespace {

using testing::epsilon_delta_loss;
using testing::epsilon_loss;
using ::testing::HasSubstr;

/// A history of three charges by rogers, which has every total, and the means to forge it: hashes
/// that agree with whatever is written.
struct Forged {
  BudgetRows rows;

  Forged() {
    BudgetRow& budget = rows.budget;
    budget.id = 1;
    budget.dataset = "patients";
    budget.neighbours = "replace-one";
    budget.currency = "epsilon-delta";
    budget.rule = "rogers";
    budget.total = {"1", "0.000001"};
    budget.slack = "0";
    budget.created = "2026-01-01T00:00:00Z";
    privacy::Filter filter = *privacy::rogers_filter(*privacy::Epsilon::parse("1"), *privacy::Delta::parse("1e-6"));
    struct Charge {
      privacy::Loss loss;
      const char* kind;
      AmountText charged;
    };
    for (const Charge& charge : {Charge{epsilon_loss("0.01"), "pure", {"0.01", "0"}},
                                 Charge{epsilon_delta_loss("0.02", "1e-8"), "approximate", {"0.02", "0.00000001"}},
                                 Charge{epsilon_loss("0.03"), "pure", {"0.03", "0"}}}) {
      EntryRow entry;
      entry.loss = charge.kind;
      entry.charged = charge.charged;
      entry.number = static_cast<std::int64_t>(rows.entries.size()) + 1;
      entry.analyst = "ada";
      entry.statement = "counts by sex";
      entry.statement_hash = statement_hash(entry.statement);
      entry.time = "2026-01-01T00:00:00Z";
      EXPECT_EQ(*test::spend(filter, privacy::Step::of(charge.loss)), privacy::Verdict::Go);
      const privacy::Filter::Totals totals = filter.totals();
      const auto digits = [](const mpz_class& units) { return exact::FixedDecimal::of_units(units).to_string(); };
      entry.spent = entry.analyst_spent = {digits(totals.first), digits(totals.drift), digits(totals.delta)};
      rows.entries.push_back(std::move(entry));
    }
    rows.analysts.push_back({.analyst = "ada", .spent = rows.entries.back().spent, .last_entry = 3});
  }

  /// As a careful forger: every hash anew.
  Result<OldDataset> check() {
    BudgetRow& budget = rows.budget;
    budget.origin_hash = origin_hash(Format::FilterRules, "ledger", budget, {});
    std::string previous = budget.origin_hash;
    for (EntryRow& entry : rows.entries) {
      entry.previous_hash = previous;
      entry.entry_hash = previous = entry_hash(Format::FilterRules, entry);
    }
    budget.head_hash = previous;
    budget.entries = rows.entries.back().number;
    budget.spent = rows.entries.back().spent;
    return check_budget(Format::FilterRules, "ledger", rows);
  }
};

TEST(OldChain, UnforgedHistoryIsRight) {
  Forged forged;
  const auto checked = forged.check();
  EXPECT_TRUE(checked.ok()) << (checked.ok() ? "" : checked.error().message());
}

TEST(OldChain, EverySumIsDerivedAgainFromTheLosses) {
  using Change = std::function<void(BudgetRows&)>;
  const std::vector<std::pair<const char*, Change>> changes = {
      {"the sums of entry 2", [](BudgetRows& f) { f.entries[1].charged.first = "0.002"; }},
      {"the sums of entry 2", [](BudgetRows& f) { f.entries[1].charged.second = "0"; }},
      {"the sums of entry 3", [](BudgetRows& f) { f.entries[2].loss = "approximate", f.entries[2].charged.second = "0.0000001"; }},
      {"the loss of entry 1 cannot be counted", [](BudgetRows& f) { f.entries[0].loss = "gaussian"; }},
      {"the loss of entry 1 cannot be counted", [](BudgetRows& f) { f.entries[0].loss = "free"; }},
      {"the loss of entry 1 cannot be counted", [](BudgetRows& f) { f.entries[0].charged.first = "-0.01"; }},
      {"the loss of entry 1 cannot be counted", [](BudgetRows& f) { f.entries[0].charged.first = "0"; }},
      {"the loss of entry 1 cannot be counted", [](BudgetRows& f) { f.entries[0].charged.first = "0.010"; }},
      {"the loss of entry 1 cannot be counted", [](BudgetRows& f) { f.entries[0].charged.first = ""; }},
      {"the sums of entry 2", [](BudgetRows& f) { f.entries[1].spent.first = f.entries[0].spent.first; }},
      {"the sums of entry 2", [](BudgetRows& f) { f.entries[1].spent.drift = f.entries[0].spent.drift; }},
      {"the sums of entry 2", [](BudgetRows& f) { f.entries[1].spent.delta = "0"; }},
      {"the sums of entry 2", [](BudgetRows& f) { f.entries[1].analyst_spent.drift = "0"; }},
      {"the sums of entry 3", [](BudgetRows& f) { f.entries.back().spent.drift = "0"; }},
      {"the sums of entry 2", [](BudgetRows& f) { f.entries[1].analyst = "ben"; }},
      {"what each analyst spent", [](BudgetRows& f) { f.analysts[0].spent.drift = "0"; }},
      {"is missing", [](BudgetRows& f) { f.entries.erase(f.entries.begin() + 1); }},
      {"more was spent than its total", [](BudgetRows& f) { f.budget.total.first = "0.001"; }},
      {"the sums of entry 1", [](BudgetRows& f) { f.budget.rule = "basic"; }},
      {"none that its rule can keep", [](BudgetRows& f) { f.budget.rule = "zcdp"; }},
      {"none that its rule can keep", [](BudgetRows& f) { f.budget.slack = "0.0000001"; }},
      {"unknown", [](BudgetRows& f) { f.budget.rule = "golden"; }},
      {"unknown", [](BudgetRows& f) { f.budget.neighbours = "cousins"; }},
      {"unknown", [](BudgetRows& f) { f.budget.currency = "gold"; }},
  };
  for (const auto& [finding, change] : changes) {
    Forged forged;
    change(forged.rows);
    const auto checked = forged.check();
    ASSERT_FALSE(checked.ok()) << finding;
    EXPECT_EQ(checked.error().code(), Code::LedgerCorrupt);
    EXPECT_THAT(checked.error().message(), HasSubstr(finding));
  }
}

}  // namespace
}  // namespace tacet::old_ledger
