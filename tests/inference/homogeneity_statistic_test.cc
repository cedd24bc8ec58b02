// The statistics of several tables against dense linear algebra that shares nothing with them.
#include "tacet/inference/counts/homogeneity_statistic.h"

#include <Eigen/Dense>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "tacet/numeric/insecure_stream.h"

namespace tacet::inference::homogeneity_statistic_test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// An orthonormal basis of the tables with sum 0.
MatrixXd contrasts(Eigen::Index d) {
  MatrixXd helmert = MatrixXd::Zero(d, d - 1);
  for (Eigen::Index k = 1; k < d; ++k) {
    const double norm = std::sqrt(static_cast<double>(k * (k + 1)));
    for (Eigen::Index j = 0; j < k; ++j) helmert(j, k - 1) = 1 / norm;
    helmert(k, k - 1) = -static_cast<double>(k) / norm;
  }
  return helmert;
}

struct Groups {
  std::vector<double> values, people;
  std::vector<GroupNoise> noise;
};

Groups some_groups(std::size_t cells, std::size_t groups, std::uint64_t index) {
  numeric::InsecureStream stream(1, index);
  Groups made;
  for (std::size_t i = 0; i < groups; ++i) {
    const double people = 50 + 1000 * stream.uniform();
    double sum = 0;
    std::vector<double> row(cells);
    for (double& value : row) {
      value = people / static_cast<double>(cells) * (1 + 0.6 * (stream.uniform() - 0.5));
      sum += value;
    }
    for (const double value : row) made.values.push_back(value * people / sum);
    made.people.push_back(people);
    made.noise.push_back({.variance = people * std::pow(10.0, 4 * stream.uniform() - 3), .total_public = stream.uniform() < 0.5});
  }
  return made;
}

/// Least squares in a basis, with the covariance as it is described.
double dense(const Groups& groups, std::size_t cells) {
  const auto d = static_cast<Eigen::Index>(cells);
  const MatrixXd basis = contrasts(d);
  VectorXd plug = VectorXd::Zero(d);
  double all = 0;
  double everybody = 0;
  for (std::size_t i = 0; i < groups.people.size(); ++i) {
    const double n = groups.people[i];
    const double weight = n / (1 / static_cast<double>(cells) + groups.noise[i].variance / n);
    plug += weight * Eigen::Map<const VectorXd>(groups.values.data() + i * cells, d) / n;
    all += weight;
    everybody += n;
  }
  plug = (plug / all).cwiseMax(1 / everybody);
  plug /= plug.sum();
  MatrixXd left = MatrixXd::Zero(d - 1, d - 1);
  VectorXd right = VectorXd::Zero(d - 1);
  std::vector<MatrixXd> inverses;
  std::vector<VectorXd> seen;
  for (std::size_t i = 0; i < groups.people.size(); ++i) {
    const double n = groups.people[i];
    const double t = groups.noise[i].variance / n;
    MatrixXd keep = MatrixXd::Identity(d, d);
    if (!groups.noise[i].total_public) keep -= plug * VectorXd::Ones(d).transpose();  // y - (sum of y) p
    MatrixXd covariance = -plug * plug.transpose();
    covariance.diagonal() += plug;
    covariance += t * keep * keep.transpose();
    inverses.emplace_back(n * (basis.transpose() * covariance * basis).inverse());
    seen.emplace_back(basis.transpose() * Eigen::Map<const VectorXd>(groups.values.data() + i * cells, d) / n);
    left += inverses.back();
    right += inverses.back() * seen.back();
  }
  const VectorXd best = left.ldlt().solve(right);
  double least = 0;
  for (std::size_t i = 0; i < seen.size(); ++i) least += (seen[i] - best).dot(inverses[i] * (seen[i] - best));
  return least;
}

TEST(HomogeneityStatistic, IsTheLeastWeightedSumOfSquares) {
  for (const std::size_t cells : {2U, 3U, 7U, 20U}) {
    for (const std::size_t count : {2U, 3U, 6U}) {
      const Groups groups = some_groups(cells, count, 10 * cells + count);
      HomogeneityStatistic statistic(GofStatistic::Projected, cells, groups.noise);
      const double expected = dense(groups, cells);
      EXPECT_NEAR(statistic.evaluate(groups.values, groups.people), expected, 1e-10 * expected) << cells << " " << count;
      const std::vector<double>& pooled = statistic.pooled();
      EXPECT_NEAR(std::accumulate(pooled.begin(), pooled.end(), 0.0), 1, 1e-12);
      EXPECT_EQ(statistic.df(), static_cast<double>((cells - 1) * (count - 1)));
    }
  }
}

// By hand: pooled (40, 60)/100; group 1 expects (20, 30), group 2 (20, 30).
TEST(HomogeneityStatistic, ClassicalIsPearsonsOfThePooledTable) {
  HomogeneityStatistic statistic(GofStatistic::Classical, 2, {{.variance = 1}, {.variance = 1}});
  EXPECT_NEAR(statistic.evaluate(std::vector<double>{15, 35, 25, 25}, std::vector<double>{50.0, 50.0}), 2 * (25.0 / 20 + 25.0 / 30), 1e-12);
  EXPECT_NEAR(statistic.pooled()[0], 0.4, 1e-15);
}

TEST(HomogeneityStatistic, WithoutNoiseBothAreNearlyPearsons) {
  const std::vector<double> values = {150, 250, 100, 280, 420, 300};
  const std::vector<double> people = {500, 1000};
  const std::vector<GroupNoise> noise = {{.variance = 1e-6, .total_public = true}, {.variance = 1e-6, .total_public = true}};
  HomogeneityStatistic classical(GofStatistic::Classical, 3, noise);
  HomogeneityStatistic projected(GofStatistic::Projected, 3, noise);
  const double pearson = classical.evaluate(values, people);
  EXPECT_NEAR(projected.evaluate(values, people), pearson, 1e-6 * pearson);
}

TEST(HomogeneityStatistic, IsZeroForEqualSharesAndKeepsPooledPositive) {
  for (const GofStatistic kind : {GofStatistic::Classical, GofStatistic::Projected}) {
    HomogeneityStatistic statistic(kind, 3, {{.variance = 9}, {.variance = 100, .total_public = true}});
    EXPECT_NEAR(statistic.evaluate(std::vector<double>{50, 30, 20, 500, 300, 200}, std::vector<double>{100.0, 1000.0}), 0, 1e-10);
    const double far = statistic.evaluate(std::vector<double>{70, 50, -20, 600, 500, -100}, std::vector<double>{100.0, 1000.0});
    EXPECT_TRUE(std::isfinite(far));
    for (const double p : statistic.pooled()) EXPECT_GT(p, 0);
    EXPECT_TRUE(std::isinf(statistic.evaluate(std::vector<double>{5, 3, -9, 5, 3, 2}, std::vector<double>{-1.0, 10.0})));
  }
}

}  // namespace
}  // namespace tacet::inference::homogeneity_statistic_test
