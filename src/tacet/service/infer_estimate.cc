#include <fmt/format.h>

#include "tacet/base/decimal.h"
#include "tacet/inference/estimate.h"
#include "tacet/report/text_table.h"
#include "tacet/service/all_verbs.h"
#include "tacet/service/request.h"
#include "tacet/service/table_words.h"

namespace tacet::service {
namespace {

Result<inference::EstimateOptions> options_of(const Json& request) {
  inference::EstimateOptions options;
  if (const auto shrink = text_field(request, "shrink"); shrink && *shrink != "none") {
    return Error::invalid("shrink", shrink->substr(0, 40), "must be none", "use --project simplex to denoise");
  }
  if (const auto project = text_field(request, "project")) {
    TACET_TRY(options.project, inference::projection_named(*project));
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
  TACET_TRY(const mechanisms::Release release, mechanisms::read_release(*text_field(request, "release")));
  context.tell("estimating");
  TACET_TRY(const inference::Estimate estimate, inference::estimate(release, options));
  return Json{{"values", mechanisms::nested(estimate.values, release.shape)},
              {"lower", mechanisms::nested(estimate.lower, release.shape)},
              {"upper", mechanisms::nested(estimate.upper, release.shape)},
              {"confidence", options.confidence},
              {"intervals", options.simultaneous ? "simultaneous" : "marginal"},
              {"margin", estimate.margin},
              {"cost", estimate.cost},
              {"cost_is", inference::name(estimate.cost_is)},
              {"shrink", "none"},
              {"project", inference::name(options.project)},
              {"release", mechanisms::to_json(release)}};
}

std::string words(const Json& result) {
  const auto release = mechanisms::release_from_json(result.at("release"));
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
  out += fmt::format("Expected sum of squared errors: {}{}. This cost no privacy.\n", result.at("cost_is") == "exact" ? "" : "at most ",
                     report::readable(result.at("cost").get<double>()));
  return out;
}

}  // namespace

Verb infer_estimate_verb() {
  return {"infer estimate",
          "Estimate the true counts behind a release, with intervals that know the noise",
          "tacet infer estimate --release smoking.json --project simplex",
          {{"release", "FILE", "a release file", FieldKind::Text, true},
           {"project", "P", "none, nonnegative or simplex (nonnegative with the public total)"},
           {"shrink", "S", "none"},
           {"confidence", "C", "the level of the intervals; 0.95 if not given", FieldKind::Number},
           {"intervals", "I", "simultaneous (all hold together; the default) or marginal"}},
          run,
          words};
}

}  // namespace tacet::service
