#include "tacet/data/tally.h"

#include <gtest/gtest.h>

namespace tacet::data {
namespace {

TEST(TableShape, LastAxisRunsFastest) {
  const TableShape shape = *TableShape::of({4, 3, 2});
  EXPECT_EQ(shape.cells(), 24U);
  EXPECT_EQ(shape.stride(0), 6U);
  EXPECT_EQ(shape.stride(1), 2U);
  EXPECT_EQ(shape.stride(2), 1U);
}

TEST(TableShape, RefusesTooManyCellsAndNone) {
  EXPECT_TRUE(TableShape::of({10'000'000}).has_value());
  EXPECT_FALSE(TableShape::of({10'000'001}).has_value());
  EXPECT_FALSE(TableShape::of({4'000'000'000U, 4'000'000'000U, 4'000'000'000U}).has_value());
  EXPECT_FALSE(TableShape::of({3, 0}).has_value());
}

TEST(Tally, ChecksItselfAgainstTheNumberOfRows) {
  const TableShape shape = *TableShape::of({2});
  Tally right(shape);
  right.add(1);
  right.add(1);
  EXPECT_EQ(*std::move(right).checked(2), (std::vector<std::int64_t>{0, 2}));

  Tally short_of_one(shape);
  short_of_one.add(0);
  EXPECT_EQ(std::move(short_of_one).checked(2).error().code(), Code::Internal);

  const std::int64_t negative[] = {-1, 3};
  Tally below_zero(shape);
  below_zero.merge(negative);
  EXPECT_EQ(std::move(below_zero).checked(2).error().code(), Code::Internal);

  const std::int64_t huge[] = {INT64_MAX, 1};
  Tally overflowing(shape);
  overflowing.merge(huge);
  EXPECT_EQ(std::move(overflowing).checked(INT64_MIN).error().code(), Code::Internal);
}

}  // namespace
}  // namespace tacet::data
