#include "tacet/workflow/people_or_power.h"

#include <fmt/format.h>

namespace tacet {

Status check_people_or_power(bool people_given, bool goal_given, PlannedGoal goal) {
  if (people_given != goal_given) return {};
  return Error::invalid("n", people_given ? fmt::format("given with a wanted {}", goal.name) : "missing",
                        fmt::format("must be given where the {} is asked for, and left out where people are", goal.name),
                        fmt::format("for example: n = 1000 for the {0}, or {0} = {1} for the people", goal.name, goal.example));
}

}  // namespace tacet
