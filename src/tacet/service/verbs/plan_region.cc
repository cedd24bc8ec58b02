#include "tacet/workflow/plan/plan_region.h"

#include <optional>
#include <utility>

#include <fmt/format.h>

#include "tacet/service/all_verbs.h"
#include "tacet/service/mean_plan_fields.h"
#include "tacet/service/volume_words.h"

namespace tacet::service::plan_region_verb {
namespace {

struct Request {
  MeanPlanFields design;
  RegionPlanRequest plan;
};

Result<RegionPlan> run(const Request& request, const Context& context) {
  RegionPlanRequest plan = request.plan;
  TACET_TRY(plan.design, read_design(request.design));
  return plan_region(plan, context);
}

std::map<std::string, std::optional<double>> volumes_of(const RegionPlan& plan) {
  std::map<std::string, std::optional<double>> volumes;
  for (const auto& [query, log_volume] : by_name(plan.log_volumes)) volumes.emplace(query, volume_of(log_volume));
  return volumes;
}

std::string words(const RegionPlan& plan) {
  std::string out = people_words(plan.n, plan.n_was_found);
  out += fmt::format("a region of confidence {:g} for the mean of the {} has the volume {}, with tacet {}.\nVolume by each query:",
                     plan.confidence, name(plan.target), volume_words(plan.log_volume), query_words(plan.query));
  std::string separator = " ";
  for (const auto& [query, volume] : volumes_of(plan)) {
    out += fmt::format("{}{} {}", separator, query, volume ? fmt::format("{:.4g}", *volume) : "too large or small to write");
    separator = ", ";
  }
  out += ".\n";
  if (plan.gains) {
    out += fmt::format(
        "For the people in the file, bounded has {:.4g} of the volume of isotropic, and isotropic {:.4g} times the squared error of "
        "least-squares.\n",
        plan.gains->volume_ratio, plan.gains->error_ratio);
  }
  return out + supposed_words(plan.query, plan.clipped, plan.target == MeanTarget::Population);
}

std::optional<double> gain(const RegionPlan& plan, double planning::RangeGains::* member) {
  return plan.gains ? std::optional(*plan.gains.*member) : std::nullopt;
}

}  // namespace

Verb make() {
  const auto plan = [](Request& r) -> auto& { return r.plan; };
  return verb<Request, RegionPlan>(
      {.name = "plan region",
       .summary = "The volume of a confidence region for means, by each way to ask for them, or the people that a wanted volume needs",
       .example = "tacet plan region --covariance covariance_of_a_row.json --n 2000 --rho 0.02 --range 300,100",
       .library = LibraryFunction{"plan_region", "tacet/workflow/plan/plan_region.h"},
       .request = RequestTable<Request>()
                      .include(&Request::design, covariance_table())
                      .include(plan, RequestTable<RegionPlanRequest>()
                                         .whole("n", &RegionPlanRequest::n, 2, kMostPlannedPeople, "N", "the number of people")
                                         .field("volume", &RegionPlanRequest::volume, "V", "in place of n: the volume that is wanted")
                                         .field("confidence", &RegionPlanRequest::confidence, "C", "how often the region holds the truth")
                                         .field("for", &RegionPlanRequest::target, "WHOM", "whose mean the region is for"))
                      .include(&Request::design, design_table()),
       .answer =
           AnswerTable<RegionPlan>()
               .value(
                   "volume", [](const RegionPlan& p) { return volume_of(p.log_volume); }, "of the region; null outside a double's range")
               .value("log_volume", &RegionPlan::log_volume, "the logarithm of the volume")
               .value("volumes", volumes_of, "the volume by each query")
               .value("query", &RegionPlan::query, "how the means are asked for")
               .value("n", &RegionPlan::n, "the number of people")
               .value("confidence", &RegionPlan::confidence, "how often the region holds the truth")
               .value("for", &RegionPlan::target, "the people in the file, or the population they were drawn from")
               .value("mu", &RegionPlan::mu, "the privacy to be spent, in mu")
               .value("clipped", &RegionPlan::clipped, "the share of normal rows that the query clips; null where it clips none")
               .value(
                   "volume_ratio", [](const RegionPlan& p) { return gain(p, &planning::RangeGains::volume_ratio); },
                   "with range, for the data: the volume by bounded over that by isotropic (Adjusted, Theorem 2.1); otherwise null")
               .value(
                   "error_ratio", [](const RegionPlan& p) { return gain(p, &planning::RangeGains::error_ratio); },
                   "with range: the squared error by isotropic over that by least-squares (Aggregation, Theorem 5); otherwise null")
               .value("wanted", &RegionPlan::n_was_found, "whether a volume was wanted, and the people for it were found"),
       .run = run,
       .words = words});
}

}  // namespace tacet::service::plan_region_verb
