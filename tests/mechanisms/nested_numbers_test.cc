#include "tacet/mechanisms/nested_numbers.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tacet/mechanisms/released_table.h"

namespace tacet::mechanisms {
namespace {

using nlohmann::json;

TEST(Nested, AndFlattenUndoEachOther) {
  const std::vector<double> values = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  for (const std::vector<std::size_t>& shape : std::vector<std::vector<std::size_t>>{{12}, {3, 4}, {2, 3, 2}, {1, 12, 1}, {12, 1, 1, 1}}) {
    const auto back = flatten(nested(values, shape), "values");
    ASSERT_TRUE(back.ok());
    EXPECT_EQ(back->shape, shape);
    EXPECT_EQ(back->values, values);
  }
}

TEST(Nested, RunsFastestAlongTheLastAxis) { EXPECT_EQ(nested({1, 2, 3, 4, 5, 6}, {2, 3}), json::parse("[[1, 2, 3], [4, 5, 6]]")); }

TEST(Nested, AMatrixIsAListOfItsRows) {
  Matrix matrix = Matrix::zeros(2, 3);
  matrix.at(1, 2) = 5;
  EXPECT_EQ(nested(matrix), json::parse("[[0, 0, 0], [0, 0, 5]]"));
  EXPECT_EQ(matrix.row(1)[2], 5);
}

TEST(Flatten, RefusesWhatIsNotRectangular) {
  for (const char* text : {"[[1],[2,3]]", "[[1,2],[3]]", "[1,[2]]", "[[1],2]", "[[[1]],[2]]", "[[1,2],[[3],[4]]]", "[[[1,2]],[[3]]]",
                           "[[1],[]]", "[[],[1]]", "[[[]]]", "[]", "7", "null", "{}", "[\"1\"]", "[[null]]", "[[false]]", "[{}]"}) {
    const auto refused = flatten(json::parse(text), "table");
    ASSERT_FALSE(refused.ok()) << text;
    EXPECT_EQ(refused.error().name(), "table") << text;
    EXPECT_FALSE(refused.error().remedy().empty()) << text;
  }
}

TEST(Flatten, RefusesNumbersThatAreNotFiniteOrAbsurdlyLarge) {
  for (const double wrong :
       {std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(), std::nan(""), 1e101, -1e308}) {
    EXPECT_FALSE(flatten(json::array({1.0, wrong}), "values").ok()) << wrong;
  }
}

TEST(Flatten, NestsAtMostThirtyTwoDeep) {
  json value = 1;
  for (std::size_t depth = 0; depth < kMostAxes; ++depth) value = json::array({value});
  const auto deepest = flatten(value, "values");
  ASSERT_TRUE(deepest.ok());
  EXPECT_EQ(deepest->shape.size(), kMostAxes);
  EXPECT_FALSE(flatten(json::array({value}), "values").ok());
}

}  // namespace
}  // namespace tacet::mechanisms
