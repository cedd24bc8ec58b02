// The tests of local releases: independent values, and level and power over randomizers, where
// people randomise one by one.
#include "tacet/inference/local/local_goodness_of_fit.h"

#include <cmath>

#include <gtest/gtest.h>

#include "inference/local_people.h"
#include "support/promise.h"

namespace tacet::inference::local_goodness_of_fit_test {
namespace {

using mechanisms::LocalKind;
using mechanisms::LocalRandomizer;
using mechanisms::LocalRelease;

constexpr auto kClassical = GofStatistic::Classical;
constexpr auto kProjected = GofStatistic::Projected;
constexpr auto kNonprojected = GofStatistic::Nonprojected;

LocalRelease release_of(const LocalRandomizer& law, double n, std::vector<double> reports) {
  const std::vector<std::size_t> shape = {reports.size()};
  return *mechanisms::describe_local(law, std::move(reports), n, shape, {});
}

// Independent values (numpy, scipy) of Rogers (8.3) and T^FC.
TEST(LocalGof, AgreesWithIndependentValues) {
  struct Row {
    std::vector<double> null;
    double epsilon, n;
    std::vector<double> counts;
    double statistic, p_value;
    std::vector<double> bits;
    double flip_statistic, flip_p_value;
  };
  const std::vector<Row> rows = {{{0.44238117910378144, 0.5576188208962186},
                                  0.993282398217594,
                                  27942,
                                  {13139, 14803},
                                  1.2218748978952463,
                                  0.268993016165993,
                                  {0.48649791300351836, 0.5072910968318868},
                                  2.7762952043179108,
                                  0.09566923846746977},
                                 {{0.28812959435255614, 0.14531902419333248, 0.4214621315409384, 0.145089249913173},
                                  0.5882287402433095,
                                  88536,
                                  {22564, 20532, 24753, 20687},
                                  1.7475422960724853,
                                  0.6264162890673604,
                                  {0.4681711376049113, 0.4492627636759701, 0.48586715687794124, 0.44597990230812146},
                                  2.95018113567611,
                                  0.3993702166688803},
                                 {{0.08882849778796784, 0.15490941895761687, 0.18714040795083853, 0.1001635597951448, 0.12092736747901285,
                                   0.11195936297159591, 0.09386126013740097, 0.020989879750450618, 0.05292267743510256, 0.0682975677348691},
                                  2.5894196133173435,
                                  2054,
                                  {175, 272, 285, 198, 238, 237, 187, 135, 153, 174},
                                  8.989424762268891,
                                  0.43825095224869526,
                                  {0.2672264309603826, 0.3070456614470687, 0.32746257865922435, 0.2788265191325482, 0.2835757592474047,
                                   0.271818131975541, 0.2731839632327807, 0.22697189900849882, 0.2518461181480775, 0.24361903054373596},
                                  3.1629366089957447,
                                  0.9574829480060303}};
  for (const Row& row : rows) {
    const auto exp = test_local_goodness_of_fit(release_of({LocalKind::Exp, row.epsilon}, row.n, row.counts), row.null, {.alpha = 0.05});
    ASSERT_TRUE(exp.ok()) << exp.error().message();
    EXPECT_NEAR(*exp->statistic, row.statistic, 1e-9 * row.statistic);
    EXPECT_NEAR(*exp->p_value, row.p_value, 1e-9 * row.p_value);
    EXPECT_EQ(exp->method, GofMethod::Asymptotic);
    const auto flip = test_local_goodness_of_fit(release_of({LocalKind::Flip, row.epsilon}, row.n, row.bits), row.null, {.alpha = 0.05});
    ASSERT_TRUE(flip.ok()) << flip.error().message();
    EXPECT_NEAR(*flip->statistic, row.flip_statistic, 1e-9 * row.flip_statistic);
    EXPECT_NEAR(*flip->p_value, row.flip_p_value, 1e-9 * row.flip_p_value);
    EXPECT_EQ(flip->outcome, Outcome::Retain);
  }
}

// Cells that nobody can be in are reported all the same: exp has q = 1/(e^eps + k - 1) there.
TEST(LocalGof, CountsCellsOfProbabilityZeroByTheirReports) {
  const std::vector<double> null = {0.5, 0.5, 0};
  const double e = std::exp(1.0);
  const std::vector<double> q = {(e / 2 + 0.5) / (e + 2), (e / 2 + 0.5) / (e + 2), 1 / (e + 2)};
  const std::vector<double> counts = {400, 380, 220};
  double statistic = 0;
  for (std::size_t i = 0; i < 3; ++i) statistic += std::pow(counts[i] - 1000 * q[i], 2) / (1000 * q[i]);
  const auto exp = test_local_goodness_of_fit(release_of({LocalKind::Exp, 1}, 1000, counts), null, {.alpha = 0.05});
  ASSERT_TRUE(exp.ok()) << exp.error().message();
  EXPECT_NEAR(*exp->statistic, statistic, 1e-9);
  EXPECT_NEAR(*exp->p_value, std::exp(-statistic / 2), 1e-9) << "two degrees of freedom";
  EXPECT_NEAR(*exp->least_expected, 1000 * q[2], 1e-9);
  // Everybody in a cell of probability 0 is seen, by the bits too.
  const auto all = test_local_goodness_of_fit(release_of({LocalKind::Flip, 1}, 1000, {0.38, 0.38, 0.62}), null, {.alpha = 0.05});
  ASSERT_TRUE(all.ok()) << all.error().message();
  EXPECT_EQ(all->outcome, Outcome::Reject);
  const auto classical = test_local_goodness_of_fit(release_of({LocalKind::Flip, 1}, 1000, {0.5, 0.5, 0.9}), null,
                                                    {.alpha = 0.05, .statistic = GofStatistic::Classical});
  ASSERT_TRUE(classical.ok()) << classical.error().message();
  EXPECT_EQ(classical->outcome, Outcome::Retain) << "0/0 = 0";
}

struct Case {
  std::vector<double> null;
  std::size_t n;
  LocalRandomizer law;
  GofStatistic statistic;
  GofMethod method;
  double most = 0.05;  // the level allowed
};

std::uint64_t rejections(const Case& c, const std::vector<double>& truth, std::uint64_t trials, std::uint64_t stream_index) {
  numeric::InsecureStream stream(test::suite_seed(), stream_index);
  std::uint64_t rejected = 0;
  for (std::uint64_t trial = 0; trial < trials; ++trial) {
    const LocalRelease release = test::local_release(stream, truth, c.n, c.law);
    const auto tested = test_local_goodness_of_fit(
        release, c.null,
        {.alpha = 0.05, .statistic = c.statistic, .method = c.method, .simulation = {.draws = 199, .seed = trial, .threads = 1}});
    rejected += tested->p_value.value_or(1) <= 0.05 ? 1 : 0;
  }
  return rejected;
}

constexpr std::uint64_t kTrials = 4000;
constexpr double kFalseAlarm = 1e-10;
const std::vector<double> kSkewed = {0.6, 0.25, 0.1, 0.05};
const std::vector<double> kTiny = {0.93, 0.05, 0.02};
const std::vector<double> kEven(6, 1.0 / 6);
const std::vector<double> kNobody = {0.6, 0, 0.3, 0.1, 0};

// Red where the count of rejections is above an exact binomial bound at the level: 4000 trials see
// a level of 0.078 in place of 0.05. Normal limits are only approximate: their cases are allowed
// 0.06.
TEST(LocalGof, KeepsItsLevelOverRandomizersAndMethods) {
  const std::vector<Case> cases = {
      {kSkewed, 200, {LocalKind::Exp, 1}, kClassical, GofMethod::Asymptotic, 0.06},
      {kSkewed, 100, {LocalKind::Exp, 3}, kClassical, GofMethod::Automatic, 0.06},
      {kTiny, 30, {LocalKind::Exp, 4}, kClassical, GofMethod::MonteCarlo},
      {kSkewed, 200, {LocalKind::Flip, 1}, kProjected, GofMethod::Asymptotic, 0.06},
      {kEven, 100, {LocalKind::Flip, 4}, kClassical, GofMethod::Asymptotic, 0.06},
      {kEven, 100, {LocalKind::Flip, 2}, kNonprojected, GofMethod::Asymptotic, 0.06},
      {kTiny, 30, {LocalKind::Flip, 6}, kProjected, GofMethod::MonteCarlo},
      {kSkewed, 100, {LocalKind::Gaussian, 1}, kProjected, GofMethod::Asymptotic, 0.06},
      {kTiny, 30, {LocalKind::Gaussian, 0.1}, kProjected, GofMethod::MonteCarlo},
      {kSkewed, 100, {LocalKind::Laplace, 1}, kProjected, GofMethod::Asymptotic, 0.06},
      {kSkewed, 100, {LocalKind::Laplace, 1}, kProjected, GofMethod::Automatic},
      {kTiny, 5, {LocalKind::Laplace, 0.5}, kClassical, GofMethod::MonteCarlo},
      {kNobody, 200, {LocalKind::Exp, 2}, kClassical, GofMethod::Asymptotic, 0.06},
      {kNobody, 30, {LocalKind::Exp, 5}, kClassical, GofMethod::MonteCarlo},
      {kNobody, 200, {LocalKind::Flip, 2}, kProjected, GofMethod::Asymptotic, 0.06},
      {kNobody, 200, {LocalKind::Flip, 2}, kClassical, GofMethod::Asymptotic, 0.06},
      {kNobody, 30, {LocalKind::Gaussian, 1}, kProjected, GofMethod::MonteCarlo},
      {kNobody, 30, {LocalKind::Laplace, 1}, kNonprojected, GofMethod::MonteCarlo},
  };
  test::declare_false_alarm("level of local goodness-of-fit tests", kFalseAlarm * static_cast<double>(cases.size()));
  const auto trials = static_cast<std::uint64_t>(kTrials / test::coarseness());
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const std::uint64_t rejected = rejections(cases[i], cases[i].null, trials, 200 + i);
    EXPECT_GT(test::binomial_upper(trials, cases[i].most, rejected), kFalseAlarm)
        << "case " << i << ": " << static_cast<double>(rejected) / static_cast<double>(trials);
  }
}

// Who takes the estimates for counts forgets what the randomizer added, and must be caught.
TEST(LocalGof, LevelTestCatchesALawThatForgetsTheRandomizer) {
  test::declare_false_alarm("a forgotten randomizer is caught", 1e-9);
  numeric::InsecureStream stream(test::suite_seed(), 199);
  const auto trials = static_cast<std::uint64_t>(kTrials / test::coarseness());
  std::uint64_t rejected = 0;
  for (std::uint64_t trial = 0; trial < trials; ++trial) {
    const LocalRelease release = test::local_release(stream, kSkewed, 200, {LocalKind::Exp, 2});
    double pearson = 0;
    for (std::size_t i = 0; i < kSkewed.size(); ++i) pearson += std::pow(release.values[i] - 200 * kSkewed[i], 2) / (200 * kSkewed[i]);
    rejected += pearson > 7.814727903251179 ? 1 : 0;  // chi-square, 3 degrees of freedom
  }
  EXPECT_LT(test::binomial_upper(trials, 0.06, rejected), kFalseAlarm);
}

// Would catch a noncentrality without its n or with (stays - other) in place of its square.
TEST(LocalGof, RejectsAsOftenAsItsPowerSays) {
  test::declare_false_alarm("power of local goodness-of-fit tests", 4e-10);
  const std::vector<double> null = {0.5, 0.3, 0.2};
  const std::vector<double> truth = {0.64, 0.23, 0.13};
  const auto trials = static_cast<std::uint64_t>(kTrials / test::coarseness());
  const std::vector<LocalRandomizer> laws = {
      {LocalKind::Exp, 1.5}, {LocalKind::Flip, 2}, {LocalKind::Gaussian, 1}, {LocalKind::Laplace, 0.7}};
  for (std::size_t i = 0; i < laws.size(); ++i) {
    const LocalGofDesign design = *LocalGofDesign::of(null, 400, laws[i]);
    const double power = *design.power(kProjected, truth, 0.05);
    EXPECT_TRUE(power > 0.3 && power < 0.97) << power;
    const std::uint64_t rejected = rejections({null, 400, laws[i], kProjected, GofMethod::Asymptotic}, truth, trials, 300 + i);
    // 0.03 for the covariance of the alternative, which the local law takes from the null.
    EXPECT_NEAR(static_cast<double>(rejected) / static_cast<double>(trials), power, 0.03 + 3.5 / std::sqrt(static_cast<double>(trials)))
        << i;
  }
}

TEST(LocalGof, StatisticsOfExpAreOneAndMethodsAgree) {
  const std::vector<double> null = {0.5, 0.3, 0.2};
  const LocalRelease release = release_of({LocalKind::Exp, 1}, 10'000, {4250, 3010, 2740});
  for (const GofStatistic statistic : {kClassical, kProjected, kNonprojected}) {
    const auto limit = test_local_goodness_of_fit(release, null, {.alpha = 0.05, .statistic = statistic});
    const auto drawn = test_local_goodness_of_fit(
        release, null, {.alpha = 0.05, .statistic = statistic, .method = GofMethod::Bootstrap, .simulation = {.draws = 99'999}});
    EXPECT_EQ(limit->statistic, drawn->statistic);
    EXPECT_EQ(limit->df, 2);
    EXPECT_EQ(drawn->method, GofMethod::MonteCarlo);
    EXPECT_NEAR(*limit->p_value, *drawn->p_value, 0.012);
  }
  const auto laplace = test_local_goodness_of_fit(release_of({LocalKind::Laplace, 1}, 10'000, {0.51, 0.28, 0.22}), null, {.alpha = 0.05});
  EXPECT_EQ(laplace->method, GofMethod::MonteCarlo);
  EXPECT_EQ(laplace->df, 2);
}

TEST(LocalGof, RejectsWhatIsFarAndTellsWhyItCannotTell) {
  const LocalRelease distant = release_of({LocalKind::Exp, 1}, 1000, {800, 100, 100});
  const auto far = test_local_goodness_of_fit(distant, {0.2, 0.4, 0.4}, {.alpha = 0.05});
  EXPECT_EQ(far->outcome, Outcome::Reject);
  EXPECT_GT(*far->power, 0.99);
  EXPECT_FALSE(test_local_goodness_of_fit(distant, {0.2, 0.4, 0.4}, {.alpha = 0.05, .with_power = false})->power);
  const auto few = test_local_goodness_of_fit(release_of({LocalKind::Exp, 5}, 20, {18, 1, 1}), {0.9, 0.05, 0.05},
                                              {.alpha = 0.05, .method = GofMethod::Asymptotic});
  EXPECT_EQ(few->outcome, Outcome::Inconclusive);
  EXPECT_EQ(few->reason,
            "a cell is expected to hold 1.11 people, fewer than 5, so the limit for large n cannot be trusted; montecarlo can");
  const auto drawn = test_local_goodness_of_fit(release_of({LocalKind::Exp, 5}, 20, {18, 1, 1}), {0.9, 0.05, 0.05}, {.alpha = 0.05});
  EXPECT_EQ(drawn->method, GofMethod::MonteCarlo);
  EXPECT_EQ(drawn->outcome, Outcome::Retain);
}

TEST(LocalGof, RefusesWhatDoesNotFit) {
  const std::vector<double> null = {0.5, 0.3, 0.2};
  const LocalRelease good = release_of({LocalKind::Exp, 1}, 1000, {400, 300, 300});
  const auto refused = [](const LocalRelease& release, const std::vector<double>& p, const GofOptions& options) {
    return test_local_goodness_of_fit(release, p, options).error().name();
  };
  EXPECT_EQ(refused(good, {0.5, 0.5}, {.alpha = 0.05}), "null");
  EXPECT_EQ(refused(good, {0.5, 0.3, 0.3}, {.alpha = 0.05}), "null");
  EXPECT_EQ(refused(good, null, {.alpha = 0.7}), "alpha");
  EXPECT_EQ(refused(good, null, {.alpha = 0.01, .method = GofMethod::MonteCarlo, .simulation = {.draws = 98}}), "draws");
  EXPECT_EQ(LocalGofDesign::of(null, 0, {LocalKind::Exp, 1}).error().name(), "n");
  EXPECT_EQ(LocalGofDesign::of(null, 10, {LocalKind::Exp, 0}).error().name(), "epsilon");
  EXPECT_EQ(LocalGofDesign::of(null, 10, {LocalKind::Exp, 1})->power(kProjected, std::vector<double>{1.0}, 0.05).error().name(),
            "alternative");
}

}  // namespace
}  // namespace tacet::inference::local_goodness_of_fit_test
