// Several releases compared: the level where their people follow the same probabilities, and the
// power where they do not.
#include "tacet/inference/counts/homogeneity.h"

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "tacet/numeric/insecure_counts.h"

#include "inference/drawn_release.h"
#include "support/promise.h"

namespace tacet::inference::homogeneity_test {
namespace {

using kernel::NoiseFamily;
using mechanisms::CountRelease;
using mechanisms::NoiseDistribution;
using mechanisms::NoiseStructure;

constexpr auto kClassical = GofStatistic::Classical;
constexpr auto kProjected = GofStatistic::Projected;

struct Group {
  double n;
  NoiseDistribution law;
  bool n_public = true;
};

CountRelease release_of(std::vector<double> values, std::optional<double> n, const NoiseDistribution& law) {
  CountRelease release{};
  release.n = n;
  release.shape = {values.size()};
  release.values = std::move(values);
  release.noise = law;
  return release;
}

CountRelease draw(numeric::InsecureStream& stream, const std::vector<double>& p, const Group& group) {
  std::vector<double> values(p.size());
  numeric::draw_multinomials(stream, group.n, p, 1, values);
  std::vector<double> noise(p.size());
  if (group.law.family == NoiseFamily::Laplace) {
    stream.fill_laplace(noise);
  } else {
    stream.fill_normal(noise);
  }
  double mean = std::accumulate(noise.begin(), noise.end(), 0.0) / static_cast<double>(p.size());
  if (group.law.structure != NoiseStructure::SumZero) mean = 0;
  for (std::size_t i = 0; i < values.size(); ++i) values[i] += group.law.scale * (noise[i] - mean);
  return release_of(std::move(values), group.n_public ? std::optional(group.n) : std::nullopt, group.law);
}

struct Case {
  std::vector<double> p;
  std::vector<Group> groups;
  GofStatistic statistic;
  GofMethod method;
  DenoiseOptions denoise = {};
};

/// The last group follows `other`.
std::uint64_t rejections(const Case& c, const std::vector<double>& other, std::uint64_t trials, std::uint64_t stream_index) {
  numeric::InsecureStream stream(test::suite_seed(), stream_index);
  std::uint64_t rejected = 0;
  for (std::uint64_t trial = 0; trial < trials; ++trial) {
    std::vector<CountRelease> groups;
    for (std::size_t i = 0; i < c.groups.size(); ++i) {
      groups.push_back(draw(stream, i + 1 < c.groups.size() ? c.p : other, c.groups[i]));
      if (c.denoise.done) groups[i].values = *denoised_values(groups[i].values, groups[i].noise, groups[i].n, c.denoise);
    }
    const auto compared = test_homogeneity(groups, {.alpha = 0.05,
                                                    .statistic = c.statistic,
                                                    .method = c.method,
                                                    .simulation = {.draws = 199, .seed = trial, .threads = 1},
                                                    .denoise = c.denoise});
    rejected += compared->test.p_value.value_or(1) <= 0.05 ? 1 : 0;
  }
  return rejected;
}

constexpr std::uint64_t kTrials = 3000;
constexpr double kFalseAlarm = 1e-10;
const std::vector<double> kSkewed = {0.6, 0.25, 0.1, 0.04, 0.01};
const std::vector<double> kTiny = {0.9, 0.0985, 0.001, 0.0005};
/// Ages of the Koreans in tens of years, as in Lee's simulations, roughly.
const std::vector<double> kAges = {0.075, 0.092, 0.125, 0.135, 0.16, 0.165, 0.135, 0.072, 0.041};

std::vector<double> halved(const std::vector<double>& p) {
  std::vector<double> halves;
  for (const double x : p) halves.insert(halves.end(), {0.45 * x, 0.55 * x});
  return halves;
}

// Red where the count of rejections is above an exact binomial bound at 0.06: 3000 trials see a
// level of 0.093. Neither method is proven.
TEST(Homogeneity, KeepsItsLevelOverGroupsNoiseAndMethods) {
  const std::vector<double> fine = halved(kAges);
  const std::vector<Case> cases = {
      // Lee's settings: mu = 0.1 and 0.3, nine and eighteen cells, n not public.
      {kAges, {{500, gaussian(14.1), false}, {500, gaussian(14.1), false}}, kClassical, GofMethod::Bootstrap},
      {fine, {{100, gaussian(14.1), false}, {100, gaussian(14.1), false}}, kClassical, GofMethod::Bootstrap},
      {fine, {{100, gaussian(14.1), false}, {100, gaussian(14.1), false}}, kProjected, GofMethod::Bootstrap},
      {fine, {{500, laplace(4.7), false}, {500, laplace(4.7), false}}, kClassical, GofMethod::Bootstrap},
      {fine, {{500, gaussian(14.1), false}, {500, gaussian(14.1), false}}, kProjected, GofMethod::Asymptotic},
      // Groups that differ in everything.
      {kSkewed, {{200, gaussian(3), false}, {2000, laplace(30)}, {900, sum_zero(9)}}, kProjected, GofMethod::Bootstrap},
      {kSkewed, {{200, laplace(3), false}, {2000, gaussian(30)}, {900, sum_zero(9)}}, kClassical, GofMethod::Bootstrap},
      {kSkewed, {{600, gaussian(3), false}, {3000, gaussian(30)}, {900, sum_zero(9)}}, kProjected, GofMethod::Asymptotic},
      {{0.3, 0.7}, {{40, laplace(2)}, {50, laplace(2)}, {60, laplace(4)}, {70, gaussian(1)}}, kProjected, GofMethod::Bootstrap},
      // Cells that are nearly empty.
      {kTiny, {{300, gaussian(1)}, {200, gaussian(1)}}, kProjected, GofMethod::Bootstrap},
      {kTiny, {{300, laplace(2), false}, {2000, laplace(2), false}}, kClassical, GofMethod::Bootstrap},
      {kTiny, {{300, gaussian(0.05)}, {200, gaussian(0.05)}}, kProjected, GofMethod::Bootstrap},
      {kTiny, {{300, laplace(20), false}, {2000, laplace(2), false}}, kProjected, GofMethod::Bootstrap},
      // Denoised tables (Lee's Figures 11 and 12), under heavy noise where n is public.
      {fine,
       {{1000, gaussian(14.1)}, {1000, gaussian(14.1)}},
       kClassical,
       GofMethod::Bootstrap,
       {Shrinkage::TowardsMean, Projection::Nonnegative}},
      {fine,
       {{1000, gaussian(14.1)}, {1000, gaussian(14.1)}},
       kClassical,
       GofMethod::Bootstrap,
       {Shrinkage::RankDeficient, Projection::Nonnegative}},
      {kAges, {{1000, laplace(20)}, {500, laplace(20)}}, kClassical, GofMethod::Bootstrap, {Shrinkage::None, Projection::Simplex}},
      {kAges,
       {{1000, laplace(4.7), false}, {2000, gaussian(14.1), false}},
       kClassical,
       GofMethod::Bootstrap,
       {Shrinkage::None, Projection::Nonnegative}},
      {kSkewed,
       {{900, sum_zero(9)}, {2000, gaussian(9)}},
       kClassical,
       GofMethod::Bootstrap,
       {Shrinkage::PositivePart, Projection::Simplex}},
      // Projected before they were published: the common probabilities are theirs.
      {fine,
       {{1000, gaussian(14.1)}, {1000, gaussian(14.1)}},
       kClassical,
       GofMethod::Bootstrap,
       {.project = Projection::Nonnegative, .done = true}},
      {fine,
       {{1000, gaussian(14.1)}, {1000, gaussian(14.1)}},
       kClassical,
       GofMethod::Bootstrap,
       {.project = Projection::Simplex, .done = true}},
      {kAges, {{1000, laplace(20)}, {500, laplace(20)}}, kClassical, GofMethod::Bootstrap, {.project = Projection::Simplex, .done = true}},
      {kSkewed,
       {{200, gaussian(10)}, {300, gaussian(10)}},
       kClassical,
       GofMethod::Bootstrap,
       {.project = Projection::Nonnegative, .done = true}},
      {kSkewed, {{200, laplace(10)}, {300, laplace(10)}}, kClassical, GofMethod::Bootstrap, {.project = Projection::Simplex, .done = true}},
      {kTiny, {{300, gaussian(1)}, {200, gaussian(1)}}, kClassical, GofMethod::Bootstrap, {.project = Projection::Simplex, .done = true}},
  };
  test::declare_false_alarm("level of homogeneity tests", kFalseAlarm * static_cast<double>(cases.size()));
  const auto trials = static_cast<std::uint64_t>(kTrials / test::coarseness());
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const std::uint64_t rejected = rejections(cases[i], cases[i].p, trials, 400 + i);
    EXPECT_GT(test::binomial_upper(trials, 0.06, rejected), kFalseAlarm)
        << "case " << i << ": " << static_cast<double>(rejected) / static_cast<double>(trials);
  }
}

// The chi-square law of the classical statistic, which forgets the noise, must be caught.
TEST(Homogeneity, LevelTestCatchesALawThatForgetsTheNoise) {
  test::declare_false_alarm("a noise forgotten among groups is caught", 1e-9);
  numeric::InsecureStream stream(test::suite_seed(), 399);
  const auto trials = static_cast<std::uint64_t>(kTrials / test::coarseness());
  std::uint64_t rejected = 0;
  for (std::uint64_t trial = 0; trial < trials; ++trial) {
    const std::vector<CountRelease> groups = {draw(stream, kAges, {1000, gaussian(14)}), draw(stream, kAges, {1000, gaussian(14)})};
    const auto compared = test_homogeneity(groups, {.alpha = 0.5, .statistic = kClassical, .simulation = {.draws = 1, .threads = 1}});
    rejected += *compared->test.statistic > 15.50731305586545 ? 1 : 0;  // chi-square, 8 degrees of freedom
  }
  EXPECT_LT(test::binomial_upper(trials, 0.06, rejected), kFalseAlarm);
}

// The noise of a group that is known to be large must not drown the others: measured 0.43 against
// 0.02 of the classical statistic.
TEST(Homogeneity, ProjectedStatisticFindsWhatUnequalNoiseHidesFromTheClassicalOne) {
  test::declare_false_alarm("power of homogeneity tests", 1e-9);
  const std::vector<double> other = {0.5, 0.3, 0.14, 0.04, 0.02};
  const std::vector<Group> groups = {{200, gaussian(3), false}, {2000, gaussian(30)}};
  const auto trials = static_cast<std::uint64_t>(kTrials / test::coarseness());
  const auto projected = rejections({kSkewed, groups, kProjected, GofMethod::Bootstrap}, other, trials, 397);
  const auto classical = rejections({kSkewed, groups, kClassical, GofMethod::Bootstrap}, other, trials, 397);
  EXPECT_LT(test::binomial_lower(trials, 0.2, classical), kFalseAlarm);
  EXPECT_LT(test::binomial_upper(trials, 0.3, projected), kFalseAlarm);
}

TEST(Homogeneity, RejectsWhatDiffersRetainsWhatDoesNotAndIsTheSameForEveryNumberOfThreads) {
  const std::vector<CountRelease> same = {release_of({505, 290, 203}, 1000, gaussian(8)), release_of({2480, 1530, 1001}, 5000, laplace(20)),
                                          release_of({260, 140, 98}, std::nullopt, gaussian(5))};
  const auto retained = test_homogeneity(same, {.alpha = 0.05, .simulation = {.draws = 999, .threads = 1}});
  ASSERT_TRUE(retained.ok()) << retained.error().message();
  EXPECT_EQ(retained->test.outcome, Outcome::Retain);
  EXPECT_EQ(retained->test.df, 4);
  EXPECT_EQ(retained->test.method, GofMethod::Bootstrap);
  EXPECT_EQ(retained->people, (std::vector<double>{1000, 5000, 498}));
  EXPECT_NEAR(retained->pooled[0], 0.5, 0.02);
  EXPECT_FALSE(retained->test.power);
  EXPECT_EQ(test_homogeneity(same, {.alpha = 0.05, .simulation = {.draws = 999, .threads = 3}})->test.p_value, retained->test.p_value);
  const std::vector<CountRelease> other = {release_of({505, 290, 203}, 1000, gaussian(8)), release_of({300, 400, 300}, 1000, gaussian(20))};
  for (const GofStatistic statistic : {kClassical, kProjected}) {
    const auto rejected = test_homogeneity(other, {.alpha = 0.05, .statistic = statistic});
    EXPECT_EQ(rejected->test.outcome, Outcome::Reject);
    EXPECT_EQ(rejected->test.p_value, 1.0 / 10'000);
  }
  EXPECT_GT(*test_homogeneity(other, {.alpha = 0.05, .method = GofMethod::Asymptotic})->test.power, 0.9);
}

TEST(Homogeneity, MethodsAgreeWhereBothAreGood) {
  const std::vector<CountRelease> groups = {release_of({5100, 2950, 1960}, 10'000, gaussian(20)),
                                            release_of({2460, 1550, 1010}, std::nullopt, gaussian(10))};
  const auto limit = test_homogeneity(groups, {.alpha = 0.05, .method = GofMethod::Asymptotic});
  const auto drawn = test_homogeneity(groups, {.alpha = 0.05, .simulation = {.draws = 99'999}});
  EXPECT_EQ(limit->test.statistic, drawn->test.statistic);
  EXPECT_NEAR(*limit->test.p_value, *drawn->test.p_value, 0.012);
  EXPECT_NEAR(*limit->test.critical, *drawn->test.critical, 0.03 * *limit->test.critical);
}

TEST(Homogeneity, IsInconclusiveWhereTheLimitOrATotalIsNotToBeTrusted) {
  const CountRelease good = release_of({96, 5, 2}, 103, gaussian(3));
  const auto few = test_homogeneity({good, good}, {.alpha = 0.05, .method = GofMethod::Asymptotic});
  EXPECT_EQ(few->test.outcome, Outcome::Inconclusive);
  EXPECT_EQ(few->test.reason,
            "a cell is expected to hold 2 people, fewer than 5, so the limit for large n cannot be trusted; bootstrap can");
  const auto nobody = test_homogeneity({good, release_of({-3, 1, 2.3}, std::nullopt, laplace(3))}, {.alpha = 0.05});
  EXPECT_EQ(nobody->test.outcome, Outcome::Inconclusive);
  EXPECT_FALSE(nobody->test.p_value);
  EXPECT_EQ(nobody->test.reason, "the noisy counts of group 2 sum to less than one person, so that no table of that size can be drawn");
}

TEST(Homogeneity, DenoisesEveryTableAndTakesTheClassicalStatistic) {
  const std::vector<CountRelease> groups = {release_of({505, 290, -3}, 800, gaussian(8)), release_of({300, 190, 17}, 500, gaussian(8))};
  const DenoiseOptions denoise = {Shrinkage::None, Projection::Simplex};
  const auto compared = test_homogeneity(groups, {.alpha = 0.05, .simulation = {.draws = 999}, .denoise = denoise});
  ASSERT_TRUE(compared.ok()) << compared.error().message();
  EXPECT_EQ(compared->test.statistic_kind, kClassical);
  // The nearest tables without negative cells with these totals, by hand: the excess of the others
  // is 505 + 290 - 800 = -5 in the first, 300 + 190 + 17 - 500 = 7 in the second.
  const std::vector<double> first = {507.5, 292.5, 0};
  const std::vector<double> second = {300 - 7.0 / 3, 190 - 7.0 / 3, 17 - 7.0 / 3};
  double expected = 0;
  for (std::size_t j = 0; j < 3; ++j) {
    const double p = (first[j] + second[j]) / 1300;
    expected += std::pow(first[j] - 800 * p, 2) / (800 * p) + std::pow(second[j] - 500 * p, 2) / (500 * p);
  }
  EXPECT_NEAR(*compared->test.statistic, expected, 1e-9 * expected);
  EXPECT_EQ(compared->test.choice, "the classical statistic, since the tables are denoised; bootstrap, which serves every noise");
  EXPECT_EQ(compared->test.null_distribution->find("denoised like it (shrink none, project simplex)") != std::string::npos, true);
  const auto refused = [&](const GofOptions& options) { return test_homogeneity(groups, options).error().message(); };
  EXPECT_EQ(
      refused({.alpha = 0.05, .statistic = kProjected, .denoise = denoise}),
      "statistic is projected, but must be classical for a denoised table; the others weight the table by its noise: use them without "
      "shrink and project");
  EXPECT_EQ(refused({.alpha = 0.05, .method = GofMethod::Asymptotic, .denoise = denoise}),
            "method is asymptotic, but must be bootstrap or auto for a denoised table; its distribution has no closed form: use method = "
            "bootstrap");
  const std::vector<CountRelease> small = {release_of({50, 29, -3}, std::nullopt, gaussian(8)), groups[1]};
  EXPECT_EQ(test_homogeneity(small, {.alpha = 0.05, .denoise = {Shrinkage::None, Projection::Nonnegative}})->test.reason,
            "the noisy total 76 of group 1 has a standard error of 13.9, more than a twentieth, so that tables of its size would not be "
            "denoised as this one was; the test without denoising can be used");
  // Noise that keeps the total shows it, so that rjs needs no public n.
  const NoiseDistribution keeps{NoiseFamily::Gaussian, 8, NoiseStructure::SumZero};
  const std::vector<double> values = {305, 290, 103, 60, 42};
  const DenoiseOptions rank_deficient = {Shrinkage::RankDeficient, Projection::None};
  for (const std::optional<double> n : {std::optional<double>(), std::optional(800.0)}) {
    const auto same =
        test_homogeneity({release_of(values, n, keeps), release_of(values, n, keeps)}, {.alpha = 0.05, .denoise = rank_deficient});
    ASSERT_TRUE(same.ok()) << same.error().message();
    EXPECT_NEAR(*same->test.statistic, 0, 1e-9);
    EXPECT_EQ(same->people, (std::vector<double>{800, 800}));
  }
}

TEST(RowsAsGroups, AreTheSlicesOfTheTable) {
  CountRelease table = release_of({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, 78, gaussian(8));
  table.shape = {2, 3, 2};
  table.axes = {{"sex", {"f", "m"}}, {"region", {"north", "south", "east"}}, {"ill", {"no", "yes"}}};
  const auto groups = *rows_as_groups(table, "region");
  ASSERT_EQ(groups.size(), 3);
  EXPECT_EQ(groups[0].values, (std::vector<double>{1, 2, 7, 8}));
  EXPECT_EQ(groups[2].values, (std::vector<double>{5, 6, 11, 12}));
  EXPECT_EQ(groups[1].shape, (std::vector<std::size_t>{2, 2}));
  EXPECT_EQ(groups[1].axes[1].name, "ill");
  EXPECT_FALSE(groups[1].n) << "how many people a region has is not public";
  EXPECT_EQ((*rows_as_groups(table, "sex"))[1].values, (std::vector<double>{7, 8, 9, 10, 11, 12}));
  EXPECT_EQ((*rows_as_groups(table, "ill"))[0].values, (std::vector<double>{1, 3, 5, 7, 9, 11}));
  EXPECT_EQ(rows_as_groups(table, "age").error().message(),
            "variable is age, but must be one of the release's variables, each once; it has: sex, region, ill");
  CountRelease line = release_of({1, 2}, 3, gaussian(8));
  line.axes = {{"sex", {"f", "m"}}};
  EXPECT_EQ(rows_as_groups(line, "sex").error().message(),
            "by is sex, but must leave a column to compare the groups by; release counts of both columns together");
  table.noise = sum_zero(8);
  EXPECT_EQ(rows_as_groups(table, "sex").error().code(), Code::Unsupported);
}

TEST(Homogeneity, RefusesWhatDoesNotFit) {
  const CountRelease good = release_of({505, 290, 203}, 1000, gaussian(8));
  const auto refused = [&](const std::vector<CountRelease>& groups, const GofOptions& options) {
    return test_homogeneity(groups, options).error().name();
  };
  EXPECT_EQ(test_homogeneity({good}, {.alpha = 0.05}).error().message(),
            "releases is 1 release, but must be 2 to 1000: groups are compared with each other; for one group against given probabilities: "
            "`infer gof`");
  EXPECT_EQ(refused({}, {.alpha = 0.05}), "releases");
  EXPECT_EQ(refused(std::vector<CountRelease>(1001, good), {.alpha = 0.05}), "releases");
  EXPECT_EQ(refused({good, release_of({1, 2}, 3, gaussian(8))}, {.alpha = 0.05}), "release 2");
  EXPECT_EQ(refused({release_of({1}, 3, gaussian(8)), release_of({1}, 3, gaussian(8))}, {.alpha = 0.05}), "release 1");
  EXPECT_EQ(refused({good, release_of({1, 2, 3}, 0, gaussian(8))}, {.alpha = 0.05}), "release 2");
  CountRelease named = good;
  named.axes = {{"smoking", {"never", "former", "current"}}};
  CountRelease other = good;
  other.axes = {{"smoking", {"never", "current", "former"}}};
  EXPECT_EQ(refused({named, other}, {.alpha = 0.05}), "release 2");
  EXPECT_TRUE(test_homogeneity({named, good}, {.alpha = 0.05}).ok());
  EXPECT_EQ(refused({good, good}, {.alpha = 0.6}), "alpha");
  EXPECT_EQ(refused({good, good}, {.alpha = 0.05, .statistic = GofStatistic::Nonprojected}), "statistic");
  EXPECT_EQ(refused({good, good}, {.alpha = 0.05, .method = GofMethod::MonteCarlo}), "method");
  EXPECT_EQ(refused({good, good}, {.alpha = 0.05, .statistic = kClassical, .method = GofMethod::Asymptotic}), "method");
  EXPECT_EQ(refused({good, release_of({1, 2, 3}, 9, laplace(1))}, {.alpha = 0.05, .method = GofMethod::Asymptotic}), "method");
  EXPECT_EQ(refused({good, good}, {.alpha = 0.01, .simulation = {.draws = 98}}), "draws");
}

}  // namespace
}  // namespace tacet::inference::homogeneity_test
