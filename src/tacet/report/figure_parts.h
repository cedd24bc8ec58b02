// tacet/report/figure_parts.h: what the Vega-Lite and the SVG of a figure share.
//
//   TACET_CHECK(check_figure(figure));
//   std::vector<std::string> names = series_names(figure);      // in order of appearance
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tacet/report/figure.h"

namespace tacet::report {

/// The domain of figure.h.
Status check_figure(const Figure& figure);

/// Each name once. Its place decides its colour and its dash.
std::vector<std::string> series_names(const Figure& figure);

/// The strokes and gaps of a line: others each time that the colours repeat.
const std::vector<int>& dash_of(std::size_t place);

}  // namespace tacet::report
