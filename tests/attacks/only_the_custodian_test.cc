// Attacks on what is for the custodian's eyes alone: nobody else may look at rows, by any request,
// and a look leaves nothing behind.
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernel/scratch_folder.h"
#include "service/desk.h"

namespace tacet::service {
namespace {

using test::Desk;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

/// The contents of every file below a folder, by name.
std::map<std::string, std::string> contents_below(const std::filesystem::path& folder) {
  std::map<std::string, std::string> all;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    std::ifstream in(entry.path(), std::ios::binary);
    std::ostringstream text;
    if (entry.is_regular_file()) text << in.rdbuf();
    all[entry.path().string()] = text.str();
  }
  return all;
}

class OnlyTheCustodian : public ::testing::Test {
 protected:
  OnlyTheCustodian() {
    desk.write("people.csv", "sex,plan,age\nf,SECRET,31\nm,plus,444\nf,,29\nm,basic,SECRET2\nf,basic,50\n");
    EXPECT_TRUE(desk.budget("create", {{"rho", 1}, {"source", desk.path("people.csv")}}).ok());
  }
  /// Everything that the answer or the refusal of a request says.
  std::string said_to(const std::string& analyst, const std::string& verb, const Json& request) {
    desk.context.analyst = analyst;
    const auto answer = desk.perform(verb, request);
    desk.context.analyst = "ada";
    if (answer.ok()) return answer->words() + answer->json().dump();
    return answer.error().message() + "|" + answer.error().remedy() + "|" + answer.error().value();
  }
  std::map<std::string, std::string> everything() const {
    auto all = contents_below(std::filesystem::path(desk.path("people.csv")).parent_path());
    all.merge(contents_below(testing::ScratchFolder::keys()));
    return all;
  }
  Json place() const { return {{"schema", desk.path("people.toml")}}; }
  Desk desk;
};

TEST_F(OnlyTheCustodian, SeesTheRows) {
  const std::string said = said_to("ada", "dataset check", place());
  EXPECT_TRUE(said.starts_with("For the custodian's eyes only: this shows data without noise."));
  EXPECT_THAT(said, HasSubstr("SECRET"));
  const auto answer = desk.call("dataset check", place());
  EXPECT_EQ(answer->at("confidential"),
            "For the custodian's eyes only: this shows data without noise. Nothing was written, and nothing was spent.");
}

TEST_F(OnlyTheCustodian, MayLookAndAnalystsAreRefused) {
  for (const char* analyst : {"eve", "unnamed", "", "Ada"}) {
    const std::string said = said_to(analyst, "dataset check", place());
    EXPECT_THAT(said, HasSubstr("must be \"ada\", the custodian: this shows data"));
    EXPECT_THAT(said, Not(HasSubstr("SECRET")));
  }
  desk.context.analyst = "eve";
  EXPECT_REFUSED(desk, Code::InvalidArgument, desk.call("dataset check", place()));
}

TEST_F(OnlyTheCustodian, AnalystsMayCompareNames) {
  Json request = place();
  request["names-only"] = true;
  const std::string said = said_to("eve", "dataset check", request);
  EXPECT_THAT(said, HasSubstr("Everything agrees"));
  EXPECT_THAT(said, HasSubstr("\"look\":null"));
  EXPECT_THAT(said, HasSubstr("\"confidential\":null"));
  EXPECT_THAT(said, Not(HasSubstr("SECRET")));
}

// The file, or another name of it, with a schema and a ledger of one's own.
TEST_F(OnlyTheCustodian, AnotherSchemaLedgerOrNameOfTheFileDoesNotHelp) {
  std::string own = test::kPeopleSchema;
  own.replace(own.find("people.ledger"), 13, "eve.ledger");
  desk.write("eve.toml", own);
  std::filesystem::create_hard_link(desk.path("people.csv"), desk.path("linked.csv"));
  std::filesystem::create_symlink(desk.path("people.csv"), desk.path("pointing.csv"));
  for (const char* name : {"people.csv", "linked.csv", "pointing.csv"}) {
    const std::vector<std::pair<std::string, Json>> requests{
        {"dataset check", {{"schema", desk.path("eve.toml")}, {"data", desk.path(name)}}},
        {"dataset check", {{"schema", desk.path("people.toml")}, {"dataset", "unknown"}, {"data", desk.path(name)}}},
        {"dataset check", {{"schema", desk.path("people.toml")}, {"ledger", desk.path("none.ledger")}, {"data", desk.path(name)}}},
        {"init", {{"data", desk.path(name)}, {"out", desk.path("draft.toml")}, {"from-data", true}}}};
    for (const auto& [verb, request] : requests) {
      const std::string said = said_to("eve", verb, request);
      EXPECT_THAT(said, HasSubstr("must be \"ada\", the custodian: this shows data")) << verb << request;
      EXPECT_THAT(said, Not(HasSubstr("SECRET")));
    }
    EXPECT_FALSE(desk.has("draft.toml"));
  }
  // Her own budget for the same people, for which she gave a reason.
  desk.context.analyst = "eve";
  const auto made = desk.call(
      "budget create",
      {{"schema", desk.path("eve.toml")}, {"rho", 1}, {"source", desk.path("people.csv")}, {"dataset", "mine"}, {"again", "because"}});
  ASSERT_TRUE(made.ok()) << made.error().message();
  desk.context.analyst = "ada";
  const std::string said = said_to("eve", "dataset check", {{"schema", desk.path("eve.toml")}, {"dataset", "mine"}});
  EXPECT_THAT(said, HasSubstr("must be \"ada\", the custodian"));
  EXPECT_THAT(said, Not(HasSubstr("SECRET")));
}

TEST_F(OnlyTheCustodian, WithoutTheKeyNobodyLooks) {
  for (const auto& entry : std::filesystem::directory_iterator(testing::ScratchFolder::keys())) {
    if (entry.path().extension() == ".seal") std::filesystem::remove(entry.path());
  }
  const std::string said = said_to("ada", "dataset check", place());
  EXPECT_THAT(said, HasSubstr("key"));
  EXPECT_THAT(said, Not(HasSubstr("SECRET")));
}

TEST_F(OnlyTheCustodian, ALookWritesNothingAndSpendsNothing) {
  ASSERT_TRUE(desk.release().ok());
  const auto before = everything();
  ASSERT_TRUE(desk.call("dataset check", place()).ok());
  desk.write("fresh.toml",
             std::string(test::kPeopleSchema).replace(std::string(test::kPeopleSchema).find("people.ledger"), 13, "new.ledger"));
  auto with_schema = before;
  with_schema[desk.path("fresh.toml")] = desk.read("fresh.toml");
  ASSERT_TRUE(desk.call("dataset check", {{"schema", desk.path("fresh.toml")}, {"data", desk.path("people.csv")}}).ok());
  EXPECT_EQ(everything(), with_schema);
  EXPECT_EQ(desk.spent(), "rho 0.1");
  EXPECT_EQ(desk.entries(), 1U);
}

// A server can tell which verbs it must not offer.
TEST(VerbsThatShowData, AreThese) {
  std::vector<std::string> names;
  for (const Verb& verb : verbs()) {
    if (verb.shows_data) names.push_back(verb.name);
  }
  EXPECT_THAT(names, ElementsAre("init", "dataset check"));
}

}  // namespace
}  // namespace tacet::service
