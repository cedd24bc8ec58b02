#include "tacet/planning/james_stein_risk.h"

#include <cmath>
#include <limits>

#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/big.h"

namespace tacet::planning {
namespace {

using test::Big;

/// Below this a term changes no digit that is looked at.
const Big kNegligible = exp(Big(-120));

/// Lee, Lemma B.1: e^-x sum of x^j/(j! (a+j)), a = k/2 - 1, in 77 digits; half of it is
/// E[1/chi2_k].
Big integral_by_series(double a, double x) {
  Big term = exp(-Big(x));
  Big sum = 0;
  for (double j = 0; j < x || term > kNegligible; ++j) {
    sum = sum + term / (Big(a) + Big(j));
    term = term * Big(x) / Big(j + 1);
  }
  return sum;
}

Big risk_by_series(double k, double x) {
  return Big(k) - (Big(k) - Big(2)) * (Big(k) - Big(2)) * integral_by_series(k / 2 - 1, x) / Big(2);
}

/// z^s e^-z/Gamma(s+1).
Big gamma_step(const Big& s, const Big& z) {
  Big log_gamma;
  const Big s_plus_one = s + Big(1);
  mpfr_lngamma(log_gamma.raw(), s_plus_one.raw(), MPFR_RNDN);
  return exp(s * log(z) - z - log_gamma);
}

/// P[chi2_m <= c], by its series.
Big chi2_lower(double m, double c) {
  const Big z = Big(c) / Big(2);
  Big term = gamma_step(Big(m / 2), z);
  Big sum = 0;
  for (double j = 1; j < c || term > kNegligible * sum; ++j) {
    sum = sum + term;
    term = term * z / (Big(m / 2) + Big(j));
  }
  return sum;
}

/// Stein's identity as it stands: E[k - c^2/W; W > c] + E[W - k; W <= c], over the Poisson mixture.
/// It cancels, in 77 digits.
Big positive_part_by_mixture(double k, double x) {
  const double c = k - 2;
  Big weight = exp(-Big(x));
  Big sum = 0;
  Big lower = chi2_lower(k - 2, c);  // of m - 2
  for (double j = 0; j < x || weight > kNegligible; ++j) {
    const double m = k + 2 * j;
    const Big here = lower - gamma_step(Big((m - 2) / 2), Big(c) / Big(2));
    const Big next = here - gamma_step(Big(m / 2), Big(c) / Big(2));
    const Big above = Big(k) * (Big(1) - here) - Big(c) * Big(c) / Big(m - 2) * (Big(1) - lower);
    const Big below = Big(m) * next - Big(k) * here;
    sum = sum + weight * (above + below);
    weight = x > 0 ? weight * Big(x) / Big(j + 1) : Big(0);
    lower = here;
  }
  return sum;
}

TEST(InverseChi2Mean, AgreesWithTheSeriesInBigNumbers) {
  double worst = 0;
  for (const double k : {3.0, 4.0, 5.0, 6.0, 7.0, 11.0, 40.0, 101.0, 1e4, 1e6, 1e7}) {
    for (const double x : {0.0, 1e-300, 1e-9, 0.01, 0.5, 1.0, 3.0, 8.0, 15.0, 20.0, 25.0, 33.0, 60.0, 150.0, 700.0, 2000.0}) {
      const double error = test::relative_error(inverse_chi2_mean(k, 2 * x), integral_by_series(k / 2 - 1, x) / Big(2));
      worst = std::max(worst, error);
      EXPECT_LE(error, 1e-15) << k << " " << x;
    }
  }
  RecordProperty("worst", fmt::format("{}", worst));
}

TEST(InverseChi2Mean, AgreesAtHugeNoncentralitiesWithTheRecurrenceFromItsClosedForm) {
  for (const double x : {1e3, 1e5, 1e8, 1e15, 1e40, 4e199}) {
    Big m = (Big(1) - exp(-Big(x))) / Big(x);  // a = 1, k = 4
    for (double a = 1; a <= 12; ++a) {
      EXPECT_LE(test::relative_error(inverse_chi2_mean(2 * a + 2, 2 * x), m / Big(2)), 1e-15) << a << " " << x;
      m = (Big(1) - Big(a) * m) / Big(x);
    }
  }
}

TEST(InverseChi2Mean, AgreesWithQuadratureInOddDimensionsAndManyOfThem) {
  for (const double k : {5.0, 7.0, 33.0, 1001.0, 99'999.0, 1e6, 1e7}) {
    for (const double x : {30.0, 1e3, 2e5, 1e6, 1e9, 1e14}) {
      const double a = k / 2 - 1;
      // u = (x + a) y: the integrand falls like e^-u, whatever the two are.
      const double scale = x + a;
      const auto integrand = [&](double u) { return std::exp((a - 1) * std::log1p(-u / scale) - u * (x / scale)); };
      double integral = 0;
      const double end = std::min(scale, 80.0);
      for (int part = 0; part < 20; ++part) {
        integral +=
            boost::math::quadrature::gauss_kronrod<double, 31>::integrate(integrand, end * part / 20, end * (part + 1) / 20, 6, 1e-14);
      }
      EXPECT_NEAR(inverse_chi2_mean(k, 2 * x) * 2 * scale / integral, 1, 1e-12) << k << " " << x;
    }
  }
}

TEST(JamesSteinRisk, AgreesWithTheSeriesInBigNumbers) {
  for (const double k : {3.0, 4.0, 5.0, 6.0, 17.0, 100.0, 1e4, 1e6, 1e7}) {
    for (const double x : {0.0, 1e-12, 0.2, 1.0, 7.0, 20.0, 90.0, 1000.0}) {
      EXPECT_LE(test::relative_error(james_stein_risk(k, 2 * x), risk_by_series(k, x)), 1e-14) << k << " " << x;
    }
  }
}

TEST(JamesSteinRisk, IsTwoAtTheTargetRisesAndStaysBelowTheDimension) {
  for (const double k : {3.0, 4.0, 9.0, 1000.0, 1e6}) {
    double last = james_stein_risk(k, 0);
    EXPECT_EQ(last, 2);
    for (double noncentrality = 1e-3; noncentrality < 1e12; noncentrality *= 10) {
      const double risk = james_stein_risk(k, noncentrality);
      EXPECT_GT(risk, last) << k << " " << noncentrality;
      EXPECT_LT(risk, k) << k << " " << noncentrality;
      last = risk;
    }
    EXPECT_DOUBLE_EQ(james_stein_risk(k, 1e200), k);
  }
}

TEST(PositivePartRisk, AgreesWithSteinsIdentityInBigNumbers) {
  for (const double k : {3.0, 4.0, 5.0, 10.0, 51.0, 400.0, 2000.0}) {
    for (const double x : {0.0, 1e-6, 0.3, 2.0, 10.0, 40.0, 150.0}) {
      EXPECT_LE(test::relative_error(positive_part_risk(k, 2 * x), positive_part_by_mixture(k, x)), 1e-13) << k << " " << x;
    }
  }
}

TEST(PositivePartRisk, AgreesWithSteinsIdentityInAMillionDimensions) {
  for (const double x : {0.0, 5.0, 300.0}) {
    EXPECT_LE(test::relative_error(positive_part_risk(1e6, 2 * x), positive_part_by_mixture(1e6, x)), 1e-12) << x;
  }
}

TEST(PositivePartRisk, IsNeverAboveThePlainRisk) {
  for (const double k : {3.0, 4.0, 30.0, 1e4, 1e7}) {
    for (const double noncentrality : {0.0, 1.0, 30.0, 1e3, 1e5, 1e9, 1e100}) {
      EXPECT_LE(positive_part_risk(k, noncentrality), james_stein_risk(k, noncentrality)) << k << " " << noncentrality;
      EXPECT_GT(positive_part_risk(k, noncentrality), 0);
    }
    EXPECT_LT(positive_part_risk(k, 0), 1.7);
  }
}

// The auditor is shown a fault: k - 3 in place of k - 2, which the paper has one section further
// on.
TEST(PositivePartRisk, RefereeTellsTheNextDimensionApart) {
  EXPECT_GT(test::relative_error(james_stein_risk(9, 12), risk_by_series(10, 6)), 0.01);
  EXPECT_GT(test::relative_error(positive_part_risk(9, 12), positive_part_by_mixture(10, 6)), 0.01);
}

TEST(JamesSteinRisk, IsNoNumberOutsideItsDomain) {
  for (const double k : {2.0, 0.0, -3.0, 3.5, 1e8, std::nan("")}) {
    EXPECT_TRUE(std::isnan(james_stein_risk(k, 1))) << k;
    EXPECT_TRUE(std::isnan(positive_part_risk(k, 1))) << k;
  }
  for (const double noncentrality : {-1e-300, -1.0, 1e201, std::numeric_limits<double>::infinity(), std::nan("")}) {
    EXPECT_TRUE(std::isnan(james_stein_risk(5, noncentrality))) << noncentrality;
    EXPECT_TRUE(std::isnan(positive_part_risk(5, noncentrality))) << noncentrality;
    EXPECT_TRUE(std::isnan(inverse_chi2_mean(5, noncentrality))) << noncentrality;
  }
}

}  // namespace
}  // namespace tacet::planning
