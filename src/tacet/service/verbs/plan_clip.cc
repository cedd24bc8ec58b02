#include "tacet/workflow/plan/plan_clip.h"

#include <fmt/format.h>

#include "tacet/service/all_verbs.h"

namespace tacet::service::plan_clip_verb {
namespace {

struct Request {
  std::vector<double> sd;
  std::uint64_t n;
};

struct Reply {
  ClipPlan plan;
  std::uint64_t n;
};

Result<Reply> run(const Request& request, const Context& /*context*/) {
  TACET_TRY(ClipPlan plan, plan_clip(request.sd, static_cast<std::int64_t>(request.n)));
  return Reply{std::move(plan), request.n};
}

std::string words(const Reply& reply) {
  const ClipPlan& plan = reply.plan;
  std::string out = fmt::format(
      "Multiply the columns by {:.6g} and clip rows to length {:.6g}: a normal row is clipped with probability 1/n.\n"
      "Expected squared error of the noisy sum, for a noise variance of 1 per unit of sensitivity: {:.6g} ({:.6g} without the factors).\n",
      fmt::join(plan.factors, ", "), plan.clip, plan.error, plan.isotropic_error);
  if (plan.bernstein_error) out += fmt::format("The bound by Bernstein's inequality is {:.6g}.\n", *plan.bernstein_error);
  return out + "No data was read.\n";
}

template <class Member>
auto of_plan(Member ClipPlan::* member) {
  return [member](const Reply& reply) { return reply.plan.*member; };
}

}  // namespace

Verb make() {
  return verb<Request, Reply>(
      {.name = "plan clip",
       .summary = "Where to clip rows with public standard deviations, and what their sum will cost",
       .example = "tacet plan clip --sd 0.5,2,10 --n 10000",
       .library = LibraryFunction{"plan_clip", "tacet/workflow/plan/plan_clip.h"},
       .request = RequestTable<Request>()
                      .required("sd", &Request::sd, "s,t", "the public standard deviation of each column")
                      .required("n", &Request::n, "N", "the number of people"),
       .answer = AnswerTable<Reply>()
                     .value("clip", of_plan(&ClipPlan::clip), "the length to clip rows to, after multiplying them by the factors")
                     .value("error", of_plan(&ClipPlan::error),
                            "the expected squared error of the noisy sum, for a noise variance of 1 per unit of sensitivity")
                     .value("isotropic_clip", of_plan(&ClipPlan::isotropic_clip), "the length without factors")
                     .value("isotropic_error", of_plan(&ClipPlan::isotropic_error), "the error without factors")
                     .value("bernstein_error", of_plan(&ClipPlan::bernstein_error),
                            "the bound of the error by Bernstein's inequality; null where its condition fails")
                     .value("factors", of_plan(&ClipPlan::factors), "what to multiply each column by")
                     .value("n", &Reply::n, "the number of people"),
       .run = run,
       .words = words});
}

}  // namespace tacet::service::plan_clip_verb
