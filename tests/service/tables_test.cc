// Request and answer tables: what they read, write, show in help and promise in their JSON Schemas.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/service/answer_table.h"
#include "tacet/service/privacy_fields.h"
#include "tacet/service/request_table.h"

namespace tacet::service {
namespace {

using ::testing::HasSubstr;

enum class Side : std::uint8_t { Left, Right };
constexpr auto names_of(Side) { return std::to_array<Named<Side>>({{Side::Left, "left"}, {Side::Right, "right"}}); }

struct Options {
  double alpha = 0.05;
  std::uint64_t draws = 9999;
};
struct Request {
  std::string file;
  std::optional<std::string> label;
  std::vector<std::string> by;
  std::vector<double> sizes;
  Side side = Side::Right;
  bool loud = false;
  Options options;
  std::optional<PrivacyAmount> loss;
};

RequestTable<Request> table() {
  return RequestTable<Request>()
      .required("file", &Request::file, "FILE", "a file")
      .field("label", &Request::label, "L", "a label")
      .field("by", &Request::by, "a,b", "columns")
      .field("sizes", &Request::sizes, "s,t", "sizes")
      .field("side", &Request::side, "S", "which side")
      .field("loud", &Request::loud, "", "say it aloud")
      .include(&Request::options, RequestTable<Options>()
                                      .field("alpha", &Options::alpha, "A", "the level")
                                      .whole("draws", &Options::draws, 1, 1000000, "B", "draws"))
      .include(&Request::loss, privacy_table("what to spend"));
}

TEST(RequestTable, ReadsEveryKindFromJsonAndFromTexts) {
  const auto read = table().read({{"file", "f"},
                                  {"by", "a, b"},
                                  {"sizes", "1,2.5"},
                                  {"side", "left"},
                                  {"loud", true},
                                  {"alpha", "0.1"},
                                  {"draws", 99},
                                  {"mu", "0.5"}});
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read->file, "f");
  EXPECT_EQ(read->label, std::nullopt);
  EXPECT_EQ(read->by, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(read->sizes, (std::vector<double>{1, 2.5}));
  EXPECT_EQ(read->side, Side::Left);
  EXPECT_TRUE(read->loud);
  EXPECT_EQ(read->options.alpha, 0.1);
  EXPECT_EQ(read->options.draws, 99U);
  ASSERT_TRUE(read->loss);
  EXPECT_EQ(words(*read->loss), "mu 0.5");
}

TEST(RequestTable, WhatIsNotGivenKeepsTheDefaultOfTheStruct) {
  const auto read = table().read({{"file", "f"}});
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read->side, Side::Right);
  EXPECT_EQ(read->options.alpha, 0.05);
  EXPECT_EQ(read->loss, std::nullopt);
}

TEST(RequestTable, ErrorsNameTheFieldAndTheRule) {
  const auto message = [](Json json) {
    json["file"] = "f";
    return table().read(json).error().message();
  };
  EXPECT_EQ(message({{"side", "up"}}), "side is up, but must be left or right");
  EXPECT_EQ(message({{"draws", "0"}}), "draws is 0, but must be a whole number between 1 and 1000000");
  EXPECT_EQ(message({{"draws", 2.5}}), "draws is 2.5, but must be a whole number between 1 and 1000000");
  EXPECT_EQ(message({{"alpha", "often"}}), "alpha is often, but must be a finite decimal number");
  EXPECT_THAT(message({{"by", "a,,b"}}), HasSubstr("by is a list with an empty item, but must be names with commas between them"));
  EXPECT_THAT(message({{"rho", 1}, {"mu", 1}}), HasSubstr("privacy is given twice"));
  EXPECT_EQ(message({{"rho", 1}, {"delta", 1}}), "delta is 1, but goes with epsilon only");
}

TEST(RequestTable, HelpListsNamesAndDefaults) {
  const std::vector<Field> fields = table().fields();
  const auto help = [&](const std::string& name) {
    return std::find_if(fields.begin(), fields.end(), [&](const Field& f) { return f.name == name; })->help;
  };
  EXPECT_EQ(help("file"), "a file");
  EXPECT_EQ(help("label"), "a label");
  EXPECT_EQ(help("side"), "left or right; which side; right if not given");
  EXPECT_EQ(help("alpha"), "the level; 0.05 if not given");
  EXPECT_EQ(help("draws"), "draws; 9999 if not given");
}

TEST(RequestTable, HelpOfGaussianNoiseAsksForDeltaBesideEpsilon) {
  const auto help_of_epsilon = [](PossibleNoise noise) { return privacy_table("what to spend", noise).fields().at(2).help; };
  EXPECT_EQ(help_of_epsilon(PossibleNoise::Gaussian), "what to spend in epsilon and delta, both given");
  EXPECT_EQ(help_of_epsilon(PossibleNoise::Any), "what to spend in epsilon (pure privacy; Laplace noise)");
}

TEST(RequestTable, SchemaSaysWhatIsRequiredAndRefusesTheRest) {
  const Json schema = request_schema(table().fields());
  EXPECT_EQ(schema.at("required"), Json::array({"file"}));
  EXPECT_EQ(schema.at("additionalProperties"), false);
  EXPECT_EQ(schema.at("properties").at("side").at("enum"), Json::array({"left", "right"}));
  EXPECT_EQ(schema.at("properties").at("alpha").at("type"), Json::array({"number", "string"}));
}

struct Part {
  double size;
};
struct Reply {
  std::optional<double> p_value;
  Side side;
  std::vector<Part> parts;
  std::optional<Part> rest;
  mechanisms::Matrix matrix;
  std::optional<std::string> file;
};

AnswerTable<Part> part_table() { return AnswerTable<Part>().value("size", &Part::size, "how large"); }

AnswerTable<Reply> reply_table() {
  return AnswerTable<Reply>()
      .value("p_value", &Reply::p_value, "the p-value; null where there is none")
      .value("side", &Reply::side, "which side")
      .list("parts", &Reply::parts, part_table(), "the parts")
      .object("rest", &Reply::rest, part_table(), "what is left")
      .value("matrix", &Reply::matrix, "rows")
      .value("file", &Reply::file, "a file, if any")
      .unless_null();
}

TEST(AnswerTable, WritesAbsentValuesAsNullOrLeavesThemOut) {
  const Json written = reply_table().write({std::nullopt, Side::Left, {{1}, {2}}, std::nullopt, {2, 2, {1, 2, 3, 4}}, std::nullopt});
  EXPECT_EQ(
      written,
      Json::parse(R"({"p_value": null, "side": "left", "parts": [{"size": 1}, {"size": 2}], "rest": null, "matrix": [[1, 2], [3, 4]]})"));
  EXPECT_EQ(reply_table().write({0.5, Side::Left, {}, Part{3}, {}, "f"}).at("file"), "f");
}

TEST(AnswerTable, ANumberThatIsNotFiniteIsNull) {
  EXPECT_EQ(part_table().write({std::numeric_limits<double>::infinity()}), Json::parse(R"({"size": null})"));
}

TEST(AnswerTable, SchemaNamesEveryField) {
  const Json schema = answer_schema(reply_table().fields());
  EXPECT_EQ(schema.at("required"), Json::array({"p_value", "side", "parts", "rest", "matrix"}));
  EXPECT_EQ(schema.at("properties").at("parts").at("items").at("properties").at("size").at("type"), "number");
}

}  // namespace
}  // namespace tacet::service
