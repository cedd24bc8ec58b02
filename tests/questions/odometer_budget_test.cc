#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/accounting/zcdp_odometer.h"
#include "tacet/schemas/schema_text.h"
#include "tacet/workflow/custody/create_budget.h"
#include "tacet/workflow/dataset.h"

#include "service/desk.h"

namespace tacet::odometer_budget_test {
namespace {

using test::Desk;
using ::testing::HasSubstr;

data::Schema schema_of(const Desk& desk) { return *schemas::read_schema(desk.path("people.toml")); }

TEST(OdometerBudget, HasNoLimitAndAReadingThatHoldsAtEveryMoment) {
  const Desk desk;
  const auto created = create_budget({.schema = schema_of(desk), .rule = BudgetRule::Odometer}, desk.context);
  ASSERT_TRUE(created.ok()) << created.error().message();
  EXPECT_TRUE(created->budget.unlimited());
  EXPECT_EQ(created->budget.counted_by(), BudgetRule::Odometer);
  EXPECT_EQ(created->budget.reading->epsilon, 0);
  for (int i = 1; i <= 3; ++i) {
    ASSERT_TRUE(desk.release({{"rho", "5"}, {"out", "r" + std::to_string(i) + ".json"}}).ok());
    const BudgetSummary budget = *Dataset::open(desk.path("people.ledger"), desk.context)->budget();
    EXPECT_NEAR(budget.spent.amount.first.approximate(), 5 * i, 1e-9);
    EXPECT_EQ(budget.reading->epsilon, *accounting::zcdp_odometer(5 * i, kReadingDelta * (1 - 1e-15)));
    EXPECT_EQ(budget.reading->delta, kReadingDelta);
  }
  EXPECT_THAT(desk.said, HasSubstr("Charged: rho 5. Given away so far: epsilon "));
  // Laplace noise and a pure epsilon are read in the same way.
  ASSERT_TRUE(desk.release({{"mechanism", "laplace"}, {"rho", nullptr}, {"epsilon", "0.5"}, {"out", "l.json"}}).ok());
  const std::string words = desk.budget_words("show");
  EXPECT_THAT(words,
              HasSubstr("The budget of \"people\" has no limit (odometer: adaptive releases without a limit; losses add up in rho)"));
  EXPECT_THAT(words, HasSubstr("this holds at any moment (odometer)"));
  EXPECT_EQ(desk.budget("show")->at("rule"), "odometer");
}

TEST(OdometerBudget, TakesNoAmountAndOthersNeedOne) {
  const Desk desk;
  EXPECT_THAT(create_budget({.schema = schema_of(desk), .total = Rho(1), .rule = BudgetRule::Odometer}).error().message(),
              HasSubstr("rule is odometer, but goes without an amount"));
  EXPECT_THAT(desk.budget("create", {{"rule", "odometer"}, {"epsilon", "1"}}).error().message(), HasSubstr("goes without an amount"));
  EXPECT_THAT(desk.budget("create", {{"rule", "zcdp"}}).error().message(), HasSubstr("privacy is missing"));
  EXPECT_FALSE(desk.has("people.ledger"));
  ASSERT_TRUE(desk.budget("create", {{"rule", "odometer"}, {"share", "ada=2"}}).ok());
  EXPECT_FALSE(desk.release({{"rho", "3"}}).ok());
}

}  // namespace
}  // namespace tacet::odometer_budget_test
