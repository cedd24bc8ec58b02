// tacet/service/mean_plan_fields.h: the fields that `plan region` and `plan mean-test` share: the
// design of the release.
//
//   struct Request { MeanPlanFields design; MeanTestPlanRequest plan; } request;
//   TACET_TRY(request.plan.design, read_design(request.design));
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>

#include "tacet/base/result.h"
#include "tacet/service/request_table.h"
#include "tacet/workflow/plan/mean_query_design.h"

namespace tacet::service {

struct MeanPlanFields {
  std::optional<std::string> covariance;  // a file
  MeanQueryDesign design;                 // without the covariance
};

RequestTable<MeanPlanFields> covariance_table();  // which comes first in help
RequestTable<MeanPlanFields> design_table();      // privacy, query and range

/// Reads the file.
Result<MeanQueryDesign> read_design(const MeanPlanFields& fields);

inline constexpr std::uint64_t kMostPlannedPeople = 1'000'000'000'000'000;

/// The verb of a query: "release query --covariance".
std::string query_words(MeanQuery query);
/// "2,000 people are needed: ", or "With 2,000 people ".
std::string people_words(double n, bool n_was_found);
/// The assumptions of a plan about means; `clipped` is the share of rows that the query clips.
std::string supposed_words(MeanQuery query, const std::optional<double>& clipped, bool population);

/// By the names of the queries.
template <class T>
std::map<std::string, T> by_name(const std::map<MeanQuery, T>& values) {
  std::map<std::string, T> named;
  for (const auto& [query, value] : values) named.emplace(name(query), value);
  return named;
}

}  // namespace tacet::service
