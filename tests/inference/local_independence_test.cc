// Hypotheses with open parameters about local reports: the minimum by search, and the level where
// people randomise one by one.
#include "tacet/inference/local/local_independence.h"

#include <cmath>

#include <gtest/gtest.h>

#include "tacet/inference/local/local_goodness_of_fit.h"

#include "inference/local_people.h"
#include "support/promise.h"

namespace tacet::inference::local_independence_test {
namespace {

using mechanisms::LocalKind;
using mechanisms::LocalRandomizer;
using mechanisms::LocalRelease;

LocalRelease release_of(const LocalRandomizer& law, double n, std::vector<double> reports, std::vector<std::size_t> shape) {
  return *mechanisms::describe_local(law, std::move(reports), n, std::move(shape), {});
}

std::vector<double> product(const std::vector<double>& rows, const std::vector<double>& columns) {
  std::vector<double> p;
  for (const double row : rows) {
    for (const double column : columns) p.push_back(row * column);
  }
  return p;
}

/// Rogers' statistic of a 2 x 2 table of reports as printed in 8.2.2, minimised by ever finer
/// grids.
double searched(const LocalRelease& release, double epsilon) {
  const std::vector<double>& h = release.reports;
  const double n = release.n;
  const double e = std::exp(epsilon);
  const auto reported = [e](double p) { return (e * p + (1 - p)) / (e + 3); };
  const double row = (e + 3) / (e - 1) * ((h[0] + h[1]) / n - 2 / (e + 3));
  const double column = (e + 3) / (e - 1) * ((h[0] + h[2]) / n - 2 / (e + 3));
  const std::vector<double> plug = product({row, 1 - row}, {column, 1 - column});
  const auto statistic = [&](double a, double b) {
    const std::vector<double> p = product({a, 1 - a}, {b, 1 - b});
    double sum = 0;
    for (std::size_t j = 0; j < 4; ++j) sum += n * std::pow(h[j] / n - reported(p[j]), 2) / reported(plug[j]);
    return sum;
  };
  double a = row;
  double b = column;
  for (double width = 0.2; width > 1e-9; width *= 0.7) {
    double best_a = a;
    double best_b = b;
    for (int i = -5; i <= 5; ++i) {
      for (int j = -5; j <= 5; ++j) {
        if (statistic(a + i * width / 5, b + j * width / 5) < statistic(best_a, best_b)) {
          best_a = a + i * width / 5;
          best_b = b + j * width / 5;
        }
      }
    }
    a = best_a;
    b = best_b;
  }
  return statistic(a, b);
}

TEST(LocalIndependence, IsTheLeastOfThePrintedStatistic) {
  for (const double epsilon : {0.7, 1.5, 4.0}) {
    const LocalRelease release = release_of({LocalKind::Exp, epsilon}, 1000, {330, 240, 260, 170}, {2, 2});
    const auto answer = test_local_independence(release, {.alpha = 0.05});
    ASSERT_TRUE(answer.ok()) << answer.error().message();
    EXPECT_NEAR(*answer->test.statistic, searched(release, epsilon), 1e-8 * *answer->test.statistic) << epsilon;
    EXPECT_EQ(answer->test.df, 1);
    EXPECT_EQ(answer->test.method, GofMethod::Asymptotic);
  }
}

TEST(LocalModel, WithoutParametersIsGoodnessOfFit) {
  const std::vector<double> null = {0.4, 0.3, 0.2, 0.1};
  const std::vector<LocalRelease> releases = {release_of({LocalKind::Exp, 1}, 1000, {310, 270, 230, 190}, {4}),
                                              release_of({LocalKind::Flip, 1}, 1000, {0.47, 0.45, 0.43, 0.4}, {4}),
                                              release_of({LocalKind::Gaussian, 1}, 1000, {0.41, 0.27, 0.25, 0.12}, {4})};
  for (const LocalRelease& release : releases) {
    const auto model = test_local_hypothesis(release, FixedNull(null), {.alpha = 0.05, .method = GofMethod::Asymptotic});
    const auto fit = test_local_goodness_of_fit(release, null, {.alpha = 0.05, .method = GofMethod::Asymptotic});
    EXPECT_NEAR(*model->test.statistic, *fit->statistic, 1e-9 * *fit->statistic);
    EXPECT_NEAR(*model->test.p_value, *fit->p_value, 1e-9);
    EXPECT_EQ(model->test.df, 3);
  }
}

constexpr double kFalseAlarm = 1e-10;

struct Case {
  std::vector<double> rows, columns;
  std::size_t n;
  LocalRandomizer law;
  GofMethod method;
};

// Red where the count of rejections is above an exact binomial bound at 0.06: 2000 trials see a
// level of 0.1.
TEST(LocalIndependence, KeepsItsLevelOverRandomizersAndMethods) {
  const std::vector<Case> cases = {
      {{0.6, 0.4}, {0.7, 0.3}, 200, {LocalKind::Exp, 2}, GofMethod::Asymptotic},
      {{0.6, 0.4}, {0.5, 0.3, 0.2}, 60, {LocalKind::Exp, 3}, GofMethod::MonteCarlo},
      {{0.6, 0.4}, {0.5, 0.3, 0.2}, 200, {LocalKind::Flip, 4}, GofMethod::Asymptotic},
      {{0.9, 0.1}, {0.7, 0.3}, 60, {LocalKind::Flip, 6}, GofMethod::MonteCarlo},
      {{0.6, 0.4}, {0.7, 0.3}, 200, {LocalKind::Gaussian, 0.4}, GofMethod::Automatic},
      {{0.6, 0.4}, {0.7, 0.3}, 100, {LocalKind::Laplace, 0.3}, GofMethod::Automatic},
  };
  test::declare_false_alarm("level of local independence tests", kFalseAlarm * static_cast<double>(cases.size()));
  const auto trials = static_cast<std::uint64_t>(2000 / test::coarseness());
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const Case& c = cases[i];
    const std::vector<double> independent = product(c.rows, c.columns);
    const std::size_t columns = c.columns.size();
    std::uint64_t rejected = 0;
    numeric::InsecureStream stream(test::suite_seed(), 500 + i);
    for (std::uint64_t trial = 0; trial < trials; ++trial) {
      const GofOptions options{.alpha = 0.05, .method = c.method, .simulation = {.draws = 99, .seed = trial, .threads = 1}};
      const std::vector<std::size_t> shape = {2, columns};
      rejected +=
          test_local_independence(test::local_release(stream, independent, c.n, c.law, shape), options)->test.p_value.value_or(1) <= 0.05
              ? 1
              : 0;
    }
    EXPECT_GT(test::binomial_upper(trials, 0.06, rejected), kFalseAlarm)
        << "case " << i << ": " << static_cast<double>(rejected) / static_cast<double>(trials);
  }
}

// Who takes the estimates for counts forgets what the randomizer added, and must be caught.
TEST(LocalIndependence, LevelTestCatchesALawThatForgetsTheRandomizer) {
  test::declare_false_alarm("a randomizer forgotten in a table is caught", 1e-9);
  numeric::InsecureStream stream(test::suite_seed(), 499);
  const auto trials = static_cast<std::uint64_t>(2000 / test::coarseness());
  std::uint64_t rejected = 0;
  for (std::uint64_t trial = 0; trial < trials; ++trial) {
    const LocalRelease release = test::local_release(stream, product({0.6, 0.4}, {0.7, 0.3}), 200, {LocalKind::Exp, 2}, {2, 2});
    const std::vector<double>& y = release.values;
    const std::vector<double> expected = product({y[0] + y[1], y[2] + y[3]}, {(y[0] + y[2]) / 200, (y[1] + y[3]) / 200});
    double pearson = 0;
    for (std::size_t i = 0; i < 4; ++i) pearson += (y[i] - expected[i]) * (y[i] - expected[i]) / expected[i];
    rejected += pearson > 3.841458820694124 ? 1 : 0;  // chi-square, 1 degree of freedom
  }
  EXPECT_LT(test::binomial_upper(trials, 0.06, rejected), kFalseAlarm);
}

TEST(LocalIndependence, RejectsWhatDependsAndTellsWhyItCannotTell) {
  const LocalRelease dependent = release_of({LocalKind::Exp, 2}, 1000, {400, 100, 100, 400}, {2, 2});
  const auto far = test_local_independence(dependent, {.alpha = 0.05});
  EXPECT_EQ(far->test.outcome, Outcome::Reject);
  EXPECT_GT(*far->test.power, 0.99);
  EXPECT_FALSE(test_local_independence(dependent, {.alpha = 0.05, .with_power = false})->test.power);
  EXPECT_NEAR(far->fitted[0], 0.25, 1e-6);
  const auto few =
      test_local_independence(release_of({LocalKind::Exp, 5}, 30, {21, 4, 4, 1}, {2, 2}), {.alpha = 0.05, .method = GofMethod::Asymptotic});
  EXPECT_EQ(few->test.outcome, Outcome::Inconclusive);
  EXPECT_TRUE(few->test.reason);
  const auto drawn = test_local_independence(release_of({LocalKind::Exp, 5}, 30, {21, 4, 4, 1}, {2, 2}), {.alpha = 0.05});
  EXPECT_EQ(drawn->test.method, GofMethod::MonteCarlo);
  EXPECT_GE(*drawn->test.draws, 400U);
}

TEST(LocalIndependence, RefusesWhatDoesNotFit) {
  const LocalRelease good = release_of({LocalKind::Flip, 1}, 1000, {0.47, 0.45, 0.43, 0.4}, {2, 2});
  const auto refused = [](const LocalRelease& release, const GofOptions& options) {
    return test_local_independence(release, options).error().name();
  };
  EXPECT_EQ(refused(release_of({LocalKind::Flip, 1}, 1000, {0.47, 0.45, 0.43, 0.4}, {4}), {.alpha = 0.05}), "release");
  EXPECT_EQ(refused(good, {.alpha = 0}), "alpha");
  EXPECT_EQ(refused(good, {.alpha = 0.05, .statistic = GofStatistic::Classical}), "statistic");
  EXPECT_EQ(refused(good, {.alpha = 0.05, .statistic = GofStatistic::Nonprojected}), "statistic");
  EXPECT_EQ(refused(good, {.alpha = 0.05, .method = GofMethod::MonteCarlo, .simulation = {.draws = 3}}), "draws");
  EXPECT_EQ(test_local_hypothesis(good, FixedNull({0.5, 0.5}), {.alpha = 0.05}).error().name(), "release");
}

}  // namespace
}  // namespace tacet::inference::local_independence_test
