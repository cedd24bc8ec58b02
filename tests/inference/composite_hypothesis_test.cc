// Tests of hypotheses with open parameters: a model of one's own, levels over noise and methods,
// and refusals.
#include "tacet/inference/counts/composite_hypothesis.h"

#include <cmath>

#include <gtest/gtest.h>

#include "inference/drawn_release.h"
#include "support/promise.h"

namespace tacet::inference::composite_hypothesis_test {
namespace {

using mechanisms::CountRelease;

/// Genotypes (a^2, 2 a b, b^2) under Hardy & Weinberg, theta the log-odds of a.
class HardyWeinberg final : public NullModel {
 public:
  std::size_t cells() const override { return 3; }
  std::size_t parameters() const override { return 1; }
  std::vector<double> guess(std::span<const double> values) const override {
    const double of_a = std::max(2 * values[0] + values[1], 0.5);
    const double of_b = std::max(2 * values[2] + values[1], 0.5);
    return {std::log(of_a / of_b)};
  }
  bool probabilities(std::span<const double> theta, std::span<double> p) const override {
    if (!(std::abs(theta[0]) < 30)) return false;
    const double a = 1 / (1 + std::exp(-theta[0]));
    p[0] = a * a;
    p[1] = 2 * a * (1 - a);
    p[2] = (1 - a) * (1 - a);
    return true;
  }
  void jacobian(std::span<const double> theta, std::span<const double> /*p*/, std::span<double> out) const override {
    const double a = 1 / (1 + std::exp(-theta[0]));
    const double slope = a * (1 - a);
    out[0] = 2 * a * slope;
    out[1] = 2 * (1 - 2 * a) * slope;
    out[2] = -2 * (1 - a) * slope;
  }
};

struct Case {
  mechanisms::NoiseDistribution law;
  double n, a;
  GofMethod method;
  GofStatistic statistic = GofStatistic::Projected;
  bool n_public = true;
};

// Red where rejections exceed an exact binomial bound at 0.055: a normal limit and a composite null
// are right for large n only. 1000 trials see a level of 0.115, and 5000 asymptotic ones of 0.082.
TEST(TestModel, KeepsItsLevelOverNoiseAndMethods) {
  const HardyWeinberg model;
  const std::vector<Case> cases = {
      {gaussian(10), 1000, 0.4, GofMethod::Asymptotic}, {gaussian(10), 1000, 0.4, GofMethod::Asymptotic, GofStatistic::Nonprojected},
      {sum_zero(40), 1000, 0.5, GofMethod::Asymptotic}, {gaussian(10), 1000, 0.4, GofMethod::Asymptotic, GofStatistic::Projected, false},
      {laplace(10), 300, 0.3, GofMethod::MonteCarlo},   {laplace(10), 300, 0.3, GofMethod::MonteCarlo, GofStatistic::Nonprojected},
      {gaussian(2), 50, 0.1, GofMethod::MonteCarlo},    {laplace(5), 300, 0.3, GofMethod::Bootstrap, GofStatistic::Projected, false},
  };
  constexpr double kFalseAlarm = 1e-10;
  test::declare_false_alarm("level of tests with open parameters", kFalseAlarm * static_cast<double>(cases.size()));
  for (std::size_t c = 0; c < cases.size(); ++c) {
    const Case& the = cases[c];
    const bool drawn = the.method != GofMethod::Asymptotic;
    const auto trials = static_cast<std::uint64_t>((drawn ? 1000 : 5000) / test::coarseness());
    numeric::InsecureStream stream(test::suite_seed(), 40 + c);
    const std::vector<double> p = {the.a * the.a, 2 * the.a * (1 - the.a), (1 - the.a) * (1 - the.a)};
    std::uint64_t rejected = 0;
    for (std::uint64_t trial = 0; trial < trials; ++trial) {
      const CountRelease release = draw_release(stream, p, the.n, {3}, the.law, the.n_public);
      const auto tested = test_composite_hypothesis(
          release, model,
          {.alpha = 0.05, .statistic = the.statistic, .method = the.method, .simulation = {.draws = 199, .seed = trial, .threads = 1}});
      rejected += tested->test.p_value.value_or(1) <= 0.05 ? 1 : 0;
    }
    EXPECT_GT(test::binomial_upper(trials, 0.055, rejected), kFalseAlarm)
        << "case " << c << ": " << static_cast<double>(rejected) / static_cast<double>(trials);
  }
}

TEST(TestModel, LevelTestCatchesALawThatForgetsTheNoise) {
  test::declare_false_alarm("a forgotten noise is caught with open parameters", 1e-9);
  const HardyWeinberg model;
  numeric::InsecureStream stream(test::suite_seed(), 60);
  const auto trials = static_cast<std::uint64_t>(4000 / test::coarseness());
  std::uint64_t rejected = 0;
  for (std::uint64_t trial = 0; trial < trials; ++trial) {
    CountRelease release = draw_release(stream, {0.16, 0.48, 0.36}, 1000, {3}, gaussian(20), true);
    release.noise.scale = 1e-3;  // what the test believes
    rejected +=
        test_composite_hypothesis(release, model, {.alpha = 0.05, .method = GofMethod::Asymptotic})->test.p_value.value_or(1) <= 0.05 ? 1
                                                                                                                                      : 0;
  }
  EXPECT_LT(test::binomial_upper(trials, 0.055, rejected), 1e-10);
}

TEST(TestModel, FindsWhatIsFarAndSaysHowOften) {
  const HardyWeinberg model;
  for (const auto& law : {gaussian(8), laplace(6)}) {
    const auto far = test_composite_hypothesis(release_of({400, 200, 400}, {3}, 1000, law), model, {.alpha = 0.05});
    EXPECT_EQ(far->test.outcome, Outcome::Reject);
    EXPECT_GT(*far->test.power, 0.99);
    const auto near = test_composite_hypothesis(release_of({251, 498, 251}, {3}, 1000, law), model, {.alpha = 0.05});
    EXPECT_EQ(near->test.outcome, Outcome::Retain);
    EXPECT_LT(*near->test.power, 0.1);
    EXPECT_NEAR(near->fitted[1], 0.5, 0.01);
    EXPECT_TRUE(near->test.choice);
  }
}

TEST(TestModel, IsExactWhereNothingIsOpenAsGoodnessOfFitIs) {
  const CountRelease release = release_of({520, 285, 195}, {3}, 1000, laplace(6));
  const std::vector<double> null = {0.5, 0.3, 0.2};
  const GofOptions options{
      .alpha = 0.05, .statistic = GofStatistic::Nonprojected, .method = GofMethod::MonteCarlo, .simulation = {.seed = 4}};
  const auto general = test_composite_hypothesis(release, FixedNull(null), options);
  const auto own = test_goodness_of_fit(release, null, options);
  EXPECT_NEAR(*general->test.statistic, *own->statistic, 1e-12 * *own->statistic);
  EXPECT_EQ(general->test.df, own->df);
  EXPECT_NEAR(*general->test.p_value, *own->p_value, 1e-9);  // the same draws
}

TEST(TestModel, IsInconclusiveWhereTheLimitOrTheTotalIsNotToBeTrusted) {
  const HardyWeinberg model;
  const auto few =
      test_composite_hypothesis(release_of({96, 5, 2}, {3}, 103, gaussian(3)), model, {.alpha = 0.05, .method = GofMethod::Asymptotic});
  EXPECT_EQ(few->test.outcome, Outcome::Inconclusive);
  EXPECT_TRUE(few->test.reason);
  const auto nobody = test_composite_hypothesis(release_of({-3, 1, 2.3}, {3}, std::nullopt, laplace(3)), model, {.alpha = 0.05});
  EXPECT_EQ(nobody->test.outcome, Outcome::Inconclusive);
  EXPECT_EQ(nobody->test.reason, "the noisy counts sum to less than one person");
  // Also where that is public: the statistic was no number.
  const auto known = test_composite_hypothesis(release_of({-3, 1, 2.3}, {3}, 0, gaussian(3)), model, {.alpha = 0.05});
  EXPECT_EQ(known->test.outcome, Outcome::Inconclusive);
  EXPECT_EQ(known->test.reason, "nobody is in the file");
  EXPECT_FALSE(known->test.statistic);
}

TEST(TestModel, RefusesWhatDoesNotFit) {
  const HardyWeinberg model;
  const auto refused = [&](const CountRelease& release, const GofOptions& options) {
    return test_composite_hypothesis(release, model, options).error().name();
  };
  const CountRelease good = release_of({505, 290, 203}, {3}, 1000, gaussian(8));
  const CountRelease no_n = release_of({505, 290, 203}, {3}, std::nullopt, gaussian(8));
  EXPECT_EQ(refused(release_of({1, 2}, {2}, 3, gaussian(1)), {.alpha = 0.05}), "release");
  EXPECT_EQ(refused(good, {.alpha = 0.6}), "alpha");
  EXPECT_EQ(refused(good, {.alpha = 0.05, .statistic = GofStatistic::Classical}), "statistic");
  EXPECT_EQ(refused(no_n, {.alpha = 0.05, .statistic = GofStatistic::Nonprojected}), "statistic");
  EXPECT_EQ(refused(no_n, {.alpha = 0.05, .method = GofMethod::MonteCarlo}), "method");
  EXPECT_EQ(refused(release_of({505, 290, 203}, {3}, 1000, laplace(8)), {.alpha = 0.05, .method = GofMethod::Asymptotic}), "method");
  EXPECT_EQ(refused(good, {.alpha = 0.01, .method = GofMethod::MonteCarlo, .simulation = {.draws = 98}}), "draws");
}

}  // namespace
}  // namespace tacet::inference::composite_hypothesis_test
