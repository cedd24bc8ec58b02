#include "tacet/workflow/custody/adopt_dataset.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/schemas/schema_text.h"
#include "tacet/workflow/custody/budget_history.h"

#include "old_ledger/old_file.h"
#include "service/desk.h"

namespace tacet {
namespace {

using test::Desk;
using ::testing::Contains;
using ::testing::HasSubstr;

class AdoptDataset : public ::testing::Test {
 protected:
  AdoptDataset() { testing::make_old_ledger(desk.path("old.ledger"), 2); }
  AdoptRequest request() const { return {.schema = schema, .dataset = "patients", .from = desk.path("old.ledger")}; }
  Desk desk;
  data::Schema schema = *schemas::read_schema(desk.path("people.toml"));
};

TEST_F(AdoptDataset, GoesOnWithTheBudgetAndTheEntriesOfTheOldLedger) {
  const Dataset old = *Dataset::open({.ledger = desk.path("old.ledger"), .dataset = "patients"});
  const BudgetSummary before = *old.budget();
  AdoptRequest asked = request();
  asked.others = Rho(0.5);
  const auto adopted = adopt_dataset(asked, {.analyst = "cleo"});
  ASSERT_TRUE(adopted.ok()) << adopted.error().message();
  EXPECT_EQ(adopted->budget.custodian, "cleo");
  EXPECT_EQ(words(adopted->budget.total), words(before.total));
  EXPECT_EQ(words(adopted->budget.spent), words(before.spent));
  EXPECT_EQ(words(adopted->budget.others->most), "rho 0.5");
  EXPECT_EQ(adopted->adopted_from.format, 2);
  EXPECT_EQ(adopted->adopted_from.ledger, desk.path("old.ledger"));
  EXPECT_THAT(adopted->not_adopted_yet, Contains("clinics"));
  const auto history = budget_history(*Dataset::open(desk.path("people.ledger")));
  ASSERT_TRUE(history.ok()) << history.error().message();
  EXPECT_EQ(history->entries.size(), budget_history(old)->entries.size());
  EXPECT_EQ(history->entries.back().entry_hash, adopted->adopted_from.last_hash);
}

TEST_F(AdoptDataset, RefusedClosesNothing) {
  const auto refusal = [](const AdoptRequest& asked) { return adopt_dataset(asked).error().message(); };
  AdoptRequest other = request();
  other.others = Mu(0.5);
  EXPECT_EQ(refusal(other), "others is mu 0.5, but must be in the currency of the budget, rho");
  AdoptRequest unknown = request();
  unknown.dataset = "nobody";
  EXPECT_THAT(refusal(unknown), HasSubstr("has no budget for the dataset \"nobody\"; it has: \"patients\""));
  AdoptRequest itself = request();
  itself.ledger = itself.from;
  EXPECT_EQ(refusal(itself), "ledger is \"" + itself.from +
                                 "\", but must be a new file beside the old ledger; move the old one first: mv " + itself.from + " " +
                                 itself.from + ".old, then from = " + itself.from + ".old");
  AdoptRequest neighbours = request();
  neighbours.schema.relation = kernel::Relation::AddOrRemoveOne;
  EXPECT_THAT(refusal(neighbours), HasSubstr("neighbours is add-or-remove-one, but must be replace-one, as in the old ledger"));
  AdoptRequest people = request();
  people.schema.contributions = {"sex", 2, {}};
  EXPECT_EQ(
      refusal(people),
      "contributions is at most 2 rows, named by sex, but must not be declared: the old ledger was charged, and each row was a person; "
      "leave contributions out of the schema, or make a new dataset with a budget of its own");
  EXPECT_FALSE(desk.has("people.ledger"));
  EXPECT_TRUE(adopt_dataset(request()).ok());
}

}  // namespace
}  // namespace tacet
