#include "tacet/workflow/plan/plan_mean_test.h"

#include <utility>

#include "tacet/planning/people_needed.h"
#include "tacet/workflow/people_or_power.h"

namespace tacet {
namespace {

/// Evenly on a logarithmic scale, from a twentieth of n to twenty times as many.
Result<MeanTestCurves> mean_test_curves(const planning::MeanPlan& plan, const MeanTestPlanRequest& request, double n,
                                        const std::vector<MeanQuery>& queries) {
  MeanTestCurves curves{planning::curve_sizes(n, 2, planning::kMostPeople), {}};
  const bool population = request.target == MeanTarget::Population;
  for (const MeanQuery query : queries) {
    for (const double people : curves.people) {
      TACET_TRY(const double power, planning::mean_test_power(plan, query, request.eta, people, request.alpha, population));
      curves.powers[query].push_back(power);
    }
  }
  return curves;
}

}  // namespace

Result<MeanTestPlan> plan_mean_test(const MeanTestPlanRequest& request, const Context& context) {
  TACET_CHECK(check_people_or_power(request.n.has_value(), request.power.has_value()));
  TACET_TRY(const planning::MeanPlan plan, mean_plan(request.design));
  const bool population = request.target == MeanTarget::Population;
  const MeanQuery query = chosen_query(request.design, MeanPurpose::Test, population);
  context.tell("computing power");
  const auto people_for = [&](MeanQuery by) {
    return planning::people_for_mean_test(plan, by, request.eta, *request.power, request.alpha, population);
  };
  const std::vector<MeanQuery> queries = comparable_queries(request.design, MeanPurpose::Test, population);
  auto n = static_cast<double>(request.n.value_or(0));
  std::map<MeanQuery, double> people;
  if (request.power) {
    TACET_TRY(n, people_for(query));
    for (const MeanQuery other : queries) {
      const Result<double> needed = people_for(other);
      // Some query may never reach the power.
      if (!needed.ok() && needed.error().code() == Code::Unsupported) continue;
      TACET_TRY(people[other], needed);
    }
  }
  TACET_TRY(const double power, planning::mean_test_power(plan, query, request.eta, n, request.alpha, population));
  std::map<MeanQuery, double> powers;
  for (const MeanQuery other : queries) {
    TACET_TRY(powers[other], planning::mean_test_power(plan, other, request.eta, n, request.alpha, population));
  }
  TACET_TRY(const std::optional<double> clipped, planning::mean_clipped_share(plan, query, request.eta, n));
  std::optional<MeanTestCurves> curves;
  if (request.curves) {
    TACET_TRY(curves, mean_test_curves(plan, request, n, queries));
  }
  return MeanTestPlan{power,
                      n,
                      request.power.has_value(),
                      request.alpha,
                      query,
                      std::move(powers),
                      plan.mu,
                      request.target,
                      std::move(people),
                      clipped,
                      std::move(curves)};
}

}  // namespace tacet
