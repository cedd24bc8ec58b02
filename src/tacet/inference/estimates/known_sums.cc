#include "tacet/inference/estimates/known_sums.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "tacet/inference/block_sum.h"

namespace tacet::inference {
namespace {

constexpr std::size_t kMostSums = 200;
constexpr std::size_t kMostProducts = 20'000'000;
constexpr double kMostWeight = 1e50;
/// Smaller eigenvalues, relative to the largest, are rounding errors of 0.
constexpr double kNoDirection = 1e-11;
/// How far sums may be from those of any table, relative to the largest of them.
constexpr double kContradiction = 1e-8;

Status check_sum(const KnownSum& one, std::size_t cells) {
  if (one.cells.size() != one.weights.size())
    return Error::invalid("known", fmt::format("{} weights for {} cells", one.weights.size(), one.cells.size()), "must be as many");
  if (!(std::abs(one.sum) <= kMostWeight))
    return Error::invalid("known", fmt::format("a sum of {}", one.sum), "must be a number up to 1e50");
  bool any = false;
  for (std::size_t i = 0; i < one.cells.size(); ++i) {
    if (one.cells[i] >= cells)
      return Error::invalid("known", fmt::format("cell {}", one.cells[i]), fmt::format("must be one of the {} cells of the table", cells));
    if (!(std::abs(one.weights[i]) <= kMostWeight))
      return Error::invalid("known", fmt::format("a weight of {}", one.weights[i]), "must be a number up to 1e50");
    any = any || one.weights[i] != 0;
  }
  if (any) return {};
  return Error::invalid("known", "a sum of no cells", "must have a cell with a weight other than 0");
}

/// A line of A, of unit length, with its sum.
struct Line {
  Eigen::VectorXd weights;
  double sum;
};

Line line_of(const KnownSum& one, std::size_t cells) {
  Line line{Eigen::VectorXd::Zero(static_cast<Eigen::Index>(cells)), one.sum};
  for (std::size_t i = 0; i < one.cells.size(); ++i) line.weights[static_cast<Eigen::Index>(one.cells[i])] += one.weights[i];
  const double length = line.weights.norm();
  if (length > 0) {
    line.weights /= length;
    line.sum /= length;
  }
  return line;
}

}  // namespace

Result<KeptSums> keep_known_sums(std::span<const double> values, const mechanisms::NoiseDistribution& noise, std::optional<double> total,
                                 std::vector<KnownSum> sums) {
  const std::size_t cells = values.size();
  for (const KnownSum& one : sums) TACET_CHECK(check_sum(one, cells));
  if (total || noise.structure == mechanisms::NoiseStructure::SumZero) {
    KnownSum all{std::vector<std::size_t>(cells), std::vector<double>(cells, 1), total.value_or(block_sum(values))};
    std::iota(all.cells.begin(), all.cells.end(), std::size_t{0});
    sums.push_back(std::move(all));
  }
  if (sums.empty() || sums.size() > kMostSums || sums.size() * cells > kMostProducts) {
    return Error::invalid("known", fmt::format("{} sums of a table with {} cells", sums.size(), cells),
                          fmt::format("must be 1 to {} sums, and together at most {} weights", kMostSums, kMostProducts));
  }
  const auto p = static_cast<Eigen::Index>(cells);
  const auto m = static_cast<Eigen::Index>(sums.size());
  Eigen::MatrixXd a(m, p);
  Eigen::VectorXd wanted(m);
  for (Eigen::Index i = 0; i < m; ++i) {
    const Line line = line_of(sums[static_cast<std::size_t>(i)], cells);
    a.row(i) = line.weights.transpose();
    wanted[i] = line.sum;
  }
  // A A' = U L U'; the rows of W = L^-1/2 U' A are an orthonormal basis of the rows of A.
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(a * a.transpose());
  const double largest = solver.eigenvalues().maxCoeff();
  const double scale = std::max(1.0, wanted.cwiseAbs().maxCoeff());
  const Eigen::Map<const Eigen::VectorXd> noisy(values.data(), p);
  KeptSums kept{{values.begin(), values.end()}, std::vector<double>(cells, 1), 0};
  Eigen::Map<Eigen::VectorXd> result(kept.values.data(), p);
  Eigen::Map<Eigen::VectorXd> share(kept.noise_share.data(), p);
  for (Eigen::Index i = 0; i < m; ++i) {
    const Eigen::VectorXd along = solver.eigenvectors().col(i);
    const double eigenvalue = solver.eigenvalues()[i];
    if (!(eigenvalue > kNoDirection * largest)) {
      if (std::abs(along.dot(wanted)) <= kContradiction * scale) continue;
      return Error::invalid("known", "sums that no table has", "must not contradict each other, nor the public total");
    }
    const Eigen::VectorXd direction = (a.transpose() * along) / std::sqrt(eigenvalue);
    result -= (direction.dot(noisy) - along.dot(wanted) / std::sqrt(eigenvalue)) * direction;
    share -= direction.cwiseAbs2();
    ++kept.rank;
  }
  share = share.cwiseMax(0);
  return kept;
}

}  // namespace tacet::inference
