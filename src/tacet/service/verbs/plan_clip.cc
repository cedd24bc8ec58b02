#include "tacet/workflow/plan/plan_clip.h"

#include <utility>

#include <fmt/format.h>

#include "tacet/service/all_verbs.h"
#include "tacet/service/table_file.h"

namespace tacet::service::plan_clip_verb {
namespace {

struct Request {
  std::vector<double> sd;
  std::optional<std::string> covariance;  // a file
  std::uint64_t n;
  std::optional<double> gamma, radius;
  std::vector<double> offset;
};

struct Reply {
  ClipPlan plan;
  std::uint64_t n;
  bool correlated;
};

Result<Reply> run(const Request& request, const Context& /*context*/) {
  ClipQuestion question{.sd = request.sd,
                        .n = static_cast<std::int64_t>(request.n),
                        .gamma = request.gamma,
                        .radius = request.radius,
                        .offset = request.offset};
  if (request.covariance) {
    TACET_TRY(question.covariance, read_square_matrix(*request.covariance, "covariance"));
  }
  TACET_TRY(ClipPlan plan, plan_clip(question));
  return Reply{std::move(plan), request.n, request.covariance.has_value()};
}

std::string words(const Reply& reply) {
  const ClipPlan& plan = reply.plan;
  std::string out = fmt::format(
      "Multiply the {} by {:.6g} and clip rows to length {:.6g}: a normal row is clipped with probability {:.4g}.\n"
      "Expected squared error of the noisy sum, for a noise variance of 1 per unit of sensitivity: {:.6g}, the least by any linear map.\n"
      "By Lemma 3.1 (factors {:.6g}, length {:.6g}): {:.6g}. Without factors: {:.6g}. Whitened: {:.6g}.\n",
      reply.correlated ? "principal components" : "columns", fmt::join(plan.best_factors, ", "), plan.best_clip, plan.gamma,
      plan.best_error, fmt::join(plan.factors, ", "), plan.clip, plan.error, plan.isotropic_error, plan.whitened_error);
  if (plan.bernstein_error) out += fmt::format("The bound of Theorem 6, by Bernstein's inequality, is {:.6g}.\n", *plan.bernstein_error);
  if (plan.chebyshev_error) out += fmt::format("By Chebyshev's inequality it would be {:.6g}.\n", *plan.chebyshev_error);
  out += reply.correlated ? "Columns may be correlated as the covariance says. "
                          : "Assumes independent columns; for correlated ones give a covariance. ";
  return out + "No data was read.\n";
}

template <class Member>
auto of_plan(Member ClipPlan::* member) {
  return [member](const Reply& reply) { return reply.plan.*member; };
}

AnswerTable<Reply> answer_table() {
  const Json list = {{"type", {"array", "null"}}};
  return AnswerTable<Reply>()
      .value("clip", of_plan(&ClipPlan::clip), "by Lemma 3.1: the length to clip rows to, after multiplying them by the factors")
      .value("error", of_plan(&ClipPlan::error),
             "by Lemma 3.1: the expected squared error of the noisy sum, for a noise variance of 1 per unit of sensitivity")
      .value("isotropic_clip", of_plan(&ClipPlan::isotropic_clip), "the length without factors")
      .value("isotropic_error", of_plan(&ClipPlan::isotropic_error), "the error without factors")
      .value("whitened_clip", of_plan(&ClipPlan::whitened_clip), "the length of whitened rows")
      .value("whitened_error", of_plan(&ClipPlan::whitened_error), "the error with whitened rows")
      .value("best_clip", of_plan(&ClipPlan::best_clip), "the length with the factors of the least error")
      .value("best_error", of_plan(&ClipPlan::best_error), "the least error by any linear map of the rows")
      .value("bernstein_error", of_plan(&ClipPlan::bernstein_error),
             "the bound of the error of Lemma 3.1 by Bernstein's inequality (Theorem 6); null where its condition fails")
      .value("chebyshev_error", of_plan(&ClipPlan::chebyshev_error),
             "the error of Lemma 3.1 with a length by Chebyshev's inequality; null for correlated columns or an offset")
      .value("factors", of_plan(&ClipPlan::factors), "by Lemma 3.1: what to multiply each column by")
      .value("best_factors", of_plan(&ClipPlan::best_factors),
             "for the least error: what to multiply each column by, or each principal component of a covariance")
      .json(
          "best_map", [](const Reply& reply) { return reply.correlated ? mechanisms::nested(reply.plan.best_map) : Json(nullptr); }, list,
          "with a covariance: the map of the least error, a line for each principal component; null otherwise")
      .value("gamma", of_plan(&ClipPlan::gamma), "the share of normal rows that is clipped")
      .value(
          "independent", [](const Reply& reply) { return !reply.correlated; }, "whether columns are supposed to be independent")
      .value("n", &Reply::n, "the number of people");
}

}  // namespace

Verb make() {
  return verb<Request, Reply>(
      {.name = "plan clip",
       .summary = "Where to clip rows with public standard deviations or a public covariance, and what their sum will cost",
       .example = "tacet plan clip --sd 0.5,2,10 --n 10000",
       .library = LibraryFunction{"plan_clip", "tacet/workflow/plan/plan_clip.h"},
       .request =
           RequestTable<Request>()
               .field("sd", &Request::sd, "s,t", "the public standard deviation of each of the independent columns")
               .field("covariance", &Request::covariance, "FILE",
                      "in place of sd: the public covariance of a row, a JSON matrix; columns may be correlated")
               .required("n", &Request::n, "N", "the number of people; one normal row in n is clipped")
               .field("gamma", &Request::gamma, "G", "the share of normal rows to clip, in place of one in n")
               .field("radius", &Request::radius, "R", "in place of gamma: where to clip, in root mean square lengths of the scaled rows")
               .field("offset", &Request::offset, "a,b", "the mean of the rows less the public centre; 0 if not given"),
       .answer = answer_table(),
       .run = run,
       .words = words});
}

}  // namespace tacet::service::plan_clip_verb
