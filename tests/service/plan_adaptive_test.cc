#include <algorithm>
#include <cmath>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "service/desk.h"

namespace tacet::service {
namespace {

using test::Desk;
using ::testing::AllOf;
using ::testing::HasSubstr;

Result<Json> plan_adaptive_verb_answer(const Json& request) { return call("plan adaptive", request, {}); }
std::string words_of_adaptive(const Json& request) { return perform("plan adaptive", request, {})->words(); }

TEST(PlanAdaptive, HasTheFieldsOfTheContractWithIndependentValues) {
  const Json plan = *plan_adaptive_verb_answer({{"n", 272718}, {"queries", 938}, {"beta", 0.05}});
  EXPECT_EQ(plan.at("rule"), "cvar");
  EXPECT_EQ(plan.at("width"), plan.at("cvar"));
  EXPECT_NEAR(plan.at("cvar").get<double>() / 0.06322884557457575, 1, 1e-9);
  EXPECT_NEAR(plan.at("noise").get<double>() / 0.007464192720910946, 1, 1e-6);
  EXPECT_EQ(plan.at("noise_family"), "gaussian");
  EXPECT_NEAR(plan.at("rz_monitor").get<double>() / 0.08445341132531411, 1, 5e-8);
  EXPECT_NEAR(plan.at("data_splitting").get<double>() / 0.11724137931034483, 1, 1e-9);
  const double rho = 938 / (2 * std::pow(272718 * plan.at("noise").get<double>(), 2));
  EXPECT_NEAR(plan.at("rho").get<double>() / rho, 1, 1e-12);
  for (const char* field : {"dfhprr", "bnsssu", "jlnrss", "data_splitting_proportion", "data_splitting_bounded"})
    EXPECT_GT(plan.at(field).get<double>(), plan.at("width").get<double>()) << field;
  EXPECT_EQ(plan.at("rules").size(), 7U);
}

TEST(PlanAdaptive, SaysWhichRuleAndWhy) {
  EXPECT_THAT(words_of_adaptive({{"n", 6400}, {"queries", 640}, {"beta", 0.05}}),
              AllOf(HasSubstr("every answer is within 0.382049 of the population"), HasSubstr("Rule: cvar"),
                    HasSubstr("standard deviation 0.0472562"), HasSubstr("No data was read, and nothing was spent")));
  EXPECT_THAT(words_of_adaptive({{"n", 10000}, {"queries", 10}}),
              AllOf(HasSubstr("Rule: data_splitting"), HasSubstr("There are few queries: 1000 rows for each"),
                    HasSubstr("(Rogers 3.5) gives 0.044")));
  EXPECT_THAT(words_of_adaptive({{"n", 100}, {"queries", 1000}}), HasSubstr("no rule does better than the answer 1/2"));
  const Json none = *plan_adaptive_verb_answer({{"n", 100}, {"queries", 1000}});
  EXPECT_EQ(none.at("rule"), "constant");
  EXPECT_TRUE(none.at("noise").is_null());
  EXPECT_TRUE(none.at("rho").is_null());
}

TEST(PlanAdaptive, ServesSharesAndQueriesOfLowSensitivity) {
  const Json bounded = *plan_adaptive_verb_answer({{"n", 10000}, {"queries", 10}});
  const Json shares = *plan_adaptive_verb_answer({{"n", 10000}, {"queries", 10}, {"kind", "proportion"}});
  EXPECT_EQ(bounded.at("width"), bounded.at("data_splitting_bounded"));
  EXPECT_EQ(shares.at("width"), shares.at("data_splitting_proportion"));
  const Json sums = *plan_adaptive_verb_answer({{"n", 6400}, {"queries", 640}, {"sensitivity", 2}});
  EXPECT_NEAR(sums.at("width").get<double>() / (2 * 6400 * 0.3820491079771741), 1, 1e-9);
  EXPECT_TRUE(sums.at("jlnrss").is_null());
  EXPECT_TRUE(sums.at("data_splitting").is_null());
  EXPECT_THAT(words_of_adaptive({{"n", 6400}, {"queries", 640}, {"sensitivity", 2}}), HasSubstr("640 queries of sensitivity 2"));
}

TEST(PlanAdaptive, WritesCurvesOverPeopleAndQueries) {
  const Desk desk;
  for (const std::string over : {"n", "queries"}) {
    const Json plan = *plan_adaptive_verb_answer(
        {{"n", 2000}, {"queries", 30}, {"over", over}, {"csv", desk.path(over + ".csv")}, {"html", desk.path(over + ".html")}});
    EXPECT_EQ(plan.at("csv"), desk.path(over + ".csv"));
    const std::string csv = desk.read(over + ".csv");
    EXPECT_THAT(csv, ::testing::StartsWith(over + ",rz_monitor,dfhprr,bnsssu,jlnrss,cvar,constant,data_splitting,best\n"));
    EXPECT_GT(std::count(csv.begin(), csv.end(), '\n'), 30);
    EXPECT_THAT(desk.read(over + ".html"), HasSubstr("How far answers may be from the population"));
  }
}

TEST(PlanAdaptive, RefusesWhatMakesNoSense) {
  EXPECT_THAT(plan_adaptive_verb_answer({{"n", 0}, {"queries", 5}}).error().message(), HasSubstr("n is 0"));
  EXPECT_THAT(plan_adaptive_verb_answer({{"n", 5}, {"queries", 0}}).error().message(), HasSubstr("queries is 0"));
  EXPECT_THAT(plan_adaptive_verb_answer({{"n", 5}, {"queries", 5}, {"beta", 1.5}}).error().message(), HasSubstr("beta is 1.5"));
  EXPECT_THAT(plan_adaptive_verb_answer({{"n", 5}, {"queries", 5}, {"kind", "proportion"}, {"sensitivity", 1}}).error().message(),
              HasSubstr("must be left out for proportions"));
}

Result<Json> plan_pvalue_verb_answer(const Json& request) { return call("plan pvalue", request, {}); }
std::string words_of_pvalue(const Json& request) { return perform("plan pvalue", request, {})->words(); }

TEST(PlanPvalue, HasTheFieldsOfTheContract) {
  const Json pure = *plan_pvalue_verb_answer({{"n", 1000}, {"alpha", 0.05}, {"epsilon", 0.05}});
  EXPECT_NEAR(-std::log2(pure.at("threshold").get<double>()), 8.55582894120048, 1e-8);
  EXPECT_EQ(pure.at("rule"), "pure_product");
  const double again = (0.05 - pure.at("beta").get<double>()) / std::exp2(pure.at("max_information").get<double>());
  EXPECT_NEAR(pure.at("threshold").get<double>() / again, 1, 1e-9);
  const Json both = *plan_pvalue_verb_answer({{"n", 1000}, {"alpha", 0.05}, {"epsilon", 0.01}, {"delta", 1e-14}});
  EXPECT_NEAR(-std::log2(both.at("threshold").get<double>()), 18.183650688936, 1e-7);
  EXPECT_EQ(both.at("rule"), "approximate");
  const Json rho = *plan_pvalue_verb_answer({{"n", 1000}, {"alpha", 0.05}, {"rho", 1e-5}});
  EXPECT_NEAR(-std::log2(rho.at("threshold").get<double>()), 19.9628632472704, 1e-7);
  EXPECT_GT(rho.at("sharper_threshold"), rho.at("threshold"));
  const Json mu = *plan_pvalue_verb_answer({{"n", 1000}, {"alpha", 0.05}, {"mu", std::sqrt(2e-5)}});
  EXPECT_GT(mu.at("sharper_threshold"), rho.at("sharper_threshold"));
  const Json bits = *plan_pvalue_verb_answer({{"n", 1000}, {"alpha", 0.05}, {"bits", 3}});
  EXPECT_NEAR(bits.at("threshold").get<double>(), 0.05 * 0.05 / 32, 1e-12);
  EXPECT_NEAR(bits.at("sharper_threshold").get<double>(), 0.05 / 8, 1e-15);
}

TEST(PlanPvalue, SaysWhatToDo) {
  EXPECT_THAT(words_of_pvalue({{"n", 1000}, {"epsilon", 0.05}}),
              AllOf(HasSubstr("Reject where the p-value is at most 0.00265"), HasSubstr("has the level 0.05"),
                    HasSubstr("a pure epsilon, for independent rows")));
  EXPECT_THAT(words_of_pvalue({{"n", 1000}, {"bits", 4}}), AllOf(HasSubstr("at most 0.003125:"), HasSubstr("Rule: the union bound"),
                                                                 HasSubstr("By max-information alone: 3.90625e-05.")));
  EXPECT_THAT(words_of_pvalue({{"n", 10000}, {"mu", 0.01}}),
              AllOf(HasSubstr("at most 0.00012575:"), HasSubstr("how often such tests reject")));
  EXPECT_THAT(words_of_pvalue({{"n", 1000000}, {"epsilon", 0.1}, {"delta", 1e-6}}), HasSubstr("No p-value is small enough"));
}

TEST(PlanPvalue, RefusesWhatHasNoBound) {
  EXPECT_THAT(plan_pvalue_verb_answer({{"n", 1000}}).error().message(), HasSubstr("selection is missing"));
  EXPECT_THAT(plan_pvalue_verb_answer({{"n", 1000}, {"epsilon", 1}, {"rho", 1}}).error().message(), HasSubstr("given in several ways"));
  EXPECT_THAT(plan_pvalue_verb_answer({{"n", 1000}, {"delta", 1e-9}}).error().message(), HasSubstr("selection is missing"));
  EXPECT_THAT(plan_pvalue_verb_answer({{"n", 1000}, {"rho", 0.1}, {"rows", "any"}}).error().message(),
              HasSubstr("holds for independent rows only"));
}

}  // namespace
}  // namespace tacet::service
