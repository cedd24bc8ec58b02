#include "tacet/schemas/disjoint_conditions.h"

#include <gtest/gtest.h>

namespace tacet::schemas {
namespace {

TEST(DisjointConditions, OfDifferentCategoriesAre) {
  EXPECT_TRUE(are_disjoint("arm = new", "arm = old"));
  EXPECT_TRUE(are_disjoint("arm = new", "age >= 40 and arm = old"));
  EXPECT_TRUE(are_disjoint("smoking in (current, former)", "smoking = never"));
  EXPECT_TRUE(are_disjoint("smoking in (current, former)", "smoking in (never, \"no answer\")"));
  EXPECT_TRUE(are_disjoint("\"marital status\" = single", "\"marital status\" = 'not single'"));
}

TEST(DisjointConditions, OfRangesThatDoNotMeetAre) {
  EXPECT_TRUE(are_disjoint("age < 40", "age >= 40"));
  EXPECT_TRUE(are_disjoint("age > 40", "age <= 40"));
  EXPECT_TRUE(are_disjoint("age between 18 and 39.5", "age between 40 and 65 and arm = new"));
  EXPECT_TRUE(are_disjoint("age <= 9", "age >= 10")) << "numbers, not texts";
  EXPECT_FALSE(are_disjoint("age <= 40", "age >= 40")) << "somebody may be 40";
  EXPECT_FALSE(are_disjoint("age < 50", "age >= 40"));
  EXPECT_FALSE(are_disjoint("age between 18 and 40", "age between 40 and 65"));
}

// A column in single precision holds the same number for both.
TEST(DisjointConditions, OfNumbersThatAFileMayNotTellApartAreNot) {
  EXPECT_FALSE(are_disjoint("x <= 0.1", "x >= 0.10000000001"));
  EXPECT_FALSE(are_disjoint("x < 0.1", "x > 0.09999999999"));
  EXPECT_FALSE(are_disjoint("x <= 1e-50", "x >= 1e-40"));
  EXPECT_FALSE(are_disjoint("x = 0.1", "x = 0.10000000001"));
  EXPECT_FALSE(are_disjoint("x in (7, 0.1)", "x in (8, 0.10000000001)"));
  EXPECT_TRUE(are_disjoint("x in (1, 2)", "x in (3, 4)"));
  EXPECT_TRUE(are_disjoint("x <= 0.1", "x >= 0.10001"));
  EXPECT_TRUE(are_disjoint("x <= -1e300", "x >= 1e300"));
  EXPECT_TRUE(are_disjoint("x < 0.1", "x >= 0.1"));
}

TEST(DisjointConditions, OfAnythingElseAreNotKnownToBe) {
  EXPECT_FALSE(are_disjoint("arm = new", "arm = new"));
  EXPECT_FALSE(are_disjoint("arm = new", "age >= 40"));
  EXPECT_FALSE(are_disjoint("arm = new or age < 40", "arm = old"));
  EXPECT_FALSE(are_disjoint("(arm = new or age < 40)", "arm = old"));
  EXPECT_FALSE(are_disjoint("not arm = new", "not arm = old"));
  EXPECT_FALSE(are_disjoint("smoking in (current, former)", "smoking in (former, never)"));
  EXPECT_FALSE(are_disjoint("arm != new", "arm != old"));
  EXPECT_FALSE(are_disjoint("age not between 10 and 20", "age between 30 and 40"));
  EXPECT_FALSE(are_disjoint("arm is missing", "arm = new"));
  EXPECT_FALSE(are_disjoint("", ""));
  EXPECT_FALSE(are_disjoint("arm =", "arm ="));
  EXPECT_FALSE(are_disjoint("\x01", "arm = new"));
}

}  // namespace
}  // namespace tacet::schemas
