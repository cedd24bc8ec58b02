#include "tacet/workflow/infer/critical_value.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tacet {
namespace {

TEST(CriticalWeightedChi2, IsTheUpperQuantile) {
  EXPECT_NEAR(*critical_weighted_chi2({.weights = {1, 1, 1}, .alpha = 0.05}), 7.814727903251179, 1e-10);
  EXPECT_EQ(critical_weighted_chi2({.weights = {1}, .alpha = 1}).error().message(),
            "alpha is 1, but must be at least 1e-300 and less than 1; for example: alpha = 0.05");
  EXPECT_FALSE(critical_weighted_chi2({.weights = {1, -1}, .alpha = 0.05}).ok());
}

TEST(CriticalGof, IsThatOfTheStatistic) {
  const CriticalGof classical = *critical_gof({.null = {0.5, 0.3, 0.2}, .n = 1000, .rho = 0.00125, .alpha = 0.05});
  EXPECT_NEAR(classical.critical, 27.70544232, 1e-8);
  EXPECT_EQ(classical.df, 3);
  EXPECT_EQ(classical.cells, 3U);
  const CriticalGof projected =
      *critical_gof({.null = {0.5, 0.3, 0.2}, .n = 1000, .rho = 0.00125, .alpha = 0.05, .statistic = GofStatistic::Projected});
  EXPECT_NEAR(projected.critical, 5.991464547, 1e-8) << "chi-square with 2 degrees of freedom";
}

TEST(CriticalGof, RefusesWhatMakesNoSense) {
  EXPECT_EQ(critical_gof({.null = {0.5, 0.5}, .n = 100, .rho = 0, .alpha = 0.05}).error().message(),
            "rho is 0, but must be at least 1e-12 and at most 1e12; for example: rho = 0.125");
  EXPECT_EQ(critical_gof({.null = {0.5, 0.4}, .n = 100, .rho = 1, .alpha = 0.05}).error().name(), "null");
  EXPECT_EQ(critical_gof({.null = {0.5, 0.5}, .n = 0, .rho = 1, .alpha = 0.05}).error().name(), "n");
}

}  // namespace
}  // namespace tacet
