// Releases about a part of the people: --where of every release verb.
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/mechanisms/release_file.h"

#include "service/desk.h"

namespace tacet::service {
namespace {

using test::Desk;
using ::testing::HasSubstr;

/// A desk whose noise is far below 1.
class WhereTest : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(desk.budget("create", {{"rho", 1'000'000}}).ok()); }

  Json moments(const Json& more) const {
    Json request = {{"data", desk.path("people.csv")}, {"schema", desk.path("people.toml")}, {"columns", "age"}, {"rho", 10'000}};
    request.update(more);
    request["out"] = desk.path(request.value("out", "m.json"));
    return request;
  }
  Desk desk;
};

TEST_F(WhereTest, CountsOnlyTheRowsThatSatisfyIt) {
  const auto result = desk.release({{"where", "age >= 40"}, {"rho", 10'000}});
  ASSERT_TRUE(result.ok()) << result.error().message();
  std::vector<double> rounded;
  for (const Json& row : result->at("values")) {
    for (const Json& value : row) rounded.push_back(std::round(value.get<double>()) + 0.0);
  }
  // f, basic, 50 and m, plus, 44; the age of the other man is missing.
  EXPECT_EQ(rounded, (std::vector<double>{1, 0, 0, 0, 1, 0}));
  EXPECT_TRUE(result->at("n").is_null());
  EXPECT_THAT(desk.said, ::testing::StartsWith("Among rows where age >= 40; their number is private.\n"));
}

TEST_F(WhereTest, StandsInTheStatementAndInTheFileInOneSpelling) {
  const auto first = desk.release({{"where", "not age < 40 AND sex = f"}, {"out", "a.json"}});
  ASSERT_TRUE(first.ok()) << first.error().message();
  EXPECT_EQ(first->at("where"), "sex = f and age >= 40");
  EXPECT_EQ(first->at("statement").at("where"), "sex = f and age >= 40");
  EXPECT_EQ(Json::parse(desk.read("a.json")).at("where"), "sex = f and age >= 40");
  const auto same = desk.release({{"where", "age>=40 and (sex in ('f'))"}, {"out", "b.json"}});
  const auto other = desk.release({{"where", "age > 40 and sex = f"}, {"out", "c.json"}});
  const auto all = desk.release({{"out", "d.json"}});
  ASSERT_TRUE(same.ok() && other.ok() && all.ok());
  const auto hash = [](const Json& release) { return release.at("ledger").at("statement_hash"); };
  EXPECT_EQ(hash(*same), hash(*first));
  EXPECT_NE(hash(*other), hash(*first));
  EXPECT_NE(hash(*all), hash(*first));
  EXPECT_FALSE(all->contains("where"));
  EXPECT_THAT(desk.budget("history")->dump(), HasSubstr("sex = f and age >= 40"));
}

TEST_F(WhereTest, AFileWhoseConditionIsNotThatOfItsStatementIsRefused) {
  ASSERT_TRUE(desk.release({{"where", "age >= 40"}}).ok());
  ASSERT_TRUE(mechanisms::read_release(desk.path("r.json")).ok());
  Json file = Json::parse(desk.read("r.json"));
  file["where"] = "age >= 41";
  desk.write("other.json", file.dump());
  EXPECT_THAT(mechanisms::read_release(desk.path("other.json")).error().message(),
              HasSubstr("where is age >= 41, but must be the condition in the statement"));
  file.erase("where");
  desk.write("without.json", file.dump());
  EXPECT_THAT(mechanisms::read_release(desk.path("without.json")).error().message(),
              HasSubstr("where is missing, but must be the condition"));
}

TEST_F(WhereTest, MomentsCountTheirPeoplePrivately) {
  for (const char* verb : {"release sum", "release mean", "release second-moment", "release covariance"}) {
    const auto result = desk.call(verb, moments({{"where", "sex = f and age < 40"}, {"out", std::string(verb) + ".json"}}));
    ASSERT_TRUE(result.ok()) << verb << ": " << result.error().message();
    EXPECT_TRUE(result->at("n").is_null()) << verb;
    EXPECT_EQ(result->at("where"), "sex = f and age < 40");
    const Json& people = result->at("parts").at(0).at("people");
    EXPECT_NEAR(people.at("value").get<double>(), 2, 0.5) << verb;
    EXPECT_GT(people.at("scale").get<double>(), 0) << verb;
    EXPECT_LT(people.at("scale").get<double>(), 0.05) << "so that the values above are never wrong by chance";
    EXPECT_THAT(desk.said, ::testing::StartsWith("Among rows where sex = f and age < 40; their number is private.\nNoisy ")) << verb;
    EXPECT_THAT(desk.said, HasSubstr("(about 2 people)")) << verb;
  }
  const auto mean = desk.call("release mean", moments({{"where", "sex = f and age < 40"}, {"rho", 100'000}, {"out", "mean.json"}}));
  ASSERT_TRUE(mean.ok()) << mean.error().message();
  EXPECT_NEAR(mean->at("values").at(0).get<double>(), 30, 5);
  EXPECT_LT(mean->at("noise_sd").at(0).get<double>(), 0.5);
}

TEST_F(WhereTest, RefusalsSpendNothingAndSayWhere) {
  const std::vector<std::pair<std::string, std::string>> wrong = {
      {"", "where is empty"},
      {"agee >= 40", "where is \"agee\" at character 1, but must be a declared column; did you mean \"age\"?"},
      {"age >= 400", "must be within the bounds of age, 0 to 120"},
      {"plan = gold", "must be a category of plan: \"basic\", \"plus\", \"none\""},
      {"plan is missing", "the schema counts missing values of plan as \"none\""},
      {"(age >= 40", "must be closed"},
      {"age > 50 and age < 40", "where is a condition that no row satisfies"},
      {"age >= 40; drop table people", "where is \";\" at character 10"},
      {"age >= (select 1)", "must have a number here"},
      {"read_csv('people.csv') = 1", "must be a declared column"},
      {"sex = '\x1b]0;x\x07'", "control characters"},
      {std::string("age > 40\0", 9), "the character NUL"},
      {"sex = '\xff'", "not UTF-8"},
      {std::string(1 << 20, '('), "where is a text of 1048576 bytes"},
      {std::string(8000, '('), "at most 64 parentheses"}};
  for (const auto& [text, message] : wrong) {
    EXPECT_REFUSED(desk, Code::InvalidArgument, desk.release({{"where", text}}));
    EXPECT_THAT(desk.release({{"where", text}}).error().message(), HasSubstr(message));
    for (const char* verb : {"release sum", "release mean", "release second-moment", "release covariance"}) {
      EXPECT_REFUSED(desk, Code::InvalidArgument, desk.call(verb, moments({{"where", text}})));
      EXPECT_THAT(desk.call(verb, moments({{"where", text}})).error().message(), HasSubstr(message));
    }
    EXPECT_REFUSED(desk, Code::InvalidArgument, desk.call("release query", moments({{"where", text}, {"direction", "1"}})));
  }
}

TEST_F(WhereTest, AMechanismThatKeepsAPublicTotalIsRefused) {
  EXPECT_REFUSED(desk, Code::InvalidArgument, desk.release({{"where", "age >= 40"}, {"mechanism", "rank-deficient"}}));
  EXPECT_EQ(desk.release({{"where", "age >= 40"}, {"mechanism", "rank-deficient"}}).error().message(),
            "mechanism is rank-deficient, but keeps the total, which must be public, but how many rows satisfy `where` is private; use "
            "mechanism = gaussian");
}

TEST_F(WhereTest, AQueryDividesByANoisyNumberOfPeople) {
  const auto query = desk.call("release query", moments({{"direction", "1"}, {"where", "sex = f and age < 40"}, {"rho", 100'000}}));
  ASSERT_TRUE(query.ok()) << query.error().message();
  EXPECT_EQ(query->at("where"), "sex = f and age < 40");
  EXPECT_TRUE(query->at("n").is_null());
  EXPECT_NEAR(query->at("values").at(0).get<double>(), 30, 5);
  EXPECT_THAT(desk.said,
              ::testing::StartsWith("Among rows where sex = f and age < 40; their number is private.\nNoisy mean of about 2 people:"));
}

/// 3,000 people, of whom half are in the condition.
class WhereInference : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string csv = "sex,plan,age,arm,ldl\n";
    for (int i = 0; i < 3000; ++i) {
      csv += fmt::format("{},{},{},{},{}\n", i % 2 == 0 ? "f" : "m", i / 2 % 3 == 0 ? "basic" : "plus", 20 + i % 40,
                         i / 4 % 2 == 0 ? "old" : "new", 100 + i * 7 % 50);
    }
    desk.write("people.csv", csv);
    desk.write("people.toml", std::string(test::kPeopleSchema) +
                                  "[columns.ldl]\nlower = 50\nupper = 200\nresolution = 1\n[columns.arm]\ncategories = [\"old\", "
                                  "\"new\"]\nother = \"old\"\nmembership = \"public\"\n");
    ASSERT_TRUE(desk.budget("create", {{"rho", 1000}}).ok());
  }
  Result<Json> moments(const std::string& kind, const std::string& out, const Json& more = Json::object()) const {
    Json request = {{"data", desk.path("people.csv")},
                    {"schema", desk.path("people.toml")},
                    {"columns", "ldl"},
                    {"where", "age >= 40"},
                    {"out", desk.path(out)}};
    request.update(more);
    if (!more.contains("epsilon")) request["rho"] = 5;
    return desk.call("release " + kind, request);
  }
  /// Noise is random, so an outcome may be any; but there is one.
  Json infer(const std::string& verb, const Json& request) const {
    const auto answer = desk.call("infer " + verb, request);
    EXPECT_TRUE(answer.ok()) << verb << ": " << (answer.ok() ? "" : answer.error().message());
    return answer.ok() ? *answer : Json::object();
  }
  Desk desk;
};

TEST_F(WhereInference, OfCountsKnowsThatTheNumberOfPeopleIsPrivate) {
  ASSERT_TRUE(desk.release({{"where", "age >= 40"}, {"rho", 2}, {"out", "table.json"}}).ok());
  ASSERT_TRUE(desk.release({{"where", "age >= 40"}, {"by", "sex"}, {"rho", 2}, {"out", "list.json"}}).ok());
  ASSERT_TRUE(desk.release({{"where", "age < 40"}, {"by", "sex"}, {"rho", 2}, {"out", "rest.json"}}).ok());
  desk.write("null.json", "[0.5, 0.5]");
  const Json fit = infer("gof", {{"release", desk.path("list.json")}, {"null", desk.path("null.json")}, {"seed", 1}});
  EXPECT_EQ(fit.value("outcome", ""), "retain");  // the noise is a 25th of the sampling error
  EXPECT_TRUE(fit.contains("n") && fit.at("n").is_null());
  EXPECT_TRUE(infer("independence", {{"release", desk.path("table.json")}, {"seed", 1}}).contains("outcome"));
  EXPECT_TRUE(infer("homogeneity", {{"releases", desk.path("list.json") + "," + desk.path("rest.json")}, {"seed", 1}}).contains("outcome"));
  const Json estimate = infer("estimate", {{"release", desk.path("list.json")}});
  ASSERT_TRUE(estimate.contains("values"));
  EXPECT_NEAR(estimate.at("values").at(0).get<double>(), 750, 10);
}

TEST_F(WhereInference, OfMeansKnowsTheNoiseOfTheNumberOfPeople) {
  ASSERT_TRUE(moments("mean", "mean.json").ok());
  ASSERT_TRUE(moments("covariance", "all.json").ok());
  const Json region = infer("region", {{"release", desk.path("all.json")}, {"for", "population"}, {"draws", 999}, {"seed", 1}});
  ASSERT_TRUE(region.contains("center"));
  EXPECT_NEAR(region.at("center").at(0).get<double>(), 124.5, 3);
  EXPECT_TRUE(infer("region", {{"release", desk.path("mean.json")}}).contains("center"));
  EXPECT_TRUE(infer("mean-test", {{"release", desk.path("all.json")}, {"null", "124.5"}, {"draws", 999}, {"seed", 1}}).contains("outcome"));
}

TEST_F(WhereInference, ComparesGroupsWhoseSizesAreThenPrivate) {
  for (const char* column : {"arm", "sex"}) {
    const std::string file = std::string(column) + ".json";
    const auto groups = moments("covariance", file, {{"group-by", column}, {"for", "two-sample"}});
    ASSERT_TRUE(groups.ok()) << groups.error().message();
    for (const Json& part : groups->at("parts")) EXPECT_GT(part.at("people").at("scale").get<double>(), 0) << column;
    EXPECT_TRUE(infer("two-sample", {{"releases", desk.path(file)}, {"draws", 999}, {"seed", 1}}).contains("outcome")) << column;
    EXPECT_TRUE(infer("k-sample", {{"releases", desk.path(file)}, {"draws", 999}, {"seed", 1}}).contains("outcome")) << column;
  }
}

TEST_F(WhereInference, EveryMechanismServesAPrivateNumberOfPeople) {
  for (const auto& [kind, mechanism] : std::vector<std::pair<std::string, std::string>>{{"mean", "laplace"},
                                                                                        {"mean", "k-norm"},
                                                                                        {"mean", "gaussian"},
                                                                                        {"covariance", "laplace"},
                                                                                        {"covariance", "k-norm"},
                                                                                        {"covariance", "k-norm+laplace"},
                                                                                        {"covariance", "gaussian"}}) {
    Json more = {{"mechanism", mechanism}, {"columns", "ldl,age"}};
    if (mechanism != "gaussian") more["epsilon"] = 1;
    const auto released = moments(kind, kind + mechanism + ".json", more);
    ASSERT_TRUE(released.ok()) << kind << " " << mechanism << ": " << released.error().message();
    const Json& people = released->at("parts").at(0).at("people");
    EXPECT_NEAR(people.at("value").get<double>(), 1500, 25 * people.at("scale").get<double>()) << kind << " " << mechanism;
  }
}

}  // namespace
}  // namespace tacet::service
