// How far clipping moves a mean, against closed forms and against rows that are clipped.
#include "tacet/inference/means/clip_bias.h"

#include <cmath>

#include <gtest/gtest.h>

#include "tacet/numeric/insecure_stream.h"
#include "tacet/numeric/normal.h"

namespace tacet::inference {
namespace {

TEST(ClipBias, IsTheClosedFormOfOneAndTwoCoordinates) {
  for (const double from : {0.0, 0.5, 2.0, 3.7, 6.0}) {
    // E(|z| - c)+ of one standard normal z: 2 (phi(c) - c upper(c)); of two: sqrt(2 pi) upper(c).
    const double one = 2 * (numeric::normal_density(from) - from * numeric::normal_upper(from));
    EXPECT_NEAR(*clip_bias({{1}, from + 1, 1}) / one, 1, 1e-7) << from;
    EXPECT_NEAR(*clip_bias({{9}, 3 * from + 1, 1}) / (3 * one), 1, 1e-7) << from;
    const double two = std::sqrt(2 * M_PI) * numeric::normal_upper(from);
    EXPECT_NEAR(*clip_bias({{1, 1}, from + 1, 1}) / two, 1, 1e-7) << from;
    EXPECT_NEAR(*clip_bias({{1, 1 + 1e-6}, from + 1, 1}) / two, 1, 1e-4) << from << ", by integration";
  }
}

TEST(ClipBias, BeyondTheRadiusIsTheWayBackAndMore) { EXPECT_NEAR(*clip_bias({{1}, 2, 5}), 3 + std::sqrt(2 / M_PI), 1e-7); }

TEST(ClipBias, BoundsWhatClippingDoes) {
  const double radius = 3;
  for (const double distance : {0.0, 0.5, 1.5}) {
    numeric::InsecureStream stream(1, 2);
    constexpr int kRows = 200'000;
    double sum = 0;
    std::vector<double> v(2);
    for (int i = 0; i < kRows; ++i) {
      stream.fill_normal(v);
      const double x = v[0] + distance;
      const double length = std::hypot(x, v[1]);
      sum += (length > radius ? x * radius / length : x) - x;
    }
    EXPECT_LE(std::abs(sum / kRows), *clip_bias({{1, 1}, radius, distance}) + 1e-3) << distance;
    // From the clipped mean alone the bound is at least that.
    const auto from_clipped = clip_bias_from_clipped({{1, 1}, radius, std::max(0.0, distance + sum / kRows)});
    ASSERT_TRUE(from_clipped->has_value()) << distance;
    EXPECT_GE(**from_clipped, std::abs(sum / kRows) - 1e-3) << distance;
  }
}

TEST(ClipBias, FromClippedRowsHasNoBoundNearTheRadius) {
  EXPECT_TRUE(clip_bias_from_clipped({{1, 1}, 5, 0.1})->has_value());
  EXPECT_FALSE(clip_bias_from_clipped({{1, 1}, 5, 4.9})->has_value());
  EXPECT_FALSE(clip_bias_from_clipped({{1, 1}, 0.5, 0.1})->has_value());
}

}  // namespace
}  // namespace tacet::inference
