#include "tacet/planning/gof_plan.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "tacet/inference/gof_simulation.h"

namespace tacet::planning {
namespace {

using inference::GofStatistic;
using inference::Simulation;

constexpr double kMostPeople = 1e12;
/// A simulated search ends when it knows n to this part.
constexpr double kSearchedPart = 0.002;
constexpr int kCurveSizes = 41;
constexpr double kCurveFactor = 20;

double least_variance_people(const GofPlan& plan) {
  // The noise must stay in the domain of a design: at least 1e-12 of n.
  return std::min(kMostPeople, std::floor(inference::cell_noise(plan.noise).variance * 0.99e12));
}

/// The least whole n from which the power is reached on, between one that is too small and one that is enough; to `part` of n.
Result<double> bisect(const GofPlan& plan, GofStatistic statistic, double power, double too_few, double enough, double part,
                      const std::optional<Simulation>& simulation) {
  while (enough - too_few > std::max(1.0, part * enough)) {
    const double middle = std::floor((enough + too_few) / 2);
    TACET_TRY(const PlannedPower reached, gof_plan_power(plan, statistic, middle, simulation));
    (reached.power >= power ? enough : too_few) = middle;
  }
  return enough;
}

Result<double> search(const GofPlan& plan, GofStatistic statistic, double power, double start, double factor, double part,
                      const std::optional<Simulation>& simulation) {
  const double most = least_variance_people(plan);
  double too_few = 0;
  double enough = std::min(start, most);
  for (;;) {
    TACET_TRY(const PlannedPower reached, gof_plan_power(plan, statistic, enough, simulation));
    if (reached.power >= power) return bisect(plan, statistic, power, too_few, enough, part, simulation);
    too_few = enough;
    if (enough >= most) {
      return Error::of(Code::Unsupported, fmt::format("{:.3g} people do not reach a power of {}", most, power),
                       "suppose a larger deviation, or allow less noise");
    }
    enough = std::min(std::ceil(factor * enough), most);
  }
}

}  // namespace

Result<PlannedPower> gof_plan_power(const GofPlan& plan, GofStatistic statistic, double n, const std::optional<Simulation>& simulation) {
  TACET_TRY(inference::GofDesign design, inference::GofDesign::of(plan.null, n, inference::cell_noise(plan.noise)));
  TACET_TRY(const std::vector<double> alternative, inference::probabilities_of(plan.alternative, "alternative"));
  if (!(plan.alpha >= 1e-9 && plan.alpha <= 0.5)) {
    return Error::invalid("alpha", fmt::format("{}", plan.alpha), "must be at least 1e-9 and at most 0.5", "for example: --alpha 0.05");
  }
  if (!simulation) {
    TACET_TRY(const double power, inference::gof_power(design, statistic, alternative, plan.alpha));
    return PlannedPower{power, 0};
  }
  if (alternative.size() != design.cells()) {
    return Error::invalid("alternative", fmt::format("{} probabilities", alternative.size()),
                          fmt::format("must have {} cells, as the null has", design.cells()));
  }
  TACET_CHECK(inference::check_draws(*simulation, plan.alpha));
  TACET_CHECK(inference::check_simulated(design.cells(), n));
  const inference::GofSetting setting{std::move(design), statistic, {plan.noise, {}}, true, {}};
  std::vector<double> null = inference::simulate_gof(setting, setting.design.null(), *simulation);
  Simulation others = *simulation;
  others.seed = ~others.seed;
  const inference::SimulatedPower simulated =
      inference::simulated_power(std::move(null), inference::simulate_gof(setting, alternative, others), plan.alpha);
  return PlannedPower{simulated.power, simulated.standard_error};
}

Result<double> people_for_power(const GofPlan& plan, GofStatistic statistic, double power, const std::optional<Simulation>& simulation) {
  if (!(power > plan.alpha && power < 1)) {
    return Error::invalid("power", fmt::format("{}", power), "must be greater than alpha and less than 1", "for example: --power 0.8");
  }
  TACET_TRY(const double by_the_laws, search(plan, statistic, power, 1, 2, 0, std::nullopt));
  if (!simulation) return by_the_laws;
  return search(plan, statistic, power, std::ceil(by_the_laws / 2), 1.5, kSearchedPart, simulation);
}

Result<PowerCurves> gof_power_curves(const GofPlan& plan, double middle, const std::optional<Simulation>& simulation) {
  PowerCurves result;
  const double most = least_variance_people(plan);
  for (int i = 0; i < kCurveSizes; ++i) {
    const double people = std::round(middle * std::pow(kCurveFactor, 2.0 * i / (kCurveSizes - 1) - 1));
    if (people >= 1 && people <= most && (result.people.empty() || people > result.people.back())) result.people.push_back(people);
  }
  for (const GofStatistic statistic : {GofStatistic::Classical, GofStatistic::Projected, GofStatistic::Nonprojected}) {
    PowerCurve curve{statistic, {}};
    for (const double people : result.people) {
      const auto power = gof_plan_power(plan, statistic, people, simulation);
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
