#include "tacet/workflow/custody/budget_history.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/kernel/ledger/ledger.h"
#include "tacet/privacy/parameters.h"
#include "tacet/schemas/schema_text.h"
#include "tacet/workflow/custody/create_budget.h"

#include "service/desk.h"

namespace tacet {
namespace {

using test::Desk;

class History : public ::testing::Test {
 protected:
  History() { EXPECT_TRUE(create_budget({.schema = schema, .total = Rho(1)}, {.analyst = "cleo"}).ok()); }
  kernel::ChargeRequest request(const std::string& rho) const {
    return {.dataset = "people",
            .analyst = "ada",
            .statement = R"({"release":"counts"})",
            .relation = kernel::Relation::ReplaceOne,
            .loss = privacy::gaussian_loss_from_rho(*privacy::Rho::parse(rho))};
  }
  Result<BudgetHistory> history() const { return budget_history(*Dataset::open({.schema = schema})); }
  Desk desk;
  data::Schema schema = *schemas::read_schema(desk.path("people.toml"));
};

TEST_F(History, HasEveryChargeWithWhatWasSpentUpToIt) {
  EXPECT_TRUE(history()->entries.empty());
  auto ledger = *kernel::Ledger::open(desk.path("people.ledger"));
  const auto grant = ledger.charge(request("0.125"));
  ASSERT_TRUE(grant.ok()) << grant.error().message();
  ASSERT_TRUE(ledger.record_published(grant->receipt(), std::string(64, 'a')).ok());
  ASSERT_TRUE(ledger.charge(request("0.25")).ok());
  ASSERT_TRUE(ledger.record_failed_scan(request("0.5")).ok());

  const auto read = history();
  ASSERT_TRUE(read.ok()) << read.error().message();
  EXPECT_EQ(read->dataset, "people");
  EXPECT_EQ(read->currency, privacy::Currency::Zcdp);
  EXPECT_TRUE(read->sealed);
  ASSERT_EQ(read->entries.size(), 3U);
  const HistoryEntry& first = read->entries[0];
  EXPECT_EQ(first.number, 1U);
  EXPECT_EQ(first.kind, EntryKind::Charge);
  EXPECT_EQ(first.analyst, "ada");
  EXPECT_EQ(first.entry_hash, grant->receipt().entry_hash);
  EXPECT_EQ(first.release_hash, std::string(64, 'a'));
  EXPECT_EQ(first.charged_words, "rho 0.125");
  EXPECT_EQ(read->entries[1].release_hash, std::nullopt);
  EXPECT_EQ(words(read->entries[1].spent_after), "rho 0.375");
  EXPECT_EQ(read->entries[2].kind, EntryKind::FailedScan);
  EXPECT_EQ(read->entries[2].charged_words, std::nullopt);
  EXPECT_EQ(words(read->entries[2].charged), "rho 0");
}

TEST_F(History, OfALedgerThatWasEditedIsRefused) {
  ASSERT_TRUE(kernel::Ledger::open(desk.path("people.ledger"))->charge(request("0.125")).ok());
  std::string text = desk.read("people.ledger");
  const std::size_t name = text.find("\"ada\"");
  ASSERT_NE(name, std::string::npos);
  desk.write("people.ledger", text.replace(name, 5, "\"eve\""));
  EXPECT_EQ(history().error().code(), Code::LedgerCorrupt);
}

}  // namespace
}  // namespace tacet
