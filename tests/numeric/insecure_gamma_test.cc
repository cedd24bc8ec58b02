// Gamma variables and sums of Laplace variables against their laws.
#include "tacet/numeric/insecure_gamma.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <vector>

#include <boost/math/special_functions/gamma.hpp>
#include <gtest/gtest.h>

#include "support/promise.h"

namespace tacet::numeric::insecure_gamma_test {
namespace {

constexpr double kFalseAlarm = 1e-10;

/// The largest distance between the distribution of the sample and `lower`, at 400 of its points:
/// no more than the largest of all.
double distance(std::vector<double> sample, const std::function<double(double)>& lower) {
  std::sort(sample.begin(), sample.end());
  const auto n = static_cast<double>(sample.size());
  double most = 0;
  for (std::size_t i = 0; i < sample.size(); i += sample.size() / 400) {
    const double p = lower(sample[i]);
    most = std::max({most, p - static_cast<double>(i) / n, static_cast<double>(i + 1) / n - p});
  }
  return most;
}

std::vector<double> gammas(double shape, std::uint64_t index) {
  std::vector<double> values(static_cast<std::size_t>(400'000 / test::coarseness()));
  InsecureStream stream(test::suite_seed(), index);
  fill_gamma(stream, shape, values);
  return values;
}

// 400,000 draws see a distance of 0.0055.
TEST(InsecureGamma, FollowsItsLawOverShapes) {
  const std::vector<double> shapes = {1, 1.5, 2, 10, 1000, 1e5, 1e12};
  test::declare_false_alarm("gamma variables", kFalseAlarm * static_cast<double>(shapes.size()));
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const auto sample = gammas(shapes[i], 10 + i);
    const double shape = shapes[i];
    // Normal up to 1/(8 sqrt(shape)) by its skewness.
    const auto lower = [shape](double x) {
      return shape > 1e6 ? 0.5 * std::erfc((shape - x) / std::sqrt(2 * shape)) : boost::math::gamma_p(shape, x);
    };
    EXPECT_LT(distance(sample, lower), test::dkw_threshold(sample.size(), kFalseAlarm)) << shapes[i];
  }
}

TEST(InsecureGamma, AWrongShapeIsCaught) {
  test::declare_false_alarm("a wrong shape of gamma variables is caught", 1e-9);
  const auto sample = gammas(10, 20);
  EXPECT_GT(distance(sample, [](double x) { return boost::math::gamma_p(10.3, x); }), test::dkw_threshold(sample.size(), kFalseAlarm));
}

// A sum of two has P[X > x] = (2 + x) exp(-x)/4 for x > 0.
TEST(LaplaceSums, FollowTheLawOfTwoAndTheVarianceOfMany) {
  test::declare_false_alarm("sums of Laplace variables", 2 * kFalseAlarm);
  std::vector<double> values(static_cast<std::size_t>(400'000 / test::coarseness()));
  InsecureStream stream(test::suite_seed(), 30);
  fill_laplace_sums(stream, 2, values);
  EXPECT_LT(distance(values,
                     [](double x) {
                       const double upper = (2 + std::abs(x)) * std::exp(-std::abs(x)) / 4;
                       return x > 0 ? 1 - upper : upper;
                     }),
            test::dkw_threshold(values.size(), kFalseAlarm));
  // Normal in the limit, with variance 2 n.
  fill_laplace_sums(stream, 1e9, values);
  EXPECT_LT(distance(values, [](double x) { return 0.5 * std::erfc(-x / std::sqrt(2e9) / std::sqrt(2.0)); }),
            test::dkw_threshold(values.size(), kFalseAlarm));
}

TEST(InsecureGamma, IsTheSameForTheSameSeed) { EXPECT_EQ(gammas(5, 40), gammas(5, 40)); }

}  // namespace
}  // namespace tacet::numeric::insecure_gamma_test
