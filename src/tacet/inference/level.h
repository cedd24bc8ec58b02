// tacet/inference/level.h: the rules for alpha and for confidence, which inference and plans share.
//
//   TACET_CHECK(check_alpha(0.7));     // alpha is 0.7, but must be at least 1e-9 and at most 0.5
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "tacet/base/result.h"

namespace tacet::inference {

/// A test has an alpha between 1e-9 and 0.5; a quantile is known for 1e-300 <= alpha < 1.
enum class AlphaOf : std::uint8_t { Test, Quantile };
/// InvalidArgument, naming "alpha", outside of that range. NaN is refused too.
Status check_alpha(double alpha, AlphaOf what = AlphaOf::Test);
/// InvalidArgument, naming "confidence", unless it lies between 0.5 and 1 - 1e-9.
Status check_confidence(double confidence);

}  // namespace tacet::inference
