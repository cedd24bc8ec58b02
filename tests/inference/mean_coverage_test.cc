// Regions keep their level: for the people in the file, and for the population with sampling error,
// skewed rows, bounds and clipped rows. Counts of misses are judged by exact binomial tails; a
// region that forgets the noise is caught.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tacet/inference/means/mean_hypothesis.h"
#include "tacet/inference/means/mean_region.h"
#include "tacet/studies/levels/drawn_means.h"

#include "support/promise.h"

namespace tacet::inference::mean_coverage_test {
namespace {

using numeric::InsecureStream;

constexpr double kFalseAlarm = 1e-10;
constexpr double kMiss = 0.05;

/// Of two means.
bool holds(const MeanRegion& region, const std::vector<double>& truth) {
  const double x = region.center[0] - truth[0];
  const double y = region.center[1] - truth[1];
  const std::vector<double>& s = region.shape.values;
  return (s[3] * x * x - 2 * s[1] * x * y + s[0] * y * y) / (s[0] * s[3] - s[1] * s[1]) <= region.radius * region.radius;
}

bool holds(const Intervals& intervals, const std::vector<double>& truth, std::size_t count) {
  for (std::size_t j = 0; j < count; ++j) {
    if (truth[j] < intervals.lower[j] || truth[j] > intervals.upper[j]) return false;
  }
  return true;
}

struct Misses {
  std::uint64_t region = 0, simultaneous = 0, marginal = 0, trials = 0;

  void count(const MeanRegion& region_of, const std::vector<double>& truth) {
    ASSERT_FALSE(region_of.no_answer);
    ++trials;
    region += holds(region_of, truth) ? 0 : 1;
    simultaneous += holds(region_of.simultaneous, truth, truth.size()) ? 0 : 1;
    marginal += holds(region_of.marginal, truth, 1) ? 0 : 1;
  }
  /// Levels are 5 % or a little less: only too many misses are a fault.
  test::Verdict verdict(const std::string& name) const {
    const std::vector<test::Event> events = {{name + ", region", kMiss, region, test::Side::TooMany},
                                             {name + ", simultaneous", kMiss, simultaneous, test::Side::TooMany},
                                             {name + ", marginal", kMiss, marginal, test::Side::TooMany}};
    std::printf("%s: coverage of region %.4f, simultaneous %.4f, marginal %.4f (standard error %.4f)\n", name.c_str(), share(region),
                share(simultaneous), share(marginal), std::sqrt(kMiss * (1 - kMiss) / static_cast<double>(trials)));
    return test::judge(events, trials, kFalseAlarm);
  }
  double share(std::uint64_t missed) const { return 1 - static_cast<double>(missed) / static_cast<double>(trials); }
};

/// Two columns of correlation one half: normal, or a lognormal law with skewness 1.5 cut off at its
/// bound.
struct Rows {
  bool skewed;
  std::vector<double> truth;  // means within the bounds

  explicit Rows(bool is_skewed) : skewed(is_skewed), truth{0.3, -2} {
    if (!skewed) return;
    // E min(Y, b) of the lognormal Y by its closed form, the same for both columns but for location
    // and scale.
    const double s = kShape;
    const double cut = (std::log(kUpper * deviation() + level()) - 0) / s;
    const auto lower = [](double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); };
    const double capped = level() * lower(cut - s) + (kUpper * deviation() + level()) * (1 - lower(cut));
    const double standardised = (capped - level()) / deviation();
    truth = {0.3 + standardised, -2 + 10 * standardised};
  }
  static constexpr double kShape = 0.45, kUpper = 3;
  static double level() { return std::exp(kShape * kShape / 2); }
  static double deviation() { return level() * std::sqrt(std::expm1(kShape * kShape)); }

  std::vector<std::vector<double>> draw(InsecureStream& stream, std::size_t people) const {
    std::vector<std::vector<double>> rows(people, std::vector<double>(2));
    for (auto& row : rows) {
      stream.fill_normal(row);
      row[1] = 0.5 * row[0] + std::sqrt(0.75) * row[1];
      for (double& value : row) value = skewed ? (std::exp(kShape * value) - level()) / deviation() : value;
      row[0] = 0.3 + row[0];
      row[1] = -2 + 10 * row[1];
    }
    return rows;
  }
  /// Normal rows are 5 deviations within their bounds; skewed ones are clamped at 3 above their
  /// mean (one in 100).
  studies::MomentDesign design(const std::string& family, double mu) const {
    const double up = skewed ? kUpper : 5;
    return {.columns = {studies::column("a", 0.3 - 5, 0.3 + up), studies::column("b", -2 - 50, -2 + 10 * up)}, .family = family, .mu = mu};
  }
};

TEST(MeanCoverage, OfTheDataIsKeptByAllNoise) {
  constexpr std::size_t kTrials = 20'000;
  test::declare_false_alarm("coverage of means of the data", 3 * kFalseAlarm);
  for (const std::string family : {"gaussian", "laplace", "k-norm"}) {
    InsecureStream stream(test::suite_seed(), 11);
    const Rows rows(false);
    const mechanisms::MomentRelease exact = studies::exact_release(rows.design(family, 1), rows.draw(stream, 200));
    const std::vector<double> truth = exact.mean(0);
    // The law depends on the file's scales alone, so that one region serves, moved to each
    // estimate.
    MeanRegion region = *mean_region(*noisy_mean(exact, 0), {.distribution = {.simulation = {.threads = 1}}});
    Misses misses;
    for (std::size_t trial = 0; trial < kTrials; ++trial) {
      mechanisms::MomentRelease release = exact;
      studies::add_noise(release, stream);
      MeanRegion moved = region;
      moved.center = release.mean(0);
      for (std::size_t j = 0; j < 2; ++j) {
        for (Intervals* intervals : {&moved.marginal, &moved.simultaneous}) {
          intervals->lower[j] += moved.center[j] - region.center[j];
          intervals->upper[j] += moved.center[j] - region.center[j];
        }
      }
      misses.count(moved, truth);
    }
    const test::Verdict verdict = misses.verdict("data, " + family);
    EXPECT_FALSE(verdict.red) << verdict.worst;
  }
}

TEST(MeanCoverage, OfThePopulationIsKeptWithAPrivateCovariance) {
  const auto trials = static_cast<std::size_t>(800 / test::coarseness());
  test::declare_false_alarm("coverage of means of the population", 3 * kFalseAlarm);
  struct Setting {
    std::string family;
    bool skewed, private_count;
  };
  for (const Setting& setting : {Setting{"gaussian", false, true}, Setting{"gaussian", true, false}, Setting{"laplace", true, false}}) {
    InsecureStream stream(test::suite_seed(), 12);
    const Rows rows(setting.skewed);
    studies::MomentDesign design = rows.design(setting.family, 2);
    design.private_count = setting.private_count;
    Misses misses;
    for (std::size_t trial = 0; trial < trials; ++trial) {
      mechanisms::MomentRelease release = studies::exact_release(design, rows.draw(stream, 400));
      studies::add_noise(release, stream);
      const auto region =
          mean_region(*noisy_mean(release, 0),
                      {.distribution = {.target = MeanTarget::Population, .draws = 99, .simulation = {.seed = trial, .threads = 1}}});
      misses.count(*region, rows.truth);
    }
    const test::Verdict verdict = misses.verdict(fmt::format(
        "population, {}{}{}", setting.family, setting.skewed ? ", skewed and clamped" : "", setting.private_count ? ", private n" : ""));
    EXPECT_FALSE(verdict.red) << verdict.worst;
  }
}

/// A whitened query of 500 normal rows whose mean is `off` deviations from the public centre,
/// clipped where one in 500 would be beyond if it were 0.
mechanisms::QueryRelease whitened_query(InsecureStream& stream, double off, double mu = 1) {
  mechanisms::QueryRelease release{};
  release.header.statement = R"({"by": "covariance"})";
  release.columns = {"a", "b"};
  release.centre = {0, 0};
  release.map = {2, 2, {1, 0, 0, 0.1}};
  release.radius = std::sqrt(2 * std::log(500.0));
  release.scale = 2 * release.radius / mu;
  std::vector<double> noise(2);
  stream.fill_normal(noise);
  std::vector<double> sums = {noise[0] * release.scale, noise[1] * release.scale};
  std::vector<double> v(2);
  for (int i = 0; i < 500; ++i) {
    stream.fill_normal(v);
    v[0] += off;
    const double shrink = std::min(1.0, release.radius / std::hypot(v[0], v[1]));
    for (std::size_t j = 0; j < 2; ++j) sums[j] += v[j] * shrink;
  }
  release.parts = {{.n = 500, .sums = sums}};
  return release;
}

TEST(MeanCoverage, OfThePopulationIsKeptWhereRowsAreClipped) {
  const auto trials = static_cast<std::size_t>(2000 / test::coarseness());
  test::declare_false_alarm("coverage of means of clipped rows", 6 * kFalseAlarm);
  for (const double off : {0.0, 1.0, 2.0}) {
    InsecureStream stream(test::suite_seed(), 13);
    Misses misses;
    for (std::size_t trial = 0; trial < trials; ++trial)
      misses.count(*mean_region(*noisy_mean(whitened_query(stream, off)), {.distribution = {.target = MeanTarget::Population}}), {off, 0});
    const test::Verdict verdict = misses.verdict(fmt::format("clipped, {} deviations off", off));
    EXPECT_FALSE(verdict.red) << verdict.worst;
    // Nor is it wider than it must be: a region widened by a bound of the bias missed 0.01 of the
    // means one deviation off.
    EXPECT_GT(test::binomial_lower(trials, 0.04, misses.region), kFalseAlarm) << off;
  }
}

TEST(MeanCoverage, ThatForgetsTheNoiseIsCaught) {
  // The region of sampling error alone, as if what was released were exact: at mu 0.2 noise is
  // larger than the sampling error.
  constexpr std::size_t kTrials = 600;
  test::declare_false_alarm("planted fault in coverage of means", 1e-10);
  InsecureStream stream(test::suite_seed(), 14);
  Misses misses;
  for (std::size_t trial = 0; trial < kTrials; ++trial) {
    NoisyMean mean = *noisy_mean(whitened_query(stream, 0, 0.2));
    mean.mix.assign(4, 0);
    for (std::size_t j = 0; j < 2; ++j) mean.mix[3 * j] = 1e-9;
    misses.count(*mean_region(mean, {.distribution = {.target = MeanTarget::Population}}), {0, 0});
  }
  EXPECT_TRUE(misses.verdict("noise forgotten").red);
}

TEST(MeanCoverage, OfTheTestIsItsLevel) {
  const auto trials = static_cast<std::size_t>(2000 / test::coarseness());
  test::declare_false_alarm("level of mean tests", kFalseAlarm);
  InsecureStream stream(test::suite_seed(), 15);
  std::uint64_t ratio = 0;
  std::uint64_t quadratic = 0;
  for (std::size_t trial = 0; trial < trials; ++trial) {
    const NoisyMean mean = *noisy_mean(whitened_query(stream, 0));
    const MeanDistributionOptions law{.target = MeanTarget::Population};
    ratio += test_mean(mean, {.null = {0, 0}, .alternative = {{1, 5}}, .distribution = law})->outcome == Outcome::Reject ? 1 : 0;
    quadratic += test_mean(mean, {.null = {0, 0}, .distribution = law})->outcome == Outcome::Reject ? 1 : 0;
  }
  const test::Verdict verdict = test::judge(
      {{"likelihood ratio", kMiss, ratio, test::Side::TooMany}, {"quadratic", kMiss, quadratic, test::Side::TooMany}}, trials, kFalseAlarm);
  EXPECT_FALSE(verdict.red) << verdict.worst;
}

}  // namespace
}  // namespace tacet::inference::mean_coverage_test
