#include "tacet/workflow/plan/mean_query_design.h"

#include <fmt/format.h>

#include "tacet/accounting/calibration.h"

namespace tacet {

Result<planning::MeanPlan> mean_plan(const MeanQueryDesign& design) {
  if (design.covariance && design.covariance->rows != design.covariance->columns) {
    return Error::invalid("covariance", fmt::format("a matrix of {} x {}", design.covariance->rows, design.covariance->columns),
                          "must be a square matrix");
  }
  TACET_TRY(const PrivacyAmount amount, required_privacy(design.loss));
  TACET_TRY(const privacy::Loss loss, loss_of(amount));
  TACET_TRY(const accounting::ForMu target, accounting::mu_for(loss));
  return planning::MeanPlan{design.covariance, target.mu, design.range};
}

std::vector<MeanQuery> comparable_queries(const MeanQueryDesign& design, MeanPurpose purpose, bool population) {
  using enum MeanQuery;
  std::vector<MeanQuery> queries;
  if (design.covariance) queries = {Whitened, Scaled};
  if (!design.range.empty()) queries.insert(queries.end(), {Bounded, LeastSquares, Isotropic});
  if (purpose == MeanPurpose::Region) return queries;
  if (!design.range.empty()) queries.push_back(Column);
  if (design.covariance && population) queries.insert(queries.end(), {Combination, NormalCombination});
  return queries;
}

MeanQuery chosen_query(const MeanQueryDesign& design, MeanPurpose purpose, bool population) {
  if (design.query) return *design.query;
  const bool clipped = design.covariance && (purpose == MeanPurpose::Region || population);
  if (purpose == MeanPurpose::Region) return clipped ? MeanQuery::Whitened : MeanQuery::Bounded;
  if (clipped) return MeanQuery::Combination;
  return design.range.empty() && design.covariance ? MeanQuery::Whitened : MeanQuery::Column;
}

}  // namespace tacet
