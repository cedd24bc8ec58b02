#include <cmath>

#include <fmt/format.h>

#include "tacet/report/text_table.h"
#include "tacet/service/all_verbs.h"
#include "tacet/service/mean_plan_request.h"
#include "tacet/service/mean_request.h"
#include "tacet/service/request.h"

namespace tacet::service {
namespace {

using planning::MeanPlan;
using planning::MeanQuery;

/// Null where no double holds it.
Json volume_json(double log_volume) {
  const double volume = std::exp(log_volume);
  return volume > 0 ? finite_json(volume) : Json(nullptr);
}

Result<Json> run(const Json& request, const Context& /*context*/) {
  TACET_TRY(const MeanPlan plan, mean_plan_field(request));
  TACET_TRY(const MeanQuery query, mean_query_field(request));
  if (request.contains("n") == request.contains("volume")) {
    return Error::invalid("n", request.contains("n") ? "given with a wanted volume" : "missing",
                          "must be given where the volume is asked for, and left out where people are",
                          "for example: --n 1000 for the volume, or --volume 2 for the people");
  }
  TACET_TRY(const double confidence, level_field(request, "confidence", 0.95));
  const std::string whom = text_field(request, "for").value_or("population");
  TACET_TRY(const inference::MeanTarget target, named<inference::MeanTarget>("for", whom, "for example: --for population"));
  const bool population = target == inference::MeanTarget::Population;
  double n = 0;
  if (const auto people = number_field(request, "n")) {
    TACET_TRY(const std::uint64_t whole, whole_number("n", *people, 2, 1'000'000'000'000'000));
    n = static_cast<double>(whole);
  } else {
    TACET_TRY(const double wanted, level_field(request, "volume", 0));
    if (!(wanted > 0)) return Error::invalid("volume", fmt::format("{}", wanted), "must be greater than 0", "for example: --volume 2");
    TACET_TRY(n, planning::people_for_mean_region(plan, query, std::log(wanted), confidence, population));
  }
  const auto log_volume = [&](MeanQuery by) { return planning::mean_log_volume(plan, by, n, confidence, population); };
  TACET_TRY(const double planned, log_volume(query));
  Json volumes = Json::object();
  for (const MeanQuery other : comparable_queries(plan)) {
    TACET_TRY(const double volume, log_volume(other));
    volumes[std::string(name(other))] = volume_json(volume);
  }
  return Json{{"volume", volume_json(planned)},
              {"log_volume", planned},
              {"volumes", volumes},
              {"query", name(query)},
              {"n", n},
              {"confidence", confidence},
              {"for", whom},
              {"mu", plan.mu},
              {"wanted", request.contains("volume")}};
}

std::string words(const Json& result) {
  const std::string n = report::readable(result.at("n").get<double>());
  std::string out = result.at("wanted").get<bool>() ? fmt::format("{} people are needed: ", n) : fmt::format("With {} people ", n);
  out += fmt::format("a region of confidence {:g} for the mean of the {} has the volume {}, asked for by {}.\nVolume by each query:",
                     result.at("confidence").get<double>(), result.at("for").get<std::string>(),
                     result.at("volume").is_null() ? fmt::format("e^{:.4g}", result.at("log_volume").get<double>())
                                                   : fmt::format("{:.4g}", result.at("volume").get<double>()),
                     query_words(result.at("query").get<std::string>()));
  std::string separator = " ";
  for (const auto& [name, volume] : result.at("volumes").items()) {
    out += fmt::format("{}{} {}", separator, name,
                       volume.is_null() ? "too large or small to write" : fmt::format("{:.4g}", volume.get<double>()));
    separator = ", ";
  }
  return out +
         ".\nFor normal rows, clipped where one in n would be beyond, and neighbours that replace one person. No data was read, and "
         "nothing was spent.\n";
}

}  // namespace

Verb plan_region_verb() {
  return {"plan region",
          "The volume of a confidence region for means, by each way to ask for them, or the people that a wanted volume needs",
          "tacet plan region --covariance covariance_of_a_row.json --n 2000 --rho 0.02 --range 300,100",
          mean_plan_fields({{"n", "N", "the number of people", FieldKind::Number},
                            {"volume", "V", "in place of --n: the volume that is wanted", FieldKind::Number},
                            {"confidence", "C", "how often the region holds the truth; 0.95 if not given", FieldKind::Number},
                            {"for", "WHOM", "population (the default) or data"}}),
          run,
          words};
}

}  // namespace tacet::service
