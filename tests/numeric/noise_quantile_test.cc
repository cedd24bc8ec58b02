#include "tacet/numeric/noise_quantile.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include <boost/math/quadrature/gauss.hpp>
#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <gtest/gtest.h>

namespace tacet::numeric::noise_quantile_test {
namespace {

double normal_lower(double x) { return std::erfc(-x / std::numbers::sqrt2) / 2; }

TEST(MaxQuantileGaussian, OneCellIsTheTwoSidedNormalQuantile) { EXPECT_NEAR(max_quantile_gaussian(1, 0.05), 1.959963984540054, 1e-14); }

TEST(MaxQuantileGaussian, AllCellsTogetherHoldTheLevelExactly) {
  for (const std::size_t p : {1U, 2U, 12U, 1000U, 1000000U}) {
    for (const double alpha : {0.5, 0.05, 1e-6}) {
      const double c = max_quantile_gaussian(p, alpha);
      const double outside = std::erfc(c / std::numbers::sqrt2);
      EXPECT_NEAR(-std::expm1(static_cast<double>(p) * std::log1p(-outside)) / alpha, 1, 1e-11) << p << " " << alpha;
    }
  }
}

TEST(MaxQuantileLaplace, AllCellsTogetherHoldTheLevelExactly) {
  for (const std::size_t p : {1U, 2U, 12U, 1000U, 1000000U}) {
    for (const double alpha : {0.5, 0.05, 1e-6}) {
      const double outside = std::exp(-max_quantile_laplace(p, alpha));
      EXPECT_NEAR(-std::expm1(static_cast<double>(p) * std::log1p(-outside)) / alpha, 1, 1e-11) << p << " " << alpha;
    }
  }
}

// Two cells share one deviation: z1 - mean = -(z2 - mean), of variance 1/2.
TEST(MaxQuantileSumZero, TwoCellsHaveOneDeviation) {
  EXPECT_NEAR(max_quantile_sum_zero(2, 0.05), 1.959963984540054 / std::numbers::sqrt2, 1e-14);
  EXPECT_NEAR(max_quantile_sum_zero(2, 0.05), marginal_quantile_sum_zero(2, 0.05), 1e-14);
}

// Three cells: a plane, where the region is a regular hexagon with apothem c sqrt(3/2); by polar
// integration.
TEST(MaxProbabilitySumZero, ThreeCellsAreAHexagonUnderThePlaneNormalLaw) {
  for (const double c : {0.3, 1.0, 2.0, 2.9}) {
    const double apothem = c * std::sqrt(1.5);
    const auto slice = [apothem](double angle) { return -std::expm1(-apothem * apothem / (2 * std::cos(angle) * std::cos(angle))); };
    const double sixth =
        boost::math::quadrature::gauss_kronrod<double, 31>::integrate(slice, -std::numbers::pi / 6, std::numbers::pi / 6, 5, 1e-13);
    EXPECT_NEAR(max_probability_sum_zero(3, c), 6 * sixth / (2 * std::numbers::pi), 1e-9) << c;
  }
}

// More cells: the density at 0 of a sum of restricted normal variables, by nested integrals of the
// convolution itself.
class RestrictedSums {
 public:
  explicit RestrictedSums(double c) : c_(c) {}
  double one(double z) const { return std::abs(z) <= c_ ? std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi) : 0; }
  double two(double s) const {
    const double from = std::max(-c_, s - c_);
    const double to = std::min(c_, s + c_);
    if (to <= from) return 0;
    return std::exp(-s * s / 4) / (2 * std::sqrt(std::numbers::pi)) *
           (normal_lower(std::numbers::sqrt2 * (to - s / 2)) - normal_lower(std::numbers::sqrt2 * (from - s / 2)));
  }
  double three(double s) const {
    return in_panels(-c_, c_, [this, s](double z) { return one(z) * two(s - z); }, {s - 2 * c_, s, s + 2 * c_});
  }
  double four_at_zero() const {
    return in_panels(-c_, c_, [this](double s) { return one(s) * three(s); }, {0});
  }
  double five_at_zero() const {
    return in_panels(-2 * c_, 2 * c_, [this](double s) { return two(s) * three(s); }, {-c_, 0, c_});
  }
  double six_at_zero() const {
    return in_panels(-3 * c_, 3 * c_, [this](double s) { return three(s) * three(s); }, {-c_, 0, c_});
  }

 private:
  /// The integral from `from` to `to`, cut where the integrand has a kink.
  template <class F>
  static double in_panels(double from, double to, const F& f, std::vector<double> kinks) {
    kinks.push_back(from);
    kinks.push_back(to);
    std::sort(kinks.begin(), kinks.end());
    double sum = 0;
    for (std::size_t i = 0; i + 1 < kinks.size(); ++i) {
      const double left = std::clamp(kinks[i], from, to);
      const double right = std::clamp(kinks[i + 1], from, to);
      if (right > left) sum += boost::math::quadrature::gauss<double, 30>::integrate(f, left, right);
    }
    return sum;
  }
  double c_;
};

TEST(MaxProbabilitySumZero, FourToSixCellsAgreeWithTheConvolutionItself) {
  for (const double c : {1.0, 1.7, 2.5, 3.2}) {
    const RestrictedSums sums(c);
    EXPECT_NEAR(max_probability_sum_zero(4, c), sums.four_at_zero() * std::sqrt(2 * std::numbers::pi * 4), 1e-9) << c;
    EXPECT_NEAR(max_probability_sum_zero(5, c), sums.five_at_zero() * std::sqrt(2 * std::numbers::pi * 5), 1e-9) << c;
    EXPECT_NEAR(max_probability_sum_zero(6, c), sums.six_at_zero() * std::sqrt(2 * std::numbers::pi * 6), 1e-9) << c;
  }
}

// Bonferroni from below, Sidak's inequality from above.
TEST(MaxQuantileSumZero, LiesBetweenTheBoundsOfBonferroniAndSidak) {
  for (const std::size_t p : {3U, 5U, 12U, 100U, 999U, 5000U}) {
    for (const double alpha : {0.5, 0.05, 1e-3, 1e-7}) {
      const double c = max_quantile_sum_zero(p, alpha);
      const double deviation = std::sqrt(1 - 1 / static_cast<double>(p));
      EXPECT_LE(c, max_quantile_gaussian(p, alpha) * 1.001) << p << " " << alpha;
      // P[max > c] <= p P[|z1 - mean| > c], so alpha <= that.
      EXPECT_LE(alpha * 0.999, static_cast<double>(p) * std::erfc(c / deviation / std::numbers::sqrt2)) << p << " " << alpha;
      EXPECT_GE(c, marginal_quantile_sum_zero(p, alpha)) << p << " " << alpha;
    }
  }
}

}  // namespace
}  // namespace tacet::numeric::noise_quantile_test
