#include <set>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/service/verb.h"

namespace tacet::service {
namespace {

using ::testing::HasSubstr;

Result<Json> convert(const Json& request) { return call("convert", request, {}); }

TEST(ConvertVerb, AgreesWithIndependentValues) {
  const Json small = *convert({{"rho", "0.011132537426012975"}, {"delta", "7.146772475933819e-08"}});
  EXPECT_NEAR(small.at("theorem_2_2_4").get<double>() / 0.8223302694065786, 1, 1e-9);
  const Json large = *convert({{"rho", "0.7871199782113801"}, {"delta", "1.0775427150754748e-06"}});
  EXPECT_NEAR(large.at("theorem_2_2_4").get<double>() / 7.472025770211394, 1, 1e-9);
}

TEST(ConvertVerb, ReportsTheSmallerOfBothTheoremsAndNamesIt) {
  const Json result = *convert({{"rho", "0.125"}, {"delta", "1e-6"}});
  EXPECT_EQ(result.at("epsilon"), result.at("optimal"));
  EXPECT_LT(result.at("epsilon").get<double>(), result.at("theorem_2_2_4").get<double>());
  EXPECT_LT(result.at("if_gaussian").get<double>(), result.at("epsilon").get<double>()) << "the exact curve is the tightest";
  EXPECT_THAT(result.at("theorem").get<std::string>(), HasSubstr("Canonne"));
  EXPECT_EQ(convert({{"mu", "0.5"}, {"delta", "1e-6"}})->at("epsilon"), result.at("if_gaussian"));
}

TEST(ConvertVerb, TakesAXiWithRho) {
  const Json request = {{"rho", "0.125"}, {"xi", "0.1"}, {"delta", "1e-6"}};
  const Json moved = *convert(request);
  EXPECT_NEAR(moved.at("epsilon").get<double>(), convert({{"rho", "0.125"}, {"delta", "1e-6"}})->at("epsilon").get<double>() + 0.1, 1e-10);
  EXPECT_FALSE(moved.contains("if_gaussian"));
  EXPECT_EQ(moved.at("from"), (Json{{"rho", "0.125"}, {"xi", "0.1"}}));
  EXPECT_THAT(perform("convert", request, {})->words(), HasSubstr("xi 0.1 with rho 0.125 is (epsilon 2.5191"));
  EXPECT_EQ(convert({{"epsilon", 1}, {"xi", "0.1"}}).error().name(), "xi");
}

TEST(ConvertVerb, GoesThereAndBack) {
  const Json epsilon = *convert({{"mu", "0.5"}, {"delta", "1e-6"}});
  const Json delta = *convert({{"mu", "0.5"}, {"epsilon", epsilon.at("epsilon")}});
  EXPECT_NEAR(delta.at("delta").get<double>() / 1e-6, 1, 1e-9);
  const Json rho = *convert({{"rho", "0.5"}, {"epsilon", 3}});
  EXPECT_NEAR(convert({{"rho", "0.5"}, {"delta", rho.at("delta")}})->at("epsilon").get<double>(), 3, 1e-9);
}

TEST(ConvertVerb, KnowsPureAndGaussianPrivacyInOtherCurrencies) {
  const Json pure = *convert({{"epsilon", 1}});
  EXPECT_EQ(pure.at("rho"), 0.5);
  EXPECT_NEAR(pure.at("mu").get<double>(), 1.2320353853449, 1e-12);
  EXPECT_EQ(convert({{"mu", "0.5"}})->at("rho"), 0.125);
}

TEST(ConvertVerb, AnswersWithTheFieldsOfItsQuestion) {
  const auto fields = [](const Json& request) {
    const Json answer = *convert(request);
    std::set<std::string> names;
    for (const auto& [name, value] : answer.items()) names.insert(name);
    return names;
  };
  using Names = std::set<std::string>;
  EXPECT_EQ(fields({{"epsilon", 1}}), (Names{"rho", "mu", "rule", "theorem", "mu_rule", "mu_theorem"}));
  EXPECT_EQ(fields({{"mu", 1}}), (Names{"rho", "rule", "theorem", "from"}));
  EXPECT_EQ(fields({{"mu", 1}, {"delta", "0.1"}}), (Names{"epsilon", "rule", "theorem", "from", "target"}));
  EXPECT_EQ(fields({{"rho", 1}, {"epsilon", 1}}),
            (Names{"delta", "rule", "theorem", "theorem_2_2_4", "optimal", "if_gaussian", "from", "target"}));
  const Json result = *convert({{"rho", "0.10"}, {"delta", "1e-6"}});
  EXPECT_EQ(result.at("from"), (Json{{"rho", "0.10"}})) << "the digits of the request";
  EXPECT_EQ(result.at("target"), (Json{{"delta", "1e-6"}}));
}

TEST(ConvertVerb, SaysItInWords) {
  const auto words = [](const Json& request) { return perform("convert", request, {})->words(); };
  EXPECT_THAT(words({{"rho", "0.125"}, {"delta", "1e-6"}}), HasSubstr("rho 0.125 is (epsilon 2.4191, delta 1e-6)-DP"));
  EXPECT_THAT(words({{"mu", "0.5"}, {"epsilon", "1"}}), HasSubstr("mu 0.5 is (epsilon 1, delta 0.0068"));
  EXPECT_THAT(words({{"epsilon", "1"}}), HasSubstr("rho-zCDP with rho 0.5"));
  EXPECT_THAT(words({{"mu", "0.5"}}), HasSubstr("rho-zCDP with rho 0.125"));
}

TEST(ConvertVerb, RefusesWhatIsNotImpliedOrMakesNoSense) {
  const auto refused = [](const Json& request, Code code, const std::string& part) {
    const auto result = convert(request);
    ASSERT_FALSE(result.ok()) << part;
    EXPECT_EQ(result.error().code(), code);
    EXPECT_THAT(result.error().message(), HasSubstr(part));
  };
  refused(Json::object(), Code::InvalidArgument, "must be one of rho, mu, or epsilon alone; for example: rho = 0.125 and delta = 1e-6");
  refused({{"rho", 1}, {"mu", 1}, {"delta", "0.1"}}, Code::InvalidArgument, "given twice");
  refused({{"rho", 1}}, Code::InvalidArgument, "target is missing, but must be delta (for an epsilon) or epsilon (for a delta)");
  refused({{"rho", 1}, {"delta", "1e-6"}, {"epsilon", 1}}, Code::InvalidArgument, "the other one is the answer");
  refused({{"epsilon", 1}, {"delta", "1e-6"}}, Code::Unsupported,
          "implies neither a mu nor a rho; `calibrate gaussian` tells the Gaussian noise that keeps it");
  refused({{"rho", 1}, {"delta", 0}}, Code::InvalidArgument, "must be greater than 0");
  for (const std::string wrong : {"-1", "0", "nan", "inf", "1e60", ""}) {
    refused({{"rho", wrong}, {"delta", "1e-6"}}, Code::InvalidArgument, "rho is ");
    refused({{"mu", wrong}, {"delta", "1e-6"}}, Code::InvalidArgument, "mu is ");
    refused({{"mu", 1}, {"epsilon", wrong}}, Code::InvalidArgument, "epsilon is ");
  }
  for (const std::string wrong : {"-1", "1", "nan", "2"}) refused({{"mu", 1}, {"delta", wrong}}, Code::InvalidArgument, "delta is ");
}

}  // namespace
}  // namespace tacet::service
