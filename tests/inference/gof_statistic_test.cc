#include "tacet/inference/counts/gof_statistic.h"

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

namespace tacet::inference::gof_statistic_test {
namespace {

using mechanisms::NoiseStructure;

constexpr auto kClassical = GofStatistic::Classical;
constexpr auto kProjected = GofStatistic::Projected;
constexpr auto kNonprojected = GofStatistic::Nonprojected;

GofDesign design(std::vector<double> null, double n, double variance, NoiseStructure structure = NoiseStructure::Independent) {
  return *GofDesign::of(std::move(null), n, {.variance = variance, .structure = structure});
}

TEST(GofLaw, ReproducesRogersTableThree) {
  const std::vector<std::pair<double, double>> printed = {{1e3, 10070.47}, {1e4, 1117.85}, {1e5, 222.64}, {1e6, 133.16}};
  for (const auto& [n, critical] : printed) {
    EXPECT_NEAR(*gof_critical(design(std::vector<double>(100, 0.01), n, 1 / 0.00125), kClassical, 0.05), critical, 0.005) << n;
  }
}

// Independent values (numpy, scipy) of Rogers (6.9).
TEST(GofLaw, AgreesWithIndependentCriticalValues) {
  const std::vector<double> two = {0.7782371010107626, 0.22176289898923737};
  const std::vector<double> four = {0.2741758771077318, 0.1724713221103542, 0.24660953383296538, 0.3067432669489486};
  const std::vector<double> ten = {0.03413542969895597, 0.03494168383012224, 0.055094417288676076, 0.05028049922145644,
                                   0.12516233992449136, 0.06493741884112444, 0.16317634950441662,  0.2316081199705877,
                                   0.12356814468501662, 0.11709559703515254};
  struct Row {
    std::vector<double> null;
    double n, rho, alpha, critical;
  };
  const std::vector<Row> rows = {
      {two, 190903, 0.0038042564899466876, 0.05, 3.8642968906302144}, {two, 190903, 0.0038042564899466876, 0.001, 10.886926368430474},
      {four, 4270, 0.014798169736990755, 0.05, 8.406436565309631},    {four, 4270, 0.014798169736990755, 0.001, 17.43032270472952},
      {ten, 571, 0.00011198818624078736, 0.05, 4565.05270303189},     {ten, 571, 0.00011198818624078736, 0.001, 8216.192862211745}};
  for (const Row& row : rows) {
    EXPECT_NEAR(*gof_critical(design(row.null, row.n, 1 / row.rho), kClassical, row.alpha), row.critical, 1e-9 * row.critical);
  }
}

// Independent values of Rogers (6.4), (7.13) and (7.16).
TEST(GofStatistic, AgreesWithIndependentValues) {
  struct Row {
    std::vector<double> noisy, null;
    double n, rho, classical, nonprojected, projected;
  };
  const std::vector<Row> rows = {{{45654.84032760704, 7314.484443052595},
                                  {0.8646981859210248, 0.13530181407897524},
                                  52973,
                                  0.020752256358405843,
                                  3.517298596615165,
                                  3.7074782382691294,
                                  3.5673246510451233},
                                 {{6306.704078409645, 17510.156292984473, 13283.876158559839, 19664.874431625933},
                                  {0.11004357941045177, 0.3045160971346951, 0.23648883201922308, 0.3489514914356301},
                                  56750,
                                  0.008735052110209102,
                                  6.000391927729696,
                                  6.444645323782418,
                                  5.912457641226515},
                                 {{2013.0455372652395, 7469.239575656463, 4409.360381183843, 11623.83134216192, 14518.376565867899,
                                   9734.316585580118, 5841.695392363017, 23834.297669808715, 3731.040933340284, 2384.759847733254},
                                  {0.024166386422534936, 0.08696181758369968, 0.05051812816698994, 0.13555622161330974, 0.17087414403565146,
                                   0.11272528428331031, 0.07002134524297009, 0.2784881095620679, 0.04287933532698818, 0.027809227762477705},
                                  85568,
                                  0.037886305455574185,
                                  9.695038798828824,
                                  9.877583324389411,
                                  9.632913515159844}};
  for (const Row& row : rows) {
    const GofDesign d = design(row.null, row.n, 1 / row.rho);
    EXPECT_NEAR(gof_statistic(d, kClassical, row.noisy), row.classical, 1e-9 * row.classical);
    EXPECT_NEAR(gof_statistic(d, kNonprojected, row.noisy), row.nonprojected, 1e-9 * row.nonprojected);
    EXPECT_NEAR(gof_statistic(d, kProjected, row.noisy), row.projected, 1e-9 * row.projected);
  }
}

TEST(GofLaw, OfLittleNoiseIsTheOrdinaryChiSquareLaw) {
  const GofDesign d = design({0.2, 0.3, 0.5}, 1e6, 1e-5);
  EXPECT_NEAR(*gof_critical(d, kClassical, 0.05), 5.991464547107979, 1e-8);
  EXPECT_NEAR(*gof_critical(d, kProjected, 0.05), 5.991464547107979, 1e-10);
}

TEST(GofLaw, MeanIsTheTraceOfTheCovariance) {
  const std::vector<double> p = {0.1, 0.2, 0.7};
  const double t = 40.0 / 500;
  double inverse = 0;
  for (const double q : p) inverse += t / q;
  EXPECT_NEAR(gof_null_distribution(design(p, 500, 40), kClassical)->mean(), 2 + inverse, 1e-12 * inverse);
  // Without its mean, the noise of a cell has the variance 1 - 1/d.
  EXPECT_NEAR(gof_null_distribution(design(p, 500, 40, NoiseStructure::SumZero), kClassical)->mean(), 2 + inverse * 2 / 3, 1e-12 * inverse);
}

TEST(GofStatistic, OfNoiseThatKeepsTheTotalIsTheSameProjectedAndNot) {
  const GofDesign d = design({0.1, 0.2, 0.7}, 500, 40, NoiseStructure::SumZero);
  const std::vector<double> values = {60, 95, 345};
  EXPECT_EQ(gof_statistic(d, kProjected, values), gof_statistic(d, kNonprojected, values));
  EXPECT_EQ(d.df(kNonprojected), 2);
  EXPECT_EQ(d.df(kClassical), 2);
}

TEST(GofPower, AgainstTheNullIsTheLevelAndGrows) {
  const std::vector<double> p = {0.5, 1.0 / 6, 1.0 / 6, 1.0 / 6};
  for (const GofStatistic s : {kClassical, kProjected, kNonprojected}) {
    const GofDesign d = design(p, 10'000, 800);
    EXPECT_NEAR(*gof_power(d, s, p, 0.05), 0.05, 1e-10);
    EXPECT_NEAR(*gof_power_any_direction(d, s, 0, 0.05), 0.05, 1e-10);
    double before = 0.05;
    for (const double shift : {0.01, 0.02, 0.04, 0.08, 0.3}) {
      const double power =
          *gof_power(d, s, std::vector<double>{0.5 + shift, (0.5 - shift) / 3, (0.5 - shift) / 3, (0.5 - shift) / 3}, 0.05);
      EXPECT_GE(power, before);
      before = power;
    }
    EXPECT_GT(before, 0.999999);
  }
}

// Rogers Figure 18: the projected statistic has the highest power.
TEST(GofPower, OfTheProjectedStatisticIsHighestInRogersExample) {
  const GofDesign d = design({0.5, 1.0 / 6, 1.0 / 6, 1.0 / 6}, 20'000, 800);
  const std::vector<double> q = {0.51, 0.49 / 3, 0.49 / 3, 0.49 / 3};
  EXPECT_GT(*gof_power(d, kProjected, q, 0.05), *gof_power(d, kNonprojected, q, 0.05));
  EXPECT_GT(*gof_power(d, kProjected, q, 0.05), *gof_power(d, kClassical, q, 0.05));
}

TEST(GofPower, OfTheProjectedStatisticIsANoncentralChiSquareTail) {
  const GofDesign d = design({0.25, 0.25, 0.25, 0.25}, 1000, 125);
  // n D'D/(1/4 + 1/8) = 1000 * 0.0016 * 8/3.
  const double noncentrality = 1000 * 4 * 0.02 * 0.02 * 8 / 3;
  const auto law = numeric::WeightedChi2::of(std::vector<numeric::ChiTerm>{{.weight = 1, .df = 3, .noncentrality = noncentrality}});
  EXPECT_NEAR(*gof_power(d, kProjected, std::vector<double>{0.27, 0.27, 0.23, 0.23}, 0.05), law->upper(7.814727903251179), 1e-11);
}

// Lee, Algorithm 2: 0/0 = 0. Values of mpmath, by the inverse of the 3 x 3 covariance.
TEST(GofStatistic, LeavesCellsOfProbabilityZeroToTheStatisticsThatKnowTheirNoise) {
  const std::vector<double> null = {0.5, 0.5, 0};
  const std::vector<double> noisy = {55, 48, 3};
  const GofDesign d = design(null, 100, 4);
  EXPECT_NEAR(gof_statistic(d, kClassical, noisy), 0.58, 1e-14);
  EXPECT_NEAR(gof_statistic(d, kProjected, noisy), 0.8287037037037037, 1e-13);
  EXPECT_NEAR(gof_statistic(d, kNonprojected, noisy), 3.8287037037037037, 1e-13);
  EXPECT_NEAR(gof_null_distribution(d, kClassical)->upper(5), 0.032880790836865536, 1e-12);
  EXPECT_EQ(d.df(kClassical), 2);
  EXPECT_EQ(d.df(kProjected), 2);
  EXPECT_EQ(d.least_expected(), 50);
  const GofDesign kept = design(null, 100, 4, NoiseStructure::SumZero);
  EXPECT_NEAR(gof_null_distribution(kept, kClassical)->upper(5), 0.031887051499983288, 1e-12);
  // People where nobody should be: the projected statistic finds them.
  const std::vector<double> moved = {0.5, 0.45, 0.05};
  EXPECT_NEAR(*gof_power(d, kProjected, moved, 0.05), 0.79876605595929645, 1e-10);
  EXPECT_LT(*gof_power(d, kClassical, moved, 0.05), 0.3);
}

TEST(GofDesign, RefusesWhatIsNoLawAndNamesIt) {
  const auto error = [](std::vector<double> null, double n, double variance) {
    return GofDesign::of(std::move(null), n, {.variance = variance}).error();
  };
  EXPECT_EQ(error({0.5, 0.4}, 10, 1).message(), "null is a table of sum 0.9, but must sum to 1 within 1e-9; divide counts by their total");
  EXPECT_EQ(
      error({1, 0, 0}, 10, 1).message(),
      "null is 0 in cell 2, but must be probabilities of at most 1, each 0 or at least 1e-12, two of them not 0; for example a file that "
      "holds [0.5, 0.3, 0.2]");
  EXPECT_EQ(probabilities_of({0.5, 0.5, 0}, "alternative").error().message(),
            "alternative is 0 in cell 3, but must be probabilities greater than 0 (at least 1e-12) and at most 1; merge a cell that cannot "
            "occur with another one");
  EXPECT_EQ(error({1.5, -0.5}, 10, 1).name(), "null");
  EXPECT_EQ(error({std::nan(""), 0.5}, 10, 1).name(), "null");
  EXPECT_EQ(error({1.0}, 10, 1).name(), "null");
  EXPECT_EQ(error({}, 10, 1).name(), "null");
  EXPECT_EQ(error({0.5, 0.5}, 0, 1).name(), "n");
  EXPECT_EQ(error({0.5, 0.5}, std::nan(""), 1).name(), "n");
  EXPECT_EQ(error({0.5, 0.5}, 10, 0).name(), "noise variance");
}

TEST(GofLaw, OfClassicalStatisticsIsRefusedForManyCells) {
  const GofDesign d = design(std::vector<double>(1001, 1.0 / 1001), 1e6, 1);
  EXPECT_EQ(gof_null_distribution(d, kClassical).error().code(), Code::Unsupported);
  EXPECT_TRUE(gof_null_distribution(d, kProjected).ok());
}

}  // namespace
}  // namespace tacet::inference::gof_statistic_test
