#include "tacet/accounting/odometer.h"

#include <cmath>
#include <limits>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/privacy/parameters.h"

#include "accounting/composition_reference.h"

namespace tacet::accounting::odometer_test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

privacy::Delta delta(double value) { return *privacy::Delta::of(*Decimal::from_shortest(value)); }
privacy::Step pure(double value) { return privacy::Step::of(privacy::pure_loss(*privacy::Epsilon::of(*Decimal::from_shortest(value)))); }
privacy::Step approximate(double e, double d) {
  return privacy::Step::of(privacy::approximate_loss(*privacy::Epsilon::of(*Decimal::from_shortest(e)), delta(d)));
}

TEST(Odometer, AgreesWithIndependentValues) {
  for (const test::CompositionRow& row : test::composition_rows()) {
    Odometer odometer = *Odometer::of(delta(row.delta_g), row.n);
    for (const double epsilon : row.epsilons) ASSERT_TRUE(odometer.spend(pure(epsilon), row.times));
    EXPECT_NEAR(odometer.advanced() / row.odometer, 1, 1e-9);
    EXPECT_NEAR(odometer.basic() / row.sum, 1, 1e-9);
    EXPECT_EQ(odometer.bound(), std::min(odometer.basic(), odometer.advanced()));
  }
}

TEST(Odometer, UsesTheOtherBranchBelowAndAboveItsRange) {
  const auto outer = [](double squares, double drift, double n, double d) {
    return drift + std::sqrt(2 * (1 / (n * n) + squares) * (1 + std::log1p(n * n * squares) / 2) * std::log(4 * std::log2(n) / d));
  };
  const auto inner = [](double squares, double drift, double n, double d) {
    return drift + std::sqrt(2 * squares * (std::log(48 * std::exp(1.0)) + 2 * std::log(std::log(n) / d)));
  };
  const double n = 1000;
  Odometer below = *Odometer::of(delta(1e-5), 1000);
  ASSERT_TRUE(below.spend(pure(0.0005)));
  EXPECT_NEAR(below.advanced() / outer(0.0005 * 0.0005, 0.0005 * std::expm1(0.0005) / 2, n, 1e-5), 1, 1e-12);
  Odometer above = *Odometer::of(delta(1e-5), 1000);
  ASSERT_TRUE(above.spend(pure(0.1), 101));
  EXPECT_NEAR(above.advanced() / outer(1.01, 101 * 0.1 * std::expm1(0.1) / 2, n, 1e-5), 1, 1e-12);
  Odometer inside = *Odometer::of(delta(1e-5), 1000);
  ASSERT_TRUE(inside.spend(pure(0.1), 99));
  EXPECT_NEAR(inside.advanced() / inner(0.99, 99 * 0.1 * std::expm1(0.1) / 2, n, 1e-5), 1, 1e-12);
  // On the edges themselves, (5.17): 100 steps of 0.1 have the sum of squares 1 in decimals, though
  // not in doubles.
  Odometer edge = *Odometer::of(delta(1e-5), 1000);
  ASSERT_TRUE(edge.spend(pure(0.1), 100));
  EXPECT_GE(edge.advanced(), inner(1, 100 * 0.1 * std::expm1(0.1) / 2, n, 1e-5) * (1 - 1e-15));
}

// In all at most delta_g: the two branches, and the deltas of the steps. The print allows delta_g/2
// for the last, and that is too much.
TEST(Odometer, LeavesForTheDeltasWhatTheBranchesDoNotUse) {
  const double d = 0.01;
  for (const std::uint64_t n : {std::uint64_t{2}, std::uint64_t{10}, std::uint64_t{1000000}}) {
    const double log_n = std::log(static_cast<double>(n));
    const double beta = d * d / (48 * std::exp(1.0) * log_n * log_n);
    const double failure = 2 * std::exp(0.5) * (beta + 2 * log_n * std::sqrt(0.74 * beta)) + d / (4 * std::log2(static_cast<double>(n)));
    const double allowed = std::min(d / 2, d - failure);
    EXPECT_LT(allowed, d / 2);
    Odometer odometer = *Odometer::of(delta(d), n);
    ASSERT_TRUE(odometer.spend(approximate(0.1, allowed * 0.999)));
    EXPECT_LT(odometer.advanced(), kInfinity);
    EXPECT_LT(odometer.bound(), kInfinity);
    ASSERT_TRUE(odometer.spend(approximate(0.1, allowed * 0.002)));
    EXPECT_EQ(odometer.advanced(), kInfinity);
    EXPECT_NEAR(odometer.bound(), 0.2, 1e-12);
    ASSERT_TRUE(odometer.spend(approximate(0.1, d)));
    EXPECT_EQ(odometer.bound(), kInfinity);
  }
}

// Lemma 5.6.4: sharpest where x is near the sum of the squares.
TEST(Odometer, HasABoundForEveryXThatWasChosenBeforehand) {
  Odometer odometer = *Odometer::of(delta(1e-6), 1000);
  ASSERT_TRUE(odometer.spend(pure(0.01), 500));
  const double squares = 0.05;
  const double drift = 500 * 0.01 * std::expm1(0.01) / 2;
  for (const double x : {1e-6, 0.01, 0.05, 2.0}) {
    const double expected = drift + std::sqrt(2 * (squares + x) * (1 + std::log1p(squares / x) / 2) * std::log(2 / 1e-6));
    EXPECT_NEAR(*odometer.advanced_at(x) / expected, 1, 1e-12);
    EXPECT_GE(*odometer.advanced_at(x), expected * (1 - 1e-14));
  }
  EXPECT_LT(*odometer.advanced_at(0.05), *odometer.advanced_at(1e-6));
  EXPECT_EQ(odometer.advanced_at(0).error().message(), "x is 0, but must be at least 1e-300 and at most 1e300");
  ASSERT_TRUE(odometer.spend(approximate(0.1, 0.6e-6)));
  EXPECT_EQ(*odometer.advanced_at(0.05), kInfinity);
}

TEST(Odometer, GrowsWithEveryStep) {
  Odometer odometer = *Odometer::of(delta(1e-6), 100);
  double last = odometer.bound();
  EXPECT_EQ(last, 0);
  for (int i = 0; i < 3000; ++i) {
    ASSERT_TRUE(odometer.spend(pure(0.01)));
    const double now = odometer.bound();
    EXPECT_GT(now, last);
    last = now;
  }
  EXPECT_LT(last, 30);
}

TEST(Odometer, StateReadsBackAndOtherTextIsRefused) {
  Odometer odometer = *Odometer::of(delta(1e-6), 12345);
  ASSERT_TRUE(odometer.spend(approximate(0.0123, 1e-9), 11));
  const Odometer copy = *Odometer::parse(odometer.state());
  EXPECT_EQ(copy.state(), odometer.state());
  EXPECT_EQ(copy.bound(), odometer.bound());
  EXPECT_EQ(copy.steps(), 11U);
  for (const std::string& bad : {std::string(), odometer.state() + " 1", std::string("odometer 1 1e-6 1 0 0 0 0 0"),
                                 std::string("odometer 1 0.5 10 0 0 0 0 0"), std::string("odometer 1 1e-6 10 x 0 0 0 0")}) {
    EXPECT_FALSE(Odometer::parse(bad)) << bad;
  }
  // Totals that an odometer never writes.
  EXPECT_EQ(Odometer::parse("odometer 1 0.000001 10 1 -0.5 0 0 0").error().message(), "total is -0.5, but must not be negative");
  for (const char* total : {"1e-41", "1e37"}) {
    EXPECT_THAT(Odometer::parse(fmt::format("odometer 1 0.000001 10 1 {} 0 0 0", total)).error().message(),
                ::testing::HasSubstr("must be less than 5e36 and have at most 40 digits after the point"));
  }
}

TEST(Odometer, RefusesWhatItsTheoremDoesNotCover) {
  EXPECT_EQ(Odometer::of(delta(0.4), 100).error().message(), "delta is 0.4, but must be greater than 0 and less than 1/e for an odometer");
  EXPECT_FALSE(Odometer::of(delta(0), 100));
  EXPECT_EQ(Odometer::of(delta(1e-6), 1).error().message(), "n is 1, but must be at least 2 and at most 10^18");
  Odometer odometer = *Odometer::of(delta(1e-6), 100);
  EXPECT_FALSE(odometer.spend(pure(0.1), 0));
  EXPECT_EQ(odometer.spend(privacy::Step::of(privacy::gaussian_loss_from_mu(*privacy::Mu::parse("1")))).error().code(), Code::Unsupported);
  EXPECT_EQ(odometer.steps(), 0U);
}

}  // namespace
}  // namespace tacet::accounting::odometer_test
