// tacet/workflow/people_or_power.h: a plan is given people or power, and finds the other.
//
//   const std::optional<double> n = 2000, power, volume;                     // one of two is given
//   TACET_CHECK(check_people_or_power(n.has_value(), power.has_value()));
//   TACET_CHECK(check_people_or_power(n.has_value(), volume.has_value(), {"volume", "2"}));
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "tacet/base/result.h"

namespace tacet {

/// The goal of a plan: the name of the parameter, and a value of it for advice.
struct PlannedGoal {
  std::string_view name = "power";
  std::string_view example = "0.8";
};

/// InvalidArgument, naming "n", unless exactly one of the two was given.
Status check_people_or_power(bool people_given, bool goal_given, PlannedGoal goal = {});

}  // namespace tacet
