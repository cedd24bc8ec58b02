#include "tacet/service/count_test_answer.h"

#include <optional>

#include <fmt/format.h>

#include "tacet/service/p_value_words.h"

namespace tacet::service {
namespace {

std::string short_number(double value) { return fmt::format("{:.4g}", value); }

/// The power of a test that did not reject.
std::string power_words(const CountTest& test, const TestWords& words) {
  if (!test.power) return {};
  // If the power is no more than the level, chance explains the deviation. A simulated power may
  // exceed the level by chance.
  if (*test.power > 1.001 * test.alpha + 2 * test.power_standard_error.value_or(0))
    return fmt::format("; a {} of the size estimated here would be found with probability {:.2f}", words.deviation, *test.power);
  return fmt::format("; {} by no more than sampling and noise explain", words.deviates);
}

std::string count_outcome_words(const CountTest& test, const TestWords& words) {
  const std::string level = short_number(test.alpha);
  switch (test.outcome) {
    case Outcome::Inconclusive: return fmt::format("Inconclusive: {}.\n", test.reason.value_or(""));
    case Outcome::Reject: return fmt::format("{}: rejected at level {}.\n", words.rejected, level);
    case Outcome::Retain: break;
  }
  return fmt::format("No evidence {} at level {}{}.\n", words.doubt.empty() ? "against " + words.null : words.doubt, level,
                     power_words(test, words));
}

}  // namespace

AnswerTable<CountTest> count_test_answer() {
  return AnswerTable<CountTest>()
      .value("statistic", &CountTest::statistic, "the value of the test statistic")
      .value("df", &CountTest::df, "its degrees of freedom")
      .value("p_value", &CountTest::p_value, "the p-value")
      .value("critical", &CountTest::critical, "the critical value: a larger statistic rejects")
      .value("outcome", &CountTest::outcome, "the decision")
      .value("reason", &CountTest::reason, "why the test is inconclusive; null otherwise")
      .value("alpha", &CountTest::alpha, "the level of the test")
      .value("statistic_kind", &CountTest::statistic_kind, "the test statistic")
      .value("method", &CountTest::method, "how the distribution under the null hypothesis was found")
      .value("choice", &CountTest::choice, "why this statistic and this method; null where they were asked for")
      .value("null_law", &CountTest::null_distribution, "the distribution under the null hypothesis, in words; null where there is none")
      .value("least_expected", &CountTest::least_expected, "the people that the null hypothesis expects in its smallest cell")
      .value("power", &CountTest::power, "how often a deviation of the size that was seen is rejected")
      .value("power_standard_error", &CountTest::power_standard_error,
             "the standard error of a simulated power; the error of a simulated critical value is not in it")
      .value("draws", &CountTest::draws, "the simulated tables; null: none")
      .value("seed", &CountTest::seed, "the seed of the simulation");
}

std::string count_test_words(const CountTest& test, const TestWords& words) {
  std::string out = count_outcome_words(test, words);
  if (test.statistic) {
    const std::string df = short_number(test.df);
    out += fmt::format("The {} statistic is {} (critical value {}, {}, {} {} of freedom).\n", name(test.statistic_kind),
                       short_number(*test.statistic), test.critical ? short_number(*test.critical) : "unknown",
                       p_value_words(test.p_value, test.draws), df, df == "1" ? "degree" : "degrees");
    out += fmt::format("Distribution under the null hypothesis: {}.\n", test.null_distribution.value_or("unknown"));
  }
  if (test.choice) out += fmt::format("Chosen: {}.\n", *test.choice);
  return out + "This cost no privacy.\n";
}

}  // namespace tacet::service
