// tacet/service/tradeoff_answer.h: the fields and words that the verbs of trade-off curves share.
//
//   struct Request { std::vector<double> mu; TradeoffOutput output; } request;
//   RequestTable<Request>().include(&Request::output, tradeoff_output());
//   return tradeoff_reply({*TradeOff::gaussian(1)}, request.output);
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/service/answer_table.h"
#include "tacet/service/request_table.h"
#include "tacet/workflow/privacy/tradeoff.h"

namespace tacet::service {

struct TradeoffOutput {
  std::optional<std::vector<double>> alpha;
  std::optional<std::string> csv, html;
};
RequestTable<TradeoffOutput> tradeoff_output();

struct TradeoffReply {
  CurveTable table;
  std::optional<std::string> csv, html;  // the written files
  bool one_level;                        // of one curve: the answer is a number, not a list
  std::vector<double> slacks;            // how far each true curve may be above
};
/// The curves at the levels, and in the files. No file is written unless all can be.
Result<TradeoffReply> tradeoff_reply(const std::vector<TradeOff>& curves, const TradeoffOutput& output);

AnswerTable<TradeoffReply> tradeoff_answer();
std::string tradeoff_words(const TradeoffReply& reply);

}  // namespace tacet::service
