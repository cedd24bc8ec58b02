#include "tacet/mechanisms/moment_release.h"

#include <functional>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tacet/mechanisms/query_release.h"

namespace tacet::mechanisms::moment_release_test {
namespace {

using nlohmann::json;

json with_common(json release) {
  release["tacet_release"] = 1;
  release["statement"] = nullptr;
  release["privacy"] = {{"currency", nullptr}};
  release["guarantee"] = "exact";
  release["ledger"] = nullptr;
  release["time"] = "";
  release["noise"] = {{"family", "gaussian"}, {"scale", 2}};
  return release;
}

/// Means of one column in groups of so many people.
json means(const std::vector<double>& people, double people_scale) {
  json parts = json::array();
  json labels = json::array();
  for (const double n : people) {
    labels.push_back(std::to_string(labels.size()));
    parts.push_back({{"people", {{"value", n}, {"scale", people_scale}}}, {"sums", {{{"value", 1}, {"scale", 2}}}}, {"products", nullptr}});
  }
  return with_common({{"kind", "mean"},
                      {"columns", {{{"name", "age"}, {"lower", 0}, {"upper", 1}, {"resolution", 0.5}, {"centre", 0}}}},
                      {"groups", {{"column", "arm"}, {"labels", labels}, {"membership", "public"}}},
                      {"parts", parts}});
}

json query(double n, const json& shown) {
  return with_common({{"kind", "query"},
                      {"n", shown},
                      {"planned_n", n},
                      {"columns", {"age"}},
                      {"centre", {0}},
                      {"map", {{1}}},
                      {"radius", 4},
                      {"sums", {20}}});
}

TEST(MomentRelease, PublicPeopleAreWholeNumbersThatCanBeWritten) {
  const auto release = moment_release_from_json(means({500, 7}, 0));
  ASSERT_TRUE(release.ok()) << release.error().message();
  EXPECT_EQ(to_json(*release).at("n"), 507);
  for (const std::vector<double>& people : {std::vector<double>{1e100}, {0.5}, {-1}, {0x1p53, 2}}) {
    const auto refused = moment_release_from_json(means(people, 0));
    ASSERT_FALSE(refused.ok()) << people[0];
    EXPECT_EQ(refused.error().name(), "n");
  }
}

TEST(MomentRelease, NoisyPeopleMayBeAnyNumber) {
  for (const double people : {-3.5, 0.0, 1e100}) {
    const auto release = moment_release_from_json(means({people}, 2));
    ASSERT_TRUE(release.ok()) << people;
    EXPECT_TRUE(to_json(*release).at("n").is_null());
  }
}

TEST(QueryRelease, PublicPeopleAreWholeNumbersThatCanBeWritten) {
  EXPECT_EQ(to_json(*query_release_from_json(query(500, 500))).at("n"), 500);
  EXPECT_EQ(query_release_from_json(query(1e30, 500)).error().name(), "n");
  EXPECT_EQ(query_release_from_json(query(0.5, 500)).error().name(), "n");
  EXPECT_TRUE(query_release_from_json(query(1e30, nullptr)).ok());
}

/// A query in groups of so many people, the last of them with a noisy number.
json grouped_query() {
  json file = query(5, 5);
  for (const char* field : {"planned_n", "sums"}) file.erase(field);
  file["groups"] = {{"column", "arm"}, {"labels", {"a", "b", "c"}}, {"membership", "private"}};
  file["parts"] = {{{"people", {{"value", 10}, {"scale", 0}}}, {"sums", {20}}},
                   {{"people", {{"value", 0}, {"scale", 0}}}, {"sums", {1}}},
                   {{"people", {{"value", 1.5}, {"scale", 1}}}, {"sums", {3}}}};
  return file;
}

TEST(QueryRelease, HasAPartForEachGroup) {
  const auto release = query_release_from_json(grouped_query());
  ASSERT_TRUE(release.ok()) << release.error().message();
  EXPECT_EQ(release->mean(0), std::vector<double>{2});
  EXPECT_EQ(release->mean_sd(0), std::vector<double>{0.2});
  EXPECT_FALSE(release->why_no_mean(0));
  EXPECT_EQ(release->why_no_mean(1), "nobody is in the group");
  EXPECT_EQ(release->why_no_mean(2), "its noisy number of people, 1.5, is within 2 times its noise of 0, so the group may be empty");
  const json written = to_json(*release);
  EXPECT_TRUE(written.at("n").is_null()) << "that of the last group is noisy";
  EXPECT_EQ(written.at("values"), json({{2.0}, nullptr, nullptr}));
  EXPECT_EQ(written.at("groups").at("labels"), json({"a", "b", "c"}));
  EXPECT_FALSE(written.contains("sums")) << "a program that knows no groups must refuse the file";
  EXPECT_FALSE(written.contains("planned_n"));
  EXPECT_EQ(to_json(*query_release_from_json(written)), written);
}

TEST(QueryRelease, WithoutGroupsIsWrittenAsItAlwaysWas) {
  const json written = to_json(*query_release_from_json(query(5, 5)));
  for (const char* field : {"groups", "parts", "no_answer", "noise_sd"}) EXPECT_FALSE(written.contains(field)) << field;
  EXPECT_EQ(written.at("sums"), json({20.0}));
  EXPECT_EQ(written.at("planned_n"), 5);
}

TEST(QueryRelease, RefusesPartsThatAreNone) {
  const auto refused = [](const std::function<void(json&)>& change) {
    json file = grouped_query();
    change(file);
    const auto release = query_release_from_json(file);
    return release.ok() ? std::string("nothing") : release.error().name();
  };
  EXPECT_EQ(refused([](json& file) { file.erase("parts"); }), "parts");
  EXPECT_EQ(refused([](json& file) { file["parts"].erase(2); }), "parts");
  EXPECT_EQ(refused([](json& file) { file["parts"][0]["people"]["value"] = 0.5; }), "n");
  EXPECT_EQ(refused([](json& file) {
              file["parts"][0]["people"]["value"] = 0x1p53;
              file["parts"][1]["people"]["value"] = 2;
            }),
            "n");
  EXPECT_EQ(refused([](json& file) { file["parts"][2]["people"]["value"] = 0; }), "people");
  EXPECT_EQ(refused([](json& file) { file["parts"][2]["people"]["scale"] = -1; }), "scale");
  EXPECT_EQ(refused([](json& file) { file["parts"][2]["sums"] = {1, 2}; }), "sums");
  EXPECT_EQ(refused([](json& file) { file["groups"]["labels"] = json::array(); }), "labels");
}

TEST(MomentRelease, TextsThatAreNoneAreNamedByTheirKind) {
  json file = means({5}, 0);
  file["groups"]["labels"] = {{"a", {{"b", "\xFF"}}}};
  EXPECT_EQ(moment_release_from_json(file).error().name(), "labels");
  file["groups"]["labels"] = json::array({json::array({"\xFF"})});
  EXPECT_EQ(moment_release_from_json(file).error().value(), "a list with a list");
  json other = query(5, 5);
  other["columns"] = json::array({json::array({"\xFF"})});
  EXPECT_EQ(query_release_from_json(other).error().value(), "a list with a list");
  other["tacet_release"] = json::array({"\xFF"});
  EXPECT_EQ(query_release_from_json(other).error().value(), "a list");
}

}  // namespace
}  // namespace tacet::mechanisms::moment_release_test
