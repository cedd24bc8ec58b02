// tacet/mechanisms/matrix.h: a small dense matrix in plain memory, for answers and files.
//
//   Matrix shape = Matrix::zeros(2, 2);
//   shape.at(0, 1) = 0.5;
//
// Linear algebra is Eigen's; this type keeps Eigen out of headers that many files include.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

namespace tacet::mechanisms {

struct Matrix {
  std::size_t rows = 0, columns = 0;
  std::vector<double> values = {};  // row-major

  static Matrix zeros(std::size_t rows, std::size_t columns) { return {rows, columns, std::vector<double>(rows * columns, 0.0)}; }
  double& at(std::size_t row, std::size_t column) { return values[row * columns + column]; }
  double at(std::size_t row, std::size_t column) const { return values[row * columns + column]; }
  bool operator==(const Matrix&) const = default;
};

}  // namespace tacet::mechanisms
