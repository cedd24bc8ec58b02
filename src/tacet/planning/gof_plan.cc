#include "tacet/planning/gof_plan.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace tacet::planning {
namespace {

constexpr double kMostPeople = 1e12;

}  // namespace

Result<double> gof_plan_power(const GofPlan& plan, inference::GofStatistic statistic, double n) {
  TACET_TRY(const inference::GofDesign design, inference::GofDesign::of(plan.null, n, {.variance = plan.noise_variance}));
  TACET_TRY(const std::vector<double> alternative, inference::probabilities_of(plan.alternative, "alternative"));
  if (!(plan.alpha >= 1e-9 && plan.alpha <= 0.5)) {
    return Error::invalid("alpha", fmt::format("{}", plan.alpha), "must be at least 1e-9 and at most 0.5", "for example: --alpha 0.05");
  }
  return inference::gof_power(design, statistic, alternative, plan.alpha);
}

Result<double> people_for_power(const GofPlan& plan, inference::GofStatistic statistic, double power) {
  if (!(power > plan.alpha && power < 1)) {
    return Error::invalid("power", fmt::format("{}", power), "must be greater than alpha and less than 1", "for example: --power 0.8");
  }
  // The noise must stay in the domain of a design: at least 1e-12 of n.
  const double most = std::min(kMostPeople, std::floor(plan.noise_variance * 0.99e12));
  double enough = 1;
  double too_few = 0;
  for (;; enough = std::min(2 * enough, most)) {
    TACET_TRY(const double reached, gof_plan_power(plan, statistic, enough));
    if (reached >= power) break;
    too_few = enough;
    if (enough >= most) {
      return Error::of(Code::Unsupported, fmt::format("{:.3g} people do not reach a power of {}", most, power),
                       "suppose a larger deviation, or allow less noise");
    }
  }
  while (enough - too_few > 1) {
    const double middle = std::floor((enough + too_few) / 2);
    TACET_TRY(const double reached, gof_plan_power(plan, statistic, middle));
    (reached >= power ? enough : too_few) = middle;
  }
  return enough;
}

}  // namespace tacet::planning
