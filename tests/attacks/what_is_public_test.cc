// Attacks on who may say what is public. Each of them succeeded before the terms of a dataset stood
// in its ledger.
#include <atomic>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "service/desk.h"

namespace tacet::service {
namespace {

using test::Desk;
using ::testing::HasSubstr;

Json sums(const Desk& desk, const Json& more = Json::object()) {
  Json request = {{"data", desk.path("people.csv")},
                  {"schema", desk.path("people.toml")},
                  {"columns", "age"},
                  {"rho", "0.000000001"},
                  {"out", desk.path("s.json")}};
  request.update(more);
  return request;
}

TEST(AttackMembership, ARequestCannotMakeAColumnPublicAndReadItsHistogram) {
  const Desk desk;
  ASSERT_TRUE(desk.budget("create", {{"rho", 1}}).ok());
  EXPECT_REFUSED(desk, Code::InvalidArgument, desk.call("release sum", sums(desk, {{"group-by", "sex"}, {"membership", "public"}})));
  const auto refused = desk.call("release sum", sums(desk, {{"group-by", "sex"}, {"membership", "public"}}));
  EXPECT_THAT(refused.error().message(),
              HasSubstr("must be private: the terms do not say that it is public who has which value of \"sex\""));

  // Treated as private, the sizes of the groups have noise.
  const auto noisy = desk.call("release sum", sums(desk, {{"group-by", "sex"}}));
  ASSERT_TRUE(noisy.ok()) << noisy.error().message();
  EXPECT_EQ(noisy->at("groups").at("membership"), "private");
}

TEST(AttackMembership, ASchemaEditedAfterTheBudgetDoesNotMakeAColumnPublic) {
  const Desk desk;
  ASSERT_TRUE(desk.budget("create", {{"rho", 1}}).ok());
  std::string edited = test::kPeopleSchema;
  edited.replace(edited.find("other = \"f\""), 11, "other = \"f\"\nmembership = \"public\"");
  desk.write("people.toml", edited);
  EXPECT_REFUSED(desk, Code::SchemaInvalid, desk.call("release sum", sums(desk, {{"group-by", "sex"}})));
  EXPECT_THAT(desk.call("release sum", sums(desk)).error().message(), HasSubstr("but the terms say"));
}

TEST(AttackMembership, WhereTheTermsSayItGroupSizesAreExactAndTheReleaseNamesTheRelation) {
  const Desk desk;
  std::string schema = test::kPeopleSchema;
  schema.replace(schema.find("other = \"f\""), 11, "other = \"f\"\nmembership = \"public\"");
  desk.write("people.toml", schema);
  const auto made = desk.budget("create", {{"rho", 1}});
  ASSERT_TRUE(made.ok()) << made.error().message();
  EXPECT_EQ(made->at("public_columns"), Json::array({"sex"}));
  EXPECT_THAT(desk.budget_words("show"), HasSubstr("Neighbours: replace-one (sex public)."));
  const auto released = desk.call("release sum", sums(desk, {{"group-by", "sex"}}));
  ASSERT_TRUE(released.ok()) << released.error().message();
  EXPECT_EQ(released->at("privacy").at("public_columns"), Json::array({"sex"}));
  EXPECT_EQ(released->at("privacy").at("neighbours"), "replace-one");
}

// Public is who is in which category. Somebody who is in none of them may have any number, so cells
// of numbers of the same column are not public, nor is how many satisfy a condition on it.
TEST(AttackMembership, NumbersOfAColumnWithPublicCategoriesStayPrivate) {
  const Desk desk;
  desk.write("people.toml",
             "tacet = 1\ndataset = \"people\"\nledger = \"people.ledger\"\n[columns.grade]\ncategories = [\"1\", \"2\"]\n"
             "membership = \"public\"\nlower = 0\nupper = 10\nresolution = 0.1\nmissing_number = 0\n");
  ASSERT_TRUE(desk.budget("create", {{"rho", 1}}).ok());
  const std::pair<const char*, Json> requests[] = {{"release counts", {{"by", "grade"}, {"bins", "grade:0,6,8,10"}}},
                                                   {"release counts", {{"by", "grade"}, {"where", "grade < 6"}}},
                                                   {"release histogram", {{"column", "grade"}, {"bins", 4}}},
                                                   {"release mean", {{"columns", "grade"}, {"group-by", "grade"}, {"where", "grade < 6"}}},
                                                   {"release query", {{"fraction", "grade < 6"}}}};
  int number = 0;
  for (const auto& [verb, request] : requests) {
    std::vector<Json> told;
    for (const char* rows : {"grade\n1\n2\n5.3\n", "grade\n1\n2\n7.9\n"}) {  // neighbours: both are "other"
      desk.write("people.csv", rows);
      const std::string out = "o" + std::to_string(++number) + ".json";
      Json asked = {{"data", desk.path("people.csv")}, {"schema", desk.path("people.toml")}, {"rho", "0.000001"}, {"out", desk.path(out)}};
      asked.update(request);
      const auto released = desk.call(verb, asked);
      ASSERT_TRUE(released.ok()) << verb << ": " << released.error().message();
      told.push_back(Json::parse(desk.read(out)));
      // What has noise, and what is of this release alone.
      for (const char* own : {"values", "missing", "parts", "sums", "noise_sd", "no_answer", "ledger", "time"}) told.back().erase(own);
    }
    EXPECT_EQ(told[0], told[1]) << verb;
  }
}

TEST(AttackTerms, BoundsThatDifferFromTheTermsAreRefusedInWords) {
  const Desk desk;
  ASSERT_TRUE(desk.budget("create", {{"rho", 1}}).ok());
  std::string edited = test::kPeopleSchema;
  edited.replace(edited.find("upper = 120"), 11, "upper = 150");
  desk.write("people.toml", edited);
  EXPECT_REFUSED(desk, Code::SchemaInvalid, desk.release());
  EXPECT_THAT(desk.release().error().message(), HasSubstr("bounds of age are 0 to 150, but the terms say 0 to 120"));
}

TEST(AttackTerms, ADelimiterOfTheAttackersChoiceAsksNothingOfTheData) {
  const Desk desk;
  ASSERT_TRUE(desk.budget("create", {{"rho", 1}}).ok());
  desk.write("people.toml", std::string(test::kPeopleSchema) + "\n[csv]\ndelimiter = \"5\"\n");
  EXPECT_REFUSED(desk, Code::SchemaInvalid, desk.release());
}

TEST(AttackTerms, RelationsCannotBeMixed) {
  const Desk desk;
  ASSERT_TRUE(desk.budget("create", {{"rho", 1}}).ok());
  std::string edited = test::kPeopleSchema;
  edited.replace(edited.find("replace-one"), 11, "add-or-remove-one");
  desk.write("people.toml", edited);
  EXPECT_REFUSED(desk, Code::SchemaInvalid, desk.release());
}

TEST(AttackPurse, ASecondBudgetForTheSameFileIsRefusedUnlessItsCustodianSaysWhy) {
  const Desk desk;
  ASSERT_TRUE(desk.budget("create", {{"rho", "0.1"}}).ok());
  ASSERT_TRUE(desk.release().ok());  // fixes the source
  const Json second = {{"schema", desk.path("people.toml")}, {"ledger", desk.path("second.ledger")}, {"rho", 1}};
  ASSERT_TRUE(desk.call("budget create", second).ok());  // the schema names no source, so nothing is known yet
  const Json elsewhere = {{"ledger", desk.path("second.ledger")}, {"out", "again.json"}};
  const auto refused = desk.release(elsewhere);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code(), Code::AlreadyExists);
  EXPECT_THAT(refused.error().message(), HasSubstr("has a budget already, as the dataset \"people\""));
  EXPECT_THAT(refused.error().message(), HasSubstr("under a new name: `budget create dataset = NAME again = REASON`"));

  // A hard link and a symbolic link are the same people.
  std::filesystem::create_hard_link(desk.path("people.csv"), desk.path("linked.csv"));
  std::filesystem::create_symlink(desk.path("people.csv"), desk.path("pointing.csv"));
  for (const char* name : {"linked.csv", "pointing.csv"}) {
    Json under_another_name = elsewhere;
    under_another_name["data"] = desk.path(name);
    EXPECT_EQ(desk.release(under_another_name).error().code(), Code::AlreadyExists) << name;
  }

  Json third = second;
  third["ledger"] = desk.path("third.ledger");
  third["again"] = "a new cohort study with a review board of its own";
  ASSERT_TRUE(desk.call("budget create", third).ok());
  EXPECT_TRUE(desk.release({{"ledger", desk.path("third.ledger")}, {"out", "third.json"}}).ok());
}

TEST(AttackMembership, AnAmendmentAfterAChargeDoesNotChangeWhatAPublicGroupIs) {
  const Desk desk;
  std::string schema = test::kPeopleSchema;
  schema.replace(schema.find("other = \"f\""), 11, "other = \"f\"\nmembership = \"public\"");
  desk.write("people.toml", schema);
  ASSERT_TRUE(desk.budget("create", {{"rho", 1}}).ok());
  std::string wider = schema;
  wider.replace(wider.find("[\"f\", \"m\"]"), 10, "[\"f\", \"m\", \"x\"]");
  const auto amend = [&](const std::string& text) {
    desk.write("people.toml", text);
    return desk.call("dataset amend", {{"schema", desk.path("people.toml")}, {"reason", "a category was forgotten"}});
  };
  ASSERT_TRUE(amend(wider).ok()) << "before the first charge nobody relies on it";
  ASSERT_TRUE(amend(schema).ok());
  ASSERT_TRUE(desk.release().ok());
  const auto refused = amend(wider);
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().message(), HasSubstr("something was charged while membership in some groups was public"));
}

TEST(AttackSource, TwoDatasetsWithoutASourceDoNotTakeOneFileAtOnce) {
  const Desk desk;
  std::vector<Json> ledgers;
  for (const char* name : {"1.ledger", "2.ledger", "3.ledger", "4.ledger"}) {
    ledgers.push_back({{"schema", desk.path("people.toml")}, {"ledger", desk.path(name)}});
    Json create = ledgers.back();
    create["rho"] = 1;
    ASSERT_TRUE(desk.call("budget create", create).ok());
  }
  std::atomic<int> released = 0;
  {
    std::vector<std::jthread> analysts;
    for (std::size_t i = 0; i < ledgers.size(); ++i) {
      analysts.emplace_back([&, i] {
        if (desk.release({{"ledger", ledgers[i].at("ledger")}, {"out", std::to_string(i) + ".json"}}).ok()) ++released;
      });
    }
  }
  EXPECT_EQ(released, 1);
}

TEST(AttackSource, APathIsTakenBeforeItsFileIsThereAndAfterItIsReplaced) {
  const Desk desk;
  const auto create = [&](const char* ledger, const char* source) {
    return desk.call("budget create",
                     {{"schema", desk.path("people.toml")}, {"ledger", desk.path(ledger)}, {"rho", 1}, {"source", desk.path(source)}});
  };
  ASSERT_TRUE(create("1.ledger", "later.csv").ok());
  EXPECT_EQ(create("2.ledger", "later.csv").error().code(), Code::AlreadyExists);
  ASSERT_TRUE(create("3.ledger", "people.csv").ok());
  std::filesystem::copy_file(desk.path("people.csv"), desk.path("export"));  // as a nightly export does
  std::filesystem::rename(desk.path("export"), desk.path("people.csv"));
  EXPECT_EQ(create("4.ledger", "people.csv").error().code(), Code::AlreadyExists);
  EXPECT_FALSE(desk.has("4.ledger")) << "a refusal leaves no ledger";
}

TEST(AttackSource, AnAmendmentDoesNotTakeTheFileOfAnotherDataset) {
  const Desk desk;
  ASSERT_TRUE(desk.budget("create", {{"rho", "0.1"}, {"source", desk.path("people.csv")}}).ok());
  desk.write("others.csv", test::kPeople);
  const Json other = {{"schema", desk.path("people.toml")}, {"ledger", desk.path("second.ledger")}};
  Json create = other;
  create["rho"] = 1;
  create["source"] = desk.path("others.csv");
  ASSERT_TRUE(desk.call("budget create", create).ok());
  Json amend = other;
  amend["source"] = desk.path("people.csv");
  amend["reason"] = "it moved";
  const auto refused = desk.call("dataset amend", amend);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code(), Code::AlreadyExists);
  // And what an amendment took is taken: nobody else gets a budget for it.
  std::filesystem::copy_file(desk.path("people.csv"), desk.path("moved.csv"));
  amend["source"] = desk.path("moved.csv");
  ASSERT_TRUE(desk.call("dataset amend", amend).ok());
  create["ledger"] = desk.path("third.ledger");
  create["source"] = desk.path("moved.csv");
  EXPECT_EQ(desk.call("budget create", create).error().code(), Code::AlreadyExists);
}

TEST(AttackTerms, AnAmendmentDoesNotAllowIdealisedMechanisms) {
  const Desk desk;
  ASSERT_TRUE(desk.budget("create", {{"rho", 1}}).ok());
  desk.write("people.toml", "idealised = true\n" + std::string(test::kPeopleSchema));
  const auto refused = desk.call("dataset amend", {{"schema", desk.path("people.toml")}, {"reason", "we want ed"}});
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().message(), HasSubstr("must stay false: it is set once, when the budget is created"));
}

TEST(AttackSource, OnlyTheSourceOfTheTermsIsRead) {
  const Desk desk;
  ASSERT_TRUE(desk.budget("create", {{"rho", 1}}).ok());
  ASSERT_TRUE(desk.release().ok());
  desk.write("others.csv", test::kPeople);
  EXPECT_REFUSED(desk, Code::InvalidArgument, desk.release({{"data", desk.path("others.csv")}, {"out", "o.json"}}));

  // Nor under a name that has been turned to another file since.
  std::filesystem::rename(desk.path("people.csv"), desk.path("kept.csv"));
  std::filesystem::create_symlink(desk.path("others.csv"), desk.path("people.csv"));
  EXPECT_REFUSED(desk, Code::InvalidArgument, desk.release({{"out", "o.json"}}));

  // The custodian may say that the file moved.
  const Json moved = {{"schema", desk.path("people.toml")}, {"source", desk.path("kept.csv")}, {"reason", "the file was renamed"}};
  const auto amended = desk.call("dataset amend", moved);
  ASSERT_TRUE(amended.ok()) << amended.error().message();
  EXPECT_TRUE(desk.release({{"data", desk.path("kept.csv")}, {"out", "o.json"}}).ok());
  const auto history = desk.budget("history");
  EXPECT_EQ(history->at("entries").at(1).at("kind"), "amendment");
  EXPECT_EQ(history->at("entries").at(1).at("statement"), "the file was renamed");
}

TEST(AttackAmendment, ChangesNeitherTheRelationNorPublicColumnsAfterACharge) {
  const Desk desk;
  ASSERT_TRUE(desk.budget("create", {{"rho", 1}}).ok());
  std::string schema = test::kPeopleSchema;
  schema.replace(schema.find("other = \"f\""), 11, "other = \"f\"\nmembership = \"public\"");
  desk.write("public.toml", schema);
  const Json amend = {{"schema", desk.path("public.toml")}, {"ledger", desk.path("people.ledger")}, {"reason", "sex is on the web"}};
  ASSERT_TRUE(desk.release().ok());
  EXPECT_EQ(desk.call("dataset amend", amend).error().code(), Code::InvalidArgument);
  EXPECT_EQ(desk.budget("show")->at("public_columns"), Json::array());
}

TEST(AttackAmendment, IsTheCustodiansAct) {
  Desk desk;
  ASSERT_TRUE(desk.budget("create", {{"rho", 1}}).ok());
  desk.context.analyst = "eve";
  const Json moved = {{"schema", desk.path("people.toml")}, {"source", desk.path("mine.csv")}, {"reason", "because"}};
  const auto refused = desk.call("dataset amend", moved);
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().message(), HasSubstr("must be \"ada\", who declared the terms"));
}

TEST(AttackAnalyst, AFreshNameHasNoShare) {
  Desk desk;
  ASSERT_TRUE(desk.budget("create", {{"rho", 1}, {"share", "eve=0.1"}}).ok());
  desk.context.analyst = "eve";
  ASSERT_TRUE(desk.release().ok());
  EXPECT_REFUSED(desk, Code::BudgetExhausted, desk.release({{"out", "2.json"}}));
  EXPECT_REFUSED(desk, Code::InvalidArgument, desk.release({{"out", "2.json"}, {"analyst", "mallory"}}));
  desk.context.analyst = "mallory";
  EXPECT_REFUSED(desk, Code::BudgetExhausted, desk.release({{"out", "2.json"}}));
  EXPECT_THAT(desk.release({{"out", "2.json"}}).error().message(), HasSubstr("\"mallory\" has no share"));
}

TEST(AttackAnalyst, ThoseWithoutAShareHaveOneBudgetTogether) {
  Desk desk;
  ASSERT_TRUE(desk.budget("create", {{"rho", 1}, {"share", "ada=0.5"}, {"others", "0.15"}}).ok());
  desk.context.analyst = "eve";
  ASSERT_TRUE(desk.release().ok());
  desk.context.analyst = "mallory";
  EXPECT_REFUSED(desk, Code::BudgetExhausted, desk.release({{"out", "2.json"}}));
  EXPECT_TRUE(desk.release({{"out", "2.json"}, {"rho", "0.05"}}).ok());
}

TEST(AttackIdealised, IsNotChargedUnlessTheTermsAllowItAndMarksTheBudget) {
  const Json ed = {{"columns", "age"}, {"mechanism", "ed"}, {"epsilon", "0.5"}};
  const Desk strict;
  ASSERT_TRUE(strict.budget("create", {{"epsilon", 2}}).ok());
  Json request = sums(strict, ed);
  request.erase("rho");
  EXPECT_REFUSED(strict, Code::Unsupported, strict.call("release second-moment", request));

  const Desk lax;
  lax.write("people.toml", "idealised = true\n" + std::string(test::kPeopleSchema));
  ASSERT_TRUE(lax.budget("create", {{"epsilon", 2}}).ok());
  EXPECT_EQ(lax.budget("show")->at("guarantee"), "exact");
  request = sums(lax, ed);
  request.erase("rho");
  const auto released = lax.call("release second-moment", request);
  ASSERT_TRUE(released.ok()) << released.error().message();
  EXPECT_EQ(lax.budget("show")->at("guarantee"), "idealised");
  EXPECT_THAT(lax.budget_words("show"), HasSubstr("Guarantee: idealised"));
}

TEST(AttackRows, OnePersonsQuoteDeletesNobody) {
  const Desk desk;
  desk.write("people.csv", "sex,plan,age\nf,\"basic,31\nm,plus,44\nf,basic\",29\nm,basic,50\n");
  ASSERT_TRUE(desk.budget("create", {{"rho", 1}}).ok());
  const auto released = desk.release();
  ASSERT_TRUE(released.ok()) << released.error().message();
  EXPECT_EQ(released->at("n"), 4);
}

TEST(AttackRows, OnePersonsInvalidByteRefusesNothing) {
  const Desk desk;
  desk.write("people.csv", "sex,plan,age,note\nf,basic,31,\xff\xfe\nm,\xc3,44,ok\nf,basic,29,\nm,basic,50,x\n");
  ASSERT_TRUE(desk.budget("create", {{"rho", 1}}).ok());
  const auto released = desk.release();
  ASSERT_TRUE(released.ok()) << released.error().message();
  EXPECT_EQ(released->at("n"), 4);
}

TEST(AttackRefusal, AScanThatFailsIsAnEntryOfTheHistoryAndCostsNothing) {
  const Desk desk;
  desk.write("people.csv.gz", "\x1f\x8b\x08 cut short");
  ASSERT_TRUE(desk.budget("create", {{"rho", 1}}).ok());
  const auto refused = desk.release({{"data", desk.path("people.csv.gz")}});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code(), Code::DataUnreadable);
  EXPECT_EQ(refused.error().spent(), "nothing was spent");
  const auto history = desk.budget("history");
  ASSERT_EQ(history->at("entries").size(), 1U);
  EXPECT_EQ(history->at("entries").at(0).at("kind"), "failed-scan");
  EXPECT_EQ(desk.spent(), "rho 0");
}

TEST(AttackClone, TheKeyOfTheNoiseIsDrawnAfterTheCharge) {
  Desk desk;
  ASSERT_TRUE(desk.budget("create", {{"rho", 1}}).ok());
  std::vector<std::size_t> entries;
  desk.context.random_bits = [&desk, &entries]() -> Result<std::unique_ptr<exact::RandomBits>> {
    entries.push_back(desk.entries());
    Context plain;
    return plain.open_bits();
  };
  ASSERT_TRUE(desk.release().ok());
  // Once before the scan, to see that there is entropy at all; that source is dropped. The noise is
  // from the second.
  EXPECT_THAT(entries, ::testing::ElementsAre(0, 1));
}

}  // namespace
}  // namespace tacet::service
