#include "tacet/workflow/plan/plan_adjusted.h"

#include <fmt/format.h>

#include "tacet/service/all_verbs.h"
#include "tacet/service/table_file.h"

namespace tacet::service::plan_adjusted_verb {
namespace {

struct Request {
  std::string covariance;  // the file
  AdjustedQuestion question;
};

struct Reply {
  AdjustedPlan plan;
  double alpha;
};

Result<Reply> run(const Request& request, const Context& /*context*/) {
  AdjustedQuestion question = request.question;
  TACET_TRY(question.covariance, read_square_matrix(request.covariance, "covariance"));
  TACET_TRY(const AdjustedPlan plan, plan_adjusted(question));
  return Reply{plan, question.alpha};
}

std::string words(const Reply& reply) {
  const AdjustedPlan& plan = reply.plan;
  return fmt::format(
      "Power at level {:.4g} of the test of mean 0 against eta: {:.4f} by the whitened query, {:.4f} by the plain one; {:.4f} for a "
      "test whose weights ignore the noise.\n"
      "If its critical value ignores the noise too, it rejects a true null hypothesis with probability {:.4f}.\n"
      "A confidence region by the whitened query has {:.4g} of the volume of one by the plain query.\n"
      "These numbers are for random differential privacy, which does not protect extreme people. To release, use tacet release query "
      "--covariance, which clips rows.\n"
      "No data was read.\n",
      reply.alpha, plan.adjusted, plan.opt_Hf, plan.naive_Hf, plan.super_naive_Hf_level, plan.vol_ratio_g_over_f);
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
      .value("alpha", &Reply::alpha, "the level of the tests");
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
                      .field("alpha", number(&Question::alpha), "A", "the level of the test"),
       .answer = answer_table(),
       .run = run,
       .words = words});
}

}  // namespace tacet::service::plan_adjusted_verb
