#include "tacet/workflow/plan/plan_region.h"

#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "tacet/workflow/people_or_power.h"

namespace tacet {

Result<RegionPlan> plan_region(const RegionPlanRequest& request, const Context& context) {
  TACET_CHECK(check_people_or_power(request.n.has_value(), request.volume.has_value(), {"volume", "2"}));
  TACET_TRY(const planning::MeanPlan plan, mean_plan(request.design));
  const bool population = request.target == MeanTarget::Population;
  const MeanQuery query = chosen_query(request.design, MeanPurpose::Region, population);
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
  for (const MeanQuery other : comparable_queries(request.design, MeanPurpose::Region, population)) {
    const Result<double> compared = log_volume(other);
    // Where so many rows may be clipped that there is no region, there is nothing to compare.
    if (!compared.ok() && compared.error().code() == Code::Unsupported) continue;
    TACET_TRY(log_volumes[other], compared);
  }
  TACET_TRY(const std::optional<double> clipped, planning::mean_clipped_share(plan, query, {}, n));
  const auto gains = plan.ranges.empty() ? std::nullopt : std::optional(planning::range_gains(plan.ranges));
  return RegionPlan{planned, n,    request.volume.has_value(), request.confidence, request.target, query, std::move(log_volumes), plan.mu,
                    clipped, gains};
}

}  // namespace tacet
