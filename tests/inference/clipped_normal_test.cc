// Means of clipped normal rows: closed forms, rows that are clipped, and the way back.
#include "tacet/inference/means/clipped_normal.h"

#include <cmath>

#include <gtest/gtest.h>

#include "tacet/numeric/insecure_stream.h"
#include "tacet/numeric/normal.h"

#include "support/promise.h"

namespace tacet::inference {
namespace {

/// E max(-R, min(R, m + z)), z standard normal.
double clamped_mean(double m, double radius) {
  const auto above = [](double from) { return numeric::normal_density(from) - from * numeric::normal_upper(from); };  // E(z - from)+
  return m - above(radius - m) + above(radius + m);
}

/// E min(R^2, (m + z)^2).
double clamped_square(double m, double radius) {
  // E((z - a)^2; z > a) = (1 + a^2) upper(a) - a density(a), so with x = m + z, E(x^2 - R^2; x > R)
  // = E((x - R)^2 + 2R(x - R); x > R).
  const auto beyond = [radius](double a) {
    const double tail = numeric::normal_upper(a);
    const double density = numeric::normal_density(a);
    return (1 + a * a) * tail - a * density + 2 * radius * (density - a * tail);
  };
  return m * m + 1 - beyond(radius - m) - beyond(radius + m);
}

TEST(ClippedNormal, IsTheClosedFormOfOneColumn) {
  for (const double variance : {1.0, 0.04}) {
    const double s = std::sqrt(variance);
    for (const double radius : {0.5, 2.0, 4.0, 30.0}) {
      for (const double m : {0.01, 0.5, 1.9, 5.0, 28.0, 90.0}) {
        const ClippedNormal rows{1, variance, radius * s};
        EXPECT_NEAR(rows.kept(m * s) * m / clamped_mean(m, radius), 1, 1e-10) << radius << " " << m;
        const double h = 1e-4;
        const double slope = (clamped_mean(m + h, radius) - clamped_mean(m - h, radius)) / (2 * h);
        EXPECT_NEAR(rows.slope(m * s), slope, 1e-7) << radius << " " << m;
        EXPECT_NEAR(rows.variances(m * s).along / variance, clamped_square(m, radius) - std::pow(clamped_mean(m, radius), 2),
                    1e-9 + 1e-11 * m * m);
      }
    }
  }
}

// 200,000 rows place each mean within 0.015 (six and a half deviations of at most 1/sqrt(200,000)),
// and see a law with one degree of freedom too few.
TEST(ClippedNormal, IsWhatBecomesOfClippedRows) {
  constexpr std::size_t kRows = 200'000;
  test::declare_false_alarm("means of clipped rows", 4 * 1e-10);
  numeric::InsecureStream stream(test::suite_seed(), 71);
  for (const double length : {0.7, 3.0}) {
    const ClippedNormal rows{3, 1, 2};
    double along = 0;
    double across = 0;
    std::vector<double> v(3);
    for (std::size_t i = 0; i < kRows; ++i) {
      stream.fill_normal(v);
      v[0] += length;
      const double shrink = std::min(1.0, rows.radius / std::hypot(v[0], v[1], v[2]));
      along += v[0] * shrink / kRows;
      across += std::pow(v[1] * shrink, 2) / kRows;
    }
    EXPECT_NEAR(rows.kept(length) * length, along, 0.015) << length;
    // Bounded by 4, a square has a deviation of at most 2.
    EXPECT_NEAR(rows.variances(length).across, across, 2 * 0.015) << length;
    const ClippedNormal wrong{2, 1, 2};
    EXPECT_GT(std::abs(wrong.kept(length) * length - along), 0.015) << length;
  }
}

TEST(ClippedNormal, FindsTheWayBack) {
  for (const std::size_t d : {1U, 2U, 10U, 64U}) {
    const ClippedNormal rows{d, 1, std::sqrt(static_cast<double>(d)) + 2.5};
    for (const double length : {0.0, 0.3, 1.0, 2.0}) {
      const auto found = rows.before(length * rows.kept(length));
      ASSERT_TRUE(found) << d << " " << length;
      EXPECT_NEAR(*found, length, 1e-8) << d;
    }
  }
}

TEST(ClippedNormal, SaysNothingWhereClippingHidesTheMean) {
  const ClippedNormal rows{2, 1, 3};
  EXPECT_FALSE(rows.before(2.9));
  EXPECT_FALSE(rows.before(3));
  EXPECT_FALSE(rows.before(1e30));
  EXPECT_FALSE((ClippedNormal{2, 1, 0.3}.before(0)));
  EXPECT_FALSE((ClippedNormal{2, 1, 0.3}.before(0.05)));
}

TEST(ClippedMean, GoesThereAndBackInTheUnitsOfTheColumns) {
  const RowClipping clipping{3, {1, 0.2, 0, 0.5}, {10, -4}};
  // The covariance that this map whitens: inverse times its transpose, with inverse {{1, -0.4}, {0,
  // 2}}.
  const std::vector<double> covariance = {1.16, -0.8, -0.8, 4};
  const auto rows = spherical_rows(clipping, covariance);
  ASSERT_TRUE(rows);
  EXPECT_NEAR(rows->variance, 1, 1e-12);
  EXPECT_FALSE(spherical_rows(clipping, {1, 0, 0, 1}));
  const std::vector<double> mean = {11, -4.6};
  const auto clipped = clipped_mean(*rows, clipping, mean);
  ASSERT_TRUE(clipped);
  const auto back = unclipped_mean(*rows, clipping, *clipped);
  ASSERT_TRUE(back);
  for (std::size_t j = 0; j < 2; ++j) EXPECT_NEAR(back->mean[j], mean[j], 1e-8);
  EXPECT_GT(back->moved, 0.001);
  const double h = 1e-5;
  for (std::size_t k = 0; k < 2; ++k) {
    std::vector<double> up = *clipped;
    std::vector<double> down = *clipped;
    up[k] += h;
    down[k] -= h;
    const auto more = unclipped_mean(*rows, clipping, up);
    const auto less = unclipped_mean(*rows, clipping, down);
    for (std::size_t j = 0; j < 2; ++j) EXPECT_NEAR(back->error[2 * j + k], (more->mean[j] - less->mean[j]) / (2 * h), 1e-6);
  }
  EXPECT_FALSE(clipped_mean(*rows, clipping, {1e9, 0}));
  const auto covariance_of_clipped = clipped_covariance(*rows, clipping, mean);
  ASSERT_TRUE(covariance_of_clipped);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR((*covariance_of_clipped)[i], back->row_covariance[i], 1e-7);
  EXPECT_FALSE(clipped_covariance(*rows, clipping, {1e9, 0}));
}

TEST(ClippedMean, CovarianceIsThatOfSimulatedRows) {
  const RowClipping clipping{1.5, {0.5, 0, 0, 2}, {1, 0}};
  const auto rows = spherical_rows(clipping, {4, 0, 0, 0.25});
  ASSERT_TRUE(rows);
  const std::vector<double> mean = {3, 0.2};
  const auto expected = clipped_covariance(*rows, clipping, mean);
  ASSERT_TRUE(expected);
  numeric::InsecureStream stream(19, 0);
  constexpr int kRows = 200'000;
  std::vector<double> z(2);
  double sums[2] = {0, 0};
  double squares[3] = {0, 0, 0};
  for (int i = 0; i < kRows; ++i) {
    stream.fill_normal(z);
    const double v = 0.5 * (mean[0] - 1) + z[0];
    const double w = 2 * mean[1] + z[1];
    const double shorter = std::min(1.0, 1.5 / std::hypot(v, w));
    const double x = v * shorter / 0.5;
    const double y = w * shorter / 2;
    sums[0] += x, sums[1] += y;
    squares[0] += x * x, squares[1] += x * y, squares[2] += y * y;
  }
  const double m0 = sums[0] / kRows;
  const double m1 = sums[1] / kRows;
  // With a fixed seed; standard errors are below 0.01, 0.003 and 0.001.
  EXPECT_NEAR((*expected)[0], squares[0] / kRows - m0 * m0, 0.03);
  EXPECT_NEAR((*expected)[1], squares[1] / kRows - m0 * m1, 0.01);
  EXPECT_NEAR((*expected)[3], squares[2] / kRows - m1 * m1, 0.004);
}

}  // namespace
}  // namespace tacet::inference
