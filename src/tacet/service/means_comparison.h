// tacet/service/means_comparison.h: the fields and words of `infer two-sample` and `infer
// k-sample`.
//
//   ComparisonFields request{.releases = {"by_smoking.json"}};
//   TACET_TRY(const ComparisonInput input, read_comparison(request));
//   return compare_two_means(input.releases, input.comparison, context);
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/service/answer_table.h"
#include "tacet/service/request_table.h"
#include "tacet/workflow/infer/compare_means.h"

namespace tacet::service {

struct ComparisonFields {
  std::vector<std::string> releases;  // files
  ComparisonRequest comparison;
};

RequestTable<ComparisonFields> comparison_request();
AnswerTable<MeansComparison> comparison_answer();
std::string comparison_words(const MeansComparison& comparison);
/// A line that names groups that were left out, if there are any.
std::string left_out_groups_words(const std::vector<std::string>& groups);

struct ComparisonInput {
  std::vector<MomentRelease> releases;
  ComparisonRequest comparison;
};
/// Reads the files. Several releases are named after their files.
Result<ComparisonInput> read_comparison(const ComparisonFields& fields);

}  // namespace tacet::service
