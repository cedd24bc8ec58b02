#include "tacet/service/terms_answer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "service/desk.h"

namespace tacet::service {
namespace {

using test::Desk;
using ::testing::ContainsRegex;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const char* const kVisits = R"(tacet = 1
dataset = "people"
ledger = "people.ledger"
contributions = { person = "patient", rows = 3 }
[columns.patient]
[columns.note]
[columns.age]
lower = 0
upper = 120
resolution = 1
bins = [0, 18, 120]
missing_number = 40
[columns.parity]
categories = [0, 1]
lower = 0
upper = 9
resolution = 1
missing_number = "left out"
[columns.born]
date = true
lower = 1900-01-01
upper = 2020-12-31
missing = 1970-01-01
[columns.dose]
lower = 0
upper = 1000
resolution = 0.5
missing = "left out"
thousands = "."
decimal = ","
unit = "mg"
[columns.rent]
bins = [0, 500]
missing = "unknown"
)";

class Visits : public ::testing::Test {
 protected:
  Visits() {
    desk.write("people.toml", kVisits);
    EXPECT_TRUE(desk.budget("create", {{"rho", 1}}).ok());
  }
  Desk desk;
};

TEST_F(Visits, AreShownWithWhatOnePersonContributes) {
  const Json shown = *desk.call("dataset show", {{"schema", desk.path("people.toml")}});
  EXPECT_EQ(shown.at("neighbours"), "replace-one");
  EXPECT_EQ(shown.at("neighbours_words"), "replace-one (one person, with all their rows)");
  EXPECT_EQ(shown.at("contributions"),
            (Json{{"person", "patient"}, {"rows", 3}, {"groups", nullptr}, {"words", "at most 3 rows, named by patient"}}));
  EXPECT_THAT(desk.said, HasSubstr("  neighbours  replace-one (one person, with all their rows)\n"
                                   "  one person  at most 3 rows, named by patient\n"));
  EXPECT_THAT(desk.said, ContainsRegex("patient +names the person +private\n"));
  EXPECT_THAT(desk.said, ContainsRegex("note +no categories or bounds, so it cannot be published +private\n"));
  EXPECT_THAT(desk.budget_words("show"), HasSubstr("Neighbours: replace-one (one person, with all their rows)."));
}

TEST_F(Visits, AreShownWithEveryUseOfAColumn) {
  const Json shown = *desk.call("dataset show", {{"schema", desk.path("people.toml")}});
  const Json& columns = shown.at("columns");
  EXPECT_THAT(columns.at(2).at("bins"), ElementsAre("0", "18", "120"));
  EXPECT_EQ(columns.at(2).at("missing"), "missing");
  EXPECT_EQ(columns.at(2).at("missing_number"), "40");
  EXPECT_FALSE(columns.at(3).contains("missing_number")) << "left out";
  EXPECT_FALSE(columns.at(3).contains("bins"));
  EXPECT_EQ(columns.at(4).at("date"), true);
  EXPECT_EQ(columns.at(4).at("lower"), "-25567");
  EXPECT_EQ(columns.at(5).at("thousands"), ".");
  EXPECT_EQ(columns.at(5).at("decimal"), ",");
  EXPECT_EQ(columns.at(5).at("unit"), "mg");
  for (const std::string field : {"thousands", "decimal", "unit", "date", "missing"}) EXPECT_FALSE(columns.at(0).contains(field)) << field;
  EXPECT_THAT(desk.said,
              ContainsRegex("age +bins 0, 18, 120; 0 to 120 in steps of 1 +missing, or the nearest bin or bound +missing; in sums 40 "
                            "+empty +private\n"));
  EXPECT_THAT(desk.said, ContainsRegex("parity +0, 1, other; 0 to 9 in steps of 1 +other; missing, or the nearer bound +other; left out of "
                                       "sums +empty +private\n"));
  EXPECT_THAT(desk.said,
              ContainsRegex("born +1900-01-01 to 2020-12-31 in steps of 1 days +missing, or the nearer bound +1970-01-01 +empty"));
  EXPECT_THAT(desk.said, ContainsRegex("dose +0 to 1000 in steps of 0.5; \"\\.\" between thousands; \",\" before decimals; in mg +missing, "
                                       "or the nearer bound +left out of sums +empty"));
  EXPECT_THAT(desk.said, ContainsRegex("rent +bins 0, 500 +missing, or the nearest bin +unknown +empty"));
}

}  // namespace
}  // namespace tacet::service
