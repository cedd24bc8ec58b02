#include "tacet/service/csv_table.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "service/desk.h"

namespace tacet::service {
namespace {

using test::Desk;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(CsvTable, ReadsAMatrixWithLabels) {
  const auto table = parse_csv_table("sex,basic,plus\nf,812,90\r\nm, 455 ,-1.5e1\n", {});
  ASSERT_TRUE(table.ok()) << table.error().message();
  EXPECT_THAT(table->shape, ElementsAre(2, 2));
  EXPECT_THAT(table->values, ElementsAre(812, 90, 455, -15));
  EXPECT_EQ(table->axes[0].name, "sex");
  EXPECT_THAT(table->axes[0].labels, ElementsAre("f", "m"));
  EXPECT_EQ(table->axes[1].name, "columns");
  EXPECT_THAT(table->axes[1].labels, ElementsAre("basic", "plus"));
  EXPECT_EQ(table->cell_name(3), "sex=m, columns=plus");
}

TEST(CsvTable, ReadsAListWithLabels) {
  const auto table = parse_csv_table("smoking,people\nnever,10\n\"former, long ago\",4\n\ncurrent,7", {});
  ASSERT_TRUE(table.ok()) << table.error().message();
  EXPECT_THAT(table->shape, ElementsAre(3));
  EXPECT_THAT(table->axes[0].labels, ElementsAre("never", "former, long ago", "current"));
  EXPECT_THAT(table->values, ElementsAre(10, 4, 7));
}

TEST(CsvTable, ReadsTheLongFormInAnyOrder) {
  const auto table = parse_csv_table("sex;people;plan;site\nm;1;plus;a\nf;2;plus;a\nf;3;basic;a\nm;4;basic;a\n",
                                     {.delimiter = CsvDelimiter::Semicolon, .count = "people"});
  ASSERT_TRUE(table.ok()) << table.error().message();
  EXPECT_THAT(table->shape, ElementsAre(2, 2, 1));
  EXPECT_EQ(table->axes[1].name, "plan");
  EXPECT_THAT(table->axes[0].labels, ElementsAre("m", "f"));
  EXPECT_THAT(table->axes[1].labels, ElementsAre("plus", "basic"));
  EXPECT_THAT(table->values, ElementsAre(1, 4, 2, 3));
}

TEST(CsvTable, KeepsQuotesAndLineBreaksOfLabels) {
  const auto table = parse_csv_table("\xef\xbb\xbf\"a \"\"b\"\"\"\tc\n\"x\ny\"\t1\n", {.delimiter = CsvDelimiter::Tab});
  ASSERT_TRUE(table.ok()) << table.error().message();
  EXPECT_EQ(table->axes[0].name, "a \"b\"");
  EXPECT_THAT(table->axes[0].labels, ElementsAre("x\ny"));
}

TEST(CsvTable, RefusesWhatIsNoTableAndNamesTheLine) {
  const auto refused = [](const std::string& text, const CsvTableOptions& options = {}) {
    return parse_csv_table(text, options).error().message();
  };
  EXPECT_EQ(refused("a,b\nx,1\ny,1,2\n"),
            "values is a file with 3 fields in line 3, but must have the 2 fields of the first line in every line");
  EXPECT_EQ(refused("a,b\nx,\"1,234\"\n"),
            "values is a file with no number as field 2 in line 2, but must have a number such as 1234.5 for every count, without "
            "separators of thousands");
  EXPECT_EQ(
      refused("a,b\nx,\n"),
      "values is a file with nothing as field 2 in line 2, but must have a number such as 1234.5 for every count, without separators of "
      "thousands");
  EXPECT_THAT(refused("a,b\nx,nan\n"), HasSubstr("no number as field 2 in line 2"));
  EXPECT_EQ(refused("a;b\nx;1\n"),
            "values is a file with one column, but must have a line of names, and lines with labels and counts; a file with semicolons or "
            "tabs needs delimiter = semicolon or delimiter = tab");
  EXPECT_THAT(refused(""), HasSubstr("values is an empty file"));
  EXPECT_EQ(refused("a,b\nx,1\nx,2\n"), "values is a file with the same label of a row twice, but must have different labels");
  EXPECT_EQ(refused("a,b,b\nx,1,2\n"), "values is a file with the same name of a column twice, but must have different labels");
  EXPECT_THAT(refused("a,\"b\nx,1\n"), HasSubstr("a quote that is not closed in line 1"));
  EXPECT_THAT(refused("a,\"b\"c\nx,1\n"), HasSubstr("text after a quote in line 1"));
  EXPECT_THAT(refused("a,b\n\xff,1\n"), HasSubstr("not UTF-8"));
  EXPECT_EQ(refused("sex,plan,n\nf,a,1\nm,b,2\n", {.count = "n"}),
            "values is a file with too few or too many counts, but must have one for each combination of the categories; add the missing "
            "cells, whose noisy counts are not 0, and leave out totals");
  EXPECT_THAT(refused("sex,n\nf,1\nf,2\n", {.count = "n"}), HasSubstr("too many counts, but must have one for each combination"));
  EXPECT_THAT(refused("sex,plan,n\nf,a,1\nf,a,2\nm,b,3\nm,b,4\n", {.count = "n"}),
              HasSubstr("a combination of categories that was there before in line 3"));
  EXPECT_EQ(refused("sex,n\nf,1\n", {.count = "people"}),
            "count is \"people\", but must be a name in the first line of the file; write it as it is there");
}

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
      "at 0; import the table before it was truncated; `infer estimate` truncates with project = nonnegative");
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

}  // namespace
}  // namespace tacet::service
