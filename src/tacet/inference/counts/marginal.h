// tacet/inference/counts/marginal.h: adds up the cells of the other variables, and their noise.
//
//   CountRelease two = *marginal(release, {"smoking", "disease"});   // an r x c table
//
// Theorem  The sum of m independent Gaussian cells has Gaussian noise of m times the variance.
//          Noise that keeps the total still keeps it, with covariance m s^2 (I - 11'/d) over the d
//          remaining cells. Sums of Laplace noise are not Laplace: Unsupported, unless nothing is
//          added up. Sums of discrete Gaussian noise are discrete Gaussian to 5 10^-5 from sigma
//          1 on; Unsupported below.
// Domain   releases of counts with named axes, each asked for once. The result has them in the
//          order of `axes`.
// Error    n additions of doubles.
// Cost     linear.
// Checked  tests/inference/marginal_test.cc
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/mechanisms/count_release.h"

namespace tacet::inference {

/// The place of a variable among the axes; InvalidArgument with the names that there are.
Result<std::size_t> variable_named(const mechanisms::CountRelease& release, const std::string& name);

Result<mechanisms::CountRelease> marginal(const mechanisms::CountRelease& release, const std::vector<std::string>& axes);

}  // namespace tacet::inference
