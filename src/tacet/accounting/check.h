// tacet/accounting/check.h: the sentence about a parameter that breaks its rule.
//
//   TACET_CHECK(check_between("delta", delta, 1e-300, "1e-300", 1 - 0x1p-53, "less than 1"));
//   // delta is 2, but must be a finite number, at least 1e-300 and less than 1
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tacet/base/result.h"

namespace tacet::accounting {

/// Delta from which calibration and conversion serve: 10^-300, and the doubles next to it, so that a decimal 1e-300 rounded down passes.
inline constexpr double kLeastDelta = 0.999e-300;

/// Fine when least <= value <= most; NaN is not. `least_text` and `most_text` are how the ends are written: "1e-300", "less than 1".
/// Cost  no allocation unless it fails.
Status check_between(const char* name, double value, double least, const char* least_text, double most, const char* most_text);

}  // namespace tacet::accounting
