#include "tacet/workflow/custody/terms_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/data/coder.h"
#include "tacet/schemas/schema_text.h"

namespace tacet::terms_check_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

data::Schema column_with(const std::string& fields) {
  return *schemas::parse_schema("tacet = 1\ndataset = \"d\"\nledger = \"d.ledger\"\n[columns.a]\n" + fields, false, "");
}

TEST(TextsAlike, AreNamedWithTheirColumn) {
  EXPECT_THAT(texts_alike(column_with("categories = [\"1\", \"2\", \"1.0\"]\n")),
              ElementsAre("column \"a\" declares \"1\" and \"1.0\", which differ only in outer spaces or as 1 and 1.0 do; a file that "
                          "writes such values in another way cannot tell them apart, so declare one of them"));
  EXPECT_THAT(texts_alike(column_with("categories = [\"yes\", \"no\", \" yes\"]\n")), ElementsAre(HasSubstr("\"yes\" and \" yes\"")));
  EXPECT_THAT(texts_alike(column_with("categories = [\"-3.0\", \"b\"]\nmissing_values = [\"-3 \"]\n")),
              ElementsAre(HasSubstr("\"-3.0\" and \"-3 \"")));
}

TEST(TextsAlike, AreNoneWhereTheBytesDifferOtherwise) {
  EXPECT_THAT(texts_alike(column_with("categories = [\"1\", \"1.5\", \"01\", \"1.00\", \"a\", \"A\", \"a.0\", \"-\", \"-.0\", \".0\"]\n")),
              ElementsAre());
  EXPECT_THAT(texts_alike(column_with("lower = 0\nupper = 1\nresolution = 0.5\nmissing_values = [\"\", \"-1\"]\n")), ElementsAre());
}

// The rule is that of the scan: a text that is alike falls into the cell of the other.
TEST(TextsAlike, AgreeWithTheScan) {
  const std::vector<std::string> texts = {"1",  "1.0",  " 1", "1.0 ", "-1", "-1.0", "a",   " a", "a.0", "1.00", "1.5",
                                          "01", "01.0", "-",  "-.0",  ".0", "A",    "\ta", "0",  "-0",  "1e0"};
  for (const std::string& one : texts) {
    for (const std::string& two : texts) {
      if (one == two) continue;
      const auto falls_into = [](const std::string& text, const std::string& declared) {
        return data::Coder({.labels = {declared, "other"}, .declared = 1, .other = 1, .missing = 1}, {}).code(text) == 0;
      };
      // A declared text with outer spaces is found by its bytes only: ask for it without them.
      const std::string inner(data::trimmed(two));
      const bool alike = falls_into(one, inner);
      data::Schema schema = column_with("categories = [\"x\", \"y\"]\n");
      schema.columns.front().categories->labels = {one, two, "other"};
      EXPECT_EQ(texts_alike(schema).size(), alike ? 1 : 0) << one << " and " << two;
    }
  }
}

}  // namespace
}  // namespace tacet::terms_check_test
