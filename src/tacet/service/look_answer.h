// tacet/service/look_answer.h: what a custodian saw in the rows, as fields and as a table.
//
//   Json answer = look_table().write(look);
//   std::string words = look_words(look);
//
// Data without noise, for the custodian alone (workflow/custody/look_at_data.h).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tacet/service/answer_table.h"
#include "tacet/workflow/custody/look_at_data.h"

namespace tacet::service {

/// The first line of everything that shows data.
inline constexpr const char* kForTheCustodian =
    "For the custodian's eyes only: this shows data without noise. Nothing was written, and nothing was spent.";

AnswerTable<DataLook> look_table();
std::string look_words(const DataLook& look);

}  // namespace tacet::service
