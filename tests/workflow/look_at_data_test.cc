#include "tacet/workflow/custody/look_at_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/schemas/schema_text.h"
#include "tacet/workflow/custody/create_budget.h"

#include "service/desk.h"

namespace tacet {
namespace {

using test::Desk;
using ::testing::Contains;

data::Schema schema_at(const Desk& desk) { return *schemas::read_schema(desk.path("people.toml")); }

TEST(LookAtData, CountsWithTheTermsOrBeforeThereAreAny) {
  const Desk desk;
  const Dataset people = *Dataset::open({.schema = schema_at(desk), .data = desk.path("people.csv")}, {.analyst = "cleo"});
  for (const bool budget : {false, true}) {
    ASSERT_TRUE(!budget || create_budget({.schema = schema_at(desk), .total = Rho(1)}, {.analyst = "cleo"}).ok());
    const auto look = look_at_data(people);
    ASSERT_TRUE(look.ok()) << look.error().message();
    ASSERT_EQ(look->profile.columns.size(), 3U);
    EXPECT_EQ(look->profile.rows, 5);
    EXPECT_EQ(look->profile.columns[1].missing, 1);
    EXPECT_EQ(look->profile.columns[2].numbers->not_numbers, 1);
    EXPECT_THAT(look->advice, Contains("column \"age\": 1 row (20 %) is no number and counts as missing: \"x\" once"));
  }
}

TEST(LookAtData, LooksAtRowsInMemory) {
  const Desk desk;
  const std::vector<std::string_view> sexes{"f", "m", "x", " "}, plans{"basic", "plus", "gold", "gold"};
  const std::vector<double> ages{1, 130, -2, 50};
  const auto table = *MemoryTable::of_columns("look", {{"sex", std::span(sexes)}, {"plan", std::span(plans)}, {"age", std::span(ages)}});
  const auto look = look_at_data(*Dataset::open({.schema = schema_at(desk), .data = table}));
  ASSERT_TRUE(look.ok()) << look.error().message();
  EXPECT_EQ(look->profile.columns[0].other, 1);
  EXPECT_EQ(look->profile.columns[0].missing, 1);
  EXPECT_EQ(look->profile.columns[1].other, 2);
  EXPECT_EQ(look->profile.columns[2].numbers->below, 1);
  EXPECT_EQ(look->profile.columns[2].numbers->above, 1);
}

TEST(LookAtData, NeedsSomethingToLookAt) {
  const Desk desk;
  EXPECT_EQ(look_at_data(*Dataset::open({.schema = schema_at(desk)})).error().code(), Code::NotFound);
  EXPECT_EQ(look_at_data(*Dataset::open({.schema = schema_at(desk), .data = desk.path("none.csv")})).error().code(), Code::NotFound);
}

}  // namespace
}  // namespace tacet
