#include "tacet/mechanisms/release_file.h"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/mechanisms/counts.h"

#include "kernel/scratch_folder.h"
#include "mechanisms/released.h"

namespace tacet::mechanisms {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

Release a_release(CountMechanism mechanism = CountMechanism::Gaussian) {
  const auto noisy = test::released({5, 0, 1000, 20, 3, 7}, kernel::Relation::ReplaceOne,
                                    mechanism == CountMechanism::Laplace ? test::epsilon("0.5") : test::rho("0.125"));
  return describe_counts(noisy, mechanism, {{"sex", {"f", "m"}}, {"plan", {"basic", "plus", "none"}}}, test::people(1035),
                         {{"release", "counts"}});
}

void expect_same(const Release& read, const Release& written) {
  EXPECT_EQ(read.kind, written.kind);
  EXPECT_EQ(read.statement, written.statement);
  EXPECT_EQ(read.n, written.n);
  EXPECT_EQ(read.shape, written.shape);
  EXPECT_EQ(read.values, written.values);
  EXPECT_EQ(read.grid, written.grid);
  EXPECT_EQ(read.noise.family, written.noise.family);
  EXPECT_EQ(read.noise.scale, written.noise.scale);
  EXPECT_EQ(read.noise.structure, written.noise.structure);
  EXPECT_EQ(read.privacy, written.privacy);
  EXPECT_EQ(read.guarantee, written.guarantee);
  EXPECT_EQ(read.ledger, written.ledger);
  EXPECT_EQ(read.time, written.time);
  ASSERT_EQ(read.axes.size(), written.axes.size());
  for (std::size_t i = 0; i < read.axes.size(); ++i) {
    EXPECT_EQ(read.axes[i].name, written.axes[i].name);
    EXPECT_EQ(read.axes[i].labels, written.axes[i].labels);
  }
}

TEST(ReleaseFile, ReadsBackWhatWasWrittenToTheLastBit) {
  for (const CountMechanism mechanism : {CountMechanism::Gaussian, CountMechanism::RankDeficient, CountMechanism::Laplace}) {
    const Release written = a_release(mechanism);
    const auto read = release_from_json(json::parse(to_json(written).dump(1)));
    ASSERT_TRUE(read.ok()) << read.error().message();
    expect_same(*read, written);
  }
}

TEST(ReleaseFile, ReadsBackAnImportedTableWithoutNamesTotalOrReceipt) {
  Release written{};
  written.shape = {2, 1, 2};
  written.values = {0.1, -5, 1e15, 3};
  written.noise = {kernel::NoiseFamily::Laplace, 2};
  written.statement = {{"import", "table"}};
  written.privacy = {{"currency", nullptr}};
  written.guarantee = "unknown";
  const auto read = release_from_json(json::parse(to_json(written).dump()));
  ASSERT_TRUE(read.ok()) << read.error().message();
  expect_same(*read, written);
}

TEST(ReleaseFile, WritesTheFieldsOfTheContract) {
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

TEST(ReleaseFile, NamesItsCells) {
  const Release release = a_release();
  EXPECT_EQ(release.cell_name(0), "sex=f, plan=basic");
  EXPECT_EQ(release.cell_name(5), "sex=m, plan=none");
  Release nameless{};
  nameless.shape = {2};
  nameless.values = {1, 2};
  EXPECT_EQ(nameless.cell_name(1), "cell 2");
}

struct Spoiled {
  std::string pointer;   // what is changed
  std::string contents;  // its new JSON; empty: it is taken away
  std::string name;      // the field that the refusal names
};

class SpoiledReleaseFile : public ::testing::TestWithParam<Spoiled> {};

TEST_P(SpoiledReleaseFile, IsRefusedWithTheFieldNamed) {
  const Spoiled& spoiled = GetParam();
  json file = to_json(a_release());
  const json::json_pointer at(spoiled.pointer);
  if (spoiled.contents.empty()) {
    file.at(at.parent_pointer()).erase(at.back());
  } else {
    file[at] = json::parse(spoiled.contents);
  }
  const auto refused = release_from_json(file);
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

INSTANTIATE_TEST_SUITE_P(All, SpoiledReleaseFile, ::testing::ValuesIn(spoiled_files()), [](const auto& each) {
  std::string name;
  for (const char c : std::to_string(each.index) + each.param.pointer) name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name;
});

TEST(ReleaseFile, SumZeroNoiseNeedsTheTotalThatItKeeps) {
  json file = to_json(a_release(CountMechanism::RankDeficient));
  file["n"] = nullptr;
  const auto refused = release_from_json(file);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().name(), "noise structure");
}

TEST(ReleaseFile, WhatIsNoObjectIsRefused) {
  for (const char* text : {"null", "[]", "\"x\"", "7"}) {
    const auto refused = release_from_json(json::parse(text));
    ASSERT_FALSE(refused.ok()) << text;
    EXPECT_EQ(refused.error().code(), Code::InvalidArgument);
  }
}

TEST(ReleaseFile, OfAbsurdButAllowedNumbersReadsWithoutOverflow) {
  json file = to_json(a_release());
  file["values"] = {{1e100, -1e100, 1e100}, {1e100, 1e100, 0}};
  file["noise"]["scale"] = 1e100;
  file["grid"] = 1e-100;
  EXPECT_TRUE(release_from_json(file).ok());
}

Release a_local_release(const LocalRandomizer& law = {LocalKind::Exp, 1}) {
  const bool exp = law.kind == LocalKind::Exp;
  const std::vector<double> reports = exp ? std::vector<double>{412, 301, 280, 7} : std::vector<double>{0.412, 0.301, 0.28, 0.007};
  return *describe_local({law, reports}, 1000, {2, 2}, {{"currency", "epsilon"}, {"epsilon", 1}, {"neighbours", "local"}});
}

TEST(LocalRelease, ReadsBackWhatWasWrittenToTheLastBit) {
  for (const LocalKind kind : {LocalKind::Exp, LocalKind::Flip, LocalKind::Gaussian, LocalKind::Laplace}) {
    const Release written = a_local_release({kind, 1.25});
    const json file = to_json(written);
    const auto read = release_from_json(json::parse(file.dump(1)));
    ASSERT_TRUE(read.ok()) << read.error().message();
    EXPECT_EQ(read->kind, "local");
    EXPECT_EQ(read->values, written.values);
    EXPECT_EQ(read->shape, written.shape);
    ASSERT_TRUE(read->local);
    EXPECT_EQ(read->local->law.kind, kind);
    EXPECT_EQ(read->local->law.parameter, 1.25);
    EXPECT_EQ(read->local->reports, written.local->reports);
    EXPECT_TRUE(std::isnan(read->noise.scale));
    EXPECT_EQ(to_json(*read), file);
  }
}

TEST(LocalRelease, SaysItsLawItsReportsAndItsStandardErrors) {
  const json file = to_json(a_local_release());
  EXPECT_EQ(file.at("kind"), "local");
  EXPECT_EQ(file.at("n"), 1000);
  EXPECT_EQ(file.at("noise").at("family"), "exp");
  EXPECT_EQ(file.at("noise").at("structure"), "local");
  EXPECT_EQ(file.at("noise").at("epsilon"), 1);
  EXPECT_EQ(file.at("reports"), json::parse("[[412.0, 301.0], [280.0, 7.0]]"));
  EXPECT_EQ(file.at("privacy").at("neighbours"), "local");
  EXPECT_EQ(file.at("guarantee"), "unknown");
  const double variance = covariance({LocalKind::Exp, 1}, 1000, a_local_release().values, 1, 1);
  EXPECT_DOUBLE_EQ(file.at("noise").at("standard_errors").at(0).at(1).get<double>(), std::sqrt(variance));
}

TEST(LocalRelease, IsRefusedWithTheFieldNamedWhereItIsSpoiled) {
  const std::vector<Spoiled> cases = {
      {"/n", "null", "n"},
      {"/n", "999", "reports"},
      {"/noise", "7", "noise"},
      {"/noise/family", "\"rappor\"", "noise family"},
      {"/noise/epsilon", "", "epsilon"},
      {"/noise/epsilon", "0", "epsilon"},
      {"/noise/epsilon", "1000", "epsilon"},
      {"/noise/epsilon", "2", "values"},
      {"/reports", "", "reports"},
      {"/reports", "[412, 301, 280, 7]", "reports"},
      {"/reports", "[[412, 301], [280, 8]]", "reports"},
      {"/reports", "[[412, 301], [286.5, 0.5]]", "reports"},
      {"/reports", "[[412, 301], [287, 0]]", "values"},
      {"/values", "[[412, 301], [280, 7]]", "values"},
  };
  for (const Spoiled& spoiled : cases) {
    json file = to_json(a_local_release());
    const json::json_pointer at(spoiled.pointer);
    if (spoiled.contents.empty()) {
      file.at(at.parent_pointer()).erase(at.back());
    } else {
      file[at] = json::parse(spoiled.contents);
    }
    const auto refused = release_from_json(file);
    ASSERT_FALSE(refused.ok()) << spoiled.pointer << spoiled.contents;
    EXPECT_EQ(refused.error().name(), spoiled.name) << refused.error().message();
  }
}

TEST(LocalRelease, IsNoTableOfCounts) {
  EXPECT_TRUE(check_counts(a_release()).ok());
  EXPECT_EQ(
      check_counts(a_local_release()).error().message(),
      "kind is local, but must be counts: a table with noise that was added to true counts; the estimates of a local release, and their "
      "standard errors, are in the file itself");
}

TEST(DescribeLocal, RefusesWhatNoReportsGive) {
  EXPECT_EQ(describe_local({{LocalKind::Exp, 1}, {1, 2}}, 4, {2}, {}).error().name(), "reports");
  EXPECT_EQ(describe_local({{LocalKind::Exp, 1}, {1, 2}}, 2.5, {2}, {}).error().name(), "n");
  EXPECT_EQ(describe_local({{LocalKind::Exp, 0}, {1, 2}}, 3, {2}, {}).error().name(), "epsilon");
}

TEST(ReadRelease, SaysWhichFileIsMissing) {
  const auto refused = read_release("no/such/release.json");
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code(), Code::NotFound);
  EXPECT_THAT(refused.error().message(), HasSubstr("no/such/release.json"));
}

TEST(Nested, AndFlattenUndoEachOther) {
  const std::vector<double> values = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  for (const std::vector<std::size_t>& shape : std::vector<std::vector<std::size_t>>{{12}, {3, 4}, {2, 3, 2}, {1, 12, 1}, {12, 1, 1, 1}}) {
    const auto back = flatten(nested(values, shape), "values");
    ASSERT_TRUE(back.ok());
    EXPECT_EQ(back->shape, shape);
    EXPECT_EQ(back->values, values);
  }
}

TEST(Nested, RunsFastestAlongTheLastAxis) { EXPECT_EQ(nested({1, 2, 3, 4, 5, 6}, {2, 3}), json::parse("[[1, 2, 3], [4, 5, 6]]")); }

TEST(Flatten, RefusesWhatIsNotRectangular) {
  for (const char* text : {"[[1],[2,3]]", "[[1,2],[3]]", "[1,[2]]", "[[1],2]", "[[[1]],[2]]", "[[1,2],[[3],[4]]]", "[[[1,2]],[[3]]]",
                           "[[1],[]]", "[[],[1]]", "[[[]]]", "[]", "7", "null", "{}", "[\"1\"]", "[[null]]", "[[false]]", "[{}]"}) {
    const auto refused = flatten(json::parse(text), "table");
    ASSERT_FALSE(refused.ok()) << text;
    EXPECT_EQ(refused.error().name(), "table") << text;
    EXPECT_FALSE(refused.error().remedy().empty()) << text;
  }
}

TEST(Flatten, RefusesNumbersThatAreNotFiniteOrAbsurdlyLarge) {
  for (const double wrong :
       {std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(), std::nan(""), 1e101, -1e308}) {
    EXPECT_FALSE(flatten(json::array({1.0, wrong}), "values").ok()) << wrong;
  }
}

TEST(Flatten, NestsAtMostThirtyTwoDeep) {
  json value = 1;
  for (std::size_t depth = 0; depth < kMostAxes; ++depth) value = json::array({value});
  const auto deepest = flatten(value, "values");
  ASSERT_TRUE(deepest.ok());
  EXPECT_EQ(deepest->shape.size(), kMostAxes);
  EXPECT_FALSE(flatten(json::array({value}), "values").ok());
}

}  // namespace
}  // namespace tacet::mechanisms
