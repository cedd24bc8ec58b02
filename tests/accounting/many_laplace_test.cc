// Laplace noise on many numbers: the closed form of ten, and exact values of fifty and two hundred
// equal shifts (mpmath with 80 digits, the formula of docs/explanation/laplace_likelihood_ratio.md).
#include "tacet/accounting/many_laplace.h"

#include <cmath>

#include <gtest/gtest.h>

#include "tacet/accounting/laplace_gdp.h"
#include "tacet/accounting/tradeoff.h"

namespace tacet::accounting::many_laplace_test {
namespace {

/// The curve of the pairs is at most the true one, and at most `slack` below it.
void expect_enclosed(const TradeOff& below, double slack, double alpha, double exact) {
  const double beta = *below.at(alpha);
  EXPECT_LE(beta, exact * (1 + 1e-12)) << alpha;
  EXPECT_GE(beta, exact - slack - 1e-12) << alpha;
}

TEST(ManyLaplace, EnclosesTheClosedFormOfUpToTenShifts) {
  const std::vector<std::vector<double>> shifts = {{0.7}, {0.4, 1.1, 0.25}, {0.1, 0.2, 0.3, 0.4, 0.5, 0.1, 0.2, 0.3, 0.4, 0.5}};
  for (const std::vector<double>& shift : shifts) {
    const TradeOff exact = *TradeOff::laplace(shift);
    const ManyLaplace many = many_laplace(shift);
    const TradeOff below = *TradeOff::collection(many.pairs);
    EXPECT_LT(many.slack, 2e-5);
    for (double alpha = 0; alpha <= 1; alpha += 1.0 / 64) expect_enclosed(below, many.slack, alpha, *exact.at(alpha));
  }
}

struct Exact {
  std::size_t shifts;
  double size, alpha, beta;
};

TEST(ManyLaplace, EnclosesExactValuesOfManyEqualShifts) {
  const std::vector<Exact> rows = {
      {50, 0.2, 0.146915349574364624, 0.373787029991731568},
      {50, 0.2, 0.0133625948078307857, 0.802021657550552926},
      {50, 0.2, 0.603163735868220006, 0.0513988014409925601},
      {200, 0.05, 0.137471319276485238, 0.651850465675814247},
  };
  for (const Exact& row : rows) {
    const TradeOff curve = *TradeOff::laplace(std::vector<double>(row.shifts, row.size));
    EXPECT_GT(curve.slack(), 0);
    EXPECT_LT(curve.slack(), 2e-5);
    expect_enclosed(curve, curve.slack(), row.alpha, row.beta);
    expect_enclosed(curve, curve.slack(), row.beta, row.alpha);
  }
  // A planted fault: shifts that are a hundredth larger lie outside.
  const TradeOff larger = *TradeOff::laplace(std::vector<double>(rows[0].shifts, 1.01 * rows[0].size));
  EXPECT_LT(*larger.at(rows[0].alpha), rows[0].beta - larger.slack() - 1e-4);
}

TEST(ManyLaplace, RoundsManyDifferentShiftsToBothSides) {
  std::vector<double> different;
  for (int i = 0; i < 40; ++i) different.push_back(0.1 + 0.002 * i);
  const TradeOff curve = *TradeOff::laplace(different);
  const TradeOff less = *TradeOff::laplace(std::vector<double>(40, 0.1 + 0.002 * 39));
  const TradeOff more = *TradeOff::laplace(std::vector<double>(40, 0.1));
  EXPECT_LT(curve.slack(), 0.02);
  for (const double alpha : {0.01, 0.1, 0.3, 0.6}) {
    EXPECT_GT(*curve.at(alpha), *less.at(alpha) - less.slack());
    EXPECT_LT(*curve.at(alpha), *more.at(alpha) + more.slack());
  }
}

TEST(ManyLaplace, KeepsWhatACurveOfLaplaceNoiseKeeps) {
  const TradeOff curve = *TradeOff::laplace(std::vector<double>(30, -0.1));
  EXPECT_EQ(curve.describe(), "Laplace, 30 shifts that add up to 3");
  EXPECT_EQ(TradeOff::laplace({1, 1})->slack(), 0);
  // delta is 0 at the sum of the shifts, and mu^2 adds up.
  EXPECT_LE(*curve.delta(3.0000001), 1e-9);
  const double mu = std::sqrt(30.0) * laplace_numbers_mu(*Decimal::parse("0.1"))->approximate();
  EXPECT_GT(*curve.at(0.05) + curve.slack(), *TradeOff::gaussian(mu)->at(0.05));
  EXPECT_EQ(compose(curve, *TradeOff::gaussian(0.5)).error().code(), Code::Unsupported);
}

}  // namespace
}  // namespace tacet::accounting::many_laplace_test
