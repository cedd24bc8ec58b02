#include "tacet/workflow/plan/plan_mean_test.h"

#include <utility>

#include <fmt/format.h>

#include "tacet/report/text_table.h"
#include "tacet/service/all_verbs.h"
#include "tacet/service/curve_files.h"
#include "tacet/service/mean_plan_fields.h"

namespace tacet::service::plan_mean_test_verb {
namespace {

struct Request {
  MeanPlanFields design;
  MeanTestPlanRequest plan;
  CurveFiles files;
};

struct Reply {
  MeanTestPlan plan;
  CurveFiles files;
};

Status write_curves(const MeanTestPlan& plan, const CurveFiles& files) {
  const MeanTestCurves& curves = *plan.curves;
  std::string csv = "n";
  report::LinePlot plot{.title = "How often the test finds eta",
                        .subtitle = fmt::format("The test of mean 0 against eta at level {:g}, mu = {:.4g}", plan.alpha, plan.mu),
                        .x = {"people", /*logarithmic=*/true},
                        .y = {"power"},
                        .curves = {}};
  for (const auto& [query, powers] : curves.powers) {
    csv += fmt::format(",{}", name(query));
    report::Curve curve{std::string(name(query)), {}};
    for (std::size_t i = 0; i < curves.people.size(); ++i) curve.points.emplace_back(curves.people[i], powers[i]);
    plot.curves.push_back(std::move(curve));
  }
  csv += "\n";
  for (std::size_t i = 0; i < curves.people.size(); ++i) {
    csv += fmt::format("{}", curves.people[i]);
    for (const auto& [query, powers] : curves.powers) csv += fmt::format(",{}", powers[i]);
    csv += "\n";
  }
  return write_curve_files(files, csv, plot);
}

Result<Reply> run(const Request& request, const Context& context) {
  MeanTestPlanRequest asked = request.plan;
  TACET_TRY(asked.design, read_design(request.design));
  asked.curves = request.files.any();
  TACET_TRY(MeanTestPlan plan, plan_mean_test(asked, context));
  if (plan.curves) TACET_CHECK(write_curves(plan, request.files));
  return Reply{std::move(plan), request.files};
}

std::string words(const Reply& reply) {
  const MeanTestPlan& plan = reply.plan;
  std::string out = people_words(plan.n, plan.n_was_found);
  out += fmt::format("the test of mean 0 against eta has power {:.4f} at level {:.4g}, with tacet {}.\nPower by each query:", plan.power,
                     plan.alpha, query_words(plan.query));
  std::string separator = " ";
  for (const auto& [query, power] : by_name(plan.powers)) {
    out += fmt::format("{}{} {:.4f}", separator, query, power);
    separator = ", ";
  }
  out += ".\n";
  separator = "People needed by each query: ";
  for (const auto& [query, people] : by_name(plan.people)) {
    out += fmt::format("{}{} {}", separator, query, report::readable(people));
    separator = ", ";
  }
  if (!plan.people.empty()) out += ".\n";
  if (plan.query == MeanQuery::Combination)
    out += "No other combination of the columns that clips as few normal rows has more power against this one eta.\n";
  return out + supposed_words(plan.query, plan.clipped, plan.target == MeanTarget::Population) + written_words(reply.files);
}

template <class T>
auto of_plan(T MeanTestPlan::* member) {
  return [member](const Reply& reply) -> const T& { return reply.plan.*member; };
}

}  // namespace

Verb make() {
  const auto plan = [](Request& r) -> auto& { return r.plan; };
  return verb<Request, Reply>(
      {.name = "plan mean-test",
       .summary = "The power of a test of means on a noisy release, or the people that a wanted power needs",
       .example = "tacet plan mean-test --covariance covariance_of_a_row.json --eta 2,1 --n 2000 --rho 0.02",
       .library = LibraryFunction{"plan_mean_test", "tacet/workflow/plan/plan_mean_test.h"},
       .request = RequestTable<Request>()
                      .include(&Request::design, covariance_table())
                      .include(plan, RequestTable<MeanTestPlanRequest>()
                                         .required("eta", &MeanTestPlanRequest::eta, "a,b", "the mean under the alternative")
                                         .whole("n", &MeanTestPlanRequest::n, 2, kMostPlannedPeople, "N", "the number of people")
                                         .field("power", &MeanTestPlanRequest::power, "P", "in place of n: the power that is wanted")
                                         .field("alpha", &MeanTestPlanRequest::alpha, "A", "the level of the test")
                                         .field("for", &MeanTestPlanRequest::target, "WHOM", "whose mean is tested"))
                      .include(&Request::design, design_table())
                      .include(&Request::files,
                               curve_files_table("the power by each query, from a twentieth of these people to twenty times as many")),
       .answer =
           AnswerTable<Reply>()
               .value("power", of_plan(&MeanTestPlan::power), "how often the test finds eta")
               .value("n", of_plan(&MeanTestPlan::n), "the number of people")
               .value("alpha", of_plan(&MeanTestPlan::alpha), "the level of the test")
               .value("query", of_plan(&MeanTestPlan::query), "how the means are asked for")
               .value(
                   "powers", [](const Reply& r) { return by_name(r.plan.powers); }, "the power by each query")
               .value(
                   "people", [](const Reply& r) { return by_name(r.plan.people); },
                   "the people that each query needs for the wanted power; empty where none was wanted")
               .value("clipped", of_plan(&MeanTestPlan::clipped), "the share of normal rows that the query clips; null where it clips none")
               .value("for", of_plan(&MeanTestPlan::target), "the people in the file, or the population they were drawn from")
               .value("mu", of_plan(&MeanTestPlan::mu), "the privacy to be spent, in mu")
               .value("wanted", of_plan(&MeanTestPlan::n_was_found), "whether a power was wanted, and the people for it were found")
               .include(&Reply::files, curve_files_answer()),
       .run = run,
       .words = words});
}

}  // namespace tacet::service::plan_mean_test_verb
