#include <algorithm>

#include "tacet/planning/gof_plan.h"
#include "tacet/service/all_verbs.h"
#include "tacet/service/power_answer.h"
#include "tacet/service/request.h"
#include "tacet/service/table_file.h"

namespace tacet::service {
namespace {

using planning::GofPlan;

Result<Json> run(const Json& request, const Context& context) {
  TACET_TRY(mechanisms::Flattened null, probabilities_field(request, "null"));
  TACET_TRY(mechanisms::Flattened alternative, probabilities_field(request, "alternative"));
  if (null.shape != alternative.shape) return Error::invalid("alternative", "a table of another shape", "must have the shape of the null");
  TACET_TRY(const mechanisms::NoiseDistribution noise, planned_noise(request));
  TACET_TRY(const double alpha, level_field(request, "alpha", 0.05));
  const double least = *std::min_element(null.values.begin(), null.values.end());
  const GofPlan plan{std::move(null.values), std::move(alternative.values), noise, alpha};
  return power_json(request, context, {gof_power_plan(plan), noise, least, "Goodness of fit", "this alternative"});
}

}  // namespace

Verb plan_gof_verb() {
  return {"plan gof",
          "The power of a goodness-of-fit test on a noisy table, or the people that a wanted power needs",
          "tacet plan gof --null null.json --alternative alternative.json --n 1468 --rho 0.01",
          power_fields({{"null", "FILE", "a JSON array of probabilities", FieldKind::Text, true},
                        {"alternative", "FILE", "the probabilities to suppose instead", FieldKind::Text, true}}),
          run,
          power_words};
}

}  // namespace tacet::service
