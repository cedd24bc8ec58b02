#include "tacet/mechanisms/covariance.h"

#include <cmath>
#include <numeric>
#include <random>

#include <gtest/gtest.h>

namespace tacet::mechanisms {
namespace {

TEST(ProjectWithFloor, SatisfiesTheConditionsOfTheNearestPoint) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 500; ++trial) {
    std::vector<double> values(1 + random() % 8);
    for (double& value : values) value = normal(random) * 3;
    const double floor = 0.1 + 0.2 * static_cast<double>(random() % 4);
    const double sum = floor * static_cast<double>(values.size()) + std::abs(normal(random));
    const std::vector<double> point = project_with_floor(values, floor, sum);
    ASSERT_NEAR(std::accumulate(point.begin(), point.end(), 0.0), sum, 1e-9);
    // Karush-Kuhn-Tucker: values above the floor moved by the same shift, the others by no less.
    double shift = -HUGE_VAL;
    for (std::size_t j = 0; j < values.size(); ++j) {
      ASSERT_GE(point[j], floor);
      if (point[j] > floor + 1e-9) shift = values[j] - point[j];
    }
    for (std::size_t j = 0; j < values.size(); ++j) {
      if (point[j] > floor + 1e-9) {
        ASSERT_NEAR(values[j] - point[j], shift, 1e-9);
      } else {
        ASSERT_LE(values[j] - point[j], shift + 1e-9);
      }
    }
  }
}

TEST(ProjectWithFloor, WithTooSmallASumEveryCoordinateIsTheFloor) {
  EXPECT_EQ(project_with_floor({3, -1}, 1, 0.5), (std::vector<double>{1, 1}));
}

TEST(NearestCovariance, LeavesWhatIsOneAlone) {
  const std::vector<double> matrix = {2, 0.5, 0.5, 1};
  const Covariance same = nearest_covariance(matrix, 2, 0.1);
  EXPECT_EQ(same.matrix, matrix);
  EXPECT_EQ(same.raised, 0);
}

TEST(NearestCovariance, RaisesEigenvaluesAndKeepsTheTrace) {
  const std::vector<double> matrix = {1, 2, 2, 1};  // eigenvalues 3 and -1
  const Covariance raised = nearest_covariance(matrix, 2, 0.25);
  EXPECT_EQ(raised.raised, 1);
  EXPECT_NEAR(raised.matrix[0] + raised.matrix[3], 2, 1e-12);
  EXPECT_NEAR(raised.matrix[0] * raised.matrix[3] - raised.matrix[1] * raised.matrix[2], 0.25 * 1.75, 1e-12);
}

}  // namespace
}  // namespace tacet::mechanisms
