#include "tacet/workflow/dataset.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/schemas/schema_text.h"
#include "tacet/workflow/custody/create_budget.h"
#include "tacet/workflow/custody/ledger_summary.h"

#include "old_ledger/old_file.h"
#include "service/desk.h"

namespace tacet {
namespace {

using test::Desk;

TEST(Dataset, IsTheOnlyOneOfItsLedgerUnlessItIsNamed) {
  const Desk desk;
  const std::string ledger = desk.path("two.ledger");
  ASSERT_TRUE(create_budget({.ledger = ledger, .dataset = "people", .total = Rho(1)}).ok());
  EXPECT_EQ(Dataset::open(ledger)->place().dataset, "people");
  ASSERT_TRUE(create_budget({.ledger = ledger, .dataset = "visits", .total = Mu(1)}).ok());
  const auto either = Dataset::open(ledger);
  ASSERT_FALSE(either.ok());
  EXPECT_EQ(either.error().message(), "dataset is missing, but must be given: the ledger has 2 datasets; for example: dataset = people");
  EXPECT_EQ(words(Dataset::open({.ledger = ledger, .dataset = "visits"})->budget()->total), "mu 1");
}

TEST(Dataset, IsOpenedByAPlaceWrittenInBraces) {
  // Two texts could be the two ends of a string, which g++ 12 once took them for.
  const auto named = Dataset::open({.ledger = "a.ledger", .dataset = "b"}, {.analyst = "ada"});
  EXPECT_EQ(named.ok(), Dataset::open(DatasetPlace{.ledger = "a.ledger", .dataset = "b"}).ok());
  const auto read = Dataset::open({.ledger = "a.ledger", .data = "b.csv"}, {.analyst = "ada"});
  EXPECT_EQ(read.ok(), Dataset::open(DatasetPlace{.ledger = "a.ledger", .data = "b.csv"}).ok());
}

TEST(Dataset, IsNamedByItsSchema) {
  const Desk desk;
  const data::Schema schema = *schemas::read_schema(desk.path("people.toml"));
  const auto dataset = Dataset::open({.schema = schema});
  ASSERT_TRUE(dataset.ok()) << dataset.error().message();
  EXPECT_EQ(dataset->place().ledger, desk.path("people.ledger"));
  EXPECT_EQ(dataset->place().dataset, "people");
  EXPECT_EQ(dataset->budget().error().code(), Code::NotFound);
}

TEST(Dataset, HasNoEmptyNameThatMeansAnother) {
  const Desk desk;
  const data::Schema schema = *schemas::read_schema(desk.path("people.toml"));
  EXPECT_EQ(Dataset::open({.ledger = "", .schema = schema}).error().message(),
            "ledger is empty, but must be given by schema or by ledger; add schema = people.toml");
  EXPECT_EQ(Dataset::open({.dataset = "", .schema = schema}).error().message(),
            "dataset is empty, but must be given by schema or by dataset; add schema = people.toml");
  EXPECT_EQ(create_budget({.ledger = desk.path("new.ledger"), .total = Rho(1)}).error().message(),
            "dataset is missing, but must be given by schema or by dataset; add schema = people.toml");
}

TEST(LedgerSummary, HasEveryDatasetInTheOrderOfTheirBudgets) {
  const Desk desk;
  const std::string ledger = desk.path("two.ledger");
  ASSERT_TRUE(create_budget({.ledger = ledger, .dataset = "visits", .total = Mu(1), .shares = {{"ada", Mu(0.5)}}}).ok());
  ASSERT_TRUE(create_budget({.ledger = ledger, .dataset = "people", .total = Rho(1)}).ok());
  const auto summary = ledger_summary(ledger, {.analyst = "ada"});
  ASSERT_TRUE(summary.ok()) << summary.error().message();
  EXPECT_EQ(summary->format, kLedgerFormat);
  ASSERT_EQ(summary->datasets.size(), 2U);
  EXPECT_EQ(summary->datasets[0].dataset, "visits");
  EXPECT_EQ(summary->datasets[0].asker.from, SpendsFrom::Share);
  EXPECT_TRUE(summary->datasets[0].sealed);
  EXPECT_EQ(words(summary->datasets[1].remaining), "rho 1");
  EXPECT_EQ(ledger_summary(desk.path("none.ledger")).error().code(), Code::NotFound);
}

TEST(LedgerSummary, OfAnOlderFormatSaysWhatThatFormatKnows) {
  for (const int format : {1, 2}) {
    const Desk desk;
    testing::make_old_ledger(desk.path("old.ledger"), format);
    const auto summary = ledger_summary(desk.path("old.ledger"));
    ASSERT_TRUE(summary.ok()) << summary.error().message();
    EXPECT_EQ(summary->format, format);
    ASSERT_FALSE(summary->datasets.empty());
    EXPECT_FALSE(summary->datasets[0].sealed);
    EXPECT_EQ(summary->datasets[0].relation.has_value(), format == 2) << "format 1 wrote no relation down";
  }
}

}  // namespace
}  // namespace tacet
