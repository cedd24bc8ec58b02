#include "tacet/base/text.h"

#include <gtest/gtest.h>

namespace tacet {
namespace {

TEST(Text, QuotesAreOneLineWhateverTheName) {
  EXPECT_EQ(in_quotes("plain"), "\"plain\"");
  EXPECT_EQ(in_quotes("a\"b\\c\nd\te"), R"("a\"b\\c\nd\te")");
  EXPECT_EQ(in_quotes(std::string("\x01\x7f\0", 3)), R"("\u0001\u007F\u0000")");
  EXPECT_EQ(in_quotes("größe"), "\"größe\"");
  EXPECT_EQ(in_quotes("\xff"), "\"\xEF\xBF\xBD\"");
}

TEST(Text, Utf8IsCheckedAsUnicodeDefinesIt) {
  for (const char* good :
       {"", "ascii only, longer than a word", "\xC2\x80", "\xE0\xA0\x80", "\xED\x9F\xBF", "\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF"}) {
    EXPECT_TRUE(is_utf8(good)) << good;
  }
  for (const char* bad : {"\x80", "\xC0\x80", "\xC1\xBF", "\xE0\x9F\xBF", "\xED\xA0\x80", "\xF0\x8F\xBF\xBF", "\xF4\x90\x80\x80",
                          "\xF5\x80\x80\x80", "\xC2", "\xE2\x82", "12345678\xFF", "\xC2\x41"}) {
    EXPECT_FALSE(is_utf8(bad)) << in_quotes(bad);
  }
}

}  // namespace
}  // namespace tacet
