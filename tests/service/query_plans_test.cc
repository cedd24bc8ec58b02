// plan clip, plan adjusted and tail weighted-chi2: their fields and words.
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "service/desk.h"

namespace tacet::service {
namespace {

using ::testing::HasSubstr;

TEST(PlanClipVerb, PrintsTheBestFactorsBesideThoseOfThePaper) {
  const Desk desk;
  const auto plan = perform("plan clip", {{"sd", "0.5,2,10"}, {"n", 10000}}, desk.context);
  ASSERT_TRUE(plan.ok()) << plan.error().message();
  const Json answer = plan->json();
  EXPECT_NEAR(answer.at("clip").get<double>(), 3.5114748440773114, 1e-9);
  EXPECT_NEAR(answer.at("error").get<double>(), 7706.534737867362, 1e-6);
  EXPECT_NEAR(answer.at("isotropic_error").get<double>(), 18216.104007592126, 1e-6);
  EXPECT_NEAR(answer.at("best_error").get<double>(), 7024.0993448746, 1e-5);
  EXPECT_NEAR(answer.at("best_clip").get<double>(), 3.0888790706205307, 1e-6);
  EXPECT_TRUE(answer.at("best_map").is_null());
  EXPECT_TRUE(answer.at("independent").get<bool>());
  EXPECT_THAT(plan->words(), HasSubstr("7024.1, the least by any linear map"));
  EXPECT_THAT(plan->words(), HasSubstr("By Lemma 3.1"));
  EXPECT_THAT(plan->words(), HasSubstr("Assumes independent columns"));
  desk.write("sigma.json", "[[4, 1.5], [1.5, 1]]");
  const auto correlated = perform("plan clip", {{"covariance", desk.path("sigma.json")}, {"n", 10000}, {"gamma", "0.01"}}, desk.context);
  ASSERT_TRUE(correlated.ok()) << correlated.error().message();
  EXPECT_EQ(correlated->json().at("best_map").size(), 2U);
  EXPECT_EQ(correlated->json().at("gamma"), 0.01);
  EXPECT_FALSE(correlated->json().at("independent").get<bool>());
  EXPECT_THAT(correlated->words(), HasSubstr("may be correlated"));
  EXPECT_EQ(perform("plan clip", {{"n", 100}}, desk.context).error().name(), "sd");
  EXPECT_EQ(perform("plan clip", {{"sd", "1,2"}, {"n", 100}, {"radius", 1000}}, desk.context).error().name(), "radius");
}

TEST(PlanAdjustedVerb, SaysSensitivitiesAndWhatDifferentialPrivacyCosts) {
  const Desk desk;
  desk.write("sigma.json", "[[400, 90], [90, 225]]");
  const auto plan = perform("plan adjusted",
                            {{"covariance", desk.path("sigma.json")},
                             {"eta", "10,5"},
                             {"n", 50},
                             {"epsilon", 1},
                             {"delta", "0.02"},
                             {"gamma", "0.0001"},
                             {"csv", desk.path("curve.csv")},
                             {"html", desk.path("curve.html")}},
                            desk.context);
  ASSERT_TRUE(plan.ok()) << plan.error().message();
  const Json answer = plan->json();
  // Chi-square with 2 degrees of freedom has the quantile -2 log(gamma).
  EXPECT_NEAR(answer.at("D_g").get<double>(), std::sqrt(2 * -2 * std::log(1e-4) / 50), 1e-9);
  EXPECT_NEAR(answer.at("sigma_f").get<double>() / answer.at("D_f").get<double>(),
              answer.at("sigma_g").get<double>() / answer.at("D_g").get<double>(), 1e-9);
  EXPECT_LT(answer.at("trimmed").get<double>(), answer.at("adjusted").get<double>());
  EXPECT_GT(answer.at("trimmed_4_epsilon").get<double>(), answer.at("adjusted").get<double>());
  EXPECT_THAT(plan->words(), HasSubstr("D(g)"));
  EXPECT_THAT(plan->words(), HasSubstr("at 4 epsilon"));
  EXPECT_THAT(desk.read("curve.csv"), HasSubstr("epsilon,naive_Hf,opt_Hg,opt_Hf,adjusted,trimmed,clipped,removed\n0.1,"));
  EXPECT_THAT(desk.read("curve.html"), HasSubstr("Power by epsilon"));
}

TEST(TailWeightedChi2Verb, IsTheInverseOfTheCriticalValue) {
  const Desk desk;
  const auto critical = perform("critical weighted-chi2", {{"weights", "3,1,1"}, {"alpha", "0.05"}}, desk.context);
  ASSERT_TRUE(critical.ok()) << critical.error().message();
  const auto tail = perform("tail weighted-chi2", {{"weights", "3,1,1"}, {"at", critical->json().at("critical")}}, desk.context);
  ASSERT_TRUE(tail.ok()) << tail.error().message();
  EXPECT_NEAR(tail->json().at("upper").get<double>(), 0.05, 1e-12);
  EXPECT_NEAR(tail->json().at("lower").get<double>(), 0.95, 1e-12);
  EXPECT_EQ(tail->json().at("mean"), 5);
  EXPECT_EQ(tail->json().at("variance"), 22);
  EXPECT_TRUE(tail->json().at("bernstein").is_null()) << "three variables are too few for its condition";
  // Two degrees of freedom: an exponential variable.
  const Json exponential = perform("tail weighted-chi2", {{"weights", "1"}, {"df", "2"}, {"at", 6}}, desk.context)->json();
  EXPECT_NEAR(exponential.at("upper").get<double>(), std::exp(-3.0), 1e-13);
  EXPECT_NEAR(exponential.at("density").get<double>(), std::exp(-3.0) / 2, 1e-13);
  EXPECT_EQ(exponential.at("chebyshev"), 0.25);
  // Lemma 3.2 by hand, for 100 variables: t = 10/sqrt(800), at most sqrt(200)/6.
  const Json many = perform("tail weighted-chi2", {{"weights", "1"}, {"df", "100"}, {"at", 110}}, desk.context)->json();
  EXPECT_NEAR(many.at("bernstein").get<double>(), std::exp(-0.125), 1e-12);
  EXPECT_LT(many.at("upper").get<double>(), many.at("bernstein").get<double>());
  EXPECT_EQ(perform("tail weighted-chi2", {{"weights", "1,2"}, {"df", "1"}, {"at", 1}}, desk.context).error().name(), "df");
  EXPECT_EQ(perform("tail weighted-chi2", {{"weights", "1,2"}, {"at", -1}}, desk.context).error().name(), "at");
}

TEST(CalibrateGaussianVerb, PrintsTheClassicalFormulaForComparison) {
  const Desk desk;
  const Json both = perform("calibrate gaussian", {{"l2", 2}, {"epsilon", "0.5"}, {"delta", "1e-6"}}, desk.context)->json();
  EXPECT_NEAR(both.at("classical_sigma").get<double>(), 2 * std::sqrt(2 * std::log(1.25e6)) / 0.5, 1e-9);
  EXPECT_LT(both.at("sigma").get<double>(), both.at("classical_sigma").get<double>());
  EXPECT_FALSE(
      perform("calibrate gaussian", {{"l2", 2}, {"epsilon", 1}, {"delta", "1e-6"}}, desk.context)->json().contains("classical_sigma"));
  EXPECT_FALSE(perform("calibrate gaussian", {{"l2", 2}, {"mu", 1}}, desk.context)->json().contains("classical_sigma"));
}

}  // namespace
}  // namespace tacet::service
