// tacet/mechanisms/eigen_matrix.h: matrices and lists of numbers as Eigen's, and back; for sources
// alone.
//
//   const Matrix covariance{2, 2, {4, 1, 1, 9}};
//   const std::vector<double> shift = {1, 2};
//   const RowMatrix inverse = matrix_view(covariance).inverse();
//   const Eigen::VectorXd turned = inverse * vector_view(shift);
//   const Matrix back = matrix_from(inverse);
//
// Views point into what they are made of, which must outlive them. Interfaces have Matrix: those
// who use Tacet as a library need not have Eigen.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Dense>
#include <cstddef>
#include <vector>

#include "tacet/mechanisms/matrix.h"

namespace tacet::mechanisms {

using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

inline Eigen::Map<const RowMatrix> matrix_view(const Matrix& matrix) {
  return {matrix.values.data(), static_cast<Eigen::Index>(matrix.rows), static_cast<Eigen::Index>(matrix.columns)};
}

inline Eigen::Map<const Eigen::VectorXd> vector_view(const std::vector<double>& values) {
  return {values.data(), static_cast<Eigen::Index>(values.size())};
}

inline Matrix matrix_from(const RowMatrix& matrix) {
  return {static_cast<std::size_t>(matrix.rows()), static_cast<std::size_t>(matrix.cols()), {matrix.data(), matrix.data() + matrix.size()}};
}

}  // namespace tacet::mechanisms
