#include "tacet/inference/adaptive/adaptive_attack.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/numeric/normal.h"

namespace tacet::inference {
namespace {

using ::testing::HasSubstr;

double average(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// The vote of d variables over n rows agrees with a row's label with probability
// Phi(sqrt(2d/(pi n))) nearly. Fixed seeds.
TEST(AdaptiveAttack, FindsInBareSharesWhatIsNotThere) {
  const AttackErrors errors = *run_attack({.n = 1000, .variables = 501}, 40);
  ASSERT_EQ(errors.vote.size(), 40U);
  const double expected = numeric::normal_lower(std::sqrt(2 * 501 / (M_PI * 1000))) - 0.5;
  EXPECT_NEAR(average(errors.vote), expected, 0.01);
  for (std::size_t i = 0; i < 40; ++i) EXPECT_GE(errors.largest[i], std::abs(errors.vote[i]));
}

TEST(AdaptiveAttack, FindsLittleBehindNoise) {
  const double bare = average(run_attack({.n = 1000, .variables = 501}, 40)->vote);
  const double noisy = average(run_attack({.n = 1000, .variables = 501, .noise = 0.15}, 40)->vote);
  EXPECT_LT(std::abs(noisy), bare / 3);
}

// With two variables and one row the vote is a tie half of the time; the truth is still 1/2.
TEST(AdaptiveAttack, BreaksTiesWithoutFavour) {
  const AttackErrors errors = *run_attack({.n = 64, .variables = 2, .noise = 1000}, 4000);
  // Signs are independent of the rows: the mean is 1/2 up to noise of 1000/sqrt(4000).
  EXPECT_LT(std::abs(average(errors.vote)), 60);
  const AttackErrors one = *run_attack({.n = 1, .variables = 1, .noise = 0}, 200);
  for (const double error : one.vote) EXPECT_EQ(error, 0.5) << "the only row agrees with a variable that was chosen by it";
}

TEST(AdaptiveAttack, IsTheSameOnEveryRun) {
  const AdaptiveAttack attack{.n = 130, .variables = 7, .repeats = 3, .noise = 0.1, .seed = 9};
  EXPECT_EQ(run_attack(attack, 5)->largest, run_attack(attack, 5)->largest);
  AdaptiveAttack other = attack;
  other.seed = 10;
  EXPECT_NE(run_attack(attack, 5)->largest, run_attack(other, 5)->largest);
}

TEST(FreedmanStudy, RejectsOftenAfterScreeningByTheSameRows) {
  const FreedmanPValues values = *run_freedman({.n = 100, .variables = 50, .epsilon = 0.05}, 200);
  const auto below = [](const std::vector<double>& ps, double level) {
    return std::count_if(ps.begin(), ps.end(), [level](double p) { return p <= level; });
  };
  EXPECT_GT(below(values.by_correlation, 0.05), 100);
  // With so little epsilon the screening is nearly independent of the rows: p-values are uniform.
  EXPECT_LT(below(values.by_noisy_share, 0.05), 25);
  EXPECT_NEAR(average(values.by_noisy_share), 0.5, 0.08);
}

TEST(AdaptiveAttack, RefusesWhatMakesNoSense) {
  EXPECT_THAT(run_attack({.n = 0, .variables = 1}, 1).error().message(), HasSubstr("n is 0"));
  EXPECT_THAT(run_attack({.n = 1, .variables = 0}, 1).error().message(), HasSubstr("variables is 0"));
  EXPECT_THAT(run_attack({.n = 1, .variables = 1, .noise = -1}, 1).error().message(), HasSubstr("noise is -1"));
  EXPECT_THAT(run_attack({.n = 1, .variables = 1}, 0).error().message(), HasSubstr("trials is 0"));
  EXPECT_THAT(run_freedman({.n = 10, .variables = 10, .epsilon = 1}, 1).error().message(), HasSubstr("variables is 10"));
  EXPECT_THAT(run_freedman({.n = 10, .variables = 2, .epsilon = 0}, 1).error().message(), HasSubstr("epsilon is 0"));
}

}  // namespace
}  // namespace tacet::inference
