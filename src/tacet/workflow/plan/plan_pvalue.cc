#include "tacet/workflow/plan/plan_pvalue.h"

#include <utility>

#include <fmt/format.h>

namespace tacet {
namespace {

Result<accounting::SelectionStep> step_of_request(const PValuePlanRequest& request) {
  const int given = (request.epsilon ? 1 : 0) + (request.rho ? 1 : 0) + (request.mu ? 1 : 0) + (request.bits ? 1 : 0);
  if (given != 1 || (request.delta && !request.epsilon)) {
    return Error::invalid("selection", given > 1 ? "given in several ways" : "missing",
                          "must be one of epsilon (with or without delta), rho, mu and bits", "for example: epsilon = 0.05");
  }
  if (request.rho) return accounting::SelectionStep(accounting::ConcentratedStep{*request.rho});
  if (request.mu) return accounting::SelectionStep(accounting::GaussianStep{*request.mu});
  if (request.bits) return accounting::SelectionStep(accounting::DescribedStep{*request.bits});
  if (request.delta && *request.delta != 0) return accounting::SelectionStep(accounting::ApproximateStep{*request.epsilon, *request.delta});
  return accounting::SelectionStep(accounting::PureStep{*request.epsilon});
}

}  // namespace

Result<PValuePlan> plan_pvalue(const PValuePlanRequest& request) {
  TACET_TRY(const accounting::SelectionStep step, step_of_request(request));
  Selection selection{static_cast<double>(request.n), {step}, request.rows};
  TACET_TRY(const CorrectedLevel level, accounting::corrected_level(selection, request.alpha));
  return PValuePlan{request, std::move(selection), level};
}

}  // namespace tacet
