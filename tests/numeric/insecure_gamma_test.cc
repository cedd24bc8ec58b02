// Gamma variables against their exact law, and a fault that must be seen.
#include "tacet/numeric/insecure_gamma.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <boost/math/special_functions/gamma.hpp>
#include <gtest/gtest.h>

#include "support/promise.h"

namespace tacet::numeric {
namespace {

constexpr double kFalseAlarm = 1e-11;
constexpr std::uint64_t kDraws = 200'000;

/// The largest distance of the two distribution functions at a thousand places: no larger than everywhere, so that the inequality holds.
double distance(double drawn_shape, double shape) {
  InsecureStream stream(test::suite_seed(), 77);
  std::vector<double> values(kDraws);
  for (double& value : values) value = draw_gamma(stream, drawn_shape);
  std::sort(values.begin(), values.end());
  double worst = 0;
  for (std::size_t i = 0; i < values.size(); i += values.size() / 1000) {
    const double f = boost::math::gamma_p(shape, values[i]);
    const auto n = static_cast<double>(values.size());
    worst = std::max({worst, std::abs(f - static_cast<double>(i) / n), std::abs(f - static_cast<double>(i + 1) / n)});
  }
  return worst;
}

TEST(DrawGamma, FollowsItsLaw) {
  const std::vector<double> shapes = {1, 1.5, 4, 250, 1e6};
  test::declare_false_alarm("gamma variables", kFalseAlarm * static_cast<double>(shapes.size()));
  for (const double shape : shapes) EXPECT_LE(distance(shape, shape), test::dkw_threshold(kDraws, kFalseAlarm)) << shape;
}

TEST(DrawGamma, OfAShapeOffByAThirdIsCaught) {
  test::declare_false_alarm("planted fault in gamma variables", kFalseAlarm);
  EXPECT_GT(distance(4.0 - 1.0 / 3, 4), test::dkw_threshold(kDraws, kFalseAlarm));
}

}  // namespace
}  // namespace tacet::numeric
