#include "tacet/data/coder.h"

#include <gtest/gtest.h>

namespace tacet::data {
namespace {

Categories numbered(std::size_t count) {
  Categories categories;
  for (std::size_t i = 0; i < count; ++i) categories.labels.push_back("c" + std::to_string(i));
  categories.declared = count;
  categories.labels.emplace_back("other");
  categories.labels.emplace_back("missing");
  categories.other = count;
  categories.missing = count + 1;
  return categories;
}

TEST(Coder, EveryTextHasACellInRange) {
  for (const std::size_t count : {1U, 7U, 8U, 9U, 5000U}) {  // on both sides of the step from comparing to hashing
    const Coder coder(numbered(count), {"?"});
    EXPECT_EQ(coder.size(), count + 2);
    for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(coder.code("c" + std::to_string(i)), i);
    EXPECT_EQ(coder.missing(), count + 1);
    EXPECT_EQ(coder.code("?"), count + 1);
    // Labels of cells are not values: a person who writes "missing" is not missing, and "other" is
    // just another value.
    for (const std::string_view odd :
         {std::string_view("missing"), std::string_view("other"), std::string_view(""), std::string_view("C0"), std::string_view("c 0"),
          std::string_view("c0\0", 3), std::string_view("c0.0"), std::string_view("\xff\xfe"), std::string_view("c")}) {
      EXPECT_EQ(coder.code(odd), count) << odd;
    }
  }
}

TEST(Coder, SpacesAndTabsAroundAValueDoNotCount) {
  for (const std::size_t count : {2U, 5000U}) {
    const Coder coder(numbered(count), {"?"});
    for (const std::string_view padded : {" c1", "c1 ", "\t c1  "}) EXPECT_EQ(coder.code(padded), 1U) << padded;
    EXPECT_EQ(coder.code(" ? "), coder.missing());
    for (const std::string_view blank : {" ", "\t", "  \t "}) EXPECT_EQ(coder.code(blank), coder.missing());
    EXPECT_EQ(coder.code("\nc1"), count) << "a line break is a character like others";
  }
  // A declared text that has spaces is found first.
  const Coder coder({{"a", " a", "other"}, 2, 2, 2}, {});
  EXPECT_EQ(coder.code("a"), 0U);
  EXPECT_EQ(coder.code(" a"), 1U);
  EXPECT_EQ(coder.code("a "), 0U);
}

TEST(Coder, AWholeNumberIsTheSameWithAndWithoutItsPoint) {
  // As pandas, R and columns of doubles write them: 1.0 for 1.
  const Coder coder({{"1", "-2.0", "3", "3.0", "007", "a", "2.50", "other", "missing"}, 7, 7, 8}, {"-9"});
  EXPECT_EQ(coder.code("1"), 0U);
  EXPECT_EQ(coder.code("1.0"), 0U);
  EXPECT_EQ(coder.code(" 1.0 "), 0U);
  EXPECT_EQ(coder.code("-2"), 1U);
  EXPECT_EQ(coder.code("-9.0"), 8U);
  // What is declared is found first.
  EXPECT_EQ(coder.code("3"), 2U);
  EXPECT_EQ(coder.code("3.0"), 3U);
  // A dash is no number, not even a declared one.
  const Coder dashes({{"-", "b", "other"}, 2, 2, 2}, {});
  EXPECT_EQ(dashes.code("-"), 0U);
  EXPECT_EQ(dashes.code("-.0"), 2U);
  // Codes of diseases or places are texts: nothing else is taken for the same number.
  for (const std::string_view odd : {"1.00", "1.", "+1", "01", "1e0", "7", "7.0", "a.0", "2.5", "2", "-", ".0", ""})
    EXPECT_EQ(coder.code(odd), 7U) << odd;
}

TEST(Coder, UndeclaredValuesMayCountInADeclaredCategory) {
  Categories categories{{"a", "b"}, 2, 1, 0};
  const Coder coder(categories, {});
  EXPECT_EQ(coder.code("zzz"), 1U);
  EXPECT_EQ(coder.missing(), 0U);
  EXPECT_EQ(coder.size(), 2U);
}

}  // namespace
}  // namespace tacet::data
