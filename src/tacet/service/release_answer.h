// tacet/service/release_answer.h: what the verbs that release share: the dataset they read, and their answer.
//
//   struct Request { ReleaseFields release; CountRequest counts; };
//   release_request(own_table)                       // data, schema, own fields, out, analyst, ledger, dataset, privacy
//   TACET_TRY(const Dataset dataset, open_dataset(request.release, context));
//   published_table<CountRelease>()                  // the release file's fields, then out and budget
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/mechanisms/release_file.h"
#include "tacet/service/answer_table.h"
#include "tacet/service/budget_answer.h"
#include "tacet/service/request_table.h"
#include "tacet/workflow/dataset.h"
#include "tacet/workflow/release/charged_release.h"

namespace tacet::service {

/// Where a release reads and writes.
struct ReleaseFields {
  std::string data, schema, out;
  std::optional<std::string> analyst, ledger, dataset;
};

RequestTable<ReleaseFields> data_table();  // data and schema, which come first in help
RequestTable<ReleaseFields> file_table();  // out, analyst, ledger and dataset

Result<Dataset> open_dataset(const ReleaseFields& fields, const Context& context);

/// The fields that every release file has; `own` are those of its kind.
std::vector<AnswerField> release_answer_fields(std::vector<AnswerField> own);
/// Those of a table; `values` says what its numbers are.
std::vector<AnswerField> table_answer_fields(const std::string& values);

template <class Release>
AnswerTable<Published<Release>> published_table(std::vector<AnswerField> own) {
  return AnswerTable<Published<Release>>()
      .json_object(release_answer_fields(std::move(own)),
                   [](const Published<Release>& answer) { return mechanisms::to_json(answer.release); })
      .value("out", &Published<Release>::file, "the file that was written")
      .object("budget", &Published<Release>::budget, budget_table(), "the budget after the charge");
}

/// "Charged: rho 0.125. Remaining: ..." and where the file is; `next` is the verb to go on with.
std::string charged_words(const mechanisms::ReleaseHeader& header, const std::optional<BudgetSummary>& budget,
                          const std::optional<std::string>& file, const std::string& next);

}  // namespace tacet::service
