// The tests of the paper as printed: Hotelling's statistic without noise, and a level that is not
// kept with it.
#include "tacet/inference/means/equal_means_as_published.h"

#include <cmath>

#include <gtest/gtest.h>

#include "tacet/studies/levels/drawn_means.h"

namespace tacet::inference::equal_means_as_published_test {
namespace {

MeanSummary summary_of(std::size_t people, double shift, double other, double mu) {
  std::vector<std::vector<double>> rows;
  for (std::size_t i = 0; i < people; ++i) {
    const double u = 6 * static_cast<double>(i * 7 % people) / static_cast<double>(people);
    const double v = 4 * static_cast<double>(i * 11 % people) / static_cast<double>(people);
    rows.push_back({u + shift, v + 0.3 * u + other});
  }
  const auto release = studies::exact_release(
      {.columns = {studies::column("a", -10, 20), studies::column("b", -10, 30)}, .family = "gaussian", .mu = mu}, rows);
  return *summarise_mean(release, 0);
}

TEST(EqualMeansAsPublished, WithoutNoiseIsHotellings) {
  const std::vector<MeanSummary> groups = {summary_of(61, 0, 0, 1e7), summary_of(43, 1, -0.4, 1e7)};
  const MeansTest asymptotic = *equal_means_as_published(groups, {.rule = PublishedRule::Asymptotic, .alpha = 0.05});
  // 17.0475 with unbiased covariances (scipy); those of a release have the divisor n.
  EXPECT_NEAR(*asymptotic.statistic, 17.0475 * 52 / 51, 0.06);
  EXPECT_NEAR(*asymptotic.critical, 5.991464547, 1e-6);
  EXPECT_NEAR(*asymptotic.p_value, std::exp(-*asymptotic.statistic / 2), 1e-9);
  EXPECT_EQ(asymptotic.outcome, Outcome::Reject);
  const MeansTest printed =
      *equal_means_as_published(groups, {.rule = PublishedRule::Bootstrap, .alpha = 0.05, .simulation = {.draws = 19'999}});
  EXPECT_EQ(*printed.statistic, *asymptotic.statistic);
  EXPECT_NEAR(*printed.critical, 5.99, 0.25);
  EXPECT_EQ(printed.draws, 19'999U);
}

// One column, 500 people in each group, Laplace noise: rows of the density exp(-2 t^2) on [-1, 1]
// of the paper's example have a deviation of 0.44, and the noise of a mean one of 0.0226.
TEST(EqualMeansAsPublished, AsymptoticDoesNotKeepItsLevelAndTheBootstrapDoes) {
  constexpr int kTrials = 400;
  int asymptotic = 0;
  int ours = 0;
  numeric::InsecureStream stream(11, 1);
  for (int trial = 0; trial < kTrials; ++trial) {
    std::vector<MeanSummary> groups;
    for (int g = 0; g < 2; ++g) {
      std::vector<std::vector<double>> rows(500, std::vector<double>(1));
      for (auto& row : rows) {
        do {
          stream.fill_normal(row);
        } while (std::abs(row[0]) > 2);
        row[0] /= 2;
      }
      auto release = studies::exact_release({.columns = {studies::column("a", -1, 1)}, .family = "laplace", .mu = 100}, rows);
      release.parts[0].sums[0].scale = 2 / 0.25;
      studies::add_noise(release, stream);
      groups.push_back(*summarise_mean(release, 0));
    }
    asymptotic += equal_means_as_published(groups, {.rule = PublishedRule::Asymptotic, .alpha = 0.05})->outcome == Outcome::Reject ? 1 : 0;
    ours += test_equal_means(groups, {.alpha = 0.05, .with_power = false, .simulation = {.draws = 199, .threads = 1}})->outcome ==
                    Outcome::Reject
                ? 1
                : 0;
  }
  EXPECT_NEAR(asymptotic / static_cast<double>(kTrials), 0.19, 0.05);
  EXPECT_LT(ours, 0.09 * kTrials);
}

TEST(EqualMeansAsPublished, IsForTwoGroupsAndForEd) {
  MeanSummary one = summary_of(61, 0, 0, 10);
  EXPECT_EQ(equal_means_as_published({one, one, one}, {.rule = PublishedRule::Bootstrap, .alpha = 0.05}).error().name(), "method");
  EXPECT_EQ(equal_means_as_published({one, one}, {.rule = PublishedRule::Bootstrap, .alpha = 0}).error().name(), "alpha");
  one.drawn_directions = true;
  EXPECT_TRUE(equal_means_as_published({one, one}, {.rule = PublishedRule::Bootstrap, .alpha = 0.05}).ok());
  EXPECT_EQ(test_equal_means({one, one}, {.alpha = 0.05}).error().code(), Code::Unsupported);
}

}  // namespace
}  // namespace tacet::inference::equal_means_as_published_test
