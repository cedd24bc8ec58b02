#include "tacet/inference/counts/noised_gwas.h"

#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tacet/numeric/insecure_counts.h"

#include "support/promise.h"

namespace tacet::inference {
namespace {

/// P[chi2_2 + s N > q] as an integral over the exponential law, by Simpson's rule: shares nothing
/// with the closed form.
double convolved(double q, double s) {
  constexpr int kSteps = 40'000;
  constexpr double kStep = 120.0 / kSteps;
  double sum = 0;
  for (int i = 0; i <= kSteps; ++i) {
    const double x = i * kStep;
    sum += (i == 0 || i == kSteps ? 1 : i % 2 == 1 ? 4 : 2) * 0.25 * std::exp(-x / 2) * std::erfc((q - x) / (s * std::numbers::sqrt2));
  }
  return sum * kStep / 3;
}

TEST(GwasCritical, IsExceededWithProbabilityAlpha) {
  for (const auto& [n, rho] : {std::pair(1000.0, 0.01), std::pair(5000.0, 0.00125), std::pair(500.0, 0.1)}) {
    const double s = 4 * n / (n + 2) / std::sqrt(2 * rho);
    EXPECT_NEAR(convolved(*gwas_critical(n, rho, 0.05), s), 0.05, 1e-12);
  }
}

// Values of a general quadrature and root finder (scipy): their tails are 0.05 to 5e-8 only, by the
// integral above, so neither are they better than a relative 4e-7.
TEST(GwasCritical, AgreesWithIndependentValuesAsFarAsTheseAreAccurate) {
  EXPECT_NEAR(*gwas_critical(1000, 0.01, 0.05), 48.55253704639474, 4e-7 * 48);
  EXPECT_NEAR(*gwas_critical(5000, 0.00125, 0.05), 133.57751361258886, 4e-9 * 133);
  EXPECT_NEAR(*gwas_critical(500, 0.1, 0.05), 17.064761892911736, 4e-9 * 17);
}

TEST(GwasCritical, IsThatOfChiSquareWhereThereIsLittleNoise) { EXPECT_NEAR(*gwas_critical(1e6, 1e10, 0.05), 5.991464547107979, 1e-5); }

TEST(GwasCritical, RefusesWhatIsOutsideItsDomain) {
  EXPECT_EQ(gwas_critical(1, 0.1, 0.05).error().name(), "n");
  EXPECT_EQ(gwas_critical(100, 0, 0.05).error().name(), "rho");
  EXPECT_EQ(gwas_critical(100, 0.1, 0.7).error().name(), "alpha");
  EXPECT_EQ(gwas_noise(1, 0.1).error().name(), "n");
  EXPECT_EQ(gwas_p_value(NAN, 100, 0.1).error().name(), "noised");
  EXPECT_EQ(test_noised_gwas(3, 101, 0.1, 0.05).error().name(), "n");
  EXPECT_EQ(test_noised_gwas(3, 100, -1, 0.05).error().name(), "rho");
  EXPECT_EQ(test_noised_gwas(3, 100, 1, 0).error().name(), "alpha");
  const std::vector<double> third(3, 1.0 / 3);
  EXPECT_EQ(gwas_power(std::vector{0.5, 0.5}, third, 100, 0.1, 0.05).error().name(), "cases");
  EXPECT_EQ(gwas_power(third, std::vector{0.5, 0.5, 0.5}, 100, 0.1, 0.05).error().name(), "controls");
  EXPECT_EQ(gwas_power(third, third, 101, 0.1, 0.05).error().name(), "n");
}

// The first term overflows where it is not paired with the second: noise of 2.8 million. Then T is
// nearly normal.
TEST(GwasCritical, HoldsWhereTheNoiseIsEnormous) {
  const double s = *gwas_noise(1e6, 1e-12);
  EXPECT_NEAR(*gwas_critical(1e6, 1e-12, 0.05), 1.6448536269514722 * s + 2, 1e-5);
  EXPECT_NEAR(*gwas_p_value(0, 1e6, 1e-12), 0.5 + 2 / s / std::sqrt(2 * std::numbers::pi), 1e-12);
}

TEST(GwasPValue, IsTheTailOfTheSum) {
  for (const double rho : {0.001, 0.1, 50.0}) {
    const double s = *gwas_noise(1000, rho);
    for (const double t : {-1.5 * s, 0.0, 3.0, s, 4 * s})
      EXPECT_NEAR(*gwas_p_value(t, 1000, rho), convolved(t, s), 1e-11) << rho << " " << t;
    EXPECT_NEAR(*gwas_p_value(*gwas_critical(1000, rho, 0.01), 1000, rho), 0.01, 1e-13);
  }
}

/// Pearson's statistic of genotypes by group, with its noise: a cell that nobody has adds nothing.
double noised_statistic(numeric::InsecureStream& stream, const std::vector<double>& cases, const std::vector<double>& controls, double n,
                        double s) {
  std::vector<double> a(3);
  std::vector<double> b(3);
  std::vector<double> noise(1);
  numeric::draw_multinomials(stream, n / 2, cases, 1, a);
  numeric::draw_multinomials(stream, n / 2, controls, 1, b);
  stream.fill_normal(noise);
  double statistic = s * noise[0];
  for (std::size_t i = 0; i < 3; ++i) statistic += a[i] + b[i] > 0 ? (a[i] - b[i]) * (a[i] - b[i]) / (a[i] + b[i]) : 0;
  return statistic;
}

// 40,000 tables: sees a level of 0.058 in place of 0.05, and a power that is off by 0.04, of
// Rogers' alternative (figure 23).
TEST(NoisedGwas, KeepsItsLevelAndReachesItsPower) {
  test::declare_false_alarm("level and power of output perturbation", 1e-9);
  const std::vector<double> third(3, 1.0 / 3);
  const std::vector<double> half = {0.5, 0.25, 0.25};
  const auto trials = static_cast<std::uint64_t>(40'000 / test::coarseness());
  for (const auto& [n, rho] : {std::pair(1000.0, 0.02), std::pair(400.0, 2.0)}) {
    numeric::InsecureStream stream(test::suite_seed(), static_cast<std::uint64_t>(n));
    const double s = *gwas_noise(n, rho);
    const double critical = *gwas_critical(n, rho, 0.05);
    std::uint64_t false_alarms = 0;
    std::uint64_t found = 0;
    for (std::uint64_t i = 0; i < trials; ++i) {
      false_alarms += noised_statistic(stream, half, half, n, s) > critical ? 1 : 0;
      found += noised_statistic(stream, third, half, n, s) > critical ? 1 : 0;
    }
    EXPECT_FALSE(test::judge({{"level", 0.05, false_alarms, test::Side::TooMany}}, trials, 1e-10).red)
        << static_cast<double>(false_alarms) / static_cast<double>(trials);
    const double power = *gwas_power(third, half, n, rho, 0.05);
    EXPECT_TRUE(power > 0.2 && power < 0.95) << power;
    EXPECT_NEAR(static_cast<double>(found) / static_cast<double>(trials), power, 0.02 + 3.5 / std::sqrt(static_cast<double>(trials)));
  }
}

// With little noise the law is noncentral chi-square, with much of it normal.
TEST(NoisedGwas, PowerHasItsLimits) {
  const std::vector<double> third(3, 1.0 / 3);
  const std::vector<double> half = {0.5, 0.25, 0.25};
  const double noncentrality = 200 / 35.0;  // (1/36)/(5/3) + 2 (1/144)/(7/6) = 1/35
  const auto law = numeric::WeightedChi2::of(std::vector<numeric::ChiTerm>{{.weight = 1, .df = 2, .noncentrality = noncentrality}});
  EXPECT_NEAR(*gwas_power(third, half, 200, 1e12, 0.05), law->upper(5.991464547107979), 1e-6);
  EXPECT_NEAR(*gwas_power(half, half, 1000, 0.01, 0.05), 0.05, 1e-10);
  EXPECT_NEAR(*gwas_power(third, half, 1e6, 0.01, 0.05), 1, 1e-12);
  EXPECT_NEAR(*gwas_power(third, half, 200, 1e-12, 0.05), 0.05, 1e-5);
}

TEST(NoisedGwas, DecidesAndSaysWhyItCannot) {
  EXPECT_EQ(test_noised_gwas(61.3, 1000, 0.01, 0.05)->outcome, Outcome::Reject);
  const auto retained = test_noised_gwas(-12, 1000, 0.01, 0.05);
  EXPECT_EQ(retained->outcome, Outcome::Retain);
  EXPECT_EQ(retained->df, 2);
  EXPECT_NEAR(*retained->power, 0.05, 1e-10);
  const auto few = test_noised_gwas(61.3, 28, 0.01, 0.05);
  EXPECT_EQ(few->outcome, Outcome::Inconclusive);
  EXPECT_EQ(few->reason, "among 28 people some of the six cells expect fewer than 5, so the limit for large n cannot be trusted");
}

}  // namespace
}  // namespace tacet::inference
