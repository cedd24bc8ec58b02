// infer proportion, ratio, margin, residuals, trend and stratified.
#include <tuple>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "service/desk.h"

namespace tacet::service {
namespace {

using test::Desk;
using ::testing::AllOf;
using ::testing::HasSubstr;

class TableAnswers : public ::testing::Test {
 protected:
  TableAnswers() {
    desk.write("counts.json", "[[[81, 20], [60, 40]], [[97, 31], [50, 50]]]");
    desk.write(
        "axes.json",
        R"([{"name": "age", "labels": ["18-39", "40+"]}, {"name": "smoking", "labels": ["no", "yes"]}, {"name": "ill", "labels": ["no", "yes"]}])");
    desk.write("two.json", "[[10, 20, 30], [90, 80, 70]]");
    release("exact.json", "counts.json", "gaussian:0.001", true);
    release("noisy.json", "counts.json", "laplace:3", true);
    release("drowned.json", "counts.json", "gaussian:500", true);
    release("two_exact.json", "two.json", "gaussian:0.001", false);
  }
  void release(const std::string& out, const std::string& values, const std::string& noise, bool named) const {
    Json request = {{"values", desk.path(values)}, {"noise", noise}, {"out", desk.path(out)}, {"n", named ? 429 : 300}};
    if (named) request["axes"] = desk.path("axes.json");
    const auto made = desk.call("import table", request);
    ASSERT_TRUE(made.ok()) << made.error().message();
  }
  Result<Json> infer(const std::string& verb, const std::string& file, const Json& more) const {
    Json request = {{"release", desk.path(file)}};
    request.update(more);
    return desk.call("infer " + verb, request);
  }
  std::string refused(const std::string& verb, const std::string& file, const Json& more) const {
    const auto answer = infer(verb, file, more);
    return answer.ok() ? "not refused" : answer.error().message();
  }
  Desk desk;
};

TEST_F(TableAnswers, AProportionAndItsIntervalsAreNumbers) {
  const auto answer = infer("proportion", "exact.json", {{"of", "ill=yes given smoking=yes"}});
  ASSERT_TRUE(answer.ok()) << answer.error().message();
  EXPECT_NEAR(answer->at("estimate").get<double>(), 0.45, 1e-4);
  // Clopper and Pearson, 90 of 200.
  EXPECT_NEAR(answer->at("lower").get<double>(), 0.3798, 1e-4);
  EXPECT_NEAR(answer->at("upper").get<double>(), 0.5218, 1e-4);
  EXPECT_NEAR(answer->at("file_lower").get<double>(), 0.45, 1e-4);
  EXPECT_EQ(answer->at("intervals"), "marginal");
  EXPECT_EQ(answer->at("rows")[0].at("given"), "smoking=yes");
  EXPECT_THAT(
      desk.said,
      AllOf(HasSubstr("The proportion of ill=yes among those with smoking=yes is about 0.45: between 0.3798 and 0.5218 in the population"),
            HasSubstr("Each interval holds with probability 0.95."), HasSubstr("This cost no privacy.")));
}

TEST_F(TableAnswers, SeveralProportionsAreListsAndSayWhetherTheyHoldTogether) {
  const Json several = {{"of", {"ill=yes", "smoking=yes and ill=yes", "age=18-39|40+"}}, {"given", "smoking=yes"}};
  const auto each = infer("proportion", "noisy.json", several);
  ASSERT_TRUE(each.ok()) << each.error().message();
  ASSERT_EQ(each->at("estimate").size(), 3);
  EXPECT_NEAR(each->at("estimate")[2].get<double>(), 1, 1e-12);
  EXPECT_THAT(desk.said, HasSubstr("Each interval holds with probability 0.95, not all of them together."));
  Json together = several;
  together["intervals"] = "simultaneous";
  const auto all = infer("proportion", "noisy.json", together);
  EXPECT_LT(all->at("lower")[0].get<double>(), each->at("lower")[0].get<double>());
  EXPECT_THAT(desk.said, HasSubstr("All intervals of a kind hold together with probability 0.95."));
}

TEST_F(TableAnswers, TheDifferenceOfTwoProportionsIsOneNumber) {
  const auto answer = infer("proportion", "exact.json", {{"of", "ill=yes given smoking=yes"}, {"minus", "ill=yes given smoking=no"}});
  ASSERT_TRUE(answer.ok()) << answer.error().message();
  EXPECT_NEAR(answer->at("estimate").get<double>(), 0.45 - 51.0 / 229, 1e-4);
  EXPECT_EQ(answer->at("rows").size(), 2);
  EXPECT_THAT(desk.said, HasSubstr("The difference is about 0.2273: between"));
}

TEST_F(TableAnswers, NoiseThatDrownsAGroupIsInconclusive) {
  const auto answer = infer("proportion", "drowned.json", {{"of", "ill=yes given smoking=yes"}});
  EXPECT_TRUE(answer->at("estimate").is_null());
  EXPECT_EQ(answer->at("upper"), 1.0);
  EXPECT_THAT(desk.said,
              HasSubstr("Inconclusive for ill=yes among those with smoking=yes: the noise may be all that is in the group: its number of "
                        "people cannot be told from 0."));
  const auto pair = infer("ratio", "drowned.json", {{"of", "ill=yes given smoking=yes"}, {"to", "ill=yes given smoking=no"}});
  EXPECT_TRUE(pair->at("upper").is_null());
  EXPECT_THAT(desk.said, HasSubstr("Inconclusive: the noise may be all that is in the group"));
}

TEST_F(TableAnswers, RatiosAreReadAsSentences) {
  const Json two = {{"of", "ill=yes given smoking=yes"}, {"to", "ill=yes given smoking=no"}};
  const auto ratio = infer("ratio", "exact.json", two);
  ASSERT_TRUE(ratio.ok()) << ratio.error().message();
  EXPECT_NEAR(ratio->at("estimate").get<double>(), 0.45 / (51.0 / 229), 1e-3);
  EXPECT_THAT(desk.said, HasSubstr("The proportion of the first is about 2.021 times that of the second: between"));
  Json odds = two;
  odds["measure"] = "odds-ratio";
  EXPECT_NEAR(infer("ratio", "exact.json", odds)->at("estimate").get<double>(), 90.0 * 178 / (110.0 * 51), 1e-3);
  EXPECT_THAT(desk.said, HasSubstr("The odds of the first are about 2.856 times those of the second: between"));
  Json difference = two;
  difference["measure"] = "difference";
  EXPECT_NEAR(infer("ratio", "exact.json", difference)->at("estimate").get<double>(), 0.45 - 51.0 / 229, 1e-4);
  EXPECT_THAT(desk.said, HasSubstr("The difference is about 0.2273: between"));
}

TEST_F(TableAnswers, CramersVIsOfTwoColumns) {
  const Json two = {{"measure", "cramers-v"}, {"draws", 200}};
  const auto answer = infer("ratio", "two_exact.json", two);
  ASSERT_TRUE(answer.ok()) << answer.error().message();
  EXPECT_NEAR(answer->at("estimate").get<double>(), std::sqrt(12.5 / 300), 1e-3);
  EXPECT_EQ(answer->at("draws"), 200);
  EXPECT_THAT(desk.said,
              HasSubstr("Cramer's V of rows and columns is about 0.2041 (0: independent, 1: one determines the other): between"));
  EXPECT_TRUE(infer("ratio", "exact.json", {{"measure", "cramers-v"}, {"draws", 200}, {"rows", "smoking"}, {"columns", "ill"}}).ok());
  EXPECT_THAT(desk.said, HasSubstr("Cramer's V of smoking and ill is about"));
}

TEST_F(TableAnswers, MarginsAreNestedAndCountPeople) {
  const auto answer = infer("margin", "exact.json", {{"of", "ill"}, {"given", "smoking"}});
  ASSERT_TRUE(answer.ok()) << answer.error().message();
  EXPECT_NEAR(answer->at("estimate")[1][1].get<double>(), 0.45, 1e-4);
  EXPECT_NEAR(answer->at("counts")[1][1].get<double>(), 90, 1e-3);
  EXPECT_EQ(answer->at("counts_lower")[1][1], 90.0);
  EXPECT_EQ(answer->at("rows")[3].at("of"), "ill=yes");
  EXPECT_THAT(desk.said, AllOf(HasSubstr("People and conditional proportions by ill:"), HasSubstr("ill=yes, given smoking=yes"),
                               HasSubstr("Each interval holds, not all of them together, with probability 0.95.")));
  EXPECT_TRUE(infer("margin", "noisy.json", {{"of", "age,ill"}, {"intervals", "simultaneous"}}).ok());
  EXPECT_THAT(desk.said, AllOf(HasSubstr("People and proportions by age, ill:"),
                               HasSubstr("All intervals of a column hold together with probability 0.95.")));
  EXPECT_TRUE(infer("margin", "drowned.json", {{"of", "ill"}, {"given", "smoking"}}).ok());
  EXPECT_THAT(desk.said, HasSubstr("Unknown where the noise may be all that is in the group"));
}

TEST_F(TableAnswers, LargeCountsOfMarginsKeepTheirDigits) {
  desk.write("large.json", "[[15128, 6662], [9592, 1179]]");
  const Json import = {{"values", desk.path("large.json")}, {"noise", "gaussian:0.5"}, {"out", desk.path("large_release.json")}};
  ASSERT_TRUE(desk.call("import table", import).ok());
  ASSERT_TRUE(infer("margin", "large_release.json", {{"of", "1"}}).ok());
  EXPECT_THAT(desk.said, AllOf(HasSubstr("21,790 [21,789, 21,791]"), HasSubstr("10,771 [10,770, 10,772]")));
}

TEST_F(TableAnswers, CategoriesOfNobodyAreLeftOutAndNamed) {
  desk.write("with_other.json", "[[480, 58, 0.1], [756, 333, -0.2], [0.1, 0.2, 0.3]]");
  const Json import = {{"values", desk.path("with_other.json")}, {"noise", "gaussian:0.3"}, {"out", desk.path("with_other_release.json")}};
  ASSERT_TRUE(desk.call("import table", import).ok());
  const auto v = infer("ratio", "with_other_release.json", {{"measure", "cramers-v"}, {"draws", 200}});
  ASSERT_TRUE(v.ok()) << v.error().message();
  EXPECT_EQ(v->at("left_out"), Json::array({"1=3", "2=3"}));
  EXPECT_THAT(desk.said, HasSubstr("Left out, as noise may be all there is: 1=3, 2=3.\n"));
  EXPECT_EQ(infer("residuals", "with_other_release.json", {{"draws", 999}})->at("cells").size(), 4);
  EXPECT_THAT(desk.said, HasSubstr("Left out, as noise may be all there is: 1=3, 2=3.\n"));
}

TEST_F(TableAnswers, ResidualsNameTheCellsThatDeviate) {
  const auto answer = infer("residuals", "two_exact.json", {{"draws", 999}});
  ASSERT_TRUE(answer.ok()) << answer.error().message();
  EXPECT_NEAR(answer->at("cells")[0].at("residual").get<double>(), -3.0618621784789726, 1e-4);
  EXPECT_EQ(answer->at("cells")[0].at("deviates"), true);
  EXPECT_THAT(desk.said, AllOf(HasSubstr("4 of 6 cells deviate from independence of 1 and 2, at level 0.05 for all cells together:"),
                               HasSubstr("fewer than expected"), HasSubstr("more than expected")));
  EXPECT_TRUE(infer("residuals", "noisy.json", {{"rows", "age"}, {"columns", "ill"}, {"draws", 999}}).ok());
  EXPECT_THAT(desk.said, HasSubstr("None of 4 cells deviate from independence of age and ill"));
}

TEST_F(TableAnswers, TrendsHaveASlope) {
  const auto answer = infer("trend", "two_exact.json", {{"of", "1=1"}, {"by", "2"}});
  ASSERT_TRUE(answer.ok()) << answer.error().message();
  EXPECT_NEAR(answer->at("statistic").get<double>(), 12.5, 1e-3);
  EXPECT_NEAR(answer->at("estimate").get<double>(), 0.1, 1e-5);
  EXPECT_LT(answer->at("lower").get<double>(), 0.1);
  EXPECT_THAT(desk.said,
              AllOf(HasSubstr("For each unit of the scores the proportion rises by about 0.1. The slope is between"),
                    HasSubstr("\nScores: 1 1, 2 2, 3 3.\n"), HasSubstr("The proportion of 1=1 rises along 2: rejected at level 0.05.")));
  EXPECT_TRUE(infer("trend", "noisy.json", {{"of", "smoking=yes"}, {"by", "age"}, {"given", "ill=no"}, {"draws", 999}}).ok());
  EXPECT_THAT(desk.said, HasSubstr("No evidence of a trend of smoking=yes given ill=no along age at level 0.05"));
  const Json hidden = {{"values", desk.path("two.json")}, {"noise", "gaussian:60"}, {"out", desk.path("hidden.json")}};
  ASSERT_TRUE(desk.call("import table", hidden).ok());
  EXPECT_TRUE(infer("trend", "hidden.json", {{"of", "1=1"}, {"by", "2"}}).ok());
  EXPECT_THAT(desk.said, HasSubstr("The slope is not known:"));
}

// 5 of 50, 10 of 50 and 15 of 50 are ill, and 90 of 100 whose age is missing, who are nowhere along
// it.
TEST_F(TableAnswers, TrendsAlongBinsLeaveMissingNumbersOut) {
  std::string rows = "age,ill\n";
  for (const auto& [age, ill, people] : {std::tuple{"30", 5, 50}, {"50", 10, 50}, {"70", 15, 50}, {"", 90, 100}})
    for (int i = 0; i < people; ++i) rows += fmt::format("{},{}\n", age, i < ill ? "yes" : "no");
  desk.write("ages.csv", rows);
  desk.write("ages.toml",
             "tacet = 1\ndataset = \"ages\"\nledger = \"ages.ledger\"\n[columns.ill]\ncategories = [\"no\", \"yes\"]\nother = \"no\"\n"
             "[columns.age]\nbins = [0, 40, 60, 90]\n");
  ASSERT_TRUE(desk.call("budget create", {{"schema", desk.path("ages.toml")}, {"rho", 1'000'000}}).ok());
  const Json table = {{"data", desk.path("ages.csv")},
                      {"schema", desk.path("ages.toml")},
                      {"by", "age,ill"},
                      {"rho", 900'000},
                      {"out", desk.path("ages.json")}};
  ASSERT_TRUE(desk.call("release counts", table).ok());
  const Json trend = {{"of", "ill=yes"}, {"by", "age"}, {"draws", 999}};
  const auto answer = infer("trend", "ages.json", trend);
  ASSERT_TRUE(answer.ok()) << answer.error().message();
  EXPECT_NEAR(answer->at("estimate").get<double>(), 0.1, 1e-3);
  EXPECT_EQ(answer->at("categories"), (Json{"0 to under 40", "40 to under 60", "60 to 90"}));
  EXPECT_EQ(answer->at("scores"), (Json{1.0, 2.0, 3.0}));
  EXPECT_EQ(answer->at("left_out"), Json::array({"missing"}));
  EXPECT_THAT(desk.said, HasSubstr("Left out: age=missing. A category is left out that may be empty, and missing numbers always are.\n"));
  Json scored = trend;
  scored["scores"] = "20,50,75";
  EXPECT_TRUE(infer("trend", "ages.json", scored).ok());
}

TEST_F(TableAnswers, StrataHaveACommonOddsRatio) {
  const Json three = {{"rows", "smoking"}, {"columns", "ill"}, {"strata", "age"}};
  const auto answer = infer("stratified", "exact.json", three);
  ASSERT_TRUE(answer.ok()) << answer.error().message();
  EXPECT_NEAR(answer->at("statistic").get<double>(), 25.810075135105727, 1e-2);
  EXPECT_NEAR(answer->at("estimate").get<double>(), 2.9284286080492175, 1e-4);
  EXPECT_THAT(desk.said,
              AllOf(HasSubstr("The odds of ill=no are about 2.928 times as high with smoking=no as with smoking=yes, in every stratum"),
                    HasSubstr("smoking and ill depend on each other within age: rejected at level 0.05.")));
  EXPECT_TRUE(infer("stratified", "drowned.json", three).ok());
  EXPECT_THAT(desk.said, HasSubstr("The common odds ratio is not known: the noise may be all that is in a stratum"));
}

TEST_F(TableAnswers, RefusalsNameTheValueTheRuleAndTheRemedy) {
  EXPECT_EQ(refused("proportion", "exact.json", {{"of", "illyes"}}),
            "of is \"illyes\", but must be written COLUMN=LABEL, with | between labels and `and` between columns; for example: "
            "smoking=current|former and sex=f");
  EXPECT_EQ(refused("proportion", "exact.json", {{"of", "ill=yes|"}}),
            "of is \"ill=yes|\", but must be written COLUMN=LABEL, with | between labels and `and` between columns; for example: "
            "smoking=current|former and sex=f");
  EXPECT_EQ(refused("proportion", "exact.json", {{"of", "height=tall"}}),
            "of is \"height=tall\", but must name columns of the release; it has: age, smoking, ill");
  EXPECT_EQ(refused("proportion", "exact.json", {{"of", "ill=maybe"}}),
            "of is \"ill=maybe\", but must name labels of ill; they are: no, yes");
  EXPECT_EQ(refused("proportion", "exact.json", {{"of", "ill=yes given age=40+ given smoking=yes"}}),
            "of is \"ill=yes given age=40+ given smoking=yes\", but must have the word given at most once; join conditions with and");
  EXPECT_EQ(
      refused("proportion", "exact.json", {{"of", "ill=yes given ill=no"}}),
      "of is \"ill=yes\", but must have at least one cell of the table among the people given; the conditions exclude each other: choose "
      "others");
  EXPECT_EQ(refused("proportion", "exact.json", {{"of", "ill=yes,ill=no"}, {"minus", "ill=yes"}}),
            "of is a list of 2, but must be one proportion where another is subtracted; for example: of = smoking=current");
  EXPECT_THAT(refused("proportion", "exact.json", {{"of", "ill=yes"}, {"confidence", "0.3"}}), HasSubstr("confidence is 0.3, but must be"));
  EXPECT_EQ(refused("ratio", "exact.json", {{"of", "ill=yes"}}),
            "to is missing, but must be a proportion to compare; for example: of = \"ill=yes given smoker=yes\" to = \"ill=yes given "
            "smoker=no\"");
  EXPECT_EQ(refused("ratio", "exact.json", {{"of", "ill=yes"}, {"measure", "cramers-v"}}),
            "of is given, but must be left out for Cramer's V, which compares two columns; rows and columns name them");
  EXPECT_EQ(refused("ratio", "exact.json", {{"of", "ill=yes"}, {"to", "ill=no"}, {"rows", "age"}}),
            "rows is given, but must be left out unless measure is cramers-v; the proportions name their columns themselves");
  EXPECT_EQ(refused("margin", "exact.json", {{"of", "ill"}, {"given", "ill"}}),
            "of or given is \"ill\", but must name columns of the release, each once; it has: age, smoking, ill");
  EXPECT_EQ(refused("residuals", "exact.json", {{"rows", "ill"}}),
            "columns is missing, but must name the other variable of the table; for example: rows = smoking columns = disease");
  EXPECT_THAT(refused("residuals", "exact.json", Json::object()), HasSubstr("must have two dimensions"));
  EXPECT_EQ(refused("trend", "exact.json", {{"of", "ill=yes"}, {"by", "ill"}}),
            "of is \"ill=yes\", but must not be about ill, along which the trend is; name another column");
  EXPECT_THAT(refused("trend", "exact.json", {{"of", "ill=yes"}, {"by", "age"}, {"scores", "1,2,3"}}),
              HasSubstr("scores is a list of 3, but must have a number for each of the 2 groups"));
  EXPECT_THAT(refused("stratified", "exact.json", {{"rows", "smoking"}, {"columns", "ill"}, {"strata", "smoking"}}),
              HasSubstr("rows, columns or strata is \"smoking\", but must name columns of the release, each once"));
}

TEST_F(TableAnswers, NamesWithSignsStandInQuotes) {
  desk.write("odd_axes.json", R"([{"name": "income and more", "labels": ["<=50K", "a|b"]}, {"name": "x", "labels": ["1", "2", "3"]}])");
  const Json import = {{"values", desk.path("two.json")},
                       {"noise", "gaussian:0.001"},
                       {"out", desk.path("odd.json")},
                       {"n", 300},
                       {"axes", desk.path("odd_axes.json")}};
  ASSERT_TRUE(desk.call("import table", import).ok());
  const auto answer = infer("proportion", "odd.json", {{"of", {"\"income and more\"=<=50K", "\"income and more\"=\"a|b\" given x=1"}}});
  ASSERT_TRUE(answer.ok()) << answer.error().message();
  EXPECT_NEAR(answer->at("estimate")[0].get<double>(), 0.2, 1e-4);
  EXPECT_NEAR(answer->at("estimate")[1].get<double>(), 0.9, 1e-4);
  EXPECT_EQ(answer->at("rows")[1].at("of"), "\"income and more\"=\"a|b\"");
}

}  // namespace
}  // namespace tacet::service
