// tests/support/eigenvalues.h: the eigenvalues of a small symmetric matrix, by Jacobi's rotations.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace tacet::test {

using Matrix = std::vector<std::vector<double>>;

/// In no particular order, to about 1e-14 of the largest.
inline std::vector<double> eigenvalues(Matrix a) {
  const std::size_t n = a.size();
  for (int sweep = 0; sweep < 30; ++sweep) {
    for (std::size_t p = 0; p < n; ++p) {
      for (std::size_t q = p + 1; q < n; ++q) {
        if (a[p][q] == 0) continue;
        const double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
        const double t = std::copysign(1 / (std::abs(theta) + std::hypot(theta, 1)), theta);
        const double c = 1 / std::hypot(t, 1);
        const double s = t * c;
        for (std::size_t k = 0; k < n; ++k) {
          const double left = a[k][p];
          const double right = a[k][q];
          a[k][p] = c * left - s * right;
          a[k][q] = s * left + c * right;
        }
        for (std::size_t k = 0; k < n; ++k) {
          const double left = a[p][k];
          const double right = a[q][k];
          a[p][k] = c * left - s * right;
          a[q][k] = s * left + c * right;
        }
      }
    }
  }
  std::vector<double> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = a[i][i];
  return values;
}

}  // namespace tacet::test
