#include "tacet/mechanisms/count_release.h"

#include <cmath>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tacet/mechanisms/counts.h"

#include "mechanisms/released.h"

namespace tacet::mechanisms::count_release_test {
namespace {

using nlohmann::json;

CountRelease a_release(CountMechanism mechanism = CountMechanism::Gaussian) {
  const auto noisy = test::released({5, 0, 1000, 20, 3, 7}, kernel::Relation::ReplaceOne,
                                    mechanism == CountMechanism::Laplace ? test::epsilon("0.5") : test::rho("0.125"));
  return describe_counts(noisy, mechanism, {{"sex", {"f", "m"}}, {"plan", {"basic", "plus", "none"}}}, test::people(1035),
                         R"({"release": "counts"})");
}

void expect_same(const CountRelease& read, const CountRelease& written) {
  EXPECT_EQ(read.header.statement, json::parse(written.header.statement).dump());
  EXPECT_EQ(read.n, written.n);
  EXPECT_EQ(read.shape, written.shape);
  EXPECT_EQ(read.values, written.values);
  EXPECT_EQ(read.grid, written.grid);
  EXPECT_EQ(read.noise.family, written.noise.family);
  EXPECT_EQ(read.noise.scale, written.noise.scale);
  EXPECT_EQ(read.noise.structure, written.noise.structure);
  EXPECT_EQ(read.header.privacy, written.header.privacy);
  EXPECT_EQ(read.header.guarantee, written.header.guarantee);
  EXPECT_EQ(read.header.receipt.has_value(), written.header.receipt.has_value());
  EXPECT_EQ(read.header.time, written.header.time);
  ASSERT_EQ(read.axes.size(), written.axes.size());
  for (std::size_t i = 0; i < read.axes.size(); ++i) {
    EXPECT_EQ(read.axes[i].name, written.axes[i].name);
    EXPECT_EQ(read.axes[i].labels, written.axes[i].labels);
  }
}

TEST(CountRelease, ReadsBackWhatWasWrittenToTheLastBit) {
  for (const CountMechanism mechanism : {CountMechanism::Gaussian, CountMechanism::RankDeficient, CountMechanism::Laplace}) {
    const CountRelease written = a_release(mechanism);
    const auto read = count_release_from_json(json::parse(to_json(written).dump(1)));
    ASSERT_TRUE(read.ok()) << read.error().message();
    expect_same(*read, written);
  }
}

TEST(CountRelease, ReadsBackAnImportedTableWithoutNamesTotalOrReceipt) {
  CountRelease written{};
  written.shape = {2, 1, 2};
  written.values = {0.1, -5, 1e15, 3};
  written.noise = {kernel::NoiseFamily::Laplace, 2};
  written.header.statement = R"({"import": "table"})";
  const auto read = count_release_from_json(json::parse(to_json(written).dump()));
  ASSERT_TRUE(read.ok()) << read.error().message();
  expect_same(*read, written);
}

TEST(CountRelease, WritesTheFieldsOfTheContract) {
  const json file = to_json(a_release());
  EXPECT_EQ(file.at("tacet_release"), 1);
  EXPECT_EQ(file.at("values").size(), 2U);
  EXPECT_EQ(file.at("values").at(1).size(), 3U);
  EXPECT_TRUE(file.at("n").is_number_integer());
  EXPECT_EQ(file.at("n"), 1035);
  EXPECT_EQ(file.at("noise").at("family"), "gaussian");
  EXPECT_EQ(file.at("noise").at("structure"), "independent");
  EXPECT_EQ(file.at("guarantee"), "exact");
  EXPECT_TRUE(file.at("privacy").is_object());
  EXPECT_EQ(to_json(a_release(CountMechanism::RankDeficient)).at("noise").at("structure"), "sum-zero");
}

TEST(CountRelease, NamesItsCells) {
  const CountRelease release = a_release();
  EXPECT_EQ(release.cell_name(0), "sex=f, plan=basic");
  EXPECT_EQ(release.cell_name(5), "sex=m, plan=none");
  CountRelease nameless{};
  nameless.shape = {2};
  nameless.values = {1, 2};
  EXPECT_EQ(nameless.cell_name(1), "cell 2");
}

struct Spoiled {
  std::string pointer;   // what is changed
  std::string contents;  // its new JSON; empty: it is taken away
  std::string name;      // the field that the refusal names
};

class SpoiledCountRelease : public ::testing::TestWithParam<Spoiled> {};

TEST_P(SpoiledCountRelease, IsRefusedWithTheFieldNamed) {
  const Spoiled& spoiled = GetParam();
  json file = to_json(a_release());
  const json::json_pointer at(spoiled.pointer);
  if (spoiled.contents.empty()) {
    file.at(at.parent_pointer()).erase(at.back());
  } else {
    file[at] = json::parse(spoiled.contents);
  }
  const auto refused = count_release_from_json(file);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code(), Code::InvalidArgument);
  EXPECT_EQ(refused.error().name(), spoiled.name) << refused.error().message();
  EXPECT_FALSE(refused.error().rule().empty());
  EXPECT_EQ(refused.error().spent(), "nothing was spent");
}

std::vector<Spoiled> spoiled_files() {
  std::vector<Spoiled> all;
  for (const std::string field :
       {"tacet_release", "kind", "statement", "n", "axes", "values", "grid", "noise", "privacy", "guarantee", "ledger", "time"}) {
    all.push_back({"/" + field, "", field});
  }
  for (const std::string field : {"family", "scale", "structure"}) all.push_back({"/noise/" + field, "", field});
  const std::vector<Spoiled> more = {
      {"/tacet_release", "2", "tacet_release"},
      {"/tacet_release", "\"1\"", "tacet_release"},
      {"/kind", "\"mean\"", "kind"},
      {"/kind", "1", "kind"},
      {"/n", "\"1035\"", "n"},
      {"/n", "-1", "n"},
      {"/n", "0.5", "n"},
      {"/n", "1e17", "n"},
      {"/n", "[1]", "n"},
      {"/values", "7", "values"},
      {"/values", "[]", "values"},
      {"/values", "[[],[]]", "values"},
      {"/values", "[[1,2,3],[4,5]]", "values"},
      {"/values", "[[1,2,3],[4,5,6,7]]", "values"},
      {"/values", "[[1,2,3],4]", "values"},
      {"/values", "[1,[4,5,6]]", "values"},
      {"/values", "[[1,2,3],[4,5,\"6\"]]", "values"},
      {"/values", "[[1,2,3],[4,5,null]]", "values"},
      {"/values", "[[1,2,3],[4,5,true]]", "values"},
      {"/values", "[[1,2,3],[4,5,{}]]", "values"},
      {"/values", "[[1,2,3],[4,5,1e101]]", "values"},
      {"/values", "{\"a\": 1}", "values"},
      {"/values", "[1,2,3,4,5,6]", "axes"},
      {"/values", "[[1,2],[3,4],[5,6]]", "labels"},
      {"/axes", "{}", "axes"},
      {"/axes", "[1, 2]", "axes"},
      {"/axes/0", R"({"labels": ["f", "m"]})", "name"},
      {"/axes/0", R"({"name": 1, "labels": ["f", "m"]})", "name"},
      {"/axes/0", R"({"name": "sex"})", "labels"},
      {"/axes/0/labels", "\"fm\"", "labels"},
      {"/axes/0/labels", "[1, 2]", "labels"},
      {"/axes/0/labels", R"(["f", "f"])", "labels"},
      {"/axes/0/labels", R"(["f", "m", "x"])", "labels"},
      {"/grid", "0", "grid"},
      {"/grid", "-1", "grid"},
      {"/grid", "\"1\"", "grid"},
      {"/grid", "1e-101", "grid"},
      {"/grid", "3", "grid"},
      {"/noise", "\"gaussian\"", "noise"},
      {"/noise/family", "\"cauchy\"", "noise family"},
      {"/noise/family", "7", "family"},
      {"/noise/scale", "0", "noise scale"},
      {"/noise/scale", "-2", "noise scale"},
      {"/noise/scale", "1e101", "noise scale"},
      {"/noise/scale", "1e-101", "noise scale"},
      {"/noise/scale", "\"2\"", "noise scale"},
      {"/noise/structure", "\"wishart\"", "noise structure"},
      {"/noise", R"({"family": "laplace", "scale": 4, "structure": "sum-zero"})", "noise structure"},
      {"/noise/structure", "\"sum-zero\"", "values"},
      {"/privacy", "null", "privacy"},
      {"/privacy", "{}", "privacy"},
      {"/guarantee", "\"certain\"", "guarantee"},
      {"/guarantee", "null", "guarantee"},
      {"/ledger", "\"people\"", "ledger"},
      {"/time", "0", "time"},
  };
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

INSTANTIATE_TEST_SUITE_P(All, SpoiledCountRelease, ::testing::ValuesIn(spoiled_files()), [](const auto& each) {
  std::string name;
  for (const char c : std::to_string(each.index) + each.param.pointer) name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name;
});

TEST(CountRelease, SumZeroNoiseNeedsTheTotalThatItKeeps) {
  json file = to_json(a_release(CountMechanism::RankDeficient));
  file["n"] = nullptr;
  const auto refused = count_release_from_json(file);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().name(), "noise structure");
}

TEST(CountRelease, KeepsNoiseOnTheIntegers) {
  for (const char* family : {"discrete-gaussian", "geometric"}) {
    json file = to_json(a_release());
    file["values"] = {{10, -2, 3}, {4, 5, 6}};
    file["grid"] = nullptr;
    file["noise"] = {{"family", family}, {"scale", 0.5}, {"structure", "independent"}};
    const auto read = count_release_from_json(file);
    ASSERT_TRUE(read.ok()) << read.error().message();
    EXPECT_EQ(read->noise.support, NoiseSupport::Integers);
    EXPECT_EQ(to_json(*read), file);
    json other = file;
    other["values"][0][0] = 10.5;
    EXPECT_EQ(count_release_from_json(other).error().name(), "values");
    other = file;
    other["grid"] = 0.5;
    EXPECT_EQ(count_release_from_json(other).error().name(), "grid");
    other = file;
    other["noise"]["structure"] = "sum-zero";
    EXPECT_EQ(count_release_from_json(other).error().name(), "noise structure");
  }
}

TEST(CountRelease, OfAbsurdButAllowedNumbersReadsWithoutOverflow) {
  json file = to_json(a_release());
  file["values"] = {{1e100, -1e100, 1e100}, {1e100, 1e100, 0}};
  file["noise"]["scale"] = 1e100;
  file["grid"] = 1e-100;
  EXPECT_TRUE(count_release_from_json(file).ok());
}

}  // namespace
}  // namespace tacet::mechanisms::count_release_test
