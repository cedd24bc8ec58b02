#include "tacet/service/independence_answer.h"

#include <functional>

namespace tacet::service {

RequestTable<IndependenceOptions> independence_table() {
  return RequestTable<IndependenceOptions>()
      .field("rows", &IndependenceOptions::rows, "NAME", "with columns: the two variables to take of a release of more")
      .field("columns", &IndependenceOptions::columns, "NAME", "with rows: the other variable")
      .include(std::identity(), count_test_table<IndependenceOptions>("the test statistic, by default projected"));
}

AnswerTable<IndependenceTest> independence_answer() {
  return AnswerTable<IndependenceTest>()
      .include(std::identity(), count_test_answer())
      .value("n", &IndependenceTest::n, "the number of people, where it is public")
      .value("fitted", &IndependenceTest::fitted, "the nearest table of probabilities whose variables are independent")
      .value("rows", &IndependenceTest::rows, "the variable of the rows, where it has a name")
      .value("columns", &IndependenceTest::columns, "the variable of the columns, where it has a name");
}

}  // namespace tacet::service
