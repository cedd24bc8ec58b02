#include "tacet/workflow/custody/create_budget.h"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/schemas/schema_text.h"
#include "tacet/workflow/dataset.h"

#include "service/desk.h"

namespace tacet {
namespace {

using test::Desk;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

data::Schema schema_of(const Desk& desk) { return *schemas::read_schema(desk.path("people.toml")); }

TEST(CreateBudget, SetsTotalSharesAndTermsInOneCall) {
  const Desk desk;
  const auto created =
      create_budget({.schema = schema_of(desk), .total = Rho(1), .shares = {{"ada", Rho(0.4)}}, .others = Rho(0.2)}, {.analyst = "cleo"});
  ASSERT_TRUE(created.ok()) << created.error().message();
  const BudgetSummary& budget = created->budget;
  EXPECT_EQ(budget.dataset, "people");
  EXPECT_EQ(budget.ledger, desk.path("people.ledger"));
  EXPECT_EQ(budget.custodian, "cleo");
  EXPECT_EQ(budget.rule, FilterRule::Zcdp);
  EXPECT_EQ(words(budget.total), "rho 1");
  ASSERT_EQ(budget.analysts.size(), 1U);
  EXPECT_EQ(words(*budget.analysts[0].share), "rho 0.4");
  EXPECT_EQ(words(budget.others->most), "rho 0.2");
  EXPECT_EQ(budget.asker.from, SpendsFrom::Others);
  EXPECT_THAT(created->warnings, ElementsAre());

  const auto dataset = Dataset::open(desk.path("people.ledger"), {.analyst = "ada"});
  ASSERT_TRUE(dataset.ok()) << dataset.error().message();
  const auto seen = dataset->budget();
  ASSERT_TRUE(seen.ok()) << seen.error().message();
  EXPECT_EQ(words(seen->asker.remaining), "rho 0.4");
}

TEST(CreateBudget, KeepsTheRuleItsSlackAndAnotherCustodian) {
  const Desk desk;
  const auto created = create_budget({.schema = schema_of(desk),
                                      .dataset = "second",
                                      .total = EpsilonDelta(1, "1e-6"),
                                      .rule = BudgetRule::Whitehouse,
                                      .slack = "2e-7",
                                      .custodian = "cleo"},
                                     {.analyst = "ada"});
  ASSERT_TRUE(created.ok()) << created.error().message();
  EXPECT_EQ(created->budget.dataset, "second");
  EXPECT_EQ(created->budget.slack->to_string(), "0.0000002");
  EXPECT_EQ(created->budget.custodian, "cleo");
  EXPECT_EQ(created->budget.asker.analyst, "ada");
}

TEST(CreateBudget, NeedsNoSchema) {
  const Desk desk;
  const auto created = create_budget(
      {.ledger = desk.path("a.ledger"), .dataset = "visits", .total = Mu(0.5), .neighbours = kernel::Relation::AddOrRemoveOne});
  ASSERT_TRUE(created.ok()) << created.error().message();
  EXPECT_EQ(created->budget.relation->kind(), kernel::Relation::AddOrRemoveOne);
}

TEST(CreateBudget, WarnsOfAFileThatIsNotThereYet) {
  const Desk desk;
  const auto created = create_budget({.schema = schema_of(desk), .total = Rho(1), .source = desk.path("later.csv")});
  ASSERT_TRUE(created.ok()) << created.error().message();
  EXPECT_THAT(created->warnings, ElementsAre("there is no file \"" + desk.path("later.csv") + "\" yet"));
}

TEST(CreateBudget, RefusedLeavesNoLedgerBehind) {
  const Desk desk;
  const data::Schema schema = schema_of(desk);
  const std::vector<std::pair<BudgetRequest, std::string>> cases = {
      {{.schema = schema},
       "privacy is missing, but must be exactly one of epsilon (with or without delta), rho, mu; for example: rho = 0.125"},
      {{.schema = schema, .total = Rho("some")}, "rho is some, but must be a finite decimal number greater than 0"},
      {{.schema = schema, .total = Rho(1), .shares = {{"ada", Mu(0.5)}}},
       "share is mu 0.5 for \"ada\", but must be in the currency of the budget, rho"},
      {{.schema = schema, .total = Rho(1), .shares = {{"ada", Rho(0.5)}}, .others = Epsilon(0.5)},
       "others is epsilon 0.5, but must be in the currency of the budget, rho"},
      {{.schema = schema, .total = Rho(1), .slack = 0.1},
       "slack is 0.1, but goes with the rule whitehouse only; leave it out, or add rule = whitehouse"},
      {{.schema = schema, .total = Rho(1), .neighbours = kernel::Relation::AddOrRemoveOne},
       "neighbours is add-or-remove-one, but must be what the schema says, replace-one; leave it out, or change the schema"},
      {{.schema = schema, .total = Rho(1), .again = " "},
       "again is \" \", but must say why: everybody can read it in the ledger; for example: again = \"the file was renamed\""}};
  for (const auto& [request, message] : cases) {
    const auto refused = create_budget(request);
    ASSERT_FALSE(refused.ok()) << message;
    EXPECT_EQ(refused.error().code(), Code::InvalidArgument);
    EXPECT_THAT(refused.error().message(), HasSubstr(message));
    EXPECT_FALSE(desk.has("people.ledger")) << message;
  }
}

TEST(CreateBudget, NeedsALedgerThatIsKept) {
  EXPECT_EQ(create_budget({.dataset = "people", .total = Rho(1)}).error().message(),
            "ledger is missing, but must be given by schema or by ledger; add schema = people.toml");
  EXPECT_EQ(create_budget({.ledger = ":memory:", .dataset = "people", .total = Rho(1)}).error().message(),
            "ledger is :memory:, but must be a file: a ledger in memory forgets what was spent; for example: ledger = people.ledger");
}

TEST(CreateBudget, KnowsAFileByAnyNameEvenIfOneIsNoText) {
  const test::Desk desk;
  const std::string odd = desk.path("\xFF.csv");
  std::filesystem::copy_file(desk.path("people.csv"), odd);
  const auto first = create_budget({.ledger = desk.path("a.ledger"), .dataset = "a", .total = Rho(1), .source = odd});
  ASSERT_TRUE(first.ok()) << first.error().message();
  std::filesystem::create_hard_link(odd, desk.path("link.csv"));
  const auto second = create_budget({.ledger = desk.path("b.ledger"), .dataset = "b", .total = Rho(1), .source = desk.path("link.csv")});
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().code(), Code::AlreadyExists);
}

TEST(CreateBudget, RefusesATableInMemoryWithoutAName) {
  const test::Desk desk;
  const auto created = create_budget({.ledger = desk.path("a.ledger"), .dataset = "a", .total = Rho(1), .source = "memory:"});
  ASSERT_FALSE(created.ok());
  EXPECT_THAT(created.error().message(), ::testing::HasSubstr("source is \"memory:\", but must be memory: and a name"));
}

}  // namespace
}  // namespace tacet
