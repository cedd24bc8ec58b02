// tacet/service/mean_plan_request.h: what the plans about means share: a public covariance, ranges, and the privacy to be spent.
//
//   TACET_TRY(const planning::MeanPlan plan, mean_plan_field(request));
//   TACET_TRY(const planning::MeanQuery query, mean_query_field(request));
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/planning/mean_query_plan.h"
#include "tacet/service/verb.h"

namespace tacet::service {

/// --covariance, --range, and --rho, --mu or --epsilon with --delta.
Result<planning::MeanPlan> mean_plan_field(const Json& request);
/// --query; whitened if not given.
Result<planning::MeanQuery> mean_query_field(const Json& request);
std::vector<Field> mean_plan_fields(std::vector<Field> own);

/// The queries that can be compared: all, but bounded only with ranges.
std::vector<planning::MeanQuery> comparable_queries(const planning::MeanPlan& plan);

/// How a query is asked for: "release query --covariance".
std::string query_words(const std::string& query);

}  // namespace tacet::service
