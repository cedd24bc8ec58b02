// tacet/inference/level.h: the rules for alpha and for confidence, which inference and plans share.
//
//   TACET_CHECK(check_alpha(0.7));     // alpha is 0.7, but must be at least 1e-9 and at most 0.5
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tacet/base/result.h"

namespace tacet::inference {

/// InvalidArgument, naming "alpha", unless it is between 1e-9 and 0.5. NaN is refused too.
Status check_alpha(double alpha);
/// InvalidArgument, naming "confidence", unless it lies between 0.5 and 1 - 1e-9.
Status check_confidence(double confidence);

}  // namespace tacet::inference
