#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tacet/inference/means/mean_region.h"
#include "tacet/report/plot.h"
#include "tacet/report/text_table.h"
#include "tacet/service/all_verbs.h"
#include "tacet/service/mean_request.h"
#include "tacet/service/new_file.h"
#include "tacet/service/request.h"

namespace tacet::service {
namespace {

using inference::Intervals;
using inference::MeanRegion;

Json intervals_json(const Intervals& intervals) { return Json{{"lower", intervals.lower}, {"upper", intervals.upper}}; }

/// The two coordinates to draw, by name; the first two where none are named.
Result<std::pair<std::size_t, std::size_t>> coordinates_field(const Json& request, const std::vector<std::string>& names) {
  TACET_TRY(const std::vector<std::string> chosen, list_field(request, "coordinates"));
  const auto wrong = [&](const std::string& value) {
    return Error::invalid("coordinates", value, fmt::format("must be two of the release's means: {}", fmt::join(names, ", ")),
                          "for example: --coordinates ldl,hdl");
  };
  if (names.size() < 2) return wrong("of a release with one mean, which has no picture");
  if (chosen.empty()) return std::pair<std::size_t, std::size_t>(0, 1);
  if (chosen.size() != 2 || chosen[0] == chosen[1]) return wrong(fmt::format("{} names", chosen.size()));
  std::pair<std::size_t, std::size_t> out;
  for (const auto& [name, place] : {std::pair{chosen[0], &out.first}, {chosen[1], &out.second}}) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) return wrong(name.substr(0, 60));
    *place = static_cast<std::size_t>(found - names.begin());
  }
  return out;
}

report::Curve box(const std::string& name, const Intervals& at, std::size_t i, std::size_t j) {
  return {name,
          {{at.lower[i], at.lower[j]},
           {at.upper[i], at.lower[j]},
           {at.upper[i], at.upper[j]},
           {at.lower[i], at.upper[j]},
           {at.lower[i], at.lower[j]}}};
}

Result<std::string> picture(const MeanRegion& region, const std::vector<std::string>& names, std::pair<std::size_t, std::size_t> at,
                            double confidence) {
  constexpr std::size_t kPoints = 181;
  const auto [i, j] = at;
  const double across = (region.marginal.upper[i] - region.marginal.lower[i]) / 40;
  const double up = (region.marginal.upper[j] - region.marginal.lower[j]) / 40;
  const double x = region.center[i];
  const double y = region.center[j];
  const report::LinePlot plot{
      .title = fmt::format("Where the means of {} and {} can be", names[i], names[j]),
      .subtitle = fmt::format("Confidence {:g}; the shadow of the whole region on these two, and intervals that hold together", confidence),
      .x = {names[i]},
      .y = {names[j]},
      .curves = {{"region", outline(region, i, j, kPoints)},
                 box("simultaneous intervals", region.simultaneous, i, j),
                 {"estimate", {{x - across, y}, {x + across, y}, {x, y}, {x, y - up}, {x, y + up}}}},
      .in_order_given = true};
  return report::to_html(plot);
}

Result<Json> run(const Json& request, const Context& context) {
  TACET_TRY(const MeanRequest asked, mean_request(request, context));
  inference::MeanRegionOptions options{.confidence = 0.95, .law = asked.law};
  TACET_TRY(options.confidence, level_field(request, "confidence", options.confidence));
  std::pair<std::size_t, std::size_t> at;
  if (request.contains("plot")) {
    TACET_TRY(at, coordinates_field(request, asked.mean.names));
  } else if (request.contains("coordinates")) {
    return Error::invalid("coordinates", "given without --plot", "goes with a picture", "add --plot region.html");
  }
  context.tell("computing the region");
  TACET_TRY(const MeanRegion region, inference::mean_region(asked.mean, options));
  Json result = mean_json(asked, region.method, region.draws, region.includes, region.leaves_out);
  result["confidence"] = options.confidence;
  const bool there = region.nothing.empty();
  result["outcome"] = there ? "region" : "inconclusive";
  result["reason"] = region.nothing;
  result["center"] = there ? Json(region.center) : Json(nullptr);
  result["shape"] = there ? rows_json(region.shape, asked.mean.dimension()) : Json(nullptr);
  result["radius"] = there ? Json(region.radius) : Json(nullptr);
  result["volume"] = there && region.volume > 0 ? finite_json(region.volume) : Json(nullptr);
  result["log_volume"] = there ? Json(region.log_volume) : Json(nullptr);
  result["marginal"] = there ? intervals_json(region.marginal) : Json(nullptr);
  result["simultaneous"] = there ? intervals_json(region.simultaneous) : Json(nullptr);
  result["law"] = region.law;
  result["simultaneous_draws"] = region.simultaneous_draws;
  if (region.simultaneous_draws > 0) result["seed"] = options.law.simulation.seed;
  result["clipping_bias"] = region.clip_bias ? Json(*region.clip_bias) : Json(nullptr);
  if (there && request.contains("plot")) {
    const std::string path = *text_field(request, "plot");
    TACET_TRY(const std::string page, picture(region, asked.mean.names, at, options.confidence));
    TACET_TRY(NewFile file, NewFile::reserve(path, page.size()));
    TACET_CHECK(file.publish(page));
    result["plot"] = path;
  }
  return result;
}

std::string words(const Json& result) {
  const std::string confidence = fmt::format("{:g}", result.at("confidence").get<double>());
  if (result.at("outcome") == "inconclusive")
    return fmt::format("Inconclusive: {}.\nThis cost no privacy.\n", result.at("reason").get<std::string>());
  const auto number = [](const Json& value) { return fmt::format("{:.6g}", value.get<double>()); };
  report::TextTable table({"mean of", "estimate", "alone: from", "to", "together: from", "to"});
  for (std::size_t j = 0; j < result.at("columns").size(); ++j) {
    std::vector<std::string> row = {report::printable(result.at("columns")[j].get<std::string>()), number(result.at("center")[j])};
    for (const char* kind : {"marginal", "simultaneous"}) {
      row.push_back(number(result.at(kind).at("lower")[j]));
      row.push_back(number(result.at(kind).at("upper")[j]));
    }
    table.add(std::move(row));
  }
  std::string out = fmt::format("Means of {}, with confidence {}:\n", whom_words(result), confidence) + table.render();
  out += fmt::format("Region: an ellipsoid of radius {:.4g} in units of its shape, volume {}.\n", result.at("radius").get<double>(),
                     result.at("volume").is_null() ? fmt::format("e^{:.4g}", result.at("log_volume").get<double>())
                                                   : fmt::format("{:.4g}", result.at("volume").get<double>()));
  out += fmt::format("Law of the error: {}.\n", result.at("law").get<std::string>()) + included_words(result);
  if (result.contains("plot")) out += fmt::format("Wrote {}.\n", report::shell_word(result.at("plot").get<std::string>()));
  return out + "This cost no privacy.\n";
}

}  // namespace

Verb infer_region_verb() {
  return {"infer region",
          "A confidence region and intervals for released means: of the data, or of the population behind them",
          "tacet infer region --release moments.json --for population --confidence 0.95",
          mean_fields({{"confidence", "C", "how often the region holds the truth; 0.95 if not given", FieldKind::Number},
                       {"plot", "FILE", "write a picture of two coordinates: one page that needs no network"},
                       {"coordinates", "a,b", "with --plot: which two; the first two if not given", FieldKind::List}}),
          run,
          words};
}

}  // namespace tacet::service
