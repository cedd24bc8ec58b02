#include "cli/json_schema.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tacet::test {
namespace {

using service::Json;

const Json kSchema = {{"type", "object"},
                      {"properties",
                       {{"p", {{"anyOf", {{{"type", "number"}}, {{"type", "null"}}}}}},
                        {"outcome", {{"enum", {"reject", "retain"}}}},
                        {"rows", {{"type", "array"}, {"items", {{"type", "array"}, {"items", {{"type", "number"}}}}}}}}},
                      {"required", {"p"}},
                      {"additionalProperties", false}};

TEST(JsonSchema, AcceptsWhatKeepsIt) {
  EXPECT_EQ(violation(kSchema, {{"p", 0.5}, {"outcome", "retain"}, {"rows", Json::array({Json::array({1, 2.5})})}}), "");
  EXPECT_EQ(violation(kSchema, {{"p", nullptr}}), "");
}

TEST(JsonSchema, FindsEveryPlantedFault) {
  EXPECT_EQ(violation(kSchema, {{"outcome", "retain"}}), ": lacks p");
  EXPECT_EQ(violation(kSchema, {{"p", "0.5"}}), "p: is string, which no alternative allows");
  EXPECT_EQ(violation(kSchema, {{"p", 1}, {"outcome", "maybe"}}), "outcome: \"maybe\" is not in the list");
  EXPECT_EQ(violation(kSchema, {{"p", 1}, {"rows", Json::array({Json::array({"x"})})}}), "rows[][]: is string, must be [\"number\"]");
  EXPECT_EQ(violation(kSchema, {{"p", 1}, {"q", 1}}), "q: is not in the schema");
  EXPECT_EQ(violation({{"$ref", "elsewhere"}}, 1), ": the keyword $ref is not known");
}

}  // namespace
}  // namespace tacet::test
