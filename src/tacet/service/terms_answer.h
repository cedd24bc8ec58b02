// tacet/service/terms_answer.h: the terms of a dataset as JSON and in words.
//
//   AnswerTable<DatasetTerms> table = terms_table();
//   std::string shown = terms_words(*dataset_terms(*Dataset::open("patients.ledger")));
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tacet/service/answer_table.h"
#include "tacet/workflow/custody/dataset_terms.h"

namespace tacet::service {

AnswerTable<DatasetTerms> terms_table();
std::string terms_words(const DatasetTerms& terms);

/// "Beware: ...", a line for each.
std::string warning_words(const std::vector<std::string>& warnings);

}  // namespace tacet::service
