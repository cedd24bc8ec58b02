#include "tacet/planning/power_curve.h"

#include <utility>

#include "tacet/planning/people_needed.h"

namespace tacet::planning {

using inference::GofStatistic;

Result<double> people_for_power(const PowerPlan& plan, GofStatistic statistic, double power, const OptionalSimulation& simulation) {
  const auto by_distribution = [&](double people) -> Result<double> {
    TACET_TRY(const PlannedPower reached, plan.power(statistic, people, std::nullopt));
    return reached.power;
  };
  TACET_TRY(const double people, people_needed(power, plan.alpha, plan.most, by_distribution));
  if (!simulation) return people;
  return people_needed_near(people, power, plan.most, [&](double size) -> Result<double> {
    TACET_TRY(const PlannedPower reached, plan.power(statistic, size, simulation));
    return reached.power;
  });
}

Result<PowerCurves> power_curves(const PowerPlan& plan, double middle, const OptionalSimulation& simulation) {
  PowerCurves result{curve_sizes(middle, 1, plan.most), {}};
  for (const GofStatistic statistic : {GofStatistic::Classical, GofStatistic::Projected, GofStatistic::Nonprojected}) {
    PowerCurve curve{statistic, {}};
    for (const double people : result.people) {
      const auto power = plan.power(statistic, people, simulation);
      // The classical distribution of many cells is not computed: that statistic has no curve.
      if (!power && power.error().code() == Code::Unsupported) break;
      if (!power) return power.error();
      curve.powers.push_back(*power);
    }
    if (curve.powers.size() == result.people.size()) result.curves.push_back(std::move(curve));
  }
  return result;
}

}  // namespace tacet::planning
