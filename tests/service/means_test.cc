// infer region, infer mean-test, plan mean-test, plan region, and release mean --goal test.
#include <cmath>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "service/moment_desk.h"

namespace tacet::service {
namespace {

using test::MomentDesk;
using ::testing::HasSubstr;

class Means : public ::testing::Test {
 protected:
  Means() {
    desk.write("sigma.json", "[[200, 100], [100, 100]]");
    desk.write("indefinite.json", "[[1, 2], [2, 1]]");
    desk.write("singular.json", "[[1, 1], [1, 1]]");
    desk.write("three.json", "[[1, 0, 0], [0, 1, 0], [0, 0, 1]]");
    desk.write("row.json", "[1, 2]");
    EXPECT_TRUE(desk.budget("create", {{"rho", 1000000}}).ok());
  }
  Result<Answer> release(const std::string& verb, const Json& more, const std::string& out) const {
    Json request = {
        {"data", desk.path("people.csv")}, {"schema", desk.path("people.toml")}, {"columns", "height,weight"}, {"out", desk.path(out)}};
    request.update(more);
    if (verb == "counts") request.erase("columns");
    return perform("release " + verb, request, desk.context);
  }
  Result<Json> publish(const std::string& verb, const Json& more, const std::string& out) const {
    TACET_TRY(const Answer released, release(verb, more, out));
    return released.json();
  }
  void published(const std::string& verb, const Json& more, const std::string& out) const {
    const auto done = publish(verb, more, out);
    ASSERT_TRUE(done.ok()) << done.error().message();
  }
  Result<Answer> answer(const std::string& verb, const std::string& file, const Json& more = Json::object()) const {
    Json request = {{"release", desk.path(file)}};
    request.update(more);
    for (const char* field : {"covariance", "plot"}) {
      if (request.contains(field)) request[field] = desk.path(request[field].get<std::string>());
    }
    return perform("infer " + verb, request, desk.context);
  }
  Result<Json> infer(const std::string& verb, const std::string& file, const Json& more = Json::object()) const {
    TACET_TRY(const Answer inferred, answer(verb, file, more));
    return inferred.json();
  }
  MomentDesk desk;
};

TEST_F(Means, RegionsOfEveryKindOfReleaseHaveTheFieldsThatOthersRelyOn) {
  published("mean", {{"rho", 100}}, "mean.json");
  published("sum", {{"mechanism", "laplace"}, {"epsilon", 500}}, "sum.json");
  published("covariance", {{"rho", 1000}}, "covariance.json");
  published("second-moment", {{"mechanism", "k-norm"}, {"epsilon", 500}}, "second.json");
  published("query", {{"covariance", desk.path("sigma.json")}, {"centre", "168,69"}, {"n", 400}, {"rho", 10}}, "query.json");
  for (const std::string file : {"mean.json", "sum.json", "covariance.json", "second.json", "query.json"}) {
    const auto region = answer("region", file, {{"draws", 999}});
    ASSERT_TRUE(region.ok()) << file << region.error().message();
    const Json result = region->json();
    EXPECT_NEAR(result.at("center").at(0).get<double>(), 170, 2) << file;
    EXPECT_EQ(result.at("shape").size(), 2U);
    EXPECT_GT(result.at("radius").get<double>(), 2);
    EXPECT_GT(result.at("volume").get<double>(), 0);
    EXPECT_EQ(result.at("for"), "data");
    EXPECT_LT(result.at("simultaneous").at("lower").at(1).get<double>(), result.at("marginal").at("lower").at(1).get<double>());
    EXPECT_THAT(region->words(), HasSubstr("Means of the 400 people in the file, with confidence 0.95:"));
    EXPECT_THAT(region->words(), HasSubstr("Does not include: sampling error"));
    const auto population = infer("region", file, {{"covariance", "sigma.json"}, {"draws", 999}});
    ASSERT_TRUE(population.ok()) << file << population.error().message();
    EXPECT_EQ(population->at("for"), "population");
    EXPECT_GT(population->at("volume").get<double>(), result.at("volume").get<double>());
  }
  EXPECT_EQ(infer("region", "covariance.json", {{"for", "population"}, {"draws", 999}})->at("method"), "bootstrap");
  EXPECT_EQ(infer("region", "query.json", {{"for", "population"}})->at("covariance"), "public, of the query");
  EXPECT_TRUE(infer("region", "query.json", {{"for", "population"}})->at("clipping_bias").is_number());
  EXPECT_EQ(infer("region", "mean.json", {{"for", "population"}}).error().code(), Code::Unsupported);
}

TEST_F(Means, OfAGroupAndOfADirectionAreTheirOwn) {
  published("mean", {{"rho", 1000}, {"group-by", "treated"}, {"membership", "public"}}, "groups.json");
  const auto region = answer("region", "groups.json", {{"group", "yes"}});
  ASSERT_TRUE(region.ok()) << region.error().message();
  const Json yes = region->json();
  EXPECT_NEAR(yes.at("center").at(1).get<double>(), 80, 1);
  EXPECT_EQ(yes.at("n"), 200);
  EXPECT_THAT(region->words(), HasSubstr("in the file of group yes"));
  EXPECT_EQ(infer("region", "groups.json").error().name(), "group");
  EXPECT_THAT(infer("region", "groups.json", {{"group", "maybe"}}).error().message(), HasSubstr("must be a group of the release: no, yes"));
  published("query", {{"direction", "1,-1"}, {"rho", 10}}, "direction.json");
  const Json one = *infer("region", "direction.json", {{"covariance", "sigma.json"}});
  EXPECT_EQ(one.at("columns").at(0), "height - weight");
  EXPECT_NEAR(one.at("center").at(0).get<double>(), 100, 3);
  // Sampling variance of the difference: (200 + 100 - 2 100)/400.
  const double noise = infer("region", "direction.json")->at("shape").at(0).at(0).get<double>();
  EXPECT_NEAR(one.at("shape").at(0).at(0).get<double>() - noise, 0.25, 1e-9);
  EXPECT_EQ(infer("region", "direction.json", {{"group", "yes"}}).error().name(), "group");
}

TEST_F(Means, OneCombinationTestsItsAlternative) {
  const Json query = {{"goal", "test"}, {"direction", "4,1"}, {"covariance", desk.path("sigma.json")}, {"n", 400}, {"rho", 50}};
  Json first = query;
  first["null"] = "166,69";
  published("query", first, "low.json");
  // Means of all columns, or of the combination (0.03 height - 0.02 weight)/sqrt(0.1).
  const auto test = answer("mean-test", "low.json", {{"for", "population"}, {"null", "166,69"}, {"alternative", "170,70"}});
  ASSERT_TRUE(test.ok()) << test.error().message();
  EXPECT_EQ(test->json().at("outcome"), "reject");
  EXPECT_GT(test->json().at("power").get<double>(), 0.99);
  const double unit = std::sqrt(0.1);
  const auto same = infer("mean-test", "low.json",
                          {{"for", "population"},
                           {"null", fmt::format("{}", (0.03 * 166 - 0.02 * 69) / unit)},
                           {"alternative", fmt::format("{}", (0.03 * 170 - 0.02 * 70) / unit)}});
  ASSERT_TRUE(same.ok()) << same.error().message();
  EXPECT_NEAR(same->at("p_value").get<double>(), test->json().at("p_value").get<double>(), 1e-9);
  EXPECT_THAT(test->words(), HasSubstr("what clipping did to the mean"));
  Json second = query;
  second["null"] = "170,70";
  published("query", second, "true.json");
  EXPECT_EQ(infer("mean-test", "true.json", {{"for", "population"}, {"null", "170,70"}, {"alternative", "174,71"}})->at("outcome"),
            "retain");
}

TEST_F(Means, OfAnEmptyGroupAreInconclusive) {
  std::string rows = "height,weight,treated\n";
  for (int i = 0; i < 100; ++i) rows += "150,60,no\n";
  desk.write("people.csv", rows);
  published("mean", {{"rho", 1}, {"group-by", "treated"}, {"membership", "public"}}, "empty.json");
  const auto no_region = answer("region", "empty.json", {{"group", "yes"}});
  ASSERT_TRUE(no_region.ok()) << no_region.error().message();
  const Json region = no_region->json();
  EXPECT_EQ(region.at("outcome"), "inconclusive");
  EXPECT_TRUE(region.at("center").is_null());
  EXPECT_THAT(no_region->words(), HasSubstr("Inconclusive: nobody is in this group"));
  const auto no_test = answer("mean-test", "empty.json", {{"group", "yes"}, {"null", "1,2"}});
  ASSERT_TRUE(no_test.ok()) << no_test.error().message();
  const Json test = no_test->json();
  EXPECT_EQ(test.at("outcome"), "inconclusive");
  EXPECT_TRUE(test.at("p_value").is_null());
  EXPECT_THAT(no_test->words(), HasSubstr("Inconclusive: nobody"));
}

TEST_F(Means, OfFourColumnsCanBeShrunk) {
  desk.write("four.json", "[10, 12, 9, 8.5]");
  desk.write("noise.json", "[[4, 1, 0, 0], [1, 3, 0, 0], [0, 0, 2, 0.5], [0, 0, 0.5, 1]]");
  ASSERT_TRUE(desk.call("import mean", {{"values", desk.path("four.json")},
                                        {"n", 1000},
                                        {"noise-covariance", desk.path("noise.json")},
                                        {"columns", "a,b,c,d"},
                                        {"out", desk.path("imported.json")}})
                  .ok());
  // Values of mpmath: tests/inference/shrunk_means_test.cc.
  const auto common = answer("region", "imported.json", {{"shrink", "common"}});
  ASSERT_TRUE(common.ok()) << common.error().message();
  const Json shrunk = common->json().at("shrunk");
  EXPECT_NEAR(shrunk.at("values")[0].get<double>(), 9.79155672823219, 1e-9);
  EXPECT_NEAR(shrunk.at("cost").get<double>(), 3.6754617414248021, 1e-9);
  EXPECT_THAT(common->words(), HasSubstr("Shrunk means of the data: a 9.79156, b 11.1425"));
  const Json target = *infer("region", "imported.json", {{"shrink", "target"}, {"target", "9,9,9,9"}});
  EXPECT_NEAR(target.at("shrunk").at("factor").get<double>(), 0.39130434782608696, 1e-9);
  EXPECT_TRUE(infer("region", "imported.json")->at("shrunk").is_null());
  EXPECT_EQ(infer("region", "imported.json", {{"target", "9,9,9,9"}}).error().message(),
            "target is given without shrink, but goes with shrink = target; add shrink = target");
}

TEST_F(Means, RefuseBadInputWithItsName) {
  published("mean", {{"rho", 10}}, "mean.json");
  published("counts", {{"by", "treated"}, {"mechanism", "gaussian"}, {"rho", 1}}, "counts.json");
  EXPECT_EQ(infer("region", "counts.json").error().name(), "release");
  EXPECT_THAT(infer("region", "sigma.json").error().message(), HasSubstr("is not a release file"));
  for (const std::string file : {"indefinite.json", "singular.json", "three.json", "row.json"})
    EXPECT_EQ(infer("region", "mean.json", {{"covariance", file}}).error().name(), "covariance") << file;
  EXPECT_EQ(infer("region", "mean.json", {{"for", "everybody"}}).error().name(), "for");
  EXPECT_EQ(infer("region", "mean.json", {{"confidence", "0.2"}}).error().name(), "confidence");
  EXPECT_EQ(infer("region", "mean.json", {{"group", "yes"}}).error().name(), "group");
  EXPECT_EQ(infer("region", "mean.json", {{"coordinates", "height,weight"}}).error().name(), "coordinates");
  EXPECT_EQ(infer("region", "mean.json", {{"plot", "p.html"}, {"coordinates", "height,age"}}).error().name(), "coordinates");
  EXPECT_EQ(infer("mean-test", "mean.json", {{"null", "1"}}).error().name(), "null");
  EXPECT_EQ(infer("mean-test", "mean.json", {{"null", "1,2"}, {"analysis", "clever"}}).error().name(), "analysis");
}

TEST_F(Means, APictureIsOnePageAndReplacesNothing) {
  published("mean", {{"rho", 10}}, "mean.json");
  const auto result = infer("region", "mean.json", {{"plot", "p.html"}, {"coordinates", "weight,height"}});
  ASSERT_TRUE(result.ok()) << result.error().message();
  const std::string page = desk.read("p.html");
  EXPECT_THAT(page, HasSubstr("Confidence region for the means of weight and height"));
  EXPECT_THAT(page, HasSubstr("\"order\":{\"field\":\"k\""));
  EXPECT_EQ(infer("region", "mean.json", {{"plot", "p.html"}}).error().code(), Code::AlreadyExists);
}

TEST_F(Means, TestsRejectRetainAndShowWhatForgettingNoiseDoes) {
  published("mean", {{"rho", "0.5"}}, "mean.json");
  const auto near = answer("mean-test", "mean.json", {{"null", "170,70"}, {"alternative", "175,75"}, {"covariance", "sigma.json"}});
  ASSERT_TRUE(near.ok()) << near.error().message();
  EXPECT_EQ(near->json().at("outcome"), "retain");
  for (const std::string field : {"statistic", "df", "p_value", "critical", "power"})
    EXPECT_TRUE(near->json().at(field).is_number()) << field;
  EXPECT_THAT(near->words(), HasSubstr("No evidence against means of 170, 70 of the population"));
  const auto far = answer("mean-test", "mean.json", {{"null", "120,20"}});
  ASSERT_TRUE(far.ok()) << far.error().message();
  EXPECT_EQ(far->json().at("outcome"), "reject");
  EXPECT_EQ(far->json().at("df"), 2);
  EXPECT_THAT(far->words(), HasSubstr("rejected at level 0.05"));
  const auto forgetful = answer("mean-test", "mean.json",
                                {{"null", "170,70"}, {"alternative", "175,75"}, {"covariance", "sigma.json"}, {"analysis", "super-naive"}});
  ASSERT_TRUE(forgetful.ok()) << forgetful.error().message();
  EXPECT_EQ(forgetful->json().at("outcome"), "inconclusive");
  EXPECT_GT(forgetful->json().at("level").get<double>(), 0.05);
  EXPECT_THAT(forgetful->words(), HasSubstr("use the optimal analysis"));
}

TEST_F(Means, ReleasedForATestAreTheOneColumnThatServesItBest) {
  // 6 of a range of 120 is more than 8 of one of 200.
  const auto released = release("mean", {{"rho", 1}, {"goal", "test:6,8"}}, "test.json");
  ASSERT_TRUE(released.ok()) << released.error().message();
  const Json result = released->json();
  EXPECT_EQ(result.at("columns").size(), 1U);
  EXPECT_EQ(result.at("columns").at(0).at("name"), "height");
  EXPECT_EQ(result.at("statement").at("goal"), "test");
  EXPECT_THAT(released->words(), HasSubstr("Of the columns asked for, height alone was published"));
  EXPECT_EQ(publish("mean", {{"rho", 1}, {"goal", "test:6,-11"}}, "other.json")->at("columns").at(0).at("name"), "weight");
  for (const std::string goal : {"test:1", "test:0,0", "test:a,b", "test", "best"})
    EXPECT_EQ(publish("mean", {{"rho", 1}, {"goal", goal}}, "no.json").error().name(), "goal") << goal;
  EXPECT_EQ(publish("covariance", {{"rho", 1}, {"goal", "test:1,2"}}, "no.json").error().name(), "goal");
}

TEST_F(Means, PlansReadNoData) {
  const Json request = {{"covariance", desk.path("sigma.json")}, {"eta", "2,1"}, {"rho", "0.02"}};
  const auto plan = [&](const std::string& verb, const Json& more) {
    Json all = request;
    if (verb == "region") all.erase("eta");
    all.update(more);
    return perform("plan " + verb, all, desk.context);
  };
  const auto power = plan("mean-test", {{"n", 2000}, {"range", "120,200"}});
  ASSERT_TRUE(power.ok()) << power.error().message();
  EXPECT_EQ(power->json().at("powers").size(), 8U);
  EXPECT_EQ(power->json().at("query"), "combination");
  EXPECT_GT(power->json().at("power").get<double>(), power->json().at("powers").at("whitened").get<double>());
  EXPECT_THAT(power->words(), HasSubstr("No other combination of the columns"));
  const auto people = plan("mean-test", {{"power", "0.8"}});
  EXPECT_GE(people->json().at("power").get<double>(), 0.8);
  EXPECT_THAT(people->words(), HasSubstr("people are needed"));
  EXPECT_LT(people->json().at("people").at("combination").get<double>(), people->json().at("people").at("whitened").get<double>());
  EXPECT_THAT(people->words(), HasSubstr("People needed by each query: combination"));
  ASSERT_TRUE(plan("mean-test", {{"n", 2000}, {"csv", desk.path("power.csv")}, {"html", desk.path("power.html")}}).ok());
  EXPECT_THAT(desk.read("power.csv"), HasSubstr("n,whitened,scaled,combination,normal-combination\n100,"));
  EXPECT_THAT(desk.read("power.html"), HasSubstr("How often the test finds eta"));
  const auto volume = plan("region", {{"n", 2000}, {"query", "scaled"}});
  ASSERT_TRUE(volume.ok()) << volume.error().message();
  EXPECT_GT(volume->json().at("volume").get<double>(), 0);
  EXPECT_THAT(volume->words(), HasSubstr("with tacet release query --sd"));
  EXPECT_LT(plan("region", {{"n", 2000}, {"for", "data"}})->json().at("volume").get<double>(),
            plan("region", {{"n", 2000}})->json().at("volume").get<double>());
  EXPECT_THAT(volume->words(), HasSubstr("is clipped"));
  EXPECT_GT(volume->json().at("clipped").get<double>(), 1 / 2000.0) << "correlated rows are clipped more often than one in n";
  // Without a covariance, for the people in the file.
  const Json ranges = {{"eta", "2,1"}, {"rho", "0.02"}, {"range", "120,200"}, {"for", "data"}, {"n", 2000}};
  const auto data = perform("plan mean-test", ranges, desk.context);
  ASSERT_TRUE(data.ok()) << data.error().message();
  EXPECT_EQ(data->json().at("query"), "column");
  EXPECT_EQ(data->json().at("powers").size(), 4U);
  Json region = ranges;
  region.erase("eta");
  const auto of_data = perform("plan region", region, desk.context);
  ASSERT_TRUE(of_data.ok()) << of_data.error().message();
  EXPECT_NEAR(of_data->json().at("volume_ratio").get<double>(), 120 * 200 / ((120 * 120 + 200 * 200) / 2.0), 1e-9);
  EXPECT_NEAR(of_data->json().at("error_ratio").get<double>(), 2 * (120 * 120 + 200 * 200) / (320.0 * 320), 1e-9);
  EXPECT_THAT(of_data->words(), HasSubstr("of the volume of isotropic"));
  region["for"] = "population";
  EXPECT_EQ(perform("plan region", region, desk.context).error().name(), "covariance");
  EXPECT_EQ(plan("mean-test", Json::object()).error().name(), "n");
  EXPECT_EQ(plan("mean-test", {{"n", 10}, {"power", "0.8"}}).error().name(), "n");
  EXPECT_EQ(plan("region", {{"n", 10}, {"query", "bounded"}}).error().name(), "range");
  EXPECT_EQ(plan("region", {{"n", 10}, {"for", "me"}}).error().name(), "for");
}

}  // namespace
}  // namespace tacet::service
