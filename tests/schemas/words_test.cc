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
  using data::Contributions;
  EXPECT_EQ(neighbour_words(kernel::Relation::ReplaceOne, {}), "replace-one");
  EXPECT_EQ(neighbour_words(kernel::Relation::AddOrRemoveOne, Contributions{"patient", 3, {}}),
            "add-or-remove-one (one person, with all their rows)");
  EXPECT_EQ(contribution_words({}), "one row");
  EXPECT_EQ(contribution_words(Contributions{"patient", 3, {}}), "at most 3 rows, named by patient");
  EXPECT_EQ(contribution_words(Contributions{"a b", 1, 2}), "at most 2 groups with at most 1 row each, named by \"a b\"");
}

}  // namespace
}  // namespace tacet::schemas
