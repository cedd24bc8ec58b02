// tacet/inference/counts/marginal.h: a release of fewer variables: the cells of the others added up, and the noise with them.
//
//   CountRelease two = *marginal(release, {"smoking", "disease"});        // an r x c table from one of more variables
//
// Theorem  Sums of m independent Gaussian cells have Gaussian noise of m times the variance; noise that keeps the total keeps it, with covariance
//          m s^2 (I - 11'/d) over the d cells that are left. Sums of Laplace noise are not Laplace: Unsupported, unless nothing is added up.
// Domain   releases of counts whose axes have names, each wanted once. The order of the wanted axes is that of the result.
// Error    n additions of doubles.        Cost  linear.       Checked  tests/inference/marginal_test.cc
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/mechanisms/count_release.h"

namespace tacet::inference {

Result<mechanisms::CountRelease> marginal(const mechanisms::CountRelease& release, const std::vector<std::string>& axes);

}  // namespace tacet::inference
