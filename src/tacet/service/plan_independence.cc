#include <fmt/format.h>

#include "tacet/inference/independence.h"
#include "tacet/planning/people_needed.h"
#include "tacet/report/text_table.h"
#include "tacet/service/all_verbs.h"
#include "tacet/service/null_file.h"
#include "tacet/service/request.h"

namespace tacet::service {
namespace {

using inference::GofStatistic;
using inference::TableShape;

struct Plan {
  TableShape shape;
  std::vector<double> alternative;
  double variance, alpha;

  Result<double> power(GofStatistic statistic, double n) const {
    return inference::independence_power(shape, statistic, alternative, n, {.variance = variance}, alpha);
  }
};

Result<Plan> plan_of(const Json& request) {
  TACET_TRY(mechanisms::Flattened table, probabilities_field(request, "alternative"));
  if (table.shape.size() != 2 || table.shape[0] < 2 || table.shape[1] < 2) {
    return Error::invalid("alternative", fmt::format("a table of {}", fmt::join(table.shape, " x ")),
                          "must have two dimensions, each of at least two categories",
                          "for example a file that holds [[0.3, 0.2], [0.2, 0.3]]");
  }
  TACET_TRY(std::vector<double> alternative, inference::probabilities_of(std::move(table.values), "alternative"));
  TACET_TRY(const double rho, plain_number("rho", *number_field(request, "rho")));
  if (!(rho >= 1e-12 && rho <= 1e12)) {
    return Error::invalid("rho", number_field(request, "rho")->substr(0, 40), "must be at least 1e-12 and at most 1e12",
                          "for example: --rho 0.125");
  }
  TACET_TRY(const double alpha, level_field(request, "alpha", 0.05));
  if (!(alpha >= 1e-9 && alpha <= 0.5))
    return Error::invalid("alpha", fmt::format("{}", alpha), "must be at least 1e-9 and at most 0.5", "for example: --alpha 0.05");
  return Plan{{table.shape[0], table.shape[1]}, std::move(alternative), 1 / rho, alpha};
}

Result<Json> run(const Json& request, const Context& context) {
  if (request.contains("n") == request.contains("power")) {
    return Error::invalid("n", request.contains("n") ? "given with a wanted power" : "missing",
                          "must be given where power is asked for, and left out where people are",
                          "for example: --n 1000 for the power, or --power 0.8 for the people");
  }
  TACET_TRY(const Plan plan, plan_of(request));
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
    TACET_TRY(n, planning::people_needed(wanted, plan.alpha, planning::kMostPeople, [&](double m) { return plan.power(statistic, m); }));
  }
  TACET_TRY(const double power, plan.power(statistic, n));
  Json powers = Json::object();
  for (const GofStatistic other : {GofStatistic::Classical, GofStatistic::Projected, GofStatistic::Nonprojected}) {
    const auto reached = plan.power(other, n);
    powers[std::string(inference::name(other))] = reached ? Json(*reached) : Json(nullptr);
  }
  return Json{{"power", power},      {"n", n},
              {"alpha", plan.alpha}, {"statistic", inference::name(statistic)},
              {"powers", powers},    {"wanted", request.contains("power")}};
}

std::string words(const Json& result) {
  const std::string n = report::readable(result.at("n").get<double>());
  std::string out = result.at("wanted").get<bool>() ? fmt::format("{} people are needed: ", n) : fmt::format("With {} people ", n);
  out += fmt::format("the {} statistic finds this dependence with probability {:.4f} at level {:.4g}.\nPower of each statistic:",
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

Verb plan_independence_verb() {
  return {"plan independence",
          "The power of a test of independence on a noisy table, or the people that a wanted power needs",
          "tacet plan independence --alternative alternative.json --n 5000 --rho 0.01",
          {{"alternative", "FILE", "a JSON table of probabilities that are not independent", FieldKind::Text, true},
           {"rho", "R", "the privacy of the table in rho (replace-one): noise of variance 1/rho in each cell", FieldKind::Number, true},
           {"n", "N", "the number of people", FieldKind::Number},
           {"power", "P", "in place of --n: the power that is wanted", FieldKind::Number},
           {"alpha", "A", "the level of the test; 0.05 if not given", FieldKind::Number},
           {"statistic", "S", "projected (the default), classical or nonprojected"}},
          run,
          words};
}

}  // namespace tacet::service
