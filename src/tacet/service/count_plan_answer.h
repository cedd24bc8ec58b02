// tacet/service/count_plan_answer.h: the fields and words that the plans for tests of counts
// share.
//
//   struct Request { std::string alternative; CountPlanFields plan; } request;
//   const auto table =
//       RequestTable<Request>().include(&Request::plan, count_plan_table(CountPlanFor::Tables));
//   TACET_TRY(const mechanisms::Matrix joint, read_matrix("joint.json", "alternative"));
//   TACET_TRY(CountTestPlan plan, plan_independence(joint, options_of(request.plan), context));
//   return count_plan_reply(plan, request.plan.files, {"Independence", "this dependence"});
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tacet/service/answer_table.h"
#include "tacet/service/curve_files.h"
#include "tacet/service/request_table.h"
#include "tacet/workflow/plan/count_plan.h"

namespace tacet::service {

struct CountPlanFields {
  CountPlanOptions options;
  CurveFiles files;
};
/// What a test can be made on: a noisy table, or also reports that people randomise themselves.
enum class CountPlanFor : std::uint8_t { Tables, TablesAndReports };
RequestTable<CountPlanFields> count_plan_table(CountPlanFor what);
/// shrink and project, for tests that can be made on denoised tables.
RequestTable<CountPlanFields> denoised_plan_table();
/// The options, with curves if a file of them is wanted.
CountPlanOptions options_of(const CountPlanFields& fields);

/// The planned test, in words.
struct PlannedTest {
  std::string test;       // "Goodness of fit"
  std::string deviation;  // "this alternative"
};

struct CountPlanReply {
  CountTestPlan plan;
  PlannedTest planned;
  CurveFiles files;
  std::optional<std::vector<double>> alternative = {};  // if it was found here
};
AnswerTable<CountPlanReply> count_plan_answer();
/// Writes the requested files.
Result<CountPlanReply> count_plan_reply(CountTestPlan plan, const CurveFiles& files, PlannedTest planned);
std::string count_plan_words(const CountPlanReply& reply);

}  // namespace tacet::service
