#include "tacet/numeric/weighted_chi2.h"

#include <cmath>
#include <cstdio>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/big.h"
#include "support/eigenvalues.h"
#include "support/scripted_bits.h"

namespace tacet::numeric::weighted_chi2_test {
namespace {

using test::Big;
using testing::HasSubstr;

double uniform(test::InsecureStream& stream) { return test::to_uniform(stream.next()); }
WeightedChi2 law_of(const std::vector<ChiTerm>& terms) { return *WeightedChi2::of(terms); }

/// The error of the smaller tail, relative.
double error_of(const WeightedChi2& law, double q, const Big& upper, const Big& lower) {
  return upper < lower ? test::relative_error(law.upper(q), upper) : test::relative_error(law.lower(q), lower);
}

/// chi2 with 2 m degrees of freedom: P[Q > 2 x] = e^-x sum over k < m of x^k/k!, and the rest of
/// the exponential series.
void even_chi2(const Big& x, int m, Big& upper, Big& lower) {
  Big term(1);
  upper = Big(0);
  for (int k = 0; k < m; ++k) {
    upper = upper + term;
    term = term * x / Big(k + 1);
  }
  lower = Big(0);
  for (int k = m; k < m + 300 + m; ++k) {
    lower = lower + term;
    term = term * x / Big(k + 1);
  }
  upper = upper * exp(-x);
  lower = lower * exp(-x);
}

TEST(WeightedChi2, IsTheChiSquareLawForOneWeight) {
  test::InsecureStream stream(61);
  double worst = 0;
  for (const int m : {1, 2, 7, 50, 2000}) {
    for (int i = 0; i < 20; ++i) {
      const double mean = 2 * m;
      const double q = 3.5 * (i < 12 ? mean + (uniform(stream) * 14 - 3) * std::sqrt(2 * mean) : mean * uniform(stream));
      if (q <= 0) continue;
      Big upper;
      Big lower;
      even_chi2(Big(q) / Big(3.5) / 2, m, upper, lower);
      if (lower < Big(1e-290)) continue;
      const double df = m;
      worst = std::max(worst, error_of(law_of({{.weight = 3.5, .df = df}, {.weight = 3.5, .df = df}}), q, upper, lower));
    }
  }
  EXPECT_LE(worst, 1e-12);
}

TEST(WeightedChi2, OneDegreeOfFreedomIsTheNormalLaw) {
  const WeightedChi2 law = law_of({{.weight = 2}});
  for (const double z : {1e-8, 0.01, 0.5, 1.0, 3.0, 11.0, 30.0}) {
    const Big upper = Big(2) * test::normal_upper(Big(z));
    const Big lower = erf(Big(z) / sqrt(Big(2)));
    EXPECT_LE(error_of(law, 2 * z * z, upper, lower), 1e-12) << z;
  }
}

// Pairs of equal weights are exponential variables, whose sum has a closed form: sum of e^(-q/2w_i)
// prod over j of w_i/(w_i - w_j).
TEST(WeightedChi2, IsTheHypoexponentialLawForPairs) {
  test::InsecureStream stream(62);
  double worst = 0;
  for (int i = 0; i < 60; ++i) {
    std::vector<double> weights;
    const int n = 2 + i % 9;
    weights.reserve(static_cast<std::size_t>(n));
    for (int j = 0; j < n; ++j) weights.push_back(std::exp(3 * j / static_cast<double>(n) + 0.2 * uniform(stream)));
    double mean = 0;
    for (const double w : weights) mean += 2 * w;
    const double q = mean * (i % 3 == 0 ? uniform(stream) : std::exp(3 * uniform(stream)));
    Big upper(0);
    for (const double w : weights) {
      Big product = exp(-(Big(q) / (Big(2) * Big(w))));
      for (const double other : weights) {
        if (other != w) product = product * Big(w) / (Big(w) - Big(other));
      }
      upper = upper + product;
    }
    std::vector<ChiTerm> terms;
    terms.reserve(weights.size());
    for (const double w : weights) terms.push_back({.weight = w, .df = 2});
    const double error = error_of(law_of(terms), q, upper, Big(1) - upper);
    if (upper > Big(1e-30)) worst = std::max(worst, error);
  }
  EXPECT_LE(worst, 1e-12);
}

TEST(WeightedChi2, NoncentralIsAPoissonMixture) {
  for (const double noncentrality : {0.3, 7.5, 60.0}) {
    for (const double q : {0.5, 8.0, 40.0, 150.0}) {
      Big upper(0);
      Big lower(0);
      Big weight = exp(Big(-0.5 * noncentrality));
      for (int j = 0; j < 150; ++j) {
        Big up;
        Big low;
        even_chi2(Big(q) / 2, 2 + j, up, low);
        upper = upper + weight * up;
        lower = lower + weight * low;
        weight = weight * Big(0.5 * noncentrality) / Big(j + 1);
      }
      EXPECT_LE(error_of(law_of({{.weight = 1, .df = 4, .noncentrality = noncentrality}}), q, upper, lower), 1e-12)
          << noncentrality << " " << q;
      EXPECT_LE(error_of(law_of({{.weight = 1, .df = 3, .noncentrality = noncentrality}, {.weight = 1}}), q, upper, lower), 1e-12)
          << noncentrality << " " << q;
    }
  }
}

double weight_of(const std::string& spectrum, int i, int n, double r) {
  if (spectrum == "arithmetic") return 1 + i * r;
  if (spectrum == "geometric") return std::pow(r, i);
  if (spectrum == "harmonic") return 1 / std::pow(1 + i, r);
  return i == 0 ? r : 1 + i / static_cast<double>(n);
}

TEST(WeightedChi2, StaysWithinItsBudgetOnTheReferenceTable) {
  std::ifstream file("tests/data_reference/weighted_chi2.csv");
  ASSERT_TRUE(file.good());
  std::string line;
  double worst = 0;
  std::string worst_row;
  int rows = 0;
  while (std::getline(file, line)) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream row(line);
    std::string spectrum;
    std::string field;
    std::vector<std::string> fields;
    std::getline(row, spectrum, ',');
    while (std::getline(row, field, ',')) fields.push_back(field);
    ASSERT_EQ(fields.size(), 5U) << line;
    const int n = std::stoi(fields[0]);
    const double r = std::stod(fields[1]);
    const double q = std::stod(fields[2]);
    std::vector<double> weights;
    weights.reserve(static_cast<std::size_t>(n));
    for (int i = 0; i < n; ++i) weights.push_back(weight_of(spectrum, i, n, r));
    Big upper;
    Big lower;
    mpfr_set_str(upper.raw(), fields[3].c_str(), 10, MPFR_RNDN);
    mpfr_set_str(lower.raw(), fields[4].c_str(), 10, MPFR_RNDN);
    const double error = error_of(*WeightedChi2::of_weights(weights), q, upper, lower);
    if (error > worst) {
      worst = error;
      worst_row = line;
    }
    ++rows;
  }
  std::printf("%d rows, worst %.2g at %s\n", rows, worst, worst_row.c_str());
  EXPECT_GT(rows, 25);
  EXPECT_LE(worst, 1e-12) << worst_row;
}

TEST(WeightedChi2, QuantilesGoThereAndBack) {
  test::InsecureStream stream(63);
  for (int i = 0; i < 120; ++i) {
    std::vector<ChiTerm> terms;
    for (int j = 0; j <= i % 12; ++j) {
      terms.push_back({.weight = std::exp(8 * uniform(stream) - 4),
                       .df = 1.0 + static_cast<double>(stream.next() % 3),
                       .noncentrality = i % 4 == 0 ? uniform(stream) * 5 : 0});
    }
    const WeightedChi2 law = law_of(terms);
    const double p = i % 2 == 0 ? uniform(stream) * 0.98 + 0.01 : std::exp(-69 * uniform(stream));
    const double q = law.upper_quantile(p);
    ASSERT_NEAR(law.upper(q) / p, 1, 1e-11) << i << " " << p;
    const double below = law.lower_quantile(p);
    ASSERT_NEAR(law.lower(below) / p, 1, 1e-11) << i << " " << p;
    ASSERT_NEAR(law.upper(q) + law.lower(q), 1, 1e-15);
    ASSERT_GE(law.upper(q * 0.99), law.upper(q));
    const double h = 1e-4 * q;
    const double rise = p < 0.5 ? law.upper(q - h) - law.upper(q + h) : law.lower(q + h) - law.lower(q - h);
    ASSERT_NEAR(rise / (2 * h) / law.density(q), 1, 1e-4) << i << " " << p;
  }
}

TEST(WeightedChi2, KnowsItsMomentsAndLimits) {
  const WeightedChi2 law = law_of({{.weight = 2, .df = 3}, {.weight = 5, .df = 1, .noncentrality = 4}});
  EXPECT_DOUBLE_EQ(law.mean(), 6 + 5 * 5);
  EXPECT_DOUBLE_EQ(law.variance(), 2 * 4 * 3 + 2 * 25 * (1 + 2 * 4));
  EXPECT_EQ(law.upper(0), 1);
  EXPECT_EQ(law.upper(-3), 1);
  EXPECT_EQ(law.lower(-3), 0);
  EXPECT_EQ(law.upper(std::numeric_limits<double>::infinity()), 0);
  EXPECT_TRUE(std::isnan(law.upper(std::nan(""))));
  EXPECT_LT(law.upper(6000), 1e-200);
  EXPECT_GT(law.upper(6000), 0);
  for (const double wrong : {0.0, 1.0, -1.0, 2.0, std::nan("")}) EXPECT_TRUE(std::isnan(law.upper_quantile(wrong))) << wrong;
}

/// Rogers 6.1.3: the eigenvalues of I - sqrt(p) sqrt(p)' + diag(1/p)/(n rho).
double gof_critical(const std::vector<double>& p, double n, double rho, double alpha) {
  test::Matrix matrix(p.size(), std::vector<double>(p.size()));
  for (std::size_t i = 0; i < p.size(); ++i) {
    for (std::size_t j = 0; j < p.size(); ++j) matrix[i][j] = (i == j ? 1 + 1 / (p[i] * n * rho) : 0) - std::sqrt(p[i] * p[j]);
  }
  return WeightedChi2::of_weights(test::eigenvalues(std::move(matrix)))->upper_quantile(alpha);
}

TEST(WeightedChi2, AgreesWithTableThreeOfRogers) {
  const std::vector<double> uniform_null(100, 0.01);
  EXPECT_NEAR(gof_critical(uniform_null, 1e3, 0.00125, 0.05), 10070.47, 0.005);
  EXPECT_NEAR(gof_critical(uniform_null, 1e4, 0.00125, 0.05), 1117.85, 0.005);
  EXPECT_NEAR(gof_critical(uniform_null, 1e5, 0.00125, 0.05), 222.64, 0.005);
  EXPECT_NEAR(gof_critical(uniform_null, 1e6, 0.00125, 0.05), 133.16, 0.005);
}

TEST(WeightedChi2, AgreesWithIndependentCriticalValues) {
  struct Row {
    std::vector<double> p;
    double n, rho, alpha, critical;
  };
  // Independent values (numpy, scipy and mpmath on Rogers (6.9)).
  const std::vector<Row> rows = {
      {{0.7782371010107626, 0.22176289898923737}, 190903.0, 0.0038042564899466876, 0.05, 3.8642968906302144},
      {{0.7782371010107626, 0.22176289898923737}, 190903.0, 0.0038042564899466876, 0.001, 10.886926368430474},
      {{0.2741758771077318, 0.1724713221103542, 0.24660953383296538, 0.3067432669489486},
       4270.0,
       0.014798169736990755,
       0.05,
       8.406436565309631},
      {{0.2741758771077318, 0.1724713221103542, 0.24660953383296538, 0.3067432669489486},
       4270.0,
       0.014798169736990755,
       0.001,
       17.43032270472952},
      {{0.03413542969895597, 0.03494168383012224, 0.055094417288676076, 0.05028049922145644, 0.12516233992449136, 0.06493741884112444,
        0.16317634950441662, 0.2316081199705877, 0.12356814468501662, 0.11709559703515254},
       571.0,
       0.00011198818624078736,
       0.05,
       4565.05270303189},
      {{0.03413542969895597, 0.03494168383012224, 0.055094417288676076, 0.05028049922145644, 0.12516233992449136, 0.06493741884112444,
        0.16317634950441662, 0.2316081199705877, 0.12356814468501662, 0.11709559703515254},
       571.0,
       0.00011198818624078736,
       0.001,
       8216.192862211745},
      {{0.03413451365172097,  0.01873255543884964,  0.041613251103018736, 0.018139034846797342, 0.024545242199809556, 0.08659151860609653,
        0.031065184769519305, 0.06138594356091392,  0.012338445351253634, 0.02105525127334142,  0.029587301127281897, 0.03122119038142884,
        0.01786519958972972,  0.02203283795317942,  0.018128137892875845, 0.00606393280558504,  0.038098398217710445, 0.02306766055483397,
        0.08947778352203815,  0.06044102879455083,  0.02525129348537679,  0.030312226782269715, 0.03645380174397796,  0.037496095282659334,
        0.03707252843610281,  0.027243526553978242, 0.0354665222125762,   0.002828597481136799, 0.057327639887749,    0.024963356493638195},
       6274.0,
       0.0004588840184836999,
       0.05,
       968.1783829913724},
      {{0.03413451365172097,  0.01873255543884964,  0.041613251103018736, 0.018139034846797342, 0.024545242199809556, 0.08659151860609653,
        0.031065184769519305, 0.06138594356091392,  0.012338445351253634, 0.02105525127334142,  0.029587301127281897, 0.03122119038142884,
        0.01786519958972972,  0.02203283795317942,  0.018128137892875845, 0.00606393280558504,  0.038098398217710445, 0.02306766055483397,
        0.08947778352203815,  0.06044102879455083,  0.02525129348537679,  0.030312226782269715, 0.03645380174397796,  0.037496095282659334,
        0.03707252843610281,  0.027243526553978242, 0.0354665222125762,   0.002828597481136799, 0.057327639887749,    0.024963356493638195},
       6274.0,
       0.0004588840184836999,
       0.001,
       1821.1178187582582},
  };
  for (const Row& row : rows)
    EXPECT_NEAR(gof_critical(row.p, row.n, row.rho, row.alpha) / row.critical, 1, 1e-9) << row.n << " " << row.alpha;
}

TEST(WeightedChi2, RefusesWhatMakesNoSenseAndSaysWhy) {
  const auto message = [](const std::vector<ChiTerm>& terms) {
    const Result<WeightedChi2> law = WeightedChi2::of(terms);
    return law.ok() ? "accepted" : law.error().message();
  };
  EXPECT_EQ(message({}), "number of weights is 0, but must be between 1 and 1000000");
  EXPECT_EQ(message({{.weight = -1}}), "weight is -1, but must be a finite number between 1e-100 and 1e+100");
  EXPECT_THAT(message({{.weight = std::nan("")}}), HasSubstr("weight is nan"));
  EXPECT_THAT(message({{.weight = 0}}), HasSubstr("weight is 0"));
  EXPECT_THAT(message({{.weight = 1, .df = 0}}), HasSubstr("df is 0"));
  EXPECT_THAT(message({{.weight = 1, .df = 1, .noncentrality = -1}}), HasSubstr("noncentrality is -1"));
}

}  // namespace
}  // namespace tacet::numeric::weighted_chi2_test
