#include "tacet/accounting/tradeoff_table.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/accounting/laplace_gdp.h"
#include "tacet/privacy/parameters.h"

namespace tacet::accounting {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(Tabulate, GivesTheCurvesOfLeeFigureTwo) {
  // G_1; the largest epsilon that implies it; the Laplace curve of that epsilon, which keeps away
  // from G_1; and the one that touches it.
  const privacy::Mu mu = *privacy::Mu::parse("1");
  const double epsilon = 1 / laplace_scale_universal(mu, Decimal(1))->value();
  const double tight = 1 / laplace_scale_one_or_two_dimensional(mu, Decimal(1), 1)->value();
  const CurveTable table = *tabulate({{"1-GDP", *TradeOff::gaussian(1)},
                                      {"epsilon-DP", *TradeOff::pure(epsilon)},
                                      {"Laplace for epsilon-DP", *TradeOff::laplace({epsilon})},
                                      {"Laplace for 1-GDP", *TradeOff::laplace({tight})}},
                                     *alpha_grid(400));
  ASSERT_EQ(table.alpha.size(), 401u);
  ASSERT_EQ(table.beta.size(), 4u);
  double gap_pure = 1, gap_loose = 1, gap_tight = 1;
  for (std::size_t i = 1; i < 400; ++i) {
    gap_pure = std::min(gap_pure, table.beta[1][i] - table.beta[0][i]);
    gap_loose = std::min(gap_loose, table.beta[2][i] - table.beta[0][i]);
    gap_tight = std::min(gap_tight, table.beta[3][i] - table.beta[0][i]);
    EXPECT_LE(table.beta[1][i], table.beta[2][i] + 1e-15);
  }
  EXPECT_GE(gap_pure, -1e-15);
  EXPECT_GE(gap_tight, -1e-15);
  EXPECT_GE(gap_loose, -1e-15);
  // At the fixed point the pure and the tight curve touch G_1, and the loose one does not.
  EXPECT_NEAR(TradeOff::pure(epsilon)->fixed_point(), TradeOff::gaussian(1)->fixed_point(), 1e-12);
  EXPECT_NEAR(TradeOff::laplace({tight})->fixed_point(), TradeOff::gaussian(1)->fixed_point(), 1e-12);
  EXPECT_GT(TradeOff::laplace({epsilon})->fixed_point(), TradeOff::gaussian(1)->fixed_point() + 0.02);
}

TEST(Tabulate, GivesTheCurvesOfLeeFigureThree) {
  // For a fixed lambda_2 = d1 + |d2| the curves fall with lambda_1 = d1 - |d2| (Lemma 10), down to
  // the one-dimensional curve.
  std::vector<NamedCurve> curves;
  for (const double sum : {0.5, 1.0, 2.0, 4.0}) {
    for (const double part : {0.0, 0.25, 0.5, 0.75, 1.0}) {
      const double difference = part * sum;
      curves.push_back(
          {fmt::format("lambda = ({}, {})", difference, sum), *TradeOff::laplace({(sum + difference) / 2, -(sum - difference) / 2})});
    }
  }
  const CurveTable table = *tabulate(curves, *alpha_grid(200));
  for (std::size_t family = 0; family < 4; ++family) {
    for (std::size_t member = 0; member < 4; ++member) {
      for (std::size_t i = 0; i <= 200; ++i) ASSERT_GE(table.beta[5 * family + member][i], table.beta[5 * family + member + 1][i] - 1e-15);
    }
  }
}

TEST(Tabulate, TextReadsBackAsTheSameNumbers) {
  const CurveTable table = *tabulate({{"a, \"b\"", *TradeOff::gaussian(1)}, {"c", *TradeOff::pure(1)}}, {0, 0.1, 1});
  const std::string text = to_csv(table);
  EXPECT_THAT(text, StartsWith("alpha,\"a, \"\"b\"\"\",c\n0,1,1\n0.1,"));
  const std::size_t at = text.find("0.1,") + 4;
  EXPECT_EQ(std::stod(text.substr(at)), table.beta[0][1]);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 4);
}

TEST(Tabulate, RefusesWhatMakesNoTable) {
  const TradeOff f = *TradeOff::gaussian(1);
  const auto message = [](const auto& result) { return result.ok() ? std::string("accepted") : result.error().message(); };
  EXPECT_THAT(message(tabulate({}, {0.5})), HasSubstr("the number of curves is 0"));
  EXPECT_THAT(message(tabulate({{"f", f}}, {})), HasSubstr("the number of alphas is 0"));
  EXPECT_THAT(message(tabulate({{"f", f}}, {0.5, std::numeric_limits<double>::quiet_NaN()})),
              HasSubstr("alpha is nan, but must lie between 0 and 1"));
  EXPECT_THAT(message(tabulate({{"f", f}, {"f", f}}, {0.5})), HasSubstr("the name of a curve is f, but must differ"));
  EXPECT_THAT(message(tabulate({{"", f}}, {0.5})), HasSubstr("must not be empty"));
  EXPECT_THAT(message(alpha_grid(1)), HasSubstr("cells is 1, but must"));
  EXPECT_EQ(alpha_grid(2)->at(0), 0);
  EXPECT_EQ(alpha_grid(2)->back(), 1);
}

}  // namespace
}  // namespace tacet::accounting
