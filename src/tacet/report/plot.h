// tacet/report/plot.h: several named curves in one picture, as a Vega-Lite specification or as a page that needs nothing else.
//
//   LinePlot plot{.title = "Laplace noise for 1-GDP", .x = {"type I error"}, .y = {"type II error"},
//                 .curves = {{"1-GDP", {{0, 1}, {0.5, 0.16}, {1, 0}}}, ...}};
//   std::string page = *to_html(plot);        // one file: open it anywhere, on or off the net
//   std::string spec = *to_vega_lite(plot);   // JSON, for tools that draw Vega-Lite
//
// The page carries the scripts that draw it (vega, vega-lite, vega-embed: built into the program, see vega_scripts.h) and a policy that
// forbids the browser to load anything else. It follows the reader's choice of light or dark. Curves differ in colour (Okabe & Ito's
// palette, safe for the colour-blind) and in dash, so that a print in grey can be read too; a click in the legend singles a curve out.
// Text is shown as text: no title or name can become markup or a script.
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
  bool logarithmic = false;  // then every coordinate must be greater than 0
};

struct Curve {
  std::string name;
  std::vector<std::pair<double, double>> points;  // joined by straight lines, in order of x, or as given (LinePlot::in_order_given)
};

struct LinePlot {
  std::string title;
  std::string subtitle;  // may be empty
  Axis x, y;
  std::vector<Curve> curves;
  bool in_order_given = false;  // points are joined as they come: outlines
};

/// Domain   a title and two labels; 1 to 24 curves with names that differ, each with 1 to 1,000,000 finite points. Else InvalidArgument.
/// Error    none: numbers are written with the digits that read back as the same double. Bytes that are no UTF-8 become U+FFFD.
/// Cost     linear in the points; a page has 0.9 MB of scripts.
/// Checked  tests/report/plot_test.cc.
Result<std::string> to_vega_lite(const LinePlot& plot);
Result<std::string> to_html(const LinePlot& plot);

/// A script as it may stand between <script> and </script>: nothing in it ends the element or opens a comment, and no source map is
/// asked for.
std::string inline_script(std::string_view script);

}  // namespace tacet::report
