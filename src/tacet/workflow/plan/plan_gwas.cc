#include "tacet/workflow/plan/plan_gwas.h"

#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include "tacet/inference/counts/noised_gwas.h"
#include "tacet/mechanisms/counts.h"
#include "tacet/planning/independence_plan.h"
#include "tacet/planning/people_needed.h"
#include "tacet/workflow/people_or_power.h"
#include "tacet/workflow/plan/count_plan.h"

namespace tacet {
namespace {

Result<std::vector<double>> genotypes(const std::vector<double>& probabilities, const std::string& name) {
  if (probabilities.size() != 3) {
    return Error::invalid(name, fmt::format("{} numbers", probabilities.size()), "must be the probabilities of three genotypes",
                          fmt::format("for example: {} = 0.3,0.5,0.2", name));
  }
  return inference::probabilities_of(probabilities, name);
}

/// The whole numbers of people that have half as many cases.
double even_up(double n) { return std::max(n + std::fmod(n, 2), 2.0); }

/// The people for a power, if as many can be computed.
std::optional<double> people_in_gwas(const GwasPlanRequest& request, const planning::PowerWith& power) {
  const auto people = planning::people_needed(*request.power, request.alpha, planning::kMostPeople, power);
  return people ? std::optional(even_up(*people)) : std::nullopt;
}

}  // namespace

Result<GwasPlan> plan_gwas(const GwasPlanRequest& request, const Context& context) {
  TACET_CHECK(check_people_or_power(request.n.has_value(), request.power.has_value()));
  TACET_TRY(const std::vector<double> cases, genotypes(request.cases, "cases"));
  TACET_TRY(const std::vector<double> controls, genotypes(request.controls, "controls"));
  TACET_TRY(const NoiseDistribution noise, planned_noise(request.loss, CountMechanism::Gaussian));
  context.tell("computing power");
  planning::IndependencePlan table{{3, 2}, {}, noise, request.alpha};
  for (std::size_t i = 0; i < 3; ++i) {
    table.alternative.push_back(cases[i] / 2);
    table.alternative.push_back(controls[i] / 2);
  }
  GwasPlan plan{.people_wanted = request.power.has_value(), .alpha = request.alpha, .rho = 1 / (noise.scale * noise.scale)};
  const auto by_table = [&](double n) -> Result<double> {
    TACET_TRY(const planning::PlannedPower reached, planning::independence_plan_power(table, GofStatistic::Projected, n));
    return reached.power;
  };
  const auto by_statistic = [&](double n) { return inference::gwas_power(cases, controls, even_up(n), plan.rho, request.alpha); };
  if (request.power) {
    TACET_TRY(const double people, planning::people_needed(*request.power, request.alpha, planning::kMostPeople, by_table));
    plan.n = even_up(people);
    plan.table.people = plan.n;
    plan.statistic.people = people_in_gwas(request, by_statistic);
  } else {
    plan.n = *request.n;
  }
  TACET_TRY(plan.table.power, by_table(plan.n));
  TACET_TRY(plan.statistic.power, by_statistic(plan.n));
  plan.table.noise = noise.scale;
  TACET_TRY(plan.statistic.noise, inference::gwas_noise(even_up(plan.n), plan.rho));
  return plan;
}

}  // namespace tacet
