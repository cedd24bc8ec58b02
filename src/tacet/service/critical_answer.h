// tacet/service/critical_answer.h: the answer of the verbs of critical values.
//
//   return CriticalReply{14.168423, /*alpha=*/0.05, "a sum of 3 weighted chi-square variables"};
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "tacet/service/answer_table.h"

namespace tacet::service {

struct CriticalReply {
  double critical, alpha;
  std::string statistic;  // in words
  std::optional<double> df = {};
};

AnswerTable<CriticalReply> critical_answer();
std::string critical_words(const CriticalReply& reply);

}  // namespace tacet::service
