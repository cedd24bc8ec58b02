#include "tacet/workflow/infer/critical_value.h"

#include <fmt/format.h>

#include "tacet/inference/level.h"
#include "tacet/numeric/weighted_chi2.h"

namespace tacet {
namespace {

Status check_rho(double rho) {
  if (rho >= 1e-12 && rho <= 1e12) return {};
  return Error::invalid("rho", fmt::format("{}", rho), "must be at least 1e-12 and at most 1e12", "for example: rho = 0.125");
}

}  // namespace

Result<double> critical_weighted_chi2(const CriticalWeightedChi2Request& request) {
  TACET_CHECK(inference::check_alpha(request.alpha, inference::AlphaOf::Quantile));
  TACET_TRY(const auto sum, numeric::WeightedChi2::of_weights(request.weights));
  return sum.upper_quantile(request.alpha);
}

Result<CriticalGof> critical_gof(const CriticalGofRequest& request, const Context& context) {
  TACET_CHECK(inference::check_alpha(request.alpha, inference::AlphaOf::Quantile));
  TACET_CHECK(check_rho(request.rho));
  context.tell("computing the distribution under the null hypothesis");
  TACET_TRY(const auto design, inference::GofDesign::of(request.null, static_cast<double>(request.n), {.variance = 1 / request.rho}));
  TACET_TRY(const double critical, inference::gof_critical(design, request.statistic, request.alpha));
  return CriticalGof{critical, design.df(request.statistic), request.statistic, design.cells()};
}

}  // namespace tacet
