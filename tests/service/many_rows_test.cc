// Datasets where a person may have several rows: what counts rows says rows.
#include <cmath>

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

constexpr const char* kNoPopulation =
    "Numbers are of rows, not of people. There is no interval for the population: a person may count up to 3 times in this release, and "
    "an interval for a population needs people who were drawn independently, each once; for one, use a release where each person counts "
    "once";

TEST_F(ManyRows, QuantilesOfRowsAreForTheFileAlone) {
  ASSERT_TRUE(release("histogram", {{"column", "ldl"}, {"count", "rows"}, {"bins", 50}}).ok());
  EXPECT_THAT(desk.said, AllOf(HasSubstr("all inference on it is free: tacet infer quantile"), HasSubstr("About 600 rows have a number."),
                               HasSubstr("in the file"), Not(HasSubstr("in the population")), Not(HasSubstr("people"))));
  for (const char* intervals : {"marginal", "simultaneous"}) {
    const auto answer = desk.call("infer quantile", {{"release", desk.path("m.json")}, {"intervals", intervals}});
    ASSERT_TRUE(answer.ok()) << answer.error().message();
    // Rows of 80 to 119, each 15 times: half of them are at most 99.
    EXPECT_LE(answer->at("file_lower").get<double>(), 99);
    EXPECT_GE(answer->at("file_upper").get<double>(), 99);
    EXPECT_LE(answer->at("file_upper").get<double>() - answer->at("file_lower").get<double>(), 8);
    EXPECT_TRUE(answer->at("lower").is_null());
    EXPECT_TRUE(answer->at("rows")[0].at("upper").is_null());
    EXPECT_EQ(answer->at("counted"), "rows");
    EXPECT_THAT(answer->at("no_population").get<std::string>(), HasSubstr("a person may count up to 3 times in this release"));
    EXPECT_THAT(desk.said, AllOf(HasSubstr(kNoPopulation), HasSubstr("About 600 rows have"), Not(HasSubstr("in the population"))));
  }
  const auto band = desk.call("infer distribution", {{"release", desk.path("m.json")}, {"csv", desk.path("band.csv")}});
  ASSERT_TRUE(band.ok()) << band.error().message();
  EXPECT_TRUE(band->at("lower").is_null());
  EXPECT_TRUE(band->at("upper").is_null());
  EXPECT_EQ(band->at("file_lower").size(), 51);
  EXPECT_EQ(band->at("counted"), "rows");
  EXPECT_THAT(desk.said,
              AllOf(HasSubstr(kNoPopulation), HasSubstr("among the rows that have a number"), Not(HasSubstr("in the population"))));
  EXPECT_THAT(desk.read("band.csv"), HasSubstr("\n0,0,,,0,0\n"));
}

TEST_F(ManyRows, CountsOfPeopleSayThatAPersonIsInSeveralCells) {
  const std::string several = "A person counts once in each cell where they have a row, in up to 3 cells: counts add up to more than the";
  ASSERT_TRUE(release("counts", {{"by", "sex"}, {"out", "people.json"}}).ok());
  EXPECT_THAT(desk.said, HasSubstr(several));
  ASSERT_TRUE(desk.call("infer proportion", {{"release", desk.path("people.json")}, {"of", "sex=f"}}).ok());
  EXPECT_THAT(desk.said, HasSubstr("A person counts in each cell where they have a row. There is no interval for the population"));
  ASSERT_TRUE(release("histogram", {{"column", "ldl"}, {"bins", 50}}).ok());
  EXPECT_THAT(desk.said, AllOf(HasSubstr(several), HasSubstr("people have a number, each counted once in every bin where they have one.")));
}

TEST_F(ManyRows, ProportionsOfRowsAreForTheFileAlone) {
  ASSERT_TRUE(release("counts", {{"by", "sex"}, {"count", "rows"}, {"out", "rows.json"}}).ok());
  const auto infer = [&](const std::string& verb, Json more) {
    more["release"] = desk.path("rows.json");
    const auto answer = desk.call("infer " + verb, more);
    EXPECT_TRUE(answer.ok()) << answer.error().message();
    EXPECT_EQ(answer->at("counted"), "rows");
    EXPECT_THAT(answer->at("no_population").get<std::string>(), HasSubstr("a person may count up to 3 times in this release"));
    EXPECT_THAT(desk.said, AllOf(HasSubstr(kNoPopulation), HasSubstr("in the file"), Not(HasSubstr("in the population"))));
    return *answer;
  };
  const Json proportion = infer("proportion", {{"of", "sex=f"}});
  EXPECT_NEAR(proportion.at("file_lower").get<double>(), 0.5, 0.001);
  EXPECT_NEAR(proportion.at("file_upper").get<double>(), 0.5, 0.001);
  EXPECT_TRUE(proportion.at("lower").is_null());
  EXPECT_TRUE(proportion.at("rows")[0].at("lower").is_null());
  const Json difference = infer("proportion", {{"of", "sex=f"}, {"minus", "sex=m"}});
  EXPECT_NEAR(difference.at("file_upper").get<double>(), 0, 0.001);
  EXPECT_TRUE(difference.at("upper").is_null());
  const Json margin = infer("margin", {{"of", "sex"}});
  EXPECT_TRUE(margin.at("lower")[0].is_null() || std::isinf(margin.at("lower")[0].get<double>()));
  EXPECT_EQ(margin.at("counts_lower")[0], 300);
  EXPECT_THAT(desk.said, AllOf(HasSubstr("Rows and proportions by sex:"), HasSubstr("rows in the file")));
  const Json ratio = infer("ratio", {{"of", "sex=f"}, {"to", "sex=m"}});
  EXPECT_NEAR(ratio.at("file_upper").get<double>(), 1, 0.01);
  EXPECT_TRUE(ratio.at("lower").is_null());
  EXPECT_TRUE(ratio.at("reason").is_null());
}

// Tests of tables are about people who were drawn independently.
TEST_F(ManyRows, TestsAboutAPopulationAreRefused) {
  ASSERT_TRUE(release("counts", {{"by", "sex"}, {"count", "rows"}, {"out", "rows.json"}}).ok());
  const auto refused = [&](const std::string& verb, Json more) {
    more["release"] = desk.path("rows.json");
    const auto answer = desk.call("infer " + verb, more);
    return answer.ok() ? std::string("not refused") : answer.error().message();
  };
  const auto why = HasSubstr("a person may count up to 3 times in this release, and inference about a population needs people");
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

TEST_F(OneRowEach, HasIntervalsForThePopulation) {
  ASSERT_TRUE(release("counts", {{"by", "sex"}, {"count", "rows"}}).ok());
  const auto answer = desk.call("infer proportion", {{"release", desk.path("m.json")}, {"of", "sex=f"}});
  ASSERT_TRUE(answer.ok()) << answer.error().message();
  EXPECT_TRUE(answer->at("no_population").is_null());
  EXPECT_EQ(answer->at("counted"), "people");
  // Which row of a person counts follows from the ledger, so the proportion varies; its width does
  // not: 2 x 1.96 x sqrt(0.25/200) = 0.139 from sampling alone.
  EXPECT_NEAR(answer->at("upper").get<double>() - answer->at("lower").get<double>(), 0.139, 0.02);
  EXPECT_THAT(desk.said, AllOf(HasSubstr("in the population"), Not(HasSubstr("no interval"))));
}

}  // namespace
}  // namespace tacet::service
