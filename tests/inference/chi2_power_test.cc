#include "tacet/inference/counts/chi2_power.h"

#include <gtest/gtest.h>

namespace tacet::inference {
namespace {

TEST(NoncentralUpper, IsTheChiSquareTailWithoutNoncentralityAndOneBeyondEveryDoubt) {
  EXPECT_NEAR(noncentral_upper(2, 0, 5.991464547107979), 0.05, 1e-12);  // exp(-x/2)
  EXPECT_EQ(noncentral_upper(2, 1e12, 5.99), 1);
  EXPECT_LT(noncentral_upper(2, 3, 5.99), noncentral_upper(2, 6, 5.99));
}

TEST(PowerOfExcess, IsTheLevelWhereNothingExceedsChance) {
  EXPECT_NEAR(*power_of_excess(1.3, 2, 0.05), 0.05, 1e-9);
  EXPECT_GT(*power_of_excess(12, 2, 0.05), 0.7);
  EXPECT_FALSE(power_of_excess(1, 0, 0.05));
}

TEST(Chi2Words, KnowTheSingular) {
  EXPECT_EQ(chi2_words(1), "chi-square with 1 degree of freedom");
  EXPECT_EQ(chi2_words(6), "chi-square with 6 degrees of freedom");
}

}  // namespace
}  // namespace tacet::inference
