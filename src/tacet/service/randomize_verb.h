// tacet/service/randomize_verb.h: the fields and words of the verbs that randomize.
//
//   RequestTable<RandomizeFields> request = randomize_request(epsilon_of_a_report());
//   RandomizeFields fields{.categories = {"never", "current"}, .value = "never",
//                          .loss = Epsilon(1)};
//   Result<RandomizeReply> reply = randomize(LocalKind::Exp, fields, context);
//
// The value is private: no error repeats any word of it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/service/answer_table.h"
#include "tacet/service/request_table.h"
#include "tacet/workflow/context.h"
#include "tacet/workflow/privacy/randomize.h"

namespace tacet::service {

struct RandomizeFields {
  std::vector<std::string> categories;
  std::optional<std::string> value, values;  // a label, or a file of them; private
  std::optional<std::string> other, out;
  std::optional<std::string> ledger, dataset;  // the person's own budget
  std::optional<PrivacyAmount> loss;
};
RequestTable<RandomizeFields> randomize_request(const RequestTable<std::optional<PrivacyAmount>>& privacy);

struct RandomizeReply {
  PrivacyAmount promise;
  LocalReports reports;
  std::optional<std::string> out;  // the written file, in place of the reports
};
Result<RandomizeReply> randomize(LocalKind kind, const RandomizeFields& fields, const Context& context);

AnswerTable<RandomizeReply> randomize_answer();
std::string randomize_words(const RandomizeReply& reply);

/// epsilon alone, which is required: for exp and flip.
RequestTable<std::optional<PrivacyAmount>> epsilon_of_a_report();
/// Any of the four fields: for gaussian and laplace.
RequestTable<std::optional<PrivacyAmount>> privacy_of_a_report();

}  // namespace tacet::service
