#include "tacet/workflow/custody/draft_schema.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/schemas/schema_text.h"

#include "service/desk.h"

namespace tacet {
namespace {

using test::Desk;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(DraftSchema, NamesTheColumnsAndReadsNoRow) {
  const Desk desk;
  const auto draft = draft_schema({.data = desk.path("people.csv")});
  ASSERT_TRUE(draft.ok()) << draft.error().message();
  EXPECT_EQ(draft->dataset, "people");
  EXPECT_EQ(draft->file, std::nullopt);
  EXPECT_THAT(draft->toml, AllOf(HasSubstr("[columns.sex]"), HasSubstr("[columns.age]"), Not(HasSubstr("basic"))));
  EXPECT_TRUE(schemas::parse_schema(draft->toml, /*json=*/false, desk.path(".")).ok());
}

TEST(DraftSchema, IsWrittenOnce) {
  const Desk desk;
  const DraftRequest request{.data = desk.path("people.csv"), .out = desk.path("draft.toml"), .dataset = "a"};
  const auto draft = draft_schema(request);
  ASSERT_TRUE(draft.ok()) << draft.error().message();
  EXPECT_EQ(draft->file, desk.path("draft.toml"));
  EXPECT_EQ(desk.read("draft.toml"), draft->toml);
  EXPECT_EQ(draft_schema(request).error().message(),
            "\"" + desk.path("draft.toml") + "\" is there already; delete it, or choose another name");
}

TEST(DraftSchema, WarnsOfAnotherDelimiterAndTakesIt) {
  const Desk desk;
  desk.write("semicolons.csv", "sex;age\nf;31\n");
  EXPECT_THAT(draft_schema({.data = desk.path("semicolons.csv")})->warnings,
              ElementsAre("the first line of the file is one field that holds \";\", which may be its delimiter: draft again with that "
                          "delimiter"));
  const auto draft = draft_schema({.data = desk.path("semicolons.csv"), .delimiter = ';'});
  ASSERT_TRUE(draft.ok()) << draft.error().message();
  EXPECT_THAT(draft->warnings, ElementsAre());
  EXPECT_THAT(draft->toml, HasSubstr("delimiter = \";\""));
}

TEST(DraftSchema, RefusesNamesAndDelimitersThatServeNothing) {
  const Desk desk;
  const std::string data = desk.path("people.csv");
  EXPECT_EQ(draft_schema({.data = data, .out = "a.json"}).error().message(),
            "out is \"a.json\", but must not end in .json, because the draft is TOML with comments; for example: out = people.toml");
  EXPECT_EQ(draft_schema({.data = data, .delimiter = '\n'}).error().message(),
            "delimiter is \"\\n\", but must be one ASCII character, or comma, semicolon or tab; for example: delimiter = ';'");
  EXPECT_EQ(draft_schema({.data = data, .dataset = "a\nb"}).error().name(), "dataset");
  EXPECT_EQ(draft_schema({.data = desk.path("none.csv")}).error().code(), Code::NotFound);
}

TEST(DelimiterNamed, IsOneCharacterOrTheWordTab) {
  EXPECT_EQ(*delimiter_named(";"), ';');
  EXPECT_EQ(*delimiter_named("semicolon"), ';');
  EXPECT_EQ(*delimiter_named("tab"), '\t');
  EXPECT_EQ(*delimiter_named("\\t"), '\t');
  for (const std::string wrong : {"", ";;", "\"", "\n", "\xC3\xA4"}) EXPECT_FALSE(delimiter_named(wrong).ok()) << wrong;
}

}  // namespace
}  // namespace tacet
