#include "tacet/workflow/plan/plan_adjusted.h"

#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "tacet/service/all_verbs.h"
#include "tacet/service/curve_files.h"
#include "tacet/service/table_file.h"

namespace tacet::service::plan_adjusted_verb {
namespace {

struct Request {
  std::string covariance;  // the file
  AdjustedQuestion question;
  CurveFiles files;
};

struct Reply {
  AdjustedPlan plan;
  AdjustedQuestion question;
  CurveFiles files;
};

struct NamedPower {
  const char* name;
  double AdjustedPlan::* member;
};
constexpr std::array kPowers = {NamedPower{"naive_Hf", &AdjustedPlan::naive_Hf}, NamedPower{"opt_Hg", &AdjustedPlan::opt_Hg},
                                NamedPower{"opt_Hf", &AdjustedPlan::opt_Hf},     NamedPower{"adjusted", &AdjustedPlan::adjusted},
                                NamedPower{"trimmed", &AdjustedPlan::trimmed},   NamedPower{"clipped", &AdjustedPlan::clipped},
                                NamedPower{"removed", &AdjustedPlan::removed}};

/// From a tenth of the epsilon to ten times as much, evenly on a logarithmic scale.
std::vector<double> epsilons_around(double epsilon) {
  constexpr int kPoints = 41;
  constexpr double kMostEpsilon = 700;  // that noise is calibrated for
  std::vector<double> all;
  for (int i = 0; i < kPoints; ++i) {
    const double one = epsilon * std::pow(10, 2.0 * i / (kPoints - 1) - 1);
    if (one <= kMostEpsilon) all.push_back(one);
  }
  return all;
}

Status write_curves(const AdjustedQuestion& question, const CurveFiles& files) {
  const std::vector<double> epsilons = epsilons_around(question.epsilon);
  TACET_TRY(const std::vector<AdjustedPlan> plans, adjusted_curve(question, epsilons));
  std::string csv = "epsilon";
  report::LinePlot plot{.title = "Power by epsilon",
                        .subtitle = fmt::format("The test of mean 0 against eta, n = {:g}, delta = {:g}, gamma = {:g}", question.n,
                                                question.delta, question.gamma),
                        .x = {"epsilon", /*logarithmic=*/true},
                        .y = {"power"},
                        .curves = {}};
  for (const auto& [name, member] : kPowers) {
    csv += fmt::format(",{}", name);
    report::Curve curve{name, {}};
    for (std::size_t i = 0; i < epsilons.size(); ++i) curve.points.emplace_back(epsilons[i], plans[i].*member);
    plot.curves.push_back(std::move(curve));
  }
  csv += "\n";
  for (std::size_t i = 0; i < epsilons.size(); ++i) {
    csv += fmt::format("{}", epsilons[i]);
    for (const auto& [name, member] : kPowers) csv += fmt::format(",{}", plans[i].*member);
    csv += "\n";
  }
  return write_curve_files(files, csv, plot);
}

Result<Reply> run(const Request& request, const Context& /*context*/) {
  AdjustedQuestion question = request.question;
  TACET_TRY(question.covariance, read_square_matrix(request.covariance, "covariance"));
  TACET_TRY(const AdjustedPlan plan, plan_adjusted(question));
  if (request.files.any()) TACET_CHECK(write_curves(question, request.files));
  return Reply{plan, std::move(question), request.files};
}

std::string words(const Reply& reply) {
  const AdjustedPlan& plan = reply.plan;
  std::string out = fmt::format(
      "Power at level {:.4g} of the test of mean 0 against eta: {:.4f} by the whitened query, {:.4f} by the plain one; {:.4f} for a "
      "test whose weights ignore the noise.\n"
      "If its critical value ignores the noise too, it rejects a true null hypothesis with probability {:.4f}.\n"
      "A confidence region by the whitened query has {:.4g} of the volume of one by the plain query.\n",
      reply.question.alpha, plan.adjusted, plan.opt_Hf, plan.naive_Hf, plan.super_naive_Hf_level, plan.vol_ratio_g_over_f);
  out += fmt::format(
      "Sensitivity and noise of the whitened query: D(g) {:.4g} and {:.4g}; of the plain one: D(f) {:.4g} and {:.4g}, or D(fg) {:.4g} and "
      "{:.4g} for the neighbours of the whitened one.\n",
      plan.D_g, plan.sigma_g, plan.D_f, plan.sigma_f, plan.D_fg, plan.sigma_fg);
  out += "These numbers are for random differential privacy, which does not protect extreme people.\n";
  out += fmt::format(
      "Differential privacy, by rows that are kept within a length: power {:.4f} at this epsilon and {:.4f} at 4 epsilon; with the effect "
      "on "
      "the rows {:.4f} if longer ones are clipped, {:.4f} if they are removed.\n"
      "To release, use tacet release query --covariance, which clips rows; for one eta use --goal test, which has more power (tacet plan "
      "mean-test).\n",
      plan.trimmed, plan.trimmed_4_epsilon, plan.clipped, plan.removed);
  return out + "No data was read.\n" + written_words(reply.files);
}

auto of_plan(double AdjustedPlan::* member) {
  return [member](const Reply& reply) { return reply.plan.*member; };
}

AnswerTable<Reply> answer_table() {
  return AnswerTable<Reply>()
      .value("sigma_g", of_plan(&AdjustedPlan::sigma_g), "the noise of the whitened query")
      .value("sigma_fg", of_plan(&AdjustedPlan::sigma_fg), "the noise of the plain query, by the neighbours of the whitened one")
      .value("sigma_f", of_plan(&AdjustedPlan::sigma_f), "the noise of the plain query, by its own neighbours")
      .value("naive_Hf", of_plan(&AdjustedPlan::naive_Hf),
             "the power of a test whose weights ignore the noise, with the right critical value")
      .value("opt_Hg", of_plan(&AdjustedPlan::opt_Hg), "the power of the best test of the plain query with noise sigma_fg")
      .value("opt_Hf", of_plan(&AdjustedPlan::opt_Hf), "the power of the best test of the plain query with noise sigma_f")
      .value("adjusted", of_plan(&AdjustedPlan::adjusted), "the power of the test of the whitened query")
      .value("super_naive_Hf_level", of_plan(&AdjustedPlan::super_naive_Hf_level),
             "the level of a test whose weights and critical value ignore the noise")
      .value("vol_ratio_g_over_f", of_plan(&AdjustedPlan::vol_ratio_g_over_f),
             "the volume of a region by the whitened query over that by the plain one")
      .value("vol_ratio_g_over_fg", of_plan(&AdjustedPlan::vol_ratio_g_over_fg), "the same, with noise sigma_fg")
      .value("D_g", of_plan(&AdjustedPlan::D_g), "the sensitivity of the whitened query for the protected neighbours")
      .value("D_fg", of_plan(&AdjustedPlan::D_fg), "the sensitivity of the plain query for the neighbours of the whitened one")
      .value("D_f", of_plan(&AdjustedPlan::D_f), "the sensitivity of the plain query for its own protected neighbours")
      .value("trimmed", of_plan(&AdjustedPlan::trimmed),
             "the power under differential privacy, with whitened rows kept within a length, whose effect on the rows is left out")
      .value("trimmed_4_epsilon", of_plan(&AdjustedPlan::trimmed_4_epsilon), "the same at 4 epsilon, which the paper remarks upon")
      .value("clipped", of_plan(&AdjustedPlan::clipped), "as trimmed, with the effect of clipping longer rows")
      .value("removed", of_plan(&AdjustedPlan::removed), "as trimmed, with the effect of removing longer rows, which then count as 0")
      .value(
          "alpha", [](const Reply& reply) { return reply.question.alpha; }, "the level of the tests")
      .include(&Reply::files, curve_files_answer());
}

}  // namespace

Verb make() {
  using Question = AdjustedQuestion;
  const auto number = [](double Question::* member) { return [member](Request& request) -> double& { return request.question.*member; }; };
  return verb<Request, Reply>(
      {.name = "plan adjusted",
       .summary = "What a query adjusted to its analysis gains: noise, power and volume for rows of known covariance",
       .example = "tacet plan adjusted --covariance covariance_of_a_row.json --eta 10,5 --n 50 --epsilon 1 --delta 0.02 --gamma 0.0001 "
                  "--alpha 0.05",
       .library = LibraryFunction{"plan_adjusted", "tacet/workflow/plan/plan_adjusted.h"},
       .request = RequestTable<Request>()
                      .required("covariance", &Request::covariance, "FILE", "the public covariance of a row: a JSON matrix")
                      .required(
                          "eta", [](Request& request) -> auto& { return request.question.eta; }, "a,b", "the mean under the alternative")
                      .required("n", number(&Question::n), "N", "the number of people")
                      .required("epsilon", number(&Question::epsilon), "E", "privacy: epsilon")
                      .required("delta", number(&Question::delta), "D", "privacy: delta")
                      .required("gamma", number(&Question::gamma), "G",
                                "the probability of the neighbours that random differential privacy leaves out")
                      .field("alpha", number(&Question::alpha), "A", "the level of the test")
                      .include(&Request::files, curve_files_table("the powers from a tenth of this epsilon to ten times as much")),
       .answer = answer_table(),
       .run = run,
       .words = words});
}

}  // namespace tacet::service::plan_adjusted_verb
