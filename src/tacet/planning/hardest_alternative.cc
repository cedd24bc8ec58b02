#include "tacet/planning/hardest_alternative.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace tacet::planning {
namespace {

constexpr std::size_t kMostHardCells = 1000;
/// Eigenvalues this close, relative to the largest, are equal.
constexpr double kEqual = 1e-12;

/// The projection of a cell's unit vector onto the space of the largest eigenvalue: of the first
/// cell with any part there, which makes the choice unique.
Eigen::VectorXd hardest_direction(const std::vector<double>& null) {
  const auto d = static_cast<Eigen::Index>(null.size());
  const Eigen::VectorXd p = Eigen::Map<const Eigen::VectorXd>(null.data(), d);
  Eigen::MatrixXd m = -p * p.transpose();
  m.diagonal() += p;
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(m);
  const double largest = solver.eigenvalues()[d - 1];
  Eigen::Index first = d - 1;
  while (first > 1 && solver.eigenvalues()[first - 1] >= largest * (1 - kEqual)) --first;
  const Eigen::MatrixXd space = solver.eigenvectors().rightCols(d - first);
  for (Eigen::Index cell = 0; cell < d; ++cell) {
    Eigen::VectorXd direction = space * space.row(cell).transpose();
    if (direction.cwiseAbs().maxCoeff() > 1e-6) return direction;
  }
  return space.col(0);
}

}  // namespace

Result<std::vector<double>> hardest_alternative(const std::vector<double>& null, double size) {
  if (null.size() < 2 || null.size() > kMostHardCells) {
    return Error::invalid("null", fmt::format("{} probabilities", null.size()),
                          fmt::format("must have 2 to {} cells for this", kMostHardCells), "give the alternative itself");
  }
  if (!(size > 0)) return Error::invalid("hardest", fmt::format("{}", size), "must be greater than 0", "for example: hardest = 0.01");
  Eigen::VectorXd direction = hardest_direction(null);
  Eigen::Index at = 0;
  direction.cwiseAbs().maxCoeff(&at);
  direction /= direction[at];
  double most = std::numeric_limits<double>::infinity();
  std::vector<double> alternative;
  for (std::size_t i = 0; i < null.size(); ++i) {
    const double change = direction[static_cast<Eigen::Index>(i)];
    if (change < 0) most = std::min(most, null[i] / -change);
    alternative.push_back(null[i] + size * change);
  }
  if (size < most) return alternative;
  return Error::invalid("hardest", fmt::format("{}", size), fmt::format("must be below {:.4g}, where a probability would vanish", most));
}

}  // namespace tacet::planning
