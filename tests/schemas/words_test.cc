#include "tacet/schemas/words.h"

#include <gtest/gtest.h>

#include "tacet/data/text.h"

namespace tacet::schemas {
namespace {

TEST(Words, SuggestsOnlyWhatIsNear) {
  EXPECT_EQ(did_you_mean("smokng", {"sex", "smoking"}), "did you mean \"smoking\"?");
  EXPECT_EQ(did_you_mean("income", {"sex", "smoking"}), "");
}

TEST(Words, LongListsAreCut) {
  std::vector<std::string> many(25, "x");
  EXPECT_TRUE(listed(many).ends_with("\"x\" and 5 more"));
}

TEST(Words, Utf8IsCheckedAsUnicodeDefinesIt) {
  for (const char* good :
       {"", "ascii only, longer than a word", "\xC2\x80", "\xE0\xA0\x80", "\xED\x9F\xBF", "\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF"}) {
    EXPECT_TRUE(is_utf8(good)) << good;
  }
  for (const char* bad : {"\x80", "\xC0\x80", "\xC1\xBF", "\xE0\x9F\xBF", "\xED\xA0\x80", "\xF0\x8F\xBF\xBF", "\xF4\x90\x80\x80",
                          "\xF5\x80\x80\x80", "\xC2", "\xE2\x82", "12345678\xFF", "\xC2\x41"}) {
    EXPECT_FALSE(is_utf8(bad)) << data::in_quotes(bad);
  }
}

}  // namespace
}  // namespace tacet::schemas
