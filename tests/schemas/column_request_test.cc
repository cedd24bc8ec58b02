#include "tacet/schemas/column_request.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/test_files.h"

namespace tacet::schemas {
namespace {

using ::testing::HasSubstr;

data::Schema people() {
  return data::schema_with(
      "[columns.smoking]\ncategories = [\"never\", \"former\"]\n[columns.disease]\ncategories = [\"no\"]\n[columns.\"body mass\"]\n"
      "[columns.age]\nlower = 0\nupper = 9\nresolution = 1\n");
}

TEST(ColumnRequest, TablesNeedCategories) {
  const auto error = [](const std::vector<std::string>& by) { return check_tabulated(people(), by).error(); };
  EXPECT_TRUE(check_tabulated(people(), {"smoking", "disease"}).ok());
  EXPECT_EQ(error({}).code(), Code::InvalidArgument);
  EXPECT_THAT(error({}).message(), HasSubstr("must name at least one column"));
  EXPECT_EQ(error({"smokng"}).code(), Code::NotFound);
  EXPECT_EQ(error({"smokng"}).message(),
            "column \"smokng\" is not in the schema, which declares \"smoking\", \"disease\", \"body mass\", \"age\"; did you mean "
            "\"smoking\"?");
  EXPECT_THAT(error({"x.y"}).message(), HasSubstr("declare it: [columns.\"x.y\"], and below it categories = [\"...\", \"...\"]"));
  EXPECT_THAT(error({"smoking", "smoking"}).message(), HasSubstr("must name each column once"));
  EXPECT_EQ(error({"body mass"}).code(), Code::SchemaInvalid);
  EXPECT_THAT(error({"body mass"}).message(), HasSubstr("write under [columns.\"body mass\"]: categories = [\"...\", \"...\"]"));
  EXPECT_THAT(error({"age"}).message(), HasSubstr("write under [columns.age]: bins = [..., ..., ...]"));
}

TEST(ColumnRequest, TablesHaveALimit) {
  std::string categories;
  for (int i = 0; i < 4000; ++i) categories += fmt::format("\"c{}\", ", i);
  const data::Schema schema =
      data::schema_with(fmt::format("[columns.a]\ncategories = [{0}]\n[columns.b]\ncategories = [{0}]\n", categories));
  EXPECT_TRUE(check_tabulated(schema, {"a"}).ok());
  EXPECT_EQ(
      check_tabulated(schema, {"a", "b"}).error().message(),
      "by is a table of 4001 x 4001 cells, but must make at most 10000000 cells; tabulate fewer columns, or declare fewer categories");
}

TEST(ColumnRequest, SchemaIsUsableIfEveryDeclaredColumnIsAndThereIsOne) {
  const auto usable = [](const std::string& columns) { return check_usable(data::schema_with(columns)); };
  EXPECT_TRUE(usable("[columns.a]\ncategories = [\"x\"]\n[columns.note]\n").ok());
  EXPECT_THAT(usable("[columns.a]\n[columns.b]\n").error().message(), HasSubstr("write for example under [columns.a]: categories = "));
  const std::string fine = "[columns.a]\ncategories = [\"x\"]\n[columns.b]\nlower = 0\nupper = 1\nresolution = ";
  EXPECT_TRUE(usable(fine + "1e-7\n").ok());
  EXPECT_THAT(usable(fine + "1e-8\n").error().message(),
              HasSubstr("the resolution of column \"b\" is 0.00000001, but must leave at most 67108864 steps"));
}

TEST(ColumnRequest, SumsNeedBounds) {
  const auto error = [](const std::vector<std::string>& columns) { return check_summed(people(), columns).error(); };
  EXPECT_TRUE(check_summed(people(), {"age"}).ok());
  EXPECT_THAT(error({}).message(), HasSubstr("must name 1 to 64 columns"));
  EXPECT_THAT(error({"agee"}).message(), HasSubstr("did you mean \"age\"?"));
  EXPECT_THAT(error({"zzzzzz"}).message(), HasSubstr("declare it: [columns.zzzzzz], and below it lower = ..., upper = ..."));
  EXPECT_THAT(error({"age", "age"}).message(), HasSubstr("must name each column once"));
  EXPECT_EQ(error({"smoking"}).code(), Code::SchemaInvalid);
  EXPECT_THAT(error({"smoking"}).message(), HasSubstr("a column with categories can be counted"));
  EXPECT_THAT(error({"body mass"}).message(), HasSubstr("write under [columns.\"body mass\"]: lower = ..."));
}

}  // namespace
}  // namespace tacet::schemas
