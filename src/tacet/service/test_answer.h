// tacet/service/test_answer.h: a p-value in words, from the JSON answer of a verb that is not typed yet.
//
//   p_value_words(result)          // "p-value 0.031", from the fields p_value and draws
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tacet/service/json.h"

namespace tacet::service {

std::string p_value_words(const Json& result);

}  // namespace tacet::service
