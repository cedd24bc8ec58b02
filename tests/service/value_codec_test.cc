#include "tacet/service/value_codec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/service/verb.h"

namespace tacet::service {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// What a program that walks it by recursion would need megabytes of stack for.
std::string deep(std::size_t brackets, bool closed) { return std::string(brackets, '[') + (closed ? std::string(brackets, ']') : ""); }

Result<std::vector<double>> numbers(const Json& value) { return Codec<std::vector<double>>::read(value, "x"); }
Result<std::vector<std::string>> texts(const Json& value) { return Codec<std::vector<std::string>>::read(value, "x"); }

TEST(NumbersCodec, SaysTheSameInEveryForm) {
  for (const Json& form :
       {Json("1,-2.5,3e2"), Json("[1, -2.5, 3e2]"), Json(R"(["1", "-2.5", "3e2"])"), Json({1, -2.5, 300}), Json({"1", "-2.5", "3e2"})})
    EXPECT_THAT(*numbers(form), ElementsAre(1, -2.5, 300)) << form;
  EXPECT_THAT(*numbers(Json(7)), ElementsAre(7));
  EXPECT_THAT(*numbers("1, 2 ,3"), ElementsAre(1, 2, 3));
}

TEST(NumbersCodec, RefusesListsWithinListsHoweverDeep) {
  for (const bool closed : {false, true}) {
    for (const std::size_t brackets : {2U, 64U, 65U, 60'000U, 1'000'000U}) {
      const auto refused = numbers(deep(brackets, closed));
      ASSERT_FALSE(refused.ok()) << brackets;
      EXPECT_EQ(refused.error().code(), Code::InvalidArgument);
      EXPECT_THAT(refused.error().message(), HasSubstr("must be numbers with commas between them, or a JSON list of numbers"));
      EXPECT_LT(refused.error().message().size(), 200U);
    }
  }
}

TEST(NumbersCodec, RefusesWhatIsNoListOfNumbers) {
  for (const std::string text :
       {"[]", "[", "[1,", "[null]", "[true]", "[{}]", "[\"1,2\"]", "", "1,", "nan", "[1e400]", "[\"\xFF\"]", "\xFF"}) {
    const auto refused = numbers(text);
    ASSERT_FALSE(refused.ok()) << text;
    EXPECT_EQ(refused.error().name(), "x") << text;
  }
}

TEST(TextsCodec, SplitsAtCommasOrReadsJson) {
  EXPECT_THAT(*texts("a,b c"), ElementsAre("a", "b c"));
  EXPECT_THAT(*texts(" a, b c\t,d "), ElementsAre("a", "b c", "d"));
  EXPECT_THAT(*texts(R"(["a,b", "c"])"), ElementsAre("a,b", "c"));
  EXPECT_THAT(*texts(Json::array({" a"})), ElementsAre(" a")) << "a JSON list says what it means";
  EXPECT_FALSE(texts("a, ,b").ok());
  EXPECT_THAT(*texts(Json::array({"a,b", "c"})), ElementsAre("a,b", "c"));
  EXPECT_THAT(*texts("[]"), ElementsAre());
}

TEST(TextsCodec, RefusesListsWithinListsHoweverDeep) {
  for (const bool closed : {false, true}) {
    for (const std::size_t brackets : {2U, 65U, 60'000U}) {
      const auto refused = texts(deep(brackets, closed));
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
