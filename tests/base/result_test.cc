#include "tacet/base/result.h"

#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include <gtest/gtest.h>

namespace tacet {
namespace {

Error refused() { return Error::invalid("x", "1", "must be 2"); }

Result<int> even(int x) {
  if (x % 2 != 0) return Error::invalid("x", std::to_string(x), "must be even");
  return x;
}
Result<int> half(int x) {
  TACET_TRY(const int checked, even(x));
  return checked / 2;
}
Result<int> sum_of_halves(int x, int y) {
  TACET_TRY(const int a, half(x));
  TACET_TRY(const int b, half(y));
  return a + b;
}
Status must_be_even(int x) {
  TACET_TRY([[maybe_unused]] const int checked, even(x));
  return {};
}
Result<std::string> word_for(int x) {
  TACET_CHECK(must_be_even(x));
  return std::string("even");
}

TEST(Result, HoldsAValueOrTheErrorThatTookItsPlace) {
  const Result<int> good = even(4), bad = even(3);
  EXPECT_TRUE(good.ok());
  EXPECT_TRUE(static_cast<bool>(good));
  EXPECT_EQ(good.value(), 4);
  EXPECT_EQ(*good, 4);
  EXPECT_FALSE(bad.ok());
  EXPECT_FALSE(static_cast<bool>(bad));
  EXPECT_EQ(bad.error().message(), "x is 3, but must be even");
}

TEST(Result, TryPassesTheFirstErrorOn) {
  EXPECT_EQ(*sum_of_halves(4, 6), 5);
  EXPECT_EQ(sum_of_halves(3, 5).error().value(), "3");
  EXPECT_EQ(sum_of_halves(4, 5).error().value(), "5");
}

TEST(Result, CheckPassesTheErrorOfAStatusOn) {
  EXPECT_EQ(*word_for(2), "even");
  EXPECT_EQ(word_for(7).error().value(), "7");
}

TEST(Result, MovesWhatCannotBeCopied) {
  Result<std::unique_ptr<int>> result(std::make_unique<int>(5));
  EXPECT_EQ(**result, 5);
  const std::unique_ptr<int> taken = *std::move(result);
  EXPECT_EQ(*taken, 5);
  static_assert(!std::is_copy_constructible_v<Result<std::unique_ptr<int>>>);
}

TEST(Result, TheValueMayBeChangedInPlace) {
  Result<std::string> result(std::string("a"));
  *result += "b";
  result->push_back('c');
  EXPECT_EQ(result.value(), "abc");
}

TEST(Result, HasNoDefaultAndNoOtherDoor) {
  static_assert(!std::is_default_constructible_v<Result<int>>);
  static_assert(!std::is_convertible_v<Result<int>, bool>);
  static_assert(!std::is_convertible_v<Result<int>, int>);
}

TEST(ResultDeathTest, ReadingTheValueOfAFailureEndsTheProgram) {
  const Result<int> bad(refused());
  EXPECT_DEATH((void)bad.value(), "");
  EXPECT_DEATH((void)*bad, "");
  EXPECT_DEATH((void)Result<std::string>(refused())->size(), "");
}

TEST(ResultDeathTest, ReadingTheErrorOfASuccessEndsTheProgram) {
  const Result<int> good(1);
  EXPECT_DEATH((void)good.error(), "");
  EXPECT_DEATH((void)Status().error(), "");
}

TEST(Status, IsFineUnlessItHoldsAnError) {
  const Status fine, wrong(refused());
  EXPECT_TRUE(fine.ok());
  EXPECT_TRUE(static_cast<bool>(fine));
  EXPECT_FALSE(wrong.ok());
  EXPECT_EQ(wrong.error().message(), "x is 1, but must be 2");
  EXPECT_EQ(Status(refused()).error().name(), "x");
}

}  // namespace
}  // namespace tacet
