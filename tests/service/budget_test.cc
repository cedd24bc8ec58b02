#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "service/desk.h"

namespace tacet::service {
namespace {

using test::Desk;
using ::testing::HasSubstr;

TEST(BudgetCreate, SaysWhatTheBudgetIsInExactDecimals) {
  const Desk desk;
  const auto made = desk.budget("create", {{"rho", "0.30"}});
  ASSERT_TRUE(made.ok()) << made.error().message();
  EXPECT_EQ(made->at("dataset"), "people");
  EXPECT_EQ(made->at("currency"), "rho");
  EXPECT_EQ(made->at("total"), (Json{{"rho", "0.3"}}));
  EXPECT_EQ(made->at("spent"), (Json{{"rho", "0"}}));
  EXPECT_EQ(made->at("remaining"), (Json{{"rho", "0.3"}}));
  EXPECT_EQ(made->at("entries"), 0);
  EXPECT_EQ(*desk.budget("show"), *made);
  EXPECT_THAT(find_verb("budget create")->words(*made), HasSubstr("The budget of \"people\" is rho 0.3"));
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
    EXPECT_FALSE(desk.budget("show").ok()) << wrong;
  }
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
  EXPECT_EQ(desk.call("budget show", {{"ledger", desk.path("people.ledger")}}).error().name(), "dataset");
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
  EXPECT_EQ(find_verb("budget history")->words(*desk.budget("history")), "Nothing has been charged yet.\n");
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
  const std::string words = find_verb("budget history")->words(*history);
  EXPECT_THAT(words, HasSubstr("counts by sex, plan (gaussian)"));
  EXPECT_THAT(words, HasSubstr("Every entry agrees with the chain of hashes."));
}

}  // namespace
}  // namespace tacet::service
