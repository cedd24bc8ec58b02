#include "tacet/planning/power_plan.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "tacet/planning/people_needed.h"

namespace tacet::planning {
namespace {

using inference::GofStatistic;

/// A simulated search ends when it knows n to this part.
constexpr double kSearchedPart = 0.002;
constexpr double kSearchedFactor = 1.5;
constexpr int kCurveSizes = 41;
constexpr double kCurveFactor = 20;

/// By simulation, from what the laws say.
Result<double> search(const PowerPlan& plan, GofStatistic statistic, double power, double start, const OptionalSimulation& simulation) {
  double too_few = 0;
  double enough = std::min(start, plan.most);
  while (true) {
    TACET_TRY(const PlannedPower reached, plan.power(statistic, enough, simulation));
    if (reached.power >= power) break;
    too_few = enough;
    if (enough >= plan.most) {
      return Error::of(Code::Unsupported, fmt::format("{:.3g} people do not reach a power of {}", plan.most, power),
                       "suppose a larger deviation, or allow less noise");
    }
    enough = std::min(std::ceil(kSearchedFactor * enough), plan.most);
  }
  while (enough - too_few > std::max(1.0, kSearchedPart * enough)) {
    const double middle = std::floor((enough + too_few) / 2);
    TACET_TRY(const PlannedPower reached, plan.power(statistic, middle, simulation));
    (reached.power >= power ? enough : too_few) = middle;
  }
  return enough;
}

}  // namespace

Result<double> people_for_power(const PowerPlan& plan, GofStatistic statistic, double power, const OptionalSimulation& simulation) {
  const auto by_law = [&](double people) -> Result<double> {
    TACET_TRY(const PlannedPower reached, plan.power(statistic, people, std::nullopt));
    return reached.power;
  };
  TACET_TRY(const double people, people_needed(power, plan.alpha, plan.most, by_law));
  if (!simulation) return people;
  return search(plan, statistic, power, std::ceil(people / 2), simulation);
}

Result<PowerCurves> power_curves(const PowerPlan& plan, double middle, const OptionalSimulation& simulation) {
  PowerCurves result;
  for (int i = 0; i < kCurveSizes; ++i) {
    const double people = std::round(middle * std::pow(kCurveFactor, 2.0 * i / (kCurveSizes - 1) - 1));
    if (people >= 1 && people <= plan.most && (result.people.empty() || people > result.people.back())) result.people.push_back(people);
  }
  for (const GofStatistic statistic : {GofStatistic::Classical, GofStatistic::Projected, GofStatistic::Nonprojected}) {
    PowerCurve curve{statistic, {}};
    for (const double people : result.people) {
      const auto power = plan.power(statistic, people, simulation);
      // The classical law of many cells is not computed: a curve that is missing says so.
      if (!power && power.error().code() == Code::Unsupported) break;
      if (!power) return power.error();
      curve.powers.push_back(*power);
    }
    if (curve.powers.size() == result.people.size()) result.curves.push_back(std::move(curve));
  }
  return result;
}

}  // namespace tacet::planning
