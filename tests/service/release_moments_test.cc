#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/mechanisms/covariance.h"
#include "tacet/mechanisms/release_file.h"

#include "service/moment_desk.h"

namespace tacet::service {
namespace {

using test::MomentDesk;
using ::testing::HasSubstr;

TEST(ReleaseMoments, MeansOfAllMechanismsAreNearTheTruthAndReadBack) {
  for (const Json& how :
       {Json{{"rho", 100}}, Json{{"mechanism", "laplace"}, {"epsilon", 500}}, Json{{"mechanism", "k-norm"}, {"epsilon", 500}},
        Json{{"epsilon", 100}, {"delta", "1e-6"}}, Json{{"mu", 14}, {"goal", "region"}}}) {
    const MomentDesk desk;
    ASSERT_TRUE(desk.budget("create", {{"rho", 1000000}}).ok());
    const auto result = desk.publish("mean", how);
    ASSERT_TRUE(result.ok()) << how << result.error().message();
    EXPECT_NEAR(result->at("values").at(0).get<double>(), 170, 1) << how;
    EXPECT_NEAR(result->at("values").at(1).get<double>(), 70, 1) << how;
    EXPECT_EQ(result->at("n"), 400);
    EXPECT_EQ(result->at("kind"), "mean");
    EXPECT_EQ(result->at("guarantee"), "exact");
    const mechanisms::MomentRelease read = *mechanisms::read_release_as<mechanisms::MomentRelease>(desk.path("r.json"));
    EXPECT_EQ(read.mean(0), result->at("values").get<std::vector<double>>());
    EXPECT_THAT(desk.said, HasSubstr("Noisy mean of everybody (400 people)"));
    EXPECT_THAT(desk.said, HasSubstr("Missing numbers count as 160 (height), 70 (weight).\n"));
    EXPECT_EQ(result->at("statement").at("missing_numbers"), (Json{{"height", 160.0}, {"weight", 70.0}}));
  }
}

TEST(ReleaseMoments, SayWhatBecomesOfMissingNumbers) {
  const MomentDesk desk;
  std::string schema = desk.read("people.toml") + "\n[columns.born]\ndate = true\nlower = 1900-01-01\nupper = 2000-12-31\n";
  schema.erase(schema.find("missing = 160\n"), 14);
  desk.write("people.toml", schema + "missing = 1950-06-30\n");
  desk.write("people.csv", "height,weight,treated,born\n150,60,no,1950-01-01\nNA,60,no,1960-01-01\n170,,yes,\n");
  ASSERT_TRUE(desk.budget("create", {{"rho", 1000000}}).ok());
  for (const std::string kind : {"sum", "mean", "second-moment", "covariance"}) {
    const auto result = desk.publish(kind, {{"rho", 1000}, {"columns", "height,weight,born"}, {"out", desk.path(kind + ".json")}});
    ASSERT_TRUE(result.ok()) << result.error().message();
    EXPECT_THAT(desk.said,
                HasSubstr("Rows without a number in height are left out.\nMissing numbers count as 1950-06-30 (born), 70 (weight).\n"));
    EXPECT_EQ(result->at("statement").at("missing_numbers"), (Json{{"born", "1950-06-30"}, {"height", "left out"}, {"weight", 70.0}}));
  }
  const Json query = {{"data", desk.path("people.csv")},
                      {"schema", desk.path("people.toml")},
                      {"columns", "height,weight"},
                      {"direction", "1,-1"},
                      {"rho", 1000},
                      {"out", desk.path("q.json")}};
  ASSERT_TRUE(desk.call("release query", query).ok());
  EXPECT_THAT(desk.said, HasSubstr("Rows without a number in height are left out.\nMissing numbers count as 70 (weight).\n"));
}

TEST(ReleaseMoments, MeansOfDatesAreDates) {
  const MomentDesk desk;
  desk.write("people.toml",
             "tacet = 1\ndataset = \"people\"\nledger = \"people.ledger\"\n[columns.born]\ndate = true\nlower = 1900-01-01\nupper = "
             "2000-12-31\n[columns.age]\nlower = 0\nupper = 100\nresolution = 1\n");
  std::string csv = "born,age\n";
  for (int i = 0; i < 400; ++i) csv += i % 2 == 0 ? "1950-03-01,40\n" : "1950-03-03,50\n";
  desk.write("people.csv", csv);
  ASSERT_TRUE(desk.budget("create", {{"rho", 1000000}}).ok());
  const auto mean = desk.publish("mean", {{"rho", 900000}, {"columns", "born,age"}, {"out", desk.path("mean.json")}});
  ASSERT_TRUE(mean.ok()) << mean.error().message();
  EXPECT_THAT(desk.said, ::testing::ContainsRegex("born +1950-03-0[12] +0\\.[0-9]+ days\n"));
  EXPECT_EQ(mean->at("statement").at("dates"), Json::array({"born"}));
  const auto region = desk.call("infer region", {{"release", desk.path("mean.json")}});
  ASSERT_TRUE(region.ok()) << region.error().message();
  EXPECT_THAT(desk.said, ::testing::ContainsRegex("born +1950-03-0[12] +1950-03-0[12] +1950-03-0[12]"));
  EXPECT_THAT(desk.said, HasSubstr("  age "));
}

TEST(ReleaseMoments, CountManyColumnsWithMissingNumbersInPlaceOfNamingThem) {
  const MomentDesk desk;
  std::string schema = "tacet = 1\ndataset = \"people\"\nledger = \"people.ledger\"\n";
  for (const char* column : {"a", "b", "c", "d"}) schema += fmt::format("[columns.{}]\nlower = 0\nupper = 9\nresolution = 1\n", column);
  desk.write("people.toml", schema);
  desk.write("people.csv", "a,b,c,d\n1,2,3,4\n1,2,3,5\n");
  ASSERT_TRUE(desk.budget("create", {{"rho", 1000000}}).ok());
  ASSERT_TRUE(desk.publish("mean", {{"rho", 1000}, {"columns", "a,b,c,d"}, {"out", desk.path("four.json")}}).ok());
  EXPECT_THAT(desk.said, HasSubstr("\nRows without a number in one of the 4 columns are left out.\n"));
}

TEST(ReleaseMoments, WithoutAMechanismTheNoiseFollowsFromTheLoss) {
  for (const std::string kind : {"sum", "mean", "second-moment", "covariance"}) {
    const std::vector<std::pair<Json, std::string>> chosen = {{{{"epsilon", 1}}, "laplace"},
                                                              {{{"epsilon", 1}, {"delta", "1e-6"}}, "gaussian"},
                                                              {{{"rho", "0.1"}}, "gaussian"},
                                                              {{{"mu", "0.5"}}, "gaussian"}};
    for (const auto& [loss, mechanism] : chosen) {
      const MomentDesk desk;
      ASSERT_TRUE(desk.budget("create", {{"rho", 1000000}}).ok());
      const auto result = desk.publish(kind, loss);
      ASSERT_TRUE(result.ok()) << kind << loss << result.error().message();
      EXPECT_EQ(result->at("statement").at("mechanism"), mechanism) << kind << loss;
    }
  }
}

TEST(ReleaseMoments, GroupsAreOfOneColumn) {
  const MomentDesk desk;
  ASSERT_TRUE(desk.budget("create", {{"rho", 10}}).ok());
  const auto refused = desk.publish("mean", {{"rho", 1}, {"group-by", "treated,height"}});
  EXPECT_EQ(refused.error().message(),
            "group-by is \"treated,height\", but must be one column; release by each column alone, or add a column to the data that joins "
            "them and declare its categories");
}

TEST(ReleaseMoments, TheNoiseIsWhatTheTheoremsAskFor) {
  const MomentDesk desk;
  ASSERT_TRUE(desk.budget("create", {{"mu", 10}}).ok());
  const Json result = *desk.publish("sum", {{"mu", 2}, {"goal", "least-squares"}});
  const Json& sums = result.at("parts").at(0).at("sums");
  // Aggregation, Theorem 5: sides 120 and 200 share mu = 2 in the ratio of their sizes; the total
  // error is (sum of sides/mu)^2.
  const double first = sums.at(0).at("scale");
  const double second = sums.at(1).at("scale");
  EXPECT_NEAR(first * first + second * second, std::pow(320.0 / 2, 2), 1e-6);
  EXPECT_NEAR(120 * 120 / (first * first) + 200 * 200 / (second * second), 4, 1e-9);
  const Json region = *desk.publish("sum", {{"mu", 2}, {"goal", "region"}, {"out", desk.path("region.json")}});
  const Json usual = *desk.publish("sum", {{"mu", 2}, {"out", desk.path("usual.json")}});
  EXPECT_EQ(usual.at("noise_sd"), region.at("noise_sd")) << "region is the default";
  EXPECT_EQ(usual.at("statement").at("goal"), "region");
  const Json& even = region.at("parts").at(0).at("sums");
  EXPECT_NEAR(even.at(1).at("scale").get<double>() / even.at(0).at("scale").get<double>(), 200.0 / 120, 1e-9);
}

TEST(ReleaseMoments, CovarianceIsPositiveDefiniteAndNearTheTruth) {
  const MomentDesk desk;
  ASSERT_TRUE(desk.budget("create", {{"rho", 1000000}}).ok());
  const auto result = desk.publish("covariance", {{"rho", 10000}});
  ASSERT_TRUE(result.ok()) << result.error().message();
  const Json& matrix = result->at("values");
  EXPECT_NEAR(matrix.at(0).at(0).get<double>(), 200, 5);
  EXPECT_NEAR(matrix.at(0).at(1).get<double>(), 100, 5);
  EXPECT_NEAR(matrix.at(1).at(1).get<double>(), 100, 5);
  EXPECT_EQ(matrix.at(0).at(1), matrix.at(1).at(0));
  const Json noisy = *desk.publish("covariance", {{"rho", "0.0001"}, {"out", desk.path("noisy.json")}});
  const double determinant = noisy.at("values").at(0).at(0).get<double>() * noisy.at("values").at(1).at(1).get<double>() -
                             std::pow(noisy.at("values").at(0).at(1).get<double>(), 2);
  EXPECT_GT(determinant, 0) << "whatever the noise";
  EXPECT_EQ(desk.entries(), 2U) << "means and second moments together are one charge";
}

TEST(ReleaseMoments, GroupsAreApartAndPublicMembershipCostsNoCounts) {
  const MomentDesk desk;
  ASSERT_TRUE(desk.budget("create", {{"rho", 1000000}}).ok());
  const Json open = *desk.publish("mean", {{"rho", 1000}, {"group-by", "treated"}, {"membership", "public"}});
  EXPECT_NEAR(open.at("values").at(0).at(1).get<double>(), 60, 1);
  EXPECT_NEAR(open.at("values").at(1).at(1).get<double>(), 80, 1);
  EXPECT_EQ(open.at("parts").at(0).at("people").at("scale"), 0);
  const Json hidden =
      *desk.publish("mean", {{"rho", 1000}, {"group-by", "treated"}, {"membership", "private"}, {"out", desk.path("hidden.json")}});
  EXPECT_GT(hidden.at("parts").at(0).at("people").at("scale").get<double>(), 0);
  EXPECT_NEAR(hidden.at("parts").at(0).at("people").at("value").get<double>(), 200, 5);
  EXPECT_TRUE(hidden.at("n").is_null());
}

TEST(ReleaseMoments, UnderAddOrRemoveOneTheNumberOfPeopleIsNoisyToo) {
  const MomentDesk desk("add-or-remove-one");
  ASSERT_TRUE(desk.budget("create", {{"rho", 1000000}}).ok());
  const auto result = desk.publish("mean", {{"rho", 1000}});
  ASSERT_TRUE(result.ok()) << result.error().message();
  EXPECT_TRUE(result->at("n").is_null());
  EXPECT_NEAR(result->at("values").at(0).get<double>(), 170, 2);
}

TEST(ReleaseMoments, ForATwoSampleTestSumsHaveKNormNoiseAndProductsLaplaceNoise) {
  const MomentDesk desk;
  ASSERT_TRUE(desk.budget("create", {{"epsilon", 1000}}).ok());
  const auto result =
      desk.publish("covariance", {{"epsilon", 100}, {"for", "two-sample"}, {"group-by", "treated"}, {"membership", "public"}});
  ASSERT_TRUE(result.ok()) << result.error().message();
  EXPECT_EQ(result->at("noise").at("family"), "k-norm+laplace");
  EXPECT_EQ(result->at("noise").at("structure"), "k-norm+independent");
  EXPECT_EQ(result->at("guarantee"), "exact");
  EXPECT_EQ(result->at("statement").at("goal"), "two-sample");
  EXPECT_EQ(desk.entries(), 1U) << "one charge for both";
  // Half widths 60 and 100. The cube has 92 of epsilon, the squares 3 each, their product 2.
  const Json& part = result->at("parts").at(0);
  EXPECT_NEAR(part.at("sums").at(0).at("scale").get<double>(), 120.0 / 92, 1e-4);
  EXPECT_NEAR(part.at("sums").at(1).at("scale").get<double>(), 200.0 / 92, 1e-4);
  EXPECT_NEAR(part.at("products").at(0).at("scale").get<double>(), 60 * 60 / 3.0, 1e-3);
  EXPECT_NEAR(part.at("products").at(1).at("scale").get<double>(), 60 * 100 / 2.0, 1e-3);
  EXPECT_NEAR(part.at("products").at(2).at("scale").get<double>(), 100 * 100 / 3.0, 1e-3);
  const mechanisms::MomentRelease read = *mechanisms::read_release_as<mechanisms::MomentRelease>(desk.path("r.json"));
  EXPECT_EQ(read.draw_size(), 2U);
  EXPECT_DOUBLE_EQ(read.sum_noise_sd(1), 2);  // (2 + 1)(2 + 2)/3
  EXPECT_DOUBLE_EQ(read.product_noise_sd(1), std::sqrt(2.0));
  const auto tested = desk.call("infer two-sample", {{"releases", desk.path("r.json")}});
  ASSERT_TRUE(tested.ok()) << tested.error().message();
  EXPECT_EQ(tested->at("outcome"), "reject") << "20 kg apart, among 200 people each";
}

TEST(ReleaseMoments, LaplaceNoiseHasOnePriceHoweverItIsAskedFor) {
  for (const std::string kind : {"mean", "covariance"}) {
    const MomentDesk desk;
    ASSERT_TRUE(desk.budget("create", {{"rho", 1}}).ok());
    const auto by_epsilon = desk.publish(kind, {{"mechanism", "laplace"}, {"epsilon", "0.6"}});
    ASSERT_TRUE(by_epsilon.ok()) << by_epsilon.error().message();
    const Json& privacy = by_epsilon->at("privacy");
    EXPECT_EQ(privacy.at("epsilon"), 0.6);
    // All figures share epsilon, so that it costs less in rho than one of them would.
    EXPECT_LT(privacy.at("rho").get<double>(), 0.6 + std::expm1(-0.6));
    const std::string charged = privacy.at("charged");
    const std::string rho = charged.substr(charged.find("rho ") + 4, charged.find(')') - charged.find("rho ") - 4);
    const auto by_rho = desk.publish(kind, {{"mechanism", "laplace"}, {"rho", rho}, {"out", desk.path("again.json")}});
    ASSERT_TRUE(by_rho.ok()) << by_rho.error().message();
    EXPECT_EQ(by_rho->at("privacy"), privacy);
    for (const char* figures : {"sums", "products"}) {
      for (std::size_t i = 0; i < by_rho->at("parts").at(0).at(figures).size(); ++i)
        EXPECT_EQ(by_rho->at("parts")[0][figures][i]["scale"], by_epsilon->at("parts")[0][figures][i]["scale"]);
    }
    EXPECT_TRUE(desk.budget("history").ok());
  }
}

TEST(ReleaseMoments, ForATwoSampleTestOtherMechanismsKeepTheirNames) {
  for (const auto& [how, family] :
       std::vector<std::pair<Json, std::string>>{{{{"rho", 100}}, "gaussian"},
                                                 {{{"mechanism", "laplace"}, {"epsilon", 100}}, "laplace"},
                                                 {{{"mechanism", "k-norm+laplace"}, {"mu", 10}}, "k-norm+laplace"}}) {
    const MomentDesk desk;
    ASSERT_TRUE(desk.budget("create", {{"rho", 1000000}}).ok());
    Json request = how;
    request["for"] = "two-sample";
    const auto result = desk.publish("covariance", request);
    ASSERT_TRUE(result.ok()) << result.error().message();
    EXPECT_EQ(result->at("noise").at("family"), family);
  }
}

TEST(ReleaseMoments, BadRequestsSpendNothing) {
  const MomentDesk desk;
  ASSERT_TRUE(desk.budget("create", {{"rho", 1}}).ok());
  const auto refused = [&](const std::string& verb, const Json& more, const std::string& part) {
    const auto result = desk.publish(verb, more);
    ASSERT_FALSE(result.ok()) << more;
    EXPECT_THAT(result.error().message(), HasSubstr(part));
    EXPECT_EQ(desk.spent(), "rho 0");
    EXPECT_FALSE(desk.has("r.json"));
  };
  refused("mean", {{"rho", 2}}, "needs rho 2");
  refused("mean", {{"rho", "0.1"}, {"columns", "treated"}}, "treated");
  refused("mean", {{"rho", "0.1"}, {"columns", "height,height"}}, "height");
  refused("mean", {{"rho", "0.1"}, {"columns", "shoe"}}, "shoe");
  refused("mean", {{"rho", "0.1"}, {"goal", "best"}}, "goal is best, but must be region, least-squares or isotropic");
  refused("mean", {{"rho", "0.1"}, {"goal", "two-sample"}}, "goal is two-sample");
  refused("mean", {{"rho", "0.1"}, {"mechanism", "exponential"}}, "mechanism is exponential");
  refused("covariance", {{"rho", "0.1"}, {"for", "two-sample"}, {"goal", "region"}}, "cannot be given with for");
  refused("covariance", {{"rho", "0.1"}, {"for", "gof"}}, "for is gof, but must be two-sample");
  refused("covariance", {{"rho", "0.1"}, {"for", "region"}}, "for is region");
  refused("mean", {{"rho", "0.1"}, {"mechanism", "k-norm+laplace"}}, "must be gaussian, laplace or k-norm");
  refused("mean", {{"epsilon", "0.1"}, {"mechanism", "gaussian"}}, "Gaussian noise is never pure");
  refused("mean", {{"epsilon", "0.1"}, {"delta", "1e-6"}, {"mechanism", "laplace"}}, "needs no delta");
  refused("mean", {{"rho", "0.1"}, {"membership", "public"}}, "goes with group-by");
  refused("mean", {{"rho", "0.1"}, {"group-by", "height"}}, "height");
  refused("query", {{"rho", "0.1"}}, "must be one of direction");
  refused("query", {{"rho", "0.1"}, {"direction", "1"}}, "one for each of the 2 columns");
  refused("query", {{"rho", "0.1"}, {"direction", "0,0"}}, "all zeros");
  refused("query", {{"rho", "0.1"}, {"sd", "1,2"}}, "n is missing");
  refused("query", {{"rho", "0.1"}, {"sd", "1,-2"}, {"n", 400}}, "sd is -2");
  desk.write("singular.json", "[[1, 1], [1, 1]]");
  refused("query", {{"rho", "0.1"}, {"covariance", desk.path("singular.json")}, {"n", 400}}, "positive definite");
  desk.write("sigma.json", "[[200, 100], [100, 100]]");
  const std::string sigma = desk.path("sigma.json");
  refused("query", {{"rho", "0.1"}, {"goal", "test"}, {"direction", "1,0"}, {"n", 400}}, "must have a direction");
  refused("query", {{"rho", "0.1"}, {"goal", "test"}, {"direction", "1,0"}, {"covariance", sigma}, {"n", 400}}, "null is missing");
  refused("query", {{"rho", "0.1"}, {"goal", "test"}, {"direction", "1,0"}, {"covariance", sigma}, {"null", "1"}, {"n", 400}},
          "null is 1 numbers");
  refused("query", {{"rho", "0.1"}, {"goal", "test"}, {"direction", "1,0"}, {"covariance", sigma}, {"null", "1,1"}}, "n is missing");
  refused("query", {{"rho", "0.1"}, {"sd", "1,2"}, {"n", 400}, {"null", "1,1"}}, "goes with goal = test");
  refused("query", {{"rho", "0.1"}, {"weights", "1,2"}, {"n", 400}}, "weights is without a length");
  refused("query", {{"rho", "0.1"}, {"weights", "1,0"}, {"radius", 3}}, "weights is 0");
  refused("query", {{"rho", "0.1"}, {"weights", "1,2"}, {"goal", "isotropic"}, {"radius", 3}}, "given with a goal");
  refused("query", {{"rho", "0.1"}, {"direction", "1,2"}, {"radius", 3}}, "goes with rows that are clipped");
  refused("query", {{"rho", "0.1"}, {"sd", "1,2"}, {"gamma", 0.1}, {"radius", 3}}, "radius is given with gamma");
  refused("query", {{"rho", "0.1"}, {"goal", "best"}}, "goal is best");
  refused("mean", {{"rho", "0.1"}, {"weights", "1"}}, "must be one for each of the 2 columns");
  refused("mean", {{"rho", "0.1"}, {"weights", "1,-1"}}, "weights is -1");
  refused("mean", {{"rho", "0.1"}, {"weights", "1,1"}, {"goal", "region"}}, "given with a goal");
  refused("mean", {{"epsilon", "0.1"}, {"weights", "1,1"}, {"mechanism", "k-norm"}}, "goes with gaussian or laplace");
}

TEST(ReleaseMoments, BadRowsCountAsDeclared) {
  const MomentDesk desk;
  desk.write("people.csv", "height,weight,treated\nnan,inf,no\n-inf,1e308,yes\ntall,,no\n1e-320,-5,yes\n");
  ASSERT_TRUE(desk.budget("create", {{"rho", 1000000}}).ok());
  const auto result = desk.publish("mean", {{"rho", 100000}});
  ASSERT_TRUE(result.ok()) << result.error().message();
  EXPECT_NEAR(result->at("values").at(0).get<double>(), (160 + 100 + 160 + 100) / 4.0, 2);
  EXPECT_NEAR(result->at("values").at(1).get<double>(), (200 + 200 + 70 + 0) / 4.0, 2);
}

TEST(ReleaseMoments, NoiseIsSharedAsWeightsOrUnitsSay) {
  const MomentDesk desk;
  ASSERT_TRUE(desk.budget("create", {{"rho", 1000000}}).ok());
  const Json isotropic = *desk.publish("mean", {{"mu", 10}, {"goal", "isotropic"}});
  // Ranges of 120 and 200: the same noise in both, that of the plain query.
  const double plain = std::hypot(120, 200) / 10 / 400;
  EXPECT_NEAR(isotropic.at("noise_sd").at(0).get<double>(), plain, 1e-3 * plain);
  EXPECT_NEAR(isotropic.at("noise_sd").at(1).get<double>(), plain, 1e-3 * plain);
  const Json own = *desk.publish("mean", {{"mu", 10}, {"weights", "3,4"}, {"out", desk.path("own.json")}});
  EXPECT_NEAR(own.at("noise_sd").at(0).get<double>(), 120 * 5 / 3.0 / 10 / 400, 1e-4);
  EXPECT_NEAR(own.at("noise_sd").at(1).get<double>(), 200 * 5 / 4.0 / 10 / 400, 1e-4);
  EXPECT_EQ(own.at("statement").at("goal"), "weights");
}

TEST(ReleaseQuery, OneCombinationForATestIsThatOfItsDefinition) {
  const MomentDesk desk;
  ASSERT_TRUE(desk.budget("create", {{"rho", 1000000}}).ok());
  desk.write("sigma.json", "[[200, 100], [100, 100]]");
  const Json request = {{"rho", 1000},      {"goal", "test"}, {"direction", "4,1"}, {"covariance", desk.path("sigma.json")},
                        {"null", "166,69"}, {"n", 400}};
  const auto released = desk.publish("query", request);
  ASSERT_TRUE(released.ok()) << released.error().message();
  // S^-1 eta = (0.03, -0.02), and eta' S^-1 eta = 0.1.
  const double distance = std::sqrt(0.1);
  EXPECT_NEAR(released->at("map").at(0).at(0).get<double>(), 0.03 / distance, 1e-12);
  EXPECT_NEAR(released->at("map").at(0).at(1).get<double>(), -0.02 / distance, 1e-12);
  EXPECT_EQ(released->at("centre"), Json({168, 69.5}));
  EXPECT_NEAR(released->at("radius").get<double>(), 3.0233414397391525, 1e-9) << "one standard normal variable in 400 is beyond";
  EXPECT_EQ(released->at("statement").at("by"), "test");
  EXPECT_THAT(desk.said, HasSubstr("clipped to 3.023 standard deviations"));
  // What the rows of the file give without privacy: clipped combinations, one by one.
  double sum = 0;
  std::ifstream rows(desk.path("people.csv"));
  std::string line;
  std::getline(rows, line);
  int people = 0;
  while (std::getline(rows, line)) {
    double height = 0, weight = 0;
    ASSERT_EQ(std::sscanf(line.c_str(), "%lf,%lf", &height, &weight), 2);
    sum += std::clamp((0.03 * (height - 168) - 0.02 * (weight - 69.5)) / distance, -3.0233414397391525, 3.0233414397391525);
    ++people;
  }
  EXPECT_NEAR(released->at("sums").at(0).get<double>(), sum, 5 * 2 * 3.03 / std::sqrt(2000) + 0.01) << people;
}

TEST(ReleaseQuery, WeightsAndOtherGoalsHaveTheirOwnMaps) {
  const MomentDesk desk;
  ASSERT_TRUE(desk.budget("create", {{"rho", 1000000}}).ok());
  desk.write("sigma.json", "[[200, 100], [100, 100]]");
  const std::string sigma = desk.path("sigma.json");
  int file = 0;
  const auto publish = [&](Json more) {
    more.update({{"rho", 1000}, {"centre", "165,72"}, {"out", desk.path(fmt::format("q{}.json", ++file))}});
    auto released = desk.publish("query", more);
    EXPECT_TRUE(released.ok()) << (released.ok() ? "" : released.error().message());
    EXPECT_NEAR(released->at("values").at(0).get<double>(), 170, 1) << more;
    EXPECT_NEAR(released->at("values").at(1).get<double>(), 70, 1) << more;
    return *released;
  };
  const Json own = publish({{"weights", "0.5,0.25"}, {"radius", 40}});
  EXPECT_EQ(own.at("map"), Json({{0.5, 0}, {0, 0.25}}));
  EXPECT_EQ(own.at("radius"), 40);
  EXPECT_EQ(publish({{"goal", "isotropic"}, {"sd", "15,10"}, {"n", 400}}).at("map"), Json({{1, 0}, {0, 1}}));
  const Json least = publish({{"goal", "least-squares"}, {"covariance", sigma}, {"n", 400}});
  EXPECT_EQ(least.at("statement").at("by"), "least-squares");
  // The sum of the squared noise is the least: not more than whitened.
  const auto noise = [](const Json& released) {
    const auto release = *mechanisms::query_release_from_json(released);
    const std::vector<double> sd = release.mean_sd();
    return sd[0] * sd[0] + sd[1] * sd[1];
  };
  EXPECT_LT(noise(least), noise(publish({{"covariance", sigma}, {"n", 400}})));
  EXPECT_EQ(publish({{"covariance", sigma}, {"radius", 5}}).at("radius"), 5);
}

TEST(ReleaseQuery, OneDirectionHasItsOwnNoise) {
  const MomentDesk desk;
  ASSERT_TRUE(desk.budget("create", {{"rho", 1000000}}).ok());
  const auto result = desk.publish("query", {{"mu", 10}, {"direction", "1,-2"}});
  ASSERT_TRUE(result.ok()) << result.error().message();
  // One person moves the combination by at most 120 + 400 = 520.
  EXPECT_NEAR(result->at("noise").at("scale").get<double>(), 52, 1e-3);
  EXPECT_NEAR(result->at("values").at(0).get<double>(), 170 - 140, 1);
  EXPECT_EQ(mechanisms::read_release_as<mechanisms::QueryRelease>(desk.path("r.json"))->mean(),
            result->at("values").get<std::vector<double>>());
}

TEST(ReleaseQuery, GroupsShareOneCharge) {
  const MomentDesk desk;
  ASSERT_TRUE(desk.budget("create", {{"rho", 1000000}}).ok());
  const Json asked = {{"rho", 1000}, {"sd", "15,10"}, {"centre", "165,72"}, {"n", 400}};
  const auto publish = [&](const std::string& file, const Json& more) {
    Json request = asked;
    request.update(more);
    request["out"] = desk.path(file);
    auto released = desk.publish("query", request);
    EXPECT_TRUE(released.ok()) << (released.ok() ? "" : released.error().message());
    return *released;
  };
  const Json all = publish("all.json", Json::object());
  const Json arms = publish("arms.json", {{"group-by", "treated"}});
  EXPECT_EQ(arms.at("noise").at("scale"), all.at("noise").at("scale")) << "a person is in one public group";
  EXPECT_EQ(arms.at("ledger").at("charged"), all.at("ledger").at("charged"));
  EXPECT_EQ(arms.at("n"), 400);
  EXPECT_EQ(arms.at("groups"), Json({{"column", "treated"}, {"labels", {"no", "yes"}}, {"membership", "public"}}));
  EXPECT_EQ(arms.at("statement").at("group_by"), "treated");
  const double truth[2][2] = {{160, 60}, {180, 80}};
  for (std::size_t group = 0; group < 2; ++group) {
    EXPECT_EQ(arms.at("parts")[group].at("people"), Json({{"value", 200.0}, {"scale", 0.0}}));
    for (std::size_t j = 0; j < 2; ++j) EXPECT_NEAR(arms.at("values")[group][j].get<double>(), truth[group][j], 0.2) << group << j;
  }
  EXPECT_THAT(desk.said, HasSubstr("Noisy mean of treated=yes (200 people):"));
  // Private groups: a person may leave one and enter another, which is sqrt(2) times as far.
  const Json hidden = publish("hidden.json", {{"group-by", "treated"}, {"membership", "private"}});
  EXPECT_NEAR(hidden.at("noise").at("scale").get<double>() / all.at("noise").at("scale").get<double>(), std::sqrt(2.0), 1e-3);
  EXPECT_TRUE(hidden.at("n").is_null());
  EXPECT_NEAR(hidden.at("parts")[1].at("people").at("value").get<double>(), 200, 1);
  EXPECT_NEAR(hidden.at("values")[1][1].get<double>(), 80, 0.5);
  EXPECT_THAT(desk.said, HasSubstr("Noisy mean of treated=no (about 200 people):"));
  // Inference on one group.
  for (const std::string file : {"arms.json", "hidden.json"}) {
    const auto region = desk.call("infer region", {{"release", desk.path(file)}, {"group", "yes"}});
    ASSERT_TRUE(region.ok()) << region.error().message();
    EXPECT_NEAR(region->at("center")[0].get<double>(), 180, 0.5);
    EXPECT_EQ(region->at("group"), "yes");
    EXPECT_TRUE(region->at("together").is_null());
    const auto both = desk.call("infer region", {{"release", desk.path(file)}, {"group", "yes"}, {"all-groups", true}});
    ASSERT_TRUE(both.ok()) << both.error().message();
    EXPECT_NEAR(both->at("confidence").get<double>(), std::sqrt(0.95), 1e-12);
    EXPECT_EQ(both->at("together"), 0.95);
    EXPECT_GT(both->at("radius").get<double>(), region->at("radius").get<double>());
    EXPECT_THAT(desk.said, HasSubstr("The regions of all groups, computed like this one, hold together with confidence 0.95."));
    EXPECT_EQ(desk.call("infer mean-test", {{"release", desk.path(file)}, {"group", "no"}, {"null", "180,80"}})->at("outcome"), "reject");
    EXPECT_EQ(desk.call("infer region", {{"release", desk.path(file)}}).error().name(), "group");
    EXPECT_EQ(desk.call("infer region", {{"release", desk.path(file)}, {"group", "maybe"}}).error().name(), "group");
  }
  EXPECT_EQ(desk.call("infer region", {{"release", desk.path("all.json")}, {"all-groups", true}}).error().name(), "all-groups");
}

TEST(ReleaseQuery, GroupsUnderAddOrRemoveOneHaveNoisyNumbersOfPeople) {
  const MomentDesk desk("add-or-remove-one");
  ASSERT_TRUE(desk.budget("create", {{"rho", 1000000}}).ok());
  const Json asked = {{"rho", 1000}, {"sd", "15,10"}, {"centre", "165,72"}, {"n", 400}};
  const Json all = *desk.publish("query", asked);
  Json grouped = asked;
  grouped.update({{"group-by", "treated"}, {"out", desk.path("arms.json")}});
  const auto arms = desk.publish("query", grouped);
  ASSERT_TRUE(arms.ok()) << arms.error().message();
  EXPECT_EQ(arms->at("noise").at("scale"), all.at("noise").at("scale")) << "who comes or goes is in one group";
  EXPECT_EQ(arms->at("groups").at("membership"), "private");
  EXPECT_GT(arms->at("parts")[0].at("people").at("scale").get<double>(), 0);
  EXPECT_NEAR(arms->at("values")[1][0].get<double>(), 180, 0.5);
  grouped.update({{"membership", "public"}, {"out", desk.path("x.json")}});
  EXPECT_EQ(desk.publish("query", grouped).error().name(), "membership");
}

TEST(ReleaseQuery, GroupsAreRefusedWhereTheyMeanNothing) {
  const MomentDesk desk;
  ASSERT_TRUE(desk.budget("create", {{"rho", 1000000}}).ok());
  const auto refused = [&](const Json& more) {
    Json request = {{"rho", 1}, {"sd", "15,10"}, {"n", 400}};
    request.update(more);
    return desk.publish("query", request).error().message();
  };
  EXPECT_THAT(refused({{"membership", "public"}}), HasSubstr("goes with group-by"));
  EXPECT_THAT(refused({{"group-by", "arm"}}), HasSubstr("arm"));
  EXPECT_THAT(refused({{"group-by", "height"}}), HasSubstr("height"));
  EXPECT_THAT(refused({{"group-by", "treated,height"}}), HasSubstr("must be one column"));
  const auto fraction = desk.call("release query", {{"data", desk.path("people.csv")},
                                                    {"schema", desk.path("people.toml")},
                                                    {"fraction", "height >= 160"},
                                                    {"group-by", "treated"},
                                                    {"rho", 1},
                                                    {"out", desk.path("f.json")}});
  EXPECT_EQ(fraction.error().name(), "group-by");
}

TEST(ReleaseQuery, ScaledAndWhitenedRowsGiveTheMeansBack) {
  const MomentDesk desk;
  ASSERT_TRUE(desk.budget("create", {{"rho", 1000000}}).ok());
  const Json scaled = *desk.publish("query", {{"rho", 1000}, {"sd", "15,10"}, {"centre", "165,72"}, {"n", 400}});
  EXPECT_NEAR(scaled.at("values").at(0).get<double>(), 170, 1);
  EXPECT_NEAR(scaled.at("values").at(1).get<double>(), 70, 1);
  desk.write("covariance.json", "[[200, 100], [100, 100]]");
  const Json white = *desk.publish(
      "query",
      {{"rho", 1000}, {"covariance", desk.path("covariance.json")}, {"centre", "165,72"}, {"n", 400}, {"out", desk.path("w.json")}});
  EXPECT_NEAR(white.at("values").at(0).get<double>(), 170, 1);
  EXPECT_NEAR(white.at("values").at(1).get<double>(), 70, 1);
  EXPECT_THAT(desk.said, HasSubstr("Rows were clipped"));
}

}  // namespace
}  // namespace tacet::service
