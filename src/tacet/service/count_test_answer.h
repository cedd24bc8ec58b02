// tacet/service/count_test_answer.h: the fields and words that all tests of counts share.
//
//   struct Request { std::string release; IndependenceOptions options; };
//   RequestTable<Request>().include(&Request::options,
//                                   count_test_table<IndependenceOptions>("the test statistic"));
//   AnswerTable<IndependenceTest>().include(std::identity(), count_test_answer());
//   IndependenceTest test = *test_independence(*read_release_as<CountRelease>("smoking.json"));
//   count_test_words(test, {.null = "independence", .rejected = "They depend on each other"});
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "tacet/service/answer_table.h"
#include "tacet/service/request_table.h"
#include "tacet/service/simulation_fields.h"
#include "tacet/workflow/infer/count_test.h"

namespace tacet::service {

/// statistic, method, alpha, draws and seed; `statistic` is its help.
template <class Options>
RequestTable<Options> count_test_table(const std::string& statistic) {
  return RequestTable<Options>()
      .field("statistic", &Options::statistic, "S", statistic)
      .field("method", &Options::method, "M", "how the distribution under the null hypothesis is found")
      .field("alpha", &Options::alpha, "A", "the level of the test")
      .include(std::identity(),
               simulation_table<Options>(&Options::simulation, "the most tables to simulate; by default 9,999, fewer beyond 2,000 cells"));
}

AnswerTable<CountTest> count_test_answer();

struct TestWords {
  std::string null;        // "No evidence against ... at level"
  std::string rejected;    // "...: rejected at level"
  std::string doubt = {};  // "No evidence ... at level", in place of "against" and the null
  std::string deviation = "deviation";
  std::string deviates = "the table deviates";  // "... by no more than sampling and noise explain"
};
std::string count_test_words(const CountTest& test, const TestWords& words);

}  // namespace tacet::service
