// Unit noise: its variance, and for K-norm the distribution of the largest number.
#include "tacet/inference/means/unit_noise.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <boost/math/special_functions/gamma.hpp>
#include <gtest/gtest.h>

#include "support/promise.h"

namespace tacet::inference::unit_noise_test {
namespace {

constexpr double kFalseAlarm = 1e-10;

// The density exp(-max |u|) makes max |u| a gamma variable of shape D, and a draw of some of the
// numbers a part of it. 100,000 draws see a distance of 0.011: of four numbers, one of shape D + 1
// is 0.2 away.
TEST(UnitNoise, OfKNormHasTheGammaLawOfItsLargestFigure) {
  constexpr std::size_t kFigures = 4;
  test::declare_false_alarm("the largest number of K-norm noise", kFalseAlarm);
  const auto draws = static_cast<std::size_t>(100'000 / test::coarseness());
  numeric::InsecureStream stream(test::suite_seed(), 72);
  std::vector<double> largest(draws);
  std::vector<double> unit(kFigures);
  for (double& value : largest) {
    draw_unit_noise(UnitNoise::KNorm, kFigures, stream, unit);
    value = 0;
    for (const double u : unit) value = std::max(value, std::abs(u));
  }
  std::sort(largest.begin(), largest.end());
  const auto distance = [&](double shape) {
    double worst = 0;
    for (std::size_t i = 0; i < largest.size(); i += largest.size() / 400)
      worst = std::max(worst, std::abs(boost::math::gamma_p(shape, largest[i]) - static_cast<double>(i) / static_cast<double>(draws)));
    return worst;
  };
  EXPECT_LT(distance(kFigures), test::dkw_threshold(draws, kFalseAlarm));
  EXPECT_GT(distance(kFigures + 1), test::dkw_threshold(draws, kFalseAlarm));
}

TEST(UnitNoise, HasTheVarianceItSays) {
  test::declare_false_alarm("variances of unit noise", 3 * kFalseAlarm);
  const auto draws = static_cast<std::size_t>(100'000 / test::coarseness());
  for (const UnitNoise family : {UnitNoise::Gaussian, UnitNoise::Laplace, UnitNoise::KNorm}) {
    numeric::InsecureStream stream(test::suite_seed(), 73 + static_cast<std::uint64_t>(family));
    constexpr std::size_t kFigures = 6;
    std::vector<double> unit(2);  // of the six
    double squares = 0;
    for (std::size_t i = 0; i < draws; ++i) {
      draw_unit_noise(family, kFigures, stream, unit);
      squares += unit[0] * unit[0] / static_cast<double>(draws);
    }
    // A mean of squares is normal to well within this margin: eight of its deviations, of kurtosis
    // at most 6.
    const double margin = 8 * std::sqrt(5.0 / static_cast<double>(draws));
    EXPECT_NEAR(squares / unit_variance(family, kFigures), 1, margin) << name(family);
  }
}

}  // namespace
}  // namespace tacet::inference::unit_noise_test
