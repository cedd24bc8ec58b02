#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "service/desk.h"

namespace tacet::service {
namespace {

using test::Desk;
using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(ImportMeanVerb, ServesRegionsAndTests) {
  const Desk desk;
  desk.write("values.json", "[171.2, 70.4]");
  const auto release = desk.call("import mean", {{"values", desk.path("values.json")},
                                                 {"n", 5000},
                                                 {"noise", "gaussian:0.4,0.3"},
                                                 {"columns", "height,weight"},
                                                 {"out", desk.path("means.json")}});
  ASSERT_TRUE(release.ok()) << release.error().message();
  EXPECT_EQ(release->at("kind"), "query");
  EXPECT_TRUE(release->at("radius").is_null());
  EXPECT_THAT(desk.said, AllOf(HasSubstr("Means of 5,000 people"), HasSubstr("height"), HasSubstr("0.4"), HasSubstr("Tacet cannot check")));
  const auto region = desk.call("infer region", {{"release", desk.path("means.json")}});
  ASSERT_TRUE(region.ok()) << region.error().message();
  EXPECT_NEAR(region->at("shape")[0][0].get<double>(), 0.16, 1e-12);
  const auto test = desk.call("infer mean-test", {{"release", desk.path("means.json")}, {"null", "170,70"}});
  ASSERT_TRUE(test.ok()) << test.error().message();
  EXPECT_NEAR(test->at("statistic").get<double>(), 9 + std::pow(0.4 / 0.3, 2), 1e-9);
  // Sampling error of people, by a covariance that is public.
  desk.write("sigma.json", "[[100, 0], [0, 200]]");
  const auto population =
      desk.call("infer region", {{"release", desk.path("means.json")}, {"for", "population"}, {"covariance", desk.path("sigma.json")}});
  ASSERT_TRUE(population.ok()) << population.error().message();
  EXPECT_NEAR(population->at("shape")[0][0].get<double>(), 0.16 + 100.0 / 5000, 1e-12);
}

TEST(ImportMeanVerb, ServesTestsOfEqualMeans) {
  const Desk desk;
  desk.write("s.json", "[[100, 20], [20, 200]]");
  for (const auto& [file, values] : {std::pair("north.json", "171.2,70.4"), std::pair("south.json", "173.2,70.9")}) {
    const auto release = desk.call("import mean", {{"values", values},
                                                   {"n", 5000},
                                                   {"noise", "gaussian:0.1"},
                                                   {"columns", "height,weight"},
                                                   {"lower", "100,0"},
                                                   {"upper", "220,200"},
                                                   {"covariance", desk.path("s.json")},
                                                   {"covariance-noise", 2},
                                                   {"out", desk.path(file)}});
    ASSERT_TRUE(release.ok()) << release.error().message();
    EXPECT_EQ(release->at("kind"), "covariance");
  }
  const auto test = desk.call("infer two-sample", {{"releases", desk.path("north.json") + "," + desk.path("south.json")}});
  ASSERT_TRUE(test.ok()) << test.error().message();
  EXPECT_EQ(test->at("outcome"), "reject");
}

TEST(ImportMeanVerb, TakesWeightsAndACovarianceOfTheNoise) {
  const Desk desk;
  desk.write("noise.json", "[[0.16, 0.06], [0.06, 0.09]]");
  const auto release = desk.call("import mean", {{"values", "342.4,35.2"},
                                                 {"n", 5000},
                                                 {"noise-covariance", desk.path("noise.json")},
                                                 {"weights", "2,0.5"},
                                                 {"out", desk.path("means.json")}});
  ASSERT_TRUE(release.ok()) << release.error().message();
  EXPECT_NEAR(release->at("values")[0].get<double>(), 171.2, 1e-9);
  EXPECT_NEAR(release->at("values")[1].get<double>(), 70.4, 1e-9);
  const auto region = desk.call("infer region", {{"release", desk.path("means.json")}});
  EXPECT_NEAR(region->at("shape")[0][1].get<double>(), 0.06 / (2 * 0.5), 1e-12);
  EXPECT_EQ(desk.call("import mean", {{"values", "1,2"}, {"n", 5}, {"out", desk.path("x.json")}}).error().message(),
            "noise is missing, but must be one of noise and noise-covariance; for example: noise = gaussian:0.4");
  desk.write("table.json", "[[1, 2], [3, 4]]");
  EXPECT_EQ(desk.call("import mean", {{"values", desk.path("table.json")}, {"n", 5}, {"noise", "gaussian:1"}, {"out", desk.path("x.json")}})
                .error()
                .message(),
            "values is a table of 2 x 2, but must be a list of means; for a table of counts: `import table`");
}

}  // namespace
}  // namespace tacet::service
