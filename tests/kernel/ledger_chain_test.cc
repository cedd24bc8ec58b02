#include "tacet/kernel/ledger_chain.h"

#include <functional>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernel/ledger_requests.h"

namespace tacet::kernel {
namespace {

using testing::decimal;
using testing::epsilon_delta_loss;
using testing::epsilon_loss;
using ::testing::HasSubstr;

/// A history of three charges by rogers, which has every total, and the means to forge it: hashes that agree with whatever is written.
struct Forged {
  BudgetRow budget;
  std::vector<EntryRow> entries;
  std::vector<AnalystRow> analysts;

  Forged() {
    budget.id = 1;
    budget.dataset = "patients";
    budget.neighbours = "replace-one";
    budget.currency = "epsilon-delta";
    budget.rule = "rogers";
    budget.total = to_text({decimal("1"), decimal("1e-6")});
    budget.slack = "0";
    budget.created = "2026-01-01T00:00:00Z";
    privacy::Filter filter = *privacy::Filter::rogers(*privacy::Epsilon::parse("1"), *privacy::Delta::parse("1e-6"));
    const privacy::Loss losses[] = {epsilon_loss("0.01"), epsilon_delta_loss("0.02", "1e-8"), epsilon_loss("0.03")};
    for (const privacy::Loss& loss : losses) {
      EntryRow entry;
      entry.number = static_cast<std::int64_t>(entries.size()) + 1;
      entry.analyst = "ada";
      entry.statement = "counts by sex";
      entry.statement_hash = statement_hash(entry.statement);
      entry.time = "2026-01-01T00:00:00Z";
      write_loss(loss, entry);
      EXPECT_EQ(*filter.spend(privacy::Step::of(loss)), privacy::Verdict::Go);
      entry.spent = entry.analyst_spent = to_text(filter.totals());
      entries.push_back(std::move(entry));
    }
    analysts.push_back({.analyst = "ada", .spent = entries.back().spent, .last_entry = 3});
  }

  /// As a careful forger: every hash anew.
  Status check() {
    budget.origin_hash = origin_hash("ledger", budget, {});
    std::string previous = budget.origin_hash;
    for (EntryRow& entry : entries) {
      entry.previous_hash = previous;
      entry.entry_hash = previous = entry_hash(entry);
    }
    budget.head_hash = previous;
    budget.entries = entries.back().number;
    budget.spent = entries.back().spent;
    TACET_TRY(const Standing standing, check_standing("ledger", budget, {}, entries.back()));
    return check_history(budget, standing, analysts, entries);
  }
};

TEST(LedgerChain, UnforgedHistoryIsRight) {
  Forged forged;
  const Status checked = forged.check();
  EXPECT_TRUE(checked.ok()) << (checked.ok() ? "" : checked.error().message());
}

TEST(LedgerChain, EverySumIsDerivedAgainFromTheLosses) {
  using Change = std::function<void(Forged&)>;
  const std::vector<std::pair<const char*, Change>> changes = {
      {"the sums of entry 2", [](Forged& f) { f.entries[1].charged.first = "0.002"; }},
      {"the sums of entry 2", [](Forged& f) { f.entries[1].charged.second = "0"; }},
      {"the sums of entry 3", [](Forged& f) { f.entries[2].loss = "approximate", f.entries[2].charged.second = "0.0000001"; }},
      {"the loss of entry 1 cannot be counted", [](Forged& f) { f.entries[0].loss = "gaussian"; }},
      {"the loss of entry 1 cannot be counted", [](Forged& f) { f.entries[0].loss = "free"; }},
      {"the loss of entry 1 cannot be counted", [](Forged& f) { f.entries[0].charged.first = "-0.01"; }},
      {"the sums of entry 2", [](Forged& f) { f.entries[1].spent.first = f.entries[0].spent.first; }},
      {"the sums of entry 2", [](Forged& f) { f.entries[1].spent.drift = f.entries[0].spent.drift; }},
      {"the sums of entry 2", [](Forged& f) { f.entries[1].spent.delta = "0"; }},
      {"the sums of entry 2", [](Forged& f) { f.entries[1].analyst_spent.drift = "0"; }},
      {"the sums of entry 3", [](Forged& f) { f.entries.back().spent.drift = "0"; }},
      {"the sums of entry 2", [](Forged& f) { f.entries[1].analyst = "ben"; }},
      {"what each analyst spent", [](Forged& f) { f.analysts[0].spent.drift = "0"; }},
      {"is missing", [](Forged& f) { f.entries.erase(f.entries.begin() + 1); }},
      {"more was spent than its total", [](Forged& f) { f.budget.total.first = "0.001"; }},
      {"the sums of entry 1", [](Forged& f) { f.budget.rule = "basic"; }},
      {"none that its rule can keep", [](Forged& f) { f.budget.rule = "zcdp"; }},
      {"none that its rule can keep", [](Forged& f) { f.budget.slack = "0.0000001"; }},
      {"unknown", [](Forged& f) { f.budget.rule = "golden"; }},
      {"unknown", [](Forged& f) { f.budget.neighbours = "cousins"; }},
  };
  for (const auto& [finding, change] : changes) {
    Forged forged;
    change(forged);
    const Status checked = forged.check();
    ASSERT_FALSE(checked.ok()) << finding;
    EXPECT_EQ(checked.error().code(), Code::LedgerCorrupt);
    EXPECT_THAT(checked.error().message(), HasSubstr(finding));
  }
}

TEST(LedgerChain, OriginCoversEveryTermOfABudget) {
  const Forged forged;
  const std::string before = origin_hash("ledger", forged.budget, {});
  const std::vector<std::function<void(BudgetRow&)>> changes = {[](BudgetRow& row) { row.dataset = "p"; },
                                                                [](BudgetRow& row) { row.neighbours = "p"; },
                                                                [](BudgetRow& row) { row.currency = "p"; },
                                                                [](BudgetRow& row) { row.rule = "p"; },
                                                                [](BudgetRow& row) { row.total.first = "2"; },
                                                                [](BudgetRow& row) { row.total.second = "2"; },
                                                                [](BudgetRow& row) { row.slack = "2"; },
                                                                [](BudgetRow& row) { row.created = "p"; },
                                                                [](BudgetRow& row) { row.id = 2; }};
  for (const auto& change : changes) {
    BudgetRow row = forged.budget;
    change(row);
    EXPECT_NE(origin_hash("ledger", row, {}), before);
  }
}

TEST(LedgerChain, TextsOfTotalsAreReadBackOnlyAsTheyWereWritten) {
  EXPECT_TRUE(to_totals({"0.5", "0", "0.0000001"}).ok());
  for (const char* wrong : {"0.50", "-1", "unlimited", "", "1e-3", "x", "1e-41"}) {
    EXPECT_EQ(to_totals({wrong, "0", "0"}).error().code(), Code::LedgerCorrupt) << wrong;
    EXPECT_EQ(to_totals({"0", wrong, "0"}).error().code(), Code::LedgerCorrupt) << wrong;
    EXPECT_EQ(to_totals({"0", "0", wrong}).error().code(), Code::LedgerCorrupt) << wrong;
  }
}

}  // namespace
}  // namespace tacet::kernel
