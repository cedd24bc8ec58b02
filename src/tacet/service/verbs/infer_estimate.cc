#include <utility>

#include <fmt/format.h>

#include "tacet/base/decimal.h"
#include "tacet/inference/estimates/estimate.h"
#include "tacet/mechanisms/nested_numbers.h"
#include "tacet/mechanisms/release_file.h"
#include "tacet/report/text_table.h"
#include "tacet/service/all_verbs.h"
#include "tacet/service/request.h"
#include "tacet/service/table_words.h"

namespace tacet::service {
namespace {

Result<inference::Bounds> bounds_field(const Json& request) {
  TACET_TRY(const std::vector<std::string> items, list_field(request, "bounds"));
  const auto bad = [](std::string value) {
    return Error::invalid("bounds", std::move(value), "must be two numbers, the smaller one first",
                          "for example: --project bounds --bounds 0,500");
  };
  if (items.size() != 2) return bad(fmt::format("a list of {}", items.size()));
  const auto lower = Decimal::parse(items[0]);
  const auto upper = Decimal::parse(items[1]);
  if (!lower || !upper) return bad((lower ? items[1] : items[0]).substr(0, 40));
  return inference::Bounds{lower->approximate(), upper->approximate()};
}

Result<inference::EstimateOptions> options_of(const Json& request) {
  inference::EstimateOptions options;
  if (const auto shrink = text_field(request, "shrink")) {
    TACET_TRY(options.shrink, named<inference::Shrinkage>("shrink", *shrink, "for example: --shrink js+"));
  }
  if (const auto project = text_field(request, "project")) {
    TACET_TRY(options.project, named<inference::Projection>("project", *project, "for example: --project simplex"));
  }
  if (request.contains("bounds")) {
    TACET_TRY(options.bounds, bounds_field(request));
  }
  if (const auto confidence = number_field(request, "confidence")) {
    const auto exact = Decimal::parse(*confidence);
    if (!exact) {
      return Error::invalid("confidence", confidence->substr(0, 40), "must be a number between 0.5 and 1",
                            "for example: --confidence 0.95");
    }
    options.confidence = exact->approximate();
  }
  if (const auto intervals = text_field(request, "intervals")) {
    if (*intervals != "simultaneous" && *intervals != "marginal") {
      return Error::invalid("intervals", intervals->substr(0, 40), "must be simultaneous (all hold together) or marginal (each one does)");
    }
    options.simultaneous = *intervals == "simultaneous";
  }
  return options;
}

Result<Json> run(const Json& request, const Context& context) {
  TACET_TRY(const inference::EstimateOptions options, options_of(request));
  context.tell("reading the release");
  TACET_TRY(const auto release, mechanisms::read_release_as<mechanisms::CountRelease>(*text_field(request, "release")));
  context.tell("estimating");
  TACET_TRY(const inference::Estimate estimate, inference::estimate(release, options));
  return Json{{"values", mechanisms::nested(estimate.values, release.shape)},
              {"lower", mechanisms::nested(estimate.lower, release.shape)},
              {"upper", mechanisms::nested(estimate.upper, release.shape)},
              {"confidence", options.confidence},
              {"intervals", options.simultaneous ? "simultaneous" : "marginal"},
              {"margin", estimate.margin},
              {"cost", estimate.cost},
              {"cost_is", name(estimate.cost_is)},
              {"cost_bound", estimate.cost_bound},
              {"cost_estimate", estimate.unbiased_cost ? Json(*estimate.unbiased_cost) : Json(nullptr)},
              {"shrink", name(options.shrink)},
              {"project", name(options.project)},
              {"release", mechanisms::to_json(release)}};
}

std::string cost_words(const Json& result) {
  const std::string cost = report::readable(result.at("cost").get<double>());
  const std::string bound = report::readable(result.at("cost_bound").get<double>());
  if (result.at("cost_is") == "exact") return fmt::format("Expected sum of squared errors: {}. This cost no privacy.\n", cost);
  if (result.at("cost_is") == "upper bound") {
    const Json& estimate = result.at("cost_estimate");
    const std::string about =
        estimate.is_null() ? "" : fmt::format(" (estimated without bias: {})", report::readable(estimate.get<double>()));
    return fmt::format("Expected sum of squared errors: at most {}{}. This cost no privacy.\n", bound, about);
  }
  return fmt::format(
      "Expected sum of squared errors: {}, estimated without bias from the release itself; at most {}. This cost no privacy.\n"
      "The intervals belong to the values as they were released: a shrunk value may lie outside its own.\n",
      cost, bound);
}

std::string words(const Json& result) {
  const auto release = mechanisms::count_release_from_json(result.at("release"));
  const auto values = mechanisms::flatten(result.at("values"), "values");
  const auto lower = mechanisms::flatten(result.at("lower"), "lower");
  const auto upper = mechanisms::flatten(result.at("upper"), "upper");
  if (!release || !values || !lower || !upper) return {};
  const bool together = result.at("intervals") == "simultaneous";
  std::string out = fmt::format("Estimated counts; {} with probability {}:\n",
                                together ? "all the true counts lie in their intervals" : "each true count lies in its interval",
                                result.at("confidence").get<double>());
  out += table_words(*release, [&](std::size_t i) {
    return fmt::format("{} [{}, {}]", report::readable(values->values[i]), report::readable(lower->values[i]),
                       report::readable(upper->values[i]));
  });
  out += cost_words(result);
  return out;
}

}  // namespace

Verb infer_estimate_verb() {
  return {
      "infer estimate",
      "Estimate the true counts behind a release, with intervals that know the noise",
      "tacet infer estimate --release smoking.json --project simplex",
      {{"release", "FILE", "a release file", FieldKind::Text, true},
       {"shrink", "S", "none, js0 (towards 0), js (towards the mean), js+ (never past it) or rjs (with the public total); Gaussian noise"},
       {"project", "P", "none, nonnegative, simplex (nonnegative with the public total) or bounds"},
       {"bounds", "L,U", "with --project bounds: what every true count is known to lie between", FieldKind::List},
       {"confidence", "C", "the level of the intervals; 0.95 if not given", FieldKind::Number},
       {"intervals", "I", "simultaneous (all hold together; the default) or marginal"}},
      run,
      words};
}

}  // namespace tacet::service
