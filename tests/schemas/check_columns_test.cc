#include "tacet/schemas/check_columns.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/schemas/data_path.h"

#include "data/test_files.h"

namespace tacet::schemas {
namespace {

using namespace data;

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const char* const kColumns = "[columns.sex]\ncategories = [\"f\"]\n[columns.age]\nlower = 0\nupper = 9\nresolution = 1\n[columns.note]\n";

TEST(CheckColumns, TellsDeclaredColumnsThatAreMissingOrThereTwice) {
  const TestFolder folder;
  const auto check = [&](const std::string& header) {
    return *check_columns(*schemas::open_data(folder.write("t.csv", header + "\n")), schema_with(kColumns));
  };
  EXPECT_EQ(check("sex,age").found, 2U);
  EXPECT_THAT(check("sex,age").missing, ElementsAre());  // a column without categories and bounds is never read
  EXPECT_THAT(check("Sex,age").missing, ElementsAre("sex"));
  EXPECT_THAT(check("sex,age,age").repeated, ElementsAre("age"));
  EXPECT_EQ(check("sex,age,age").found, 1U);
}

TEST(CheckColumns, LooksForTheColumnThatNamesPeople) {
  const TestFolder folder;
  const DataFile file = *schemas::open_data(folder.write("t.csv", "sex,age\n"));
  const Schema schema = schema_with("contributions = { person = \"note\", rows = 2 }\n" + std::string(kColumns));
  EXPECT_THAT(check_columns(file, schema)->missing, ElementsAre("note"));
}

TEST(CheckColumns, HintsAtADelimiterOnlyWhereTheFirstLineIsOneField) {
  const TestFolder folder;
  const auto hint = [&](const std::string& name, const std::string& header, const std::string& dialect = "") {
    return check_columns(*schemas::open_data(folder.write(name, header + "\n")), schema_with(dialect + kColumns))->hint;
  };
  EXPECT_THAT(hint("t.csv", "sex;age"), HasSubstr("write under [csv]: delimiter = \";\""));
  EXPECT_THAT(hint("t.csv", "sex|age"), HasSubstr("write under [csv]: delimiter = \"|\""));
  EXPECT_THAT(hint("t.tsv", "sex,age"), HasSubstr("write under [csv]: delimiter = \",\""));
  EXPECT_THAT(hint("t.csv", "sex,age", "[csv]\ndelimiter = \";\"\n"), HasSubstr("write under [csv]: delimiter = \",\""));
  EXPECT_EQ(hint("t.csv", "\"sex,age\""), "");  // parted by commas already
  EXPECT_EQ(hint("t.csv", "sex;x,years"), "");
  EXPECT_EQ(hint("t.csv", "gender"), "");
}

}  // namespace
}  // namespace tacet::schemas
