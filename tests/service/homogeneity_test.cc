// infer homogeneity.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "service/desk.h"

namespace tacet::service {
namespace {

using test::Desk;
using ::testing::HasSubstr;

class Homogeneity : public ::testing::Test {
 protected:
  Homogeneity() {
    release("north.json", "[505, 290, 203]", "gaussian:8", 1000);
    release("south.json", "[2480, 1530, 1001]", "gaussian:20", 5000);
    release("east.json", "[260, 140, 98]", "laplace:5", nullptr);
    release("far.json", "[300, 400, 300]", "gaussian:20", 1000);
    release("square.json", "[[30, 40], [10, 20]]", "gaussian:2", 100);
  }
  void release(const std::string& out, const std::string& values, const std::string& noise, const Json& n) const {
    desk.write("values_of_" + out, values);
    Json request = {{"values", desk.path("values_of_" + out)}, {"noise", noise}, {"out", desk.path(out)}};
    if (!n.is_null()) request["n"] = n;
    const auto made = desk.call("import table", request);
    ASSERT_TRUE(made.ok()) << made.error().message();
  }
  Json asked(const std::vector<std::string>& names, const Json& more) const {
    Json request = {{"releases", Json::array()}};
    for (const std::string& name : names) request["releases"].push_back(desk.path(name));
    if (!more.is_null()) request.update(more);  // {} is null
    return request;
  }
  Result<Json> compare(const std::vector<std::string>& names, const Json& more = Json::object()) const {
    return desk.call("infer homogeneity", asked(names, more));
  }
  std::string words(const std::vector<std::string>& names, const Json& more = Json::object()) const {
    return desk.words("infer homogeneity", asked(names, more));
  }
  Desk desk;
};

TEST_F(Homogeneity, AnswerWithTheFieldsThatOthersRelyOn) {
  const auto same = compare({"north.json", "south.json", "east.json"}, {{"draws", 999}});
  ASSERT_TRUE(same.ok()) << same.error().message();
  for (const std::string field : {"statistic", "df", "p_value", "critical"}) EXPECT_TRUE(same->at(field).is_number()) << field;
  EXPECT_EQ(same->at("outcome"), "retain");
  EXPECT_EQ(same->at("df"), 4);
  EXPECT_EQ(same->at("method"), "bootstrap");
  EXPECT_EQ(same->at("n"), Json::array({1000.0, 5000.0, nullptr}));
  EXPECT_EQ(same->at("people").at(2), 498);
  EXPECT_EQ(same->at("pooled").size(), 3);
  EXPECT_THAT(words({"north.json", "south.json", "east.json"}, {{"draws", 999}}),
              HasSubstr("No evidence that the groups differ at level 0.05"));
  for (const std::string statistic : {"classical", "projected"}) {
    const auto far = compare({"north.json", "far.json"}, {{"statistic", statistic}});
    EXPECT_EQ(far->at("outcome"), "reject");
    EXPECT_THAT(words({"north.json", "far.json"}, {{"statistic", statistic}}), HasSubstr("The groups differ: rejected at level 0.05."));
  }
  const auto limit = compare({"north.json", "south.json"}, {{"method", "asymptotic"}});
  EXPECT_EQ(limit->at("null_law"), "chi-square with 2 degrees of freedom");
  EXPECT_TRUE(limit->at("seed").is_null());
}

TEST_F(Homogeneity, AreReadFromAListWithCommasAndTellProgress) {
  double last = 0;
  desk.context.progress = [&last](std::string_view, double fraction) { last = fraction; };
  const auto result = desk.call("infer homogeneity", {{"releases", desk.path("north.json") + "," + desk.path("south.json")}, {"seed", 4}});
  ASSERT_TRUE(result.ok()) << result.error().message();
  EXPECT_GT(last, 0);
  EXPECT_EQ(*result, *compare({"north.json", "south.json"}, {{"seed", 4}}));
}

TEST_F(Homogeneity, WordsOfAnInconclusiveComparisonSayWhy) {
  release("nobody.json", "[-5, 1, 2]", "gaussian:8", nullptr);
  const auto result = compare({"north.json", "nobody.json"});
  ASSERT_TRUE(result.ok()) << result.error().message();
  EXPECT_EQ(result->at("outcome"), "inconclusive");
  EXPECT_TRUE(result->at("pooled").is_null());
  EXPECT_TRUE(result->at("p_value").is_null());
  EXPECT_THAT(words({"north.json", "nobody.json"}), HasSubstr("Inconclusive: the noisy counts of group 2 sum to less than one person"));
}

TEST_F(Homogeneity, CompareTheCategoriesOfOneRelease) {
  desk.write("joint.json", "[[505, 290, 203], [300, 400, 300]]");
  desk.write("axes.json",
             R"([{"name": "region", "labels": ["north", "far"]}, {"name": "smoking", "labels": ["never", "former", "current"]}])");
  ASSERT_TRUE(desk.call("import table", {{"values", desk.path("joint.json")},
                                         {"axes", desk.path("axes.json")},
                                         {"noise", "gaussian:8"},
                                         {"n", 2000},
                                         {"out", desk.path("table.json")}})
                  .ok());
  const Json request = {{"release", desk.path("table.json")}, {"by", "region"}};
  const auto compared = desk.call("infer homogeneity", request);
  ASSERT_TRUE(compared.ok()) << compared.error().message();
  EXPECT_EQ(compared->at("outcome"), "reject");
  EXPECT_EQ(compared->at("names"), Json::array({"north", "far"}));
  EXPECT_EQ(compared->at("disjoint"), "groups of one release");
  EXPECT_EQ(compared->at("people"), Json::array({998.0, 1000.0}));
  EXPECT_EQ(desk.call("infer homogeneity", {{"release", desk.path("table.json")}, {"by", "smoking"}})->at("groups"), 3);
  EXPECT_EQ(compared->at("n"), Json::array({nullptr, nullptr}));
  // With public people the answer is that of two releases which say so.
  Json known = request;
  known["n"] = "1000,1000";
  const auto with_people = desk.call("infer homogeneity", known);
  ASSERT_TRUE(with_people.ok()) << with_people.error().message();
  EXPECT_EQ(with_people->at("n"), Json::array({1000.0, 1000.0}));
  for (const auto& [values, name] : {std::pair("[505, 290, 203]", "first"), std::pair("[300, 400, 300]", "second")}) {
    desk.write(std::string(name) + "-values.json", values);
    ASSERT_TRUE(desk.call("import table", {{"values", desk.path(std::string(name) + "-values.json")},
                                           {"noise", "gaussian:8"},
                                           {"n", 1000},
                                           {"out", desk.path(std::string(name) + ".json")}})
                    .ok());
  }
  const Json apart = *desk.call("infer homogeneity", {{"releases", desk.path("first.json") + "," + desk.path("second.json")}});
  EXPECT_EQ(with_people->at("statistic"), apart.at("statistic"));
  EXPECT_EQ(with_people->at("p_value"), apart.at("p_value"));
  known["n"] = "1000";
  EXPECT_EQ(desk.call("infer homogeneity", known).error().message(),
            "n is 1 numbers, but must have a number for each of the 2 groups; in the order of the categories");
  EXPECT_EQ(
      desk.call("infer homogeneity", {{"releases", desk.path("first.json") + "," + desk.path("second.json")}, {"n", "1,2"}}).error().name(),
      "n");
  const auto refusal = [&](const Json& wrong) { return desk.call("infer homogeneity", wrong).error().message(); };
  EXPECT_EQ(refusal({{"release", desk.path("table.json")}}),
            "by is missing, but must name the column of the release whose categories are the groups; for example: by = region");
  EXPECT_EQ(refusal({{"releases", desk.path("north.json")}, {"by", "region"}}),
            "by is given with releases, but goes with release, whose categories are the groups; leave it out");
  EXPECT_THAT(refusal({{"by", "region"}}), HasSubstr("releases is missing, but must be given, one for each group, or release with by"));
}

TEST_F(Homogeneity, DenoiseTheTablesFirst) {
  const auto denoised = compare({"north.json", "far.json"}, {{"project", "nonnegative"}, {"draws", 999}});
  ASSERT_TRUE(denoised.ok()) << denoised.error().message();
  EXPECT_EQ(denoised->at("statistic_kind"), "classical");
  EXPECT_EQ(denoised->at("shrink"), "none");
  EXPECT_EQ(denoised->at("project"), "nonnegative");
  EXPECT_EQ(denoised->at("outcome"), "reject");
  EXPECT_EQ(compare({"north.json", "far.json"}, {{"project", "bounds"}}).error().name(), "project");
}

TEST_F(Homogeneity, RefuseBadInputByName) {
  EXPECT_EQ(compare({"north.json"}).error().name(), "releases");
  EXPECT_EQ(compare({"north.json", "north.json"}).error().message(),
            "releases is a list with a file twice, but must be different files: a group cannot be compared with itself; for example: "
            "releases = north.json,south.json");
  EXPECT_EQ(compare({"north.json", "missing.json"}).error().code(), Code::NotFound);
  EXPECT_EQ(compare({"north.json", "square.json"}).error().message(),
            "release 2 is a table of 2 x 2, but must have the shape of the first, 3; release the same columns in every group");
  EXPECT_EQ(compare({"north.json", "south.json"}, {{"method", "montecarlo"}}).error().name(), "method");
  EXPECT_EQ(compare({"north.json", "south.json"}, {{"statistic", "nonprojected"}}).error().name(), "statistic");
  EXPECT_EQ(compare({"north.json", "south.json"}, {{"draws", 3}}).error().name(), "draws");
  EXPECT_EQ(compare({"north.json", "south.json"}, {{"alpha", "0"}}).error().name(), "alpha");
  desk.write("reports.json", "[400, 300, 300]");
  ASSERT_TRUE(
      desk.call("import local",
                {{"reports", desk.path("reports.json")}, {"kind", "exp"}, {"epsilon", "1"}, {"n", 1000}, {"out", desk.path("local.json")}})
          .ok());
  EXPECT_EQ(compare({"north.json", "local.json"}).error().name(), "release");
  EXPECT_THAT(compare({"north.json", "local.json"}).error().value(), HasSubstr("local.json\", of the kind local"));
}

}  // namespace
}  // namespace tacet::service
