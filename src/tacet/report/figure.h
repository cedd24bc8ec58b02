// tacet/report/figure.h: several plots together, as Vega-Lite, as a page of one file and as SVG.
//
//   Panel power{.title = "power", .x = {"people", true}, .y = {"rejected"},
//               .series = {{"ours", {{100, 0.21}, {1000, 0.84}}},
//                          {"the paper's", {{100, 0.2, 0.01}}, Mark::Points}}};
//   Figure figure{.title = "A test", .panels = {power}, .columns = 2};
//   std::string page = *to_html(figure);        // as plot.h says
//   std::string picture = *to_svg(figure);      // a small picture that needs no script
//
// A series of one name has one colour, and from the seventh name on one dash, in all panels, which
// share one legend. Lines are joined in order of x. Points have error bars if they have an error.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/report/plot.h"

namespace tacet::report {

struct Point {
  double x, y;
  double error = 0;  // half the length of the error bar
};

enum class Mark : std::uint8_t { Line, Points, LineAndPoints };

struct Series {
  std::string name;
  std::vector<Point> points;
  Mark mark = Mark::Line;
};

struct Panel {
  std::string title;  // may be empty
  Axis x, y;
  std::vector<Series> series;
};

struct Figure {
  std::string title;
  std::string subtitle = {};  // may be empty
  std::vector<Panel> panels;
  std::size_t columns = 1;
};

/// Domain   a title; 1 to 64 panels with two labels each and 1 to 24 series; at most 24 names;
///          finite points, greater than 0 on a logarithmic axis. Otherwise InvalidArgument.
/// Error    pages as plot.h; in the picture, a tenth of a pixel.
/// Cost     linear in the points.
/// Checked  tests/report/figure_test.cc.
Result<std::string> to_vega_lite(const Figure& figure);
Result<std::string> to_html(const Figure& figure);
Result<std::string> to_svg(const Figure& figure);

}  // namespace tacet::report
