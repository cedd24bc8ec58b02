#include "tacet/workflow/plan/plan_adaptive.h"

#include <utility>

#include <fmt/format.h>

#include "tacet/report/plot.h"
#include "tacet/report/text_table.h"
#include "tacet/service/all_verbs.h"
#include "tacet/service/curve_files.h"

namespace tacet::service::plan_adaptive_verb {
namespace {

struct Request {
  AdaptivePlanRequest plan;
  CurveOver over = CurveOver::Queries;
  CurveFiles files;
};

struct Reply {
  AdaptivePlan plan;
  CurveFiles files;
};

std::string source_of_rule(AdaptiveRule rule) {
  switch (rule) {
    case AdaptiveRule::RzMonitor: return "mutual information with a monitor (Rogers 3.4.1)";
    case AdaptiveRule::Dfhprr: return "transfer of Dwork et al. (Rogers 3.2.2)";
    case AdaptiveRule::Bnsssu: return "monitor of Bassily et al. (Rogers 3.3.1)";
    case AdaptiveRule::Jlnrss: return "posterior of Jung et al. (2020)";
    case AdaptiveRule::Cvar: return "conditional value at risk";
    case AdaptiveRule::DataSplitting: return "each query from rows of its own";
    case AdaptiveRule::Constant: break;
  }
  return "answers 1/2 without data";
}

std::string why(const AdaptivePlan& plan) {
  switch (plan.best.rule) {
    case AdaptiveRule::DataSplitting:
      return fmt::format("There are few queries: {:.0f} rows for each, which nobody saw before, say more than noisy answers from all rows.",
                         plan.split ? plan.split->rows : 0);
    case AdaptiveRule::Constant: return "There are too few rows for so many queries: no rule does better than the answer 1/2.";
    case AdaptiveRule::Cvar:
      return "It bounds the noise and what the answers tell about the rows together, and need not share beta between them.";
    default: break;
  }
  return "Its bound is the least of those that hold here.";
}

std::string noise_words(const AdaptiveWidth& one) {
  if (!one.noise) return "none";
  return fmt::format("{} {:.5g}", name(one.family), *one.noise);
}

std::string csv_of_widths(const AdaptiveCurve& curve) {
  std::string csv(name(curve.over));
  for (const AdaptiveWidth& one : curve.widths.front().rules) csv += fmt::format(",{}", name(one.rule));
  csv += ",best\n";
  for (std::size_t i = 0; i < curve.at.size(); ++i) {
    csv += fmt::format("{}", curve.at[i]);
    for (const AdaptiveWidth& one : curve.widths[i].rules) csv += fmt::format(",{}", one.width);
    csv += fmt::format(",{}\n", name(curve.widths[i].best().rule));
  }
  return csv;
}

report::LinePlot plot_of_widths(const AdaptiveCurve& curve, const AdaptivePlanRequest& request) {
  const bool people = curve.over == CurveOver::People;
  report::LinePlot plot{.title = "How far answers may be from the population",
                        .subtitle = people ? fmt::format("{} queries chosen one after another; all hold with probability {:g}",
                                                         request.queries, 1 - request.beta)
                                           : fmt::format("{} people; all hold with probability {:g}", request.n, 1 - request.beta),
                        .x = {people ? "people" : "queries", true},
                        .y = {"half-width", true},
                        .curves = {}};
  for (std::size_t rule = 0; rule < curve.widths.front().rules.size(); ++rule) {
    report::Curve shown{std::string(name(curve.widths.front().rules[rule].rule)), {}};
    for (std::size_t i = 0; i < curve.at.size(); ++i) shown.points.emplace_back(curve.at[i], curve.widths[i].rules[rule].width);
    plot.curves.push_back(std::move(shown));
  }
  return plot;
}

Result<Reply> run(const Request& request, const Context& context) {
  AdaptivePlanRequest wanted = request.plan;
  if (request.files.any()) wanted.curve = request.over;
  TACET_TRY(AdaptivePlan plan, plan_adaptive(wanted, context));
  if (plan.curve) TACET_CHECK(write_curve_files(request.files, csv_of_widths(*plan.curve), plot_of_widths(*plan.curve, wanted)));
  return Reply{std::move(plan), request.files};
}

std::string words(const Reply& reply) {
  const AdaptivePlan& plan = reply.plan;
  const AdaptivePlanRequest& request = plan.request;
  const std::string what = request.sensitivity                     ? fmt::format("queries of sensitivity {:g}", *request.sensitivity)
                           : request.kind == QueryKind::Proportion ? std::string("shares of rows")
                                                                   : std::string("means of values in [0, 1]");
  std::string out =
      fmt::format("{} {} from {} independent rows, each chosen after the answers before it:\n",
                  report::readable(static_cast<double>(request.queries)), what, report::readable(static_cast<double>(request.n)));
  out += fmt::format("with probability {:g} every answer is within {:.6g} of the population.\n", 1 - request.beta, plan.best.width);
  out += fmt::format("Rule: {}, {}. {}\n", name(plan.best.rule), source_of_rule(plan.best.rule), why(plan));
  if (plan.best.noise) {
    const bool laplace = plan.best.family == planning::AnswerNoise::Laplace;
    out += fmt::format("Add {} {:.6g} to each answer", laplace ? "Laplace noise of scale" : "Gaussian noise of standard deviation",
                       *plan.best.noise);
    out += plan.rho ? fmt::format("; all answers together then spend rho {:.6g}.\n", *plan.rho) : std::string(".\n");
  }
  report::TextTable table({"rule", "width", "noise", "how"});
  for (const AdaptiveWidth& one : plan.all.rules)
    table.add({std::string(name(one.rule)), fmt::format("{:.6g}", one.width), noise_words(one), source_of_rule(one.rule)});
  out += table.render();
  if (plan.split && plan.split->at_half < plan.best.width) {
    out += fmt::format(
        "Data splitting by the binomial distribution at 1/2 (Rogers 3.5) gives {:.6g}. It holds for shares of rows alone, and not near "
        "every "
        "true share; {:.6g} holds for every share (kind = proportion).\n",
        plan.split->at_half, plan.split->proportion);
  }
  return out + "No data was read, and nothing was spent.\n" + written_words(reply.files);
}

/// The width of one rule; null where it does not hold.
auto width_of(AdaptiveRule rule) {
  return [rule](const Reply& reply) {
    const AdaptiveWidth* found = reply.plan.all.find(rule);
    return found != nullptr ? std::optional(found->width) : std::nullopt;
  };
}

template <class Member>
auto of_split(Member planning::SplitWidths::* member) {
  return [member](const Reply& reply) { return reply.plan.split ? std::optional((*reply.plan.split).*member) : std::nullopt; };
}

AnswerTable<AdaptiveWidth> rule_table() {
  return AnswerTable<AdaptiveWidth>()
      .value("rule", &AdaptiveWidth::rule, "its name")
      .value("width", &AdaptiveWidth::width, "its half-width")
      .value("noise_family", &AdaptiveWidth::family, "the distribution of the noise")
      .value("noise", &AdaptiveWidth::noise, "its standard deviation, or the scale of Laplace noise; null: none");
}

}  // namespace

Verb make() {
  const auto plan = [](auto member) { return [member](Request& r) -> auto& { return r.plan.*member; }; };
  const auto asked = [](auto member) { return [member](const Reply& r) { return r.plan.request.*member; }; };
  const auto best = [](auto member) { return [member](const Reply& r) { return r.plan.best.*member; }; };
  return verb<Request, Reply>(
      {.name = "plan adaptive",
       .summary = "How far answers to queries that are chosen one after another may be from the population",
       .example = "tacet plan adaptive --n 6400 --queries 640 --beta 0.05",
       .library = LibraryFunction{"plan_adaptive", "tacet/workflow/plan/plan_adaptive.h"},
       .request = RequestTable<Request>()
                      .required("n", plan(&AdaptivePlanRequest::n), "N", "the number of people: independent rows")
                      .required("queries", plan(&AdaptivePlanRequest::queries), "K",
                                "how many queries will be asked, each after the answers before it")
                      .field("beta", plan(&AdaptivePlanRequest::beta), "B", "the probability that some answer may be further away")
                      .field("kind", plan(&AdaptivePlanRequest::kind), "KIND", "means of values in [0, 1], or shares of rows")
                      .field("sensitivity", plan(&AdaptivePlanRequest::sensitivity), "D",
                             "for other queries: how much replacing a row may change one")
                      .field("over", &Request::over, "AXIS", "what the curve is drawn over")
                      .include(&Request::files, curve_files_table("the width by each rule from a twentieth of n, or of the queries, to "
                                                                  "twenty times as many")),
       .answer = AnswerTable<Reply>()
                     .value("width", best(&AdaptiveWidth::width), "the least half-width that holds")
                     .value("rule", best(&AdaptiveWidth::rule), "the rule that gives it")
                     .value("noise", best(&AdaptiveWidth::noise), "the standard deviation or scale of its noise; null: none")
                     .value("noise_family", best(&AdaptiveWidth::family), "the distribution of its noise")
                     .value(
                         "rho", [](const Reply& r) { return r.plan.rho; }, "what all answers spend together; null without Gaussian noise")
                     .value("rz_monitor", width_of(AdaptiveRule::RzMonitor), "Rogers 3.4.1: Russo & Zou with a monitor")
                     .value("dfhprr", width_of(AdaptiveRule::Dfhprr), "Rogers 3.2.2: Dwork et al. (2015), with the better noise")
                     .value("bnsssu", width_of(AdaptiveRule::Bnsssu), "Rogers 3.3.1: Bassily et al. (2016), with the better noise")
                     .value("jlnrss", width_of(AdaptiveRule::Jlnrss), "Jung et al. (2020), with the exact curve of Gaussian noise")
                     .value("cvar", width_of(AdaptiveRule::Cvar), "conditional value at risk")
                     .value("data_splitting", of_split(&planning::SplitWidths::at_half),
                            "Rogers 3.5: shares of rows of their own, at the true share 1/2; not a promise for other shares")
                     .value("data_splitting_proportion", of_split(&planning::SplitWidths::proportion),
                            "the same for every true share: used for shares of rows")
                     .value("data_splitting_bounded", of_split(&planning::SplitWidths::bounded),
                            "means of rows of their own, by Hoeffding: used otherwise")
                     .list(
                         "rules", [](const Reply& r) -> const auto& { return r.plan.all.rules; }, rule_table(),
                         "every rule that holds here, with its noise")
                     .value("n", asked(&AdaptivePlanRequest::n), "the number of people")
                     .value("queries", asked(&AdaptivePlanRequest::queries), "the number of queries")
                     .value("beta", asked(&AdaptivePlanRequest::beta), "the probability that some answer may be further away")
                     .include(&Reply::files, curve_files_answer()),
       .run = run,
       .words = words});
}

}  // namespace tacet::service::plan_adaptive_verb
