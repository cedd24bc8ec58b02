#include "tacet/report/html_page.h"

#include <algorithm>
#include <cctype>
#include <cstddef>

#include <fmt/format.h>

#include "tacet/report/plot.h"
#include "tacet/report/vega_scripts.h"

namespace tacet::report {
namespace {

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) text.replace(at, from.size(), to);
}

// Vega compiles the expressions of a plot with 'unsafe-eval'; all scripts are in the page.
constexpr std::string_view kHead = R"html(<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; style-src 'unsafe-inline'; img-src data: blob:">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<style>
:root { color-scheme: light dark; }
body { margin: 2rem auto; padding: 0 1rem; max-width: 64rem; font-family: system-ui, sans-serif; background: #fff; color: #1a1a1a; }
#plot { overflow-x: auto; }
@media (prefers-color-scheme: dark) { body { background: #161616; color: #e8e8e8; } }
</style>
)html";

constexpr std::string_view kDraw = R"js(
const dark = matchMedia("(prefers-color-scheme: dark)"), narrow = matchMedia("(max-width: 50rem)");
const draw = () => {
  const ink = dark.matches ? "#e8e8e8" : "#1a1a1a", faint = dark.matches ? "#3a3a3a" : "#e4e4e4", line = "#8c8c8c";
  const text = {labelColor: ink, titleColor: ink, labelFontSize: 12, titleFontSize: 13, titleFontWeight: "normal", titlePadding: 8};
  const place = narrow.matches ? {orient: "bottom", columns: 1} : {};
  // Only a plot alone has a width; several together keep theirs.
  const sized = spec.width ? {...spec, width: narrow.matches ? Math.max(200, innerWidth - 150) : spec.width} : spec;
  vegaEmbed("#plot", sized, {mode: "vega-lite", renderer: "svg",
    actions: {export: true, source: false, compiled: false, editor: false},
    config: {font: "system-ui, sans-serif", title: {color: ink, subtitleColor: ink}, view: {stroke: null},
      axis: {...text, gridColor: faint, domainColor: line, tickColor: line}, legend: {...text, ...place, labelFontSize: 13}}})
    .catch(error => { document.getElementById("plot").textContent = "The plot could not be drawn: " + error.message; });
};
for (const choice of [dark, narrow]) choice.addEventListener("change", draw);
draw();
)js";

}  // namespace

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      default: out += c;
    }
  }
  return out;
}

std::string inline_script(std::string_view script) {
  // The browser's tools would request a source map.
  if (const std::size_t map = script.rfind("\n//# sourceMappingURL="); map != std::string_view::npos) script = script.substr(0, map + 1);
  // These occur in a script only in strings and regular expressions, where a backslash before / or
  // ! has no effect.
  constexpr std::string_view kEnd = "</script", kComment = "<!--";
  const auto starts = [&](std::size_t at, std::string_view what) {
    return script.size() - at >= what.size() && std::equal(what.begin(), what.end(), script.begin() + static_cast<std::ptrdiff_t>(at),
                                                           [](char a, char b) { return a == std::tolower(static_cast<unsigned char>(b)); });
  };
  std::string out;
  out.reserve(script.size());
  for (std::size_t i = 0; i < script.size(); ++i) {
    out += script[i];
    if (script[i] == '<' && (starts(i, kEnd) || starts(i, kComment))) out += '\\';
  }
  return out;
}

std::string html_page(std::string_view title, std::string spec) {
  replace_all(spec, "<", "\\u003c");  // in JSON a < occurs only in strings
  std::string page = "<!doctype html>\n<html lang=\"en\">\n<head>\n";
  page += fmt::format("{}<title>{}</title>\n", kHead, escaped(title));
  for (const Script& script : vega_scripts()) {
    std::string licence(script.licence);
    replace_all(licence, "--", "- -");
    page += fmt::format("<!-- {}:\n{}-->\n<script>{}</script>\n", script.name, licence, inline_script(script.text));
  }
  page +=
      "</head>\n<body>\n<main>\n<div id=\"plot\"></div>\n<noscript>This plot is drawn by scripts in the page, which are switched "
      "off.</noscript>\n";
  page += fmt::format("</main>\n<script>\nconst spec = {};{}</script>\n</body>\n</html>\n", spec, kDraw);
  return page;
}

}  // namespace tacet::report
