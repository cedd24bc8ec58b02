#include "tacet/workflow/release/import_table.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "service/desk.h"

namespace tacet::service {
namespace {

using test::Desk;
using ::testing::HasSubstr;

TEST(ImportOfCsv, MakesAReleaseWithItsLabels) {
  const Desk desk;
  desk.write("published.csv", "sex,plan,people\nf,basic,812\nf,plus,90\nm,basic,455\nm,plus,120\n");
  desk.write("published.json", "[[812, 90], [455, 120]]");
  const auto long_form = desk.call(
      "import table",
      {{"values", desk.path("published.csv")}, {"count", "people"}, {"n", 1468}, {"noise", "laplace:2"}, {"out", desk.path("a.json")}});
  ASSERT_TRUE(long_form.ok()) << long_form.error().message();
  const auto json = desk.call("import table",
                              {{"values", desk.path("published.json")}, {"n", 1468}, {"noise", "laplace:2"}, {"out", desk.path("b.json")}});
  EXPECT_EQ(long_form->at("values"), json->at("values"));
  EXPECT_EQ(long_form->at("axes")[1]["name"], "plan");
  // What is inferred does not depend on the form of the file.
  const auto tested = [&](const char* file) { return desk.call("infer independence", {{"release", desk.path(file)}})->at("p_value"); };
  EXPECT_EQ(tested("a.json"), tested("b.json"));
  EXPECT_EQ(desk.call("import table",
                      {{"values", desk.path("published.json")}, {"count", "people"}, {"noise", "laplace:2"}, {"out", desk.path("c.json")}})
                .error()
                .message(),
            "count is people, but goes with a file in CSV, whose name ends in .csv or .tsv; a JSON file has nothing but counts");
}

TEST(ImportOfCsv, TakesDelimitersAsWordsOrCharacters) {
  const Desk desk;
  desk.write("published.csv", "sex;basic;plus\nf;812;90\nm;455;120\n");
  for (const std::string delimiter : {"semicolon", ";"}) {
    EXPECT_TRUE(desk.call("import table", {{"values", desk.path("published.csv")},
                                           {"delimiter", delimiter},
                                           {"noise", "laplace:2"},
                                           {"out", desk.path(delimiter + ".json")}})
                    .ok())
        << delimiter;
  }
  EXPECT_EQ(desk.call("import table",
                      {{"values", desk.path("published.csv")}, {"delimiter", "|"}, {"noise", "laplace:2"}, {"out", desk.path("bar.json")}})
                .error()
                .message(),
            "delimiter is |, but must be comma, semicolon or tab");
}

TEST(ImportOfCsv, RefusesTotalsThatWouldCountEverybodyTwice) {
  const Desk desk;
  const auto imported = [&](const std::string& csv, const std::string& noise) {
    desk.write("published.csv", csv);
    return desk.call("import table",
                     {{"values", desk.path("published.csv")}, {"noise", noise}, {"out", desk.path("release" + noise + ".json")}});
  };
  EXPECT_EQ(
      imported("sex,basic,plus,Total\nf,812,90,905\nm,455,120,571\n", "laplace:2").error().message(),
      "values is a table with totals (category 3 of 3), but must count everybody once: this category is named as a total, and adds up "
      "the others; leave it out; everything that totals are good for follows from the cells");
  EXPECT_EQ(imported("sex,basic,plus\nf,812,90\nm,455,120\nall,1266,213\n", "laplace:2").error().name(), "values");
  // A category of that name that adds up nothing is one like others.
  EXPECT_TRUE(imported("insurance,basic,plus\nnone,812,90\npart,455,120\nall,300,25\n", "laplace:2").ok());
}

TEST(ImportOfDiscreteNoise, KnowsTheFamiliesThatOthersPublish) {
  const Desk desk;
  desk.write("published.csv", "smoking,people\nnever,812\nformer,90\ncurrent,455\n");
  const auto imported = [&](const std::string& noise) {
    return desk.call("import table", {{"values", desk.path("published.csv")}, {"noise", noise}, {"out", desk.path(noise + ".json")}});
  };
  const auto census = imported("discrete-gaussian:variance=6.25");
  ASSERT_TRUE(census.ok()) << census.error().message();
  EXPECT_EQ(census->at("noise")["family"], "discrete-gaussian");
  EXPECT_EQ(census->at("noise")["scale"], 2.5);
  const auto geometric = imported("geometric:epsilon=2");
  EXPECT_EQ(geometric->at("noise")["family"], "geometric");
  EXPECT_EQ(geometric->at("noise")["scale"], 0.5);
  EXPECT_THAT(desk.said, HasSubstr("its standard deviation is 0.6017; that of laplace noise of this scale would be 0.7071"));
  const auto estimate = desk.call("infer estimate", {{"release", desk.path("geometric:epsilon=2.json")}});
  ASSERT_TRUE(estimate.ok()) << estimate.error().message();
  EXPECT_EQ(estimate->at("margin"), 2);
  EXPECT_EQ(imported("cauchy:1").error().name(), "noise");
  EXPECT_EQ(imported("geometric:epsilon=0").error().name(), "noise scale");
  EXPECT_EQ(imported("gaussian:variance=2").error().name(), "noise scale");
  desk.write("published.csv", "smoking,people\nnever,812.5\nformer,90\n");
  EXPECT_EQ(
      imported("geometric:3").error().message(),
      "values is a table with a fraction, but must be whole numbers, as noise on the integers leaves them; give the table as it was before "
      "anything was subtracted, shrunk or projected, or its continuous noise");
}

TEST(ImportOfChangedTables, IsRefusedWhereItShows) {
  const Desk desk;
  const auto imported = [&](const std::string& values, const Json& more) {
    desk.write("published.json", values);
    Json request = {{"values", desk.path("published.json")}, {"noise", "gaussian:2"}, {"out", desk.path("r.json")}};
    request.update(more);
    return desk.call("import table", request);
  };
  EXPECT_EQ(
      imported("[10.5, 0, 0, 3.25]", Json::object()).error().message(),
      "values is a table with several cells that are exactly 0, but must be as they were published with their noise; these look truncated "
      "at 0; import the table as it was before, or say what was done to it: project = nonnegative, or shrink");
  EXPECT_THAT(imported("[10.333333333333, 4.666666666667, 5]", {{"n", 20}}).error().message(),
              HasSubstr("values is a table that sums to n exactly"));
  const auto kept = imported("[10.333333333333, 4.666666666667, 5]", {{"n", 20}, {"structure", "sum-zero"}});
  ASSERT_TRUE(kept.ok()) << kept.error().message();
  EXPECT_EQ(kept->at("noise")["structure"], "sum-zero");
  // With few digits it may be chance.
  EXPECT_TRUE(imported("[10.5, 4.5, 5]", {{"n", 20}, {"out", desk.path("chance.json")}}).ok());
  EXPECT_EQ(imported("[10.5, 4.5, 6]", {{"n", 20}, {"structure", "sum-zero"}}).error().name(), "values");
  EXPECT_EQ(imported("[10, 4, 6]", {{"n", 20}, {"structure", "sum-zero"}, {"noise", "laplace:2"}}).error().name(), "noise structure");
}

TEST(ImportOfChangedTables, TakesThemWhereItIsSaidWhatWasDone) {
  const Desk desk;
  desk.write("null.json", "[0.25, 0.25, 0.25, 0.25]");
  const auto imported = [&](const std::string& values, const std::string& out, const Json& more) {
    desk.write("published.json", values);
    Json request = {{"values", desk.path("published.json")}, {"noise", "gaussian:8"}, {"out", desk.path(out)}};
    request.update(more);
    return desk.call("import table", request);
  };
  const auto truncated = imported("[60.5, 0, 0, 43.25]", "nonnegative.json", {{"n", 100}, {"project", "nonnegative"}});
  ASSERT_TRUE(truncated.ok()) << truncated.error().message();
  EXPECT_EQ(truncated->at("kind"), "denoised-counts");
  EXPECT_EQ(truncated->at("denoised"), Json({{"shrink", "none"}, {"project", "nonnegative"}}));
  EXPECT_THAT(desk.said, HasSubstr("After its noise was added it was denoised (shrink none, project nonnegative)."));
  const auto fit = desk.call("infer gof", {{"release", desk.path("nonnegative.json")}, {"null", desk.path("null.json")}});
  ASSERT_TRUE(fit.ok()) << fit.error().message();
  EXPECT_EQ(fit->at("outcome"), "reject");
  EXPECT_EQ(fit->at("statistic_kind"), "classical");
  EXPECT_EQ(fit->at("project"), "nonnegative");
  EXPECT_NEAR(fit->at("statistic").get<double>(), (35.5 * 35.5 + 25 * 25 + 25 * 25 + 18.25 * 18.25) / 25, 1e-9) << "the table as it is";
  EXPECT_THAT(fit->at("null_law").get<std::string>(), HasSubstr("denoised like it (shrink none, project nonnegative)"));
  const Json gof = {{"release", desk.path("nonnegative.json")}, {"null", desk.path("null.json")}};
  for (const auto& [field, value] : {std::pair("shrink", "js"), std::pair("project", "simplex")}) {
    Json again = gof;
    again[field] = value;
    EXPECT_EQ(desk.call("infer gof", again).error().name(), field);
  }
  // What knows noise about the true counts refuses it.
  for (const std::string verb : {"estimate", "residuals", "gwas"}) {
    EXPECT_THAT(desk.call("infer " + verb, {{"release", desk.path("nonnegative.json")}}).error().message(),
                HasSubstr("of the kind denoised-counts"))
        << verb;
  }
  ASSERT_TRUE(imported("[[60, 10], [10, 20]]", "square.json", {{"n", 100}, {"project", "simplex"}}).ok());
  EXPECT_EQ(desk.call("infer independence", {{"release", desk.path("square.json")}})->at("outcome"), "reject");
  EXPECT_EQ(desk.call("infer independence", {{"release", desk.path("square.json")}, {"statistic", "projected"}}).error().name(),
            "statistic");
  ASSERT_TRUE(imported("[[30, 20], [10, 40]]", "other.json", {{"n", 100}, {"project", "simplex"}}).ok());
  ASSERT_TRUE(imported("[[30, 20], [10, 40.5]]", "plain.json", {{"n", 100}}).ok());
  const auto compared = [&](const std::string& a, const std::string& b) {
    return desk.call("infer homogeneity", {{"releases", desk.path(a) + "," + desk.path(b)}});
  };
  const auto both = compared("square.json", "other.json");
  ASSERT_TRUE(both.ok()) << both.error().message();
  EXPECT_EQ(both->at("project"), "simplex");
  EXPECT_THAT(compared("square.json", "plain.json").error().message(), HasSubstr("some that were denoised"));
  // What has no valid test, with the reason.
  ASSERT_TRUE(imported("[[30.1, 20], [10, 40]]", "shrunk.json", {{"n", 100}, {"shrink", "js+"}}).ok());
  EXPECT_THAT(desk.call("infer independence", {{"release", desk.path("shrunk.json")}}).error().message(), HasSubstr("has other margins"));
  ASSERT_TRUE(imported("[[30.2, 20], [10, 40]]", "too.json", {{"n", 100}, {"shrink", "js+"}}).ok());
  EXPECT_THAT(compared("shrunk.json", "too.json").error().message(), HasSubstr("more alike than their people"));
  ASSERT_TRUE(imported("[60.5, 0, 0, 43.25]", "no_n.json", {{"project", "nonnegative"}}).ok());
  EXPECT_THAT(desk.call("infer gof", {{"release", desk.path("no_n.json")}, {"null", desk.path("null.json")}}).error().message(),
              HasSubstr("n is not public"));
  EXPECT_EQ(imported("[60.5, -1, 0, 43.25]", "x.json", {{"project", "nonnegative"}}).error().name(), "values");
  EXPECT_EQ(imported("[60.5, 1, 0, 43.25]", "x.json", {{"project", "simplex"}}).error().name(), "project");
  EXPECT_EQ(imported("[60.5, 1, 0, 43.25]", "x.json", {{"project", "bounds"}}).error().name(), "project");
}

}  // namespace
}  // namespace tacet::service
