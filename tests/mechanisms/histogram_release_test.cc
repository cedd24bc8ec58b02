#include "tacet/mechanisms/histogram_release.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tacet/mechanisms/release_file.h"

#include "mechanisms/released.h"

namespace tacet::mechanisms::histogram_release_test {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Five bins, the missing, and three sums of two bins; the third level has two sums of these.
HistogramRelease a_histogram() {
  const auto noisy =
      test::released({1000, 2000, 3000, 4000, 5000, 77, 3000, 7000, 5000, 10000, 5000}, kernel::Relation::ReplaceOne, test::rho("50"));
  return describe_histogram(noisy, {"age", {0, 10, 20, 30, 40, 50}, false, 2}, test::people(15077), R"({"release": "histogram"})");
}

TEST(HistogramRelease, HasTheValuesOfEveryLevelInTheirOrder) {
  EXPECT_THAT(level_sizes(5, 2), ElementsAre(5, 3, 2));
  EXPECT_THAT(level_sizes(64, 8), ElementsAre(64, 8));
  EXPECT_THAT(level_sizes(65, 8), ElementsAre(65, 9, 2));
  EXPECT_THAT(level_sizes(8, 8), ElementsAre(8));
  EXPECT_THAT(level_sizes(8, 1), ElementsAre(8));
  const HistogramRelease release = a_histogram();
  ASSERT_EQ(release.values.size(), 3U);
  EXPECT_NEAR(release.values[0][4], 5000, 3);
  EXPECT_NEAR(release.missing, 77, 3);
  EXPECT_NEAR(release.values[1][1], 7000, 3);
  EXPECT_NEAR(release.values[2][0], 10000, 3);
  EXPECT_EQ(release.n, 15077);
}

TEST(HistogramRelease, ReadsBackWhatWasWrittenToTheLastBit) {
  HistogramRelease written = a_histogram();
  written.dates = true;
  const auto read = release_from_json(json::parse(to_text(Release(written))));
  ASSERT_TRUE(read.ok()) << read.error().message();
  EXPECT_EQ(name(kind_of(*read)), "histogram");
  const auto& same = std::get<HistogramRelease>(*read);
  EXPECT_EQ(same.values, written.values);
  EXPECT_EQ(same.edges, written.edges);
  EXPECT_EQ(same.missing, written.missing);
  EXPECT_EQ(same.branching, written.branching);
  EXPECT_EQ(same.dates, true);
  EXPECT_EQ(same.n, written.n);
  EXPECT_EQ(same.noise.scale, written.noise.scale);
  EXPECT_EQ(same.header.privacy, written.header.privacy);
}

TEST(HistogramRelease, AFieldThatIsWrongIsNamed) {
  const json good = to_json(a_histogram());
  const auto refused = [&](const char* field, const json& value) {
    json bad = good;
    bad[field] = value;
    const auto read = histogram_release_from_json(bad);
    return read.ok() ? std::string("read") : read.error().message();
  };
  EXPECT_THAT(refused("edges", json::array({0, 10, 5, 30, 40, 50})), HasSubstr("edges is 5 after 10, but must increase"));
  EXPECT_THAT(refused("edges", 3), HasSubstr("edges is a number, but must be a list of at least two numbers"));
  EXPECT_THAT(refused("edges", json::array({0, 10})), HasSubstr("must be a list of 1 levels, for these edges and this branching"));
  EXPECT_THAT(refused("branching", 0), HasSubstr("branching is 0, but must be a whole number from 1"));
  EXPECT_THAT(refused("branching", 1.5), HasSubstr("branching is 1.5"));
  EXPECT_THAT(refused("values", json::array({json::array({1}), 2, 3})),
              HasSubstr("values is a level of 1, but must have 5 numbers at level 1"));
  EXPECT_THAT(refused("missing", "x"), HasSubstr("missing is"));
  EXPECT_THAT(refused("column", 1), HasSubstr("column is"));
  EXPECT_THAT(refused("dates", 1), HasSubstr("dates is a number, but must be true or false"));
  EXPECT_THAT(refused("n", 0.5), HasSubstr("n is"));
  EXPECT_THAT(refused("grid", 1e9), HasSubstr("grid is"));
  EXPECT_THAT(refused("noise", json{{"family", "gaussian"}, {"scale", 1}, {"structure", "sum-zero"}}),
              HasSubstr("noise structure is sum-zero, but must be independent in a histogram"));
}

TEST(HistogramRelease, EdgesOfATableAreReadBackAndChecked) {
  CountRelease table{};
  table.axes = {{"age", {"0 to under 10", "10 to 20", "missing"}, {0, 10, 20}, true}};
  table.shape = {3};
  table.values = {1, 2, 3};
  table.noise = {kernel::NoiseFamily::Laplace, 2};
  json written = to_json(table);
  const auto read = count_release_from_json(written);
  ASSERT_TRUE(read.ok()) << read.error().message();
  EXPECT_EQ(read->axes[0].edges, table.axes[0].edges);
  EXPECT_TRUE(read->axes[0].dates);
  written["axes"][0]["edges"] = json::array({0, 10, 20, 30, 40});
  EXPECT_THAT(count_release_from_json(written).error().message(), HasSubstr("edges is 5, but must be one more than the bins"));
}

TEST(HistogramRelease, OfAnotherUseSaysWhatServes) {
  const auto refused = as_kind<CountRelease>(Release(a_histogram()), "age.json");
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().message(), HasSubstr("for a histogram use `infer quantile` or `infer distribution`"));
}

}  // namespace
}  // namespace tacet::mechanisms::histogram_release_test
