// tacet/accounting/check.h: the message about a parameter outside its range.
//
//   TACET_CHECK(check_between("delta", 2, 1e-300, "1e-300", 1 - 0x1p-53, "less than 1"));
//   // delta is 2, but must be a finite number, at least 1e-300 and less than 1
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tacet/base/result.h"

namespace tacet::accounting {

/// The least delta of calibration and conversion: 10^-300, with its neighbouring doubles, so that
/// the decimal 1e-300 rounded down passes.
inline constexpr double kLeastDelta = 0.999e-300;

/// Succeeds if least <= value <= most; fails for NaN. `least_text` and `most_text` describe the
/// ends: "1e-300", "less than 1".
/// Cost  no allocation unless it fails.
Status check_between(const char* name, double value, double least, const char* least_text, double most, const char* most_text,
                     const char* remedy = "");

}  // namespace tacet::accounting
