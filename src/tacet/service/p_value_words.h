// tacet/service/p_value_words.h: a p-value in words, without more precision than it has.
//
//   p_value_words(0.031, {});         // "p-value 0.031"
//   p_value_words(0.0001, 9999);     // "p-value at most 0.0001 as none of 9,999 simulations ..."
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace tacet::service {

/// `draws` is empty without a simulation. Never "0"; "unknown" if there is no p-value. Two digits
/// if the draws stopped early (inference/monte_carlo.h).
std::string p_value_words(std::optional<double> p_value, std::optional<std::size_t> draws);

}  // namespace tacet::service
