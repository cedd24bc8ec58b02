// tacet/mechanisms/covariance.h: from noisy second moments to a covariance matrix that is one.
//
//   Covariance c = *covariance_of(release, group);
//   c.matrix;          // positive definite, no variance beyond what the bounds allow
//
// The noisy second moments about the public centre less the square of the noisy mean are symmetric, but noise may leave negative
// eigenvalues. They are raised to a floor, and the trace is kept as far as that allows: the eigenvalues are projected onto
// {>= floor, sum = trace}, which changes the matrix least (in the Frobenius norm) among all matrices with that floor and trace.
// That is done in units in which the noise of every variance is 1, so that what is known well is
// changed least. With noise shared by range, the default (moment_noise.h), these are the half widths
// of the bounds up to a factor, so the units that columns are declared in do not matter.
// Post-processing: costs no privacy.
// Theorem  the nearest matrix with eigenvalues in a convex, permutation-invariant set has the same eigenvectors and the projected
//          eigenvalues (von Neumann's trace inequality; Lewis 1996).
// Domain   1 to 64 columns.
// Error    double arithmetic: relative 10^-12 of the largest eigenvalue.
// Cost     d^3.
// Checked  tests/mechanisms/covariance_test.cc
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/mechanisms/moment_release.h"

namespace tacet::mechanisms {

struct Covariance {
  Matrix matrix;
  int raised;  // how many eigenvalues noise had left below the floor
};

/// The covariance of the people in one group, divided by n. The floor is a tenth of the noise of a
/// variance, so that what was raised is small beside its noise and not taken for data. A row and
/// column whose variance exceeds a quarter of the squared range is scaled down to it. Unsupported if
/// no products were released.
Result<Covariance> covariance_of(const MomentRelease& release, std::size_t group);

/// The nearest symmetric matrix with eigenvalues of at least `floor` and, where that is possible, the same trace.
Covariance nearest_covariance(const Matrix& matrix, double floor);

/// The nearest point to `values` with every coordinate at least `floor` and the given sum (raised to d floor if it is less).
std::vector<double> project_with_floor(const std::vector<double>& values, double floor, double sum);

}  // namespace tacet::mechanisms
