// Attacks on what "one ledger" is: names, copies, older copies, deleted files, edited files. Kernel
// tests of the same are in tests/faults.
#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "service/desk.h"

namespace tacet::service {
namespace {

namespace fs = std::filesystem;
using test::Desk;
using ::testing::HasSubstr;

std::string file_number(int i) { return "r" + std::to_string(i) + ".json"; }

Result<Json> verify(const Desk& desk, const std::string& releases) { return desk.budget("verify", {{"releases", releases}}); }

TEST(AttackNames, OneLedgerUnderThreeNamesIsOnePurse) {
  const Desk desk;
  ASSERT_TRUE(desk.budget("create", {{"rho", 1}}).ok());
  fs::create_hard_link(desk.path("people.ledger"), desk.path("hard.ledger"));
  fs::create_symlink(desk.path("people.ledger"), desk.path("soft.ledger"));
  int published = 0;
  for (int i = 0; i < 15; ++i) {
    const char* name = i % 3 == 0 ? "people.ledger" : i % 3 == 1 ? "hard.ledger" : "soft.ledger";
    if (desk.release({{"ledger", desk.path(name)}, {"out", file_number(i)}}).ok()) ++published;
  }
  EXPECT_EQ(published, 10);
  EXPECT_EQ(desk.spent(), "rho 1");
}

TEST(AttackCopies, ACopyThatIsChargedApartIsRefused) {
  const Desk desk;
  ASSERT_TRUE(desk.budget("create", {{"rho", 1}}).ok());
  ASSERT_TRUE(desk.release({{"out", "1.json"}}).ok());
  fs::copy_file(desk.path("people.ledger"), desk.path("copy.ledger"));
  ASSERT_TRUE(desk.release({{"out", "2.json"}}).ok());
  const auto apart = desk.release({{"ledger", desk.path("copy.ledger")}, {"out", "3.json"}});
  ASSERT_FALSE(apart.ok());
  EXPECT_EQ(apart.error().code(), Code::LedgerCorrupt);
  EXPECT_THAT(apart.error().message(), HasSubstr("is not the newest"));
}

TEST(AttackCopies, AnOlderCopyPutBackDoesNotGiveTheBudgetBack) {
  const Desk desk;
  ASSERT_TRUE(desk.budget("create", {{"rho", "0.2"}}).ok());
  ASSERT_TRUE(desk.release({{"out", "1.json"}}).ok());
  fs::copy_file(desk.path("people.ledger"), desk.path("backup"));
  ASSERT_TRUE(desk.release({{"out", "2.json"}}).ok());
  fs::rename(desk.path("backup"), desk.path("people.ledger"));
  EXPECT_EQ(desk.release({{"out", "3.json"}}).error().code(), Code::LedgerCorrupt);
  EXPECT_EQ(desk.budget("show").error().code(), Code::LedgerCorrupt);
}

TEST(AttackCopies, ADeletedLedgerIsNotMadeAnewForTheSamePeople) {
  const Desk desk;
  ASSERT_TRUE(desk.budget("create", {{"rho", "0.1"}, {"source", desk.path("people.csv")}}).ok());
  ASSERT_TRUE(desk.release().ok());
  fs::remove(desk.path("people.ledger"));
  EXPECT_EQ(desk.release({{"out", "2.json"}}).error().code(), Code::NotFound);
  EXPECT_EQ(desk.budget("create", {{"rho", 1}, {"source", desk.path("people.csv")}}).error().code(), Code::AlreadyExists);
}

TEST(AttackEntries, AnEarlierEntryThatWasEditedStopsTheNextRelease) {
  const Desk desk;
  ASSERT_TRUE(desk.budget("create", {{"rho", 1}}).ok());
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(desk.release({{"out", file_number(i)}}).ok());
  std::string text = desk.read("people.ledger");
  const std::size_t loss = text.find("\"0.2\"");  // mu^2 of rho 0.1, in the first charge
  ASSERT_NE(loss, std::string::npos);
  text.replace(loss, 5, "\"0.1\"");
  desk.write("people.ledger", text);
  EXPECT_EQ(desk.release({{"out", "next.json"}}).error().code(), Code::LedgerCorrupt);
  EXPECT_EQ(desk.budget("history").error().code(), Code::LedgerCorrupt);
}

TEST(AttackEntries, ALedgerThatWasCutIsRefused) {
  const Desk desk;
  ASSERT_TRUE(desk.budget("create", {{"rho", 1}}).ok());
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(desk.release({{"out", file_number(i)}}).ok());
  const std::string text = desk.read("people.ledger");
  const std::size_t third = text.rfind("{\"kind\":\"charge\"");
  ASSERT_NE(third, std::string::npos);
  desk.write("people.ledger", text.substr(0, third));
  EXPECT_EQ(desk.release({{"out", "next.json"}}).error().code(), Code::LedgerCorrupt);
}

TEST(BudgetVerify, NamesWhatAgreesAndWhatDoesNot) {
  const Desk desk;
  ASSERT_TRUE(desk.budget("create", {{"rho", 1}}).ok());
  ASSERT_TRUE(desk.release({{"out", "1.json"}}).ok());
  ASSERT_TRUE(desk.release({{"out", "2.json"}}).ok());
  const auto good = verify(desk, desk.path("1.json") + "," + desk.path("2.json"));
  ASSERT_TRUE(good.ok()) << good.error().message();
  EXPECT_EQ(good->at("verified"), true);
  EXPECT_TRUE(good->at("charges_without_release").empty());

  // Values that were edited afterwards.
  Json altered = Json::parse(desk.read("1.json"));
  altered["values"][0][0] = 12345.0;
  desk.write("altered.json", altered.dump(1) + "\n");
  const auto other = verify(desk, desk.path("altered.json"));
  EXPECT_EQ(other->at("verified"), false);
  EXPECT_EQ(other->at("releases").at(0).at("finding"), "altered");
  EXPECT_EQ(other->at("charges_without_release").size(), 1U);  // of the second release

  // One charge, two files.
  const auto twice = verify(desk, desk.path("1.json") + "," + desk.path("altered.json"));
  EXPECT_EQ(twice->at("releases").at(1).at("finding"), "replayed");

  // A receipt that was never given.
  Json forged = Json::parse(desk.read("2.json"));
  forged["ledger"]["entry_hash"] = std::string(64, 'a');
  desk.write("forged.json", forged.dump(1) + "\n");
  EXPECT_EQ(verify(desk, desk.path("forged.json"))->at("releases").at(0).at("finding"), "forged");

  // A ledger that ends before the charge: as if an older copy of ledger and key had been put back
  // together.
  Json later = Json::parse(desk.read("2.json"));
  later["ledger"]["entry"] = 7;
  desk.write("later.json", later.dump(1) + "\n");
  EXPECT_EQ(verify(desk, desk.path("later.json"))->at("releases").at(0).at("finding"), "rolled-back");

  desk.write("none.json", "{}");
  EXPECT_EQ(verify(desk, desk.path("none.json"))->at("releases").at(0).at("finding"), "no-receipt");
}

TEST(BudgetVerify, DoesNotVouchForAFileWhoseHashWasCutOff) {
  const Desk desk;
  ASSERT_TRUE(desk.budget("create", {{"rho", 1}}).ok());
  ASSERT_TRUE(desk.release({{"out", "1.json"}}).ok());
  std::string text = desk.read("people.ledger");
  text.resize(text.rfind("{\"kind\":\"published\""));
  desk.write("people.ledger", text);
  Json altered = Json::parse(desk.read("1.json"));
  altered["n"] = 4444;
  desk.write("1.json", altered.dump(1) + "\n");
  const auto seen = verify(desk, desk.path("1.json"));
  ASSERT_TRUE(seen.ok()) << seen.error().message();
  EXPECT_EQ(seen->at("verified"), false);
  EXPECT_EQ(seen->at("releases").at(0).at("finding"), "unrecorded");
}

TEST(BudgetVerify, IsNotMisledByTheReleaseOfAnotherLedger) {
  const Desk desk;
  const Desk elsewhere;
  for (const Desk* one : {&desk, &elsewhere}) {
    ASSERT_TRUE(one->budget("create", {{"rho", 1}}).ok());
    ASSERT_TRUE(one->release({{"out", "1.json"}}).ok());
  }
  const auto both = verify(desk, elsewhere.path("1.json") + "," + desk.path("1.json"));
  EXPECT_EQ(both->at("releases").at(0).at("finding"), "other-ledger");
  EXPECT_EQ(both->at("releases").at(1).at("finding"), "agrees");
  EXPECT_EQ(verify(desk, elsewhere.path("1.json"))->at("charges_without_release").size(), 1U) << "a foreign file hides no lost charge";
}

TEST(BudgetVerify, KnowsTheReleasesOfAnotherLedger) {
  const Desk desk;
  const Desk elsewhere;
  ASSERT_TRUE(desk.budget("create", {{"rho", 1}}).ok());
  ASSERT_TRUE(elsewhere.budget("create", {{"rho", 1}}).ok());
  ASSERT_TRUE(elsewhere.release().ok());
  EXPECT_EQ(verify(desk, elsewhere.path("r.json"))->at("releases").at(0).at("finding"), "other-ledger");
}

TEST(Words, NeverFailSilently) {
  const auto json = [] { return Json{{"privacy", {{"charged", "rho 0.1"}}}, {"out", "r.json"}}; };
  const Answer silent("release counts", json, []() -> std::string { return {}; });
  EXPECT_THAT(silent.words(), HasSubstr("Charged: rho 0.1."));
  EXPECT_THAT(silent.words(), HasSubstr("Wrote r.json."));
  const Answer failing("release counts", json, [&]() -> std::string { return json().at("missing").get<std::string>(); });
  EXPECT_THAT(failing.words(), HasSubstr("was done, but its answer cannot be shown in words"));
}

}  // namespace
}  // namespace tacet::service
