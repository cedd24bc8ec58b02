// tacet/mechanisms/matrix.h: a small matrix of numbers, row by row, for interfaces. Computations
// use Eigen inside.
//
//   Matrix two = Matrix::zeros(2, 3);
//   two.at(1, 2) = 5;
//   two.row(1);                           // {0, 0, 5}
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace tacet::mechanisms {

struct Matrix {
  std::size_t rows = 0, columns = 0;
  std::vector<double> values = {};  // the last index runs fastest

  static Matrix zeros(std::size_t rows, std::size_t columns) { return {rows, columns, std::vector<double>(rows * columns)}; }

  double& at(std::size_t row, std::size_t column) { return values[row * columns + column]; }
  double at(std::size_t row, std::size_t column) const { return values[row * columns + column]; }
  std::span<const double> row(std::size_t i) const { return std::span(values).subspan(i * columns, columns); }

  friend bool operator==(const Matrix&, const Matrix&) = default;
};

}  // namespace tacet::mechanisms
