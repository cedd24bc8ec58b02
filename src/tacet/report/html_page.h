// tacet/report/html_page.h: the page of one file around a Vega-Lite specification.
//
//   std::string page = html_page("Power", *to_vega_lite(plot));
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace tacet::report {

/// The page of plot.h; `spec` is JSON.
std::string html_page(std::string_view title, std::string spec);

/// Text that cannot become markup.
std::string escaped(std::string_view text);

// Okabe & Ito (2008), without yellow (too pale on white) and black (invisible on black).
inline constexpr std::array<const char*, 6> kColours = {"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9"};
/// The lengths of the strokes and gaps of lines; the first is unbroken.
inline const std::array<std::vector<int>, 4> kDashes = {{{1, 0}, {8, 3}, {2, 2}, {8, 3, 2, 3}}};

}  // namespace tacet::report
