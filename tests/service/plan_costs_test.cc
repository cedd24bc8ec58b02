#include <map>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/service/verb.h"

namespace tacet::service {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

Result<Json> plan_costs(const Json& request) { return call("plan costs", request, {}); }
std::string words_of_costs(const Json& request) { return perform("plan costs", request, {})->words(); }

TEST(PlanCosts, HasTheFieldsOfTheContractWithIndependentValues) {
  const auto result = plan_costs({{"counts", "75,149,28,175,184,190"}, {"mu", "0.1"}});
  ASSERT_TRUE(result.ok()) << result.error().message();
  EXPECT_NEAR(result->at("gaussian").get<double>() / 1200, 1, 1e-9);
  EXPECT_NEAR(result->at("rank_deficient").get<double>() / 1000, 1, 1e-9);
  EXPECT_NEAR(result->at("js0").get<double>() / 1195.0614327791184, 1, 1e-9);
  EXPECT_NEAR(result->at("js").get<double>() / 1183.972357789084, 1, 1e-9);
  EXPECT_NEAR(result->at("rjs").get<double>() / 989.16450946762, 1, 1e-9);
  for (const std::string field : {"js+", "rank_deficient_js", "rank_deficient_js+", "gaussian_nonnegative", "rank_deficient_nonnegative",
                                  "laplace", "laplace_nonnegative", "laplace_universal", "simplex", "rjs_simplex", "sigma"}) {
    EXPECT_TRUE(result->at(field).is_number()) << field;
  }
  EXPECT_EQ(result->at("cells"), 6);
  EXPECT_EQ(result->at("n"), 801);
}

TEST(PlanCosts, TakesRhoForMuButForLaplaceNoise) {
  Json mu = *plan_costs({{"counts", "75,149,28,175,184,190"}, {"mu", "0.5"}, {"trials", 0}});
  Json rho = *plan_costs({{"counts", "75,149,28,175,184,190"}, {"rho", "0.125"}, {"trials", 0}});
  for (const char* name : {"laplace", "laplace_nonnegative", "laplace_universal"}) {
    EXPECT_LT(rho.at(name), mu.at(name)) << name;  // it costs less in rho than by its mu
    for (Json* one : {&mu, &rho}) one->erase(name);
  }
  EXPECT_NEAR(mu.at("crossings")[0].at("at").get<double>(), 3.687060656280794, 1e-12);
  EXPECT_NEAR(rho.at("crossings")[0].at("at").get<double>(), 3.268943174194563, 1e-9);
  for (Json* one : {&mu, &rho}) {
    one->erase("ranking");
    one->erase("crossings");
  }
  EXPECT_EQ(mu, rho);
}

TEST(PlanCosts, NeedsNoTableAtAll) {
  const Json request = {{"n", 4000}, {"p", 12}, {"mu", 0.1}};
  const auto result = plan_costs(request);
  ASSERT_TRUE(result.ok()) << result.error().message();
  EXPECT_EQ(result->at("table"), "even");
  EXPECT_NEAR(result->at("js").get<double>(), 600, 1e-9);
  EXPECT_THAT(words_of_costs(request),
              AllOf(HasSubstr("An even table makes shrinkage towards the mean look better than it is"), HasSubstr("nothing was spent")));
}

TEST(PlanCosts, RanksTheWaysThatHelpTheLeastCostFirst) {
  const Json request = {{"counts", "3,9,4"}, {"mu", "1"}};
  const auto result = plan_costs(request);
  double last = 0;
  for (const Json& way : result->at("ranking")) {
    EXPECT_GE(way.at("cost").get<double>(), last);
    last = way.at("cost").get<double>();
    EXPECT_NE(way.at("name"), "js");  // three cells are too few
    EXPECT_EQ(way.at("cost"), result->at(way.at("name").get<std::string>()));
  }
  EXPECT_EQ(result->at("js"), result->at("gaussian"));
  EXPECT_EQ(result->at("rjs"), result->at("rank_deficient"));
  EXPECT_THAT(words_of_costs(request), AllOf(HasSubstr("the least first"), HasSubstr("* simulated, 4000 trials")));
}

TEST(PlanCosts, SaysHowEveryWayIsAskedFor) {
  const Json result = *plan_costs({{"counts", "75,149,28,175,184,190"}, {"mu", "1"}});
  std::map<std::string, std::string> how;
  for (const Json& way : result.at("ranking")) how[way.at("name")] = way.at("how");
  EXPECT_EQ(how.size(), 18U);
  EXPECT_EQ(how["gaussian"], "--mechanism gaussian");
  EXPECT_EQ(how["gaussian_nonnegative"], "--mechanism gaussian, then --project nonnegative");
  EXPECT_EQ(how["rank_deficient_js+"], "--mechanism rank-deficient, then --shrink js+");
  EXPECT_EQ(how["rjs_simplex"], "--mechanism rank-deficient, then --shrink rjs --project simplex");
  EXPECT_EQ(how["laplace"], "Laplace noise, the least scale for a table");
  EXPECT_EQ(how["laplace_nonnegative"], "Laplace noise, the least scale for a table, then --project nonnegative");
  EXPECT_EQ(how["laplace_universal"], "Laplace noise, the scale for any statistic");
}

TEST(PlanCosts, SimulatesAsItIsTold) {
  const Json request = {{"counts", "0,9,4,1,30"}, {"mu", "1"}, {"trials", 200}, {"seed", 5}};
  EXPECT_EQ(*plan_costs(request), *plan_costs(request));
  Json other = request;
  other["seed"] = 6;
  EXPECT_NE(plan_costs(other)->at("simplex"), plan_costs(request)->at("simplex"));
  EXPECT_GT(plan_costs(request)->at("standard_errors").at("simplex").get<double>(), 0);
  other["trials"] = 0;
  EXPECT_FALSE(plan_costs(other)->contains("simplex"));
  EXPECT_EQ(words_of_costs(other).find("simulated"), std::string::npos);
}

TEST(PlanCosts, LaplaceNoiseHasTheScaleThatAReleaseWouldHave) {
  // rho 0.125 buys a table epsilon 0.7513467, and mu 0.5 one of 0.6858445: the Gaussian noise of
  // both is the same.
  const auto cost = [](double epsilon) { return 2 * 3 * (2 / epsilon) * (2 / epsilon); };
  const auto by_rho = plan_costs({{"n", 10}, {"p", 3}, {"rho", "0.125"}, {"trials", 0}});
  const auto by_mu = plan_costs({{"n", 10}, {"p", 3}, {"mu", "0.5"}, {"trials", 0}});
  EXPECT_EQ(by_rho->at("gaussian"), by_mu->at("gaussian"));
  EXPECT_NEAR(by_rho->at("laplace").get<double>() / cost(0.751346710673), 1, 1e-9);
  EXPECT_NEAR(by_mu->at("laplace").get<double>() / cost(0.685844464), 1, 1e-7);
}

TEST(PlanCosts, SaysWhoNeighboursAreAndWhereMechanismsCross) {
  EXPECT_THAT(words_of_costs({{"n", 600}, {"p", 6}, {"mu", 1}, {"trials", 0}}),
              AllOf(HasSubstr("Neighbours replace one person."),
                    HasSubstr("Laplace noise costs less than Gaussian noise from mu 3.687 (the scale for a table), mu 6.13 (the scale of "
                              "conjecture 12, which is not proven), mu 14.38 (the scale for any statistic).")));
  EXPECT_THAT(words_of_costs({{"n", 600}, {"p", 6}, {"epsilon", 1}, {"neighbours", "add-or-remove-one"}}),
              AllOf(HasSubstr("6 cells and 600 people at epsilon 1, the least first"), HasSubstr("add or remove one person")));
  EXPECT_THAT(words_of_costs({{"counts", "4,7,30"}, {"rho", 1}, {"l1", 3}, {"l2", 2}, {"sampled", true}, {"trials", 40}}),
              AllOf(HasSubstr("those of l1 and l2"), HasSubstr("averages over tables that are drawn")));
}

TEST(PlanCosts, LeavesLaplaceNullWhereItHasNoScale) {
  const auto result = plan_costs({{"n", 10}, {"p", 3}, {"mu", 50}, {"trials", 0}});
  for (const std::string field : {"laplace", "laplace_nonnegative", "laplace_universal"}) EXPECT_TRUE(result->at(field).is_null()) << field;
}

TEST(PlanCosts, NamesWhatIsWrong) {
  const std::vector<std::pair<Json, std::string>> cases = {
      {{{"counts", "1,2"}}, "privacy"},
      {{{"counts", "1,2"}, {"mu", 1}, {"rho", 1}}, "privacy"},
      {{{"mu", 1}}, "table"},
      {{{"n", 5}, {"mu", 1}}, "table"},
      {{{"p", 5}, {"mu", 1}}, "table"},
      {{{"counts", "1,2"}, {"n", 3}, {"mu", 1}}, "table"},
      {{{"counts", "1,-2"}, {"mu", 1}}, "counts"},
      {{{"counts", "1,x"}, {"mu", 1}}, "counts"},
      {{{"counts", "1,,2"}, {"mu", 1}}, "counts"},
      {{{"counts", "1,1e300"}, {"mu", 1}}, "counts"},
      {{{"n", "1.5"}, {"p", 5}, {"mu", 1}}, "n"},
      {{{"n", -1}, {"p", 5}, {"mu", 1}}, "n"},
      {{{"n", 5}, {"p", 0}, {"mu", 1}}, "p"},
      {{{"n", 5}, {"p", "1e9"}, {"mu", 1}}, "p"},
      {{{"n", 5}, {"p", 5}, {"mu", 0}}, "mu"},
      {{{"n", 5}, {"p", 5}, {"mu", "1e-150"}}, "mu"},
      {{{"n", 5}, {"p", 5}, {"rho", "x"}}, "rho"},
      {{{"n", 5}, {"p", 5}, {"mu", 1}, {"trials", 3}}, "trials"},
      {{{"n", 5}, {"p", 5}, {"mu", 1}, {"trials", "1e300"}}, "trials"},
      {{{"n", 5}, {"p", 5}, {"mu", 1}, {"seed", -1}}, "seed"},
      {{{"n", 5}, {"p", 5}, {"mu", 1}, {"epsilon", 1}}, "privacy"},
      {{{"n", 5}, {"p", 5}, {"mu", 1}, {"l1", 2}}, "l2"},
      {{{"n", 5}, {"p", 5}, {"mu", 1}, {"l2", 2}}, "l1"},
      {{{"n", 5}, {"p", 5}, {"mu", 1}, {"l1", 1}, {"l2", 2}}, "l1"},
      {{{"n", 5}, {"p", 5}, {"mu", 1}, {"l1", 2}, {"l2", 2}, {"neighbours", "replace-one"}}, "neighbours"},
      {{{"n", 0}, {"p", 5}, {"mu", 1}, {"sampled", true}}, "counts"}};
  for (const auto& [request, name] : cases) {
    const auto refused = plan_costs(request);
    ASSERT_FALSE(refused.ok()) << request;
    EXPECT_EQ(refused.error().code(), Code::InvalidArgument) << request;
    EXPECT_EQ(refused.error().name(), name) << request << refused.error().message();
    EXPECT_EQ(refused.error().spent(), "nothing was spent");
  }
}

}  // namespace
}  // namespace tacet::service
