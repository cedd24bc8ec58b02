#include "tacet/report/plot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tacet/report/html_page.h"

namespace tacet::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostCurves = 24, kMostPoints = 1'000'000;

Status check_axis(const char* name, const Axis& axis, const LinePlot& plot, double std::pair<double, double>::* coordinate) {
  if (axis.label.empty()) return Error::invalid(fmt::format("the label of the {} axis", name), "", "must not be empty");
  for (const Curve& curve : plot.curves) {
    for (const auto& point : curve.points) {
      const double value = point.*coordinate;
      const std::string where = fmt::format("{} of curve \"{}\"", name, curve.name);
      if (!std::isfinite(value)) return Error::invalid(where, fmt::format("{}", value), "must be a finite number");
      if (axis.logarithmic && value <= 0) {
        return Error::invalid(where, fmt::format("{}", value), "must be greater than 0 on a logarithmic axis");
      }
    }
  }
  return {};
}

Status check(const LinePlot& plot) {
  if (plot.title.empty()) return Error::invalid("the title", "", "must not be empty");
  if (plot.curves.empty() || plot.curves.size() > kMostCurves) {
    return Error::invalid("the number of curves", fmt::format("{}", plot.curves.size()),
                          fmt::format("must lie between 1 and {}", kMostCurves));
  }
  std::set<std::string_view> names;
  for (const Curve& curve : plot.curves) {
    if (curve.name.empty()) return Error::invalid("the name of a curve", "", "must not be empty");
    if (!names.insert(curve.name).second)
      return Error::invalid("the name of a curve", curve.name, "must differ from the names of the others");
    if (curve.points.empty() || curve.points.size() > kMostPoints) {
      return Error::invalid(fmt::format("the number of points of curve \"{}\"", curve.name), fmt::format("{}", curve.points.size()),
                            fmt::format("must lie between 1 and {}", kMostPoints));
    }
  }
  TACET_CHECK(check_axis("x", plot.x, plot, &std::pair<double, double>::first));
  return check_axis("y", plot.y, plot, &std::pair<double, double>::second);
}

/// The powers of ten within the data, thinned to at most eight; empty if fewer than two.
Json decades(const LinePlot& plot, double std::pair<double, double>::* coordinate) {
  double least = plot.curves[0].points[0].*coordinate, most = least;
  for (const Curve& curve : plot.curves) {
    for (const auto& point : curve.points) {
      least = std::min(least, point.*coordinate);
      most = std::max(most, point.*coordinate);
    }
  }
  const int first = static_cast<int>(std::ceil(std::log10(least))), last = static_cast<int>(std::floor(std::log10(most)));
  Json values = Json::array();
  for (int power = last, step = (last - first) / 8 + 1; last > first && power >= first; power -= step)
    values.push_back(std::pow(10.0, power));
  return values;
}

Json position(const char* field, const Axis& axis, const LinePlot& plot, double std::pair<double, double>::* coordinate) {
  Json scale = {{"zero", false}, {"nice", true}}, ticks = {{"tickCount", 6}, {"labelFlush", false}};
  if (axis.logarithmic) {
    scale = {{"type", "log"}, {"nice", false}};
    ticks = {{"labelFlush", false}, {"format", "~g"}};
    if (Json values = decades(plot, coordinate); !values.empty()) ticks["values"] = std::move(values);
  }
  return {{"field", field}, {"type", "quantitative"}, {"title", axis.label}, {"scale", std::move(scale)}, {"axis", std::move(ticks)}};
}

/// A description for screen readers: the axes and the curves.
std::string description(const LinePlot& plot) {
  std::string text = fmt::format("Line plot of {} against {}: {}. Curves: ", plot.y.label, plot.x.label, plot.title);
  for (std::size_t i = 0; i < plot.curves.size(); ++i) text += (i > 0 ? ", " : "") + plot.curves[i].name;
  return text + ".";
}

Json specification(const LinePlot& plot) {
  Json values = Json::array(), names = Json::array(), colours = Json::array(), dashes = Json::array();
  for (std::size_t i = 0; i < plot.curves.size(); ++i) {
    const Curve& curve = plot.curves[i];
    for (std::size_t k = 0; k < curve.points.size(); ++k) {
      Json value = {{"x", curve.points[k].first}, {"y", curve.points[k].second}, {"curve", curve.name}};
      if (plot.in_order_given) value["k"] = k;
      values.push_back(std::move(value));
    }
    names.push_back(curve.name);
    colours.push_back(kColours[i % kColours.size()]);
    // Every twelve curves the pairing of colour and dash changes.
    dashes.push_back(kDashes[(i + i / 12) % kDashes.size()]);
  }
  Json title = {{"text", plot.title}, {"anchor", "start"}, {"fontSize", 15}, {"offset", 12}};
  if (!plot.subtitle.empty()) title["subtitle"] = plot.subtitle;
  const Json legend = {{"title", nullptr}, {"symbolType", "stroke"}, {"symbolSize", 400}, {"symbolStrokeWidth", 2}, {"labelLimit", 320}};
  const auto by_curve = [&](const Json& range) {
    return Json{
        {"field", "curve"}, {"type", "nominal"}, {"sort", names}, {"scale", {{"domain", names}, {"range", range}}}, {"legend", legend}};
  };
  Json spec = {
      {"$schema", "https://vega.github.io/schema/vega-lite/v6.json"},
      {"title", std::move(title)},
      {"description", description(plot)},
      {"width", 520},
      {"height", 400},
      {"background", nullptr},
      {"data", {{"values", std::move(values)}}},
      {"params", {{{"name", "chosen"}, {"select", {{"type", "point"}, {"fields", {"curve"}}}}, {"bind", "legend"}}}},
      {"mark", {{"type", "line"}, {"strokeWidth", 2}}},
      {"encoding",
       {{"x", position("x", plot.x, plot, &std::pair<double, double>::first)},
        {"y", position("y", plot.y, plot, &std::pair<double, double>::second)},
        {"color", by_curve(colours)},
        {"strokeDash", by_curve(dashes)},
        {"opacity", {{"condition", {{"param", "chosen"}, {"value", 1}}}, {"value", 0.15}}}}},
  };
  if (plot.in_order_given) spec["encoding"]["order"] = {{"field", "k"}, {"type", "quantitative"}};
  return spec;
}

std::string dumped(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

}  // namespace

Result<std::string> to_vega_lite(const LinePlot& plot) {
  TACET_CHECK(check(plot));
  return dumped(specification(plot));
}

Result<std::string> to_html(const LinePlot& plot) {
  TACET_TRY(std::string spec, to_vega_lite(plot));
  return html_page(plot.title, std::move(spec));
}

}  // namespace tacet::report
