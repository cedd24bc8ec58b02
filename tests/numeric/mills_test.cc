#include "tacet/numeric/mills.h"

#include <cmath>

#include <gtest/gtest.h>

#include "tacet/numeric/mills_table.h"

#include "support/big.h"
#include "support/scripted_bits.h"

namespace tacet::numeric::mills_test {
namespace {

using test::Big;

double uniform(test::InsecureStream& stream) { return test::to_uniform(stream.next()); }

TEST(MillsTable, EveryEntryIsTheNearestDouble) {
  for (int row = 0; row < kMillsRows; ++row) {
    const Big x(row / kMillsRowsPerUnit);
    Big before(1);
    Big here = test::normal_mills(x);
    for (int n = 0; n < kMillsColumns; ++n) {
      ASSERT_EQ(kMillsTable[row][n], here.nearest()) << row << " " << n;
      Big after = (before - x * here) / Big(n + 1);
      before = here;
      here = after;
    }
  }
}

TEST(Mills, IsWithinTwoUlpAndItsBallHoldsTheTruth) {
  test::InsecureStream stream(3);
  double worst = 0;
  for (int i = 0; i < 8000; ++i) {
    const double x = i % 2 == 0 ? 9 * uniform(stream) : std::exp(10 * uniform(stream)) - 1;
    const Big truth = test::normal_mills(Big(x));
    worst = std::max(worst, test::relative_error(mills(x), truth) / kUnit);
    const Ball ball = mills(Ball(x));
    ASSERT_LE(abs(Big(ball.mid) - truth).nearest(), ball.rad) << x;
  }
  EXPECT_LE(worst, 3);  // of the 4 that are proven
}

TEST(Mills, ABallOfPositiveRadiusHoldsItsEnds) {
  test::InsecureStream stream(4);
  for (int i = 0; i < 2000; ++i) {
    const double x = 0.001 + 12 * uniform(stream);
    const double radius = 0.001 * std::exp(-20 * uniform(stream));
    const Ball ball = mills(Ball(x, radius));
    for (const double end : {-1.0, 1.0}) {
      ASSERT_LE(abs(Big(ball.mid) - test::normal_mills(Big(x) + Big(end * radius))).nearest(), ball.rad) << x << " " << radius;
    }
  }
  EXPECT_EQ(mills(Ball(-1)).rad, kInfinity);
  EXPECT_EQ(mills(Ball(std::nan(""))).rad, kInfinity);
}

TEST(MillsGap, KeepsItsRelativeAccuracyHoweverSmall) {
  test::InsecureStream stream(5);
  double worst = 0;
  for (int i = 0; i < 3000; ++i) {
    const double m = i % 2 == 0 ? 9 * uniform(stream) : std::exp(10 * uniform(stream)) - 1;
    const double h = i % 5 == 0 ? kMostGapHalf : kMostGapHalf * std::exp(-60 * uniform(stream));
    const Big truth = test::normal_mills(Big(m) - Big(h)) - test::normal_mills(Big(m) + Big(h));
    worst = std::max(worst, test::relative_error(mills_gap(m, h), truth) / kUnit);
    const Ball ball = mills_gap(Ball(m), Ball(h));
    ASSERT_LE(abs(Big(ball.mid) - truth).nearest(), ball.rad) << m << " " << h;
    const double shake = std::exp(-30 * uniform(stream)) * 1e-3;
    const Ball wide = mills_gap(Ball(m, shake), Ball(h, h * shake));
    for (const double end : {-1.0, 1.0}) {
      const Big shaken_m = Big(m) + Big(end * shake);
      const Big shaken_h = Big(h) - Big(end * shake) * Big(h);
      ASSERT_LE(abs(Big(wide.mid) - (test::normal_mills(shaken_m - shaken_h) - test::normal_mills(shaken_m + shaken_h))).nearest(),
                wide.rad)
          << m << " " << h << " " << shake;
    }
  }
  EXPECT_LE(worst, 8);  // of the 12 that are proven
}

}  // namespace
}  // namespace tacet::numeric::mills_test
