#include "tacet/service/critical_answer.h"

#include <fmt/format.h>

namespace tacet::service {

AnswerTable<CriticalReply> critical_answer() {
  return AnswerTable<CriticalReply>()
      .value("critical", &CriticalReply::critical, "the critical value")
      .value("alpha", &CriticalReply::alpha, "the probability to exceed it")
      .value("statistic", &CriticalReply::statistic, "the statistic or its distribution, in words")
      .value("df", &CriticalReply::df, "the degrees of freedom of a noisy table")
      .unless_null();
}

std::string critical_words(const CriticalReply& reply) {
  return fmt::format("Critical value {:.10g}: {} exceeds it with probability {:.6g}.\nNo data was read.\n", reply.critical, reply.statistic,
                     reply.alpha);
}

}  // namespace tacet::service
