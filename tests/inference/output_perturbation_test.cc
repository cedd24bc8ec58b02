#include "tacet/inference/output_perturbation.h"

#include <cmath>
#include <numbers>
#include <utility>

#include <gtest/gtest.h>

namespace tacet::inference {
namespace {

/// P[chi2_2 + s N > q] as an integral over the exponential law, by Simpson's rule: shares nothing with the closed form.
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

// Values of a general quadrature and root finder (scipy): their tails are 0.05 to 5e-8 only, by the integral above, so neither are they
// better than a relative 4e-7.
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
}

}  // namespace
}  // namespace tacet::inference
