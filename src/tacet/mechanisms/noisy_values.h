// tacet/mechanisms/noisy_values.h: the values of a release as doubles, and their noise.
//
//   double first = value_of(noisy_numbers, 0);            // in its own unit, not in ticks
//   double scale = scale_of(noisy_numbers.plan, 0);       // of its noise, in the same unit
// Error    numbers are the nearest double, other values within 2 ulps.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "tacet/kernel/release_numbers.h"

namespace tacet::mechanisms {

/// Value j, in the order of the box.
double value_of(const kernel::NoisyNumbers& noisy, std::size_t j);
double value_of(const kernel::NoisyCube& noisy, std::size_t j);
double value_of(const kernel::NoisyCubeProducts& noisy, std::size_t j);

/// A cube: the variance of a value is (d+1)(d+2)/3 s^2, up to a relative 10^-6, for this scale s
/// and d values in a stretch.
double scale_of(const kernel::NumbersPlan& plan, std::size_t j);
double scale_of(const kernel::CubePlan& plan, std::size_t j);
double scale_of(const kernel::CubeProductsPlan& plan, std::size_t j);

}  // namespace tacet::mechanisms
