// Intervals keep their level against the noise that the kernel draws. Each test draws tables with
// the production samplers, counts how often the true counts lie outside, and judges that count by
// an exact binomial tail; each is shown noise ten per cent larger than declared, which it must
// catch.
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tacet/exact/rounded_noise.h"
#include "tacet/inference/estimates/estimate.h"
#include "tacet/mechanisms/counts.h"

#include "mechanisms/released.h"
#include "support/law.h"
#include "support/promise.h"

namespace tacet::inference::coverage_test {
namespace {

using kernel::NoiseFamily;
using kernel::NoisePlan;
using mechanisms::CountMechanism;
using mechanisms::CountRelease;
using mechanisms::NoiseStructure;

constexpr double kFalseAlarm = 1e-10;
constexpr double kMiss = 1e-10;
constexpr double kConfidence = 0.9;
const std::vector<std::int64_t> kTruth = {0, 3, 60, 400, 2, 35};
constexpr double kPeople = 500;

struct Setting {
  CountMechanism mechanism;
  bool simultaneous;
};

NoisePlan plan_for(CountMechanism mechanism) {
  const privacy::Loss loss = mechanism == CountMechanism::Laplace ? test::epsilon("0.5") : test::rho("0.125");
  return *mechanisms::plan_counts(mechanism, test::sensitivity_of_counts(kernel::Relation::ReplaceOne), loss);
}

/// Tables as describe_counts makes them, with noise `factor` times as large as the plan says.
class Tables {
 public:
  Tables(CountMechanism mechanism, double factor, std::uint64_t stream)
      : mechanism_(mechanism),
        plan_(plan_for(mechanism)),
        gaussian_(*exact::RoundedNoise::gaussian(std::ldexp(plan_.scale * factor, plan_.grid_log2))),
        laplace_(*exact::RoundedNoise::laplace(std::ldexp(plan_.scale * factor, plan_.grid_log2))),
        bits_(stream) {
    release_.shape = {kTruth.size()};
    release_.grid = std::ldexp(1.0, -plan_.grid_log2);
    release_.n = kPeople;
    release_.noise = {plan_.family, plan_.scale,
                      mechanism == CountMechanism::RankDeficient ? NoiseStructure::SumZero : NoiseStructure::Independent};
  }

  const CountRelease& next() {
    release_.values.clear();
    for (const std::int64_t count : kTruth) {
      const Int128 noise = plan_.family == NoiseFamily::Gaussian ? gaussian_.draw(bits_) : laplace_.draw(bits_);
      release_.values.push_back(std::ldexp(static_cast<double>(Int128{count} * (Int128{1} << plan_.grid_log2) + noise), -plan_.grid_log2));
    }
    if (mechanism_ == CountMechanism::RankDeficient) mechanisms::keep_total(release_.values, kPeople);
    return release_;
  }

 private:
  CountMechanism mechanism_;
  NoisePlan plan_;
  exact::RoundedNoise gaussian_;
  exact::RoundedNoise laplace_;
  test::InsecureSeededBits bits_;
  CountRelease release_{};
};

std::string words(const Setting& setting) {
  return fmt::format("{}, {}", name(setting.mechanism), setting.simultaneous ? "simultaneous" : "marginal");
}

double margin_of(const Setting& setting) {
  Tables tables(setting.mechanism, 1, 0);
  return estimate(tables.next(),
                  {.confidence = kConfidence, .intervals = setting.simultaneous ? IntervalKind::Simultaneous : IntervalKind::Marginal})
      ->margin;
}

/// How often the interval of the first cell, or some interval, missed its true count in n tables.
std::uint64_t misses(const Setting& setting, double factor, std::uint64_t n, std::uint64_t stream) {
  // The margin depends on the law alone; that the intervals are the values give or take it,
  // Intervals.NarrowingLosesNoTrueCount shows.
  const double margin = margin_of(setting);
  Tables tables(setting.mechanism, factor, stream);
  std::uint64_t missed = 0;
  for (std::uint64_t trial = 0; trial < n; ++trial) {
    const CountRelease& release = tables.next();
    bool outside = false;
    const std::size_t cells = setting.simultaneous ? kTruth.size() : 1;
    for (std::size_t i = 0; i < cells; ++i) outside = outside || std::abs(release.values[i] - static_cast<double>(kTruth[i])) > margin;
    missed += outside ? 1 : 0;
  }
  return missed;
}

/// The exact probability of a miss for independent cells, from the closed form of the rounded noise
/// with `factor`.
double exact_miss(const Setting& setting, double factor) {
  const NoisePlan plan = plan_for(setting.mechanism);
  const auto family = plan.family == NoiseFamily::Gaussian ? test::Family::Gaussian : test::Family::Laplace;
  const auto q = static_cast<Int128>(std::ldexp(margin_of(setting), plan.grid_log2));
  const double inside = test::probability(family, std::ldexp(plan.scale * factor, plan.grid_log2), -q, q);
  return 1 - std::pow(inside, setting.simultaneous ? static_cast<double>(kTruth.size()) : 1.0);
}

/// Enough tables to tell noise ten per cent larger, for every setting: a miss of 0.1 becomes one of
/// at least 0.13.
std::uint64_t tables_needed(const Setting& setting) {
  const bool sum_zero = setting.mechanism == CountMechanism::RankDeficient;
  const double faulty = sum_zero ? 0.13 : exact_miss(setting, 1.1);
  return test::draws_to_tell(1 - kConfidence, faulty, 1, kFalseAlarm, kMiss);
}

class Coverage : public ::testing::TestWithParam<Setting> {};

TEST_P(Coverage, IsKeptAgainstTheNoiseOfTheRealSamplers) {
  const Setting& setting = GetParam();
  const bool sum_zero = setting.mechanism == CountMechanism::RankDeficient;
  const double expected = sum_zero ? 1 - kConfidence : exact_miss(setting, 1);
  EXPECT_LE(expected, (1 - kConfidence) * (1 + 1e-12));
  EXPECT_GE(expected, (1 - kConfidence) * 0.99) << "intervals are wider than they need to be";
  const std::uint64_t n = tables_needed(setting);
  test::declare_false_alarm("coverage of " + words(setting), kFalseAlarm);
  // Sum-zero intervals are at most one step of the grid too wide, a thousandth of the scale: only
  // too many misses are a fault.
  const std::vector<test::Event> events = {
      {words(setting), expected, misses(setting, 1, n, 7), sum_zero ? test::Side::TooMany : test::Side::Both}};
  const test::Verdict verdict = test::judge(events, n, kFalseAlarm);
  EXPECT_FALSE(verdict.red) << verdict.worst;
}

TEST_P(Coverage, CatchesNoiseTenPerCentLargerThanDeclared) {
  const Setting& setting = GetParam();
  const std::uint64_t n = tables_needed(setting);
  test::declare_false_alarm("planted fault in coverage of " + words(setting), kMiss);
  const test::Verdict verdict =
      test::judge({{words(setting), 1 - kConfidence, misses(setting, 1.1, n, 8), test::Side::TooMany}}, n, kFalseAlarm);
  EXPECT_TRUE(verdict.red) << verdict.worst;
}

INSTANTIATE_TEST_SUITE_P(All, Coverage,
                         ::testing::Values(Setting{CountMechanism::Gaussian, true}, Setting{CountMechanism::Gaussian, false},
                                           Setting{CountMechanism::RankDeficient, true}, Setting{CountMechanism::RankDeficient, false},
                                           Setting{CountMechanism::Laplace, true}, Setting{CountMechanism::Laplace, false}),
                         [](const auto& each) {
                           std::string name = words(each.param);
                           std::erase_if(name, [](char c) { return c == ',' || c == ' ' || c == '-'; });
                           return name;
                         });

// From end to end: charged, drawn by kernel::release, described, estimated; every interval as the
// caller sees it.
TEST(EndToEnd, IntervalsAsTheyAreShownKeepTheirLevel) {
  constexpr std::uint64_t kTables = 400;
  test::declare_false_alarm("coverage from end to end", 3 * kFalseAlarm);
  for (const CountMechanism mechanism : {CountMechanism::Gaussian, CountMechanism::RankDeficient, CountMechanism::Laplace}) {
    std::uint64_t missed = 0;
    for (std::uint64_t trial = 0; trial < kTables; ++trial) {
      const auto noisy = test::released(kTruth, kernel::Relation::ReplaceOne,
                                        mechanism == CountMechanism::Laplace ? test::epsilon("0.5") : test::rho("0.125"), 100 + trial);
      const CountRelease release = mechanisms::describe_counts(noisy, mechanism, {{"cell", {"a", "b", "c", "d", "e", "f"}}},
                                                               test::people(static_cast<std::int64_t>(kPeople)), {});
      const auto result = estimate(release, {.confidence = kConfidence});
      bool outside = false;
      for (std::size_t i = 0; i < kTruth.size(); ++i) {
        const auto count = static_cast<double>(kTruth[i]);
        outside = outside || count < result->lower[i] || count > result->upper[i];
      }
      missed += outside ? 1 : 0;
    }
    const test::Verdict verdict =
        test::judge({{std::string(name(mechanism)), 1 - kConfidence, missed, test::Side::TooMany}}, kTables, kFalseAlarm);
    EXPECT_FALSE(verdict.red) << verdict.worst;
  }
}

TEST(EndToEnd, AddOrRemoveOneHasNoTotalToNarrowTo) {
  const auto noisy = test::released({0, 1'000'000}, kernel::Relation::AddOrRemoveOne, test::rho("0.125"));
  const CountRelease release = mechanisms::describe_counts(noisy, CountMechanism::Gaussian, {{"cell", {"a", "b"}}}, std::nullopt, {});
  const auto result = estimate(release, {});
  EXPECT_EQ(result->upper[1], std::floor(release.values[1] + result->margin));
  EXPECT_GE(result->lower[0], 0);
  EXPECT_FALSE(estimate(release, {.project = Projection::Simplex}).ok());
}

}  // namespace
}  // namespace tacet::inference::coverage_test
