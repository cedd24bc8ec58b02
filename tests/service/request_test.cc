#include "tacet/service/request.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tacet::service {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// What a program that walks it by recursion would need megabytes of stack for.
std::string deep(std::size_t brackets, bool closed) { return std::string(brackets, '[') + (closed ? std::string(brackets, ']') : ""); }

Json x(Json value) { return {{"x", std::move(value)}}; }

TEST(NumbersField, SaysTheSameInEveryForm) {
  for (const Json& form :
       {Json("1,-2.5,3e2"), Json("[1, -2.5, 3e2]"), Json(R"(["1", "-2.5", "3e2"])"), Json({1, -2.5, 300}), Json({"1", "-2.5", "3e2"})})
    EXPECT_THAT(*numbers_field(x(form), "x"), ElementsAre(1, -2.5, 300)) << form;
  EXPECT_THAT(*numbers_field(x(7), "x"), ElementsAre(7));
  EXPECT_THAT(*numbers_field(x("1, 2 ,3"), "x"), ElementsAre(1, 2, 3));
  EXPECT_TRUE(numbers_field(Json::object(), "x")->empty());
}

TEST(NumbersField, RefusesListsWithinListsHoweverDeep) {
  for (const bool closed : {false, true}) {
    for (const std::size_t brackets : {2U, 64U, 65U, 60'000U, 1'000'000U}) {
      const auto refused = numbers_field(x(deep(brackets, closed)), "x");
      ASSERT_FALSE(refused.ok()) << brackets;
      EXPECT_EQ(refused.error().code(), Code::InvalidArgument);
      EXPECT_THAT(refused.error().message(), HasSubstr("must be numbers with commas between them, or a JSON list of numbers"));
      EXPECT_LT(refused.error().message().size(), 200U);
    }
  }
}

TEST(NumbersField, RefusesWhatIsNoListOfNumbers) {
  for (const std::string text :
       {"[]", "[", "[1,", "[null]", "[true]", "[{}]", "[\"1,2\"]", "", "1,", "nan", "[1e400]", "[\"\xFF\"]", "\xFF"}) {
    const auto refused = numbers_field(x(text), "x");
    ASSERT_FALSE(refused.ok()) << text;
    EXPECT_EQ(refused.error().name(), "x") << text;
  }
}

TEST(ListField, SplitsAtCommasOrReadsJson) {
  EXPECT_THAT(*list_field(x("a,b c"), "x"), ElementsAre("a", "b c"));
  EXPECT_THAT(*list_field(x(" a, b c\t,d "), "x"), ElementsAre("a", "b c", "d"));
  EXPECT_THAT(*list_field(x(R"(["a,b", "c"])"), "x"), ElementsAre("a,b", "c"));
  EXPECT_THAT(*list_field(x({" a"}), "x"), ElementsAre(" a")) << "a JSON list says what it means";
  EXPECT_FALSE(list_field(x("a, ,b"), "x").ok());
  EXPECT_THAT(*list_field(x({"a,b", "c"}), "x"), ElementsAre("a,b", "c"));
  EXPECT_THAT(*list_field(x("[]"), "x"), ElementsAre());
}

TEST(ListField, RefusesListsWithinListsHoweverDeep) {
  for (const bool closed : {false, true}) {
    for (const std::size_t brackets : {2U, 65U, 60'000U}) {
      const auto refused = list_field(x(deep(brackets, closed)), "x");
      ASSERT_FALSE(refused.ok()) << brackets;
      EXPECT_THAT(refused.error().message(), HasSubstr("texts"));
      EXPECT_LT(refused.error().message().size(), 200U);
    }
  }
}

TEST(Losses, NestedTooDeepAreRefusedInWords) {
  const auto refused = call("compose", {{"losses", deep(60'000, true)}, {"delta", "1e-6"}}, {});
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().message(), HasSubstr("must be JSON nested at most 64 deep"));
}

}  // namespace
}  // namespace tacet::service
