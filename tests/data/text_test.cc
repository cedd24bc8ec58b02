#include "tacet/data/text.h"

#include <gtest/gtest.h>

namespace tacet::data {
namespace {

TEST(Text, QuotesAreOneLineWhateverTheName) {
  EXPECT_EQ(in_quotes("plain"), "\"plain\"");
  EXPECT_EQ(in_quotes("a\"b\\c\nd\te"), R"("a\"b\\c\nd\te")");
  EXPECT_EQ(in_quotes(std::string("\x01\x7f\0", 3)), R"("\u0001\u007F\u0000")");
  EXPECT_EQ(in_quotes("größe"), "\"größe\"");
  EXPECT_EQ(in_quotes("\xff"), "\"\xEF\xBF\xBD\"");
}

TEST(Text, KeysAreBareWhereTomlAllowsIt) {
  EXPECT_EQ(toml_key("hours-per_week2"), "hours-per_week2");
  EXPECT_EQ(toml_key("a.b"), "\"a.b\"");
  EXPECT_EQ(toml_key(""), "\"\"");
}

}  // namespace
}  // namespace tacet::data
