#include "tacet/numeric/ball.h"

#include <cmath>

#include <gtest/gtest.h>

#include "support/big.h"
#include "support/scripted_bits.h"

namespace tacet::numeric::ball_test {
namespace {

using test::Big;

double uniform(test::InsecureStream& stream) { return test::to_uniform(stream.next()); }
bool holds(const Ball& ball, const Big& truth) { return abs(Big(ball.mid) - truth) <= Big(ball.rad); }

TEST(Ball, ConstantsHoldTheirNumbers) {
  EXPECT_TRUE(holds(kLog2, log(Big(2))));
  EXPECT_TRUE(holds(kPi, Big::pi()));
  EXPECT_TRUE(holds(kRootTwoPi, sqrt(Big(2) * Big::pi())));
  EXPECT_TRUE(holds(kLogRootTwoPi, log(Big(2) * Big::pi()) / 2));
}

TEST(Ball, RandomExpressionsHoldTheirTruth) {
  test::InsecureStream stream(21);
  for (int i = 0; i < 20'000; ++i) {
    Ball ball(1 + uniform(stream));
    Big truth(ball.mid);
    for (int step = 0; step < 8; ++step) {
      const double other = (uniform(stream) - 0.5) * std::exp(20 * uniform(stream) - 10);
      switch (stream.next() % 6) {
        case 0: ball = ball + other, truth = truth + Big(other); break;
        case 1: ball = Ball(other) - ball, truth = Big(other) - truth; break;
        case 2: ball = ball * other, truth = truth * Big(other); break;
        case 3: ball = ball / other, truth = truth / Big(other); break;
        case 4: ball = ball * ball, truth = truth * truth; break;
        default: ball = sqrt(ball * ball), truth = abs(truth); break;
      }
      ASSERT_TRUE(holds(ball, truth)) << i << " " << step << ": " << ball.mid << " +- " << ball.rad;
      const Enclosure ends = enclosure(ball);
      if (ball.rad < kInfinity) {
        ASSERT_LE(Big(ends.lower), truth);
        ASSERT_GE(Big(ends.upper), truth);
      }
    }
  }
}

TEST(Ball, UnderflowIsInTheRadius) {
  Ball ball(1e-200);
  Big truth(1e-200);
  for (int i = 0; i < 4; ++i) {
    ball = ball * ball;
    truth = truth * truth;
    ASSERT_TRUE(holds(ball, truth));
  }
}

TEST(Ball, WhatIsUnknownIsNeverBelowALimit) {
  const Ball unknown = Ball(1) / Ball(0.5, 1);
  EXPECT_EQ(unknown.rad, kInfinity);
  EXPECT_FALSE(upper(unknown) <= 1e300);
  EXPECT_FALSE(upper(Ball(1e300) * Ball(1e300)) <= 1e308);
  EXPECT_FALSE(upper(Ball(std::nan(""))) <= 1);
  EXPECT_FALSE(upper(log(Ball(1, 1))) <= 1e300);
  EXPECT_FALSE(lower(log(Ball(-1))) >= -1e300);
  EXPECT_FALSE(upper(exp(Ball(1e6))) <= 1e308);
  EXPECT_FALSE(upper(exp(Ball(0, 5))) <= 1e308);
}

TEST(BallExp, HoldsTheTruthAndErrsByLessThanFourUnits) {
  test::InsecureStream stream(22);
  double worst = 0;
  for (int i = 0; i < 30'000; ++i) {
    const double x = i % 3 == 0   ? 1400 * uniform(stream) - 700
                     : i % 3 == 1 ? 4 * uniform(stream) - 2
                                  : (uniform(stream) - 0.5) * std::exp(-40 * uniform(stream));
    const Big truth = exp(Big(x));
    const Ball ball = exp(Ball(x));
    ASSERT_TRUE(holds(ball, truth)) << x;
    if (x > -600 && x < 600) worst = std::max(worst, test::relative_error(ball.mid, truth) / kUnit);
    const double radius = uniform(stream) * std::exp(-30 * uniform(stream));
    ASSERT_TRUE(holds(exp(Ball(x * 0.5, radius)), exp(Big(x * 0.5) + Big(radius)))) << x;
    const double far = 2e5 * uniform(stream) - 1e5;
    const ScaledBall scaled = exp_scaled(Ball(far));
    Big expected = exp(Big(far));
    mpfr_mul_2si(expected.raw(), expected.raw(), -scaled.exponent, MPFR_RNDN);
    ASSERT_TRUE(holds(scaled.mantissa, expected)) << far;
    ASSERT_LE(scaled.mantissa.rad, 5 * kUnit * scaled.mantissa.mid);
  }
  EXPECT_LE(worst, 3);  // of the 4 that are proven
  EXPECT_TRUE(holds(exp(Ball(-900)), exp(Big(-900))));
  EXPECT_TRUE(holds(exp(Ball(-690)), exp(Big(-690))));
  EXPECT_LT(upper(exp(Ball(-690))), 1e-290);
  EXPECT_LT(upper(exp(Ball(-690, 1))), 1e-290);
}

TEST(BallLog, HoldsTheTruth) {
  test::InsecureStream stream(23);
  for (int i = 0; i < 30'000; ++i) {
    const double x = std::exp(1400 * uniform(stream) - 700);
    const Ball ball = log(Ball(x));
    ASSERT_TRUE(holds(ball, log(Big(x)))) << x;
    ASSERT_LE(ball.rad, (10 + 3 * std::abs(ball.mid)) * kUnit) << x;
    const double radius = x * uniform(stream) * 0.2;
    ASSERT_TRUE(holds(log(Ball(x, radius)), log(Big(x) + Big(radius)))) << x;
    const double y = (uniform(stream) - 0.4) * std::exp(-50 * uniform(stream));
    const Ball near_one = log1p(Ball(y));
    ASSERT_TRUE(holds(near_one, log1p(Big(y)))) << y;
    if (std::abs(y) < 0.125) {
      ASSERT_LE(near_one.rad, 12 * kUnit * std::abs(near_one.mid)) << y;
    }
  }
}

}  // namespace
}  // namespace tacet::numeric::ball_test
