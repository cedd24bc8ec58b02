#include "tacet/workflow/release/release_histogram.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/data/canonical_schema.h"
#include "tacet/data/stored_column.h"
#include "tacet/schemas/schema_text.h"
#include "tacet/workflow/custody/create_budget.h"

#include "service/desk.h"

namespace tacet {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

data::Bounds bounds(const char* lower, const char* upper, const char* resolution) {
  return {*Decimal::parse(lower), *Decimal::parse(upper), *Decimal::parse(resolution), {}};
}

std::vector<std::string> texts(const std::vector<Decimal>& edges) {
  std::vector<std::string> all;
  for (const Decimal& edge : edges) all.push_back(edge.to_string());
  return all;
}

TEST(EqualBins, AreWholeStepsOfTheResolutionFromBoundToBound) {
  EXPECT_THAT(texts(equal_bins(bounds("0", "1", "0.25"), 100)), ElementsAre("0", "0.25", "0.5", "0.75", "1"));
  EXPECT_THAT(texts(equal_bins(bounds("0", "10", "1"), 4)), ElementsAre("0", "3", "6", "9", "10"));
  EXPECT_THAT(texts(equal_bins(bounds("-0.1", "0.3", "0.1"), 2)), ElementsAre("-0.1", "0.1", "0.3"));
  EXPECT_EQ(equal_bins(bounds("0", "1000000", "0.01"), kUsualBins).size(), 257U);
  EXPECT_THAT(texts(equal_bins(bounds("0", "1", "0.3"), 100)), ElementsAre("0", "0.3", "0.6", "0.9", "1"));
}

TEST(CalendarBins, BeginOnFirstDays) {
  const auto dates = [](const char* lower, const char* upper, CalendarBins every) {
    std::vector<std::string> all;
    const auto day = [](const char* text) { return fmt::format("{}", data::read_number(text, {.date = true})); };
    for (const Decimal& edge : calendar_bins(bounds(day(lower).c_str(), day(upper).c_str(), "1"), every))
      all.push_back(data::number_text(edge, true));
    return all;
  };
  EXPECT_THAT(dates("2019-12-30", "2020-04-01", CalendarBins::Month),
              ElementsAre("2019-12-30", "2020-01-01", "2020-02-01", "2020-03-01", "2020-04-01"));
  EXPECT_THAT(dates("2020-01-01", "2020-12-31", CalendarBins::Quarter),
              ElementsAre("2020-01-01", "2020-04-01", "2020-07-01", "2020-10-01", "2020-12-31"));
  EXPECT_THAT(dates("1968-02-29", "1971-01-02", CalendarBins::Year),
              ElementsAre("1968-02-29", "1969-01-01", "1970-01-01", "1971-01-01", "1971-01-02"));
  EXPECT_THAT(dates("2020-02-02", "2020-02-20", CalendarBins::Month), ElementsAre("2020-02-02", "2020-02-20"));
}

TEST(UsualBranching, FollowsTheNoise) {
  EXPECT_EQ(usual_branching(CountMechanism::Gaussian, 16), 1U);
  EXPECT_EQ(usual_branching(CountMechanism::Gaussian, 17), 4U);
  EXPECT_EQ(usual_branching(CountMechanism::Laplace, 127), 1U);
  EXPECT_EQ(usual_branching(CountMechanism::Laplace, 256), 16U);
}

class ReleaseHistogramTest : public ::testing::Test {
 protected:
  ReleaseHistogramTest() {
    EXPECT_TRUE(create_budget({.schema = *schemas::read_schema(desk_.path("people.toml")), .total = Rho("1e6")}).ok());
  }
  Result<Published<HistogramRelease>> release(const HistogramRequest& request) const {
    return release_histogram(*Dataset::open({.ledger = desk_.path("people.ledger"), .data = desk_.path("people.csv")}), request);
  }
  std::string refused(const HistogramRequest& request) const {
    const auto published = release(request);
    return published.ok() ? "not refused" : published.error().message();
  }

 private:
  test::Desk desk_;
};

// The people of the desk are 31, 44, 29, one without an age, and 50.
TEST_F(ReleaseHistogramTest, CountsBinsSumsAndMissing) {
  const auto published = release({.column = "age", .bins = 12, .branching = 3, .loss = Rho("1e5")});
  ASSERT_TRUE(published.ok()) << published.error().message();
  const HistogramRelease& r = published->release;
  EXPECT_EQ(r.column, "age");
  EXPECT_EQ(r.edges.size(), 13U);
  EXPECT_EQ(r.edges[3], 30);
  ASSERT_EQ(r.values.size(), 3U);
  EXPECT_NEAR(r.values[0][2], 1, 0.05);
  EXPECT_NEAR(r.values[0][3], 1, 0.05);
  EXPECT_NEAR(r.values[1][1], 3, 0.05);
  EXPECT_NEAR(r.values[2][0], 4, 0.05);
  EXPECT_NEAR(r.missing, 1, 0.05);
  EXPECT_EQ(r.n, 5);
}

// Three levels: mu^2 = 2 * 3/s^2, and epsilon = 2 * 3/s.
TEST_F(ReleaseHistogramTest, TheNoisePaysForEveryLevel) {
  const auto gaussian = release({.column = "age", .bins = 12, .branching = 3, .loss = Mu("0.5")});
  ASSERT_TRUE(gaussian.ok()) << gaussian.error().message();
  EXPECT_NEAR(gaussian->release.noise.scale, std::sqrt(6.0) / 0.5, 1e-6);
  const auto laplace = release({.column = "age", .bins = 12, .branching = 3, .loss = Epsilon("0.5")});
  ASSERT_TRUE(laplace.ok()) << laplace.error().message();
  EXPECT_EQ(laplace->release.noise.family, kernel::NoiseFamily::Laplace);
  EXPECT_NEAR(laplace->release.noise.scale, 12, 1e-6);
  const auto flat = release({.column = "age", .bins = 12, .loss = Mu("0.5")});
  ASSERT_TRUE(flat.ok()) << flat.error().message();
  EXPECT_NEAR(flat->release.noise.scale, std::sqrt(2.0) / 0.5, 1e-6);
  EXPECT_EQ(flat->release.values.size(), 1U);
  for (const char* const currency : {"rho", "mu"}) {
    const auto other = release({.column = "age",
                                .branching = 4,
                                .mechanism = CountMechanism::Laplace,
                                .loss = std::string(currency) == "rho" ? PrivacyAmount(Rho("0.1")) : PrivacyAmount(Mu("0.1"))});
    EXPECT_TRUE(other.ok()) << other.error().message();
  }
}

TEST_F(ReleaseHistogramTest, EdgesOfTheRequestArePublicAndChecked) {
  const auto published = release({.column = "age", .edges = {0, 30, 45.5, 120}, .where = "sex = f", .loss = Rho("1e5")});
  ASSERT_TRUE(published.ok()) << published.error().message();
  EXPECT_THAT(published->release.edges, ElementsAre(0, 30, 45.5, 120));
  EXPECT_NEAR(published->release.values[0][0], 1, 0.05);
  EXPECT_FALSE(published->release.n);
  EXPECT_THAT(refused({.column = "age", .edges = {0, 30, 20}, .loss = Rho("1")}), HasSubstr("edges is 20 after 30, but must increase"));
  EXPECT_THAT(refused({.column = "age", .edges = {0, 130, 140}, .loss = Rho("1")}),
              HasSubstr("edges is 130, but must lie between the declared bounds, 0 and 120"));
  EXPECT_THAT(refused({.column = "age", .edges = {0, 30}, .loss = Rho("1")}), HasSubstr("must be at least 3: of two bins"));
  EXPECT_THAT(refused({.column = "age", .bins = 5, .edges = {0, 30, 40}, .loss = Rho("1")}),
              HasSubstr("bins is 5, but cannot be given together with edges"));
  EXPECT_THAT(refused({.column = "age", .bins = 1, .loss = Rho("1")}), HasSubstr("bins is 1, but must be from 2 to 4096"));
  EXPECT_THAT(refused({.column = "age", .branching = 0, .loss = Rho("1")}), HasSubstr("branching is 0, but must be from 1 (bins alone)"));
  EXPECT_THAT(refused({.column = "sex", .loss = Rho("1")}), HasSubstr("a histogram has bins between bounds that are public"));
  EXPECT_THAT(refused({.column = "height", .loss = Rho("1")}), HasSubstr("column \"height\" is not in the schema"));
  EXPECT_THAT(refused({.column = "age", .mechanism = CountMechanism::RankDeficient, .loss = Rho("1")}),
              HasSubstr("is for tables: inference from a histogram uses a public total anyway"));
  EXPECT_THAT(refused({.column = "age"}), HasSubstr("rho"));
}

}  // namespace
}  // namespace tacet
