#include <cmath>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/mechanisms/release_file.h"

#include "service/desk.h"
#include "support/scripted_bits.h"

namespace tacet::service {
namespace {

using test::Desk;
using ::testing::HasSubstr;

TEST(ReleaseCounts, WritesAFileThatIsWhatItAnswers) {
  const Desk desk;
  ASSERT_TRUE(desk.budget("create", {{"rho", 1}}).ok());
  const auto result = desk.release();
  ASSERT_TRUE(result.ok()) << result.error().message();
  Json expected = *result;
  EXPECT_EQ(expected.at("out"), desk.path("r.json"));
  EXPECT_EQ(expected.at("budget").at("remaining"), (Json{{"rho", "0.9"}}));
  expected.erase("out");
  expected.erase("budget");
  EXPECT_EQ(Json::parse(desk.read("r.json")), expected);
  EXPECT_EQ(expected.at("n"), 5);
  EXPECT_EQ(expected.at("values").size(), 2U);
  EXPECT_EQ(expected.at("values").at(0).size(), 3U);
  EXPECT_EQ(expected.at("guarantee"), "exact");
  EXPECT_EQ(expected.at("privacy").at("rho"), 0.1);
  EXPECT_EQ(expected.at("noise").at("family"), "gaussian");
  EXPECT_TRUE(mechanisms::read_release(desk.path("r.json")).ok());
  EXPECT_EQ(desk.files(), (std::set<std::string>{"people.csv", "people.toml", "r.json"}));
}

TEST(ReleaseCounts, GaussianNoiseUnderEpsilonAndDelta) {
  const Desk desk;
  ASSERT_TRUE(desk.budget("create", {{"epsilon", 2}, {"delta", "1e-5"}}).ok());
  const auto result = desk.release({{"rho", nullptr}, {"epsilon", 1}, {"delta", "1e-6"}});
  ASSERT_TRUE(result.ok()) << result.error().message();
  EXPECT_NEAR(result->at("noise").at("scale").get<double>(), 4.2246788893 * std::sqrt(2.0), 1e-9);
  EXPECT_EQ(result->at("privacy").at("currency"), "epsilon-delta");
  EXPECT_EQ(result->at("privacy").at("epsilon"), 1.0);
  EXPECT_EQ(result->at("privacy").at("delta"), 1e-6);
}

TEST(ReleaseCounts, EpsilonAndDeltaOfGaussianNoiseCostAMuBudgetTheirMu) {
  const Desk desk;
  ASSERT_TRUE(desk.budget("create", {{"mu", 1}}).ok());
  const auto result = desk.release({{"rho", nullptr}, {"epsilon", 1}, {"delta", "1e-6"}});
  ASSERT_TRUE(result.ok()) << result.error().message();
  EXPECT_NEAR(result->at("noise").at("scale").get<double>(), 4.2246788893 * std::sqrt(2.0), 1e-9);
  EXPECT_NEAR(result->at("privacy").at("mu").get<double>(), 1 / 4.2246788893, 1e-9);
  EXPECT_EQ(result->at("budget").at("entries"), 1);
}

TEST(ReleaseCounts, WithoutAMechanismTheNoiseIsLaplaceForAPureEpsilonAndOtherwiseGaussian) {
  const std::vector<std::pair<Json, std::string>> chosen = {{{{"rho", "0.1"}}, "gaussian"},
                                                            {{{"rho", nullptr}, {"mu", "0.1"}}, "gaussian"},
                                                            {{{"rho", nullptr}, {"epsilon", 1}, {"delta", "1e-6"}}, "gaussian"},
                                                            {{{"rho", nullptr}, {"epsilon", "0.5"}}, "laplace"},
                                                            {{{"rho", nullptr}, {"epsilon", "0.5"}, {"delta", 0}}, "laplace"}};
  for (const auto& [loss, mechanism] : chosen) {
    const Desk desk;
    ASSERT_TRUE(desk.budget("create", {{"rho", 1}}).ok());
    Json more = loss;
    more["mechanism"] = nullptr;
    const auto result = desk.release(more);
    ASSERT_TRUE(result.ok()) << result.error().message();
    EXPECT_EQ(result->at("noise").at("family"), mechanism);
    EXPECT_EQ(result->at("statement").at("mechanism"), mechanism);
  }
}

TEST(ReleaseCounts, LaplaceNoiseUnderMu) {
  const Desk desk;
  ASSERT_TRUE(desk.budget("create", {{"mu", 2}}).ok());
  const auto result = desk.release({{"rho", nullptr}, {"mu", 1}, {"mechanism", "laplace"}});
  ASSERT_TRUE(result.ok()) << result.error().message();
  EXPECT_NEAR(result->at("noise").at("scale").get<double>(), 1.358905360971675, 1e-8);
  EXPECT_EQ(result->at("noise").at("family"), "laplace");
  EXPECT_NEAR(result->at("privacy").at("mu").get<double>(), 1, 1e-8);
  EXPECT_LE(result->at("privacy").at("mu").get<double>(), 1);
}

// The same noise costs the same, however it was asked for, in every budget.
TEST(ReleaseCounts, LaplaceNoiseHasOnePriceHoweverItIsAskedFor) {
  for (const Json& budget : {Json{{"rho", 1}}, Json{{"mu", 2}}, Json{{"epsilon", 3}}, Json{{"epsilon", 3}, {"delta", "1e-6"}}}) {
    const Desk desk;
    ASSERT_TRUE(desk.budget("create", budget).ok());
    const auto by_epsilon = desk.release({{"mechanism", "laplace"}, {"rho", nullptr}, {"epsilon", "0.1"}, {"out", "a.json"}});
    ASSERT_TRUE(by_epsilon.ok()) << by_epsilon.error().message();
    const Json& privacy = by_epsilon->at("privacy");
    EXPECT_EQ(privacy.at("currency"), "epsilon");
    EXPECT_EQ(privacy.at("epsilon"), 0.1);
    EXPECT_NEAR(privacy.at("rho").get<double>(), 2 * (0.05 + std::expm1(-0.05)), 1e-15);
    EXPECT_EQ(privacy.contains("mu"), budget.contains("mu"));
    if (budget.contains("mu")) {
      EXPECT_NEAR(privacy.at("mu").get<double>(), 0.0777154368, 1e-10);
    }
    const auto by_rho = desk.release({{"mechanism", "laplace"}, {"rho", "0.0024588490014281"}, {"out", "b.json"}});
    ASSERT_TRUE(by_rho.ok()) << by_rho.error().message();
    EXPECT_EQ(by_rho->at("privacy"), privacy);
    EXPECT_EQ(by_rho->at("noise"), by_epsilon->at("noise"));
    const auto by_mu = desk.release({{"mechanism", "laplace"}, {"rho", nullptr}, {"mu", "0.07771543685"}, {"out", "c.json"}});
    ASSERT_TRUE(by_mu.ok()) << by_mu.error().message();
    EXPECT_EQ(by_mu->at("noise"), by_epsilon->at("noise"));
    EXPECT_EQ(by_mu->at("privacy").at("charged"), privacy.at("charged"));
    EXPECT_EQ(by_mu->at("privacy").at("rho"), privacy.at("rho"));
    EXPECT_TRUE(desk.budget("history").ok());
  }
}

TEST(ReleaseCounts, ReceiptAgreesWithTheLedger) {
  const Desk desk;
  ASSERT_TRUE(desk.budget("create", {{"rho", 1}}).ok());
  for (const std::string out : {"a.json", "b.json", "c.json"}) ASSERT_TRUE(desk.release({{"out", out}}).ok());
  const Json entries = desk.budget("history")->at("entries");
  ASSERT_EQ(entries.size(), 3U);
  std::size_t at = 0;
  for (const std::string out : {"a.json", "b.json", "c.json"}) {
    const Json file = Json::parse(desk.read(out));
    const Json& entry = entries.at(at++);
    EXPECT_EQ(file.at("ledger").at("entry"), entry.at("entry"));
    EXPECT_EQ(file.at("ledger").at("entry_hash"), entry.at("entry_hash"));
    EXPECT_EQ(file.at("ledger").at("statement_hash"), entry.at("statement_hash"));
    EXPECT_EQ(file.at("time"), entry.at("time"));
    EXPECT_EQ(dump(file.at("statement")), entry.at("statement").get<std::string>());
    EXPECT_EQ(file.at("ledger").at("charged"), entry.at("charged_words"));
  }
}

TEST(ReleaseCounts, KeepsTheNeighbourRelationOfTheBudget) {
  const Desk desk;
  ASSERT_TRUE(desk.budget("create", {{"rho", "1"}}).ok());
  std::string schema = desk.read("people.toml");
  const std::string before = "replace-one";
  const std::size_t at = schema.find(before);
  ASSERT_NE(at, std::string::npos);
  desk.write("people.toml", schema.replace(at, before.size(), "add-or-remove-one"));
  const auto refused = desk.release({{"out", "b.json"}});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code(), Code::SchemaInvalid);
  EXPECT_THAT(refused.error().message(), HasSubstr("neighbours is \"add-or-remove-one\", but the terms say \"replace-one\""));
  EXPECT_EQ(desk.budget("show")->at("entries"), 0);
}

TEST(ReleaseCounts, ThreeTenthsFitThreeTimesAndNotAFourth) {
  const Desk desk;
  ASSERT_TRUE(desk.budget("create", {{"rho", "0.3"}}).ok());
  for (const std::string out : {"a.json", "b.json", "c.json"}) ASSERT_TRUE(desk.release({{"out", out}}).ok()) << out;
  EXPECT_EQ(desk.spent(), "rho 0.3");
  EXPECT_REFUSED(desk, Code::BudgetExhausted, desk.release({{"out", "d.json"}}));
  EXPECT_REFUSED(desk, Code::BudgetExhausted, desk.release({{"out", "d.json"}, {"rho", "1e-17"}}));
  EXPECT_FALSE(desk.has("d.json"));
  EXPECT_EQ(desk.entries(), 3U);
}

TEST(ReleaseCounts, JsonNumbersAreChargedAsTheyAreWritten) {
  const Desk desk;
  ASSERT_TRUE(desk.budget("create", {{"rho", 0.3}}).ok());
  for (const std::string out : {"a.json", "b.json", "c.json"}) ASSERT_TRUE(desk.release({{"out", out}, {"rho", 0.1}}).ok()) << out;
  EXPECT_EQ(desk.spent(), "rho 0.3");
}

TEST(ReleaseCounts, SharesLimitOneAnalystAndNotAnother) {
  const Desk desk;
  ASSERT_TRUE(desk.budget("create", {{"rho", 1}, {"share", "ada=0.1,bob=1"}}).ok());
  ASSERT_TRUE(desk.release().ok());
  EXPECT_REFUSED(desk, Code::BudgetExhausted, desk.release({{"out", "s.json"}, {"rho", "0.01"}}));
  EXPECT_TRUE(desk.release({{"out", "s.json"}, {"analyst", "bob"}, {"rho", "0.9"}}).ok());
  EXPECT_EQ(desk.spent(), "rho 1");
  EXPECT_REFUSED(desk, Code::BudgetExhausted, desk.release({{"out", "t.json"}, {"analyst", "bob"}, {"rho", "0.01"}}));
}

// 2 sqrt(2) before the projection that keeps the total of 6 cells, times sqrt(5/6) after it.
TEST(ReleaseCounts, WordsTellTheNoiseOfACellAfterTheTotalIsKept) {
  const Desk desk;
  ASSERT_TRUE(desk.budget("create", {{"rho", 1}}).ok());
  const auto released = desk.release({{"mechanism", "rank-deficient"}, {"rho", "0.125"}});
  ASSERT_TRUE(released.ok()) << released.error().message();
  EXPECT_THAT(desk.said, HasSubstr("gaussian with standard deviation 2.58 per cell"));
}

TEST(ReleaseCounts, RefusalNamesTheLargestReleaseThatFits) {
  const auto fits = [](const Desk& desk, const Json& request) { return desk.release(request).error().remedy(); };
  const Desk shares;
  ASSERT_TRUE(shares.budget("create", {{"rho", 1}, {"share", "ada=0.25,bob=1"}, {"others", "0.125"}}).ok());
  ASSERT_TRUE(shares.release().ok());
  EXPECT_EQ(fits(shares, {{"out", "b.json"}, {"rho", "0.5"}}), "a release of at most rho 0.15 fits");
  EXPECT_EQ(fits(shares, {{"out", "b.json"}, {"rho", "0.5"}, {"analyst", "eve"}}), "a release of at most rho 0.125 fits");
  ASSERT_TRUE(shares.release({{"out", "b.json"}, {"rho", "0.9"}, {"analyst", "bob"}}).ok());
  EXPECT_EQ(fits(shares, {{"out", "c.json"}, {"rho", "0.1"}}), "it is used up");
  const Desk half;  // too much for all: still no more than the share fits
  ASSERT_TRUE(half.budget("create", {{"rho", 1}, {"share", "ada=0.5"}, {"others", "0.25"}}).ok());
  EXPECT_EQ(fits(half, {{"rho", "2"}}), "a release of at most rho 0.5 fits");
  EXPECT_EQ(fits(half, {{"rho", "2"}, {"analyst", "eve"}}), "a release of at most rho 0.25 fits");
  const Desk mu;
  ASSERT_TRUE(mu.budget("create", {{"mu", 1}}).ok());
  ASSERT_TRUE(mu.release({{"rho", nullptr}, {"mu", "0.5"}}).ok());
  EXPECT_EQ(fits(mu, {{"out", "b.json"}, {"rho", nullptr}, {"mu", "1"}}), "a release of at most mu 0.866025 (mu^2 0.75) fits");
  const Desk alone;
  ASSERT_TRUE(alone.budget("create", {{"rho", 1}, {"share", "bob=1"}}).ok());
  EXPECT_EQ(fits(alone, {{"out", "b.json"}}), "ask its custodian: shares are given when the budget is created");
  EXPECT_EQ(fits(alone, {{"out", "b.json"}, {"rho", "2"}}), "ask its custodian: shares are given when the budget is created");
  const Desk whitehouse;
  ASSERT_TRUE(whitehouse.budget("create", {{"epsilon", 1}, {"delta", "1e-6"}, {"rule", "whitehouse"}}).ok());
  EXPECT_EQ(fits(whitehouse, {{"rho", nullptr}, {"mechanism", "laplace"}, {"epsilon", "0.5"}}), "a release of at most epsilon 0.1825 fits");
}

struct Charge {
  Json budget, request;
  std::string spent;
};

TEST(ReleaseCounts, LossesAreChargedExactlyInTheCurrencyOfTheBudget) {
  const Json laplace = {{"mechanism", "laplace"}, {"rho", nullptr}, {"epsilon", "0.25"}};
  const std::vector<Charge> cases = {
      {{{"rho", 1}}, {{"rho", "0.125"}}, "rho 0.125"},
      {{{"rho", 1}}, {{"rho", nullptr}, {"mu", "0.5"}}, "rho 0.125"},
      {{{"mu", 1}}, {{"rho", nullptr}, {"mu", "0.5"}}, "mu 0.5"},
      {{{"mu", 1}}, {{"rho", "0.125"}}, "mu 0.5"},
      {{{"mu", 1}}, {{"mechanism", "rank-deficient"}, {"rho", "0.02"}}, "mu 0.2"},
      {{{"rho", 1}}, {{"mechanism", "rank-deficient"}}, "rho 0.1"},
      {{{"epsilon", 1}}, laplace, "epsilon 0.25"},
      {{{"epsilon", 1}, {"delta", "1e-6"}}, laplace, "epsilon 0.25, delta 0"},
  };
  for (const Charge& each : cases) {
    const Desk desk;
    ASSERT_TRUE(desk.budget("create", each.budget).ok());
    const auto result = desk.release(each.request);
    ASSERT_TRUE(result.ok()) << each.budget << each.request << result.error().message();
    EXPECT_EQ(desk.spent(), each.spent) << each.budget << each.request;
    EXPECT_EQ(result->at("privacy").at("charged"), each.spent);
  }
}

TEST(ReleaseCounts, RankDeficientKeepsTheTotal) {
  const Desk desk;
  ASSERT_TRUE(desk.budget("create", {{"rho", 1}}).ok());
  ASSERT_TRUE(desk.release({{"mechanism", "rank-deficient"}, {"rho", "1e-6"}}).ok());
  const auto release = mechanisms::read_release_as<mechanisms::CountRelease>(desk.path("r.json"));
  ASSERT_TRUE(release.ok());
  EXPECT_NEAR(std::accumulate(release->values.begin(), release->values.end(), 0.0), 5, 1e-9);
}

TEST(ReleaseCounts, AddOrRemoveOnePublishesNoTotal) {
  const Desk desk;
  std::string schema = test::kPeopleSchema;
  schema.replace(schema.find("replace-one"), 11, "add-or-remove-one");
  desk.write("people.toml", schema);
  ASSERT_TRUE(desk.budget("create", {{"rho", 1}}).ok());
  EXPECT_REFUSED(desk, Code::InvalidArgument, desk.release({{"mechanism", "rank-deficient"}}));
  const auto result = desk.release();
  ASSERT_TRUE(result.ok());
  EXPECT_TRUE(result->at("n").is_null());
  EXPECT_EQ(result->at("privacy").at("neighbours"), "add-or-remove-one");
  const auto simplex = desk.call("infer estimate", {{"release", desk.path("r.json")}, {"project", "simplex"}});
  ASSERT_FALSE(simplex.ok());
  EXPECT_EQ(simplex.error().name(), "project");
  EXPECT_TRUE(desk.call("infer estimate", {{"release", desk.path("r.json")}, {"project", "nonnegative"}}).ok());
}

TEST(ReleaseCounts, OfNobodyAndOfOneCellWork) {
  const Desk desk;
  desk.write("people.csv", "sex,plan,age\n");
  desk.write("people.toml", std::string(test::kPeopleSchema) + "[columns.all]\ncategories = [\"x\"]\nother = \"x\"\n");
  ASSERT_TRUE(desk.budget("create", {{"rho", 1}}).ok());
  const auto nobody = desk.release();
  ASSERT_TRUE(nobody.ok()) << nobody.error().message();
  EXPECT_EQ(nobody->at("n"), 0);
  constexpr const char* kNobody =
      "Nobody is in the file, and that is public: every true count is 0. The released values are noise alone.\n";
  EXPECT_THAT(desk.said, HasSubstr(kNobody));
  EXPECT_THAT(desk.said, ::testing::Not(HasSubstr("[0, 0]")));
  EXPECT_EQ(desk.words("infer estimate", {{"release", nobody->at("out")}}), kNobody + std::string("This cost no privacy.\n"));
  desk.write("people.csv", "all\n1\n2\n3\n");
  for (const std::string mechanism : {"gaussian", "rank-deficient"}) {
    const auto one = desk.release({{"by", "all"}, {"mechanism", mechanism}, {"out", mechanism + ".json"}});
    ASSERT_TRUE(one.ok()) << one.error().message();
    EXPECT_EQ(one->at("values").size(), 1U);
    EXPECT_FALSE(desk.said.empty());
  }
}

TEST(ReleaseCounts, TellsWhatItIsDoing) {
  Desk desk;
  ASSERT_TRUE(desk.budget("create", {{"rho", 1}}).ok());
  std::vector<std::string> told;
  desk.context.progress = [&told](std::string_view doing, double) { told.emplace_back(doing); };
  ASSERT_TRUE(desk.release().ok());
  EXPECT_THAT(told, ::testing::ElementsAre("reading", "adding noise", "writing"));
}

TEST(ReleaseCounts, WordsShowTheTableTheNoiseAndWhatRemains) {
  const Desk desk;
  ASSERT_TRUE(desk.budget("create", {{"rho", 1}}).ok());
  ASSERT_TRUE(desk.release({{"rho", "0.125"}}).ok());
  const std::string words = desk.said;
  for (const std::string part : {"sex \\ plan", "basic", "plus", "none", "Noise: gaussian with scale 2.83 per cell.", "Charged: rho 0.125.",
                                 "Remaining: rho 0.875.", "tacet infer estimate --release"}) {
    EXPECT_THAT(words, HasSubstr(part));
  }
}

TEST(ReleaseCounts, WithoutEntropyBeforeTheChargeSpendsNothing) {
  Desk desk;
  ASSERT_TRUE(desk.budget("create", {{"rho", 1}}).ok());
  desk.context.random_bits = []() -> Result<std::unique_ptr<exact::RandomBits>> {
    return Error::of(Code::EntropyUnavailable, "the operating system gave no random bits");
  };
  EXPECT_REFUSED(desk, Code::EntropyUnavailable, desk.release());
}

TEST(ReleaseCounts, WithoutEntropyDuringTheDrawSaysWhatWasSpentAndPublishesNothing) {
  for (const std::uint64_t good_words : {0U, 1U, 5U}) {
    Desk desk;
    ASSERT_TRUE(desk.budget("create", {{"rho", 1}}).ok());
    desk.context.random_bits = [good_words]() -> Result<std::unique_ptr<exact::RandomBits>> {
      return std::unique_ptr<exact::RandomBits>(std::make_unique<test::FailingBits>(good_words));
    };
    const auto failed = desk.release();
    ASSERT_FALSE(failed.ok());
    EXPECT_EQ(failed.error().code(), Code::EntropyUnavailable);
    EXPECT_THAT(failed.error().spent(), HasSubstr("rho 0.1 was spent (entry 1 of \"people\")"));
    EXPECT_EQ(desk.spent(), "rho 0.1");
    EXPECT_EQ(desk.entries(), 1U);
    EXPECT_EQ(desk.files(), (std::set<std::string>{"people.csv", "people.toml"}));
  }
}

TEST(ReleaseCounts, KeepsWhatWasPaidForWhenItsNameWasTakenMeanwhile) {
  Desk desk;
  ASSERT_TRUE(desk.budget("create", {{"rho", 1}}).ok());
  // The bits are opened after the name was found free, and before the charge.
  desk.context.random_bits = [&desk]() -> Result<std::unique_ptr<exact::RandomBits>> {
    desk.write("r.json", "somebody else's");
    return std::unique_ptr<exact::RandomBits>(std::make_unique<test::InsecureSeededBits>());
  };
  const auto result = desk.release();
  ASSERT_TRUE(result.ok()) << result.error().message();
  EXPECT_EQ(result->at("out"), desk.path("r-2.json"));
  EXPECT_EQ(desk.read("r.json"), "somebody else's");
  EXPECT_TRUE(mechanisms::read_release(desk.path("r-2.json")).ok());
}

TEST(ReleaseCounts, SaysWhatWasSpentWhenTheFolderVanishedMeanwhile) {
  Desk desk;
  ASSERT_TRUE(desk.budget("create", {{"rho", 1}}).ok());
  std::filesystem::create_directory(desk.path("sub"));
  desk.context.random_bits = [&desk]() -> Result<std::unique_ptr<exact::RandomBits>> {
    std::filesystem::remove_all(desk.path("sub"));
    return std::unique_ptr<exact::RandomBits>(std::make_unique<test::InsecureSeededBits>());
  };
  const auto failed = desk.release({{"out", "sub/r.json"}});
  ASSERT_FALSE(failed.ok());
  EXPECT_EQ(failed.error().code(), Code::FileUnwritable);
  EXPECT_THAT(failed.error().spent(), HasSubstr("rho 0.1 was spent"));
  EXPECT_EQ(desk.spent(), "rho 0.1");
}

}  // namespace
}  // namespace tacet::service
