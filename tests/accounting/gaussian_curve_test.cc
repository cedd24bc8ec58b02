#include "tacet/accounting/gaussian_curve.h"

#include <algorithm>
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/big.h"
#include "support/scripted_bits.h"

namespace tacet::accounting::gaussian_curve_test {
namespace {

using numeric::Enclosure;
using numeric::kInfinity;
using numeric::kUnit;
using test::Big;
using testing::HasSubstr;

double uniform(test::InsecureStream& stream) { return test::to_uniform(stream.next()); }
double log_uniform(test::InsecureStream& stream, double from, double to) { return from * std::exp(std::log(to / from) * uniform(stream)); }

TEST(GaussianDelta, EnclosesTheTruthNarrowlyEverywhere) {
  test::InsecureStream stream(31);
  double widest = 0;
  int compared = 0;
  for (int i = 0; i < 6000; ++i) {
    const double mu = i % 2 == 0 ? log_uniform(stream, 1e-30, 1e3) : log_uniform(stream, 0.1, 20);
    const double epsilon = i % 7 == 0 ? 0 : mu * std::max(0.5 * mu + 48 * uniform(stream) - 10, 0.0);
    const Big truth = test::gaussian_delta(Big(epsilon), Big(mu));
    const Enclosure delta = gaussian_delta(epsilon, mu);
    ASSERT_LE(Big(delta.lower), truth) << epsilon << " " << mu;
    ASSERT_GE(Big(delta.upper), truth) << epsilon << " " << mu;
    const Enclosure log_delta = gaussian_log_delta(epsilon, mu);
    if (epsilon / mu - mu / 2 < -12) continue;  // 1 - delta is below 10^-32, and 256 bits tell its logarithm badly
    ASSERT_LE(Big(log_delta.lower), log(truth)) << epsilon << " " << mu;
    ASSERT_GE(Big(log_delta.upper), log(truth)) << epsilon << " " << mu;
    const double a = epsilon / mu - mu / 2;
    const double allowed = (40 + 8 * a * a + 8 * (std::abs(a) + 1) * mu + 80 * std::max(a + mu, 1.0) / std::max(mu, 0.125)) * kUnit;
    if (delta.upper > 1e-306) {
      widest = std::max(widest, (delta.upper / delta.lower - 1) / allowed);
      ++compared;
    }
    ASSERT_LE(log_delta.upper - log_delta.lower, allowed + 16 * kUnit * std::abs(log_delta.lower)) << epsilon << " " << mu;
  }
  EXPECT_LE(widest, 1);
  EXPECT_GT(compared, 3000);
}

TEST(GaussianDelta, ReachesWhereTheTextbookFormulaIsNotANumber) {  // e^710 is no double
  const Enclosure delta = gaussian_delta(710, 1);
  EXPECT_EQ(delta.lower, 0);
  EXPECT_LT(delta.upper, 1e-307);
  const Enclosure log_delta = gaussian_log_delta(710, 1);
  EXPECT_NEAR(log_delta.lower, -0.5 * 709.5 * 709.5, 50);
  EXPECT_LT(log_delta.upper - log_delta.lower, 1e-9);
  const Enclosure near_half = gaussian_delta(5e5, 1000);
  EXPECT_NEAR(near_half.lower, 0.5, 0.001);
  EXPECT_NEAR(gaussian_log_delta(1e-20, 1e-100).upper, -5e159, 1e150);
  EXPECT_EQ(gaussian_delta(1e13, 1e-100).lower, 0);
  EXPECT_TRUE(gaussian_delta_is_at_most(1e13, 1e-100, 1e-300));
  EXPECT_EQ(gaussian_delta(0, 1e6).lower, 1 - kUnit);
  EXPECT_EQ(gaussian_log_delta(0, 1e6).lower, -kUnit);
  EXPECT_FALSE(gaussian_delta_is_at_most(0, 1e6, 1 - kUnit));
}

TEST(GaussianDelta, OutsideTheDomainEverythingIsPossible) {
  for (const auto& [epsilon, mu] :
       {std::pair{-1.0, 1.0}, {1.0, 0.0}, {1.0, -1.0}, {std::nan(""), 1.0}, {1.0, std::nan("")}, {kInfinity, 1.0}, {1.0, 1e300}}) {
    EXPECT_EQ(gaussian_delta(epsilon, mu).lower, 0) << epsilon << " " << mu;
    EXPECT_EQ(gaussian_delta(epsilon, mu).upper, 1) << epsilon << " " << mu;
    EXPECT_EQ(gaussian_log_delta(epsilon, mu).upper, 0) << epsilon << " " << mu;
    EXPECT_FALSE(gaussian_delta_is_at_most(epsilon, mu, 0.999)) << epsilon << " " << mu;
  }
  EXPECT_FALSE(gaussian_delta_is_at_most(1, 1e-3, 0));
  EXPECT_FALSE(gaussian_delta_is_at_most(1, 1e-3, std::nan("")));
  EXPECT_TRUE(gaussian_delta_is_at_most(1, 1e-3, 1e-300));
}

TEST(GaussianDelta, AtMostIsTrueOnlyIfItIsTrue) {
  test::InsecureStream stream(32);
  int proven = 0;
  for (int i = 0; i < 3000; ++i) {
    const double mu = log_uniform(stream, 1e-6, 50);
    const double epsilon = mu * std::max(0.5 * mu + 40 * uniform(stream) - 6, 0.0);
    const Big truth = test::gaussian_delta(Big(epsilon), Big(mu));
    const double nearest = truth.nearest();
    if (nearest < 1e-300 || nearest >= 1) continue;
    for (const int ulps : {-1, 0, 1}) {
      const double delta = std::min(nearest * (1 + ulps * 0x1p-52), 1.0);
      if (gaussian_delta_is_at_most(epsilon, mu, delta)) {
        ASSERT_LE(truth, Big(delta)) << epsilon << " " << mu;
      }
    }
    proven += gaussian_delta_is_at_most(epsilon, mu, nearest * (1 + 1e-9)) ? 1 : 0;
    ASSERT_FALSE(gaussian_delta_is_at_most(epsilon, mu, nearest * (1 - 1e-9))) << epsilon << " " << mu;
  }
  EXPECT_GT(proven, 1500);
}

TEST(GaussianEpsilonUp, IsSafeAndTightEverywhere) {
  test::InsecureStream stream(33);
  for (int i = 0; i < 4000; ++i) {
    const double mu = i % 2 == 0 ? log_uniform(stream, 1e-20, 1e3) : log_uniform(stream, 0.01, 30);
    const double delta = i % 3 == 0   ? uniform(stream) * 0.999 + 1e-6
                         : i % 3 == 1 ? log_uniform(stream, 1e-300, 0.5)
                                      : 1 - log_uniform(stream, 1e-15, 0.5);
    const Result<double> epsilon = gaussian_epsilon_up(delta, mu);
    ASSERT_TRUE(epsilon.ok()) << delta << " " << mu << " " << epsilon.error().message();
    ASSERT_LE(test::gaussian_delta(Big(*epsilon), Big(mu)), Big(delta)) << delta << " " << mu;
    const double less = *epsilon - 1e-12 * (*epsilon + mu);
    if (less >= 0) {
      ASSERT_GT(test::gaussian_delta(Big(less), Big(mu)), Big(delta)) << delta << " " << mu;
    }
  }
}

TEST(GaussianEpsilonUp, IsZeroWhereNothingIsGivenAway) {
  EXPECT_EQ(*gaussian_epsilon_up(0.1, 0.01), 0);
  EXPECT_EQ(*gaussian_epsilon_up(1e-30, 1e-50), 0);
  EXPECT_GT(*gaussian_epsilon_up(1e-60, 1e-50), 0);
}

TEST(GaussianMuDown, TakesEpsilonZero) {  // delta(0, mu) = 2 Phi(mu/2) - 1
  for (const double delta : {1e-25, 1e-12, 0.3, 0.5, 0.999}) {
    const double mu = *gaussian_mu_down(0, delta);
    EXPECT_LE(erf(Big(mu) / sqrt(Big(8))), Big(delta));
    EXPECT_GT(erf(Big(mu) * Big(1 + 1e-12) / sqrt(Big(8))), Big(delta));
  }
}

TEST(GaussianCurve, GoesThereAndBack) {
  test::InsecureStream stream(34);
  for (int i = 0; i < 3000; ++i) {
    const double epsilon = log_uniform(stream, 1e-9, 1e5);
    const double delta = log_uniform(stream, 1e-290, 0.9);
    const double mu = *gaussian_mu_down(epsilon, delta);
    const double back = *gaussian_epsilon_up(delta, mu);
    ASSERT_NEAR(back, epsilon, 1e-11 * (epsilon + mu)) << epsilon << " " << delta;
    ASSERT_LE(gaussian_delta(epsilon, mu).lower, delta);
    ASSERT_NEAR(std::log(gaussian_delta(epsilon, mu).upper / delta), 0, 1e-8) << epsilon << " " << delta;
  }
}

TEST(GaussianCurve, IsMonotoneInEveryArgument) {
  test::InsecureStream stream(35);
  for (int i = 0; i < 3000; ++i) {
    const double epsilon = log_uniform(stream, 1e-6, 1e4);
    const double delta = log_uniform(stream, 1e-300, 0.999);
    const double more = 1 + log_uniform(stream, 1e-11, 1);
    const double mu = *gaussian_mu_down(epsilon, delta);
    ASSERT_GE(*gaussian_mu_down(epsilon * more, delta), mu) << epsilon << " " << delta << " " << more;
    if (delta * more < 1) {
      ASSERT_GE(*gaussian_mu_down(epsilon, delta * more), mu * (1 - 1e-12)) << epsilon << " " << delta << " " << more;
      ASSERT_LE(*gaussian_epsilon_up(delta * more, mu), *gaussian_epsilon_up(delta, mu) + 1e-12 * (epsilon + mu));
    }
    ASSERT_GE(*gaussian_epsilon_up(delta, mu * more), *gaussian_epsilon_up(delta, mu));
    ASSERT_LE(gaussian_delta(epsilon * more, mu).lower, gaussian_delta(epsilon, mu).upper);
  }
}

TEST(GaussianCurve, RefusesWhatMakesNoSense) {
  const auto message = [](const Result<double>& result) { return result.ok() ? "accepted" : result.error().message(); };
  EXPECT_EQ(message(gaussian_mu_down(-1, 0.1)), "epsilon is -1, but must be a finite number, at least 1e-100 and at most 1e6");
  EXPECT_EQ(message(gaussian_mu_down(1, 1)), "delta is 1, but must be a finite number, at least 1e-300 and less than 1");
  EXPECT_THAT(message(gaussian_mu_down(1, 0)), HasSubstr("delta is 0, but"));
  EXPECT_THAT(message(gaussian_mu_down(std::nan(""), 0.1)), HasSubstr("epsilon is nan, but"));
  EXPECT_THAT(message(gaussian_mu_down(kInfinity, 0.1)), HasSubstr("epsilon is inf, but"));
  EXPECT_THAT(message(gaussian_epsilon_up(0.1, 0)), HasSubstr("mu is 0, but"));
  EXPECT_THAT(message(gaussian_epsilon_up(std::nan(""), 1)), HasSubstr("delta is nan, but"));
  EXPECT_THAT(message(gaussian_epsilon_up(0.1, 1e7)),
              HasSubstr("mu is 10000000, but must be a finite number, at least 1e-110 and at most 1e6"));
  EXPECT_EQ(message(gaussian_mu_down(0, 1e-200)), "delta is 1e-200, but must be at least 1e-100 when epsilon is 0");
  EXPECT_TRUE(gaussian_mu_down(0, 1e-100).ok());
  EXPECT_TRUE(gaussian_mu_down(1e-100, 1e-300).ok());
  EXPECT_TRUE(gaussian_mu_down(1e-100, 1 - kUnit).ok());
  EXPECT_TRUE(gaussian_mu_down(1e6, 1 - kUnit).ok());
}

}  // namespace
}  // namespace tacet::accounting::gaussian_curve_test
