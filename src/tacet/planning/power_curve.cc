#include "tacet/planning/power_curve.h"

#include <algorithm>
#include <utility>

#include "tacet/planning/people_needed.h"

namespace tacet::planning {

using inference::GofStatistic;

Result<double> people_for_power(const PowerPlan& plan, GofStatistic statistic, double power, const OptionalSimulation& simulation) {
  const auto by_distribution = [&](double people) -> Result<double> {
    const bool elsewhere = simulation && plan.starts_projected;
    TACET_TRY(const PlannedPower reached, plan.power(elsewhere ? GofStatistic::Projected : statistic, people, std::nullopt));
    return reached.power;
  };
  TACET_TRY(const double people, people_needed(power, plan.alpha, plan.most, by_distribution));
  if (!simulation) return people;
  return people_needed_near(people, power, plan.most, [&](double size) -> Result<double> {
    TACET_TRY(const PlannedPower reached, plan.power(statistic, size, simulation));
    return reached.power;
  });
}

std::vector<PlannedStatistic> powers_of_all(const PowerPlan& plan, double n, const OptionalSimulation& simulation) {
  if (simulation && plan.simulated_powers) return plan.simulated_powers(n, *simulation);
  std::vector<PlannedStatistic> powers;
  for (const GofStatistic statistic : {GofStatistic::Classical, GofStatistic::Projected, GofStatistic::Nonprojected})
    powers.push_back({statistic, plan.power(statistic, n, simulation)});
  return powers;
}

Result<PowerCurves> power_curves(const PowerPlan& plan, double middle, const OptionalSimulation& simulation) {
  PowerCurves result{curve_sizes(middle, 1, plan.most), {}};
  for (const double people : result.people) {
    for (const PlannedStatistic& one : powers_of_all(plan, people, simulation)) {
      // The classical distribution of many cells is not computed: that statistic has no curve.
      if (!one.power && one.power.error().code() == Code::Unsupported) continue;
      if (!one.power) return one.power.error();
      const auto same = [&](const PowerCurve& curve) { return curve.statistic == one.statistic; };
      auto curve = std::find_if(result.curves.begin(), result.curves.end(), same);
      if (curve == result.curves.end()) curve = result.curves.insert(curve, {one.statistic, {}});
      curve->powers.push_back(*one.power);
    }
  }
  std::erase_if(result.curves, [&](const PowerCurve& curve) { return curve.powers.size() < result.people.size(); });
  return result;
}

}  // namespace tacet::planning
