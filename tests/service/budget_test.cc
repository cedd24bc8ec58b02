#include <cstdint>
#include <filesystem>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/kernel/ledger/ledger.h"
#include "tacet/privacy/parameters.h"

#include "service/desk.h"

namespace tacet::service {
namespace {

using test::Desk;
using ::testing::HasSubstr;

std::filesystem::path keys() { return testing::ScratchFolder::keys(); }

TEST(BudgetCreate, SaysWhatTheBudgetIsInExactDecimals) {
  const Desk desk;
  auto made = desk.budget("create", {{"rho", "0.30"}});
  ASSERT_TRUE(made.ok()) << made.error().message();
  EXPECT_EQ(made->at("dataset"), "people");
  EXPECT_EQ(made->at("currency"), "rho");
  EXPECT_EQ(made->at("total"), (Json{{"rho", "0.3"}}));
  EXPECT_EQ(made->at("spent"), (Json{{"rho", "0"}}));
  EXPECT_EQ(made->at("remaining"), (Json{{"rho", "0.3"}}));
  EXPECT_EQ(made->at("entries"), 0);
  EXPECT_THAT(Desk().budget_words("create", {{"rho", "0.30"}}), HasSubstr("The budget of \"people\" is rho 0.3"));
  EXPECT_EQ(made->at("warnings"), Json::array());
  made->erase("warnings");
  EXPECT_EQ(*desk.budget("show"), *made);
}

TEST(BudgetCreate, KnowsFourCurrencies) {
  const std::vector<std::pair<Json, Json>> cases = {{{{"rho", 1}}, {{"rho", "1"}}},
                                                    {{{"epsilon", "2"}}, {{"epsilon", "2"}}},
                                                    {{{"epsilon", 2}, {"delta", 1e-6}}, {{"epsilon", "2"}, {"delta", "0.000001"}}},
                                                    {{{"mu", 0.5}}, {{"mu", 0.5}, {"mu_squared", "0.25"}}}};
  for (const auto& [request, total] : cases) {
    const Desk desk;
    const auto made = desk.budget("create", request);
    ASSERT_TRUE(made.ok()) << request << made.error().message();
    EXPECT_EQ(made->at("total"), total);
  }
}

TEST(BudgetCreate, ReadsNumbersAlikeWhetherTheyAreJsonNumbersOrTexts) {
  const Desk texts;
  const Desk numbers;
  EXPECT_EQ(texts.budget("create", {{"rho", "0.1"}})->at("total"), numbers.budget("create", {{"rho", 0.1}})->at("total"));
}

TEST(BudgetCreate, SetsABudgetOnce) {
  const Desk desk;
  ASSERT_TRUE(desk.budget("create", {{"rho", 1}}).ok());
  for (const Json& again : {Json{{"rho", 1}}, Json{{"rho", 2}}, Json{{"epsilon", 5}}}) {
    EXPECT_REFUSED(desk, Code::AlreadyExists, desk.budget("create", again));
  }
  EXPECT_EQ(desk.budget("show")->at("total"), (Json{{"rho", "1"}}));
}

TEST(BudgetCreate, RefusesAmountsThatAreNone) {
  for (const std::string wrong : {"0", "-1", "nan", "inf", "1e400", "", " 1", "1 ", "0x1", "1,5", "1e7", "1e-301", "--1", "one"}) {
    const Desk desk;
    const auto refused = desk.budget("create", {{"rho", wrong}});
    ASSERT_FALSE(refused.ok()) << wrong;
    EXPECT_EQ(refused.error().code(), Code::InvalidArgument) << wrong;
    EXPECT_EQ(refused.error().name(), "rho") << wrong;
    EXPECT_FALSE(desk.has("people.ledger")) << wrong;
  }
  for (const Json& wrong : {Json(0), Json(-0.25), Json(1e300)}) {
    EXPECT_FALSE(Desk().budget("create", {{"rho", wrong}}).ok()) << wrong;
  }
}

TEST(BudgetCreate, NeedsExactlyOneWayToSayHowPrivate) {
  const Desk desk;
  for (const Json& wrong : {Json::object(), Json{{"rho", 1}, {"mu", 1}}, Json{{"epsilon", 1}, {"rho", 1}}, Json{{"rho", 1}, {"delta", 0.1}},
                            Json{{"delta", 0.1}}, Json{{"epsilon", 1}, {"delta", 1}}, Json{{"epsilon", 1}, {"delta", -0.1}}}) {
    const auto refused = desk.budget("create", wrong);
    ASSERT_FALSE(refused.ok()) << wrong;
    EXPECT_EQ(refused.error().code(), Code::InvalidArgument) << wrong;
  }
  EXPECT_FALSE(desk.has("people.ledger"));
}

TEST(BudgetCreate, GivesAnalystsShares) {
  const Desk desk;
  const auto made = desk.budget("create", {{"mu", 1}, {"share", "ada=0.5,bob=1"}});
  ASSERT_TRUE(made.ok()) << made.error().message();
  ASSERT_EQ(made->at("analysts").size(), 2U);
  EXPECT_EQ(made->at("analysts").at(0).at("analyst"), "ada");
  EXPECT_EQ(made->at("analysts").at(0).at("share").at("mu_squared"), "0.25");
  EXPECT_EQ(made->at("analysts").at(1).at("share_words"), "mu 1");
}

TEST(BudgetCreate, GivesSharesOfBothPartsOfAnEpsilonDeltaBudget) {
  const Desk desk;
  const auto made = desk.budget("create", {{"epsilon", 1}, {"delta", "1e-6"}, {"share", Json::array({"ada=0.5/1e-7"})}});
  ASSERT_TRUE(made.ok()) << made.error().message();
  EXPECT_EQ(made->at("analysts").at(0).at("share"), (Json{{"epsilon", "0.5"}, {"delta", "0.0000001"}}));
}

TEST(BudgetCreate, RefusesSharesThatAreNone) {
  for (const std::string wrong :
       {"ada", "=0.5", "ada=", "ada=x", "ada=2", "ada=0.5/1e-7", "ada=-1", "ada=0.1,ada=0.2", "ada=0.1,", ",", "ada=0"}) {
    const Desk desk;
    const auto refused = desk.budget("create", {{"rho", 1}, {"share", wrong}});
    ASSERT_FALSE(refused.ok()) << wrong;
    EXPECT_EQ(refused.error().code(), Code::InvalidArgument) << wrong;
    EXPECT_FALSE(desk.has("people.ledger")) << wrong;
    EXPECT_TRUE(!std::filesystem::exists(keys()) || std::filesystem::is_empty(keys())) << wrong;
  }
  const auto message = [](const Json& request) { return Desk().budget("create", request).error().message(); };
  EXPECT_EQ(message({{"rho", 1}, {"share", "ada:0.5"}}),
            "share is \"ada:0.5\", but must be NAME=RHO, in the terms of the budget; for example: share = ada=0.5,bob=0.5");
  EXPECT_THAT(message({{"mu", 1}, {"share", "ada=x"}}),
              HasSubstr("share is \"ada=x\", but must be NAME=MU, in the terms of the budget (mu "));
  EXPECT_THAT(message({{"epsilon", 1}, {"delta", "1e-6"}, {"share", "ada=0.5"}}),
              HasSubstr("must be NAME=EPSILON/DELTA, in the terms of the budget; for example: share = ada=0.5/1e-7"));
  EXPECT_THAT(message({{"rho", 1}, {"share", "ada=0.5"}, {"others", "some"}}), HasSubstr("others is \"some\", but must be RHO"));
}

TEST(BudgetCreate, RefusedLeavesNeitherALedgerNorAKey) {
  const std::vector<Json> wrong = {{{"rho", 1}, {"share", "ada=2"}},
                                   {{"rho", 1}, {"share", "ada=0.5"}, {"others", "2"}},
                                   {{"rho", 1}, {"others", "0.5"}},
                                   {{"rho", 1}, {"dataset", std::string(201, 'a')}},
                                   {{"rho", 1}, {"share", "ada=0.1,ada=0.2"}},
                                   {{"rho", 1}, {"again", "  "}}};
  for (const Json& request : wrong) {
    const Desk desk;
    const auto refused = desk.budget("create", request);
    ASSERT_FALSE(refused.ok()) << request;
    EXPECT_FALSE(desk.has("people.ledger")) << request;
    EXPECT_TRUE(!std::filesystem::exists(keys()) || std::filesystem::is_empty(keys())) << request;
  }
}

// The list of sources cannot be written where a folder has its name; that is found once the ledger
// is made.
TEST(BudgetCreate, RefusedAfterTheLedgerWasMadeTakesItAwayAgain) {
  const Desk desk;
  std::filesystem::create_directories(keys() / "sources");
  EXPECT_EQ(desk.budget("create", {{"rho", 1}, {"source", desk.path("people.csv")}}).error().code(), Code::FileUnwritable);
  EXPECT_FALSE(desk.has("people.ledger"));
  std::filesystem::remove(keys() / "sources");
  EXPECT_TRUE(std::filesystem::is_empty(keys()));
  EXPECT_TRUE(desk.budget("create", {{"rho", 1}, {"source", desk.path("people.csv")}}).ok());
}

TEST(BudgetCreate, RefusedForADatasetThatHasOneClaimsNoSource) {
  const Desk desk;
  desk.write("other.csv", test::kPeople);
  ASSERT_TRUE(desk.budget("create", {{"rho", 1}, {"source", desk.path("people.csv")}}).ok());
  EXPECT_REFUSED(desk, Code::AlreadyExists, desk.budget("create", {{"rho", 1}, {"source", desk.path("other.csv")}}));
  EXPECT_TRUE(desk.budget("create", {{"rho", 1}, {"dataset", "second"}, {"source", desk.path("other.csv")}}).ok());
}

TEST(BudgetCreate, TrimsTheItemsOfLists) {
  const Desk desk;
  const auto made = desk.budget("create", {{"rho", 1}, {"share", "ada=0.5, bob=0.25 "}});
  ASSERT_TRUE(made.ok()) << made.error().message();
  EXPECT_EQ(made->at("analysts").at(1).at("analyst"), "bob");
  EXPECT_TRUE(desk.release({{"by", " sex , plan"}}).ok());
}

TEST(BudgetCreate, KeepsTheRuleAndItsSlackForEver) {
  const Desk desk;
  auto made = desk.budget("create", {{"epsilon", 1}, {"delta", "1e-6"}, {"rule", "whitehouse"}});
  ASSERT_TRUE(made.ok()) << made.error().message();
  made->erase("warnings");
  EXPECT_EQ(made->at("rule"), "whitehouse");
  EXPECT_EQ(made->at("slack"), "0.0000005");  // half of delta
  EXPECT_EQ(made->at("neighbours"), "replace-one");
  EXPECT_EQ(made->at("spent"), (Json{{"epsilon", "0"}, {"delta", "0"}}));
  EXPECT_EQ(made->at("remaining"), (Json{{"epsilon", "1"}, {"delta", "0.0000005"}}));
  EXPECT_EQ(*desk.budget("show"), *made);
  EXPECT_EQ(
      desk.budget_words("show"),
      "The budget of \"people\" is epsilon 1, delta 0.000001 (whitehouse: adaptive releases, up to epsilon 1 and delta 0.000001 together; "
      "squares of epsilon add up, slack 0.0000005). Neighbours: replace-one.\n"
      "Spent: epsilon 0, delta 0 in 0 charges. Remaining: epsilon 1, delta 0.0000005.\n"
      "No release was charged yet; a release of at most epsilon 0.1825, delta 0.0000005 fits.\n");
  EXPECT_REFUSED(desk, Code::AlreadyExists, desk.budget("create", {{"epsilon", 1}, {"delta", "1e-6"}, {"rule", "basic"}}));
}

TEST(BudgetCreate, EveryCurrencyHasItsRules) {
  const std::vector<std::pair<Json, std::string>> cases = {
      {{{"rho", 1}}, "zcdp"},
      {{{"rho", 1}, {"rule", "zcdp"}}, "zcdp"},
      {{{"mu", 1}}, "gdp"},
      {{{"epsilon", 1}}, "basic"},
      {{{"epsilon", 1}, {"delta", "1e-6"}}, "basic"},
      {{{"epsilon", 1}, {"delta", "1e-6"}, {"rule", "rogers"}}, "rogers"},
      {{{"epsilon", 1}, {"delta", "1e-6"}, {"rule", "whitehouse"}, {"slack", 1e-7}}, "whitehouse"}};
  for (const auto& [request, rule] : cases) {
    const Desk desk;
    const auto made = desk.budget("create", request);
    ASSERT_TRUE(made.ok()) << request << made.error().message();
    EXPECT_EQ(made->at("rule"), rule);
    EXPECT_EQ(made->contains("slack"), rule == "whitehouse");
  }
}

TEST(BudgetCreate, RefusesRulesThatDoNotServeTheBudgetAndMakesNoLedger) {
  const std::vector<std::pair<Json, std::string>> cases = {
      {{{"rho", 1}, {"rule", "whitehouse"}},
       "rule is whitehouse, but must be zcdp for a budget in rho; other rules need a budget in epsilon and delta"},
      {{{"mu", 1}, {"rule", "basic"}}, "rule is basic, but must be gdp for a budget in mu; other rules need a budget in epsilon and delta"},
      {{{"epsilon", 1}, {"rule", "rogers"}},
       "rule is rogers, but must be basic for a budget in epsilon; rogers and whitehouse need a budget with a delta: add delta = 1e-6"},
      {{{"epsilon", 1}, {"delta", 0}, {"rule", "rogers"}},
       "delta is 0, but must be greater than 0 for this rule; with delta 0 only the rule basic holds"},
      {{{"epsilon", 1}, {"delta", 0}, {"rule", "whitehouse"}},
       "delta is 0, but must be greater than 0 for this rule; with delta 0 only the rule basic holds"},
      {{{"epsilon", 1}, {"delta", "1e-6"}, {"rule", "whitehouse"}, {"slack", "1e-5"}},
       "slack is 0.00001, but must be greater than 0 and at most delta, 0.000001"},
      {{{"epsilon", 1}, {"delta", "1e-6"}, {"rule", "whitehouse"}, {"slack", "0"}},
       "slack is 0, but must be greater than 0 and at most delta, 0.000001"},
      {{{"epsilon", 1}, {"delta", "1e-6"}, {"rule", "whitehouse"}, {"slack", "some"}},
       "slack is \"some\", but must be a decimal number greater than 0 and at most delta; for example: slack = 5e-7"},
      {{{"epsilon", 1}, {"delta", "1e-6"}, {"slack", "1e-7"}},
       "slack is 1e-7, but goes with the rule whitehouse only; leave it out, or add rule = whitehouse"},
      {{{"epsilon", 1}, {"delta", "1e-6"}, {"rule", "advanced"}},
       "rule is advanced, but must be basic, rogers, whitehouse, zcdp, gdp or odometer"}};
  for (const auto& [request, message] : cases) {
    const Desk desk;
    const auto refused = desk.budget("create", request);
    ASSERT_FALSE(refused.ok()) << request;
    EXPECT_EQ(refused.error().code(), Code::InvalidArgument);
    EXPECT_EQ(refused.error().message(), message);
    EXPECT_FALSE(desk.has("people.ledger")) << request;
  }
}

TEST(BudgetCreate, TakesTheNeighbourRelationFromTheSchemaOrWithoutOneFromTheRequest) {
  const Desk desk;
  const auto alone = [&desk](const std::string& dataset, Json more) {
    more["ledger"] = desk.path("people.ledger");
    more["dataset"] = dataset;
    more["rho"] = 1;
    return desk.call("budget create", more);
  };
  EXPECT_EQ(alone("a", Json::object())->at("neighbours"), "replace-one");
  EXPECT_EQ(alone("b", {{"neighbours", "add-or-remove-one"}})->at("neighbours"), "add-or-remove-one");
  EXPECT_EQ(alone("c", {{"neighbours", "cousins"}}).error().message(),
            "neighbours is cousins, but must be replace-one or add-or-remove-one");
  EXPECT_EQ(desk.budget("create", {{"rho", 1}, {"neighbours", "add-or-remove-one"}}).error().message(),
            "neighbours is add-or-remove-one, but must be what the schema says, replace-one; leave it out, or change the schema");
  EXPECT_TRUE(desk.budget("create", {{"rho", 1}, {"neighbours", "replace-one"}}).ok());
}

TEST(BudgetCreate, ShareByWhitehouseMustHoldTheSlack) {
  const Desk desk;
  const Json whitehouse = {{"epsilon", 1}, {"delta", "1e-6"}, {"rule", "whitehouse"}};
  Json small = whitehouse;
  small["share"] = "ada=0.5/1e-7";
  EXPECT_THAT(desk.budget("create", small).error().message(),
              HasSubstr("must have a delta of at least the slack of the budget, 0.0000005"));
  Json enough = whitehouse;
  enough["share"] = "ada=0.5/6e-7";
  EXPECT_TRUE(desk.budget("create", enough).ok());
}

// What was spent holds for the budget that was set; the odometer holds at the moment it is read.
TEST(BudgetShow, HasAnOdometerInEveryCurrency) {
  struct Case {
    Json create, release;
    double epsilon, delta;
  };
  const std::vector<Case> cases = {
      {{{"rho", 1}}, {{"rho", "0.1"}}, 2.32142, 1e-6},
      {{{"mu", 2}}, {{"rho", nullptr}, {"mu", "0.447213595499957939"}}, 2.32142, 1e-6},
      {{{"epsilon", 2}}, {{"rho", nullptr}, {"mechanism", "laplace"}, {"epsilon", "0.5"}}, 0.5, 0},
      {{{"epsilon", 2}, {"delta", 1e-6}}, {{"rho", nullptr}, {"mechanism", "laplace"}, {"epsilon", "0.5"}}, 0.5, 0},
      {{{"epsilon", 2}, {"delta", 2e-6}, {"rule", "whitehouse"}, {"slack", "1e-6"}},
       {{"rho", nullptr}, {"mechanism", "laplace"}, {"epsilon", "0.2"}},
       0.980769,
       2e-6},
      {{{"epsilon", 2}, {"delta", 2e-6}, {"rule", "rogers"}},
       {{"rho", nullptr}, {"mechanism", "laplace"}, {"epsilon", "0.2"}},
       0.980769,
       2e-6}};
  for (const auto& [create, release, epsilon, delta] : cases) {
    const Desk desk;
    ASSERT_TRUE(desk.budget("create", create).ok()) << create;
    EXPECT_EQ(desk.budget("show")->at("odometer").at("epsilon"), 0) << create;
    ASSERT_TRUE(desk.release(release).ok()) << create;
    const Json shown = *desk.budget("show");
    EXPECT_NEAR(shown.at("odometer").at("epsilon").get<double>(), epsilon, 1e-5) << create;
    EXPECT_EQ(shown.at("odometer").at("delta"), delta) << create;
    const bool sums = shown.at("rule") == "basic";
    EXPECT_EQ(desk.budget_words("show").find("Given away so far") == std::string::npos, sums) << "a sum is its own reading";
  }
}

TEST(BudgetShow, CountsTheReleasesLeftLikeTheLastOne) {
  const Desk desk;
  ASSERT_TRUE(desk.budget("create", {{"rho", "0.45"}, {"share", "ada=0.3"}, {"others", "0.45"}}).ok());
  EXPECT_EQ(desk.budget("show")->at("releases_left_like_last"), nullptr);
  EXPECT_EQ(desk.budget("show")->at("last"), nullptr);
  const auto words = [&desk] { return desk.budget_words("show"); };
  EXPECT_THAT(words(), HasSubstr("\nNo release was charged yet; a release of at most rho 0.3 by ada fits.\n"));

  ASSERT_TRUE(desk.release({{"out", "a.json"}}).ok());
  EXPECT_EQ(desk.budget("show")->at("releases_left_like_last"), 3);
  EXPECT_EQ(desk.budget("show")->at("last"),
            (Json{{"analyst", "ada"}, {"charged_words", "rho 0.1"}, {"left_in_share", 2}, {"left_in_others", nullptr}}));
  EXPECT_THAT(words(), HasSubstr("\n3 more releases like the last one (rho 0.1 by ada) fit. 2 of them fit into the share of ada.\n"));

  ASSERT_TRUE(desk.release({{"out", "b.json"}, {"analyst", "ben"}}).ok());
  EXPECT_EQ(desk.budget("show")->at("last").at("left_in_share"), nullptr);
  EXPECT_EQ(desk.budget("show")->at("last").at("left_in_others"), 3);
  EXPECT_THAT(words(), HasSubstr("\n2 more releases like the last one (rho 0.1 by ben) fit. "
                                 "2 of them fit into what is left to those without a share.\n"));

  ASSERT_TRUE(desk.release({{"out", "c.json"}, {"rho", "0.2"}}).ok());
  EXPECT_EQ(desk.budget("show")->at("releases_left_like_last"), 0);
  EXPECT_THAT(words(), HasSubstr("\nNo more releases like the last one (rho 0.2 by ada) fit; no release by ada fits.\n"));

  ASSERT_TRUE(desk.release({{"out", "d.json"}, {"analyst", "ben"}, {"rho", "0.025"}}).ok());
  EXPECT_THAT(words(), HasSubstr("\n1 more release like the last one (rho 0.025 by ben) fits. "
                                 "1 of them fits into what is left to those without a share.\n"));
  ASSERT_TRUE(desk.release({{"out", "e.json"}, {"analyst", "ben"}, {"rho", "0.025"}}).ok());
  EXPECT_THAT(words(), HasSubstr("\nNo more releases like the last one (rho 0.025 by ben) fit; the budget is used up.\n"));
}

TEST(BudgetShow, TellsWhatIsLeftToWhomBesideWhatIsLeftInAll) {
  Desk desk;
  const auto made = desk.budget("create", {{"rho", 1}, {"share", "ada=0.4,bob=0.1"}, {"others", "0.2"}});
  ASSERT_TRUE(made.ok()) << made.error().message();
  EXPECT_EQ(made->at("others").at("most"), (Json{{"rho", "0.2"}}));
  ASSERT_TRUE(desk.release({{"out", "a.json"}}).ok());  // 0.1 of ada
  const auto released = desk.perform("release counts", desk.release_request({{"out", "b.json"}, {"analyst", "eve"}}));
  ASSERT_TRUE(released.ok()) << released.error().message();
  EXPECT_EQ(released->json().at("budget").at("asker").at("analyst"), "eve");  // 0.1 of the others
  EXPECT_THAT(released->words(), HasSubstr("Remaining: rho 0.8 in all, rho 0.1 for eve."));

  const auto seen_by = [&desk](const std::string& analyst) {
    desk.context.analyst = analyst;
    return *desk.budget("show");
  };
  const Json ada = seen_by("ada");
  EXPECT_EQ(ada.at("remaining"), (Json{{"rho", "0.8"}}));
  EXPECT_EQ(ada.at("asker").at("from"), "share");
  EXPECT_EQ(ada.at("asker").at("remaining"), (Json{{"rho", "0.3"}}));
  EXPECT_EQ(ada.at("asker").at("releases_left_like_last"), 3);
  EXPECT_EQ(ada.at("releases_left_like_last"), 8);
  EXPECT_THAT(desk.budget_words("show"), HasSubstr("Remaining: rho 0.8.\nRemaining for ada (a share of rho 0.4): rho 0.3.\n"));
  EXPECT_THAT(desk.budget_words("show"),
              HasSubstr("8 more releases like the last one (rho 0.1 by eve) fit. 1 of them fits into what is left to those"));

  const Json zoe = seen_by("zoe");
  EXPECT_EQ(zoe.at("asker").at("from"), "others");
  EXPECT_EQ(zoe.at("asker").at("remaining"), (Json{{"rho", "0.1"}}));
  EXPECT_EQ(zoe.at("asker").at("releases_left_like_last"), 1);
  EXPECT_EQ(zoe.at("others").at("spent"), (Json{{"rho", "0.1"}}));
  EXPECT_EQ(zoe.at("others").at("remaining"), (Json{{"rho", "0.1"}}));
  EXPECT_THAT(desk.budget_words("show"), HasSubstr("Remaining for zoe (with all others who have no share, rho 0.2): rho 0.1.\n"));
  EXPECT_THAT(desk.budget_words("show"), ::testing::ContainsRegex("all without a share +rho 0.1 +rho 0.2 +rho 0.1\n"));
  for (const Json& row : zoe.at("analysts")) {
    const std::map<std::string, std::string> left = {{"ada", "0.3"}, {"bob", "0.1"}, {"eve", "0.1"}};
    EXPECT_EQ(row.at("remaining"), (Json{{"rho", left.at(row.at("analyst"))}}));
  }
}

TEST(BudgetShow, OwnRemainderIsNeverMoreThanThatOfAll) {
  Desk desk;
  ASSERT_TRUE(desk.budget("create", {{"rho", 1}, {"share", "ada=0.9,bob=0.9"}}).ok());
  ASSERT_TRUE(desk.release({{"rho", "0.8"}}).ok());
  desk.context.analyst = "bob";
  const Json bob = *desk.budget("show");
  EXPECT_EQ(bob.at("asker").at("remaining"), (Json{{"rho", "0.2"}}));
  EXPECT_EQ(bob.at("asker").at("largest_release"), "rho 0.2");
  EXPECT_THAT(desk.budget_words("show"), HasSubstr("(rho 0.8 by ada) fit; a release of at most rho 0.2 by bob fits.\n"));
  EXPECT_EQ(bob.at("asker").at("releases_left_like_last"), 0);
  desk.context.analyst = "eve";
  const Json eve = *desk.budget("show");
  EXPECT_EQ(eve.at("others"), nullptr);
  EXPECT_EQ(eve.at("asker").at("from"), "nothing");
  EXPECT_EQ(eve.at("asker").at("remaining"), (Json{{"rho", "0"}}));
  EXPECT_EQ(eve.at("asker").at("largest_release"), nullptr);
  EXPECT_THAT(desk.budget_words("show"), HasSubstr("Remaining for eve: nothing, since there are shares and none is for eve.\n"));
}

TEST(BudgetShow, NamesTheLargestReleaseOfTheOneWhoAsks) {
  Desk desk;
  EXPECT_THAT(desk.budget_words("create", {{"rho", 1}, {"share", "ada=0.5"}}),
              HasSubstr("No release was charged yet; a release of at most rho 0.5 by ada fits.\n"));
  desk.context.analyst = "eve";
  EXPECT_THAT(desk.budget_words("show"), HasSubstr("No release was charged yet; no release by eve fits.\n"));
}

// Epsilon is bound by what is left of all, delta by the share.
TEST(BudgetShow, LargestReleaseFitsBothInEpsilonAndInDelta) {
  Desk desk;
  ASSERT_TRUE(desk.budget("create", {{"epsilon", 1}, {"delta", "1e-5"}, {"share", "ada=1/1e-5,bob=0.9/1e-6"}}).ok());
  ASSERT_TRUE(desk.release({{"rho", nullptr}, {"epsilon", "0.7"}, {"delta", "1e-6"}}).ok());
  desk.context.analyst = "bob";
  EXPECT_EQ(desk.budget("show")->at("asker").at("largest_release"), "epsilon 0.3, delta 0.000001");
}

TEST(BudgetShow, SaysTheLargestReleaseOfAShareWhereThatIsNotWhatRemains) {
  const Desk desk;
  const auto made = desk.budget("create", {{"epsilon", 1}, {"delta", "1e-6"}, {"rule", "whitehouse"}, {"share", "ada=0.5/1e-6"}});
  ASSERT_TRUE(made.ok()) << made.error().message();
  EXPECT_THAT(desk.budget_words("show"),
              ::testing::ContainsRegex("Remaining for ada \\(a share of epsilon 0.5, delta 0.000001\\): epsilon 0.5, delta 0.0000005; "
                                       "a release of at most epsilon 0.09[0-9]*, delta 0.0000005 fits."));
}

TEST(BudgetShow, ListsTheDatasetsOfALedger) {
  const Desk desk;
  ASSERT_TRUE(desk.budget("create", {{"rho", 1}}).ok());
  ASSERT_TRUE(desk.budget("create", {{"mu", 1}, {"dataset", "visits"}, {"share", "bob=0.5"}}).ok());
  ASSERT_TRUE(desk.release().ok());
  const auto all = desk.call("budget show", {{"ledger", desk.path("people.ledger")}});
  ASSERT_TRUE(all.ok()) << all.error().message();
  EXPECT_EQ(all->at("ledger"), desk.path("people.ledger"));
  ASSERT_EQ(all->at("datasets").size(), 2U);
  EXPECT_EQ(all->at("datasets").at(0), *desk.budget("show"));
  EXPECT_EQ(all->at("datasets").at(1).at("dataset"), "visits");
  const std::string words = desk.words("budget show", {{"ledger", desk.path("people.ledger")}});
  EXPECT_THAT(words, ::testing::ContainsRegex("people +rho 1 +rho 0.1 +rho 0.9 +1 +rho 0.9\n"));
  EXPECT_THAT(words, ::testing::ContainsRegex("visits +mu 1 +mu 0 +mu 1 +0 +mu 0\n"));
}

TEST(BudgetShow, ListSaysWhereForgeryCannotBeDetected) {
  const Desk desk;
  ASSERT_TRUE(desk.budget("create", {{"rho", 1}}).ok());
  const auto words = [&desk] { return desk.words("budget show", {{"ledger", desk.path("people.ledger")}}); };
  EXPECT_THAT(words(), ::testing::Not(HasSubstr("forged")));
  const std::filesystem::path elsewhere = keys().string() + ".elsewhere";
  std::filesystem::rename(keys(), elsewhere);
  EXPECT_THAT(words(), HasSubstr("forged entries cannot be detected.\n"));
  EXPECT_EQ(desk.budget("history")->at("sealed"), false);
  std::filesystem::rename(elsewhere, keys());
}

TEST(BudgetHistory, SaysInShortWhatEachEntryPaidFor) {
  const Desk desk;
  ASSERT_TRUE(desk.budget("create", {{"rho", 2}}).ok());
  auto ledger = kernel::Ledger::open(desk.path("people.ledger"));
  ASSERT_TRUE(ledger.ok()) << ledger.error().message();
  const std::vector<std::pair<std::string, std::string>> cases = {
      {R"({"columns":["alter","mut"],"mechanism":"gaussian","release":"mean"})", "mean of alter, mut (gaussian)\n"},
      {R"({"columns":["a","b"],"group_by":"cultivar","mechanism":"k-norm","release":"covariance"})",
       "covariance of a, b by cultivar (k-norm)\n"},
      {R"({"by":"direction","columns":["a","b"],"map":[[1,-1]],"release":"query"})", "query of a, b (gaussian)\n"},
      {R"({"by":["sex"],"mechanism":"laplace","release":"counts"})", "counts by sex (laplace)\n"},
      {R"({"by":["sex","relationship","workclass","marital-status","occupation"],"mechanism":"laplace","release":"counts"})",
       "counts by sex, relationship, workclass and 2 more (laplace)\n"},
      {R"({"bins":250,"column":"income","mechanism":"gaussian","release":"histogram"})", "histogram of income (gaussian)\n"},
      {R"({"bins":250,"column":"cost","count":"rows","mechanism":"gaussian","release":"histogram"})",
       "histogram of cost, of rows (gaussian)\n"},
      {R"({"by":["site"],"count":"rows","mechanism":"gaussian","release":"counts","where":"age >= 40"})",
       "counts of rows by site where age >= 40 (gaussian)\n"},
      {R"({"release":"something new"})", "something new\n"},
      {R"({"asked":")" + std::string(100, 'x') + R"("})", "a long statement, which --json shows\n"},
      {"a note by hand", "a note by hand\n"}};
  for (const auto& [statement, expected] : cases) {
    const auto charged = ledger->charge({.dataset = "people",
                                         .analyst = "ada",
                                         .statement = statement,
                                         .relation = kernel::Relation::ReplaceOne,
                                         .loss = privacy::gaussian_loss_from_rho(*privacy::Rho::parse("0.1"))});
    ASSERT_TRUE(charged.ok()) << charged.error().message();
    EXPECT_THAT(desk.budget_words("history"), HasSubstr("  " + expected));
  }
}

TEST(BudgetShow, SaysWhenTheShareHasNoRoomForTheLastOneAgain) {
  const Desk desk;
  ASSERT_TRUE(desk.budget("create", {{"rho", "1"}, {"share", "ada=0.1"}}).ok());
  ASSERT_TRUE(desk.release().ok());
  EXPECT_THAT(desk.budget_words("show"),
              HasSubstr("9 more releases like the last one (rho 0.1 by ada) fit. None of them fit into the share of ada.\n"));
}

TEST(BudgetShow, CountsByTheRuleOfTheBudget) {
  const Json laplace = {{"mechanism", "laplace"}, {"rho", nullptr}, {"epsilon", "0.01"}};
  std::map<std::string, std::uint64_t> left;
  for (const std::string rule : {"basic", "rogers", "whitehouse"}) {
    const Desk desk;
    ASSERT_TRUE(desk.budget("create", {{"epsilon", 1}, {"delta", "1e-6"}, {"rule", rule}}).ok());
    ASSERT_TRUE(desk.release(laplace).ok());
    left[rule] = desk.budget("show")->at("releases_left_like_last").get<std::uint64_t>();
  }
  EXPECT_EQ(left["basic"], 99U);
  EXPECT_EQ(left["whitehouse"], 332U);  // V = 0.03332 by hand
  EXPECT_GT(left["rogers"], left["basic"]);
  EXPECT_LT(left["rogers"], left["whitehouse"]);
}

TEST(BudgetShow, AdmitsThatATinyReleaseFitsAlmostForEver) {
  const Desk desk;
  ASSERT_TRUE(desk.budget("create", {{"epsilon", 1000000}}).ok());
  ASSERT_TRUE(desk.release({{"mechanism", "laplace"}, {"rho", nullptr}, {"epsilon", "1e-14"}}).ok());
  EXPECT_THAT(desk.budget_words("show"), HasSubstr("At least 10^15 more releases like the last one"));
}

TEST(BudgetShow, CountsLaplaceNoiseInBudgetsOfRhoAndMu) {
  const Json laplace = {{"mechanism", "laplace"}, {"rho", nullptr}, {"epsilon", "0.5"}};
  const Desk rho;
  ASSERT_TRUE(rho.budget("create", {{"rho", "1"}}).ok());
  const auto released = rho.release(laplace);
  ASSERT_TRUE(released.ok()) << released.error().message();
  // 2 h(0.25), h(x) = x + exp(-x) - 1, where a pure epsilon of 0.5 would cost 0.125.
  EXPECT_EQ(released->at("privacy").at("charged"), "epsilon 0.5 (rho 0.05760156614281)");
  EXPECT_EQ(rho.spent(), "rho 0.0576016");
  EXPECT_EQ(rho.budget("show")->at("releases_left_like_last"), 16);
  const Desk mu;
  ASSERT_TRUE(mu.budget("create", {{"mu", "1"}}).ok());
  ASSERT_TRUE(mu.release(laplace).ok());
  EXPECT_EQ(mu.budget("show")->at("releases_left_like_last"), 6);  // mu is 0.371 or so, where a pure epsilon would cost 0.623
  EXPECT_TRUE(mu.budget("show")->at("words").at("largest_release").get<std::string>().starts_with("mu 0.928429 (mu^2 0.86198"));
  EXPECT_THAT(mu.budget_words("show"), HasSubstr("Remaining: mu 0.928429 (mu^2 0.86198"));
}

TEST(BudgetShow, SaysWhereALedgerOrABudgetIsMissing) {
  const Desk desk;
  const auto no_ledger = desk.budget("show");
  ASSERT_FALSE(no_ledger.ok());
  EXPECT_EQ(no_ledger.error().code(), Code::NotFound);
  EXPECT_FALSE(desk.has("people.ledger"));
  ASSERT_TRUE(desk.budget("create", {{"rho", 1}}).ok());
  EXPECT_EQ(desk.budget("show", {{"dataset", "patients"}}).error().code(), Code::NotFound);
  EXPECT_EQ(desk.call("budget show", {{"schema", desk.path("no.toml")}}).error().code(), Code::NotFound);
  EXPECT_EQ(desk.call("budget show").error().name(), "ledger");
  EXPECT_EQ(desk.call("budget show", {{"ledger", desk.path("people.ledger")}, {"dataset", ""}}).error().name(), "dataset");
  EXPECT_EQ(desk.call("budget history", {{"ledger", desk.path("people.ledger")}}).error().name(), "dataset");
}

TEST(BudgetShow, TakesLedgerAndDatasetWithoutASchema) {
  const Desk desk;
  ASSERT_TRUE(desk.budget("create", {{"rho", 1}}).ok());
  const auto shown = desk.call("budget show", {{"ledger", desk.path("people.ledger")}, {"dataset", "people"}});
  ASSERT_TRUE(shown.ok());
  EXPECT_EQ(shown->at("total"), (Json{{"rho", "1"}}));
}

TEST(BudgetShow, RefusesLedgersThatAreNone) {
  const Desk desk;
  desk.write("empty", "");
  desk.write("text", std::string(8192, 'x'));
  const std::vector<std::pair<std::string, Code>> cases = {
      {desk.path("."), Code::InvalidArgument}, {desk.path("empty"), Code::LedgerCorrupt}, {desk.path("text"), Code::LedgerCorrupt},
      {"/dev/null", Code::InvalidArgument},    {":memory:", Code::InvalidArgument},       {"", Code::InvalidArgument}};
  for (const auto& [ledger, code] : cases) {
    const auto refused = desk.call("budget show", {{"ledger", ledger}, {"dataset", "people"}});
    ASSERT_FALSE(refused.ok()) << ledger;
    EXPECT_EQ(refused.error().code(), code) << ledger;
    EXPECT_FALSE(desk.call("budget create", {{"ledger", ledger}, {"dataset", "people"}, {"rho", 1}}).ok()) << ledger;
  }
}

TEST(BudgetHistory, TellsEveryChargeInWordsAndVerifiesTheChain) {
  const Desk desk;
  ASSERT_TRUE(desk.budget("create", {{"rho", 1}}).ok());
  EXPECT_EQ(desk.budget_words("history"), "Nothing has been charged yet.\n");
  ASSERT_TRUE(desk.release().ok());
  ASSERT_TRUE(desk.release({{"out", "s.json"}, {"analyst", "bob"}, {"by", "sex"}}).ok());
  const auto history = desk.budget("history");
  ASSERT_TRUE(history.ok());
  EXPECT_EQ(history->at("verified"), true);
  ASSERT_EQ(history->at("entries").size(), 2U);
  const Json& second = history->at("entries").at(1);
  EXPECT_EQ(second.at("entry"), 2);
  EXPECT_EQ(second.at("analyst"), "bob");
  EXPECT_EQ(second.at("charged"), (Json{{"rho", "0.1"}}));
  EXPECT_EQ(second.at("spent_after"), (Json{{"rho", "0.2"}}));
  const std::string words = desk.budget_words("history");
  EXPECT_THAT(words, HasSubstr("counts by sex, plan (gaussian)"));
  EXPECT_THAT(words, HasSubstr("Every entry agrees with the chain of hashes and with the custodian's key."));
}

TEST(BudgetHistory, ShowsWhatWasChargedAndWhatIsSpentInTheBudgetsOwnPromise) {
  const Desk desk;
  ASSERT_TRUE(desk.budget("create", {{"epsilon", 1}, {"delta", "1e-6"}, {"rule", "whitehouse"}, {"slack", "1e-6"}}).ok());
  const Json laplace = {{"mechanism", "laplace"}, {"rho", nullptr}, {"epsilon", "0.01"}};
  for (const std::string out : {"a.json", "b.json"}) {
    Json request = laplace;
    request["out"] = out;
    ASSERT_TRUE(desk.release(request).ok());
  }
  const auto history = desk.budget("history");
  ASSERT_TRUE(history.ok()) << history.error().message();
  EXPECT_EQ(history->at("rule"), "whitehouse");
  const Json& second = history->at("entries").at(1);
  EXPECT_EQ(second.at("charged"), (Json{{"epsilon", "0.01"}, {"delta", "0"}}));
  // sqrt(2 log(1e6) 0.0002) + 0.0001 = 0.0744384...
  EXPECT_EQ(second.at("spent_after"), (Json{{"epsilon", "0.0744385"}, {"delta", "0"}}));
  EXPECT_EQ(second.at("spent_after_words"), "epsilon 0.0744385, delta 0");
  EXPECT_EQ(desk.budget("show")->at("spent"), second.at("spent_after"));
}

}  // namespace
}  // namespace tacet::service
