#include <fmt/format.h>

#include "tacet/planning/gof_plan.h"
#include "tacet/report/text_table.h"
#include "tacet/service/all_verbs.h"
#include "tacet/service/null_file.h"
#include "tacet/service/request.h"

namespace tacet::service {
namespace {

using inference::GofStatistic;
using planning::GofPlan;

Result<GofPlan> plan_of(const Json& request) {
  TACET_TRY(mechanisms::Flattened null, probabilities_field(request, "null"));
  TACET_TRY(mechanisms::Flattened alternative, probabilities_field(request, "alternative"));
  if (null.shape != alternative.shape) {
    return Error::invalid("alternative", "a table of another shape", "must have the shape of the null");
  }
  TACET_TRY(const double rho, plain_number("rho", *number_field(request, "rho")));
  if (!(rho >= 1e-12 && rho <= 1e12))
    return Error::invalid("rho", number_field(request, "rho")->substr(0, 40), "must be at least 1e-12 and at most 1e12",
                          "for example: --rho 0.125");
  TACET_TRY(const double alpha, level_field(request, "alpha", 0.05));
  return GofPlan{std::move(null.values), std::move(alternative.values), 1 / rho, alpha};
}

Result<Json> run(const Json& request, const Context& context) {
  if (request.contains("n") == request.contains("power")) {
    return Error::invalid("n", request.contains("n") ? "given with a wanted power" : "missing",
                          "must be given where power is asked for, and left out where people are",
                          "for example: --n 1000 for the power, or --power 0.8 for the people");
  }
  TACET_TRY(const GofPlan plan, plan_of(request));
  auto statistic = GofStatistic::Projected;
  if (const auto named = text_field(request, "statistic")) {
    TACET_TRY(statistic, inference::gof_statistic_named(*named));
  }
  context.tell("computing power");
  double n = 0;
  if (const auto people = number_field(request, "n")) {
    TACET_TRY(const std::uint64_t whole, whole_number("n", *people, 1, std::uint64_t{1} << 53));
    n = static_cast<double>(whole);
  } else {
    TACET_TRY(const double wanted, level_field(request, "power", 0));
    TACET_TRY(n, planning::people_for_power(plan, statistic, wanted));
  }
  TACET_TRY(const double power, planning::gof_plan_power(plan, statistic, n));
  Json powers = Json::object();
  for (const GofStatistic other : {GofStatistic::Classical, GofStatistic::Projected, GofStatistic::Nonprojected}) {
    const auto reached = planning::gof_plan_power(plan, other, n);
    powers[std::string(inference::name(other))] = reached ? Json(*reached) : Json(nullptr);
  }
  return Json{{"power", power},      {"n", n},
              {"alpha", plan.alpha}, {"statistic", inference::name(statistic)},
              {"powers", powers},    {"wanted", request.contains("power")}};
}

std::string words(const Json& result) {
  const std::string n = report::readable(result.at("n").get<double>());
  std::string out = result.at("wanted").get<bool>() ? fmt::format("{} people are needed: ", n) : fmt::format("With {} people ", n);
  out += fmt::format("the {} statistic finds this alternative with probability {:.4f} at level {:.4g}.\nPower of each statistic:",
                     result.at("statistic").get<std::string>(), result.at("power").get<double>(), result.at("alpha").get<double>());
  std::string separator = " ";
  for (const auto& [name, power] : result.at("powers").items()) {
    if (power.is_null()) continue;
    out += fmt::format("{}{} {:.4f}", separator, name, power.get<double>());
    separator = ", ";
  }
  return out + ".\nBy the laws for large n. No data was read, and nothing was spent.\n";
}

}  // namespace

Verb plan_gof_verb() {
  return {"plan gof",
          "The power of a goodness-of-fit test on a noisy table, or the people that a wanted power needs",
          "tacet plan gof --null null.json --alternative alternative.json --n 1468 --rho 0.01",
          {{"null", "FILE", "a JSON array of probabilities", FieldKind::Text, true},
           {"alternative", "FILE", "the probabilities to suppose instead", FieldKind::Text, true},
           {"rho", "R", "the privacy of the table in rho (replace-one): noise of variance 1/rho in each cell", FieldKind::Number, true},
           {"n", "N", "the number of people", FieldKind::Number},
           {"power", "P", "in place of --n: the power that is wanted", FieldKind::Number},
           {"alpha", "A", "the level of the test; 0.05 if not given", FieldKind::Number},
           {"statistic", "S", "projected (the default), classical or nonprojected"}},
          run,
          words};
}

}  // namespace tacet::service
