// Where Laplace noise becomes better than Gaussian noise: values of mpmath with 30 digits, and the
// proven scales of accounting/laplace_gdp.h on both sides of each crossing.
#include "tacet/planning/noise_crossing.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "tacet/accounting/laplace_gdp.h"
#include "tacet/planning/table_costs.h"

namespace tacet::planning::noise_crossing_test {
namespace {

constexpr double kTableRatio = std::numbers::sqrt2;

TEST(NoiseCrossing, AgreesWithIndependentValues) {
  struct Row {
    double ratio, from_l1, universal, rho;
  };
  constexpr Row kRows[] = {{1, 3.360777379191635, 9.141889808028349, 1.634471587097281},
                           {std::numbers::sqrt2, 6.130081387911484, 14.38110286327711, 5.83103625074668},
                           {3, 15.80199987759888, 33.03864272141243, 33.97056274847714},
                           {10, 56.06047057748499, 112.785863913402, 397.997487421324},
                           {1000, 5656.842690725865, 11313.70173935017, 3999997.99999975}};
  for (const Row& row : kRows) {
    EXPECT_NEAR(noise_crossing_mu(CrossingRule::FromL1, row.ratio) / row.from_l1, 1, 1e-12) << row.ratio;
    EXPECT_NEAR(noise_crossing_mu(CrossingRule::Universal, row.ratio) / row.universal, 1, 1e-12) << row.ratio;
    EXPECT_NEAR(noise_crossing_rho(CrossingRule::FromL1, row.ratio) / row.rho, 1, 1e-12) << row.ratio;
    EXPECT_EQ(noise_crossing_rho(CrossingRule::Universal, row.ratio), noise_crossing_rho(CrossingRule::FromL1, row.ratio));
  }
  EXPECT_NEAR(noise_crossing_mu(CrossingRule::Table, kTableRatio), 3.68706065628079359, 1e-14);
  EXPECT_NEAR(noise_crossing_rho(CrossingRule::Table, kTableRatio), 3.268943174194563, 1e-12);
}

// Lee, section 3.2.3 and Figure 6: 3.36 and 6.13; 3.67 is printed for the table, whose root is 3.687.
TEST(NoiseCrossing, IsThatOfThePaperButForTheTable) {
  EXPECT_NEAR(noise_crossing_mu(CrossingRule::FromL1, 1), 3.36, 0.005);
  EXPECT_NEAR(noise_crossing_mu(CrossingRule::FromL1, kTableRatio), 6.130, 0.0005);
  EXPECT_GT(noise_crossing_mu(CrossingRule::Table, kTableRatio), 3.67 + 0.01);
}

Result<privacy::Mu> mu_near(double mu) {
  TACET_TRY(const Decimal decimal, Decimal::from_shortest(mu));
  return privacy::Mu::of(decimal);
}

TEST(NoiseCrossing, IsWhereProvenScalesCostTheSame) {
  for (const double by : {1 - 1e-6, 1 + 1e-6}) {
    const double table = by * noise_crossing_mu(CrossingRule::Table, kTableRatio);
    const double gaussian = 2 / (table * table);
    const double scale = accounting::laplace_scale_table(*mu_near(table), Decimal(2))->value();
    EXPECT_EQ(2 * scale * scale < gaussian, by > 1) << by;
    const double one = by * noise_crossing_mu(CrossingRule::FromL1, 1);
    const double scale_of_one = accounting::laplace_scale_one_or_two_dimensional(*mu_near(one), Decimal(1), 1)->value();
    EXPECT_EQ(2 * scale_of_one * scale_of_one < 1 / (one * one), by > 1) << by;
    const double any = by * noise_crossing_mu(CrossingRule::Universal, kTableRatio);
    const double universal = accounting::laplace_scale_universal(*mu_near(any), Decimal(2))->value();
    EXPECT_EQ(2 * universal * universal < 2 / (any * any), by > 1) << by;
  }
}

TEST(NoiseCrossing, InRhoIsWhereTheCostsOfPlansCross) {
  for (const double by : {1 - 1e-6, 1 + 1e-6}) {
    const double rho = by * noise_crossing_rho(CrossingRule::Table, kTableRatio);
    const privacy::GaussianLoss loss =
        std::get<privacy::GaussianLoss>(privacy::gaussian_loss_from_rho(*privacy::Rho::of(*Decimal::from_shortest(rho))));
    const TableDesign design = *TableDesign::uniform(1000, 10, loss);
    const double gaussian = exact_costs(design).front().cost;
    EXPECT_EQ(laplace_costs(design, privacy::Currency::Zcdp)->front().cost < gaussian, by > 1) << by;
  }
}

}  // namespace
}  // namespace tacet::planning::noise_crossing_test
