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
         {std::string_view("missing"), std::string_view("other"), std::string_view(""), std::string_view("C0"), std::string_view("c0 "),
          std::string_view("c0\0", 3), std::string_view("\xff\xfe"), std::string_view("c")}) {
      EXPECT_EQ(coder.code(odd), count) << odd;
    }
  }
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
