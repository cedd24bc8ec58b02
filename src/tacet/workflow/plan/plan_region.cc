#include "tacet/workflow/plan/plan_region.h"

#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "tacet/workflow/people_or_power.h"

namespace tacet {

Result<RegionPlan> plan_region(const RegionPlanRequest& request, const Context& context) {
  TACET_CHECK(check_people_or_power(request.n.has_value(), request.volume.has_value(), {"volume", "2"}));
  TACET_TRY(const planning::MeanPlan plan, mean_plan(request.design));
  const MeanQuery query = request.design.query;
  const bool population = request.target == MeanTarget::Population;
  context.tell("computing the volume");
  auto n = static_cast<double>(request.n.value_or(0));
  if (request.volume) {
    if (!(*request.volume > 0))
      return Error::invalid("volume", fmt::format("{}", *request.volume), "must be greater than 0", "for example: volume = 2");
    TACET_TRY(n, planning::people_for_mean_region(plan, query, std::log(*request.volume), request.confidence, population));
  }
  const auto log_volume = [&](MeanQuery by) { return planning::mean_log_volume(plan, by, n, request.confidence, population); };
  TACET_TRY(const double planned, log_volume(query));
  std::map<MeanQuery, double> log_volumes;
  for (const MeanQuery other : comparable_queries(request.design)) {
    TACET_TRY(log_volumes[other], log_volume(other));
  }
  return RegionPlan{planned, n, request.volume.has_value(), request.confidence, request.target, query, std::move(log_volumes), plan.mu};
}

}  // namespace tacet
