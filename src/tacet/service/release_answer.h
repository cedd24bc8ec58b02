// tacet/service/release_answer.h: the fields that the release verbs share: the dataset, and the
// answer.
//
//   struct Request { ReleaseFields release; CountRequest counts; } request;
//   const auto table = RequestTable<Request>()
//       .include(&Request::release, data_table())     // data and schema, then fields of its own
//       .include(&Request::release, file_table());    // out, analyst, ledger, dataset
//   TACET_TRY(const Dataset dataset, open_dataset(request.release, context));
//   published_table<CountRelease>(table_answer_fields("noisy counts"));     // then out and budget
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
#include "tacet/workflow/release/paid_before.h"
#include "tacet/workflow/release/published.h"

namespace tacet::service {

/// The input and output of a release.
struct ReleaseFields {
  std::string data, schema, out;
  std::optional<std::string> analyst, ledger, dataset;
};

RequestTable<ReleaseFields> data_table();  // data and schema, first in help
RequestTable<ReleaseFields> file_table();  // out, analyst, ledger and dataset

/// The help of the field `where`, a condition of docs/reference/row_condition.md.
extern const char* const kWhereHelp;
/// "Among rows where age >= 40; their number is private.", and how often a person counts.
std::string rows_words(const mechanisms::ReleaseHeader& header);

/// "Rows without a number in age are left out.", as the statement says; empty where it does not.
std::string missing_words(const mechanisms::ReleaseHeader& header);

Result<Dataset> open_dataset(const ReleaseFields& fields, const Context& context);

/// The fields that every release file has; `own` are those of its kind.
std::vector<AnswerField> release_answer_fields(std::vector<AnswerField> own);
/// Of releases that were charged.
std::vector<AnswerField> rows_answer_fields();
/// The fields of a table; `values` is the help of its numbers.
std::vector<AnswerField> table_answer_fields(const std::string& values);

AnswerTable<PaidBefore> paid_before_table();

template <class Release>
AnswerTable<Published<Release>> published_table(std::vector<AnswerField> own) {
  const std::vector<AnswerField> rows = rows_answer_fields();
  own.insert(own.begin(), rows.begin(), rows.end());
  return AnswerTable<Published<Release>>()
      .json_object(release_answer_fields(std::move(own)),
                   [](const Published<Release>& answer) { return mechanisms::to_json(answer.release); })
      .value("out", &Published<Release>::file, "the file that was written")
      .object("budget", &Published<Release>::budget, budget_table(), "the budget after the charge")
      .object("paid_before", &Published<Release>::paid_before, paid_before_table(),
              "an earlier charge for the same release; left out if there was none")
      .unless_null();
}

/// Before all else, a warning with the earlier charge and its file; nothing if there was none.
std::string paid_before_words(const std::optional<PaidBefore>& before);
/// "Charged: rho 0.125. Remaining: ..." and the name of the file; `next` is the verb to use next.
std::string charged_words(const mechanisms::ReleaseHeader& header, const std::optional<BudgetSummary>& budget,
                          const std::optional<std::string>& file, const std::string& next);

}  // namespace tacet::service
