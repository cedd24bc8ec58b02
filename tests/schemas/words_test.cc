#include "tacet/schemas/words.h"

#include <gtest/gtest.h>

#include "tacet/base/text.h"

namespace tacet::schemas {
namespace {

TEST(Words, SuggestsOnlyWhatIsNear) {
  EXPECT_EQ(did_you_mean("smokng", {"sex", "smoking"}), "did you mean \"smoking\"?");
  EXPECT_EQ(did_you_mean("income", {"sex", "smoking"}), "");
}

TEST(Words, LongListsAreCut) {
  std::vector<std::string> many(25, "x");
  EXPECT_TRUE(listed(many).ends_with("\"x\" and 5 more"));
}

TEST(Words, KeysAreBareWhereTomlAllowsIt) {
  EXPECT_EQ(toml_key("hours-per_week2"), "hours-per_week2");
  EXPECT_EQ(toml_key("a.b"), "\"a.b\"");
  EXPECT_EQ(toml_key(""), "\"\"");
}

TEST(Words, TellWhatOnePersonContributes) {
  data::Schema schema;
  EXPECT_EQ(contribution_words(schema), "one row");
  schema.contributions = {"patient", 3, {}};
  EXPECT_EQ(contribution_words(schema), "at most 3 rows, named by patient");
  schema.contributions = {"a b", 1, 2};
  EXPECT_EQ(contribution_words(schema), "at most 2 groups with at most 1 row each, named by \"a b\"");
}

}  // namespace
}  // namespace tacet::schemas
