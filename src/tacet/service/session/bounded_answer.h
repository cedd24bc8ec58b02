// tacet/service/session/bounded_answer.h: fractions and means of expressions, in words and in JSON.
//
//   const QueryRelease older = *mechanisms::read_release_as<QueryRelease>("older.json");
//   std::string words = answer_words(older);               // the answer and its intervals
//   Json json = interval_table().write(*answer_intervals(older));
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tacet/service/answer_table.h"
#include "tacet/workflow/session/bounded_query.h"

namespace tacet::service {

/// Lines: what was asked, the answer, and its intervals.
std::string answer_words(const QueryRelease& release);

AnswerTable<AnswerIntervals> interval_table();

}  // namespace tacet::service
