#include "tacet/numeric/normal.h"

#include <cmath>
#include <cstdio>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/big.h"
#include "support/scripted_bits.h"

namespace tacet::numeric::normal_test {
namespace {

using test::Big;
using test::error_ulps;

/// A number in [0, 1).
double uniform(test::InsecureStream& stream) { return test::to_uniform(stream.next()); }

/// The worst error over a region, and where it was.
struct Worst {
  double error = 0, where = 0;
  void see(double e, double x) {
    if (!(e <= error)) {
      error = e;
      where = x;
    }
  }
};

struct Region {
  std::string name;
  double from, to;
};
const std::vector<Region> kRegions = {
    {"centre", -1, 1}, {"body", -8.5, 8.5}, {"table's end", 7.5, 8.5}, {"far", 8, 37}, {"edge", 36, 37.6}};

/// The worst of `ours` against `truth` in every region, in ulp, must stay within `budget`.
template <class Ours, class Truth>
void stays_within(double budget, const Ours& ours, const Truth& truth, const std::vector<Region>& regions = kRegions) {
  test::InsecureStream stream(7);
  for (const Region& region : regions) {
    Worst worst;
    for (int i = 0; i < 1500; ++i) {
      const double x = region.from + (region.to - region.from) * uniform(stream);
      worst.see(error_ulps(ours(x), truth(Big(x))), x);
    }
    EXPECT_LE(worst.error, budget) << "region " << region.name << ": worst " << worst.error << " ulp at x = " << worst.where;
    std::printf("%s: worst %.2f ulp at x = %.17g, budget %g\n", region.name.c_str(), worst.error, worst.where, budget);
  }
}

TEST(NormalDensity, StaysWithinItsUlpBudgetInEveryRegion) {
  stays_within(3, [](double x) { return normal_density(x); }, [](const Big& x) { return test::normal_density(x); });
}

TEST(NormalUpper, StaysWithinItsUlpBudgetInEveryRegion) {
  stays_within(4, [](double x) { return normal_upper(x); }, [](const Big& x) { return test::normal_upper(x); });
}

TEST(NormalLower, StaysWithinItsUlpBudgetInEveryRegion) {
  stays_within(4, [](double x) { return normal_lower(-x); }, [](const Big& x) { return test::normal_upper(x); });
}

TEST(NormalLogUpper, StaysWithinItsUlpBudgetInEveryRegion) {
  std::vector<Region> regions = kRegions;
  regions.push_back({"far left", -37, -8});
  regions.push_back({"vanished", 40, 2000});
  regions.push_back({"absurd", 1e4, 3e4});
  stays_within(
      4, [](double x) { return normal_log_upper(x); },
      [](const Big& x) { return x < Big(-1) ? log1p(-test::normal_upper(-x)) : log(test::normal_upper(x)); }, regions);
}

TEST(NormalLogUpper, ReachesFarBeyondAllTails) {
  // Here log M(x) = -log x - 1/x^2 + ... and one term is more than enough.
  for (const double x : {1e10, 1e40, 1e100, 1e153}) {
    const Big truth = -(Big(x) * Big(x)) / 2 - log(Big(x)) - log(Big(2) * Big::pi()) / 2 - Big(1) / (Big(x) * Big(x));
    EXPECT_LE(error_ulps(normal_log_upper(x), truth), 1) << x;
  }
  EXPECT_EQ(normal_log_upper(1e200), -kInfinity);
  EXPECT_EQ(normal_log_upper(kInfinity), -kInfinity);
  EXPECT_EQ(normal_log_upper(-kInfinity), 0);
  EXPECT_EQ(normal_log_lower(-1e200), -kInfinity);
}

TEST(NormalHazard, StaysWithinItsUlpBudgetInEveryRegion) {
  stays_within(5, [](double x) { return normal_hazard(x); }, [](const Big& x) { return Big(1) / test::normal_mills(x); });
  EXPECT_EQ(normal_hazard(kInfinity), kInfinity);
  EXPECT_EQ(normal_hazard(-kInfinity), 0);
}

TEST(NormalTails, KnowTheirLimits) {
  EXPECT_EQ(normal_upper(0.0), 0.5);
  EXPECT_EQ(normal_lower(0.0), 0.5);
  EXPECT_EQ(normal_upper(kInfinity), 0);
  EXPECT_EQ(normal_upper(-kInfinity), 1);
  EXPECT_EQ(normal_lower(kInfinity), 1);
  EXPECT_GT(normal_upper(38.4), 0);  // 2^-1069, still there
  EXPECT_TRUE(std::isnan(normal_upper(std::nan(""))));
  EXPECT_TRUE(std::isnan(normal_log_upper(std::nan(""))));
}

/// True when the tail at z (1 +- 5 ulp) encloses p: z is within 5 ulp of the quantile.
bool tail_encloses(double z, const Big& p) {
  const double shift = 5 * (std::nextafter(std::abs(z), kInfinity) - std::abs(z));
  return test::normal_upper(Big(z) - Big(shift)) >= p && test::normal_upper(Big(z) + Big(shift)) <= p;
}

TEST(NormalQuantile, IsWithinFiveUlpEverywhere) {
  test::InsecureStream stream(11);
  for (int i = 0; i < 4000; ++i) {
    const double p = i % 2 == 0 ? uniform(stream) : std::exp(-700 * uniform(stream));
    if (p <= 0) continue;
    ASSERT_TRUE(tail_encloses(normal_upper_quantile(p), Big(p))) << p;
    ASSERT_EQ(normal_lower_quantile(p), -normal_upper_quantile(p));
    const double log_p = i % 4 == 0 ? -1e-300 : i % 2 == 0 ? -2 * uniform(stream) : -std::exp(10 * uniform(stream) - 5);
    if (log_p < -1e-16 && log_p > -1e4) {
      ASSERT_TRUE(tail_encloses(normal_log_upper_quantile(log_p), exp(Big(log_p)))) << log_p;
    }
  }
  for (const double tiny : {1e-300, 1e-16, 1e-5}) {  // near 1/2 the quantile keeps its relative accuracy, as far as 1/2 - p can be told
    const double p = 0.5 - tiny;
    if (p < 0.5) {
      EXPECT_TRUE(tail_encloses(normal_upper_quantile(p), Big(p))) << tiny;
    }
  }
}

TEST(NormalQuantile, ReachesFarBeyondAllTails) {
  for (const double log_p : {-1e6, -1e12, -1e100, -1e300}) {
    const double z = normal_log_upper_quantile(log_p);
    EXPECT_LE(error_ulps(normal_log_upper(z), Big(log_p)), 8) << log_p;
  }
}

TEST(NormalQuantile, KnowsItsLimits) {
  EXPECT_EQ(normal_upper_quantile(0.5), 0);
  EXPECT_EQ(normal_upper_quantile(0.0), kInfinity);
  EXPECT_EQ(normal_upper_quantile(1.0), -kInfinity);
  EXPECT_EQ(normal_log_upper_quantile(0.0), -kInfinity);
  EXPECT_EQ(normal_log_upper_quantile(-kInfinity), kInfinity);
  for (const double wrong : {-0.1, 1.1, std::nan("")}) EXPECT_TRUE(std::isnan(normal_upper_quantile(wrong))) << wrong;
  for (const double wrong : {0.1, std::nan("")}) EXPECT_TRUE(std::isnan(normal_log_upper_quantile(wrong))) << wrong;
}

TEST(NormalBalls, EncloseTheTruthAndAreNarrow) {
  test::InsecureStream stream(13);
  for (int i = 0; i < 4000; ++i) {
    const double x = i % 2 == 0 ? 20 * uniform(stream) - 10 : 38 * uniform(stream);
    const Big tail = test::normal_upper(Big(x));
    const Ball upper_tail = normal_upper(Ball(x));
    const Ball log_tail = normal_log_upper(Ball(x));
    ASSERT_LE(abs(Big(upper_tail.mid) - tail).nearest(), upper_tail.rad) << x;
    ASSERT_LE(abs(Big(log_tail.mid) - log(tail)).nearest(), log_tail.rad) << x;
    if (x < 35) {
      ASSERT_LE(upper_tail.rad, (12 + 2 * x * x) * kUnit * upper_tail.mid) << x;
    }
    ASSERT_LE(log_tail.rad, (20 + 4 * std::abs(log_tail.mid)) * kUnit) << x;
    const double c = uniform(stream) * std::exp(-30 * (i % 3) * uniform(stream));
    const Ball central = normal_central(Ball(c));
    const Big truth = erf(Big(c) / sqrt(Big(2))) / 2;
    ASSERT_LE(abs(Big(central.mid) - truth).nearest(), central.rad) << c;
    ASSERT_LE(central.rad, 0x1p-49 * central.mid) << c;
  }
}

TEST(NormalBalls, AnUncertainArgumentWidensThem) {
  for (const double x : {0.001, 0.3, 2.0, 7.99, 8.01, 20.0}) {
    for (const double radius : {1e-12, 1e-6, 1e-3}) {
      const Ball ball = normal_log_upper(Ball(x, radius));
      for (const double end : {x - radius, x + radius}) {
        if (end < 0) continue;
        EXPECT_LE(abs(Big(ball.mid) - log(test::normal_upper(Big(end)))).nearest(), ball.rad) << x << " " << radius;
      }
    }
  }
  EXPECT_EQ(normal_upper(Ball(1, 0.01)).rad, kInfinity);
}

TEST(NormalQuantileBounds, EncloseTheQuantileNarrowly) {
  test::InsecureStream stream(17);
  for (int i = 0; i < 2000; ++i) {
    const double log_p = -1 - std::exp(12 * uniform(stream) - 6);
    const Enclosure z = normal_log_upper_quantile_bounds(Ball(log_p));
    ASSERT_GE(log(test::normal_upper(Big(z.lower))), Big(log_p)) << log_p;
    ASSERT_LE(log(test::normal_upper(Big(z.upper))), Big(log_p)) << log_p;
    ASSERT_LE(z.upper - z.lower, 0x1p-44 * z.upper) << log_p;
    const double c = 0.25 * uniform(stream) * std::exp(-40 * (i % 2) * uniform(stream));
    const Enclosure w = normal_central_quantile_bounds(Ball(c));
    ASSERT_LE(erf(Big(w.lower) / sqrt(Big(2))) / 2, Big(c)) << c;
    ASSERT_GE(erf(Big(w.upper) / sqrt(Big(2))) / 2, Big(c)) << c;
    ASSERT_LE(w.upper - w.lower, 0x1p-44 * w.upper) << c;
  }
  EXPECT_EQ(normal_log_upper_quantile_bounds(Ball(-0.9)).upper, kInfinity);
  EXPECT_EQ(normal_central_quantile_bounds(Ball(0.3)).upper, kInfinity);
}

}  // namespace
}  // namespace tacet::numeric::normal_test
