#include "tacet/report/plot.h"

#include <cmath>
#include <limits>
#include <regex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tacet/report/vega_scripts.h"

namespace tacet::report {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::json;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN(), kInfinity = std::numeric_limits<double>::infinity();

LinePlot sample() {
  LinePlot plot;
  plot.title = "Two curves";
  plot.x.label = "type I error";
  plot.y.label = "type II error";
  plot.curves = {{"first", {{0, 1}, {0.1, 0.3}, {1, 0}}}, {"second", {{0, 1}, {1.0 / 3, std::sqrt(0.5)}, {1, 5e-324}}}};
  return plot;
}

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t found = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++found;
  return found;
}

/// The page without what stands in its scripts and comments.
std::string markup(const std::string& page) {
  std::string rest;
  std::size_t at = 0;
  for (;;) {
    const std::size_t script = page.find("<script>", at), comment = page.find("<!--", at), from = std::min(script, comment);
    if (from == std::string::npos) return rest + page.substr(at);
    rest += page.substr(at, from - at);
    at = from == script ? page.find("</script>", from) + 9 : page.find("-->", from) + 3;
  }
}

TEST(ToVegaLite, HoldsEveryPointToTheLastDigit) {
  const LinePlot plot = sample();
  const Json spec = Json::parse(*to_vega_lite(plot));
  const Json& values = spec["data"]["values"];
  ASSERT_EQ(values.size(), 6u);
  std::size_t i = 0;
  for (const Curve& curve : plot.curves) {
    for (const auto& [x, y] : curve.points) {
      EXPECT_EQ(values[i]["x"].get<double>(), x);
      EXPECT_EQ(values[i]["y"].get<double>(), y);
      EXPECT_EQ(values[i]["curve"].get<std::string>(), curve.name);
      ++i;
    }
  }
}

TEST(ToVegaLite, NamesEverythingAReaderNeeds) {
  LinePlot plot = sample();
  plot.subtitle = "below";
  const Json spec = Json::parse(*to_vega_lite(plot));
  EXPECT_EQ(spec["$schema"], "https://vega.github.io/schema/vega-lite/v6.json");
  EXPECT_EQ(spec["title"]["text"], "Two curves");
  EXPECT_EQ(spec["title"]["subtitle"], "below");
  EXPECT_EQ(spec["description"], "Line plot of type II error against type I error: Two curves. Curves: first, second.");
  EXPECT_EQ(spec["encoding"]["x"]["title"], "type I error");
  EXPECT_EQ(spec["encoding"]["y"]["title"], "type II error");
  EXPECT_EQ(spec["encoding"]["color"]["scale"]["domain"], Json({"first", "second"}));
  EXPECT_EQ(spec["mark"]["type"], "line");
}

TEST(ToVegaLite, GivesEveryCurveAPairOfColourAndDashOfItsOwn) {
  LinePlot plot = sample();
  for (int i = 0; i < 22; ++i) plot.curves.push_back({"curve " + std::to_string(i), {{0, 0}}});
  const Json spec = Json::parse(*to_vega_lite(plot));
  std::set<std::string> pairs;
  for (std::size_t i = 0; i < plot.curves.size(); ++i) {
    pairs.insert(spec["encoding"]["color"]["scale"]["range"][i].dump() + spec["encoding"]["strokeDash"]["scale"]["range"][i].dump());
  }
  EXPECT_EQ(pairs.size(), 24u);
}

TEST(ToVegaLite, MarksThePowersOfTenOnALogarithmicAxis) {
  LinePlot plot = sample();
  plot.x.logarithmic = true;
  plot.curves = {{"a", {{0.002, 1}, {50, 0}}}};
  const Json spec = Json::parse(*to_vega_lite(plot));
  EXPECT_EQ(spec["encoding"]["x"]["scale"]["type"], "log");
  EXPECT_EQ(spec["encoding"]["x"]["axis"]["values"], Json({10.0, 1.0, 0.1, 0.01}));
  plot.curves = {{"a", {{1e-300, 1}, {1, 0}}}};
  EXPECT_LE(Json::parse(*to_vega_lite(plot))["encoding"]["x"]["axis"]["values"].size(), 9u);
  plot.curves = {{"a", {{2, 1}, {3, 0}}}};
  EXPECT_FALSE(Json::parse(*to_vega_lite(plot))["encoding"]["x"]["axis"].contains("values"));
}

TEST(ToHtml, LoadsNothingFromOutside) {
  const std::string page = *to_html(sample());
  EXPECT_THAT(page, HasSubstr("Content-Security-Policy\" content=\"default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval';"));
  const std::string rest = markup(page);
  EXPECT_LT(rest.size(), 4000u);
  for (const char* loads : {"src=", "href=", "url(", "@import", "http:", "https:", "//", "<link", "<iframe", "<img", "<base"}) {
    EXPECT_THAT(rest, Not(HasSubstr(loads)));
  }
  EXPECT_THAT(page, Not(HasSubstr("sourceMappingURL")));
  EXPECT_THAT(page, Not(HasSubstr("editor: true")));
}

TEST(ToHtml, CarriesTheScriptsAndTheirLicences) {
  const std::string page = *to_html(sample());
  EXPECT_EQ(count(page, "<script>"), 4u);
  EXPECT_EQ(count(page, "</script>"), 4u);
  EXPECT_EQ(count(page, "<!--"), 3u);
  EXPECT_EQ(count(page, "Redistribution and use in source and binary forms"), 3u);
  EXPECT_THAT(page, HasSubstr("t.version=\"6.4.0\""));  // vega's own last words
  ASSERT_EQ(vega_scripts().size(), 3u);
  for (const Script& script : vega_scripts()) {
    EXPECT_GT(script.text.size(), 50000u) << script.name;
    EXPECT_EQ(*(script.text.data() + script.text.size()), '\0') << script.name;
    EXPECT_THAT(std::string(script.licence), HasSubstr("Copyright")) << script.name;
  }
}

TEST(ToHtml, ShowsTextAsTextWhateverItSays) {
  LinePlot plot = sample();
  const std::string attack = "</script><script>alert(1)</script><!-- & \"";
  plot.title = attack;
  plot.x.label = attack;
  plot.curves[0].name = attack;
  const std::string page = *to_html(plot);
  EXPECT_EQ(count(page, "<script>"), 4u);
  EXPECT_EQ(count(page, "</script>"), 4u);
  EXPECT_THAT(page, HasSubstr("<title>&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;&lt;!-- &amp; &quot;</title>"));
  // And the plot still says what it was told to say.
  const std::size_t from = page.find("const spec = ") + 13;
  const Json spec = Json::parse(page.substr(from, page.find(";\nconst dark") - from));
  EXPECT_EQ(spec["title"]["text"], attack);
  EXPECT_EQ(spec["data"]["values"][0]["curve"], attack);
}

TEST(ToHtml, SurvivesBytesThatAreNoText) {
  LinePlot plot = sample();
  plot.curves[0].name = "\xff\xfe";
  EXPECT_THAT(*to_vega_lite(plot), HasSubstr("\xEF\xBF\xBD"));
  plot.curves[0].name = "λ = 1/2";
  EXPECT_THAT(*to_html(plot), HasSubstr("λ = 1/2"));
}

TEST(InlineScript, CannotEndItsElement) {
  EXPECT_EQ(inline_script("a = '</script>';"), "a = '<\\/script>';");
  EXPECT_EQ(inline_script("a = '</ScRiPt x';"), "a = '<\\/ScRiPt x';");
  EXPECT_EQ(inline_script("a = '<!-- <script>';"), "a = '<\\!-- <script>';");
  EXPECT_EQ(inline_script("a < b; c</d/.test(e)"), "a < b; c</d/.test(e)");
  EXPECT_EQ(inline_script("f();\n//# sourceMappingURL=f.min.js.map"), "f();\n");
  EXPECT_EQ(inline_script("</"), "</");
  EXPECT_EQ(inline_script(""), "");
}

TEST(ToVegaLite, RefusesWhatCannotBeDrawn) {
  const auto refusal = [](const auto& change) {
    LinePlot plot = sample();
    change(plot);
    const auto result = to_html(plot);
    return result.ok() ? std::string("accepted") : result.error().message();
  };
  EXPECT_THAT(refusal([](LinePlot& p) { p.title.clear(); }), HasSubstr("the title is empty, but must not be empty"));
  EXPECT_THAT(refusal([](LinePlot& p) { p.x.label.clear(); }), HasSubstr("the label of the x axis is empty"));
  EXPECT_THAT(refusal([](LinePlot& p) { p.y.label.clear(); }), HasSubstr("the label of the y axis is empty"));
  EXPECT_THAT(refusal([](LinePlot& p) { p.curves.clear(); }), HasSubstr("the number of curves is 0, but must lie between 1 and 24"));
  EXPECT_THAT(refusal([](LinePlot& p) { p.curves[1].name = "first"; }), HasSubstr("the name of a curve is first, but must differ"));
  EXPECT_THAT(refusal([](LinePlot& p) { p.curves[1].name.clear(); }), HasSubstr("the name of a curve is empty"));
  EXPECT_THAT(refusal([](LinePlot& p) { p.curves[1].points.clear(); }), HasSubstr("the number of points of curve \"second\" is 0"));
  EXPECT_THAT(refusal([](LinePlot& p) { p.curves[0].points[1].first = kNaN; }),
              HasSubstr("x of curve \"first\" is nan, but must be a finite"));
  EXPECT_THAT(refusal([](LinePlot& p) { p.curves[0].points[1].second = -kInfinity; }), HasSubstr("y of curve \"first\" is -inf"));
  EXPECT_THAT(refusal([](LinePlot& p) { p.y.logarithmic = true; }),
              HasSubstr("y of curve \"first\" is 0, but must be greater than 0 on a log"));
}

}  // namespace
}  // namespace tacet::report
