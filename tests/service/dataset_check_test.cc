// What a custodian sees of rows and of a draft that was learnt from them, as fields and in words.
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "service/desk.h"

namespace tacet::service {
namespace {

using test::Desk;
using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(DatasetCheckVerb, TellsHowAFileIsWrittenBeforeThereIsABudget) {
  const Desk desk;
  desk.write("semicolons.csv", "sex;plan;age\nf;basic;31\nm;plus;44\n");
  const auto answer = desk.call("dataset check", {{"schema", desk.path("people.toml")}, {"data", desk.path("semicolons.csv")}});
  ASSERT_TRUE(answer.ok()) << answer.error().message();
  EXPECT_EQ(answer->at("budget"), false);
  EXPECT_EQ(answer->at("agrees"), false);
  EXPECT_EQ(answer->at("look").at("csv").at("delimiter"), ";");
  EXPECT_THAT(desk.said, AllOf(HasSubstr("There is no budget yet, and the source is not as the schema declares it:"),
                               HasSubstr("* this looks like fields separated by semicolons: write under [csv]: delimiter = \";\"")));
}

TEST(DatasetCheckVerb, AnswersInFields) {
  const Desk desk;
  const auto answer = desk.call("dataset check", {{"schema", desk.path("people.toml")}, {"data", desk.path("people.csv")}});
  ASSERT_TRUE(answer.ok()) << answer.error().message();
  const auto& columns = answer->at("look").at("columns");
  EXPECT_EQ(answer->at("agrees"), true);
  EXPECT_EQ(columns.at(2).at("column"), "age");
  EXPECT_EQ(columns.at(2).at("not_numbers"), 1);
  EXPECT_EQ(columns.at(2).at("not_numbers_share"), 0.2);
  EXPECT_TRUE(columns.at(2).at("other").is_null());
  EXPECT_EQ(columns.at(2).at("unread").at(0).at("text"), "x");
  EXPECT_EQ(columns.at(1).at("missing"), 1);
  EXPECT_TRUE(columns.at(1).at("below").is_null());
  EXPECT_THAT(desk.said, AllOf(HasSubstr("5 rows.\n"), HasSubstr("1 (20 %)")));
  desk.write("empty.csv", "");
  const auto empty = desk.call("dataset check", {{"schema", desk.path("people.toml")}, {"data", desk.path("empty.csv")}});
  ASSERT_TRUE(empty.ok()) << empty.error().message();
  EXPECT_EQ(empty->at("agrees"), false);
  EXPECT_TRUE(empty->at("look").is_null());
  EXPECT_THAT(empty->at("findings").at(0).get<std::string>(), HasSubstr("is empty"));
}

TEST(DraftFromData, IsRefusedByABudgetUntilItIsConfirmed) {
  const Desk desk;
  std::string rows = "sex,age\n";
  for (int i = 0; i < 200; ++i) rows += (i % 2 == 0 ? "f," : "m,") + std::to_string(20 + i % 50) + "\n";
  desk.write("many.csv", rows);
  const auto made = desk.call("init", {{"data", desk.path("many.csv")}, {"out", desk.path("draft.toml")}, {"from-data", true}});
  ASSERT_TRUE(made.ok()) << made.error().message();
  EXPECT_EQ(made->at("from_data"), true);
  EXPECT_EQ(made->at("proposals"), 2);
  EXPECT_TRUE(desk.said.starts_with("For the custodian's eyes only: "));
  for (const char* verb : {"budget create", "dataset show", "budget show"}) {
    Json request = {{"schema", desk.path("draft.toml")}};
    if (std::string(verb) == "budget create") request["rho"] = 1;
    const auto refused = desk.call(verb, request);
    ASSERT_FALSE(refused.ok()) << verb;
    EXPECT_THAT(refused.error().message(), HasSubstr("columns.sex.confirmed is false, but must be confirmed by a person"));
  }
  EXPECT_FALSE(desk.has("many.ledger"));
  const auto checked = desk.call("dataset check", {{"schema", desk.path("draft.toml")}, {"data", desk.path("many.csv")}});
  ASSERT_TRUE(checked.ok()) << checked.error().message();
  EXPECT_THAT(desk.said, HasSubstr("Every row is as declared."));
  std::string text = desk.read("draft.toml");
  for (std::size_t at = text.find("\nconfirmed = false"); at != std::string::npos; at = text.find("\nconfirmed = false"))
    text.erase(at, text.find('\n', at + 1) - at);
  desk.write("draft.toml", text);
  EXPECT_TRUE(desk.call("budget create", {{"schema", desk.path("draft.toml")}, {"rho", 1}}).ok());
}

}  // namespace
}  // namespace tacet::service
