// infer two-sample and infer k-sample.
#include <cmath>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/mechanisms/release_file.h"

#include "service/desk.h"
#include "workflow/moment_releases.h"

namespace tacet::service {
namespace {

using mechanisms::MomentRelease;
using test::covariance_release;
using test::Desk;
using test::people_at;
using ::testing::HasSubstr;

class TwoSample : public ::testing::Test {
 protected:
  TwoSample() {
    write("three.json", covariance_release({people_at(50, 60), people_at(50.3, 59.8), people_at(56, 60)}, {"a", "b", "c"}));
    write("one.json", covariance_release({people_at(50, 60)}));
    write("other.json", covariance_release({people_at(56, 60)}));
    MomentRelease wider = covariance_release({people_at(56, 60)});
    wider.columns[0].upper = 120;
    write("wider.json", wider);
    MomentRelease means = covariance_release({people_at(56, 60)});
    means.kind = mechanisms::MomentKind::Mean;
    means.parts[0].products.clear();
    write("means.json", means);
    MomentRelease empty = covariance_release({people_at(50, 60), people_at(50, 60)}, {"a", "b"});
    empty.parts[1].people = {-4, 6};
    write("empty.json", empty);
  }
  void write(const std::string& name, const MomentRelease& r) { desk.write(name, mechanisms::to_text(r)); }
  Result<Answer> answer(const std::vector<std::string>& files, const Json& more = Json::object(),
                        const std::string& verb = "infer two-sample") const {
    Json request = {{"releases", Json::array()}};
    for (const std::string& file : files) request["releases"].push_back(desk.path(file));
    if (!more.is_null()) request.update(more);
    return perform(verb, request, desk.context);
  }
  Result<Json> infer(const std::vector<std::string>& files, const Json& more = Json::object(),
                     const std::string& verb = "infer two-sample") const {
    TACET_TRY(const Answer compared, answer(files, more, verb));
    return compared.json();
  }
  Desk desk;
};

TEST_F(TwoSample, AnswersWithTheFieldsThatOthersRelyOn) {
  const auto compared = answer({"three.json"}, {{"groups", {"a", "b"}}});
  ASSERT_TRUE(compared.ok()) << compared.error().message();
  const Json result = compared->json();
  for (const std::string field : {"statistic", "df", "p_value", "critical", "power"}) EXPECT_TRUE(result.at(field).is_number()) << field;
  EXPECT_EQ(result.at("outcome"), "retain");
  EXPECT_TRUE(result.at("reason").is_null());
  EXPECT_EQ(result.at("df"), 2);
  const std::string words = compared->words();
  EXPECT_THAT(words, HasSubstr("No evidence that the means differ at level 0.05"));
  EXPECT_THAT(words, HasSubstr("arm=a"));
  EXPECT_THAT(words, HasSubstr("Distribution under the null hypothesis: 1999 simulated differences of means"));
  EXPECT_THAT(words, HasSubstr(" % of the variance of the difference; the rest is sampling.\n"));
}

TEST_F(TwoSample, FindsADifferenceBetweenGroupsAndBetweenReleases) {
  const auto groups = answer({"three.json"}, {{"groups", {"a", "c"}}, {"alpha", "0.01"}});
  ASSERT_TRUE(groups.ok()) << groups.error().message();
  EXPECT_EQ(groups->json().at("outcome"), "reject");
  EXPECT_THAT(groups->words(), HasSubstr("The groups have different means: equality rejected at level 0.01"));
  const auto releases = infer({"one.json", "other.json"}, {{"covariances", "unequal"}});
  EXPECT_EQ(releases->at("outcome"), "reject");
  EXPECT_NEAR(releases->at("means")[1][0].get<double>(), 56, 1e-9);
}

TEST_F(TwoSample, SaysByHowMuchAndWhereTheGroupsDiffer) {
  const auto compared = answer({"three.json"}, {{"groups", {"c", "a"}}});
  ASSERT_TRUE(compared.ok()) << compared.error().message();
  const Json result = compared->json();
  ASSERT_EQ(result.at("differences").size(), 2);
  const Json& ldl = result.at("differences")[0];
  EXPECT_EQ(ldl.at("first"), "arm=c");
  EXPECT_EQ(ldl.at("second"), "arm=a");
  EXPECT_EQ(ldl.at("column"), "ldl");
  EXPECT_NEAR(ldl.at("estimate").get<double>(), 6, 1e-9);
  // 1000 people of variance 100 in each group, and noise of 300 in each sum.
  EXPECT_NEAR(ldl.at("sd").get<double>(), std::sqrt(2 * (100.0 / 999 + 0.09)), 0.002);
  EXPECT_NEAR(ldl.at("file_sd").get<double>(), std::sqrt(2 * 0.09), 1e-9);
  EXPECT_LT(ldl.at("lower"), ldl.at("file_lower"));
  EXPECT_GT(ldl.at("upper"), ldl.at("file_upper"));
  EXPECT_EQ(ldl.at("differs"), true);
  EXPECT_EQ(result.at("differences")[1].at("differs"), false);
  EXPECT_EQ(result.at("differing_columns"), Json({"ldl"}));
  // Independent columns with deviation 10: a difference of 6 in one of them.
  const Json& distance = result.at("distances")[0];
  EXPECT_NEAR(distance.at("estimate").get<double>(), 0.6, 0.02);
  EXPECT_LT(distance.at("lower"), 0.6);
  EXPECT_GT(distance.at("upper"), 0.6);
  const Json& region = result.at("region");
  EXPECT_NEAR(region.at("center")[0].get<double>(), 6, 1e-9);
  EXPECT_NEAR(region.at("shape")[0][0].get<double>(), 2 * (100.0 / 999 + 0.09), 0.002);
  EXPECT_NEAR(region.at("radius").get<double>(), std::sqrt(5.99), 0.15);
  EXPECT_GT(region.at("volume"), 0);
  EXPECT_TRUE(result.at("warning").is_null());
  EXPECT_EQ(result.at("method"), "bootstrap");
  EXPECT_EQ(result.at("disjoint"), "groups of one release");
  const std::string words = compared->words();
  EXPECT_THAT(words, HasSubstr("Differences of means, arm=c minus arm=a, with intervals that all hold together with probability 0.95:\n"));
  EXPECT_THAT(words, HasSubstr("Columns that differ: ldl.\n"));
  EXPECT_THAT(words, HasSubstr("The Mahalanobis distance is about 0."));
}

// Practically without noise (the largest loss there is, and narrow bounds: deviations are a tenth
// of what is tolerated, so less than one run in 10^20 fails by chance), with columns in very
// different units, and missing values that are left out.
TEST_F(TwoSample, IsWithoutNoiseWhatTheRowsSay) {
  desk.write("trial.toml", R"(tacet = 1
dataset = "trial"
ledger = "trial.ledger"
neighbours = "replace-one"
[columns.arm]
membership = "public"
categories = ["old", "new"]
other = "old"
[columns.small]
lower = 0
upper = 0.0005
resolution = 0.000001
[columns.large]
lower = 500000000
upper = 1500000000
resolution = 1000
)");
  std::string rows = "arm,small,large\n";
  std::vector<std::vector<double>> present[2];
  for (int i = 0; i < 1200; ++i) {
    const int arm = i % 3 == 0 ? 1 : 0;
    const int small = 200 + (i * 37) % 101 + (arm == 1 ? 15 : 0);  // millionths
    const int large = 1000 + (i * 23) % 211;                       // millions
    const bool missing = i % 10 == 9;
    rows += fmt::format("{},{},{}\n", arm == 1 ? "new" : "old", missing ? "" : fmt::format("0.000{:03}", small),
                        fmt::format("{}000000", large));
    if (!missing) present[arm].push_back({small * 1e-6, large * 1e6});
  }
  desk.write("trial.csv", rows);
  const std::string schema = desk.path("trial.toml");
  const auto budget = desk.call("budget create", {{"schema", schema}, {"rho", 1e6}});
  ASSERT_TRUE(budget.ok()) << budget.error().message();
  const auto released = desk.call("release covariance", {{"data", desk.path("trial.csv")},
                                                         {"schema", schema},
                                                         {"columns", "small,large"},
                                                         {"group-by", "arm"},
                                                         {"for", "two-sample"},
                                                         {"rho", 1e6},
                                                         {"out", desk.path("trial.json")}});
  ASSERT_TRUE(released.ok()) << released.error().message();
  const auto compared = infer({"trial.json"});
  ASSERT_TRUE(compared.ok()) << compared.error().message();
  for (std::size_t j = 0; j < 2; ++j) {
    double mean[2] = {0, 0};
    double variance[2] = {0, 0};
    for (std::size_t g = 0; g < 2; ++g) {
      const auto n = static_cast<double>(present[g].size());
      for (const auto& row : present[g]) mean[g] += row[j] / n;
      for (const auto& row : present[g]) variance[g] += (row[j] - mean[g]) * (row[j] - mean[g]) / (n - 1) / n;
    }
    const double sd = std::sqrt(variance[0] + variance[1]);
    const Json& row = compared->at("differences")[j];
    EXPECT_NEAR(row.at("estimate").get<double>() / sd, (mean[0] - mean[1]) / sd, 0.01);
    EXPECT_NEAR(row.at("sd").get<double>() / sd, 1, 0.01);
    EXPECT_NEAR((row.at("upper").get<double>() - row.at("estimate").get<double>()) / sd, 2.24, 0.06);
    const auto tested = desk.call("infer t-test", {{"release", desk.path("trial.json")}, {"column", j == 0 ? "small" : "large"}});
    ASSERT_TRUE(tested.ok()) << tested.error().message();
    EXPECT_NEAR(tested->at("statistic").get<double>(), (mean[0] - mean[1]) / sd, 0.02);
    EXPECT_NEAR((tested->at("upper").get<double>() - tested->at("lower").get<double>()) / sd, 2 * 1.963, 0.06);
  }
  EXPECT_EQ(compared->at("differing_columns"), Json({"small"}));
}

TEST_F(TwoSample, HasTheTestsOfThePaperWithAWarning) {
  for (const std::string method : {"asymptotic", "paper-bootstrap"}) {
    const auto compared = answer({"three.json"}, {{"groups", {"a", "c"}}, {"method", method}});
    ASSERT_TRUE(compared.ok()) << compared.error().message();
    EXPECT_EQ(compared->json().at("method"), method);
    EXPECT_EQ(compared->json().at("outcome"), "reject");
    EXPECT_THAT(compared->json().at("warning").get<std::string>(), HasSubstr("does not keep its level"));
    EXPECT_THAT(compared->words(), HasSubstr("Warning: the "));
  }
  EXPECT_EQ(infer({"three.json"}, {{"method", "paper-bootstrap"}}, "infer k-sample").error().name(), "method");
}

TEST_F(TwoSample, RefusesCovariancesByEdExceptInTheTestsOfThePaper) {
  MomentRelease eigen = covariance_release({people_at(50, 60), people_at(56, 60)}, {"a", "b"});
  eigen.mechanism = mechanisms::MomentMechanism::Eigen;
  eigen.floating_point = "somewhere";
  write("eigen.json", eigen);
  const auto refused = infer({"eigen.json"});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code(), Code::Unsupported);
  EXPECT_THAT(refused.error().message(), HasSubstr("the noise of ed"));
  const auto printed = infer({"eigen.json"}, {{"method", "paper-bootstrap"}});
  ASSERT_TRUE(printed.ok()) << printed.error().message();
  EXPECT_TRUE(printed->at("differences").empty());
  EXPECT_TRUE(printed->at("region").is_null());
}

TEST_F(TwoSample, ComparesAllGroupsAtOnce) {
  const auto all = infer({"three.json"}, {}, "infer k-sample");
  ASSERT_TRUE(all.ok()) << all.error().message();
  EXPECT_EQ(all->at("outcome"), "reject");
  EXPECT_EQ(all->at("df"), 4);
  EXPECT_EQ(all->at("groups").size(), 3);
  EXPECT_EQ(all->at("differences").size(), 6) << "three pairs, two columns";
  EXPECT_EQ(all->at("distances").size(), 3);
  EXPECT_TRUE(all->at("region").is_null());
  const auto first = answer({"three.json"}, {{"pairs", "first"}}, "infer k-sample");
  EXPECT_EQ(first->json().at("differences").size(), 4);
  EXPECT_THAT(first->words(), HasSubstr("arm=a minus arm=c"));
}

TEST_F(TwoSample, IsInconclusiveAndPrintsNoMeanIfAGroupMayBeEmpty) {
  MomentRelease few = covariance_release({people_at(50, 60), people_at(50, 60)}, {"a", "b"});
  few.parts[1].people = {8, 6};
  write("few.json", few);
  const auto compared = answer({"few.json"});
  ASSERT_TRUE(compared.ok()) << compared.error().message();
  EXPECT_TRUE(compared->json().at("means")[0].is_array());
  EXPECT_TRUE(compared->json().at("means")[1].is_null());
  const std::string reason =
      "group arm=b has no mean to compare: its noisy number of people, 8, is within 2 times its noise (sd 6) of 0, so there may be nobody";
  EXPECT_EQ(compared->json().at("outcome"), "inconclusive");
  EXPECT_EQ(compared->json().at("reason"), reason);
  for (const std::string field : {"statistic", "p_value", "critical", "power", "null_law", "noise_share", "draws"})
    EXPECT_TRUE(compared->json().at(field).is_null()) << field;
  EXPECT_EQ(compared->json().at("df"), 2);
  EXPECT_TRUE(compared->json().at("differences").empty());
  EXPECT_TRUE(compared->json().at("distances").empty());
  EXPECT_THAT(compared->words(), HasSubstr("Inconclusive: " + reason + ".\n"));
  EXPECT_THAT(compared->words(), HasSubstr("no answer"));
  EXPECT_EQ(infer({"empty.json"}, {}, "infer k-sample")->at("outcome"), "inconclusive");
  EXPECT_EQ(infer({"few.json"}, {{"draws", 5}}).error().name(), "draws") << "a wrong request is refused first";
}

TEST_F(TwoSample, RefusesWhatCannotBeCompared) {
  EXPECT_EQ(infer({"three.json"}).error().name(), "releases");  // three groups
  EXPECT_EQ(infer({"one.json"}).error().name(), "releases");    // no groups
  EXPECT_EQ(infer({"one.json", "wider.json"}).error().name(), "releases");
  EXPECT_EQ(infer({"one.json", "three.json"}).error().name(), "releases");
  EXPECT_EQ(infer({"three.json"}, {{"groups", {"a", "z"}}}).error().name(), "groups");
  EXPECT_EQ(infer({"one.json", "other.json"}, {{"groups", {"a", "b"}}}).error().name(), "groups");
  EXPECT_EQ(infer({"one.json", "means.json"}).error().code(), Code::Unsupported);
  EXPECT_EQ(infer({"three.json"}, {{"groups", {"a", "a"}}}).error().message(), "groups is a, twice, but must be different groups");
  EXPECT_EQ(infer({"one.json", "other.json"}, {{"covariances", "some"}}).error().name(), "covariances");
  EXPECT_EQ(infer({"one.json", "other.json"}, {{"draws", 5}}).error().name(), "draws");
}

}  // namespace
}  // namespace tacet::service
