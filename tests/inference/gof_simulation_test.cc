#include "tacet/inference/counts/gof_simulation.h"

#include <cmath>

#include <gtest/gtest.h>

#include "tacet/numeric/insecure_counts.h"

#include "inference/drawn_release.h"
#include "support/promise.h"

namespace tacet::inference::gof_simulation_test {
namespace {

using kernel::NoiseFamily;
using mechanisms::NoiseDistribution;
using mechanisms::NoiseStructure;

constexpr auto kClassical = GofStatistic::Classical;
constexpr auto kProjected = GofStatistic::Projected;
constexpr auto kNonprojected = GofStatistic::Nonprojected;

const std::vector<double> kSkewed = {0.6, 0.25, 0.1, 0.04, 0.01};
const std::vector<double> kOther = {0.57, 0.26, 0.11, 0.05, 0.01};

GofSetting setting(double n, const NoiseDistribution& law, GofStatistic statistic) {
  return {*GofDesign::of(kSkewed, n, cell_noise(law)), statistic, {law, {}}, true, {}};
}

TEST(SimulateGof, IsTheSameForEveryNumberOfThreads) {
  for (const bool n_public : {true, false}) {
    for (const Projection project : {Projection::None, Projection::Nonnegative}) {
      const GofSetting tested{
          *GofDesign::of(kSkewed, 500, {.variance = 18}), kClassical, {laplace(3), 0x1p-10}, n_public, {.project = project}};
      Simulation simulation{.draws = 1001, .seed = 5, .threads = 1};
      const auto one = simulate_gof(tested, kSkewed, simulation);
      simulation.threads = 3;
      EXPECT_EQ(simulate_gof(tested, kSkewed, simulation), one);
      EXPECT_EQ(one.size(), 1001);
    }
  }
}

// With many people the simulated law is the normal limit: its upper quantile is exceeded with
// probability 0.05. Sees 0.0445 or 0.0555.
TEST(SimulateGof, FollowsTheNormalLimitOfLargeTables) {
  test::declare_false_alarm("simulated null laws", 5e-10);
  for (const auto& law : {gaussian(500), sum_zero(500)}) {
    for (const GofStatistic statistic : {kClassical, kProjected, kNonprojected}) {
      const GofSetting tested = setting(1e6, law, statistic);
      const double critical = *gof_critical(tested.design, statistic, 0.05);
      const std::size_t draws = 200'000;
      const auto simulated = simulate_gof(tested, kSkewed, {.draws = draws, .seed = test::suite_seed()});
      std::uint64_t above = 0;
      for (const double t : simulated) above += t > critical ? 1 : 0;
      EXPECT_NEAR(static_cast<double>(above) / static_cast<double>(draws), 0.05,
                  0.0005 + 6.5 * std::sqrt(0.05 * 0.95 / static_cast<double>(draws)));
    }
  }
}

// The blocks of the simulation and tables that are made and tested one by one are two codes for one
// law. Sees quantiles that are off by 0.02.
TEST(SimulateGof, HasTheLawOfTablesThatAreTestedOneByOne) {
  test::declare_false_alarm("tables one by one", 9e-10);
  struct Way {
    NoiseDistribution law;
    bool n_public;
    GofStatistic statistic;
    DenoiseOptions denoise;
  };
  const std::vector<Way> ways = {{gaussian(9), true, kProjected, {}},
                                 {laplace(6), false, kClassical, {}},
                                 {gaussian(9), true, kClassical, {.shrink = Shrinkage::TowardsMean}},
                                 {sum_zero(9), true, kClassical, {.shrink = Shrinkage::PositivePart, .project = Projection::Simplex}},
                                 {gaussian(9), true, kClassical, {.shrink = Shrinkage::RankDeficient, .project = Projection::Simplex}},
                                 {gaussian(9), false, kClassical, {.shrink = Shrinkage::TowardsZero}},
                                 {laplace(6), false, kClassical, {.project = Projection::Nonnegative}}};
  const auto draws = static_cast<std::size_t>(40'000 / test::coarseness());
  for (const Way& way : ways) {
    const GofSetting tested{*GofDesign::of(kSkewed, 300, cell_noise(way.law)), way.statistic, {way.law, {}}, way.n_public, way.denoise};
    auto simulated = simulate_gof(tested, kOther, {.draws = draws, .seed = test::suite_seed()});
    numeric::InsecureStream stream(test::suite_seed(), 97);
    std::vector<double> values(5);
    std::vector<double> noise(5);
    std::vector<double> single;
    for (std::size_t i = 0; i < draws; ++i) {
      numeric::draw_multinomials(stream, 300, kOther, 1, values);
      way.law.family == NoiseFamily::Laplace ? stream.fill_laplace(noise) : stream.fill_normal(noise);
      double mean = 0;
      for (const double z : noise) mean += way.law.structure == NoiseStructure::SumZero ? z / 5 : 0;
      for (std::size_t j = 0; j < 5; ++j) values[j] += way.law.scale * (noise[j] - mean);
      single.push_back(*gof_statistic_of(tested, values));
    }
    // Kolmogorov and Smirnov's distance of two samples: above 2 sqrt(l/m) with probability at most
    // 2 exp(-2 l) each (Massart, both samples).
    std::sort(simulated.begin(), simulated.end());
    std::sort(single.begin(), single.end());
    double distance = 0;
    for (std::size_t i = 0; i < draws; ++i) {
      const auto below = std::upper_bound(simulated.begin(), simulated.end(), single[i]) - simulated.begin();
      distance = std::max(distance, std::abs(static_cast<double>(below) - static_cast<double>(i + 1)) / static_cast<double>(draws));
    }
    const double most = 2 * std::sqrt(std::log(4 / 1e-10) / 2 / static_cast<double>(draws));
    EXPECT_LT(distance, most);
  }
}

TEST(SimulateGof, HasInfiniteStatisticsWhereNobodyIsLeft) {
  const GofSetting tested{*GofDesign::of(kSkewed, 1, {.variance = 100}), kClassical, {gaussian(10), {}}, false, {}};
  const auto simulated = simulate_gof(tested, kSkewed, {.draws = 100});
  EXPECT_TRUE(std::any_of(simulated.begin(), simulated.end(), [](double t) { return std::isinf(t); }));
  EXPECT_TRUE(std::none_of(simulated.begin(), simulated.end(), [](double t) { return std::isnan(t); }));
}

TEST(GofStatisticOf, KeepsWhatIsKnownOfTheTable) {
  const std::vector<double> values = {190, 70, 34, -4, 6};
  GofSetting tested = setting(300, gaussian(9), kClassical);
  EXPECT_EQ(*gof_statistic_of(tested, values), gof_statistic(tested.design, kClassical, values));
  tested.n_public = false;
  EXPECT_EQ(*gof_statistic_of(tested, values), gof_statistic_unknown_n(kSkewed, values));
  tested.denoise.project = Projection::Nonnegative;
  EXPECT_EQ(*gof_statistic_of(tested, values), gof_statistic_unknown_n(kSkewed, std::vector<double>{190, 70, 34, 0, 6}));
  tested.denoise = {.shrink = Shrinkage::RankDeficient};
  EXPECT_EQ(gof_statistic_of(tested, values).error().name(), "shrink");
  EXPECT_TRUE(std::isinf(gof_statistic_unknown_n(kSkewed, std::vector<double>{-5, 1, 1, 1, 1})));
}

TEST(GofStatisticOf, TakesTheTotalFromNoiseThatKeepsIt) {
  const std::vector<double> values = {194, 70, 34, -4, 6};
  GofSetting tested = setting(300, {kernel::NoiseFamily::Gaussian, 9, mechanisms::NoiseStructure::SumZero}, kClassical);
  tested.n_public = false;
  tested.denoise = {.shrink = Shrinkage::RankDeficient, .project = Projection::Nonnegative};
  const auto denoised = denoised_values(values, tested.noise.distribution, 300, tested.denoise);
  EXPECT_EQ(*gof_statistic_of(tested, values), gof_statistic_unknown_n(kSkewed, *denoised));
  for (const double t : simulate_gof(tested, kSkewed, {.draws = 100})) EXPECT_TRUE(std::isfinite(t));
}

// Six standard errors about the law for large n, which is exact to 0.003 here. Sees a standard
// error that is three times too small.
TEST(SimulatedPower, IsThePowerOfTheLawWithItsError) {
  test::declare_false_alarm("simulated power", 2e-9);
  const GofSetting tested = setting(1e6, gaussian(1500), kProjected);
  std::vector<double> other = kSkewed;
  other[0] += 0.003;
  other[1] -= 0.003;
  const double power = *gof_power(tested.design, kProjected, other, 0.05);
  EXPECT_TRUE(power > 0.2 && power < 0.8) << power;
  const Simulation simulation{.draws = 50'000, .seed = test::suite_seed()};
  const SimulatedPower simulated =
      simulated_power(simulate_gof(tested, kSkewed, simulation), simulate_gof(tested, other, {.draws = 50'000, .seed = 7}), 0.05);
  EXPECT_NEAR(simulated.power, power, 0.003 + 6.2 * simulated.standard_error);
  EXPECT_NEAR(simulated.critical, *gof_critical(tested.design, kProjected, 0.05), 0.3);
  // The power alone has an error of 0.0022; that of the critical value adds about as much.
  EXPECT_TRUE(simulated.standard_error > 0.0022 && simulated.standard_error < 0.006) << simulated.standard_error;
}

}  // namespace
}  // namespace tacet::inference::gof_simulation_test
