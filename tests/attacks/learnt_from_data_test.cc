// Attacks by what stands in the data, on those who let it be read for them: a draft of a schema, a
// check, an earlier release. What they would catch: texts of people that become lines of a schema,
// proposals that nobody confirmed, and a file that makes a verb fail or wait.
#include <sys/stat.h>

#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/schemas/schema_text.h"

#include "service/desk.h"

namespace tacet::service {
namespace {

using test::Desk;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string without(std::string text, const std::string& line) {
  for (std::size_t at = text.find(line); at != std::string::npos; at = text.find(line)) text.erase(at, text.find('\n', at) + 1 - at);
  return text;
}

Result<Json> draft(const Desk& desk, const char* out = "draft.toml") {
  return desk.call("init", {{"data", desk.path("people.csv")}, {"out", desk.path(out)}, {"dataset", "people"}, {"from-data", true}});
}

TEST(AttackDraft, TextsOfPeopleStayWithinTheirQuotes) {
  const Desk desk;
  const std::vector<std::string> texts{
      "\"]\nmembership = \"public\"\n#", "'''", "\\", "\\\"]", "\x1b[2J", "# confirmed = true", "\x7f", "]"};
  std::string rows = "note,\"x\"\"] # neighbours = \"\"add-or-remove-one\"\"\"\n";
  for (int i = 0; i < 3; ++i) {
    for (const std::string& text : texts) {
      std::string doubled;
      for (const char c : text) doubled += c == '"' ? std::string("\"\"") : std::string(1, c);
      rows += "\"" + doubled + "\",1\n";
    }
  }
  desk.write("people.csv", rows);
  const auto made = draft(desk);
  ASSERT_TRUE(made.ok()) << made.error().message();
  const std::string toml = desk.read("draft.toml");
  EXPECT_EQ(toml.find('\x1b'), std::string::npos);
  EXPECT_EQ(toml.find("\nmembership"), std::string::npos);
  EXPECT_FALSE(schemas::parse_schema(toml, false, "").ok()) << "nothing is public before a person has confirmed it";
  const auto schema = schemas::parse_schema(without(toml, "confirmed = false"), false, "");
  ASSERT_TRUE(schema.ok()) << schema.error().message();
  EXPECT_EQ(schema->relation.kind(), kernel::Relation::ReplaceOne);
  for (const data::Column& column : schema->columns) EXPECT_FALSE(column.public_membership);
}

TEST(AttackDraft, IsReadByNobodyElseOnTheMachine) {
  const Desk desk;
  std::filesystem::permissions(desk.path("people.csv"), std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  ASSERT_TRUE(draft(desk).ok());
  EXPECT_EQ(std::filesystem::status(desk.path("draft.toml")).permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
}

TEST(AttackDraft, WhatNobodyHasConfirmedIsTakenByNoVerb) {
  const Desk desk;
  ASSERT_TRUE(draft(desk).ok());
  const std::string unconfirmed = desk.read("draft.toml");
  ASSERT_THAT(unconfirmed, HasSubstr("confirmed = false"));
  const Json schema = {{"schema", desk.path("draft.toml")}};
  const auto with = [&](const Json& more) {
    Json request = schema;
    request.update(more);
    return request;
  };
  const auto refuses = [&](const char* verb, const Json& request) {
    const auto answer = desk.call(verb, request);
    ASSERT_FALSE(answer.ok()) << verb;
    EXPECT_THAT(answer.error().message(), HasSubstr("must be confirmed by a person")) << verb;
  };
  refuses("budget create", with({{"rho", 1}}));
  ASSERT_TRUE(desk.budget("create", {{"rho", 1}}).ok());
  refuses("dataset amend", with({{"reason", "wider"}}));
  Json release = desk.release_request();
  release["schema"] = desk.path("draft.toml");
  refuses("release counts", release);
  // As JSON, too.
  desk.write("draft.json",
             R"({"tacet": 1, "dataset": "d", "ledger": "d.ledger", "columns": {"a": {"categories": ["x"], "confirmed": false}}})");
  refuses("budget create", {{"schema", desk.path("draft.json")}, {"rho", 1}});
}

TEST(AttackCheck, NoTextInTheDataMakesItFail) {
  const Desk desk;
  ASSERT_TRUE(desk.budget("create", {{"rho", 1}, {"source", desk.path("people.csv")}}).ok());
  const std::string header = "sex,plan,age\n";
  for (const std::string& row :
       {std::string("f,basic,12 \xB5g\n"), std::string("f,basic,12\xB0\n"), std::string("\xFF,\xC3\x28,\xF0\x28\x8C\x28\n"),
        std::string("f,basic,1e999\n"), std::string("f,basic,-inf\n"), std::string("f,basic,5e-324\n"), std::string("f,b\0c,\0\n", 8),
        std::string("\"f\n"), std::string(",,\n"), "f," + std::string(100'000, 'x') + ",1\n"}) {
    for (const int times : {1, 30}) {
      std::string rows = header;
      for (int i = 0; i < times; ++i) rows += row;
      desk.write("people.csv", rows);
      const auto checked = desk.call("dataset check", {{"schema", desk.path("people.toml")}});
      ASSERT_TRUE(checked.ok()) << checked.error().message() << row.substr(0, 40);
      EXPECT_EQ(checked->at("look").at("rows"), times) << row.substr(0, 40);
      EXPECT_FALSE(desk.said.empty());
      const std::string name = "draft" + std::to_string(times) + std::to_string(row.size()) + ".toml";
      const auto drafted = draft(desk, name.c_str());
      EXPECT_TRUE(drafted.ok() || drafted.error().code() == Code::AlreadyExists) << row.substr(0, 40);
    }
  }
}

// The folder of releases is searched for the earlier file.
TEST(AttackPaidBefore, StrangeFilesBesideAReleaseDoNotHoldIt) {
  const Desk desk;
  ASSERT_TRUE(desk.budget("create", {{"rho", 1}}).ok());
  ASSERT_TRUE(desk.release({{"out", "first.json"}}).ok());
  ASSERT_EQ(::mkfifo(desk.path("a.json").c_str(), 0600), 0);
  std::filesystem::create_symlink("/dev/zero", desk.path("b.json"));
  std::filesystem::create_symlink(desk.path("c.json"), desk.path("c.json"));
  std::filesystem::create_directory(desk.path("d.json"));
  const auto again = desk.release({{"out", "second.json"}});
  ASSERT_TRUE(again.ok()) << again.error().message();
  EXPECT_EQ(desk.spent(), "rho 0.2");
  EXPECT_EQ(again->at("paid_before").at("file"), desk.path("first.json"));
}

}  // namespace
}  // namespace tacet::service
