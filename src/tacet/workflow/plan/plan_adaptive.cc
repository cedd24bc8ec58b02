#include "tacet/workflow/plan/plan_adaptive.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace tacet {
namespace {

constexpr int kCurvePoints = 41;
constexpr double kCurveReach = 20;  // from a twentieth to twenty times as many

planning::AdaptiveQueries queries_of(const AdaptivePlanRequest& request) {
  return {static_cast<double>(request.n), static_cast<double>(request.queries), request.beta};
}

Result<AdaptiveWidths> widths_of(const planning::AdaptiveQueries& queries, const AdaptivePlanRequest& request) {
  return request.sensitivity ? planning::low_sensitivity_widths(queries, *request.sensitivity)
                             : planning::adaptive_widths(queries, request.kind);
}

Result<AdaptiveCurve> curve_of_widths(const AdaptivePlanRequest& request, CurveOver over, const Context& context) {
  AdaptiveCurve curve{over, {}, {}};
  const planning::AdaptiveQueries given = queries_of(request);
  const double middle = over == CurveOver::People ? given.n : given.queries;
  const double most = over == CurveOver::People ? 1e15 : 1e12;
  for (int i = 0; i < kCurvePoints; ++i) {
    const double at = std::clamp(std::round(middle * std::pow(kCurveReach, 2.0 * i / (kCurvePoints - 1) - 1)), 1.0, most);
    if (!curve.at.empty() && at == curve.at.back()) continue;
    planning::AdaptiveQueries there = given;
    (over == CurveOver::People ? there.n : there.queries) = at;
    TACET_TRY(AdaptiveWidths widths, widths_of(there, request));
    curve.at.push_back(at);
    curve.widths.push_back(std::move(widths));
    context.tell("planning", (i + 1.0) / kCurvePoints);
  }
  return curve;
}

}  // namespace

Result<AdaptivePlan> plan_adaptive(const AdaptivePlanRequest& request, const Context& context) {
  if (request.sensitivity && request.kind == QueryKind::Proportion) {
    return Error::invalid("sensitivity", fmt::format("{}", *request.sensitivity), "must be left out for proportions",
                          "a proportion of n rows has the sensitivity 1/n");
  }
  const planning::AdaptiveQueries queries = queries_of(request);
  TACET_TRY(AdaptiveWidths all, widths_of(queries, request));
  AdaptivePlan plan{request, all.best(), std::move(all), std::nullopt, std::nullopt, std::nullopt};
  if (!request.sensitivity) {
    TACET_TRY(plan.split, planning::split_widths(queries));
  }
  if (plan.best.family == planning::AnswerNoise::Gaussian) {
    const double each = request.sensitivity.value_or(1 / queries.n) / *plan.best.noise;
    plan.rho = queries.queries * each * each / 2;
  }
  if (request.curve) {
    TACET_TRY(plan.curve, curve_of_widths(request, *request.curve, context));
  }
  return plan;
}

}  // namespace tacet
