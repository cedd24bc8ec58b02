#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "service/desk.h"

namespace tacet::service {
namespace {

using test::Desk;
using ::testing::HasSubstr;

Result<Json> ask(const std::string& verb, const Json& request) { return call("tradeoff " + verb, request, {}); }

TEST(TradeoffVerb, AgreesWithIndependentValues) {
  EXPECT_NEAR(ask("gaussian", {{"mu", 1}, {"alpha", "0.05"}})->at("beta").get<double>(), 0.740488977158556, 1e-12);
  const Json laplace = *ask("laplace", {{"shift", "3.572065227153927,-0.1396455606923297"}, {"alpha", "0.2207361149154039"}});
  EXPECT_NEAR(laplace.at("beta").get<double>() / 0.031674865783770566, 1, 1e-9);
  const Json scaled = *ask("laplace", {{"shift", "7.144130454307854,-0.2792911213846594"}, {"scale", 2}, {"alpha", "0.2207361149154039"}});
  EXPECT_NEAR(scaled.at("beta").get<double>() / 0.031674865783770566, 1, 1e-9);
}

// 50 shifts of 0.2: enclosed; tests/accounting/many_laplace_test.cc has exact values.
TEST(TradeoffVerb, SaysHowFarACurveOfManyNumbersMayBeAbove) {
  std::string shift = "0.2";
  for (int i = 1; i < 50; ++i) shift += ",0.2";
  const Json request = {{"shift", shift}, {"alpha", "0.146915349574364624"}};
  const Json found = *ask("laplace", request);
  const double slack = found.at("curves")[0].at("slack").get<double>();
  EXPECT_GT(slack, 0);
  EXPECT_LT(slack, 2e-5);
  EXPECT_NEAR(found.at("beta").get<double>(), 0.373787029991731568, slack);
  EXPECT_THAT(perform("tradeoff laplace", request, {})->words(), HasSubstr("Laplace noise on more than ten numbers is enclosed"));
  EXPECT_EQ(ask("laplace", {{"shift", "1,1"}})->at("curves")[0].at("slack"), 0.0);
}

TEST(TradeoffVerb, AnswersListsWithLists) {
  const Json one = *ask("gaussian", {{"mu", 1}, {"alpha", "0.05,0.1"}});
  EXPECT_EQ(one.at("beta").size(), 2U);
  const Json several = *ask("gaussian", {{"mu", "0.5,1,2"}});
  EXPECT_EQ(several.at("curves").size(), 3U);
  EXPECT_FALSE(several.contains("beta"));
  for (std::size_t i = 0; i < several.at("alpha").size(); ++i) {
    EXPECT_GT(several.at("curves").at(0).at("beta").at(i), several.at("curves").at(1).at("beta").at(i)) << "less mu, more private";
  }
}

TEST(TradeoffVerb, WritesAPageAndATableOfSeveralCurves) {
  const Desk desk;
  const Json request = {
      {"curves", "gaussian:1,laplace:1/1,epsilon:0.8,epsilon:1/1e-6"}, {"html", desk.path("c.html")}, {"csv", desk.path("c.csv")}};
  const auto result = ask("curves", request);
  ASSERT_TRUE(result.ok()) << result.error().message();
  const std::string page = desk.read("c.html");
  EXPECT_TRUE(page.starts_with("<!doctype html>") || page.starts_with("<!DOCTYPE html>"));
  EXPECT_THAT(page, HasSubstr("Laplace, shift (1, 1)"));
  EXPECT_TRUE(desk.read("c.csv").starts_with("alpha,\"Gaussian, mu 1\",\"Laplace, shift (1, 1)\""));
  const auto again = ask("curves", request);
  ASSERT_FALSE(again.ok());
  EXPECT_EQ(again.error().code(), Code::AlreadyExists);
}

TEST(TradeoffVerb, DrawsReleasesTogether) {
  const Json result = *ask("curves", {{"curves", "gaussian:0.6+gaussian:0.8,laplace:1+gaussian:1"}, {"alpha", "0.05"}});
  EXPECT_EQ(result.at("curves").at(0).at("name"), "Gaussian, mu 1") << "0.36 + 0.64 = 1";
  EXPECT_LT(result.at("curves").at(1).at("beta").at(0).get<double>(), result.at("curves").at(0).at("beta").at(0).get<double>());
}

TEST(TradeoffVerb, WritesNeitherFileWhereOneCannotBe) {
  const Desk desk;
  desk.write("c.html", "taken");
  const auto result = ask("gaussian", {{"mu", 1}, {"html", desk.path("c.html")}, {"csv", desk.path("c.csv")}});
  ASSERT_FALSE(result.ok());
  EXPECT_FALSE(desk.has("c.csv"));
}

TEST(TradeoffVerb, RefusesWhatMakesNoSense) {
  const auto refused = [](const std::string& verb, const Json& request, const std::string& part) {
    const auto result = ask(verb, request);
    ASSERT_FALSE(result.ok()) << part;
    EXPECT_EQ(result.error().code(), Code::InvalidArgument);
    EXPECT_THAT(result.error().message(), HasSubstr(part));
  };
  for (const std::string wrong : {"-0.1", "1.1", "nan", "x", ""}) refused("gaussian", {{"mu", 1}, {"alpha", wrong}}, "alpha is ");
  for (const std::string wrong : {"-1", "1e9", "nan", "inf"}) refused("gaussian", {{"mu", wrong}}, "mu is ");
  refused("gaussian", {{"mu", "1,1"}}, "must be given once");
  refused("laplace", {{"shift", "1"}, {"scale", "0"}}, "scale is 0");
  refused("laplace", {{"shift", "1,x"}}, "shift is x");
  for (const std::string wrong : {"gaussian", "gaussian:", "gaussian:1/2", "normal:1", "epsilon:1/2/3", "laplace:1/"})
    refused("curves", {{"curves", wrong}}, "curve is ");
}

}  // namespace
}  // namespace tacet::service
