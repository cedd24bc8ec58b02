// Least squares on the tree of a histogram, against normal equations with dense matrices.
#include "tacet/inference/histograms/histogram_tree.h"

#include <Eigen/Dense>

#include <gtest/gtest.h>

#include "tacet/studies/levels/drawn_histogram.h"

namespace tacet::inference {
namespace {

using studies::equal_edges;

/// Rows of measurements: what each released value adds up, over the bins and the missing.
Eigen::MatrixXd measurement_rows(const NoisyHistogram& histogram) {
  const auto bins = static_cast<Eigen::Index>(histogram.bins());
  std::vector<Eigen::VectorXd> rows;
  std::size_t width = 1;
  for (const std::vector<double>& level : histogram.levels) {
    for (std::size_t node = 0; node < level.size(); ++node) {
      Eigen::VectorXd row = Eigen::VectorXd::Zero(bins + 1);
      for (std::size_t i = node * width; i < std::min(histogram.bins(), (node + 1) * width); ++i) row[static_cast<Eigen::Index>(i)] = 1;
      rows.push_back(row);
    }
    width *= histogram.branching;
  }
  rows.push_back(Eigen::VectorXd::Unit(bins + 1, bins));
  Eigen::MatrixXd all(static_cast<Eigen::Index>(rows.size()), bins + 1);
  for (std::size_t i = 0; i < rows.size(); ++i) all.row(static_cast<Eigen::Index>(i)) = rows[i];
  return all;
}

struct DenseEstimate {
  Eigen::VectorXd below;
  Eigen::MatrixXd covariance;
};

DenseEstimate by_normal_equations(const NoisyHistogram& histogram) {
  const Eigen::MatrixXd rows = measurement_rows(histogram);
  Eigen::VectorXd values(rows.rows());
  Eigen::Index next = 0;
  for (const std::vector<double>& level : histogram.levels)
    for (const double value : level) values[next++] = value;
  values[next] = *histogram.missing;
  Eigen::MatrixXd covariance = (rows.transpose() * rows).inverse();
  Eigen::VectorXd cells = covariance * rows.transpose() * values;
  if (histogram.n) {
    const Eigen::VectorXd with_total = covariance * Eigen::VectorXd::Ones(cells.size());
    cells += with_total * (*histogram.n - cells.sum()) / with_total.sum();
    covariance -= with_total * with_total.transpose() / with_total.sum();
  }
  const Eigen::Index bins = cells.size() - 1;
  Eigen::MatrixXd sums = Eigen::MatrixXd::Zero(bins + 1, bins + 1);
  for (Eigen::Index j = 0; j <= bins; ++j) sums.row(j).head(j).setOnes();
  return {sums * cells, sums * covariance * sums.transpose()};
}

NoisyHistogram made_up(std::size_t bins, std::size_t branching, bool n_public) {
  NoisyHistogram histogram{.edges = equal_edges(0, 1, bins), .branching = branching};
  numeric::InsecureStream stream(11, bins * 100 + branching);
  for (const std::size_t size : mechanisms::level_sizes(bins, branching)) stream.fill_normal(histogram.levels.emplace_back(size));
  for (std::vector<double>& level : histogram.levels)
    for (double& value : level) value = 40 + 10 * value;
  histogram.missing = 12.5;
  if (n_public) histogram.n = 1000;
  histogram.scale = 3;
  return histogram;
}

TEST(HistogramTree, AgreesWithNormalEquations) {
  for (const auto& [bins, branching] : {std::pair{5, 1}, {16, 4}, {17, 4}, {37, 3}, {64, 8}, {9, 2}}) {
    for (const bool n_public : {true, false}) {
      const NoisyHistogram histogram = made_up(static_cast<std::size_t>(bins), static_cast<std::size_t>(branching), n_public);
      const HistogramTree tree(histogram);
      const DenseEstimate dense = by_normal_equations(histogram);
      const Eigen::Index last = bins;
      for (Eigen::Index j = 0; j <= last; ++j) {
        const auto at = static_cast<std::size_t>(j);
        EXPECT_NEAR(tree.below()[at], dense.below[j], 1e-8) << bins << " " << branching << " " << n_public << " " << j;
        for (const double t : {0.0, 0.3, 1.0}) {
          const double variance = 9 * (dense.covariance(j, j) - 2 * t * dense.covariance(j, last) + t * t * dense.covariance(last, last));
          EXPECT_NEAR(tree.variance(at, t), variance, 1e-8) << bins << " " << branching << " " << n_public << " " << j;
        }
      }
    }
  }
}

TEST(HistogramTree, LaplaceNoiseHasTheSameVarianceInItsTerms) {
  NoisyHistogram histogram = made_up(37, 3, true);
  histogram.family = kernel::NoiseFamily::Laplace;
  histogram.copies = 2;
  const HistogramTree tree(histogram);
  for (const std::size_t j : {std::size_t{1}, std::size_t{18}, std::size_t{36}}) {
    EXPECT_NEAR(tree.noise(j, 0.4).variance(), tree.variance(j, 0.4), 1e-6 * tree.variance(j, 0.4));
    EXPECT_GT(tree.largest_scale(j, 0.4), 0);
  }
}

// Fixed seeds: 20,000 draws have a relative error of 1 %.
TEST(HistogramTree, DrawnNoiseHasTheVarianceThatIsStated) {
  for (const kernel::NoiseFamily family : {kernel::NoiseFamily::Gaussian, kernel::NoiseFamily::Laplace}) {
    NoisyHistogram histogram = made_up(17, 4, true);
    histogram.family = family;
    const HistogramTree tree(histogram);
    std::vector<double> room;
    std::vector<double> below(18);
    std::vector<double> squares(18);
    constexpr int kDraws = 20'000;
    numeric::InsecureStream stream(5, 0);
    for (int i = 0; i < kDraws; ++i) {
      tree.draw(stream, room, below);
      for (std::size_t j = 0; j < 18; ++j) squares[j] += below[j] * below[j] / kDraws;
    }
    for (const std::size_t j : {std::size_t{3}, std::size_t{9}, std::size_t{17}})
      EXPECT_NEAR(squares[j], tree.variance(j, 0), 0.05 * tree.variance(j, 0));
  }
}

// What the decision rests on: at 256 bins the median of a tree has less than half the error.
TEST(HistogramTree, SumsMakeTheMiddleMoreAccurateThanBinsAlone) {
  const HistogramTree flat(made_up(256, 1, true));
  NoisyHistogram sums = made_up(256, 4, true);
  sums.scale = 3 * std::sqrt(static_cast<double>(sums.levels.size()));  // the same privacy
  const HistogramTree tree(sums);
  const auto largest = [](const HistogramTree& of) {
    double variance = 0;
    for (std::size_t j = 0; j <= of.bins(); ++j) variance = std::max(variance, of.variance(j, 0.5));
    return std::sqrt(variance) / 3;
  };
  EXPECT_NEAR(largest(flat), 8.0, 0.1);
  EXPECT_NEAR(largest(tree), 3.25, 0.15);
}

TEST(HistogramTree, WithoutMissingNumbersAPublicTotalIsExact) {
  NoisyHistogram histogram = made_up(16, 4, true);
  histogram.missing.reset();
  const HistogramTree tree(histogram);
  EXPECT_NEAR(tree.people(), 1000, 1e-9);
  EXPECT_NEAR(tree.variance(16, 0), 0, 1e-12);
}

}  // namespace
}  // namespace tacet::inference
