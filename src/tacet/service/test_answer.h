// tacet/service/test_answer.h: what the verbs that test counts share: their options, and their answer in JSON and in words.
//
//   TACET_TRY(const inference::GofOptions options, test_options(request, context));
//   Json result = test_json(answer.test, options, release.n);
//   std::string words = test_words(result, {.null = "independence", .rejected = "Rows and columns depend on each other"});
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/inference/counts/goodness_of_fit.h"
#include "tacet/service/verb.h"

namespace tacet::service {

/// --statistic, --method, --alpha, --draws and --seed.
Result<inference::GofOptions> test_options(const Json& request, const Context& context);
std::vector<Field> test_fields(std::vector<Field> own);

Json test_json(const inference::GofTest& test, const inference::GofOptions& options, std::optional<double> n);

struct TestWords {
  std::string null;        // "No evidence against ... at level"
  std::string rejected;    // "...: rejected at level"
  std::string doubt = {};  // "No evidence ... at level", where "against the null" is not the way to say it
  std::string deviation = "deviation";
  std::string deviates = "the table deviates";  // "... by no more than sampling and noise explain"
};
std::string test_words(const Json& result, const TestWords& words);

/// "p-value 0.031", from the fields p_value and draws: "at most" where no simulation reached the statistic, and never 0.
std::string p_value_words(const Json& result);

}  // namespace tacet::service
