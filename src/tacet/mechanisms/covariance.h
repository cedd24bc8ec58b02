// tacet/mechanisms/covariance.h: a positive definite covariance matrix from noisy second moments.
//
//   MomentRelease release = *read_release_as<MomentRelease>("covariance.json");   // release_file.h
//   Covariance c = *covariance_of(release, /*group=*/0);
//   c.matrix;          // positive definite, no variance beyond what the bounds allow
//
// The noisy second moments about the public centre, less the squares of the noisy mean, form a
// symmetric matrix. Noise may make some of its eigenvalues negative. The eigenvalues are projected
// onto {>= floor, sum = trace}. Among all matrices with that floor and trace, the result is
// nearest in the Frobenius norm.
// The projection uses units in which the noise of every variance is 1, so that accurate entries
// change least. If noise is shared by range, the default (moment_noise.h), these units are
// proportional to the widths of the bounds, so the units of the columns do not matter.
// Covariances often have more noise than variances. So a variance that the projection moved by
// more than its own noise is scaled back to within it; correlations stay.
// Post-processing: costs no privacy.
// Theorem  The nearest matrix with eigenvalues in a convex, permutation-invariant set has the same
//          eigenvectors and the projected eigenvalues (von Neumann's trace inequality; Lewis
//          1996).
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
/// variance, so a raised eigenvalue is small beside its noise. Every variance is at least the
/// floor, and the projection moves it by at most one product_noise_sd() over n. For ed that is the
/// noise of the eigenvalues alone: the directions have noise too, which it leaves out. A
/// variance above a quarter of the squared range is scaled down to it, with its row and column.
/// Unsupported if no products were released.
Result<Covariance> covariance_of(const MomentRelease& release, std::size_t group);

/// The nearest symmetric matrix with eigenvalues of at least `floor` and, if possible, the same
/// trace.
Covariance nearest_covariance(const Matrix& matrix, double floor);

/// The nearest point to `values` with every coordinate at least `floor` and the given sum. The sum
/// is raised to d floor if it is less.
std::vector<double> project_with_floor(const std::vector<double>& values, double floor, double sum);

}  // namespace tacet::mechanisms
