#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tacet/report/figure.h"
#include "tacet/report/figure_parts.h"
#include "tacet/report/html_page.h"
#include "tacet/report/text_table.h"

namespace tacet::report {
namespace {

// Sizes in pixels.
constexpr double kPlotWidth = 250, kPlotHeight = 170, kLeft = 58, kRight = 14, kTop = 30, kBottom = 42, kHeading = 30, kLegendLine = 18;
constexpr double kPanelWidth = kLeft + kPlotWidth + kRight, kPanelHeight = kTop + kPlotHeight + kBottom;
constexpr int kTicks = 5;

/// A pixel with at most one decimal, "12.5" or "12".
std::string pixel(double value) {
  std::string text = fmt::format("{:.1f}", value);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text == "-0" ? "0" : text;
}

/// Maps an axis to pixels.
class PlotAxis {
 public:
  explicit PlotAxis(bool logarithmic) : logarithmic_(logarithmic) {}

  void include(double value) {
    if (logarithmic_ && value <= 0) return;
    const double at = logarithmic_ ? std::log10(value) : value;
    least_ = any_ ? std::min(least_, at) : at;
    most_ = any_ ? std::max(most_, at) : at;
    any_ = true;
  }
  void settle() {
    const double room = most_ > least_ ? 0.04 * (most_ - least_) : std::max(0.1, 0.1 * std::abs(least_));
    least_ -= room;
    most_ += room;
  }
  /// 0 to 1 along the axis.
  double place(double value) const {
    const double at = logarithmic_ ? std::log10(std::max(value, 1e-300)) : value;
    return std::clamp((at - least_) / (most_ - least_), 0.0, 1.0);
  }
  std::vector<double> ticks() const {
    std::vector<double> found;
    if (logarithmic_ && std::floor(most_) - std::ceil(least_) >= 1) {
      const double step = std::ceil((most_ - least_) / kTicks);
      for (std::size_t i = 0; std::ceil(least_) + step * static_cast<double>(i) <= most_; ++i)
        found.push_back(std::pow(10.0, std::ceil(least_) + step * static_cast<double>(i)));
      return found;
    }
    const double from = logarithmic_ ? std::pow(10.0, least_) : least_, to = logarithmic_ ? std::pow(10.0, most_) : most_;
    const double rough = (to - from) / kTicks, decade = std::pow(10.0, std::floor(std::log10(rough)));
    const double lead = rough / decade, step = decade * (lead > 5 ? 10 : lead > 2 ? 5 : lead > 1 ? 2 : 1);
    const double first = std::ceil(from / step);
    for (std::size_t i = 0; (first + static_cast<double>(i)) * step <= to; ++i) found.push_back((first + static_cast<double>(i)) * step);
    return found;
  }

 private:
  bool logarithmic_, any_ = false;
  double least_ = 0, most_ = 1;
};

std::string text_at(double x, double y, const std::string& words, const char* anchor, int size = 11, const char* more = "") {
  return fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"{}\" font-size=\"{}\"{}>{}</text>\n", pixel(x), pixel(y), anchor, size, more,
                     escaped(words));
}

/// The attribute of a stroke.
std::string dash_attribute(std::size_t place) {
  return place < kColours.size() ? "" : fmt::format(" stroke-dasharray=\"{}\"", fmt::join(dash_of(place), " "));
}

std::string draw_series(const Series& series, std::size_t place, const PlotAxis& across, const PlotAxis& up) {
  const char* colour = kColours[place % kColours.size()];
  const auto x = [&](double value) { return kPlotWidth * across.place(value); };
  const auto y = [&](double value) { return kPlotHeight * (1 - up.place(value)); };
  std::vector<Point> points = series.points;
  std::stable_sort(points.begin(), points.end(), [](const Point& a, const Point& b) { return a.x < b.x; });
  std::string out, line;
  for (const Point& point : points) {
    line += fmt::format("{}{},{}", line.empty() ? "" : " ", pixel(x(point.x)), pixel(y(point.y)));
    if (series.mark == Mark::Line) continue;
    if (point.error > 0) {
      out += fmt::format("<path d=\"M{0} {1}V{2}\" stroke=\"{3}\"/>\n", pixel(x(point.x)), pixel(y(point.y - point.error)),
                         pixel(y(point.y + point.error)), colour);
    }
    out += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"3\" fill=\"{}\" stroke=\"{}\"/>\n", pixel(x(point.x)), pixel(y(point.y)),
                       series.mark == Mark::Points ? "#fff" : colour, colour);
  }
  if (series.mark == Mark::Points) return out;
  return fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.5\"{}/>\n", line, colour,
                     dash_attribute(place)) +
         out;
}

/// 10,000 and not 1e+04.
std::string tick_label(double tick) {
  return std::abs(tick) >= 1000 && std::abs(tick) < 1e9 ? readable(tick) : fmt::format("{:.4g}", tick);
}

std::string draw_panel(const Panel& panel, const std::vector<std::string>& names) {
  PlotAxis across(panel.x.logarithmic), up(panel.y.logarithmic);
  for (const Series& series : panel.series) {
    for (const Point& point : series.points) {
      across.include(point.x);
      up.include(point.y - point.error);
      up.include(point.y + point.error);
    }
  }
  across.settle();
  up.settle();
  std::string out = fmt::format("<rect width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"#8c8c8c\"/>\n", kPlotWidth, kPlotHeight);
  for (const double tick : across.ticks()) {
    const double x = kPlotWidth * across.place(tick);
    out += fmt::format("<path d=\"M{} 0V{}\" stroke=\"#e4e4e4\"/>\n", pixel(x), kPlotHeight);
    out += text_at(x, kPlotHeight + 14, tick_label(tick), "middle");
  }
  for (const double tick : up.ticks()) {
    const double y = kPlotHeight * (1 - up.place(tick));
    out += fmt::format("<path d=\"M0 {}H{}\" stroke=\"#e4e4e4\"/>\n", pixel(y), kPlotWidth);
    out += text_at(-5, y + 4, tick_label(tick), "end");
  }
  for (const Series& series : panel.series) {
    const auto place = static_cast<std::size_t>(std::find(names.begin(), names.end(), series.name) - names.begin());
    out += draw_series(series, place, across, up);
  }
  out += text_at(kPlotWidth / 2, -10, panel.title, "middle", 12);
  out += text_at(kPlotWidth / 2, kPlotHeight + 31, panel.x.label, "middle");
  out += text_at(-kPlotHeight / 2, -44, panel.y.label, "middle", 11, " transform=\"rotate(-90)\"");
  return out;
}

}  // namespace

Result<std::string> to_svg(const Figure& figure) {
  TACET_CHECK(check_figure(figure));
  const std::vector<std::string> names = series_names(figure);
  const std::size_t columns = std::min(figure.columns, figure.panels.size()), rows = (figure.panels.size() + columns - 1) / columns;
  const double width = std::max(kPanelWidth * static_cast<double>(columns), 8.0 * static_cast<double>(figure.title.size()));
  const double legend = kHeading + kPanelHeight * static_cast<double>(rows);
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" font-family=\"sans-serif\">\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
      pixel(width), pixel(legend + kLegendLine * static_cast<double>(names.size()) + 6));
  out += text_at(8, 20, figure.title, "start", 14);
  for (std::size_t i = 0; i < figure.panels.size(); ++i) {
    const std::size_t row = i / columns, column = i % columns;
    out += fmt::format("<g transform=\"translate({},{})\">\n", pixel(kLeft + kPanelWidth * static_cast<double>(column)),
                       pixel(kHeading + kTop + kPanelHeight * static_cast<double>(row)));
    out += draw_panel(figure.panels[i], names) + "</g>\n";
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    const double y = legend + kLegendLine * static_cast<double>(i) + 10;
    out += fmt::format("<path d=\"M12 {0}h24\" stroke=\"{1}\" stroke-width=\"3\"{2}/>\n", pixel(y - 4), kColours[i % kColours.size()],
                       dash_attribute(i));
    out += text_at(44, y, names[i], "start");
  }
  return out + "</svg>\n";
}

}  // namespace tacet::report
