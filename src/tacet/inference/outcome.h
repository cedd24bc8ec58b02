// tacet/inference/outcome.h: the outcome of a test. Inconclusive means that the data cannot
// decide; it is not a weaker "retain".
//
//   Outcome outcome = decide(/*p_value=*/0.031, /*alpha=*/0.05);      // Reject
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "tacet/base/enum_names.h"

namespace tacet::inference {

enum class Outcome : std::uint8_t { Reject, Retain, Inconclusive };
constexpr auto names_of(Outcome) {
  return std::to_array<Named<Outcome>>({{Outcome::Reject, "reject"}, {Outcome::Retain, "retain"}, {Outcome::Inconclusive, "inconclusive"}});
}

inline Outcome decide(double p_value, double alpha) { return p_value <= alpha ? Outcome::Reject : Outcome::Retain; }

/// Expected counts below this make a normal limit inconclusive.
inline constexpr double kLeastExpected = 5;

}  // namespace tacet::inference
