#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "service/desk.h"

namespace tacet::service {
namespace {

using test::Desk;
using ::testing::HasSubstr;

Result<Json> compose(const std::string& losses, Json more = {{"delta", "1e-6"}}) {
  more["losses"] = losses;
  return call("compose", more, {});
}

TEST(ComposeVerb, AgreesWithIndependentValues) {
  const Json many = *compose(R"([{"epsilon": 0.0027651727602090318, "delta": 0, "times": 1000}])",
                             {{"delta", "1.3110315624440091e-08"}, {"epsilon-budget", 1}, {"n", 19712}});
  EXPECT_NEAR(many.at("basic").get<double>() / 2.7651727602089733, 1, 1e-9);
  EXPECT_NEAR(many.at("advanced").get<double>() / 0.5306573180648725, 1, 1e-9);
  EXPECT_NEAR(many.at("filter").at("spent").get<double>() / 0.8098666748492582, 1, 1e-9);
  EXPECT_NEAR(many.at("odometer").get<double>() / 0.8402990964554633, 1, 1e-9);
  EXPECT_EQ(many.at("filter").at("go"), true);
  const Json optimal = *compose(R"([{"epsilon": 0.01, "delta": 0, "times": 1000}])", {{"delta", "1e-6"}, {"at-epsilon", 1}});
  EXPECT_NEAR(optimal.at("optimal").at("delta").get<double>() / 0.00010831170545145138, 1, 1e-9);
}

TEST(ComposeVerb, ReadsTheSameFromAFile) {
  const Desk desk;
  const std::string losses = R"([{"epsilon": 0.1, "times": 3}, {"epsilon": "0.2", "delta": 1e-9}])";
  desk.write("losses.json", losses);
  const Json from_file = *call("compose", {{"file", desk.path("losses.json")}, {"delta", "1e-6"}}, {});
  EXPECT_EQ(from_file, *compose(losses));
  EXPECT_EQ(from_file.at("basic_exact"), (Json{{"epsilon", "0.5"}, {"delta", "0.000000001"}})) << "three tenths and two are five tenths";
}

TEST(ComposeVerb, NoRuleIsBelowTheOptimalOneForTheSameKnowledge) {
  const Json result = *compose(R"([{"epsilon": 0.1, "times": 30}, {"epsilon": 0.05, "times": 60}])",
                               {{"delta", "1e-6"}, {"epsilon-budget", 5}, {"n", 10000}});
  const double lower = result.at("optimal").at("epsilon_lower");
  EXPECT_GE(result.at("optimal").at("epsilon").get<double>(), lower);
  EXPECT_GE(result.at("basic").get<double>(), lower);
  EXPECT_GE(result.at("advanced").get<double>(), lower);
  EXPECT_GE(result.at("zcdp").at("epsilon").get<double>(), lower);
  EXPECT_GE(result.at("odometer_bound").get<double>(), lower);
  for (const auto& [rule, filter] : result.at("filters").items()) EXPECT_GE(filter.at("spent").get<double>(), lower) << rule;
}

TEST(ComposeVerb, KnowsTheLawsOfTheNoise) {
  const Json mixture = *compose(R"([{"mu": 0.005, "times": 4000}, {"laplace": 0.01, "times": 3000}, {"epsilon": 0.01, "times": 3000}])");
  EXPECT_NEAR(mixture.at("numerical").at("epsilon").get<double>(), 3.98941, 1e-4);
  EXPECT_LE(mixture.at("numerical").at("epsilon_lower"), mixture.at("numerical").at("epsilon"));
  EXPECT_TRUE(mixture.at("basic").is_null()) << "Gaussian noise has no epsilon of its own";
  EXPECT_LT(mixture.at("numerical").at("epsilon").get<double>(), mixture.at("zcdp").at("epsilon").get<double>());
  const Json gaussian = *compose(R"([{"mu": 0.03, "times": 100}, {"mu": 0.04, "times": 100}])");
  EXPECT_EQ(gaussian.at("gdp").at("mu"), 0.5) << "sqrt(100 * 0.0009 + 100 * 0.0016)";
  EXPECT_NEAR(gaussian.at("gdp").at("epsilon").get<double>(), gaussian.at("numerical").at("epsilon").get<double>(), 1e-4);
  const Json rho = *compose(R"([{"rho": 0.1, "times": 5}])");
  EXPECT_EQ(rho.at("zcdp").at("rho"), 0.5);
  EXPECT_TRUE(rho.at("numerical").is_null());
}

// A sum holds for a budget that was set beforehand; an odometer is read at any moment.
TEST(ComposeVerb, SaysThatSumsAreForABudgetSetBeforehand) {
  const Json rho = *compose(R"([{"rho": 0.1}])");
  EXPECT_GT(rho.at("zcdp").at("odometer"), rho.at("zcdp").at("epsilon"));
  EXPECT_NEAR(rho.at("zcdp").at("odometer").get<double>(), 2.32142, 1e-5);
  const Json mu = *compose(R"([{"mu": 0.3, "times": 2}])");
  EXPECT_EQ(mu.at("gdp").at("odometer"), (*compose(R"([{"rho": 0.09}])")).at("zcdp").at("odometer"));
  const std::string words = perform("compose", {{"losses", R"([{"mu": 0.3}])"}, {"delta", "1e-6"}}, {})->words();
  EXPECT_THAT(words, HasSubstr("any losses, within a budget set beforehand"));
  EXPECT_THAT(words, HasSubstr("any losses, read at any moment"));
}

TEST(ComposeVerb, HasNullForARuleThatDoesNotHoldAndNoFieldForWhatWasNotAsked) {
  const Json rho = *compose(R"([{"rho": 0.1, "times": 5}])", {{"delta", "1e-6"}, {"n", 100}});
  for (const char* field : {"basic", "advanced", "optimal", "filter", "odometer", "numerical"})
    EXPECT_TRUE(rho.at(field).is_null()) << field;
  for (const char* field : {"basic_exact", "filters", "odometer_bound", "gdp", "at_epsilon"}) EXPECT_FALSE(rho.contains(field)) << field;
  EXPECT_EQ(rho.at("delta"), "0.000001");
  const Json many = *compose(R"([{"epsilon": 0.1, "delta": 0.0000004, "times": 2}])", {{"delta", "1e-6"}, {"n", 100}, {"at-epsilon", 1}});
  EXPECT_TRUE(many.at("odometer").is_null()) << "the deltas are more than the advanced odometer allows";
  EXPECT_EQ(many.at("odometer_bound"), 0.2);
  EXPECT_EQ(many.at("optimal").size(), 4U) << "an epsilon for the delta and a delta for the epsilon, each enclosed";
}

TEST(ComposeVerb, SaysItInWords) {
  const Json request = {
      {"losses", R"([{"epsilon": 0.1, "times": 30}])"}, {"delta", "1e-6"}, {"epsilon-budget", 3}, {"n", 10000}, {"at-epsilon", 1}};
  const std::string words = perform("compose", request, {})->words();
  for (const char* part :
       {"30 releases together", "basic (sum)", "2.34588769", "losses chosen as results come in", "The least proven delta", "whitehouse"})
    EXPECT_THAT(words, HasSubstr(part));
}

TEST(ComposeVerb, RefusesWhatMakesNoSense) {
  const auto refused = [](const Result<Json>& result, const std::string& part) {
    ASSERT_FALSE(result.ok()) << part;
    EXPECT_EQ(result.error().code(), Code::InvalidArgument) << result.error().message();
    EXPECT_THAT(result.error().message(), HasSubstr(part));
  };
  refused(call("compose", {{"delta", "1e-6"}}, {}), "must be given as one of file and losses; for example: losses = ");
  refused(compose("[]"), "a list of 0");
  refused(compose("{}"), "losses is an object");
  refused(compose("not json"), "must be JSON");
  refused(compose("[1]"), "loss 1 is a number");
  refused(compose(R"([{"times": 2}])"), "without a parameter");
  refused(compose(R"([{"epsilon": 1, "mu": 2}])"), "must have one of");
  refused(compose(R"([{"epsilon": 1, "sigma": 2}])"), "the field \"sigma\"");
  refused(compose(R"([{"epsilon": [1]}])"), "that is no number");
  refused(compose(R"([{"mu": 1, "delta": 0.1}])"), "beside epsilon only");
  refused(compose(R"([{"epsilon": -1}])"), "epsilon is -1");
  refused(compose(R"([{"epsilon": 0}])"), "epsilon is 0");
  refused(compose(R"([{"epsilon": 1, "delta": 1}])"), "delta is 1");
  refused(compose(R"([{"epsilon": 1, "times": 0}])"), "times is 0");
  refused(compose(R"([{"epsilon": 1, "times": 1.5}])"), "times is 1.5");
  refused(compose(R"([{"epsilon": 1, "times": 1e30}])"), "times is ");
  refused(compose(R"([{"epsilon": 1}])", Json::object()),
          "target is missing, but must be delta (for an epsilon) or at-epsilon (for a delta); for example: delta = 1e-6");
  refused(compose(R"([{"epsilon": 1}])", {{"delta", 0}}), "delta is 0");
  refused(compose(R"([{"epsilon": 1}])", {{"delta", 1}}), "delta is 1");
  refused(compose(R"([{"epsilon": 1, "delta": 0.01}])", {{"delta", "1e-6"}}), "delta");
  refused(compose(R"([{"epsilon": 1}])", {{"at-epsilon", 1}, {"n", 100}}), "delta is missing");
  refused(compose(R"([{"epsilon": 1}])", {{"delta", "1e-6"}, {"n", 1}}), "n is 1");
  refused(compose(R"([{"epsilon": 1}])", {{"delta", "1e-6"}, {"epsilon-budget", "nan"}}), "epsilon is nan");
}

}  // namespace
}  // namespace tacet::service
