// tacet/eigen/noisy_directions.h: the directions of ED, one after the other; internal to this room.
//
//   const Eigen::MatrixXd matrix = Eigen::MatrixXd::Identity(3, 3);
//   auto draw = [&](const BinghamDirection& bingham) { return bingham.draw(bits); };
//   Eigen::MatrixXd directions = *noisy_directions(matrix, /*concentration=*/0.25, draw);
//
// Column i is drawn with density exp(concentration u'Cu) among the directions that are orthogonal
// to the columns before it. The last column is what is left.
// Theorem  docs/explanation/eigen_mechanism.md
// Domain   a symmetric matrix; concentration > 0.
// Error    double arithmetic.
// Cost     d symmetric eigenproblems, of sizes d, d-1, ..., 2.
// Checked  tests/eigen/release_eigen_test.cc, tests/eigen/simulate_eigen_test.cc
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Dense>
#include <utility>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/eigen/bingham.h"

namespace tacet::eigen {

/// One direction u with density exp(concentration u'Cu).
template <class Draw>
Result<Eigen::VectorXd> noisy_direction(const Eigen::MatrixXd& matrix, double concentration, Draw& draw) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(matrix);
  const Eigen::VectorXd& values = solver.eigenvalues();
  std::vector<double> a;
  for (const double value : values) a.push_back(concentration * (values.maxCoeff() - value));
  TACET_TRY(const auto bingham, BinghamDirection::of(std::move(a)));
  const std::vector<double> drawn = draw(bingham);
  const Eigen::VectorXd direction = solver.eigenvectors() * Eigen::Map<const Eigen::VectorXd>(drawn.data(), values.size());
  return Eigen::VectorXd(direction.normalized());
}

/// Rows: an orthonormal basis of the complement of `direction`: the Householder reflection of
/// `direction` to an axis, without that axis. It depends on the direction only, which is public.
inline Eigen::MatrixXd complement_of(const Eigen::VectorXd& direction) {
  const Eigen::Index q = direction.size();
  Eigen::VectorXd mirror = direction;
  mirror(0) += direction(0) < 0 ? -1 : 1;
  const Eigen::MatrixXd reflection = Eigen::MatrixXd::Identity(q, q) - 2 / mirror.squaredNorm() * mirror * mirror.transpose();
  return reflection.bottomRows(q - 1);
}

/// Columns: the directions. `draw` draws from a BinghamDirection.
template <class Draw>
Result<Eigen::MatrixXd> noisy_directions(const Eigen::MatrixXd& matrix, double concentration, Draw draw) {
  const Eigen::Index d = matrix.rows();
  Eigen::MatrixXd directions(d, d);
  Eigen::MatrixXd basis = Eigen::MatrixXd::Identity(d, d);  // P_i
  for (Eigen::Index i = 0; i + 1 < d; ++i) {
    TACET_TRY(const Eigen::VectorXd direction, noisy_direction(basis * matrix * basis.transpose(), concentration, draw));
    directions.col(i) = basis.transpose() * direction;
    const Eigen::MatrixXd rest = complement_of(direction) * basis;
    basis = rest;
  }
  directions.col(d - 1) = basis.row(0).transpose();
  return directions;
}

}  // namespace tacet::eigen
