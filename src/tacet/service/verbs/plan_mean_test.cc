#include <fmt/format.h>

#include "tacet/report/text_table.h"
#include "tacet/service/all_verbs.h"
#include "tacet/service/mean_plan_request.h"
#include "tacet/service/request.h"

namespace tacet::service {
namespace {

using planning::MeanPlan;
using planning::MeanQuery;

Result<Json> run(const Json& request, const Context& context) {
  if (request.contains("n") == request.contains("power")) {
    return Error::invalid("n", request.contains("n") ? "given with a wanted power" : "missing",
                          "must be given where power is asked for, and left out where people are",
                          "for example: --n 1000 for the power, or --power 0.8 for the people");
  }
  TACET_TRY(const MeanPlan plan, mean_plan_field(request));
  TACET_TRY(const MeanQuery query, mean_query_field(request));
  TACET_TRY(const std::vector<double> eta, numbers_field(request, "eta"));
  TACET_TRY(const double alpha, level_field(request, "alpha", 0.05));
  context.tell("computing power");
  double n = 0;
  if (const auto people = number_field(request, "n")) {
    TACET_TRY(const std::uint64_t whole, whole_number("n", *people, 2, 1'000'000'000'000'000));
    n = static_cast<double>(whole);
  } else {
    TACET_TRY(const double wanted, level_field(request, "power", 0));
    TACET_TRY(n, planning::people_for_mean_test(plan, query, eta, wanted, alpha));
  }
  TACET_TRY(const double power, planning::mean_test_power(plan, query, eta, n, alpha));
  Json powers = Json::object();
  for (const MeanQuery other : comparable_queries(plan)) {
    TACET_TRY(const double reached, planning::mean_test_power(plan, other, eta, n, alpha));
    powers[std::string(name(other))] = reached;
  }
  return Json{{"power", power},
              {"n", n},
              {"alpha", alpha},
              {"query", name(query)},
              {"powers", powers},
              {"mu", plan.mu},
              {"wanted", request.contains("power")}};
}

std::string words(const Json& result) {
  const std::string n = report::readable(result.at("n").get<double>());
  std::string out = result.at("wanted").get<bool>() ? fmt::format("{} people are needed: ", n) : fmt::format("With {} people ", n);
  out +=
      fmt::format("the test of mean 0 against eta finds it with probability {:.4f} at level {:.4g}, asked for by {}.\nPower by each query:",
                  result.at("power").get<double>(), result.at("alpha").get<double>(), query_words(result.at("query").get<std::string>()));
  std::string separator = " ";
  for (const auto& [name, power] : result.at("powers").items()) {
    out += fmt::format("{}{} {:.4f}", separator, name, power.get<double>());
    separator = ", ";
  }
  return out +
         ".\nFor normal rows, clipped where one in n would be beyond, and neighbours that replace one person. No data was read, and "
         "nothing was spent.\n";
}

}  // namespace

Verb plan_mean_test_verb() {
  return {"plan mean-test",
          "The power of a test of means on a noisy release, or the people that a wanted power needs",
          "tacet plan mean-test --covariance covariance_of_a_row.json --eta 2,1 --n 2000 --rho 0.02",
          mean_plan_fields({{"eta", "a,b", "the mean to tell from 0", FieldKind::Numbers, true},
                            {"n", "N", "the number of people", FieldKind::Number},
                            {"power", "P", "in place of --n: the power that is wanted", FieldKind::Number},
                            {"alpha", "A", "the level of the test; 0.05 if not given", FieldKind::Number}}),
          run,
          words};
}

}  // namespace tacet::service
