#include "tacet/report/figure.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tacet/report/figure_parts.h"
#include "tacet/report/html_page.h"

namespace tacet::report {
namespace {

using FigureJson = nlohmann::ordered_json;

constexpr std::size_t kMostPanels = 64, kMostSeries = 24;

Status check_points(const Panel& panel, const Series& series) {
  for (const Point& point : series.points) {
    const std::string where = fmt::format("a point of series \"{}\" in panel \"{}\"", series.name, panel.title);
    if (!std::isfinite(point.x) || !std::isfinite(point.y) || !std::isfinite(point.error))
      return Error::invalid(where, fmt::format("({}, {})", point.x, point.y), "must be finite");
    if ((panel.x.logarithmic && point.x <= 0) || (panel.y.logarithmic && point.y <= 0))
      return Error::invalid(where, fmt::format("({}, {})", point.x, point.y), "must be greater than 0 on a logarithmic axis");
  }
  return {};
}

FigureJson channel(const char* field, const Axis& axis) {
  FigureJson scale = {{"zero", false}, {"nice", true}};
  FigureJson ticks = {{"tickCount", 5}, {"labelFlush", false}};
  if (axis.logarithmic) {
    scale = {{"type", "log"}, {"nice", false}};
    ticks["format"] = "~g";
  }
  return {{"field", field}, {"type", "quantitative"}, {"title", axis.label}, {"scale", std::move(scale)}, {"axis", std::move(ticks)}};
}

FigureJson points_of(const Panel& panel, const std::vector<std::string>& names, bool lines) {
  FigureJson values = FigureJson::array();
  for (const Series& series : panel.series) {
    if (std::find(names.begin(), names.end(), series.name) == names.end() || (series.mark != Mark::Points) != lines) continue;
    for (const Point& point : series.points) {
      FigureJson value = {{"x", point.x}, {"y", point.y}, {"series", series.name}, {"marked", series.mark != Mark::Line}};
      if (point.error > 0) {
        value["low"] = point.y - point.error;
        value["high"] = point.y + point.error;
      }
      values.push_back(std::move(value));
    }
  }
  return values;
}

FigureJson panel_specification(const Panel& panel, const std::vector<std::string>& names) {
  FigureJson colours = FigureJson::array(), dashes = FigureJson::array();
  for (std::size_t i = 0; i < names.size(); ++i) {
    colours.push_back(kColours[i % kColours.size()]);
    dashes.push_back(dash_of(i));
  }
  const FigureJson colour = {{"field", "series"},
                             {"type", "nominal"},
                             {"scale", {{"domain", names}, {"range", colours}}},
                             {"legend", {{"title", nullptr}, {"labelLimit", 320}, {"orient", "bottom"}, {"columns", 2}}}};
  const FigureJson x = channel("x", panel.x), y = channel("y", panel.y);
  FigureJson layers = FigureJson::array();
  const auto layer = [&](FigureJson mark, FigureJson values, FigureJson across) {
    if (values.empty()) return;
    FigureJson encoding = {{"x", x}, {"y", std::move(across)}, {"color", colour}};
    if (mark.at("type") == "rule") encoding["y2"] = {{"field", "high"}};
    if (mark.at("type") == "line" && names.size() > kColours.size()) {
      encoding["strokeDash"] = colour;
      encoding["strokeDash"]["scale"]["range"] = dashes;
    }
    layers.push_back({{"data", {{"values", std::move(values)}}}, {"mark", std::move(mark)}, {"encoding", std::move(encoding)}});
  };
  FigureJson marked = points_of(panel, names, false), bars = FigureJson::array();
  const FigureJson joined = points_of(panel, names, true);
  for (const FigureJson& value : joined) {
    if (value.at("marked").get<bool>()) marked.push_back(value);
  }
  for (const FigureJson& value : marked) {
    if (value.contains("low") && (!panel.y.logarithmic || value.at("low").get<double>() > 0)) bars.push_back(value);
  }
  layer({{"type", "line"}, {"strokeWidth", 2}}, joined, y);
  layer({{"type", "point"}, {"size", 36}, {"strokeWidth", 2}}, std::move(marked), y);
  FigureJson low = y;
  low["field"] = "low";
  layer({{"type", "rule"}}, std::move(bars), std::move(low));
  return {{"title", panel.title}, {"width", 300}, {"height", 220}, {"layer", std::move(layers)}};
}

}  // namespace

std::vector<std::string> series_names(const Figure& figure) {
  std::vector<std::string> names;
  for (const Panel& panel : figure.panels) {
    for (const Series& series : panel.series) {
      if (std::find(names.begin(), names.end(), series.name) == names.end()) names.push_back(series.name);
    }
  }
  return names;
}

const std::vector<int>& dash_of(std::size_t place) { return kDashes[place / kColours.size() % kDashes.size()]; }

Status check_figure(const Figure& figure) {
  if (figure.title.empty()) return Error::invalid("the title", "", "must not be empty");
  if (figure.panels.empty() || figure.panels.size() > kMostPanels || figure.columns == 0) {
    return Error::invalid("the panels", fmt::format("{} in {} columns", figure.panels.size(), figure.columns),
                          fmt::format("must be 1 to {}, in at least one column", kMostPanels));
  }
  for (const Panel& panel : figure.panels) {
    if (panel.x.label.empty() || panel.y.label.empty())
      return Error::invalid(fmt::format("a label of panel \"{}\"", panel.title), "", "must not be empty");
    if (panel.series.empty() || panel.series.size() > kMostSeries) {
      return Error::invalid(fmt::format("the series of panel \"{}\"", panel.title), fmt::format("{}", panel.series.size()),
                            fmt::format("must be 1 to {}", kMostSeries));
    }
    for (const Series& series : panel.series) {
      if (series.name.empty() || series.points.empty())
        return Error::invalid("a series", series.name, "must have a name and at least one point");
      TACET_CHECK(check_points(panel, series));
    }
  }
  if (series_names(figure).size() > kMostSeries) {
    return Error::invalid("the names of series", fmt::format("{}", series_names(figure).size()),
                          fmt::format("must be at most {}", kMostSeries));
  }
  return {};
}

Result<std::string> to_vega_lite(const Figure& figure) {
  TACET_CHECK(check_figure(figure));
  FigureJson panels = FigureJson::array();
  for (const Panel& panel : figure.panels) panels.push_back(panel_specification(panel, series_names(figure)));
  FigureJson title = {{"text", figure.title}, {"anchor", "start"}, {"fontSize", 15}, {"offset", 12}};
  if (!figure.subtitle.empty()) title["subtitle"] = figure.subtitle;
  const FigureJson spec = {{"$schema", "https://vega.github.io/schema/vega-lite/v6.json"},
                           {"title", std::move(title)},
                           {"background", nullptr},
                           {"columns", figure.columns},
                           {"resolve", {{"scale", {{"color", "shared"}}}, {"legend", {{"color", "shared"}}}}},
                           {"concat", std::move(panels)}};
  return spec.dump(-1, ' ', false, FigureJson::error_handler_t::replace);
}

Result<std::string> to_html(const Figure& figure) {
  TACET_TRY(std::string spec, to_vega_lite(figure));
  return html_page(figure.title, std::move(spec));
}

}  // namespace tacet::report
