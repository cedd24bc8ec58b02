#include "tacet/service/mean_plan_request.h"

#include <utility>

#include "tacet/accounting/calibration.h"
#include "tacet/service/request.h"
#include "tacet/service/table_file.h"

namespace tacet::service {

using planning::MeanPlan;
using planning::MeanQuery;

Result<MeanPlan> mean_plan_field(const Json& request) {
  TACET_TRY(mechanisms::Flattened covariance, square_matrix_field(request, "covariance"));
  TACET_TRY(const privacy::Loss loss, loss_field(request));
  TACET_TRY(const accounting::ForMu target, accounting::mu_for(loss));
  TACET_TRY(std::vector<double> ranges, numbers_field(request, "range"));
  return MeanPlan{std::move(covariance.values), covariance.shape[0], target.mu, std::move(ranges)};
}

Result<MeanQuery> mean_query_field(const Json& request) {
  return named<MeanQuery>("query", text_field(request, "query").value_or("whitened"), "for example: --query whitened");
}

std::vector<Field> mean_plan_fields(std::vector<Field> own) {
  std::vector<Field> fields = {{"covariance", "FILE", "the public covariance of a row: a JSON matrix", FieldKind::Text, true}};
  for (Field& field : own) fields.push_back(std::move(field));
  for (Field& field : currency_fields("privacy to be spent")) fields.push_back(std::move(field));
  fields.push_back(
      {"query", "Q",
       "whitened (release query --covariance; the default), scaled (release query --sd) or bounded (release mean --goal region)"});
  fields.push_back({"range", "r,s", "upper less lower of each column, to compare with bounded", FieldKind::Numbers});
  return fields;
}

std::vector<MeanQuery> comparable_queries(const MeanPlan& plan) {
  if (plan.ranges.empty()) return {MeanQuery::Whitened, MeanQuery::Scaled};
  return {MeanQuery::Whitened, MeanQuery::Scaled, MeanQuery::Bounded};
}

std::string query_words(const std::string& query) {
  if (query == name(MeanQuery::Whitened)) return "release query --covariance";
  return query == name(MeanQuery::Scaled) ? "release query --sd" : "release mean --goal region";
}

}  // namespace tacet::service
