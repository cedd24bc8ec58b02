#include "tacet/workflow/plan/plan_gwas.h"

#include <functional>
#include <string>

#include <fmt/format.h>

#include "tacet/report/text_table.h"
#include "tacet/service/all_verbs.h"
#include "tacet/service/privacy_fields.h"

namespace tacet::service::plan_gwas_verb {
namespace {

constexpr std::uint64_t kMostPlanned = 1'000'000'000'000;

std::string words(const GwasPlan& plan) {
  std::string out;
  if (plan.people_wanted) {
    out = fmt::format("{} people are needed with noise in the cells of a 3 x 2 table, and {} with noise on its chi-square statistic.\n",
                      report::readable(plan.n),
                      plan.statistic.people ? report::readable(*plan.statistic.people) : "more than can be computed");
  }
  return out + fmt::format(
                   "With {} people, half of them cases, the association is found at level {:.4g}\n"
                   "  with probability {:.4f} by a noisy table (infer gwas --release), noise {:.4g} in each cell,\n"
                   "  with probability {:.4f} by a noisy statistic (infer gwas --noised), noise {:.4g} on it.\n"
                   "By the limits for large n. No data was read, and nothing was spent.\n",
                   report::readable(plan.n), plan.alpha, plan.table.power, plan.table.noise, plan.statistic.power, plan.statistic.noise);
}

AnswerTable<GwasWay> way_answer() {
  return AnswerTable<GwasWay>()
      .value("power", &GwasWay::power, "how often the association is found")
      .value("people", &GwasWay::people, "for a wanted power: the people that it needs")
      .value("noise", &GwasWay::noise, "the standard deviation of the noise, in each cell or on the statistic");
}

}  // namespace

Verb make() {
  return verb<GwasPlanRequest, GwasPlan>(
      {.name = "plan gwas",
       .summary = "The power to find a genotype that goes with a disease: by a noisy table, and by a noisy statistic",
       .example = "tacet plan gwas --cases 0.3,0.5,0.2 --controls 0.4,0.45,0.15 --n 2000 --rho 0.01",
       .library = LibraryFunction{"plan_gwas", "tacet/workflow/plan/plan_gwas.h"},
       .request = RequestTable<GwasPlanRequest>()
                      .required("cases", &GwasPlanRequest::cases, "p,q,r", "the probabilities of the genotypes among cases")
                      .required("controls", &GwasPlanRequest::controls, "p,q,r", "the same among controls, who are as many")
                      .include(&GwasPlanRequest::loss, privacy_table("the privacy (replace-one)", PossibleNoise::Gaussian))
                      .whole("n", &GwasPlanRequest::n, 2, kMostPlanned, "N", "the number of people")
                      .field("power", &GwasPlanRequest::power, "P", "in place of n: the power that is wanted")
                      .field("alpha", &GwasPlanRequest::alpha, "A", "the level of the test"),
       .answer = AnswerTable<GwasPlan>()
                     .value("n", &GwasPlan::n, "the number of people; for a wanted power: those that the table needs")
                     .value("wanted", &GwasPlan::people_wanted, "whether n was found for a wanted power")
                     .value("alpha", &GwasPlan::alpha, "the level of the test")
                     .value("rho", &GwasPlan::rho, "the privacy of either way in rho")
                     .object("table", &GwasPlan::table, way_answer(), "noise in the cells of a 3 x 2 table")
                     .object("statistic", &GwasPlan::statistic, way_answer(), "noise on the chi-square statistic (output perturbation)"),
       .run = plan_gwas,
       .words = words});
}

}  // namespace tacet::service::plan_gwas_verb
