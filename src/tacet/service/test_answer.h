// tacet/service/test_answer.h: what the verbs that test a hypothesis have in common: how they are asked, and how they answer.
//
//   TACET_TRY(const inference::GofOptions options, test_options(request, context));
//   Json result = test_json(test, options);                 // the fields that programs rely on
//   std::string out = "The groups differ ...\n" + test_details(result);
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/inference/goodness_of_fit.h"
#include "tacet/service/verb.h"

namespace tacet::service {

/// From alpha, statistic, method, draws and seed; simulations tell the context how far they are.
Result<inference::GofOptions> test_options(const Json& request, const Context& context);
/// The fields for these; `statistics` and `methods` name those that the verb has.
std::vector<Field> test_fields(const std::string& statistics, const std::string& methods);

/// statistic, df, p_value, critical, outcome, reason, alpha, statistic_kind, method, choice, null_law, least_expected, power, draws, seed.
Json test_json(const inference::GofTest& test, const inference::GofOptions& options);

/// The lines after the answer: statistic, null law, choice, and that it cost nothing.
std::string test_details(const Json& result);
/// "; a `deviation` of the size estimated here would be found with probability 0.42", or that nothing is seen; empty where the power is not known.
std::string power_words(const Json& result, const std::string& deviation, const std::string& nothing);

}  // namespace tacet::service
