#include <algorithm>

#include <fmt/format.h>

#include "tacet/planning/independence_plan.h"
#include "tacet/service/all_verbs.h"
#include "tacet/service/power_answer.h"
#include "tacet/service/request.h"
#include "tacet/service/table_file.h"

namespace tacet::service {
namespace {

using planning::IndependencePlan;

Result<Json> run(const Json& request, const Context& context) {
  TACET_TRY(mechanisms::Flattened table, probabilities_field(request, "alternative"));
  if (table.shape.size() != 2 || table.shape[0] < 2 || table.shape[1] < 2) {
    return Error::invalid("alternative", fmt::format("a table of {}", fmt::join(table.shape, " x ")),
                          "must have two dimensions, each of at least two categories",
                          "for example a file that holds [[0.3, 0.2], [0.2, 0.3]]");
  }
  TACET_TRY(const std::vector<double> alternative, inference::probabilities_of(std::move(table.values), "alternative"));
  TACET_TRY(const mechanisms::NoiseDistribution noise, planned_noise(request));
  TACET_TRY(const double alpha, level_field(request, "alpha", 0.05));
  const inference::TableShape shape{table.shape[0], table.shape[1]};
  const std::vector<double> null = inference::independent_table(shape, alternative);
  const IndependencePlan plan{shape, alternative, noise, alpha};
  return power_json(request, context,
                    {independence_power_plan(plan), noise, *std::min_element(null.begin(), null.end()), "Independence", "this dependence"});
}

}  // namespace

Verb plan_independence_verb() {
  return {"plan independence",
          "The power of a test of independence on a noisy table, or the people that a wanted power needs",
          "tacet plan independence --alternative alternative.json --n 5000 --rho 0.01",
          power_fields({{"alternative", "FILE", "a JSON table of probabilities that are not independent", FieldKind::Text, true}}),
          run,
          power_words};
}

}  // namespace tacet::service
