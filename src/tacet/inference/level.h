// tacet/inference/level.h: the rule for the level of a test, which all tests and all plans share.
//
//   TACET_CHECK(check_alpha(0.7));     // alpha is 0.7, but must be at least 1e-9 and at most 0.5
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tacet/base/result.h"

namespace tacet::inference {

/// InvalidArgument, naming "alpha", unless it lies between 1e-9 and 0.5, which a NaN does not.
Status check_alpha(double alpha);

}  // namespace tacet::inference
