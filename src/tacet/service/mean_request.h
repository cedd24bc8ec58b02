// tacet/service/mean_request.h: what the verbs about means share: their release, its group, whom they are about, and a public covariance.
//
//   TACET_TRY(const MeanRequest asked, mean_request(request, context));
//   inference::mean_region(asked.mean, {.confidence = 0.95, .law = asked.law});
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/inference/means/mean_distribution.h"
#include "tacet/service/verb.h"

namespace tacet::service {

struct MeanRequest {
  inference::NoisyMean mean;
  inference::MeanDistributionOptions law;
  std::string group;  // its label; empty: everybody
};

/// --release, --group, --for, --covariance, --draws and --seed.
Result<MeanRequest> mean_request(const Json& request, const Context& context);
std::vector<Field> mean_fields(std::vector<Field> own);

/// What every answer about means says: columns, group, for, n, covariance, method, draws, seed, includes, does_not_include.
Json mean_json(const MeanRequest& asked, inference::MeanMethod method, std::size_t draws, const std::vector<std::string>& includes,
               const std::vector<std::string>& leaves_out);
/// "Includes: ...\nDoes not include: ...\n".
std::string included_words(const Json& result);
/// "the population", "the 400 people in the file", with the group.
std::string whom_words(const Json& result);

/// A matrix as lists of its rows.
Json rows_json(const std::vector<double>& matrix, std::size_t dimension);

}  // namespace tacet::service
