#include "tacet/workflow/kept_ledger.h"

#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/kernel/custody/custody.h"
#include "tacet/kernel/ledger/seal.h"
#include "tacet/privacy/parameters.h"
#include "tacet/schemas/schema_text.h"
#include "tacet/workflow/custody/budget_history.h"
#include "tacet/workflow/custody/create_budget.h"
#include "tacet/workflow/release/release_counts.h"

#include "service/desk.h"

namespace tacet::kept_ledger_test {
namespace {

namespace fs = std::filesystem;

class KeptLedgerTest : public ::testing::Test {
 protected:
  KeptLedgerTest() {
    EXPECT_TRUE(create_budget({.schema = *schemas::read_schema(desk_.path("people.toml")), .total = Rho(1)}, desk_.context).ok());
  }
  std::string path() const { return desk_.path("people.ledger"); }
  void charge() const {
    kernel::Ledger other = *kernel::Ledger::open(path());
    ASSERT_TRUE(other
                    .charge({.dataset = "people",
                             .analyst = "eve",
                             .statement = "{}",
                             .relation = kernel::Relation::ReplaceOne,
                             .loss = privacy::gaussian_loss_from_rho(*privacy::Rho::parse("0.001"))})
                    .ok());
  }
  /// A letter of the first record, in which nothing is left as it was written.
  void damage() const {
    std::string text = desk_.read("people.ledger");
    text[text.find("replace-one")] = 'R';
    desk_.write("people.ledger", text);
  }
  Dataset people() const { return *Dataset::open({.ledger = path(), .data = desk_.path("people.csv")}, desk_.context); }
  test::Desk desk_;
  KeptLedger kept_;
};

TEST_F(KeptLedgerTest, ReadsOnlyWhatIsNew) {
  kernel::Custody first = *kept_.take(path());
  EXPECT_TRUE((*first.entries("people"))->empty());
  charge();
  EXPECT_EQ((*first.entries("people"))->size(), 1U);
  kept_.keep(std::move(first));
  charge();
  const kernel::Custody again = *kept_.take(path());
  ASSERT_EQ((*again.entries("people"))->size(), 2U);
  const auto anew = *kernel::Custody::open(path())->history("people");
  const auto grown = *again.history("people");
  for (std::size_t i = 0; i < grown.size(); ++i) {
    EXPECT_EQ(grown[i].entry_hash, anew[i].entry_hash);
    EXPECT_EQ(grown[i].spent_after.first.to_string(), anew[i].spent_after.first.to_string());
  }
  EXPECT_FALSE(again.entries("nobody").ok());
}

// What was read before is read again by whoever opens the ledger, which then sees the damage.
TEST_F(KeptLedgerTest, DamageIsSeenByEveryOpeningAndAfterEveryFailure) {
  kept_.keep(*kept_.take(path()));
  damage();
  EXPECT_EQ(kernel::Custody::open(path()).error().code(), Code::LedgerCorrupt);
  EXPECT_TRUE(kept_.take(path()).ok()) << "it was read before";
  EXPECT_EQ(kept_.take(path()).error().code(), Code::LedgerCorrupt) << "nobody gave it back";
}

TEST_F(KeptLedgerTest, IsOpenedAnewIfItsFileOrItsKeyIsAnother) {
  kept_.keep(*kept_.take(path()));
  EXPECT_FALSE(kept_.take(desk_.path("other.ledger")).ok());
  kept_.keep(*kept_.take(path()));
  fs::copy_file(path(), desk_.path("copy"));
  fs::rename(desk_.path("copy"), path());
  damage();
  EXPECT_EQ(kept_.take(path()).error().code(), Code::LedgerCorrupt);
}

TEST_F(KeptLedgerTest, IsOpenedAnewIfItsKeyIsGone) {
  kernel::Custody ledger = *kept_.take(path());
  const std::string key = kernel::Seal::path_of(kernel::Seal::usual_folder(), ledger.name());
  EXPECT_TRUE(ledger.is_still_at(path()));
  fs::rename(key, key + ".away");
  EXPECT_FALSE(ledger.is_still_at(path()));
  fs::rename(key + ".away", key);
  EXPECT_TRUE(ledger.is_still_at(path()));
}

TEST_F(KeptLedgerTest, IsOpenedAnewAfterAFork) {
  kept_.keep(*kept_.take(path()));
  const pid_t child = ::fork();
  if (child == 0) {
    const auto ledger = kept_.take(path());
    ::_exit(ledger.ok() && ledger->entries("people").ok() ? 0 : 1);
  }
  int status = 1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE((*kept_.take(path())->entries("people"))->empty());
}

TEST_F(KeptLedgerTest, ReleasesOfOneDatasetSeeWhatOthersCharge) {
  const Dataset own = people();
  ASSERT_TRUE(release_counts(own, {.by = {"sex"}, .loss = Rho("0.5")}).ok());
  const Dataset other = people();
  ASSERT_TRUE(release_counts(other, {.by = {"sex"}, .loss = Rho("0.4")}).ok());
  const auto late = release_counts(own, {.by = {"plan"}, .loss = Rho("0.2")});
  ASSERT_FALSE(late.ok());
  EXPECT_EQ(late.error().code(), Code::BudgetExhausted);
  const auto last = release_counts(own, {.by = {"sex"}, .loss = Rho("0.05")});
  ASSERT_TRUE(last.ok()) << last.error().message();
  EXPECT_EQ(budget_history(own)->entries.size(), 3U);
}

}  // namespace
}  // namespace tacet::kept_ledger_test
