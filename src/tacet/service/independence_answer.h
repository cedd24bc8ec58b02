// tacet/service/independence_answer.h: the fields that infer independence and infer gwas share.
//
//   struct Request { std::string release; IndependenceOptions options; };
//   RequestTable<Request>().include(&Request::options, independence_table());
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tacet/service/answer_table.h"
#include "tacet/service/count_test_answer.h"
#include "tacet/service/request_table.h"
#include "tacet/workflow/infer/independence.h"

namespace tacet::service {

/// rows, columns and the options of a test of counts.
RequestTable<IndependenceOptions> independence_table();
AnswerTable<IndependenceTest> independence_answer();

}  // namespace tacet::service
