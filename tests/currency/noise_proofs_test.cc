#include "tacet/privacy/noise_proofs.h"

#include <chrono>
#include <cmath>
#include <cstdio>

#include <gtest/gtest.h>

#include "support/big.h"
#include "support/scripted_bits.h"

namespace tacet::privacy {
namespace {

using test::Big;

mpq_class square(double mu) { return mpq_class(mu) * mu; }

/// The largest double in (0, high) for which a falling predicate holds, to the last digit.
template <class Holds>
double last(double low, double high, const Holds& holds) {
  EXPECT_TRUE(holds(low));
  EXPECT_FALSE(holds(high));
  while (std::nextafter(low, high) < high) {
    const double middle = low < high / 4 ? std::sqrt(low * high) : low + (high - low) / 2;
    if (middle <= low || middle >= high) break;
    (holds(middle) ? low : high) = middle;
  }
  return low;
}

TEST(GaussianKeeps, AgreesWithMpfrOnBothSidesOfTheCurve) {
  test::InsecureStream stream(11);
  for (int i = 0; i < 400; ++i) {
    const double epsilon = std::exp(std::log(1e-6) + 20 * test::to_uniform(stream.next()));  // 1e-6 to 485
    const double mu = std::exp(std::log(1e-4) + 12 * test::to_uniform(stream.next()));       // 1e-4 to 16
    const Big delta = test::gaussian_delta(Big(epsilon), Big(mu));
    const double nearest = delta.nearest();
    if (!(nearest > 1e-300 && nearest < 1)) continue;
    const double above = std::nextafter(nearest, 1.0), below = std::nextafter(nearest, 0.0);
    ASSERT_TRUE(gaussian_keeps(square(mu), mpq_class(epsilon), mpq_class(above))) << epsilon << " " << mu;
    ASSERT_FALSE(gaussian_keeps(square(mu), mpq_class(epsilon), mpq_class(below))) << epsilon << " " << mu;
  }
}

TEST(GaussianKeeps, HasTheValuesOfOthers) {
  // As in calibration_test.cc: sigma for l2 = 1, epsilon = 1, delta = 1e-6 is 4.2246788893...
  EXPECT_TRUE(gaussian_keeps(1 / square(4.22467889), 1, mpq_class("1/1000000")));
  EXPECT_FALSE(gaussian_keeps(1 / square(4.22467888), 1, mpq_class("1/1000000")));
}

TEST(GaussianKeeps, ServesLargeEpsilonAndTinyDelta) {
  // At epsilon = 10^6 and delta = 10^-6 a lies near -4.75, and the second term, 0.3 % of the first,
  // still decides.
  const mpq_class delta("1/1000000");
  const double mu = last(1e3, 1e4, [&](double x) { return gaussian_keeps(square(x), 1'000'000, delta); });
  const auto exact = [](double x) { return test::gaussian_delta(Big(1e6), Big(x)); };
  EXPECT_LE(exact(mu), Big(1e-6));
  EXPECT_GT(exact(mu * (1 + 1e-14)), Big(1e-6));
  mpq_class tiny(1, mpz_class("1" + std::string(300, '0')));
  const double small = last(1e-3, 1, [&](double x) { return gaussian_keeps(square(x), 1, tiny); });
  EXPECT_LE(test::gaussian_delta(Big(1), Big(small)), Big(1e-300) * Big(1 + 1e-14));
  EXPECT_GT(test::gaussian_delta(Big(1), Big(small * (1 + 1e-14))), Big(1e-300));
}

TEST(GaussianKeeps, GrowsHarderWithMuAndEasierWithEpsilonAndDelta) {
  const mpq_class delta("1/100000");
  EXPECT_TRUE(gaussian_keeps(mpq_class(1, mpz_class(1) << 120), 1, delta));
  EXPECT_FALSE(gaussian_keeps(mpq_class(mpz_class(1) << 200), 1, delta));
  for (const mpq_class& wrong : {mpq_class(0), mpq_class(-1)}) {
    EXPECT_FALSE(gaussian_keeps(wrong, 1, delta));
    EXPECT_FALSE(gaussian_keeps(1, wrong, delta));
    EXPECT_FALSE(gaussian_keeps(mpq_class(1, 100), 1, wrong));
  }
}

/// log(Phi(mu/2)/Phi(-mu/2)) and -2 log(2 Phi(-mu/2)).
Big true_pure(double mu) { return log(test::normal_upper(Big(-mu / 2)) / test::normal_upper(Big(mu / 2))); }
Big true_one(double mu) { return Big(-2) * log(Big(2) * test::normal_upper(Big(mu / 2))); }

TEST(PureKeepsMu, IsTheConversionToTheLastDigit) {
  for (const double mu : {1e-9, 1e-4, 0.1, 0.5, 1.0, 3.0, 8.0, 15.0, 17.0, 40.0, 300.0}) {
    const double epsilon = last(1e-12, 1e6, [&](double x) { return pure_keeps_mu(mpq_class(x), square(mu)); });
    EXPECT_LE(Big(epsilon), true_pure(mu)) << mu;
    EXPECT_GT(Big(std::nextafter(epsilon, 1e7)), true_pure(mu)) << mu;
  }
  EXPECT_TRUE(pure_keeps_mu(0, 1));
  EXPECT_FALSE(pure_keeps_mu(-1, 1));
  EXPECT_FALSE(pure_keeps_mu(1, 0));
}

TEST(LaplaceKeepsMu, IsTheRuleOfOneDimensionToTheLastDigit) {
  for (const double mu : {1e-9, 1e-4, 0.1, 0.5, 1.0, 3.0, 8.0, 15.0, 17.0, 40.0, 300.0}) {
    const double ratio = last(1e-12, 1e6, [&](double x) { return laplace_keeps_mu(mpq_class(x), square(mu)); });
    EXPECT_LE(Big(ratio), true_one(mu)) << mu;
    EXPECT_GT(Big(std::nextafter(ratio, 1e7)), true_one(mu)) << mu;
  }
  EXPECT_FALSE(laplace_keeps_mu(-1, 1));
  EXPECT_FALSE(laplace_keeps_mu(1, 0));
}

TEST(LaplaceTableKeepsMu, IsSharperThanTheOtherRulesAndStopsAtTheLeastScale) {
  // The least scale for l1 = 2 at mu = 1 is 1.35890...: its true value to 12 digits is that of
  // tests/accounting/laplace_gdp_test.cc.
  const double ratio = last(1, 2, [](double x) { return laplace_table_keeps_mu(mpq_class(x), 1); });
  EXPECT_FALSE(laplace_keeps_mu(mpq_class(ratio), 1));
  EXPECT_FALSE(laplace_table_keeps_mu(mpq_class(ratio * (1 + 1e-9)), 1));
  EXPECT_TRUE(laplace_table_keeps_mu(mpq_class(ratio * (1 - 1e-12)), 1));
  EXPECT_NEAR(2 / ratio, 1.3589, 1e-4);
  for (const double mu : {1e-8, 0.01, 0.3, 2.0, 6.0}) {
    const double pure = true_pure(mu).nearest();
    EXPECT_TRUE(laplace_table_keeps_mu(mpq_class(pure * 0.999), square(mu))) << mu;
    EXPECT_TRUE(laplace_table_keeps_mu(mpq_class(pure * 1.001), square(mu))) << mu;
    EXPECT_FALSE(laplace_table_keeps_mu(mpq_class(2 * pure + mu), square(mu))) << mu;
  }
}

TEST(LaplaceTableKeepsMu, SaysNoOutsideItsDomain) {
  EXPECT_FALSE(laplace_table_keeps_mu(0, 1));
  EXPECT_FALSE(laplace_table_keeps_mu(mpq_class(1, 1000), square(9e-10)));
  EXPECT_FALSE(laplace_table_keeps_mu(1, square(40.1)));
  EXPECT_FALSE(laplace_table_keeps_mu(mpq_class(mpz_class(1) << 2000), 1600)) << "no double is that large";
  EXPECT_TRUE(laplace_table_keeps_mu(mpq_class(1, mpz_class(1) << 2000), 1)) << "nor that small";
  EXPECT_FALSE(laplace_table_keeps_mu_at(0, 1, 0.5));
  EXPECT_TRUE(laplace_table_keeps_mu_at(1, 1, 0.5));
  EXPECT_FALSE(laplace_table_keeps_mu_at(3, 1, 0.5));
}

}  // namespace
}  // namespace tacet::privacy
