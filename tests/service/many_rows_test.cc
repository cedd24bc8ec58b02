// Datasets where a person may have several rows: what counts rows says rows.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "service/desk.h"

namespace tacet::service {
namespace {

using test::Desk;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

/// 200 patients with three visits each, and noise far below 1.
class ManyRows : public ::testing::Test {
 protected:
  void SetUp() override { make("rows = 3"); }
  void make(const std::string& limit) {
    std::string csv = "patient,sex,ldl,age\n";
    for (int i = 0; i < 600; ++i) {
      csv += fmt::format("P{},{},{},{}\n", i / 3, i % 2 == 0 ? "f" : "m", 80 + i % 40, 30 + i % 50);
    }
    desk.write("people.csv", csv);
    desk.write("people.toml",
               "tacet = 1\ndataset = \"people\"\nledger = \"people.ledger\"\ncontributions = { person = \"patient\", " + limit +
                   " }\n[columns.patient]\n[columns.sex]\ncategories = [\"f\", \"m\"]\nother = \"f\"\n[columns.ldl]\nlower = "
                   "0\nupper = 200\nresolution = 1\n[columns.age]\nlower = 0\nupper = 120\nresolution = 1\n");
    ASSERT_TRUE(desk.budget("create", {{"rho", 1'000'000}}).ok());
  }
  Result<Json> release(const std::string& verb, Json more) const {
    Json request = {{"data", desk.path("people.csv")}, {"schema", desk.path("people.toml")}, {"rho", 50'000}, {"out", "m.json"}};
    request.update(more);
    request["out"] = desk.path(request["out"].get<std::string>());
    return desk.call("release " + verb, request);
  }
  Desk desk;
};

TEST_F(ManyRows, MomentsCountRows) {
  for (const std::string verb : {"sum", "mean", "second-moment", "covariance"}) {
    ASSERT_TRUE(release(verb, {{"columns", "ldl,age"}, {"out", verb + ".json"}}).ok()) << verb;
    EXPECT_THAT(desk.said, AllOf(HasSubstr("Noisy " + verb + " of all rows (about 600 rows):"), Not(HasSubstr("people")),
                                 Not(HasSubstr("everybody"))));
    ASSERT_TRUE(release(verb, {{"columns", "ldl"}, {"where", "age < 55"}, {"out", verb + "where.json"}}).ok()) << verb;
    EXPECT_THAT(desk.said, AllOf(HasSubstr("of these rows (about 300 rows):"), Not(HasSubstr("people"))));
    ASSERT_TRUE(release(verb, {{"columns", "ldl"}, {"group-by", "sex"}, {"out", verb + "by.json"}}).ok()) << verb;
    EXPECT_THAT(desk.said, AllOf(HasSubstr("of sex=m (about 300 rows):"), Not(HasSubstr("people"))));
  }
}

TEST_F(ManyRows, AGroupWithoutRowsHasNoAnswer) {
  ASSERT_TRUE(release("mean", {{"columns", "ldl"}, {"where", "age > 110"}}).ok());
  EXPECT_THAT(desk.said, AllOf(HasSubstr("its noisy number of rows"), Not(HasSubstr("people"))));
}

TEST_F(ManyRows, QueriesAndRegionsForTheFileCountRows) {
  ASSERT_TRUE(release("query", {{"columns", "ldl,age"}, {"direction", "1,-1"}, {"out", "query.json"}}).ok());
  EXPECT_THAT(desk.said, AllOf(HasSubstr("Noisy mean of about 600 rows:"), Not(HasSubstr("people"))));
  ASSERT_TRUE(release("mean", {{"columns", "ldl,age"}, {"out", "mean.json"}}).ok());
  for (const std::string file : {"query.json", "mean.json"}) {
    const auto region = desk.call("infer region", {{"release", desk.path(file)}});
    ASSERT_TRUE(region.ok()) << region.error().message();
    EXPECT_EQ(region->at("counted"), "rows");
    EXPECT_NEAR(region->at("n").get<double>(), 600, 1);
    EXPECT_THAT(desk.said, AllOf(HasSubstr("about 600 rows in the file"), HasSubstr("the noise in the number of rows"),
                                 HasSubstr("it is about the rows in the file"), Not(HasSubstr("people"))));
    const auto population = desk.call("infer region", {{"release", desk.path(file)}, {"for", "population"}});
    ASSERT_FALSE(population.ok());
    EXPECT_THAT(population.error().message(), HasSubstr("a person may count up to 3 times in this release"));
  }
}

TEST_F(ManyRows, TTestsOfTheFileAreAboutRows) {
  ASSERT_TRUE(release("mean", {{"columns", "ldl"}}).ok());
  const auto test = desk.call("infer t-test", {{"release", desk.path("m.json")}, {"for", "data"}});
  ASSERT_TRUE(test.ok()) << test.error().message();
  EXPECT_THAT(desk.said, AllOf(HasSubstr("The mean of ldl of all rows is not 0"), HasSubstr("for the rows in the file"),
                               Not(HasSubstr("people")), Not(HasSubstr("everybody"))));
}

// Quantiles are of people who count once, so a histogram of rows does not send anybody there.
TEST_F(ManyRows, AHistogramNamesNoVerbThatRefusesIt) {
  ASSERT_TRUE(release("histogram", {{"column", "ldl"}, {"count", "rows"}}).ok());
  EXPECT_THAT(desk.said, AllOf(HasSubstr("all inference on it is free.\n"), Not(HasSubstr("infer quantile"))));
}

// What is inferred from tables is about people who were drawn independently.
TEST_F(ManyRows, InferenceAboutAPopulationIsRefused) {
  ASSERT_TRUE(release("counts", {{"by", "sex"}, {"count", "rows"}, {"out", "rows.json"}}).ok());
  const auto refused = [&](const std::string& verb, Json more) {
    more["release"] = desk.path("rows.json");
    const auto answer = desk.call("infer " + verb, more);
    return answer.ok() ? std::string("not refused") : answer.error().message();
  };
  const auto why = HasSubstr("a person may count up to 3 times in this release, and inference about a population needs people");
  EXPECT_THAT(refused("proportion", {{"of", "sex=f"}}), why);
  EXPECT_THAT(refused("margin", {{"of", "sex"}}), why);
  EXPECT_THAT(refused("ratio", {{"of", "sex=f"}, {"to", "sex=m"}}), why);
  EXPECT_THAT(refused("residuals", {}), why);
  EXPECT_THAT(refused("trend", {{"of", "sex=f"}, {"by", "sex"}}), why);
  EXPECT_THAT(refused("stratified", {{"rows", "sex"}, {"columns", "sex"}, {"strata", "sex"}}), why);
  EXPECT_TRUE(desk.call("infer estimate", {{"release", desk.path("rows.json")}}).ok());
}

class OneRowEach : public ManyRows {
 protected:
  void SetUp() override { make("rows = 1"); }
};

TEST_F(OneRowEach, CountsPeople) {
  ASSERT_TRUE(release("mean", {{"columns", "ldl"}}).ok());
  EXPECT_THAT(desk.said, AllOf(HasSubstr("200 people):"), HasSubstr("of everybody"), Not(HasSubstr("rows"))));
}

}  // namespace
}  // namespace tacet::service
