// One clipped combination: against formulas by hand, against every other direction, centre and
// radius, against all bounded statistics of a row, and against simulated releases.
#include "tacet/planning/combination.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "tacet/inference/means/mean_hypothesis.h"
#include "tacet/mechanisms/query_release.h"
#include "tacet/numeric/insecure_stream.h"
#include "tacet/numeric/normal.h"
#include "tacet/planning/mean_query_plan.h"
#include "tacet/planning/query_map.h"

namespace tacet::planning::combination_test {
namespace {

/// The blood tests of Adjusted, example 1: epsilon = 1, delta = 0.02.
const mechanisms::Matrix kBlood = {
    6, 6, {1600, -160, -400, 840,  800, -40, -160, 400,  160, -175, -200, 0,   -400, 160, 1600, 280, 600, 0,
           840,  -175, 280,  1225, 700, -35, 800,  -200, 600, 700,  2500, -50, -40,  0,   0,    -35, -50, 100}};
const std::vector<double> kEta = {10, 5, 10, 8.75, 12.5, 2.5};
constexpr double kMu = 1 / 1.6487997777697163;
constexpr double kAlpha = 0.05;

/// Mean and variance of a normal variable with mean m and variance 1, clipped to [-R, R].
struct Moments {
  double mean, variance;
};
Moments clipped_moments(double m, double radius) {
  const auto density = [](double x) { return std::exp(-x * x / 2) / std::sqrt(2 * M_PI); };
  const double a = -radius - m;
  const double b = radius - m;
  const double below = numeric::normal_lower(a);
  const double above = numeric::normal_upper(b);
  const double within = 1 - below - above;
  const double first = m * within + density(a) - density(b) + radius * (above - below);
  const double second =
      (m * m + 1) * within + 2 * m * (density(a) - density(b)) + a * density(a) - b * density(b) + radius * radius * (below + above);
  return {first, second - first * first};
}

/// The power of the clipped combination with weights a and centre c eta, from its definition.
double power_by_hand(const std::vector<double>& a, double centre, double radius, double n) {
  double shift = 0;
  double variance = 0;
  for (std::size_t j = 0; j < a.size(); ++j) {
    shift += a[j] * kEta[j];
    for (std::size_t k = 0; k < a.size(); ++k) variance += a[j] * a[k] * kBlood.at(j, k);
  }
  const double delta = shift / std::sqrt(variance);
  const auto [m0, v0] = clipped_moments(-centre * delta, radius);
  const auto [m1, v1] = clipped_moments((1 - centre) * delta, radius);
  const double noise = std::pow(2 * radius / (kMu * n), 2);
  return numeric::normal_lower((m1 - m0 - numeric::normal_upper_quantile(kAlpha) * std::sqrt(v0 / n + noise)) / std::sqrt(v1 / n + noise));
}

TEST(Combination, HasThePowerOfItsDefinition) {
  const BestDirection best = best_direction(kBlood, kEta);
  EXPECT_NEAR(best.distance, 0.576266826891008, 1e-12);
  for (const double n : {20.0, 50.0, 1000.0}) {
    for (const double radius : {0.1, 0.9, 2.3, 5.0}) {
      EXPECT_NEAR(combination_power({best.distance, kMu, n}, radius, kAlpha), power_by_hand(best.weights, 0.5, radius, n), 1e-9)
          << n << " " << radius;
    }
  }
  // Independent values: 0.8610 with clipping counted, 0.868 without it.
  EXPECT_NEAR(combination_power({best.distance, kMu, 50}, rare_radius(50), kAlpha), 0.8610203387347213, 1e-9);
  EXPECT_NEAR(best_radius({best.distance, kMu, 50}), 0.8878900974283288, 1e-4);
  EXPECT_NEAR(combination_power({best.distance, kMu, 50}, best_radius({best.distance, kMu, 50}), kAlpha), 0.9479112662803606, 1e-9);
}

TEST(Combination, NoOtherDirectionCentreOrRadiusHasMorePower) {
  const BestDirection best = best_direction(kBlood, kEta);
  numeric::InsecureStream stream(7, 0);
  for (const double n : {30.0, 50.0, 80.0}) {
    const double radius = best_radius({best.distance, kMu, n});
    const double most = combination_power({best.distance, kMu, n}, radius, kAlpha);
    const double rare = combination_power({best.distance, kMu, n}, rare_radius(n), kAlpha);
    for (int trial = 0; trial < 2000; ++trial) {
      std::vector<double> a = best.weights;
      const double apart = std::exp(-6 * stream.uniform());
      for (std::size_t j = 0; j < a.size(); ++j) a[j] += apart * (2 * stream.uniform() - 1) / std::sqrt(kBlood.at(j, j));
      const double other_radius = radius * std::exp(4 * stream.uniform() - 2);
      const double centre = 2 * stream.uniform() - 0.5;
      EXPECT_LE(power_by_hand(a, 0.5, other_radius, n), most + 1e-9);
      EXPECT_LE(power_by_hand(a, centre, other_radius, n), most + 0.002) << "the middle is nearly the best centre";
      EXPECT_LE(power_by_hand(a, 0.5, rare_radius(n), n), rare + 1e-9) << "another direction, clipped as rarely";
    }
  }
}

TEST(Combination, IsNearTheBestBoundedStatisticOfARow) {
  // The best statistic h with |h| <= 1 is (A r + B)/(1 - w + w r), clipped, of the likelihood ratio
  // r for some A, B and w: docs/explanation/one_combination.md. Here they are searched.
  const double d = best_direction(kBlood, kEta).distance;
  constexpr double kN = 50;
  constexpr double kStep = 0.01;
  std::vector<double> ratio, null, alternative;
  for (double t = -8; t < 8.6; t += kStep) {
    null.push_back(std::exp(-t * t / 2) / std::sqrt(2 * M_PI) * kStep);
    alternative.push_back(std::exp(-(t - d) * (t - d) / 2) / std::sqrt(2 * M_PI) * kStep);
    ratio.push_back(std::exp(d * (t - d / 2)));
  }
  const double noise = std::pow(2 / (kMu * kN), 2);
  const auto power = [&](double first, double second, double w) {
    double m0 = 0, m1 = 0, s0 = 0, s1 = 0;
    for (std::size_t i = 0; i < ratio.size(); ++i) {
      const double h = std::clamp((first * ratio[i] + second) / (1 - w + w * ratio[i]), -1.0, 1.0);
      m0 += h * null[i], m1 += h * alternative[i], s0 += h * h * null[i], s1 += h * h * alternative[i];
    }
    return numeric::normal_lower((m1 - m0 - numeric::normal_upper_quantile(kAlpha) * std::sqrt((s0 - m0 * m0) / kN + noise)) /
                                 std::sqrt((s1 - m1 * m1) / kN + noise));
  };
  numeric::InsecureStream stream(17, 0);
  double best[3] = {1, -1, 0.5};
  double most = power(1, -1, 0.5);
  for (int trial = 0; trial < 6000; ++trial) {
    const double apart = std::exp(-6 * stream.uniform());
    const double first = best[0] * std::exp(2 * apart * (2 * stream.uniform() - 1));
    const double second = best[1] * std::exp(2 * apart * (2 * stream.uniform() - 1));
    const double w = std::clamp(best[2] + apart * (2 * stream.uniform() - 1), 0.0, 1.0);
    const double reached = power(first, second, w);
    if (reached > most) most = reached, best[0] = first, best[1] = second, best[2] = w;
  }
  const double ours = combination_power({d, kMu, kN}, best_radius({d, kMu, kN}), kAlpha);
  EXPECT_GE(most, ours - 1e-4) << "the search finds at least as much";
  EXPECT_GE(ours, most - 0.002);
}

TEST(Combination, NeedsFewerPeopleThanTheWhitenedQuery) {
  const MeanPlan plan{.covariance = kBlood, .mu = kMu};
  const auto people = [&](MeanQuery query) { return *people_for_mean_test(plan, query, kEta, 0.8, kAlpha); };
  // Of the search in double arithmetic that is independent of this project, with clipping counted.
  EXPECT_EQ(people(MeanQuery::NormalCombination), 34);
  EXPECT_LE(people(MeanQuery::Combination), 44);
  EXPECT_GE(people(MeanQuery::Combination), 43);
  EXPECT_GE(people(MeanQuery::Whitened), 66);
  const auto power = [&](MeanQuery query) { return *mean_test_power(plan, query, kEta, 50, kAlpha); };
  EXPECT_NEAR(power(MeanQuery::Whitened), 0.628, 0.02);
  EXPECT_NEAR(power(MeanQuery::Combination), 0.868, 0.01);
  EXPECT_NEAR(power(MeanQuery::NormalCombination), 0.948, 1e-3);
}

/// What release query --goal test or normal-test writes for simulated normal rows.
mechanisms::QueryRelease simulated_release(const QueryMap& query, double n, double mean, numeric::InsecureStream& stream) {
  mechanisms::QueryRelease release{};
  release.header.statement = R"({"by": "test"})";
  release.columns = {"a", "b", "c", "d", "e", "f"};
  for (const double one : kEta) release.centre.push_back(one / 2);
  release.map = query.map;
  release.radius = query.radius;
  release.scale = 2 * query.radius / kMu;
  const auto normal = [&] { return numeric::normal_upper_quantile(stream.uniform()); };
  double sum = release.scale * normal();
  for (int i = 0; i < static_cast<int>(n); ++i) sum += std::clamp(mean + normal(), -query.radius, query.radius);
  release.parts = {{.n = n, .sums = {sum}}};
  return release;
}

TEST(Combination, ReleasesHaveTheLevelAndThePowerThatThePlanForetells) {
  constexpr double kN = 50;
  constexpr int kTrials = 4000;
  numeric::InsecureStream stream(11, 0);
  const double distance = best_direction(kBlood, kEta).distance;
  for (const bool normal : {false, true}) {
    const QueryMap query = *test_map(kBlood, kEta, {.n = 50}, normal ? std::optional(kMu) : std::nullopt);
    const double foretold = combination_power({distance, kMu, kN}, query.radius, kAlpha);
    double rejected[2] = {0, 0};
    double told = 0;
    for (int trial = 0; trial < kTrials; ++trial) {
      for (const int truth : {0, 1}) {
        const auto release = simulated_release(query, kN, (truth - 0.5) * distance, stream);
        const inference::NoisyMean mean = *inference::noisy_mean(release);
        const auto test = inference::test_mean(
            mean, {.null = {0}, .alternative = {{distance}}, .distribution = {.target = inference::MeanTarget::Population}});
        ASSERT_TRUE(test.ok()) << test.error().message();
        rejected[truth] += test->outcome == inference::Outcome::Reject ? 1 : 0;
        told = *test->power;
      }
    }
    // With a fixed seed; four standard errors of 4000 trials are 0.014 at 0.05.
    EXPECT_NEAR(rejected[0] / kTrials, kAlpha, 0.014) << normal;
    EXPECT_NEAR(rejected[1] / kTrials, foretold, 0.022) << normal;
    EXPECT_NEAR(told, foretold, 1e-9) << "inference and plan are the same formula";
  }
}

TEST(QueryMap, RefusesWhatItCannotUse) {
  EXPECT_EQ(test_map(kBlood, {0, 0, 0, 0, 0, 0}, {.n = 50}, {}).error().name(), "direction");
  EXPECT_EQ(test_map(kBlood, {1, 2}, {.n = 50}, {}).error().name(), "direction");
  EXPECT_EQ(test_map(kBlood, kEta, {}, {}).error().name(), "n");
  EXPECT_EQ(whitened_map(kBlood, {.n = 50, .gamma = 0.1, .radius = 3}).error().name(), "radius");
  EXPECT_EQ(whitened_map(kBlood, {.gamma = 0.9}).error().name(), "gamma");
  EXPECT_EQ(weighted_map({1, 2}, {}, {.n = 50}).error().name(), "radius");
  EXPECT_EQ(weighted_map({1, 0}, {}, {.radius = 3}).error().name(), "weights");
}

TEST(QueryMap, ClipsTheShareOfRowsThatWasAskedFor) {
  for (const double gamma : {0.01, 1e-4}) {
    EXPECT_NEAR(*clipped_share(*whitened_map(kBlood, {.gamma = gamma}), kBlood) / gamma, 1, 1e-8);
    EXPECT_NEAR(*clipped_share(*least_squares_map(kBlood, {.gamma = gamma}), kBlood) / gamma, 1, 1e-8);
    EXPECT_NEAR(*clipped_share(*weighted_map({1, 1, 1, 1, 1, 1}, kBlood, {.gamma = gamma}), kBlood) / gamma, 1, 1e-8);
    EXPECT_NEAR(*clipped_share(*test_map(kBlood, kEta, {.gamma = gamma}, {}), kBlood) / gamma, 1, 1e-8);
  }
  // Standard deviations alone do not know that the columns are correlated.
  std::vector<double> sd;
  for (std::size_t j = 0; j < 6; ++j) sd.push_back(std::sqrt(kBlood.at(j, j)));
  EXPECT_GT(*clipped_share(*scaled_map(sd, {.n = 20000}), kBlood), 5 / 20000.0);
}

}  // namespace
}  // namespace tacet::planning::combination_test
