#include "tacet/numeric/least.h"

#include <cmath>

#include <gtest/gtest.h>

namespace tacet::numeric {
namespace {

TEST(Least, FindsTheValleyOfASmoothFunction) {
  const Least found = least_between([](double x) { return std::cosh(x - 1.25) + 3; }, -7, 11);
  EXPECT_NEAR(found.at, 1.25, 1e-6);
  EXPECT_NEAR(found.value, 4, 1e-14);
}

TEST(Least, LooksAtPointsBeforeItBelievesInOneValley) {
  // Two valleys; the deeper one is narrow, and far from the middle.
  const auto two = [](double x) { return std::min(x * x, 10 * (x - 40) * (x - 40) - 5); };
  EXPECT_NEAR(least_over(two, -50, 50, 100).value, -5, 1e-10);
  EXPECT_NEAR(least_over(two, -50, 50, 100).at, 40, 1e-6);
}

TEST(Least, LetsInfiniteValuesBe) {
  const auto part = [](double x) { return x < 2 ? HUGE_VAL : x; };
  EXPECT_NEAR(least_over(part, 0, 10, 10).value, 2, 1e-6);
}

TEST(Root, IsOnTheSideThatIsNotBelowZero) {
  const auto cube = [](double x) { return x * x * x - 2; };
  const double root = root_of(cube, 0, 5);
  EXPECT_GE(cube(root), 0);
  EXPECT_NEAR(root, std::cbrt(2.0), 1e-15);
}

}  // namespace
}  // namespace tacet::numeric
