// infer independence, infer gwas and plan independence.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "service/desk.h"

namespace tacet::service {
namespace {

using test::Desk;
using ::testing::HasSubstr;

class Independence : public ::testing::Test {
 protected:
  Independence() {
    desk.write("near.json", "[[251, 249], [247, 252]]");
    desk.write("far.json", "[[400, 100], [100, 400]]");
    desk.write("row.json", "[10, 20, 30]");
    desk.write("genotypes.json", "[[171.2, 248.9], [160.4, 130.1], [166.8, 121.5]]");
    desk.write("joint.json", "[[0.27, 0.23], [0.23, 0.27]]");
    desk.write("heavy.json", "[[0.5, 0.3], [0.3, 0.3]]");
    release("near_release.json", "near.json", "gaussian:8", 1000);
    release("far_release.json", "far.json", "laplace:8", 1000);
    release("row_release.json", "row.json", "gaussian:8", 60);
    release("genotypes_release.json", "genotypes.json", "gaussian:10", 1000);
  }
  void release(const std::string& out, const std::string& values, const std::string& noise, int n) const {
    const auto made = desk.call("import table", {{"values", desk.path(values)}, {"noise", noise}, {"out", desk.path(out)}, {"n", n}});
    ASSERT_TRUE(made.ok()) << made.error().message();
  }
  Json asked(const std::string& file, const Json& more) const {
    Json request = {{"release", desk.path(file)}};
    if (!more.is_null()) request.update(more);
    return request;
  }
  Result<Json> infer(const std::string& file, const Json& more = Json::object(), const std::string& verb = "infer independence") const {
    return desk.call(verb, asked(file, more));
  }
  std::string said(const std::string& file, const Json& more = Json::object(), const std::string& verb = "infer independence") const {
    return desk.words(verb, asked(file, more));
  }
  Desk desk;
};

TEST_F(Independence, AnswersWithTheFieldsThatOthersRelyOn) {
  for (const std::string statistic : {"classical", "projected", "nonprojected"}) {
    for (const std::string method : {"asymptotic", "montecarlo", "bootstrap", "auto"}) {
      const Json more = {{"statistic", statistic}, {"method", method}, {"draws", 999}};
      const auto result = infer("near_release.json", more);
      ASSERT_TRUE(result.ok()) << result.error().message();
      for (const std::string field : {"statistic", "df", "p_value", "critical", "power"})
        EXPECT_TRUE(result->at(field).is_number()) << field;
      EXPECT_EQ(result->at("outcome"), "retain");
      EXPECT_EQ(result->at("fitted").size(), 2);
      EXPECT_THAT(said("near_release.json", more), HasSubstr("No evidence against independence at level 0.05"));
    }
  }
}

TEST_F(Independence, RejectsAndSaysSo) {
  const auto result = infer("far_release.json", {{"alpha", "0.01"}});
  EXPECT_EQ(result->at("outcome"), "reject");
  EXPECT_EQ(result->at("method"), "montecarlo");
  EXPECT_THAT(said("far_release.json", {{"alpha", "0.01"}}), HasSubstr("Rows and columns depend on each other: rejected at level 0.01"));
}

TEST_F(Independence, TakesTwoVariablesOfMore) {
  Json file = Json::parse(desk.read("far_release.json"));
  file["axes"] = {{{"name", "smoking"}, {"labels", {"no", "yes"}}}, {{"name", "ill"}, {"labels", {"no", "yes"}}}};
  desk.write("named.json", file.dump());
  const Json two = {{"rows", "ill"}, {"columns", "smoking"}};
  const auto result = infer("named.json", two);
  ASSERT_TRUE(result.ok()) << result.error().message();
  EXPECT_EQ(result->at("rows"), "ill");
  EXPECT_THAT(said("named.json", two), HasSubstr("ill and smoking depend on each other"));
  EXPECT_EQ(infer("named.json", {{"rows", "ill"}}).error().name(), "columns");
  EXPECT_EQ(infer("named.json", {{"rows", "ill"}, {"columns", "height"}}).error().name(), "variable");
}

TEST_F(Independence, RefusesWhatIsNoTableOfTwoVariables) {
  EXPECT_EQ(infer("row_release.json").error().name(), "release");
  EXPECT_EQ(infer("near_release.json", {{"statistic", "best"}}).error().name(), "statistic");
  EXPECT_EQ(infer("near_release.json", {{"alpha", "0.7"}}).error().name(), "alpha");
  EXPECT_EQ(infer("near_release.json", {{"draws", 5}, {"method", "montecarlo"}}).error().name(), "draws");
}

TEST_F(Independence, OfGenotypesShowsTheBaseline) {
  const auto result = infer("genotypes_release.json", {}, "infer gwas");
  ASSERT_TRUE(result.ok()) << result.error().message();
  EXPECT_EQ(result->at("outcome"), "reject");
  EXPECT_EQ(result->at("df"), 2);
  EXPECT_NEAR(result->at("baseline_critical").get<double>(), 48.55255177, 1e-6);
  EXPECT_THAT(said("genotypes_release.json", {}, "infer gwas"), HasSubstr("the critical value would be 48.55"));
  EXPECT_EQ(infer("near_release.json", {}, "infer gwas").error().name(), "release");
}

TEST_F(Independence, OfGenotypesTakesANoisedStatisticToo) {
  const Json request = {{"noised", "61.3"}, {"n", 1000}, {"rho", "0.01"}};
  const auto noised = desk.call("infer gwas", request);
  ASSERT_TRUE(noised.ok()) << noised.error().message();
  EXPECT_EQ(noised->at("outcome"), "reject");
  EXPECT_EQ(noised->at("df"), 2);
  EXPECT_NEAR(noised->at("critical").get<double>(), 48.552551771097889, 1e-7);
  EXPECT_THAT(desk.words("infer gwas", request), HasSubstr("Genotype and disease depend on each other: rejected at level 0.05"));
  EXPECT_THAT(desk.words("infer gwas", {{"noised", 3}, {"n", 20}, {"rho", "1"}}), HasSubstr("Inconclusive: among 20 people"));
  const auto refused = [&](const Json& wrong) { return desk.call("infer gwas", wrong).error().name(); };
  EXPECT_EQ(refused(Json::object()), "release");
  EXPECT_EQ(refused({{"release", desk.path("genotypes_release.json")}, {"noised", 3}, {"n", 100}, {"rho", "1"}}), "release");
  EXPECT_EQ(refused({{"release", desk.path("genotypes_release.json")}, {"rho", "1"}}), "rho");
  EXPECT_EQ(refused({{"noised", 3}, {"n", 100}}), "rho");
  EXPECT_EQ(refused({{"noised", 3}, {"rho", "1"}}), "n");
  EXPECT_EQ(refused({{"noised", 3}, {"n", 101}, {"rho", "1"}}), "n");
  EXPECT_EQ(refused({{"noised", "x"}, {"n", 100}, {"rho", "1"}}), "noised");
  EXPECT_EQ(refused({{"noised", 3}, {"n", 100}, {"rho", "0"}}), "rho");
  EXPECT_EQ(refused({{"noised", 3}, {"n", 100}, {"rho", "1"}, {"method", "montecarlo"}}), "method");
}

TEST_F(Independence, ServesLocalReleases) {
  desk.write("reports.json", "[[330, 230], [240, 200]]");
  desk.write("bits.json", "[[0.47, 0.45], [0.43, 0.4]]");
  for (const auto& [kind, reports] : {std::pair("exp", "reports.json"), std::pair("flip", "bits.json")}) {
    const std::string out = std::string(kind) + "_release.json";
    ASSERT_TRUE(
        desk.call("import local", {{"reports", desk.path(reports)}, {"kind", kind}, {"epsilon", "1"}, {"n", 1000}, {"out", desk.path(out)}})
            .ok());
    const auto result = infer(out);
    ASSERT_TRUE(result.ok()) << result.error().message();
    EXPECT_EQ(result->at("df"), 1);
    EXPECT_EQ(result->at("outcome"), "retain");
    EXPECT_EQ(result->at("n"), 1000);
    EXPECT_EQ(infer(out, {{"statistic", "nonprojected"}}).error().name(), "statistic");
    EXPECT_EQ(infer(out, {}, "infer gwas").error().name(), "release");
  }
}

TEST_F(Independence, IsPlannedByPowerOrPeople) {
  const Json base = {{"alternative", desk.path("joint.json")}, {"rho", "0.01"}};
  Json with_n = base;
  with_n["n"] = 2000;
  const auto power = desk.call("plan independence", with_n);
  ASSERT_TRUE(power.ok()) << power.error().message();
  EXPECT_NEAR(power->at("power").get<double>(), 0.9042, 1e-4);
  Json with_power = base;
  with_power["power"] = "0.8";
  const auto people = desk.call("plan independence", with_power);
  EXPECT_EQ(people->at("n"), 1545);
  EXPECT_GE(people->at("power").get<double>(), 0.8);
  EXPECT_EQ(desk.call("plan independence", base).error().name(), "n");
  EXPECT_EQ(desk.call("plan independence", {{"alternative", desk.path("heavy.json")}, {"rho", "0.01"}, {"n", 10}}).error().name(),
            "alternative");
  EXPECT_EQ(desk.call("plan independence", {{"alternative", desk.path("row.json")}, {"rho", "0.01"}, {"n", 10}}).error().name(),
            "alternative");
  EXPECT_EQ(desk.call("plan independence", {{"alternative", desk.path("joint.json")}, {"rho", "0"}, {"n", 10}}).error().name(), "rho");
}

TEST_F(Independence, IsPlannedBySimulationAndDrawn) {
  const Json request = {{"alternative", desk.path("joint.json")},
                        {"epsilon", "0.2"},
                        {"n", 2000},
                        {"method", "simulation"},
                        {"draws", 999},
                        {"csv", desk.path("power.csv")},
                        {"html", desk.path("power.html")}};
  const auto result = perform("plan independence", request, desk.context);
  ASSERT_TRUE(result.ok()) << result.error().message();
  EXPECT_GT(result->json().at("standard_error").get<double>(), 0);
  EXPECT_EQ(result->json().at("noise").at("family"), "laplace");
  EXPECT_THAT(desk.read("power.csv"), HasSubstr("n,classical,classical_standard_error,projected"));
  EXPECT_THAT(desk.read("power.html"), HasSubstr("Independence at level 0.05"));
  EXPECT_THAT(result->words(), HasSubstr("finds this dependence with probability"));
}

}  // namespace
}  // namespace tacet::service
