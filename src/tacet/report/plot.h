// tacet/report/plot.h: line plots, as a Vega-Lite specification or as a self-contained page.
//
//   LinePlot plot{.title = "Laplace noise", .x = {"type I error"}, .y = {"type II error"},
//                 .curves = {{"1-GDP", {{0, 1}, {0.5, 0.16}, {1, 0}}}}};
//   std::string page = *to_html(plot);        // one file: open it anywhere, online or offline
//   std::string spec = *to_vega_lite(plot);   // JSON, for tools that draw Vega-Lite
//
// The page contains the scripts that draw it (vega, vega-lite, vega-embed: vega_scripts.h) and a
// policy that forbids the browser to load anything else. It follows the reader's choice of light
// or dark. Curves differ in colour (Okabe & Ito's palette, safe for the colour-blind) and in dash,
// so that a grey printout is readable; a click in the legend highlights a curve. Titles and names
// are shown as text and cannot become markup or a script.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tacet/base/result.h"

namespace tacet::report {

struct Axis {
  std::string label;
  bool logarithmic = false;  // every coordinate must then be greater than 0
};

struct Curve {
  std::string name;
  // Joined by straight lines in order of x, or as given (LinePlot::in_order_given).
  std::vector<std::pair<double, double>> points;
};

struct LinePlot {
  std::string title;
  std::string subtitle;  // may be empty
  Axis x, y;
  std::vector<Curve> curves;
  bool in_order_given = false;  // joins points in the given order: outlines
};

/// Domain   a title and two labels; 1 to 24 curves with different names, each with 1 to 1,000,000
///          finite points. Otherwise InvalidArgument.
/// Error    none: numbers have the digits that read back as the same double. Bytes that are not
///          UTF-8 become U+FFFD.
/// Cost     linear in the points; a page has 0.9 MB of scripts.
/// Checked  tests/report/plot_test.cc.
Result<std::string> to_vega_lite(const LinePlot& plot);
Result<std::string> to_html(const LinePlot& plot);

/// A script that is safe between <script> and </script>: nothing in it ends the element or opens a
/// comment, and it requests no source map.
std::string inline_script(std::string_view script);

}  // namespace tacet::report
