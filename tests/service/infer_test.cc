// import table, infer estimate and init.
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/data/schema.h"
#include "tacet/schemas/schema_text.h"

#include "service/desk.h"

namespace tacet::service {
namespace {

using test::Desk;
using ::testing::HasSubstr;

Result<Json> import_table(const Desk& desk, const Json& more = Json::object()) {
  desk.write("values.json", "[[812, 90], [455, 120]]");
  Json request = {{"values", desk.path("values.json")}, {"noise", "laplace:2"}, {"out", desk.path("imported.json")}};
  request.update(more);
  return desk.call("import table", request);
}

TEST(ImportTable, WritesAReleaseThatInferenceReads) {
  const Desk desk;
  const auto made = import_table(desk, {{"n", 1468}});
  ASSERT_TRUE(made.ok()) << made.error().message();
  EXPECT_EQ(made->at("values"), Json::parse("[[812.0, 90.0], [455.0, 120.0]]"));
  EXPECT_EQ(made->at("n"), 1468);
  EXPECT_EQ(made->at("noise"), Json::parse(R"({"family": "laplace", "scale": 2.0, "structure": "independent"})"));
  EXPECT_EQ(made->at("privacy"), Json::parse(R"({"currency": null})"));
  EXPECT_EQ(made->at("guarantee"), "unknown");
  EXPECT_TRUE(made->at("ledger").is_null());
  const auto estimate = desk.call("infer estimate", {{"release", desk.path("imported.json")}});
  ASSERT_TRUE(estimate.ok()) << estimate.error().message();
  EXPECT_EQ(estimate->at("values"), made->at("values"));
  EXPECT_THAT(desk.words("import table", {{"values", desk.path("values.json")}, {"noise", "laplace:2"}, {"out", desk.path("again.json")}}),
              HasSubstr("4 cells"));
}

TEST(ImportTable, TakesNamesAndLabels) {
  const Desk desk;
  desk.write("axes.json", R"([{"name": "sex", "labels": ["f", "m"]}, {"name": "ill", "labels": ["yes", "no"]}])");
  const auto made = import_table(desk, {{"axes", desk.path("axes.json")}});
  ASSERT_TRUE(made.ok()) << made.error().message();
  EXPECT_TRUE(made->at("n").is_null());
  EXPECT_EQ(made->at("axes").at(1).at("name"), "ill");
}

TEST(ImportTable, RefusesWhatItCouldNotReadBack) {
  const Desk desk;
  desk.write("axes.json", R"([{"name": "sex", "labels": ["f", "m"]}])");
  desk.write("deep.json", std::string(33, '[') + "1" + std::string(33, ']'));
  desk.write("ragged.json", "[[1], [2, 3]]");
  desk.write("huge.json", "[1e101]");
  const std::vector<std::pair<Json, std::string>> cases = {{{{"axes", desk.path("axes.json")}}, "axes"},
                                                           {{{"values", desk.path("deep.json")}}, "values"},
                                                           {{{"values", desk.path("ragged.json")}}, "values"},
                                                           {{{"values", desk.path("huge.json")}}, "values"},
                                                           {{{"n", -1}}, "n"},
                                                           {{{"n", "1.5"}}, "n"},
                                                           {{{"n", "nan"}}, "n"},
                                                           {{{"n", "1e-900"}}, "n"},
                                                           {{{"n", "99999999999999999"}}, "n"},
                                                           {{{"noise", "cauchy:1"}}, "noise"},
                                                           {{{"noise", "gaussian"}}, "noise"},
                                                           {{{"noise", "gaussian:"}}, "noise scale"},
                                                           {{{"noise", "gaussian:0"}}, "noise scale"},
                                                           {{{"noise", "gaussian:-1"}}, "noise scale"},
                                                           {{{"noise", "gaussian:nan"}}, "noise scale"},
                                                           {{{"noise", "laplace:1e400"}}, "noise scale"},
                                                           {{{"noise", "laplace:1e101"}}, "noise scale"},
                                                           {{{"noise", "laplace: 2"}}, "noise scale"}};
  for (const auto& [more, name] : cases) {
    const auto refused = import_table(desk, more);
    ASSERT_FALSE(refused.ok()) << more;
    EXPECT_EQ(refused.error().code(), Code::InvalidArgument) << more;
    EXPECT_EQ(refused.error().name(), name) << more << refused.error().message();
    EXPECT_FALSE(desk.has("imported.json"));
  }
}

TEST(ImportTable, NeverReplacesAFile) {
  const Desk desk;
  ASSERT_TRUE(import_table(desk).ok());
  const std::string before = desk.read("imported.json");
  EXPECT_EQ(import_table(desk, {{"noise", "gaussian:1"}}).error().code(), Code::AlreadyExists);
  EXPECT_EQ(desk.read("imported.json"), before);
}

TEST(InferEstimate, HasTheFieldsOfTheContract) {
  const Desk desk;
  ASSERT_TRUE(import_table(desk, {{"n", 1468}}).ok());
  const auto result = desk.call("infer estimate", {{"release", desk.path("imported.json")}, {"project", "simplex"}, {"confidence", "0.9"}});
  ASSERT_TRUE(result.ok()) << result.error().message();
  EXPECT_EQ(result->at("cost"), 32);
  EXPECT_EQ(result->at("cost_is"), "upper bound");
  EXPECT_EQ(result->at("intervals"), "simultaneous");
  EXPECT_EQ(result->at("confidence"), 0.9);
  EXPECT_EQ(result->at("project"), "simplex");
  for (const std::string field : {"values", "lower", "upper"}) {
    ASSERT_EQ(result->at(field).size(), 2U) << field;
    EXPECT_EQ(result->at(field).at(1).size(), 2U) << field;
  }
  double total = 0;
  for (const Json& row : result->at("values")) {
    for (const Json& value : row) total += value.get<double>();
  }
  EXPECT_NEAR(total, 1468, 1e-9);
}

TEST(InferEstimate, MarginalIntervalsAreNarrower) {
  const Desk desk;
  ASSERT_TRUE(import_table(desk).ok());
  const Json request = {{"release", desk.path("imported.json")}};
  Json marginal = request;
  marginal["intervals"] = "marginal";
  EXPECT_LT(desk.call("infer estimate", marginal)->at("margin").get<double>(),
            desk.call("infer estimate", request)->at("margin").get<double>());
  EXPECT_THAT(desk.words("infer estimate", request), HasSubstr("all the true counts lie in their intervals"));
  EXPECT_THAT(desk.words("infer estimate", marginal), HasSubstr("each true count lies in its interval"));
}

/// A table of 2 x 3 people, as tests/inference/known_sums_test.cc has it.
void import_clinic(const Desk& desk) {
  desk.write("clinic-values.json", "[[21.5, 18.2, 19.9], [17.1, 14.6, 11.2]]");
  desk.write("clinic-axes.json", R"([{"name": "sex", "labels": ["f", "m"]}, {"name": "visits", "labels": ["0", "1", "more"]}])");
  ASSERT_TRUE(desk.call("import table", {{"values", desk.path("clinic-values.json")},
                                         {"axes", desk.path("clinic-axes.json")},
                                         {"noise", "gaussian:3"},
                                         {"n", 100},
                                         {"out", desk.path("clinic.json")}})
                  .ok());
}

TEST(InferEstimate, KeepsKnownSumsOfCells) {
  const Desk desk;
  import_clinic(desk);
  desk.write("known.json", R"([{"where": {"sex": "f"}, "sum": 60}, {"weights": [[1, 0, 0], [1, 0, 0]], "sum": 40}])");
  const Json request = {{"release", desk.path("clinic.json")}, {"known", desk.path("known.json")}};
  const Json found = *desk.call("infer estimate", request);
  EXPECT_NEAR(found.at("values")[0][0].get<double>(), 22.75, 1e-9);
  EXPECT_NEAR(found.at("values")[1][2].get<double>(), 9.675, 1e-9);
  EXPECT_NEAR(found.at("cost").get<double>(), 27, 1e-9);
  EXPECT_EQ(found.at("cost_is"), "exact");
  EXPECT_THAT(desk.words("infer estimate", request), HasSubstr("they are yours, and nobody has checked them"));
  const std::vector<std::pair<std::string, std::string>> wrong = {
      {"{}", "known is an object"},
      {"[]", "known is an empty list"},
      {R"([{"where": {"sex": "f"}}])", "an item without a sum"},
      {R"([{"sum": 3}])", "both of where and weights, or none"},
      {R"([{"where": {"age": "f"}, "sum": 3}])", "the column age, which the release has not"},
      {R"([{"where": {"sex": "x"}, "sum": 3}])", "the label x, which its column has not"},
      {R"([{"where": {"sex": 1}, "sum": 3}])", "a label that is not a text"},
      {R"([{"weights": [1, 2], "sum": 3}])", "not nested as the table is"},
      {R"([{"where": {}, "sum": 99}])", "sums that no table has"}};
  for (const auto& [text, part] : wrong) {
    desk.write("known.json", text);
    const auto refused = desk.call("infer estimate", request);
    ASSERT_FALSE(refused.ok()) << text;
    EXPECT_EQ(refused.error().name(), "known") << text;
    EXPECT_THAT(refused.error().message(), HasSubstr(part)) << text;
  }
}

TEST(InferEstimate, ShrinksTowardsATarget) {
  const Desk desk;
  import_clinic(desk);
  desk.write("past.json", "[[25, 20, 18], [15, 12, 10]]");
  const Json request = {{"release", desk.path("clinic.json")}, {"shrink", "js+"}, {"target", desk.path("past.json")}};
  const auto found = desk.call("infer estimate", request);
  ASSERT_TRUE(found.ok()) << found.error().message();
  Json without = request;
  without.erase("target");
  EXPECT_NE(found->at("values"), desk.call("infer estimate", without)->at("values"));
  desk.write("past.json", "[25, 20, 18, 15, 12, 10]");
  EXPECT_EQ(desk.call("infer estimate", request).error().message(),
            "target is a table of another shape, but must be nested as the release is");
}

TEST(InferEstimate, NamesTheOptionThatIsWrong) {
  const Desk desk;
  ASSERT_TRUE(import_table(desk).ok());
  const std::vector<std::pair<std::string, std::string>> wrong = {{"confidence", "0"},    {"confidence", "1"},    {"confidence", "nan"},
                                                                  {"confidence", "95"},   {"confidence", ""},     {"confidence", "1e-400"},
                                                                  {"project", "simplx"},  {"project", "simplex"}, {"shrink", "js"},
                                                                  {"intervals", "joint"}, {"confidence", "0.95 "}};
  for (const auto& [field, value] : wrong) {
    const auto refused = desk.call("infer estimate", {{"release", desk.path("imported.json")}, {field, value}});
    ASSERT_FALSE(refused.ok()) << field << " " << value;
    EXPECT_EQ(refused.error().code(), Code::InvalidArgument);
    EXPECT_EQ(refused.error().name(), field) << value;
  }
}

Json with_release(const Desk& desk, const Json& more) {
  Json request = {{"release", desk.path("imported.json")}};
  request.update(more);
  return request;
}

/// Six noisy counts of 137 people, with Gaussian noise of scale 5.
Result<Json> estimate_six(const Desk& desk, const Json& more) {
  desk.write("six.json", "[40, 3, 8, 22, 55, 9]");
  if (!desk.has("imported.json")) {
    const auto made = import_table(desk, {{"values", desk.path("six.json")}, {"n", 137}, {"noise", "gaussian:5"}});
    if (!made) return made.error();
  }
  return desk.call("infer estimate", with_release(desk, more));
}

TEST(InferEstimate, ShrinksAndSaysWhatItsCostIs) {
  const Desk desk;
  for (const std::string shrink : {"js0", "js", "js+", "rjs"}) {
    for (const std::string project : {"none", "nonnegative", "simplex"}) {
      const auto result = estimate_six(desk, {{"shrink", shrink}, {"project", project}});
      ASSERT_TRUE(result.ok()) << shrink << " " << result.error().message();
      EXPECT_EQ(result->at("shrink"), shrink);
      EXPECT_EQ(result->at("cost_is"), "unbiased estimate");
      EXPECT_EQ(result->at("cost"), result->at("cost_estimate"));
      EXPECT_EQ(result->at("cost_bound"), shrink == "rjs" ? 125 : 150);
      EXPECT_THAT(desk.words("infer estimate", with_release(desk, {{"shrink", shrink}, {"project", project}})),
                  ::testing::AllOf(HasSubstr("estimated without bias"), HasSubstr("a shrunk value may lie outside its interval")));
    }
  }
  // m = 137/6, |y - m|^2 = 2134 5/6: the factor of js is 1 - 3 * 25/2134.83.
  const auto js = estimate_six(desk, {{"shrink", "js"}});
  const double mean = 137.0 / 6;
  EXPECT_NEAR(js->at("values").at(0).get<double>(), mean + (1 - 75 / (2134 + 5.0 / 6)) * (40 - mean), 1e-12);
}

TEST(InferEstimate, OfAProjectionAloneGivesTheBoundAndAnEstimateWhereThereIsOne) {
  const Desk desk;
  const auto gaussian = estimate_six(desk, {{"project", "simplex"}});
  EXPECT_EQ(gaussian->at("cost_is"), "upper bound");
  EXPECT_EQ(gaussian->at("cost"), 150);
  EXPECT_TRUE(gaussian->at("cost_estimate").is_number());
  const Desk other;
  ASSERT_TRUE(import_table(other).ok());
  const auto laplace = other.call("infer estimate", {{"release", other.path("imported.json")}, {"project", "nonnegative"}});
  EXPECT_TRUE(laplace->at("cost_estimate").is_null());
  EXPECT_THAT(other.words("infer estimate", with_release(other, {{"project", "nonnegative"}})),
              HasSubstr("at most 32. This cost no privacy"));
}

TEST(InferEstimate, TakesDeclaredBounds) {
  const Desk desk;
  const auto result = estimate_six(desk, {{"project", "bounds"}, {"bounds", "5,50"}});
  ASSERT_TRUE(result.ok()) << result.error().message();
  EXPECT_EQ(result->at("values"), Json::parse("[40.0, 5.0, 8.0, 22.0, 50.0, 9.0]"));
  for (const Json& end : result->at("lower")) EXPECT_GE(end.get<double>(), 5);
  for (const Json& end : result->at("upper")) EXPECT_LE(end.get<double>(), 50);
  for (const std::string bounds : {"5", "5,x", "50,5", "1,2,3", "-2,-1"}) {
    EXPECT_EQ(estimate_six(desk, {{"project", "bounds"}, {"bounds", bounds}}).error().name(), "bounds") << bounds;
  }
  EXPECT_EQ(estimate_six(desk, {{"project", "bounds"}}).error().name(), "bounds");
  EXPECT_EQ(estimate_six(desk, {{"bounds", "5,50"}}).error().name(), "bounds");
}

TEST(InferEstimate, RefusesFilesThatAreNoRelease) {
  const Desk desk;
  desk.write("other.json", "{\"a\": 1}");
  EXPECT_THAT(desk.call("infer estimate", {{"release", desk.path("other.json")}}).error().message(),
              HasSubstr("other.json\" is not a release file: it lacks tacet_release; give a file written by `release`"));
  EXPECT_EQ(desk.call("infer estimate", {{"release", desk.path("people.csv")}}).error().code(), Code::InvalidArgument);
  EXPECT_EQ(desk.call("infer estimate", {{"release", desk.path("missing.json")}}).error().code(), Code::NotFound);
  EXPECT_EQ(desk.call("infer estimate", {{"release", desk.path(".")}}).error().code(), Code::NotFound);
}

TEST(InferEstimate, WordsAreSafeForTerminalsAndHoldNoMoreThanAScreenOrTwo) {
  const Desk desk;
  std::string values = "[0";
  std::string labels = "\"\\u001b[31mred\"";
  for (int i = 1; i < 1000; ++i) {
    values += "," + std::to_string(i);
    labels += ",\"" + std::to_string(i) + "\"";
  }
  desk.write("many.json", values + "]");
  desk.write("axes.json", "[{\"name\": \"x\", \"labels\": [" + labels + "]}]");
  ASSERT_TRUE(import_table(desk, {{"values", desk.path("many.json")}, {"axes", desk.path("axes.json")}}).ok());
  const std::string words = desk.words("infer estimate", {{"release", desk.path("imported.json")}});
  EXPECT_EQ(words.find('\x1b'), std::string::npos);
  EXPECT_LT(std::count(words.begin(), words.end(), '\n'), 80);
  EXPECT_THAT(words, HasSubstr("and 940 more lines"));
}

TEST(Init, DraftsASchemaThatOnlyLacksWhatIsPublic) {
  const Desk desk;
  const auto made = desk.call("init", {{"data", desk.path("people.csv")}, {"out", desk.path("draft.toml")}});
  ASSERT_TRUE(made.ok()) << made.error().message();
  EXPECT_EQ(made->at("dataset"), "people");
  EXPECT_EQ(made->at("draft"), desk.read("draft.toml"));
  EXPECT_TRUE(schemas::read_schema(desk.path("draft.toml")).ok());
  for (const std::string value : {"basic", "plus", "44", "29"}) EXPECT_EQ(desk.read("draft.toml").find(value), std::string::npos) << value;
}

TEST(Init, NamesTheDatasetAfterTheFileWithoutItsEndings) {
  const Desk desk;
  std::filesystem::copy_file(desk.path("people.csv"), desk.path("a.b.csv"));
  EXPECT_EQ(desk.call("init", {{"data", desk.path("a.b.csv")}, {"out", desk.path("ab.toml")}})->at("dataset"), "a.b");
  EXPECT_EQ(desk.call("init", {{"data", desk.path("a.b.csv")}, {"out", desk.path("c.toml")}, {"dataset", "c d"}})->at("dataset"), "c d");
}

TEST(Init, RefusesNamesThatCouldNotBeUsedLater) {
  const Desk desk;
  EXPECT_EQ(desk.call("init", {{"data", desk.path("people.csv")}, {"out", desk.path("draft.json")}}).error().name(), "out");
  const auto twice = desk.call("init", {{"data", desk.path("people.csv")}, {"out", desk.path("people.toml")}});
  ASSERT_FALSE(twice.ok());
  EXPECT_EQ(twice.error().code(), Code::AlreadyExists);
  EXPECT_EQ(twice.error().message(), "\"" + desk.path("people.toml") + "\" is there already; delete it, or choose another name");
  EXPECT_EQ(desk.call("init", {{"data", desk.path("people.csv")}, {"out", desk.path("people.toml")}}).error().code(), Code::AlreadyExists);
  EXPECT_EQ(desk.call("init", {{"data", desk.path("missing.csv")}, {"out", desk.path("d.toml")}}).error().code(), Code::NotFound);
  EXPECT_EQ(desk.call("init", {{"data", desk.path("people.csv")}, {"out", desk.path("d.toml")}, {"dataset", "a\nb"}}).error().name(),
            "dataset");
  EXPECT_EQ(desk.call("init", {{"data", desk.path("people.csv")}, {"out", desk.path("d.toml")}, {"dataset", ""}}).error().name(),
            "dataset");
  EXPECT_FALSE(desk.has("d.toml"));
}

}  // namespace
}  // namespace tacet::service
