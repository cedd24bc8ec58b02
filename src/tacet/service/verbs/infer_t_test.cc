#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tacet/mechanisms/release_file.h"
#include "tacet/report/text_table.h"
#include "tacet/service/all_verbs.h"
#include "tacet/service/histogram_words.h"
#include "tacet/service/means_comparison.h"
#include "tacet/service/p_value_words.h"
#include "tacet/service/simulation_fields.h"
#include "tacet/workflow/infer/t_test.h"

namespace tacet::service::infer_t_test_verb {
namespace {

using inference::Outcome;

struct Request {
  std::vector<std::string> release;
  TTestRequest test;
};
using Reply = TTestAnswer;

Result<Reply> run(const Request& request, const Context& context) {
  context.tell("reading the release");
  std::vector<MomentRelease> releases;
  for (const std::string& path : request.release) {
    TACET_TRY(MomentRelease release, mechanisms::read_release_as<MomentRelease>(path));
    releases.push_back(std::move(release));
  }
  TTestRequest test = request.test;
  if (releases.size() == 2) test.names = request.release;
  return t_test(releases, test, context);
}

/// "the mean of ldl of arm=new is", "the means of ldl of arm=new and arm=old differ by".
std::string subject(const Reply& reply) {
  const std::string column = report::printable(reply.column);
  const std::string first = report::printable(reply.groups[0].name);
  if (reply.groups.size() == 1) return fmt::format("the mean of {} of {}", column, first);
  return fmt::format("the mean of {} of {} minus that of {}", column, first, report::printable(reply.groups[1].name));
}

/// A mean of dates is a date, and a difference of them a number of days.
std::string tested_words(const Reply& reply, double value, int digits) {
  if (reply.dates && reply.groups.size() == 1) return number_words(value, /*dates=*/true);
  return fmt::format("{:.{}g}{}", value, digits, reply.dates ? " days" : "");
}

std::string words(const Reply& reply) {
  const TTestRequest& asked = reply.asked;
  if (!reply.test) return fmt::format("Inconclusive: {}.\nThis cost no privacy.\n", reply.reason.value_or("too little is known"));
  const ColumnTest& test = *reply.test;
  const std::string null = tested_words(reply, asked.null, 6);
  std::string claim = fmt::format("{} is not {}", subject(reply), null);
  if (asked.alternative != Alternative::TwoSided) claim = fmt::format("{} is {} than {}", subject(reply), name(asked.alternative), null);
  std::string out;
  if (test.outcome == Outcome::Reject) {
    claim[0] = 'T';
    out = fmt::format("{}: equality rejected at level {:.4g}.\n", claim, asked.alpha);
  } else {
    out = fmt::format("No evidence at level {:.4g} that {}.\n", asked.alpha, claim);
  }
  const std::string from = test.lower ? "from " + tested_words(reply, *test.lower, 5) : "";
  const std::string to = test.upper ? (test.lower ? " to " : "up to ") + tested_words(reply, *test.upper, 5) : " on";
  out += fmt::format("Estimate {} (standard deviation {:.4g}{}); {}{} with confidence {:g}, for {}.\n",
                     tested_words(reply, test.estimate, 5), test.sd, reply.dates ? " days" : "", from, to, 1 - asked.alpha,
                     asked.target == MeanTarget::Population ? "the population" : fmt::format("the {} in the file", name(reply.counted)));
  out += fmt::format("t = {:.4g}, {}{}.\n", test.statistic, test.df ? fmt::format("df = {:.5g}, ", *test.df) : "",
                     p_value_words(test.p_value, test.draws));
  for (const TestedGroup& group : reply.groups) {
    if (reply.groups.size() == 2 && group.mean) {
      out += fmt::format("Mean of {}: {} ({} {}).\n", report::printable(group.name),
                         reply.dates ? number_words(*group.mean, /*dates=*/true) : fmt::format("{:.5g}", *group.mean),
                         report::readable(std::round(group.n)), name(reply.counted));
    }
  }
  out += left_out_groups_words(reply.left_out);
  out += fmt::format("Includes {}the noise of the release.\n", asked.target == MeanTarget::Population ? "sampling error and " : "only ");
  if (reply.groups.size() == 2 && reply.disjoint == Disjoint::Declared) out += disjoint_words(reply.disjoint);
  return out + "This cost no privacy.\n";
}

/// A number of the test; null if there is none.
template <class T>
auto of_test(T ColumnTest::* member) {
  return [member](const Reply& reply) -> std::optional<T> {
    if (!reply.test) return std::nullopt;
    return (*reply.test).*member;
  };
}
auto of_test(std::optional<double> ColumnTest::* member) {
  return [member](const Reply& reply) -> std::optional<double> { return reply.test ? (*reply.test).*member : std::nullopt; };
}
template <class T>
auto as_asked(T TTestRequest::* member) {
  return [member](const Reply& reply) -> const T& { return reply.asked.*member; };
}
template <class T>
auto of_groups(T TestedGroup::* member) {
  return [member](const Reply& reply) {
    std::vector<T> items;
    for (const TestedGroup& group : reply.groups) items.push_back(group.*member);
    return items;
  };
}

AnswerTable<Reply> answer_table() {
  return AnswerTable<Reply>()
      .value("statistic", of_test(&ColumnTest::statistic), "the estimate less the null, in standard deviations; null where there is none")
      .value("df", of_test(&ColumnTest::df), "the degrees of freedom of its standard deviation; null for the people in the file")
      .value("p_value", of_test(&ColumnTest::p_value), "null where there is none")
      .value(
          "outcome", [](const Reply& reply) { return reply.test ? reply.test->outcome : Outcome::Inconclusive; }, "the decision")
      .value("reason", &Reply::reason, "why the test is inconclusive; null otherwise")
      .value("estimate", of_test(&ColumnTest::estimate), "the mean, or the first mean minus the second, in the column's unit")
      .value("lower", of_test(&ColumnTest::lower), "the lower end of its interval; null: none, if the alternative is less")
      .value("upper", of_test(&ColumnTest::upper), "the upper end; null: none, if the alternative is greater")
      .value("sd", of_test(&ColumnTest::sd), "the standard deviation of the estimate")
      .value("alpha", as_asked(&TTestRequest::alpha), "the level; the interval holds with probability 1 - alpha")
      .value("alternative", as_asked(&TTestRequest::alternative), "what the null is tested against")
      .value("null", as_asked(&TTestRequest::null), "the mean, or the difference, that was tested")
      .value("for", as_asked(&TTestRequest::target), "the people in the file, or the population they were drawn from")
      .value("column", &Reply::column, "what the mean is of: a column, or a combination in words")
      .value("groups", of_groups(&TestedGroup::name), "one or two groups")
      .value("left_out", &Reply::left_out, "groups that are left out, as there may be nobody; empty: none")
      .value("means", of_groups(&TestedGroup::mean), "of each group; null if it may be empty")
      .value("n", of_groups(&TestedGroup::n), "the people in each group, noisy where they are private")
      .value("disjoint", &Reply::disjoint, "how it is known that nobody is in both groups")
      .value("draws", of_test(&ColumnTest::draws), "how many possible means were drawn; null: none")
      .value("seed", [](const Reply& reply) { return reply.asked.simulation.seed; }, "where the simulation started");
}

}  // namespace

Verb make() {
  const auto test = [](Request& r) -> auto& { return r.test; };
  return verb<Request, Reply>(
      {.name = "infer t-test",
       .summary = "Test one column, or one combination of columns: is its mean a given value, or the same in two groups? With an interval, "
                  "knowing the noise",
       .example = "tacet infer t-test --release by_smoking.json --column ldl --groups never,current",
       .library = LibraryFunction{"t_test", "tacet/workflow/infer/t_test.h"},
       .request =
           RequestTable<Request>()
               .required("release", &Request::release, "FILE", "a release of a covariance or of means, or two: one for each group")
               .field(
                   "column", [](Request& r) -> auto& { return r.test.column; }, "NAME", "which column, where the release has several")
               .field(
                   "direction", [](Request& r) -> auto& { return r.test.direction; }, "e,f",
                   "in place of column: test the combination with these factors, one for each column of the release")
               .field(
                   "groups", [](Request& r) -> auto& { return r.test.groups; }, "a,b",
                   "two groups of the release, first minus second, or one; not needed where there are people in two")
               .field(
                   "null", [](Request& r) -> auto& { return r.test.null; }, "X", "the mean, or the difference of means, to test")
               .field(
                   "alternative", [](Request& r) -> auto& { return r.test.alternative; }, "A",
                   "what to test the null against; greater: the first mean is greater than the second")
               .field(
                   "for", [](Request& r) -> auto& { return r.test.target; }, "WHOM",
                   "the people in the file, or the population they were drawn from, which needs a release of a covariance")
               .field(
                   "alpha", [](Request& r) -> auto& { return r.test.alpha; }, "A",
                   "the level; the interval holds with probability 1 - alpha")
               .field(
                   "disjoint", [](Request& r) -> auto& { return r.test.disjoint; }, "",
                   "nobody is in both releases, which is asked where they are of one dataset")
               .include(test, simulation_table<TTestRequest>(&TTestRequest::simulation, "possible means to draw")),
       .answer = answer_table(),
       .run = run,
       .words = words});
}

}  // namespace tacet::service::infer_t_test_verb
