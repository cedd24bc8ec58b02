// tacet/inference/listed_matrix.h: converts lists of numbers to Eigen's matrices and back;
// internal to this room.
//
//   const std::vector<double> first = {2, 0, 0, 2}, second = {1, 0.5, 0.5, 1};
//   const Matrix both = square_view(first, 2) + square_view(second, 2);
//   std::vector<double> list = listed(both);                                 // row by row
//
// Views point into their list, which must outlive them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Dense>
#include <cstddef>
#include <vector>

#include "tacet/mechanisms/eigen_matrix.h"

namespace tacet::inference {

using mechanisms::vector_view;
using Matrix = mechanisms::RowMatrix;

inline Eigen::Map<const Matrix> square_view(const std::vector<double>& values, std::size_t dimension) {
  const auto d = static_cast<Eigen::Index>(dimension);
  return {values.data(), d, d};
}

inline std::vector<double> listed(const Matrix& matrix) { return {matrix.data(), matrix.data() + matrix.size()}; }

}  // namespace tacet::inference
