// tacet/service/means_plan.h: the fields and words of `plan two-sample` and `plan k-sample`.
//
//   MeansPlanFields fields{.columns = {"ldl"}, .schema = "patients.toml"};
//   TACET_TRY(const MeansPlanRequest request, read_means_plan(fields));
//   TACET_TRY(MeansPlan plan, plan_two_sample(request, context));
//   return with_curve_files(std::move(plan), fields.files);
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/service/answer_table.h"
#include "tacet/service/curve_files.h"
#include "tacet/service/request_table.h"
#include "tacet/workflow/plan/plan_two_sample.h"

namespace tacet::service {

struct MeansPlanFields {
  std::vector<std::string> columns;               // names, or their number
  std::optional<std::string> schema, covariance;  // files
  CurveFiles files;
  MeansPlanRequest plan;  // the rest
};

/// `difference` is the help of that field.
RequestTable<MeansPlanFields> means_plan_request(const std::string& difference);

/// Reads the files.
Result<MeansPlanRequest> read_means_plan(const MeansPlanFields& fields);

struct MeansPlanReply {
  MeansPlan plan;
  CurveFiles files;  // written
};
/// Writes the curve of the plan to the named files.
Result<MeansPlanReply> with_curve_files(MeansPlan plan, const CurveFiles& files);

AnswerTable<MeansPlanReply> means_plan_answer();
std::string means_plan_words(const MeansPlanReply& reply);

}  // namespace tacet::service
