// The least noise-aware distance: against independent values, against goodness of fit, and against
// a search that knows no derivative.
#include "tacet/inference/counts/minimum_chi2.h"

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "tacet/inference/counts/goodness_of_fit.h"

#include "inference/drawn_release.h"
#include "support/promise.h"

namespace tacet::inference {
namespace {

double total(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

/// v' S^-1 v / n by elimination, S = diag(p) - p p' + t I; projected first where asked.
double distance_by_elimination(std::vector<double> v, const std::vector<double>& p, double n, double variance, bool projected) {
  const std::size_t d = p.size();
  if (projected) {
    const double mean = total(v) / static_cast<double>(d);
    for (double& x : v) x -= mean;
  }
  std::vector<std::vector<double>> s(d, std::vector<double>(d));
  for (std::size_t i = 0; i < d; ++i)
    for (std::size_t j = 0; j < d; ++j) s[i][j] = (i == j ? p[i] + variance / n : 0) - p[i] * p[j];
  std::vector<double> x = v;
  for (std::size_t k = 0; k < d; ++k) {
    for (std::size_t i = k + 1; i < d; ++i) {
      const double factor = s[i][k] / s[k][k];
      for (std::size_t j = k; j < d; ++j) s[i][j] -= factor * s[k][j];
      x[i] -= factor * x[k];
    }
  }
  double form = 0;
  for (std::size_t k = 0; k < d; ++k) form += x[k] * x[k] / s[k][k];  // v' S^-1 v of S = L D L'
  return form / n;
}

// Values of numpy and scipy for Rogers' Algorithm 15.
TEST(MinimumChi2, AgreesWithIndependentValues) {
  struct Row {
    std::size_t rows, columns;
    std::vector<double> noisy;
    double n, rho;
    bool projected;
    double statistic, df, p_value;
  };
  const std::vector<Row> rows = {
      {2,
       2,
       {1524.5965497058914, 1108.3119849304665, 2225.1862997869716, 1632.6989558667733},
       6492,
       0.004098381640098937,
       true,
       0.027997916916767146,
       1,
       0.8671137199551769},
      {2,
       2,
       {1524.5965497058914, 1108.3119849304665, 2225.1862997869716, 1632.6989558667733},
       6492,
       0.004098381640098937,
       false,
       0.029488643672730273,
       2,
       0.985363843416535},
      {3,
       2,
       {2660.5949660494657, 2756.784749710582, 630.9265399075961, 595.7758866724779, 2466.0988242975386, 2392.157804896813},
       11538,
       0.001171739374903866,
       true,
       2.5456243071818654,
       2,
       0.2800429895219863},
      {3,
       2,
       {2660.5949660494657, 2756.784749710582, 630.9265399075961, 595.7758866724779, 2466.0988242975386, 2392.157804896813},
       11538,
       0.001171739374903866,
       false,
       2.793979001478596,
       3,
       0.42449203996254037},
      {3,
       4,
       {6263.206463174966, 6648.901659317095, 6583.0579535274155, 7992.975706429742, 6574.469486050745, 6804.70768470478, 6809.361517968749,
        8399.327327825165, 3864.9386880850434, 4056.4532573469683, 4120.438378013476, 4810.3965821613365},
       72924,
       0.06614315410756243,
       true,
       5.557607525678563,
       6,
       0.47452157918498494},
      {3,
       4,
       {6263.206463174966, 6648.901659317095, 6583.0579535274155, 7992.975706429742, 6574.469486050745, 6804.70768470478, 6809.361517968749,
        8399.327327825165, 3864.9386880850434, 4056.4532573469683, 4120.438378013476, 4810.3965821613365},
       72924,
       0.06614315410756243,
       false,
       5.656451431285309,
       7,
       0.5803860356171585},
  };
  for (const Row& row : rows) {
    const IndependentMargins model(row.rows, row.columns);
    MinimumChi2 distance(model, {.variance = 1 / row.rho});
    const ChiFit fit = distance.fit(row.noisy, row.n);
    EXPECT_TRUE(fit.converged);
    const double excess = total(row.noisy) - row.n;
    const double statistic = fit.statistic + (row.projected ? 0 : excess * excess * row.rho / static_cast<double>(row.noisy.size()));
    EXPECT_NEAR(statistic, row.statistic, 1e-9 * row.statistic);
    const double df = distance.df() + (row.projected ? 0 : 1);
    EXPECT_EQ(df, row.df);
    const auto law = numeric::WeightedChi2::of(std::vector<numeric::ChiTerm>{{.weight = 1, .df = df}});
    EXPECT_NEAR(law->upper(statistic), row.p_value, 1e-9);
  }
}

TEST(MinimumChi2, IsTheGoodnessOfFitStatisticWhereNothingIsOpen) {
  const std::vector<double> null = {0.5, 0.3, 0.15, 0.05};
  const std::vector<double> values = {520.25, 280.5, 161, 31.75};
  const FixedNull model(null);
  MinimumChi2 distance(model, {.variance = 64});
  const GofDesign design = *GofDesign::of(null, 1000, {.variance = 64});
  EXPECT_NEAR(distance.statistic(values, 1000.0), gof_statistic(design, GofStatistic::Projected, values), 1e-12);
  EXPECT_EQ(distance.df(), 3);
}

// All people are in the diagonal: the distance is 303.03 + O(e^4) around the fit, so a search that
// neglects second derivatives would need thousands of steps, and a test that cannot be clearer
// would be inconclusive.
TEST(MinimumChi2, FindsAFlatMinimumFarFromTheHypothesis) {
  const IndependentMargins model(2, 2);
  MinimumChi2 distance(model, {.variance = 32});
  const ChiFit fit = distance.fit(std::vector<double>{201, 0, 0, 199}, 400.0);
  EXPECT_TRUE(fit.converged);
  EXPECT_NEAR(fit.statistic, 40000 / 0.33 / 400, 0.5);  // S has about 0.25 + 32/400 in every direction of sum 0
  numeric::InsecureStream stream(11, 1);
  for (const std::size_t side : {2U, 3U, 5U}) {
    std::vector<double> diagonal(side * side, 0.0);
    for (std::size_t i = 0; i < side; ++i) diagonal[i * side + i] = 1.0 / static_cast<double>(side);
    for (const bool n_public : {true, false}) {
      for (int table = 0; table < 100; ++table) {
        const auto release = draw_release(stream, diagonal, 400, {side, side}, gaussian(5), n_public);
        const IndependentMargins wider(side, side);
        MinimumChi2 least(wider, {.variance = 25});
        EXPECT_TRUE(least.fit(release.values, release.n).converged) << side << " x " << side << ", table " << table;
      }
    }
  }
}

// Noise that is larger than the table leaves shares at 0. A fit that stops on its way there depends
// on the order of rows and columns.
TEST(MinimumChi2, DoesNotDependOnTheOrderOfRowsAndColumns) {
  const IndependentMargins model(2, 2);
  MinimumChi2 distance(model, {.variance = 3600});
  for (const auto& table : std::vector<std::vector<double>>{
           {-39.434, -79.87, -12.606, 159.646}, {159.646, -12.606, -79.87, -39.434}, {-79.87, -39.434, 159.646, -12.606}}) {
    const ChiFit fit = distance.fit(table, std::nullopt);
    EXPECT_TRUE(fit.converged);
    EXPECT_NEAR(fit.statistic, 2.24805, 1e-5);
  }
  numeric::InsecureStream stream(13, 1);
  const IndependentMargins wider(3, 3);
  MinimumChi2 least(wider, {.variance = 400});
  int tables = 0;
  int found = 0;
  for (int trial = 0; trial < 500; ++trial) {
    const auto release = draw_release(stream, std::vector<double>(9, 1.0 / 9), 100, {3, 3}, gaussian(20), trial % 2 == 0);
    if (!release.n && total(release.values) < 1) continue;
    ++tables;
    const ChiFit fit = least.fit(release.values, release.n);
    const ChiFit turned = least.fit(std::vector<double>(release.values.rbegin(), release.values.rend()), release.n);
    if (fit.converged && turned.converged && std::abs(fit.statistic - turned.statistic) <= 1e-6 * fit.statistic) ++found;
  }
  EXPECT_GE(found, tables * 97 / 100);  // few tables have two minima
}

// A minimum is below all its neighbours: random steps around the fit, with the matrix inverted by
// elimination.
TEST(MinimumChi2, IsBelowEverythingAroundIt) {
  const IndependentMargins model(2, 3);
  numeric::InsecureStream stream(7, 1);
  for (const bool n_public : {true, false}) {
    for (int table = 0; table < 20; ++table) {
      const auto release = draw_release(stream, product({0.3, 0.7}, {0.5, 0.3, 0.2}), 500, {2, 3}, gaussian(15), n_public);
      MinimumChi2 distance(model, {.variance = 225});
      const ChiFit fit = distance.fit(release.values, release.n);
      ASSERT_TRUE(fit.converged);
      std::vector<double> middle(6);
      model.probabilities(model.guess(release.values), middle);
      const double scale = n_public ? 500 : total(release.values);
      const auto at = [&](const std::vector<double>& theta, double n) {
        std::vector<double> v(6);
        model.probabilities(theta, v);
        for (std::size_t i = 0; i < 6; ++i) v[i] = release.values[i] - n * v[i];
        return distance_by_elimination(v, middle, scale, 225, n_public);
      };
      EXPECT_NEAR(at(fit.theta, fit.n), fit.statistic, 1e-9 * (1 + fit.statistic));
      for (const double size : {1e-4, 1e-2, 0.3, 2.0}) {
        for (int step = 0; step < 50; ++step) {
          std::vector<double> noise(4);
          stream.fill_normal(noise);
          std::vector<double> theta = fit.theta;
          for (std::size_t k = 0; k < theta.size(); ++k) theta[k] += size * noise[k];
          EXPECT_GE(at(theta, n_public ? 500 : fit.n * std::exp(size * noise[3])), fit.statistic * (1 - 1e-9));
        }
      }
    }
  }
}

TEST(MinimumChi2, FindsAMinimumInWhateverTable) {
  numeric::InsecureStream stream(7, 2);
  int converged = 0;
  for (int table = 0; table < 2000; ++table) {
    const IndependentMargins model(3, 3);
    const auto release =
        draw_release(stream, product({0.9, 0.09, 0.01}, {0.5, 0.49, 0.01}), 100, {3, 3}, table % 2 == 0 ? gaussian(40) : laplace(2), true);
    MinimumChi2 distance(model, cell_noise(release.noise));
    const ChiFit fit = distance.fit(release.values, release.n);
    EXPECT_TRUE(std::isfinite(fit.statistic) && fit.statistic >= 0);
    converged += fit.converged ? 1 : 0;
  }
  EXPECT_GE(converged, 1980);  // a valley towards the border may take more than 200 steps
}

// Chi-square with (r - 1)(c - 1) degrees of freedom, also where n is open: its upper 5 % are
// reached with probability 0.05. 60,000 tables see 0.0435 or 0.0565.
TEST(MinimumChi2, FollowsTheChiSquareLawForLargeTables) {
  test::declare_false_alarm("law of minimum chi-square statistics", 4e-10);
  const std::vector<double> p = product({0.3, 0.7}, {0.5, 0.3, 0.2});
  const IndependentMargins model(2, 3);
  const auto trials = static_cast<std::uint64_t>(60'000 / test::coarseness());
  for (const auto& law : {gaussian(300), sum_zero(300)}) {
    for (const bool n_public : {true, false}) {
      MinimumChi2 distance(model, cell_noise(law));
      numeric::InsecureStream stream(test::suite_seed(), n_public ? 11 : 12);
      std::uint64_t above = 0;
      for (std::uint64_t i = 0; i < trials; ++i) {
        const auto release = draw_release(stream, p, 1e6, {2, 3}, law, n_public);
        above += distance.statistic(release.values, release.n) > 5.991464547107979 ? 1 : 0;
      }
      // Noise that keeps the total shows n, so that fitting it as open is conservative.
      if (n_public || law.structure == mechanisms::NoiseStructure::Independent) {
        EXPECT_GT(test::binomial_lower(trials, 0.0495, above), 5e-11) << above;
      }
      EXPECT_GT(test::binomial_upper(trials, 0.0505, above), 5e-11) << above;
    }
  }
}

// Without noise, the modified minimum chi-square of the margins: Pearson's statistic to first
// order.
TEST(MinimumChi2, ServesTablesWithoutNoise) {
  const IndependentMargins model(2, 2);
  MinimumChi2 distance(model, {.variance = 0});
  EXPECT_NEAR(distance.statistic(std::vector<double>{25025, 25000, 24990, 24985}, 100000.0), 0.003994, 1e-6);
  EXPECT_NEAR(distance.statistic(std::vector<double>{10, 20, 20, 40}, 90.0), 0, 1e-12);
}

}  // namespace
}  // namespace tacet::inference
