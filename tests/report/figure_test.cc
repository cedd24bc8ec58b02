#include "tacet/report/figure.h"

#include <limits>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace tacet::report {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using SpecJson = nlohmann::json;

Figure two_panels() {
  Figure figure{.title = "A & B", .panels = {}, .columns = 2};
  figure.panels.push_back({.title = "first",
                           .x = {"people", true},
                           .y = {"power"},
                           .series = {{"ours", {{1000, 0.5}, {100, 0.25}}}, {"paper", {{100, 0.2, 0.05}}, Mark::Points}}});
  figure.panels.push_back({.title = "second", .x = {"people"}, .y = {"power"}, .series = {{"paper", {{3, 1}}, Mark::LineAndPoints}}});
  return figure;
}

TEST(FigureSpecification, HasAPanelForEachPlotAndOneColourForEachName) {
  const SpecJson spec = SpecJson::parse(*to_vega_lite(two_panels()));
  ASSERT_EQ(spec.at("concat").size(), 2u);
  EXPECT_EQ(spec.at("columns"), 2);
  const SpecJson& layers = spec.at("concat")[0].at("layer");
  ASSERT_EQ(layers.size(), 3u);  // lines, points, error bars
  EXPECT_EQ(layers[0].at("data").at("values").size(), 2u);
  EXPECT_EQ(layers[2].at("data").at("values")[0].at("low"), 0.2 - 0.05);
  EXPECT_EQ(layers[0].at("encoding").at("x").at("scale").at("type"), "log");
  for (const SpecJson& panel : spec.at("concat"))
    EXPECT_EQ(panel.at("layer")[0].at("encoding").at("color").at("scale").at("domain"), SpecJson({"ours", "paper"}));
}

TEST(FigurePicture, TellsSevenSeriesApart) {
  Figure figure{.title = "many", .panels = {{.title = "", .x = {"x"}, .y = {"y"}, .series = {}}}, .columns = 1};
  for (int i = 0; i < 6; ++i) figure.panels[0].series.push_back({std::string(1, static_cast<char>('a' + i)), {{0, 0}, {1, 1.0 * i}}});
  EXPECT_THAT(*to_svg(figure), Not(HasSubstr("dasharray")));
  EXPECT_THAT(*to_vega_lite(figure), Not(HasSubstr("strokeDash")));
  figure.panels[0].series.push_back({"g", {{0, 0}, {1, 7}}});
  EXPECT_THAT(*to_svg(figure), HasSubstr(R"(stroke="#0072B2" stroke-width="1.5" stroke-dasharray="8 3")"));
  EXPECT_THAT(*to_vega_lite(figure), HasSubstr("strokeDash"));
}

TEST(FigurePage, IsOneFile) {
  const std::string page = *to_html(two_panels());
  EXPECT_THAT(page, HasSubstr("<title>A &amp; B</title>"));
  EXPECT_THAT(page, Not(HasSubstr("<script src")));
}

TEST(FigurePicture, IsTheSameEveryTime) {
  const std::string picture = *to_svg(two_panels());
  EXPECT_EQ(picture, *to_svg(two_panels()));
  EXPECT_THAT(picture, HasSubstr(">A &amp; B</text>"));
  // In order of x: the range is log10 2 to 3, with a margin of 0.04 of it.
  EXPECT_THAT(picture, HasSubstr("<polyline points=\"9.3,"));
  EXPECT_THAT(picture, HasSubstr("<circle cx="));
  EXPECT_LT(picture.size(), 6000u);
}

TEST(Figure, WithoutPointsOrWithPointsThatCannotBeDrawnIsRefused) {
  Figure figure = two_panels();
  figure.panels[0].series[0].points[0].x = 0;
  EXPECT_THAT(to_svg(figure).error().message(), HasSubstr("must be greater than 0 on a logarithmic axis"));
  figure = two_panels();
  figure.panels[1].series[0].points[0].y = std::numeric_limits<double>::infinity();
  EXPECT_THAT(to_vega_lite(figure).error().message(), HasSubstr("must be finite"));
  figure = two_panels();
  figure.panels[1].series[0].points.clear();
  EXPECT_FALSE(to_html(figure));
  figure = two_panels();
  figure.panels.clear();
  EXPECT_FALSE(to_svg(figure));
  figure = two_panels();
  figure.title.clear();
  EXPECT_FALSE(to_svg(figure));
}

}  // namespace
}  // namespace tacet::report
