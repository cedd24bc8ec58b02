// The test of a release, and its level: how often a true null is rejected, over tables, noise,
// structures and methods.
#include "tacet/inference/counts/goodness_of_fit.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/inference/counts/gof_simulation.h"
#include "tacet/numeric/insecure_counts.h"

#include "inference/drawn_release.h"
#include "support/promise.h"

namespace tacet::inference::goodness_of_fit_test {
namespace {

using kernel::NoiseFamily;
using mechanisms::CountRelease;
using mechanisms::NoiseDistribution;
using mechanisms::NoiseStructure;

constexpr auto kClassical = GofStatistic::Classical;
constexpr auto kProjected = GofStatistic::Projected;
constexpr auto kNonprojected = GofStatistic::Nonprojected;

CountRelease release_of(std::vector<double> values, std::optional<double> n, const NoiseDistribution& law) {
  CountRelease release{};
  release.n = n;
  release.shape = {values.size()};
  release.values = std::move(values);
  release.noise = law;
  return release;
}

/// A release of a table drawn from `p`.
CountRelease draw(numeric::InsecureStream& stream, const std::vector<double>& p, double n, const NoiseDistribution& law, bool n_public) {
  std::vector<double> values(p.size());
  numeric::draw_multinomials(stream, n, p, 1, values);
  std::vector<double> noise(p.size());
  if (law.family == NoiseFamily::Laplace) {
    stream.fill_laplace(noise);
  } else {
    stream.fill_normal(noise);
  }
  double mean = 0;
  for (const double z : noise) mean += z / static_cast<double>(p.size());
  if (law.structure != NoiseStructure::SumZero) mean = 0;
  for (std::size_t i = 0; i < values.size(); ++i) values[i] += law.scale * (noise[i] - mean);
  return release_of(std::move(values), n_public ? std::optional(n) : std::nullopt, law);
}

std::vector<double> uniform(std::size_t d) { return std::vector<double>(d, 1 / static_cast<double>(d)); }
const std::vector<double> kSkewed = {0.6, 0.25, 0.1, 0.04, 0.01};
const std::vector<double> kTiny = {0.9, 0.0985, 0.001, 0.0005};
const std::vector<double> kWithZeros = {0.5, 0, 0.3, 0.2, 0};
const std::vector<double> kPast = {30, 31, 33, 36, 30, 28, 35, 34, 32};

struct Case {
  std::vector<double> null;
  double n;
  NoiseDistribution law;
  GofStatistic statistic;
  GofMethod method;
  bool n_public = true;
  DenoiseOptions denoise = {};
};

std::uint64_t rejections(const Case& c, std::uint64_t trials, std::uint64_t stream_index) {
  numeric::InsecureStream stream(test::suite_seed(), stream_index);
  std::uint64_t rejected = 0;
  for (std::uint64_t trial = 0; trial < trials; ++trial) {
    CountRelease release = draw(stream, c.null, c.n, c.law, c.n_public);
    if (c.denoise.done) {
      const std::optional<double> total = c.n_public ? std::optional(c.n) : std::nullopt;
      release.values = *denoised_values(release.values, c.law, total, c.denoise);
    }
    const auto tested = test_goodness_of_fit(release, c.null,
                                             {.alpha = 0.05,
                                              .statistic = c.statistic,
                                              .method = c.method,
                                              .simulation = {.draws = 199, .seed = trial, .threads = 1},
                                              .denoise = c.denoise,
                                              .with_power = false});
    rejected += tested->outcome == Outcome::Reject ? 1 : 0;
  }
  return rejected;
}

constexpr std::uint64_t kTrials = 4000;
constexpr double kFalseAlarm = 1e-10;

void expect_level(const std::vector<Case>& cases, double most, std::uint64_t first_stream) {
  const auto trials = static_cast<std::uint64_t>(kTrials / test::coarseness());
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const std::uint64_t rejected = rejections(cases[i], trials, first_stream + i);
    EXPECT_GT(test::binomial_upper(trials, most, rejected), kFalseAlarm)
        << "case " << i << ": " << static_cast<double>(rejected) / static_cast<double>(trials);
  }
}

// Red where the count of rejections is above an exact binomial bound at the level: 4000 trials see
// a level of 0.078 in place of 0.05. These are some of the settings of `study run levels_of_fit`.
TEST(GoodnessOfFit, KeepsItsLevelExactlyWhereTablesAreDrawnWithThePublicN) {
  const std::vector<Case> cases = {
      {kTiny, 300, gaussian(1), kClassical, GofMethod::MonteCarlo},
      {kTiny, 300, laplace(2), kProjected, GofMethod::MonteCarlo},
      {kTiny, 20, sum_zero(3), kClassical, GofMethod::MonteCarlo},
      {kSkewed, 50, laplace(10), kNonprojected, GofMethod::MonteCarlo},
      {uniform(20), 100, gaussian(1), kProjected, GofMethod::MonteCarlo},
      {uniform(20), 100, sum_zero(4), kProjected, GofMethod::Bootstrap},
      {kSkewed, 200, gaussian(10), kClassical, GofMethod::Bootstrap, true, {.shrink = Shrinkage::TowardsZero}},
      {kSkewed,
       200,
       gaussian(10),
       kClassical,
       GofMethod::Bootstrap,
       true,
       {.shrink = Shrinkage::PositivePart, .project = Projection::Simplex}},
      {uniform(9),
       300,
       sum_zero(14),
       kClassical,
       GofMethod::MonteCarlo,
       true,
       {.shrink = Shrinkage::RankDeficient, .project = Projection::Nonnegative}},
      {kSkewed, 50, laplace(10), kClassical, GofMethod::MonteCarlo, true, {.project = Projection::Simplex}},
      {kWithZeros, 60, gaussian(4), kProjected, GofMethod::MonteCarlo},
      {kWithZeros, 60, sum_zero(4), kClassical, GofMethod::MonteCarlo},
      {kWithZeros, 60, laplace(4), kClassical, GofMethod::MonteCarlo, true, {.project = Projection::Nonnegative}},
      {uniform(9), 300, gaussian(14), kClassical, GofMethod::MonteCarlo, true, {.shrink = Shrinkage::TowardsMean, .target = kPast}},
      // Denoised before they were published.
      {kSkewed, 50, laplace(10), kClassical, GofMethod::MonteCarlo, true, {.project = Projection::Simplex, .done = true}},
      {kSkewed, 50, gaussian(10), kClassical, GofMethod::Automatic, true, {.project = Projection::Nonnegative, .done = true}},
      {uniform(9), 300, gaussian(14), kClassical, GofMethod::MonteCarlo, true, {.shrink = Shrinkage::TowardsMean, .done = true}},
  };
  test::declare_false_alarm("level of goodness-of-fit tests", kFalseAlarm * static_cast<double>(cases.size()));
  expect_level(cases, 0.05, 100);
}

// Denoised once more, a table that was truncated under heavy noise would be taken for an untouched
// one: its law is that of tables that are truncated once.
TEST(GoodnessOfFit, LevelTestCatchesATableThatIsTakenAsUntouched) {
  test::declare_false_alarm("an untold truncation is caught", 1e-9);
  const Case told{kSkewed, 50, gaussian(10), kClassical, GofMethod::MonteCarlo, true, {.project = Projection::Simplex, .done = true}};
  const auto trials = static_cast<std::uint64_t>(1000 / test::coarseness());
  numeric::InsecureStream stream(test::suite_seed(), 98);
  std::uint64_t below = 0;  // the median of the null distribution
  for (std::uint64_t trial = 0; trial < trials; ++trial) {
    CountRelease release = draw(stream, told.null, told.n, told.law, true);
    release.values = *denoised_values(release.values, told.law, told.n, told.denoise);
    const auto untold = test_goodness_of_fit(release, told.null,
                                             {.alpha = 0.05,
                                              .statistic = kClassical,
                                              .method = GofMethod::MonteCarlo,
                                              .simulation = {.draws = 199, .seed = trial, .threads = 1},
                                              .with_power = false});
    below += *untold->p_value > 0.5 ? 1 : 0;
  }
  EXPECT_LT(test::binomial_upper(trials, 0.6, below), 1e-9) << "the wrong law has p-values that are too large: " << below;
}

TEST(GoodnessOfFit, OfATableThatWasDenoisedIsThatOfDenoisingItHere) {
  numeric::InsecureStream stream(test::suite_seed(), 99);
  const CountRelease noisy = draw(stream, kSkewed, 200, gaussian(10), true);
  const GofOptions options{
      .alpha = 0.05, .simulation = {.draws = 999}, .denoise = {.shrink = Shrinkage::PositivePart, .project = Projection::Simplex}};
  CountRelease published = noisy;
  published.values = *denoised_values(noisy.values, noisy.noise, noisy.n, options.denoise);
  GofOptions done = options;
  done.denoise.done = true;
  const auto here = test_goodness_of_fit(noisy, kSkewed, options);
  const auto there = test_goodness_of_fit(published, kSkewed, done);
  ASSERT_TRUE(here.ok() && there.ok());
  EXPECT_EQ(here->statistic, there->statistic);
  EXPECT_EQ(here->p_value, there->p_value);
  EXPECT_FALSE(there->power) << "the deviation that was seen is a shrunken one";
}

TEST(GoodnessOfFit, RefusesDenoisedTablesWhoseTotalIsUnknown) {
  CountRelease release = release_of({120, 60, 10, 8, 2}, std::nullopt, gaussian(2));
  const auto refused = [&](const DenoiseOptions& done) {
    const auto test = test_goodness_of_fit(release, kSkewed, {.alpha = 0.05, .denoise = done});
    return test.ok() ? std::string("nothing") : test.error().message();
  };
  EXPECT_EQ(refused({.shrink = Shrinkage::PositivePart, .done = true}), "nothing");
  EXPECT_THAT(refused({.project = Projection::Nonnegative, .done = true}), ::testing::HasSubstr("n is not public"));
  EXPECT_THAT(refused({.shrink = Shrinkage::TowardsZero, .done = true}), ::testing::HasSubstr("n is not public"));
  EXPECT_THAT(refused({.shrink = Shrinkage::PositivePart, .project = Projection::Nonnegative, .done = true}),
              ::testing::HasSubstr("n is not public"));
}

// Lee's bootstrap has no proof where n is not public, so that its level is measured: these settings
// must be below 0.0525.
TEST(GoodnessOfFit, KeepsItsLevelWhereTheNoisyTotalStandsForN) {
  const std::vector<Case> cases = {
      {uniform(9), 1000, gaussian(14), kClassical, GofMethod::Bootstrap, false},
      {kSkewed, 1000, laplace(2), kClassical, GofMethod::Bootstrap, false},
      {kSkewed, 200, gaussian(10), kClassical, GofMethod::Bootstrap, false},
      {uniform(9),
       1000,
       gaussian(14),
       kClassical,
       GofMethod::Bootstrap,
       false,
       {.shrink = Shrinkage::TowardsMean, .project = Projection::Nonnegative}},
      {kSkewed, 1000, laplace(8), kClassical, GofMethod::Bootstrap, false, {.project = Projection::Nonnegative}},
      {uniform(9), 1000, gaussian(14), kClassical, GofMethod::Bootstrap, false, {.shrink = Shrinkage::PositivePart, .done = true}},
  };
  test::declare_false_alarm("level of the bootstrap with unknown n", kFalseAlarm * static_cast<double>(cases.size()));
  expect_level(cases, 0.0525, 200);
}

// Normal limits are approximations. Over a grid of tables with five people expected in every cell,
// 400,000 tables each, none rejected more often than 0.0511 (standard error 0.0003): these must be
// below 0.0525, and 200,000 draws see 0.0557.
TEST(GoodnessOfFit, KeepsItsLevelNearlyByTheNormalLimit) {
  const std::vector<Case> cases = {
      {uniform(4), 1000, gaussian(28), kClassical, GofMethod::Asymptotic},
      {uniform(4), 1000, gaussian(28), kProjected, GofMethod::Asymptotic},
      {uniform(4), 1000, gaussian(28), kNonprojected, GofMethod::Asymptotic},
      {uniform(20), 100, gaussian(1), kClassical, GofMethod::Asymptotic},
      {uniform(20), 100, gaussian(1), kProjected, GofMethod::Asymptotic},
      {uniform(2), 10, gaussian(1), kProjected, GofMethod::Asymptotic},
      {kSkewed, 500, sum_zero(1), kClassical, GofMethod::Asymptotic},
      {kSkewed, 2000, sum_zero(5), kClassical, GofMethod::Asymptotic},
      {kSkewed, 500, gaussian(10), kNonprojected, GofMethod::Asymptotic},
      {kWithZeros, 500, gaussian(10), kClassical, GofMethod::Asymptotic},
      {kWithZeros, 500, gaussian(10), kProjected, GofMethod::Asymptotic},
      {kWithZeros, 500, sum_zero(10), kClassical, GofMethod::Asymptotic},
      {kTiny, 10'000, gaussian(0.5), kNonprojected, GofMethod::Asymptotic},
      {kTiny, 10'000, gaussian(0.5), kClassical, GofMethod::Asymptotic},
      {kTiny, 10'000, gaussian(0.5), kProjected, GofMethod::Asymptotic},
  };
  test::declare_false_alarm("level of the normal limit", kFalseAlarm * static_cast<double>(cases.size()));
  const auto draws = static_cast<std::size_t>(200'000 / test::coarseness());
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const Case& c = cases[i];
    const GofDesign design = *GofDesign::of(c.null, c.n, cell_noise(c.law));
    EXPECT_GE(design.least_expected(), kLeastExpected);
    const double critical = *gof_critical(design, c.statistic, 0.05);
    const auto drawn = simulate_gof({design, c.statistic, {c.law, {}}, true, {}}, c.null, {.draws = draws, .seed = test::suite_seed() + i});
    const auto rejected = static_cast<std::uint64_t>(std::count_if(drawn.begin(), drawn.end(), [&](double t) { return t > critical; }));
    EXPECT_GT(test::binomial_upper(draws, 0.0525, rejected), kFalseAlarm)
        << "case " << i << ": " << static_cast<double>(rejected) / static_cast<double>(draws);
  }
}

// The unmodified chi-square test, which Rogers Table 3 finds rejecting always, must be caught.
TEST(GoodnessOfFit, LevelTestCatchesALawThatForgetsTheNoise) {
  test::declare_false_alarm("a forgotten noise is caught", 1e-9);
  const GofDesign design = *GofDesign::of(uniform(4), 1000, {.variance = 28.0 * 28});
  numeric::InsecureStream stream(test::suite_seed(), 99);
  const auto trials = static_cast<std::uint64_t>(kTrials / test::coarseness());
  std::uint64_t rejected = 0;
  for (std::uint64_t trial = 0; trial < trials; ++trial) {
    const CountRelease release = draw(stream, design.null(), 1000, gaussian(28), true);
    rejected += gof_statistic(design, kClassical, release.values) > 7.814727903251179 ? 1 : 0;  // chi-square, 3 degrees of freedom
  }
  EXPECT_LT(test::binomial_upper(trials, 0.06, rejected), kFalseAlarm);
}

// Would catch a power formula that is off by 0.05.
TEST(GoodnessOfFit, RejectsAsOftenAsItsPowerSays) {
  test::declare_false_alarm("power of goodness-of-fit tests", 3e-10);
  const std::vector<double> null = {0.5, 0.3, 0.2};
  const std::vector<double> truth = {0.53, 0.29, 0.18};
  const GofDesign design = *GofDesign::of(null, 3000, {.variance = 400});
  const auto trials = static_cast<std::uint64_t>(40'000 / test::coarseness());
  for (const GofStatistic statistic : {kClassical, kProjected, kNonprojected}) {
    const double power = *gof_power(design, statistic, truth, 0.05);
    const double critical = *gof_critical(design, statistic, 0.05);
    EXPECT_TRUE(power > 0.3 && power < 0.9) << power;
    numeric::InsecureStream stream(test::suite_seed(), 98);
    std::uint64_t rejected = 0;
    for (std::uint64_t i = 0; i < trials; ++i)
      rejected += gof_statistic(design, statistic, draw(stream, truth, 3000, gaussian(20), true).values) > critical ? 1 : 0;
    // 0.02 for the covariance of the alternative, which the local law takes from the null.
    EXPECT_NEAR(static_cast<double>(rejected) / static_cast<double>(trials), power, 0.02 + 3.5 / std::sqrt(static_cast<double>(trials)));
  }
}

TEST(GoodnessOfFit, RejectsWhatIsFarAndRetainsWhatIsNear) {
  const std::vector<double> null = {0.5, 0.3, 0.2};
  for (const auto& law : {gaussian(8), laplace(6)}) {
    const auto near = test_goodness_of_fit(release_of({505, 290, 203}, 1000, law), null, {.alpha = 0.05});
    EXPECT_EQ(near->outcome, Outcome::Retain);
    EXPECT_EQ(near->method, GofMethod::MonteCarlo);
    EXPECT_TRUE(near->choice);
    const auto far = test_goodness_of_fit(release_of({700, 200, 100}, 1000, law), null, {.alpha = 0.05});
    EXPECT_EQ(far->outcome, Outcome::Reject);
    EXPECT_EQ(far->p_value, 1.0 / 10'000);
    EXPECT_GT(far->statistic, far->critical);
  }
}

TEST(GoodnessOfFit, MethodsAgreeWhereAllAreGood) {
  // So far from the null hypothesis that the draws stop late.
  const CountRelease release = release_of({5180, 2900, 1930}, 10'000, gaussian(20));
  for (const GofStatistic statistic : {kClassical, kProjected, kNonprojected}) {
    const auto limit =
        test_goodness_of_fit(release, {0.5, 0.3, 0.2}, {.alpha = 0.05, .statistic = statistic, .method = GofMethod::Asymptotic});
    const auto drawn =
        test_goodness_of_fit(release, {0.5, 0.3, 0.2},
                             {.alpha = 0.05, .statistic = statistic, .method = GofMethod::MonteCarlo, .simulation = {.draws = 99'999}});
    EXPECT_EQ(limit->statistic, drawn->statistic);
    EXPECT_GE(*drawn->draws, 30'000U);
    EXPECT_NEAR(*limit->p_value, *drawn->p_value, 0.4 * *limit->p_value);
    EXPECT_NEAR(*limit->critical, *drawn->critical, 0.03 * *limit->critical);
  }
}

TEST(GoodnessOfFit, IsInconclusiveWhereTheLimitOrTheTotalIsNotToBeTrusted) {
  const auto few = test_goodness_of_fit(release_of({96, 5, 2}, 103, gaussian(3)), {0.9, 0.07, 0.03},
                                        {.alpha = 0.05, .statistic = kProjected, .method = GofMethod::Asymptotic});
  EXPECT_EQ(few->outcome, Outcome::Inconclusive);
  EXPECT_EQ(few->reason,
            "a cell is expected to hold 3.09 people, fewer than 5, so the limit for large n cannot be trusted; montecarlo can");
  const auto nobody = test_goodness_of_fit(release_of({-3, 1, 2.3}, std::nullopt, laplace(3)), {0.9, 0.07, 0.03}, {.alpha = 0.05});
  EXPECT_EQ(nobody->outcome, Outcome::Inconclusive);
  EXPECT_EQ(nobody->method, GofMethod::Bootstrap);
  EXPECT_FALSE(nobody->p_value);
  EXPECT_TRUE(nobody->reason);
  const CountRelease vague = release_of({30, 10, 8, 15}, std::nullopt, laplace(6));
  EXPECT_NE(test_goodness_of_fit(vague, uniform(4), {.alpha = 0.05})->outcome, Outcome::Inconclusive);
}

TEST(GoodnessOfFit, RefusesWhatDoesNotFit) {
  const std::vector<double> null = {0.5, 0.3, 0.2};
  const CountRelease good = release_of({505, 290, 203}, 1000, gaussian(8));
  const CountRelease no_n = release_of({505, 290, 203}, std::nullopt, gaussian(8));
  const CountRelease two_sided = release_of({505, 290, 203}, 1000, laplace(8));
  const auto refused = [](const CountRelease& release, const std::vector<double>& p, const GofOptions& options) {
    return test_goodness_of_fit(release, p, options).error().name();
  };
  EXPECT_EQ(refused(good, {0.5, 0.5}, {.alpha = 0.05}), "null");
  EXPECT_EQ(refused(good, {0.5, 0.3, 0.3}, {.alpha = 0.05}), "null");
  EXPECT_EQ(refused(good, {1, 0, 0}, {.alpha = 0.05}), "null");
  EXPECT_EQ(refused(good, null, {.alpha = 0}), "alpha");
  EXPECT_EQ(refused(good, null, {.alpha = 0.01, .method = GofMethod::MonteCarlo, .simulation = {.draws = 98}}), "draws");
  EXPECT_EQ(refused(release_of({1, 2, 3}, 0, gaussian(8)), null, {.alpha = 0.05}), "n");
  EXPECT_EQ(refused(two_sided, null, {.alpha = 0.05, .method = GofMethod::Asymptotic}), "method");
  EXPECT_EQ(refused(no_n, null, {.alpha = 0.05, .method = GofMethod::Asymptotic}), "method");
  EXPECT_EQ(refused(no_n, null, {.alpha = 0.05, .method = GofMethod::MonteCarlo}), "method");
  EXPECT_EQ(refused(no_n, null, {.alpha = 0.05, .statistic = kProjected}), "statistic");
}

/// Lee's statistic of a truncated table, the total being that of the truncated table too.
double truncated_statistic(const std::vector<double>& values, const std::vector<double>& p, double& total) {
  total = 0;
  for (const double value : values) total += std::max(0.0, value);
  double sum = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const double deviation = std::max(0.0, values[i]) - total * p[i];
    sum += deviation * deviation / (total * p[i]);
  }
  return sum;
}

// Lee's Algorithm 2 as printed: tables of as many people as the truncated table says, which is too
// many. About 0.17 here, where 0.05 is claimed.
TEST(GoodnessOfFit, LevelTestCatchesTheTotalOfATruncatedTable) {
  test::declare_false_alarm("the total of a truncated table is caught", 1e-9);
  std::vector<double> p(18);
  double sum = 0;
  for (std::size_t i = 0; i < p.size(); ++i) sum += p[i] = std::pow(0.6, static_cast<double>(i));
  for (double& cell : p) cell /= sum;
  const NoiseSource noise{gaussian(40)};
  const NoisyTables truth(30, p, noise);
  numeric::InsecureStream stream(test::suite_seed(), 97);
  constexpr std::uint64_t kPrintedTrials = 1500;
  constexpr std::size_t kPrintedDraws = 104;  // 99 are used
  const auto table = [&p](const NoisyTables& tables, const std::vector<double>& deviations, std::size_t count, std::size_t which) {
    std::vector<double> values(p.size());
    for (std::size_t i = 0; i < p.size(); ++i) values[i] = tables.expected()[i] + deviations[i * count + which];
    return values;
  };
  std::uint64_t rejected = 0;
  for (std::uint64_t trial = 0; trial < kPrintedTrials; ++trial) {
    std::vector<double> deviations(p.size());
    std::vector<double> sums(1);
    truth.draw(stream, 1, deviations, sums);
    double total = 0;
    const double seen = truncated_statistic(table(truth, deviations, 1, 0), p, total);
    const NoisyTables again(std::nearbyint(total), p, noise);
    std::vector<double> drawn(p.size() * kPrintedDraws);
    std::vector<double> drawn_sums(kPrintedDraws);
    again.draw(stream, kPrintedDraws, drawn, drawn_sums);
    int reached = 0;
    for (std::size_t k = 0; k < 99; ++k) reached += truncated_statistic(table(again, drawn, kPrintedDraws, k), p, total) >= seen ? 1 : 0;
    rejected += 1 + reached <= 5 ? 1 : 0;
  }
  EXPECT_LT(test::binomial_upper(kPrintedTrials, 0.06, rejected), kFalseAlarm) << rejected;
}

}  // namespace
}  // namespace tacet::inference::goodness_of_fit_test
