#include "tacet/accounting/blended_curve.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "tacet/accounting/accountant.h"
#include "tacet/accounting/tradeoff.h"
#include "tacet/accounting/tradeoff_comparison.h"
#include "tacet/privacy/parameters.h"

namespace tacet::accounting {
namespace {

double normal_upper(double z) { return std::erfc(z / std::sqrt(2.0)) / 2; }

TEST(BlendedCurve, TypeOneErrorIsTheMeanOverTheFirstRelease) {
  // One Laplace number by hand: L is -d with probability 1/2, d with e^-d/2, and has the density
  // e^(-(l+d)/2)/4 between.
  const double d = 1.3;
  const double mu = 0.7;
  const BlendedCurve curve(LaplaceRatio({d}), mu);
  for (const double k : {-2.5, -0.4, 0.0, 0.9, 3.0, 8.0}) {
    const auto bracket = [&](double l) { return normal_upper((k - l + mu * mu / 2) / mu); };
    double sum = bracket(-d) / 2 + bracket(d) * std::exp(-d) / 2;
    const int cells = 20'000;
    for (int i = 0; i < cells; ++i) {
      const double l = -d + 2 * d * (i + 0.5) / cells;
      sum += bracket(l) * std::exp(-(l + d) / 2) / 4 * 2 * d / cells;
    }
    EXPECT_NEAR(curve.type_one(k) / sum, 1, 1e-8) << k;
  }
}

TEST(BlendedCurve, AgreesWithTheAccountant) {
  // The accountant composes privacy losses by another way, and encloses.
  for (const double epsilon : {0.2, 1.0, 2.0}) {
    Accountant accountant;
    ASSERT_TRUE(accountant.add_gaussian(*privacy::Mu::parse("0.7"), 1).ok());
    ASSERT_TRUE(accountant.add_laplace(*privacy::Epsilon::parse("1.3"), 1).ok());
    const Bounds bounds = *accountant.delta(*privacy::Epsilon::of(*Decimal::from_shortest(epsilon)));
    const TradeOff curve = *compose(*TradeOff::laplace({1.3}), *TradeOff::gaussian(0.7));
    EXPECT_GE(*curve.delta(epsilon), bounds.lower - 1e-10);
    EXPECT_LE(*curve.delta(epsilon), bounds.upper + 1e-10);
    Accountant responses;
    ASSERT_TRUE(responses.add_gaussian(*privacy::Mu::parse("0.7"), 1).ok());
    ASSERT_TRUE(responses.add_response(*privacy::Epsilon::parse("1.3"), *privacy::Delta::parse("0.01"), 1).ok());
    const Bounds with_delta = *responses.delta(*privacy::Epsilon::of(*Decimal::from_shortest(epsilon)));
    const TradeOff pairs = *compose(*TradeOff::approximate(1.3, 0.01), *TradeOff::gaussian(0.7));
    EXPECT_GE(*pairs.delta(epsilon), with_delta.lower - 1e-10);
    EXPECT_LE(*pairs.delta(epsilon), with_delta.upper + 1e-10);
  }
}

TEST(BlendedCurve, IsConvexFallingSymmetricAndBelowBothReleases) {
  std::mt19937_64 random(4);
  std::uniform_real_distribution<double> size(0.05, 2.5);
  for (int trial = 0; trial < 12; ++trial) {
    const TradeOff first = trial % 3 == 0   ? *TradeOff::laplace({size(random), size(random)})
                           : trial % 3 == 1 ? *TradeOff::pure(size(random))
                                            : *TradeOff::collection({{size(random), 0.02}, {size(random) / 4, 0.2}});
    const TradeOff second = *TradeOff::gaussian(size(random));
    const TradeOff both = *compose(first, second);
    double before = *both.at(0);
    double slope = -HUGE_VAL;
    for (int i = 1; i <= 40; ++i) {
      const double alpha = i / 40.0;
      const double beta = *both.at(alpha);
      const double next = (beta - before) * 40;
      ASSERT_LE(beta, before + 1e-12);
      ASSERT_GE(next, slope - 1e-8) << alpha;
      ASSERT_LE(beta, std::min(*first.at(alpha), *second.at(alpha)) + 1e-9) << alpha;
      if (beta > 1e-9 && alpha < 1) {
        ASSERT_NEAR(*both.inverse(beta), alpha, 1e-7);
      }
      before = beta;
      slope = next;
    }
    EXPECT_NEAR(*both.at(both.fixed_point()), both.fixed_point(), 1e-9);
  }
}

TEST(BlendedCurve, ComposesInAnyOrderAndMeetsItsLimits) {
  const TradeOff laplace = *TradeOff::laplace({0.8});
  const TradeOff one = *compose(*compose(laplace, *TradeOff::gaussian(0.3)), *TradeOff::gaussian(0.4));
  const TradeOff other = *compose(*TradeOff::gaussian(0.5), laplace);
  for (const double alpha : {0.01, 0.2, 0.6}) EXPECT_NEAR(*one.at(alpha), *other.at(alpha), 1e-10);
  const TradeOff nearly = *compose(laplace, *TradeOff::gaussian(1e-3));
  for (const double alpha : {0.05, 0.3, 0.6}) EXPECT_NEAR(*nearly.at(alpha), *laplace.at(alpha), 1e-3);
  const TradeOff more = *compose(one, *TradeOff::laplace({0.2}));
  EXPECT_LT(*more.at(0.2), *one.at(0.2));
  EXPECT_FALSE(compose(laplace, *TradeOff::gaussian(1e-5)).ok());
}

TEST(BlendedCurve, ComparesByItsDeltas) {
  const TradeOff less = *compose(*TradeOff::laplace({0.5}), *TradeOff::gaussian(0.5));
  const TradeOff more = *compose(*TradeOff::laplace({0.6}), *TradeOff::gaussian(0.5));
  EXPECT_TRUE(compare(less, more).above);
  const Comparison wrong = compare(more, less);
  EXPECT_FALSE(wrong.above);
  EXPECT_LT(*more.at(wrong.alpha), *less.at(wrong.alpha)) << "the alpha that it names shows it";
  // 0.5-GDP and what is 0.6-GDP at most are sqrt(0.61)-GDP together, and not much better.
  const double epsilon = 2 * std::log(1 / (2 * normal_upper(0.3)));  // Laplace noise of this shift is 0.6-GDP (Lee, Proposition 9)
  const TradeOff pair = *compose(*TradeOff::laplace({epsilon}), *TradeOff::gaussian(0.5));
  EXPECT_TRUE(compare(pair, *TradeOff::gaussian(std::sqrt(0.61) + 1e-6)).above);
  EXPECT_FALSE(compare(pair, *TradeOff::gaussian(0.7)).above);
  EXPECT_EQ(compare(pair, less).proof, Proof::DualMesh);
}

}  // namespace
}  // namespace tacet::accounting
