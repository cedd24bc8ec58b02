// Bins that a request chooses: --bins of release counts.
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/mechanisms/release_file.h"

#include "service/desk.h"

namespace tacet::service {
namespace {

using test::Desk;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A desk whose noise is far below 1.
class BinsOfARequest : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(desk.budget("create", {{"rho", 1'000'000}}).ok()); }
  Result<Json> release(const std::string& by, const std::string& bins, const std::string& out = "r.json") const {
    return desk.release({{"by", by}, {"bins", bins}, {"rho", 10'000}, {"out", out}});
  }
  static std::vector<double> rounded(const Json& values) {
    std::vector<double> out;
    for (const Json& value : values) {
      if (value.is_array()) {
        for (const double inner : rounded(value)) out.push_back(inner);
      } else {
        out.push_back(std::round(value.get<double>()) + 0.0);
      }
    }
    return out;
  }
  Desk desk;
};

// Ages 31, 44, 29, 50, and one that is missing.
TEST_F(BinsOfARequest, TabulateAColumnThatHasOnlyBounds) {
  const auto answer = release("age", "age:0,30,45,120");
  ASSERT_TRUE(answer.ok()) << answer.error().message();
  EXPECT_EQ(rounded(answer->at("values")), (std::vector<double>{1, 2, 1, 1}));
  EXPECT_THAT(answer->at("axes").at(0).at("labels"), ElementsAre("0 to under 30", "30 to under 45", "45 to 120", "missing"));
  EXPECT_EQ(answer->at("statement").at("bins"), (Json{{"age", {"0", "30", "45", "120"}}}));
  EXPECT_EQ(answer->at("n"), 5);
  const auto file = mechanisms::read_release(desk.path("r.json"));
  ASSERT_TRUE(file.ok()) << file.error().message();
  EXPECT_THAT(desk.said, HasSubstr("30 to under 45"));
}

TEST_F(BinsOfARequest, TakeNumbersBeyondTheirEdgesIntoTheNearestCellAndCrossOtherColumns) {
  const auto answer = release("sex,age", "age:30,45,50");
  ASSERT_TRUE(answer.ok()) << answer.error().message();
  // f: 31, 29, 50; m: 44 and missing.
  EXPECT_EQ(rounded(answer->at("values")), (std::vector<double>{2, 1, 0, 1, 0, 1}));
}

TEST_F(BinsOfARequest, StandInTheStatementInOneSpelling) {
  const auto hash = [](const Result<Json>& release) { return release->at("ledger").at("statement_hash"); };
  const auto first = release("age", "age:0,40,120", "a.json");
  const auto same = release("age", " age : 0.0, 4e1, 120 ", "b.json");
  const auto other = release("age", "age:0,41,120", "c.json");
  ASSERT_TRUE(first.ok() && same.ok() && other.ok());
  EXPECT_EQ(hash(first), hash(same));
  EXPECT_NE(hash(first), hash(other));
}

TEST_F(BinsOfARequest, RefusalsSpendNothing) {
  for (const auto& [by, bins] : std::vector<std::pair<std::string, std::string>>{{"age", "age:0,200"},
                                                                                 {"age", "sex:0,1"},
                                                                                 {"sex", "sex:0,1"},
                                                                                 {"age", "age:0"},
                                                                                 {"age", "0,40"},
                                                                                 {"age", "age:9,3"},
                                                                                 {"age", ""}}) {
    EXPECT_REFUSED(desk, Code::InvalidArgument, release(by, bins));
    EXPECT_EQ(release(by, bins).error().name(), "bins") << bins;
  }
}

// Bins of a request count in place of those in the schema.
TEST(BinsOfARequestBesideDeclaredOnes, ReplaceThem) {
  const Desk desk;
  desk.write(
      "people.toml",
      std::string(test::kPeopleSchema).replace(std::string(test::kPeopleSchema).find("missing = 60"), 12, "bins = [0, 18, 40, 65, 120]"));
  ASSERT_TRUE(desk.budget("create", {{"rho", 1'000'000}}).ok());
  const auto declared = desk.release({{"by", "age"}, {"rho", 10'000}, {"out", "a.json"}});
  ASSERT_TRUE(declared.ok()) << declared.error().message();
  EXPECT_EQ(declared->at("values").size(), 5U);
  const auto asked = desk.release({{"by", "age"}, {"bins", "age:0,40,120"}, {"rho", 10'000}, {"out", "b.json"}});
  ASSERT_TRUE(asked.ok()) << asked.error().message();
  ASSERT_EQ(asked->at("values").size(), 3U);
  const std::vector<double> expected = {2, 2, 1};
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(asked->at("values").at(i).get<double>(), expected[i], 0.5);
  EXPECT_FALSE(asked->contains("paid_before"));
}

}  // namespace
}  // namespace tacet::service
