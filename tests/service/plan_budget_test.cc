#include <cmath>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/service/verb.h"

#include "service/desk.h"

namespace tacet::service {
namespace {

using test::Desk;
using ::testing::AllOf;
using ::testing::HasSubstr;

Result<Json> plan_of_budget(const Json& request) { return call("plan budget", request, {}); }
std::string words_of_budget(const Json& request) { return perform("plan budget", request, {})->words(); }

TEST(PlanBudgetVerb, HasTheFieldsOfTheContract) {
  for (const Json& request : {Json{{"count-within", 20}, {"cells", 12}}, Json{{"mean-within", 0.5}, {"bounds", "0,120"}, {"n", 5000}},
                              Json{{"epsilon", 1}, {"delta", "1e-6"}}}) {
    const auto plan = plan_of_budget(request);
    ASSERT_TRUE(plan.ok()) << plan.error().message();
    for (const char* field : {"rho", "mu", "epsilon"}) EXPECT_TRUE(plan->at(field).is_number()) << field;
    EXPECT_EQ(plan->at("budgets").size(), 3U);
    EXPECT_EQ(plan->at("budgets")[0]["budget"], plan->at("rho"));
    EXPECT_EQ(plan->at("budgets")[1]["mechanism"], "gaussian");
    EXPECT_EQ(plan->at("budgets")[2]["mechanism"], "laplace");
  }
}

TEST(PlanBudgetVerb, TellsTheCommandThatSetsTheBudget) {
  const auto plan = plan_of_budget({{"count-within", 20}, {"cells", 12}});
  const std::string next = plan->at("budgets")[0]["next"];
  EXPECT_THAT(next, HasSubstr("tacet budget create --schema SCHEMA --rho 0.02"));
  const std::string words = words_of_budget({{"count-within", 20}, {"cells", 12}, {"releases", 4}});
  EXPECT_THAT(words, AllOf(HasSubstr("All 12 counts at once"), HasSubstr("each release"), HasSubstr("nothing was spent"),
                           HasSubstr("Next: tacet budget create --schema SCHEMA --rho")));
  EXPECT_THAT(words_of_budget({{"count-within", 20}}), HasSubstr("One count"));
}

TEST(PlanBudgetVerb, KnowsRowsOfAPerson) {
  EXPECT_THAT(words_of_budget({{"count-within", 20}, {"cells", 12}, {"rows", 3}}),
              HasSubstr("under replace-one, where a person has at most 3 rows and counts once in a cell: one of these budgets"));
  EXPECT_THAT(words_of_budget({{"count-within", 20}, {"rows", 1}, {"groups", 2}, {"count", "rows"}}),
              HasSubstr("where a person has at most 2 groups with at most 1 row each, all of which count:"));
  EXPECT_THAT(words_of_budget({{"mean-within", 0.5}, {"bounds", "0,120"}, {"n", 5000}, {"rows", 2}}),
              HasSubstr("of that of the 5,000 rows, for values from 0 to 120"));
  EXPECT_EQ(plan_of_budget({{"count-within", 20}, {"rows", 3}})->at("contributions"),
            (Json{{"rows", 3}, {"groups", nullptr}, {"count", "people"}}));
  EXPECT_TRUE(plan_of_budget({{"count-within", 20}})->at("contributions").is_null());
  EXPECT_THAT(plan_of_budget({{"count-within", 20}, {"groups", 3}}).error().message(), HasSubstr("groups is given, but goes with rows"));
  EXPECT_THAT(plan_of_budget({{"count-within", 20}, {"count", "rows"}}).error().message(), HasSubstr("goes with rows"));
  EXPECT_THAT(plan_of_budget({{"mean-within", 0.5}, {"bounds", "0,120"}, {"n", 50}, {"rows", 2}, {"count", "rows"}}).error().message(),
              HasSubstr("a mean is of rows"));
}

TEST(PlanBudgetVerb, FitsTheReleasesThatItIsFor) {
  // The budget, typed back, pays for the releases, and these are as accurate as planned.
  const auto plan = plan_of_budget({{"count-within", 3}, {"cells", 6}, {"releases", 2}});
  for (const Json& one : plan->at("budgets")) {
    const Desk desk;
    const std::string currency = one.at("currency");
    ASSERT_TRUE(desk.budget("create", {{currency, one.at("budget")}}).ok());
    const auto published = [&](const std::string& out) {
      Json request = {{"rho", nullptr}, {"mechanism", nullptr}, {"out", out}};
      request[currency] = one.at("each");
      return desk.release(request);
    };
    for (const std::string out : {"first.json", "second.json"}) {
      const auto release = published(out);
      ASSERT_TRUE(release.ok()) << release.error().message();
      EXPECT_EQ(release->at("noise")["family"], one.at("mechanism"));
      const auto estimate = desk.call("infer estimate", {{"release", desk.path(out)}});
      EXPECT_LE(estimate->at("margin").get<double>(), 3) << currency;
      EXPECT_GT(estimate->at("margin").get<double>(), 2.98) << currency;
    }
    EXPECT_EQ(published("third.json").error().code(), Code::BudgetExhausted) << currency;
  }
}

TEST(PlanBudgetVerb, RefusesAWishThatIsNotOne) {
  const auto refused = [](const Json& request) { return plan_of_budget(request).error().message(); };
  EXPECT_THAT(refused(Json::object()), HasSubstr("wish is missing, but must be one of count-within, mean-within, and epsilon with delta"));
  EXPECT_THAT(refused({{"count-within", 20}, {"epsilon", 1}}), HasSubstr("wish is given twice"));
  EXPECT_THAT(refused({{"epsilon", 1}}), HasSubstr("delta is missing, but must be given with epsilon"));
  EXPECT_THAT(refused({{"mean-within", 1}}), HasSubstr("bounds is missing"));
  EXPECT_THAT(refused({{"mean-within", 1}, {"bounds", "0,120"}}), HasSubstr("n is missing"));
  EXPECT_THAT(refused({{"count-within", 20}, {"n", 5}}), HasSubstr("n is given, but goes with mean-within"));
  EXPECT_THAT(refused({{"mean-within", 1}, {"bounds", "0,120"}, {"n", 5}, {"cells", 5}}),
              HasSubstr("cells is given, but goes with count-within"));
}

/// Without a mechanism in the request, noise follows from the currency: Laplace for a pure
/// epsilon, Gaussian otherwise.
TEST(DefaultMechanism, FollowsFromTheCurrencyForEveryRelease) {
  struct Asked {
    const char* verb;
    Json more;
  };
  const std::vector<Asked> releases = {
      {"release counts", {{"by", "sex,plan"}}},     {"release sum", {{"columns", "age"}}},
      {"release mean", {{"columns", "age"}}},       {"release second-moment", {{"columns", "age"}}},
      {"release covariance", {{"columns", "age"}}}, {"release query", {{"columns", "age"}, {"direction", "1"}}}};
  struct Spent {
    Json amount;
    const char* noise;
  };
  const std::vector<Spent> spent = {{{{"rho", "0.1"}}, "gaussian"},
                                    {{{"mu", "0.1"}}, "gaussian"},
                                    {{{"epsilon", "0.1"}, {"delta", "1e-9"}}, "gaussian"},
                                    {{{"epsilon", "0.1"}}, "laplace"}};
  int files = 0;
  for (const Json& budget : {Json{{"rho", 9}}, Json{{"mu", 9}}, Json{{"epsilon", 9}, {"delta", "1e-3"}}, Json{{"epsilon", 9}}}) {
    const Desk desk;
    ASSERT_TRUE(desk.budget("create", budget).ok());
    for (const Asked& asked : releases) {
      for (const Spent& one : spent) {
        Json request = {
            {"data", desk.path("people.csv")}, {"schema", desk.path("people.toml")}, {"out", desk.path(std::to_string(++files) + ".json")}};
        request.update(asked.more);
        request.update(one.amount);
        const auto release = desk.call(asked.verb, request);
        const bool query = std::string(asked.verb) == "release query";
        if (release.ok()) {
          EXPECT_EQ(release->at("noise")["family"], one.noise) << asked.verb << one.amount << budget;
          EXPECT_FALSE(query && std::string(one.noise) == "laplace");
        } else if (query && std::string(one.noise) == "laplace") {
          // A query has Gaussian noise only, and says what to spend instead.
          EXPECT_THAT(release.error().message(), HasSubstr("delta")) << budget;
        } else {
          // A budget in epsilon alone pays no Gaussian noise; with a delta none in rho or mu.
          EXPECT_EQ(one.noise, std::string("gaussian")) << release.error().message();
          EXPECT_TRUE(budget.contains("epsilon")) << asked.verb << one.amount << budget << release.error().message();
        }
      }
    }
  }
}

}  // namespace
}  // namespace tacet::service
