#include "tacet/schemas/chosen_bins.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/schemas/column_request.h"

#include "data/test_files.h"

namespace tacet::schemas {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

data::Schema of_ages() {
  return data::schema_with(
      "[columns.age]\nlower = 0\nupper = 120\nresolution = 1\n[columns.\"b:c\"]\nlower = -1\nupper = 1\nresolution = 0.01\n"
      "[columns.day]\ndate = true\nlower = 2024-01-01\nupper = 2024-12-31\n[columns.sex]\ncategories = [\"f\", \"m\"]\n"
      "[columns.only]\nbins = [0, 1, 2]\n");
}

std::vector<std::string> edges_of(const data::Bins& bins) {
  std::vector<std::string> texts;
  for (const Decimal& edge : bins.edges) texts.push_back(edge.to_string());
  return texts;
}

Result<std::vector<data::Bins>> chosen(const std::vector<std::string>& by, const std::string& text) {
  TACET_TRY(const std::vector<ColumnEdges> asked, parse_bins(text));
  return chosen_bins(of_ages(), by, asked);
}

TEST(ChosenBins, AreReadFromText) {
  const auto one = chosen({"age"}, "age:0,40.0,120");
  ASSERT_TRUE(one.ok()) << one.error().message();
  ASSERT_EQ(one->size(), 1U);
  EXPECT_EQ(one->front().column, "age");
  EXPECT_THAT(edges_of(one->front()), ElementsAre("0", "40", "120"));
  const auto several = chosen({"day", "b:c"}, " b:c : -0.5 , 0.25 ; day:2024-01-01,2024-07-01");
  ASSERT_TRUE(several.ok()) << several.error().message();
  EXPECT_THAT(edges_of(several->at(0)), ElementsAre("-0.5", "0.25"));
  EXPECT_THAT(edges_of(several->at(1)), ElementsAre("19723", "19905"));
  EXPECT_TRUE(chosen_bins(of_ages(), {"age"}, {})->empty());
}

TEST(ChosenBins, RefuseWhatIsNotPublicKnowledgeOfTheColumn) {
  const auto refused = [](const std::vector<std::string>& by, const std::string& text) {
    const auto bins = chosen(by, text);
    if (bins.ok()) return std::string("not refused");
    EXPECT_EQ(bins.error().code(), Code::InvalidArgument);
    return bins.error().message();
  };
  EXPECT_EQ(refused({"age"}, "age 0,40"),
            "bins is \"age 0,40\", but must have a column, a colon and its edges; for example: bins = age:0,40,65,120");
  EXPECT_THAT(refused({"age"}, ""), HasSubstr("must have a column, a colon and its edges"));
  EXPECT_THAT(refused({"age"}, "age:0,40;"), HasSubstr("must have a column, a colon and its edges"));
  EXPECT_EQ(refused({"sex"}, "age:0,40"),
            "bins is \"age\", but must be of columns of the table, which by names; add the column to by, or leave it out");
  EXPECT_THAT(refused({"age"}, "agee:0,40"), HasSubstr("must be of columns of the table"));
  EXPECT_THAT(refused({"age"}, "age:0,40;age:0,50"), HasSubstr("bins is \"age\" twice, but must name each column once"));
  EXPECT_THAT(refused({"sex"}, "sex:0,40"), HasSubstr("must be of columns with bounds in the schema; leave it out: a column without"));
  EXPECT_THAT(refused({"only"}, "only:0,2"), HasSubstr("without bounds, the bins of the schema count"));
  EXPECT_THAT(refused({"age"}, "age:40"), HasSubstr("must have at least two edges for each column"));
  EXPECT_THAT(refused({"age"}, "age:0,forty"), HasSubstr("bins is \"forty\", but must be decimal numbers"));
  EXPECT_THAT(refused({"age"}, "age:0,,40"), HasSubstr("bins is \"\", but must be decimal numbers"));
  EXPECT_THAT(refused({"age"}, "age:0,nan"), HasSubstr("must be decimal numbers"));
  EXPECT_THAT(refused({"age"}, "age:0," + std::string(41, '1')), HasSubstr("of at most 40 letters"));
  EXPECT_EQ(refused({"age"}, "age:0,40,40"), "bins is \"age\", but must increase: 40 comes after 40; for example: bins = age:0,40,65,120");
  EXPECT_THAT(refused({"age"}, "age:-1,40"), HasSubstr("must lie between the bounds in the schema, 0 and 120; numbers beyond the bounds"));
  EXPECT_THAT(refused({"age"}, "age:0,121"), HasSubstr("must lie between the bounds in the schema"));
  EXPECT_THAT(refused({"day"}, "day:0,100"), HasSubstr("bins is \"0\", but must be dates: \"day\" has dates; for example: 2024-05-31"));
  EXPECT_THAT(refused({"day"}, "day:2023-12-31,2024-05-01"), HasSubstr("bounds in the schema, 2024-01-01 and 2024-12-31"));
}

TEST(ChosenBins, MakeAColumnWithBoundsTabulable) {
  const data::Schema schema = of_ages();
  EXPECT_FALSE(check_tabulated(schema, {"age"}).ok());
  EXPECT_TRUE(check_tabulated(schema, {"age", "sex"}, *chosen({"age"}, "age:0,40,120")).ok());
  std::vector<data::Bins> many(1);
  many[0].column = "b:c";
  for (int i = 0; i < 4000; ++i) many[0].edges.emplace_back(i, -4);
  many.push_back(many[0]);
  many[1].column = "age";
  EXPECT_THAT(check_tabulated(schema, {"b:c", "age"}, many).error().message(),
              HasSubstr("by is a table of 4000 x 4000 cells, but must make at most 10000000 cells"));
}

}  // namespace
}  // namespace tacet::schemas
