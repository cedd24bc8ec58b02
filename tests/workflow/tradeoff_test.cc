#include "tacet/workflow/privacy/tradeoff.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tacet {
namespace {

using ::testing::ElementsAre;

TEST(TradeoffTable, HasEveryCurveAtEveryLevelUnderItsName) {
  const CurveTable table = *tradeoff_table({*TradeOff::gaussian(1), *laplace_tradeoff({2, -2}, 2)}, {0.05, 0.5});
  EXPECT_THAT(table.names, ElementsAre("Gaussian, mu 1", "Laplace, shift (1, 1)"));
  EXPECT_NEAR(table.beta[0][0], 0.740488977158556, 1e-12);
  EXPECT_EQ(table.fixed_point[1], laplace_tradeoff({1, -1})->fixed_point()) << "a shift is counted in scales";
  EXPECT_EQ(tradeoff_table({*TradeOff::gaussian(1)})->alpha, usual_levels());
}

TEST(TradeoffTable, IsDrawnFromEndToEnd) {
  const std::vector<double> levels = plotted_levels();
  EXPECT_EQ(levels.size(), 401U);
  EXPECT_EQ(levels.front(), 0);
  EXPECT_EQ(levels.back(), 1);
}

TEST(TradeoffTable, RefusesACurveTwiceLevelsOutsideAndScalesThatAreNone) {
  EXPECT_EQ(tradeoff_table({*TradeOff::gaussian(1), *TradeOff::gaussian(1)}).error().message(),
            "curve is Gaussian, mu 1, but must be given once");
  EXPECT_EQ(tradeoff_table({*TradeOff::gaussian(1)}, {1.5}).error().message(), "alpha is 1.5, but must lie between 0 and 1");
  EXPECT_EQ(laplace_tradeoff({1}, 0).error().message(), "scale is 0, but must be greater than 0; for example: scale = 1");
  EXPECT_FALSE(tradeoff_table({}).ok());
}

}  // namespace
}  // namespace tacet
