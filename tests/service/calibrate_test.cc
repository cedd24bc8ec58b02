#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/service/verb.h"

namespace tacet::service {
namespace {

using ::testing::HasSubstr;

Result<Json> gaussian(const Json& request) { return call("calibrate gaussian", request, {}); }
Result<Json> laplace(const Json& request) { return call("calibrate laplace", request, {}); }

void expect_refused(const Result<Json>& result, Code code, const std::string& part) {
  ASSERT_FALSE(result.ok()) << part;
  EXPECT_EQ(result.error().code(), code) << result.error().message();
  EXPECT_THAT(result.error().message(), HasSubstr(part));
}

TEST(CalibrateGaussianVerb, AgreesWithIndependentValues) {
  const Json first = *gaussian({{"l2", "0.23970171196785345"}, {"epsilon", "17.49053197081822"}, {"delta", "0.0004423463774205995"}});
  EXPECT_NEAR(first.at("sigma").get<double>() / 0.06727811988234471, 1, 1e-9);
  EXPECT_NEAR(first.at("mu").get<double>() / 3.562847956914393, 1, 1e-9);
  const Json second = *gaussian({{"l2", "38.219115459211125"}, {"epsilon", "0.0036422014155473264"}, {"delta", "3.2920094527457884e-12"}});
  EXPECT_NEAR(second.at("sigma").get<double>() / 56974.32028584703, 1, 1e-9);
  const Json rho = *gaussian({{"l2", 1}, {"rho", "0.125"}});
  EXPECT_EQ(rho.at("sigma"), 2.0);
  EXPECT_EQ(rho.at("mu"), 0.5);
  EXPECT_EQ(rho.at("rho"), 0.125);
  EXPECT_EQ(gaussian({{"l2", 1}, {"mu", "0.5"}})->at("sigma"), 2.0);
}

TEST(CalibrateGaussianVerb, SharesABudgetOverTheSidesOfABox) {
  const Json least = *gaussian({{"box", "1,4"}, {"mu", "0.5"}});
  // Aggregation, Theorem 5: the least total variance is (sum of the sides / mu)^2... here with
  // sides 1 and 4: (1 + 4)^2/0.25.
  EXPECT_NEAR(least.at("total_variance").get<double>(), 100, 1e-10);
  const Json even = *gaussian({{"box", "1,4"}, {"weights", "1,1"}, {"mu", "0.5"}});
  EXPECT_GT(even.at("total_variance").get<double>(), 100);
  EXPECT_NEAR(even.at("sigma").at(1).get<double>() / even.at("sigma").at(0).get<double>(), 4, 1e-12);
  EXPECT_NEAR(gaussian({{"box", "1,4"}, {"epsilon", 1}, {"delta", "1e-6"}})->at("mu").get<double>(), 1 / 4.2246788893, 1e-9);
}

TEST(CalibrateGaussianVerb, SaysItInWords) {
  EXPECT_EQ(perform("calibrate gaussian", {{"l2", 1}, {"rho", "0.125"}}, {})->words(),
            "Add Gaussian noise with standard deviation 2 to every coordinate.\n"
            "That keeps rho-zCDP with rho 0.125; it is mu-GDP with mu 0.5 and rho-zCDP with rho 0.125.\n");
  EXPECT_EQ(perform("calibrate gaussian", {{"box", "1,4"}, {"weights", "1,1"}, {"mu", "1"}}, {})->words(),
            "Add Gaussian noise with standard deviations 1.4142135623730965, 5.656854249492386, one for each coordinate.\n"
            "That keeps mu-GDP with mu 1; it is mu-GDP with mu 1 and rho-zCDP with rho 0.5.\n");
}

TEST(CalibrateGaussianVerb, RefusesWhatMakesNoSense) {
  expect_refused(gaussian({{"l2", 1}}), Code::InvalidArgument, "must be exactly one of epsilon (with or without delta), rho, mu");
  expect_refused(gaussian({{"l2", 1}, {"mu", 1}, {"rho", 1}}), Code::InvalidArgument, "given twice");
  expect_refused(gaussian({{"mu", 1}}), Code::InvalidArgument,
                 "must be given as one of l2 (one bound for all) and box (one each); for example: l2 = 1");
  expect_refused(gaussian({{"mu", 1}, {"l2", 1}, {"box", "1,2"}}), Code::InvalidArgument, "given twice");
  expect_refused(gaussian({{"mu", 1}, {"l2", 1}, {"weights", "1,2"}}), Code::InvalidArgument,
                 "weights is given with l2, but go with box only");
  expect_refused(gaussian({{"mu", 1}, {"box", "1,2"}, {"weights", "1"}}), Code::InvalidArgument, "must be the same");
  expect_refused(gaussian({{"l2", 1}, {"epsilon", 1}}), Code::InvalidArgument, "no Gaussian noise is epsilon-DP");
  expect_refused(gaussian({{"box", "1,1"}, {"epsilon", 1}}), Code::Unsupported, "no Gaussian noise is epsilon-DP");
  for (const std::string wrong : {"-1", "0", "nan", "inf", "1e60", "", "x", "1,2"}) {
    expect_refused(gaussian({{"l2", wrong}, {"mu", 1}}), Code::InvalidArgument,
                   "must be a finite number greater than 0, between 1e-50 and 1e50; for example: l2 = 1");
    expect_refused(laplace({{"l1", wrong}, {"epsilon", 1}}), Code::InvalidArgument, "l1 is ");
  }
  for (const std::string wrong : {"-1", "0", "nan", "inf", "1e60", "", "x"}) {
    expect_refused(gaussian({{"l2", 1}, {"mu", wrong}}), Code::InvalidArgument, "mu is ");
    expect_refused(gaussian({{"l2", 1}, {"rho", wrong}}), Code::InvalidArgument, "rho is ");
    expect_refused(gaussian({{"l2", 1}, {"epsilon", wrong}, {"delta", "1e-6"}}), Code::InvalidArgument, "epsilon is ");
  }
  for (const std::string wrong : {"-1", "1", "2", "nan", "inf", "", "x"})
    expect_refused(gaussian({{"l2", 1}, {"epsilon", 1}, {"delta", wrong}}), Code::InvalidArgument, "delta is ");
}

TEST(CalibrateLaplaceVerb, AgreesWithIndependentValues) {
  EXPECT_EQ(laplace({{"l1", 2}, {"epsilon", "0.5"}})->at("scale"), 4.0);
  const std::vector<std::pair<std::string, double>> rules = {{"universal", 2.4784211728023506},
                                                             {"one-dimensional", 2.0714029970028993},
                                                             {"two-dimensional", 2.0714029970028993},
                                                             {"table", 1.358905360971675}};
  for (const auto& [rule, scale] : rules) {
    Json request = {{"l1", 2}, {"mu", 1}, {"rule", rule}};
    if (rule == "one-dimensional" || rule == "two-dimensional") request["dimension"] = 1;
    if (rule == "table") request["neighbours"] = "replace-one";
    const Json result = *laplace(request);
    EXPECT_NEAR(result.at("scale").get<double>() / scale, 1, 1e-9) << rule;
    EXPECT_EQ(result.at("rule"), rule);
    EXPECT_EQ(result.at("proven"), true);
  }
  EXPECT_EQ(laplace({{"l1", 2}, {"mu", 1}})->at("rule"), "universal") << "the rule that holds for every statistic";
}

TEST(CalibrateLaplaceVerb, ShowsTheConjectureAsWhatItIs) {
  const Json request = {{"l1", 2}, {"mu", 1}, {"rule", "conjecture-12"}};
  EXPECT_EQ(laplace(request)->at("proven"), false);
  EXPECT_THAT(perform("calibrate laplace", request, {})->words(), HasSubstr("conjectured, not proven"));
}

TEST(CalibrateLaplaceVerb, RefusesARuleForAnotherStatistic) {
  expect_refused(laplace({{"l1", 1}, {"mu", 1}, {"rule", "table"}}), Code::InvalidArgument, "neighbours is missing");
  expect_refused(laplace({{"l1", 1}, {"mu", 1}, {"rule", "one-dimensional"}}), Code::InvalidArgument, "dimension is missing");
  expect_refused(laplace({{"l1", 1}, {"mu", 1}, {"rule", "table"}, {"neighbours", "add-or-remove-one"}}), Code::InvalidArgument,
                 "must be replace-one for the rule of tables");
  expect_refused(laplace({{"l1", 1}, {"mu", 1}, {"rule", "one-dimensional"}, {"dimension", 3}}), Code::InvalidArgument,
                 "dimension is 3, but must be 1 for this rule");
  const Json given = *laplace({{"l1", 1}, {"mu", 1}, {"rule", "table"}, {"neighbours", "replace-one"}});
  EXPECT_NEAR(given.at("scale").get<double>(), 0.6794526804858375, 1e-9);
  EXPECT_EQ(given.at("holds_for"), "a table of counts in which one cell loses what another gains (replace-one)");
}

TEST(LossLaplaceVerb, SaysItInNumbersAndWords) {
  const Json found = *call("loss laplace", {{"l1", 2}, {"scale", 2}, {"rule", "table"}, {"neighbours", "replace-one"}}, {});
  EXPECT_EQ(found.at("epsilon"), 1.0);
  EXPECT_NEAR(found.at("mu").get<double>(), 0.7075515359, 2e-10);
  EXPECT_NEAR(found.at("mu_of_epsilon").get<double>(), 1.2320353853, 2e-9);
  EXPECT_EQ(found.at("proven"), true);
  EXPECT_EQ(perform("loss laplace", {{"l1", 2}, {"scale", 2}, {"rule", "table"}, {"neighbours", "replace-one"}}, {})->words(),
            "This Laplace noise is pure with epsilon 1, rho-zCDP with rho 0.213062, and mu-GDP with mu 0.707552\n"
            "(Lee et al. (2022), (17): a table of counts, replace-one).\n"
            "The epsilon alone would imply mu 1.23204.\n");
  EXPECT_THAT(perform("loss laplace", {{"l1", 1}, {"scale", 1}, {"rule", "conjecture-12"}}, {})->words(), HasSubstr("not proven"));
  expect_refused(call("loss laplace", {{"l1", 1}, {"scale", 1}, {"rule", "table"}}, {}), Code::InvalidArgument, "neighbours is missing");
}

TEST(CalibrateLaplaceVerb, RefusesWhatMakesNoSense) {
  expect_refused(laplace({{"l1", 1}}), Code::InvalidArgument, "must be exactly one of epsilon, mu; for example: epsilon = 1");
  expect_refused(laplace({{"l1", 1}, {"epsilon", 1}, {"rule", "table"}}), Code::InvalidArgument,
                 "rule is table, but goes with mu only; leave rule out");
  expect_refused(laplace({{"l1", 1}, {"mu", 1}, {"rule", "best"}}), Code::InvalidArgument,
                 "must be universal, one-dimensional, two-dimensional, table or conjecture-12");
  expect_refused(laplace({{"l1", 1}, {"mu", 100}}), Code::InvalidArgument, "mu is 100");
}

}  // namespace
}  // namespace tacet::service
