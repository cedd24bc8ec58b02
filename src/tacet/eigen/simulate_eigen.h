// tacet/eigen/simulate_eigen.h: a matrix with the noise of ED, for simulation; not secret.
//
//   const mechanisms::Matrix given{2, 2, {400, 30, 30, 90}};
//   numeric::InsecureStream stream(7, 0);
//   mechanisms::Matrix noisy = *simulate_eigen(given, {.scale = 4, .concentration = 0.25}, stream);
//
// What release_eigen does with one matrix, without the rounding: Laplace noise on the eigenvalues,
// and directions with density exp(concentration u'Cu), of which the first gets the largest
// eigenvalue. With `absolute` the noisy eigenvalues lose their signs, as in Dunsche, Kutta & Dette
// (2022), Algorithm 5, so that the result is a covariance.
// Theorem  none: it protects nobody, as its random numbers can be repeated.
// Domain   a symmetric matrix of 1 to 64 columns; scale and concentration > 0.
// Error    double arithmetic.
// Cost     as release_eigen.h.
// Checked  tests/eigen/simulate_eigen_test.cc: against release_eigen.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tacet/base/result.h"
#include "tacet/mechanisms/matrix.h"
#include "tacet/numeric/insecure_stream.h"

namespace tacet::eigen {

struct EigenNoise {
  double scale;          // of the Laplace noise of an eigenvalue
  double concentration;  // of the directions
  bool absolute = false;
};

Result<mechanisms::Matrix> simulate_eigen(const mechanisms::Matrix& matrix, const EigenNoise& noise, numeric::InsecureStream& stream);

}  // namespace tacet::eigen
