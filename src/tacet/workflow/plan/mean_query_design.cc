#include "tacet/workflow/plan/mean_query_design.h"

#include <fmt/format.h>

#include "tacet/accounting/calibration.h"

namespace tacet {

Result<planning::MeanPlan> mean_plan(const MeanQueryDesign& design) {
  const Matrix& covariance = design.covariance;
  if (covariance.rows != covariance.columns) {
    return Error::invalid("covariance", fmt::format("a matrix of {} x {}", covariance.rows, covariance.columns), "must be a square matrix");
  }
  TACET_TRY(const PrivacyAmount amount, required_privacy(design.loss));
  TACET_TRY(const privacy::Loss loss, loss_of(amount));
  TACET_TRY(const accounting::ForMu target, accounting::mu_for(loss));
  return planning::MeanPlan{covariance, target.mu, design.range};
}

std::vector<MeanQuery> comparable_queries(const MeanQueryDesign& design) {
  if (design.range.empty()) return {MeanQuery::Whitened, MeanQuery::Scaled};
  return {MeanQuery::Whitened, MeanQuery::Scaled, MeanQuery::Bounded};
}

}  // namespace tacet
