// tacet/service/mean_fields.h: the fields that `infer region` and `infer mean-test` share: the
// means, and the basis of the answer.
//
//   struct Request { MeanFields means; MeanRegionRequest region; } request;
//   TACET_TRY(const MeanInput input, read_means(request.means, context));
//   AnswerTable<MeanRegionAnswer>().include(&MeanRegionAnswer::basis, mean_basis_table());
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "tacet/base/result.h"
#include "tacet/service/answer_table.h"
#include "tacet/service/request_table.h"
#include "tacet/workflow/context.h"
#include "tacet/workflow/infer/mean_basis.h"

namespace tacet::service {

struct MeanFields {
  std::string release;
  std::optional<std::string> covariance;  // a file
  MeanChoice choice;                      // without the covariance
};

RequestTable<MeanFields> mean_release_table();     // release, group, for, covariance: first in help
RequestTable<MeanFields> mean_simulation_table();  // draws and seed

struct MeanInput {
  MeanRelease release;
  MeanChoice choice;
};
/// Reads the files.
Result<MeanInput> read_means(const MeanFields& fields, const Context& context);

/// columns, group, for, n, n_is_public, covariance, method, draws, seed, includes and
/// does_not_include.
AnswerTable<MeanBasis> mean_basis_table();

/// "Includes: ...\nDoes not include: ...\n".
std::string included_words(const MeanBasis& basis);
/// "the population behind 400 people", "the 400 people in the file of group yes".
std::string whom_words(const MeanBasis& basis);

}  // namespace tacet::service
