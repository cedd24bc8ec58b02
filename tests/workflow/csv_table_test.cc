#include "tacet/workflow/release/csv_table.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tacet {
namespace {

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

}  // namespace
}  // namespace tacet
