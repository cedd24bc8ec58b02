// Attacks by units: what a budget paid for must be readable afterwards, in whatever units people
// measure. What they would catch: bounds, edges and factors that no release file can hold, and that
// are refused only after the charge.
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/mechanisms/release_file.h"

#include "service/desk.h"

namespace tacet::service {
namespace {

using test::Desk;
using ::testing::HasSubstr;

/// Two columns, one measured in huge units and one in tiny ones.
std::string schema_of(const std::string& huge, const std::string& tiny) {
  return "tacet = 1\ndataset = \"people\"\nledger = \"people.ledger\"\n[columns.huge]\nlower = -" + huge + "\nupper = " + huge +
         "\nresolution = " + huge + "\n[columns.tiny]\nlower = 0\nupper = " + tiny + "\nresolution = " + tiny + "\n";
}

Json of(const Desk& desk, Json more) {
  more.update({{"data", desk.path("people.csv")}, {"schema", desk.path("people.toml")}, {"out", desk.path("r.json")}});
  return more;
}

/// Every kind of release of both columns.
const std::vector<std::pair<const char*, Json>> kReleases = {
    {"release sum", {{"columns", "huge,tiny"}}},
    {"release mean", {{"columns", "huge,tiny"}, {"mechanism", "laplace"}}},
    {"release covariance", {{"columns", "huge,tiny"}}},
    {"release second-moment", {{"columns", "huge,tiny"}, {"mechanism", "laplace"}}},
    {"release histogram", {{"column", "huge"}, {"bins", 2}}},
    {"release histogram", {{"column", "tiny"}, {"bins", 2}}},
    {"release counts", {{"by", "huge"}, {"bins", "huge:-1,0,1"}}},
    {"release query", {{"columns", "huge,tiny"}, {"direction", "1,1"}}},
    {"release query", {{"columns", "tiny"}, {"direction", "1"}}},
};

TEST(AttackUnits, WhatIsChargedIsReadableInTheLargestAndTheSmallest) {
  const Desk desk;
  desk.write("people.toml", schema_of("1e40", "1e-40"));
  desk.write("people.csv", "huge,tiny\n1e40,1e-40\n-1e40,0\n3e39,1\n");
  ASSERT_TRUE(desk.budget("create", {{"rho", 100'000}}).ok());
  for (const char* rho : {"1e-20", "1", "900"}) {
    for (const auto& [verb, what] : kReleases) {
      Json request = of(desk, what);
      request["rho"] = rho;
      const auto released = desk.call(verb, request);
      ASSERT_TRUE(released.ok()) << verb << " " << what << ": " << released.error().message();
      const auto read = mechanisms::read_release(desk.path("r.json"));
      EXPECT_TRUE(read.ok()) << verb << " " << what << ": " << read.error().message();
      std::filesystem::remove(desk.path("r.json"));
    }
  }
}

TEST(AttackUnits, BoundsThatNoReleaseFileHoldsGetNoBudget) {
  const Desk desk;
  for (const auto& [huge, tiny, words] :
       {std::tuple{"1e41", "1", "must lie between -1e40 and 1e40"}, {"1", "1e-41", "must be at least 1e-40"}}) {
    desk.write("people.toml", schema_of(huge, tiny));
    const auto refused = desk.budget("create", {{"rho", 1}});
    ASSERT_FALSE(refused.ok());
    EXPECT_THAT(refused.error().message(), HasSubstr(words));
  }
}

TEST(AttackUnits, EdgesThatAreOneDoubleAreRefused) {
  const Desk desk;
  const std::string head = "tacet = 1\ndataset = \"people\"\nledger = \"people.ledger\"\n[columns.age]\n";
  for (const char* bins : {R"([0, "1.00000000000000000001", "1.00000000000000000002"])", "[0, 1, 1e41]", "[-1e41, 0]"}) {
    desk.write("people.toml", head + "bins = " + bins + "\n");
    const auto refused = desk.budget("create", {{"rho", 1}});
    ASSERT_FALSE(refused.ok()) << bins;
    EXPECT_THAT(refused.error().message(), HasSubstr("must have edges between -1e40 and 1e40 that differ in their first 16 digits"));
  }
  desk.write("people.toml", head + "lower = 0\nupper = 120\nresolution = 1\n");
  ASSERT_TRUE(desk.budget("create", {{"rho", 1}}).ok());
  const auto refused =
      desk.call("release counts", of(desk, {{"by", "age"}, {"bins", "age:0,0.1,0.1000000000000000000001,120"}, {"rho", 1}}));
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().message(), HasSubstr("that differ in their first 16 digits"));
  EXPECT_EQ(desk.spent(), "rho 0");
}

TEST(AttackUnits, AQueryThatNoReleaseFileHoldsIsRefused) {
  const Desk desk;
  ASSERT_TRUE(desk.budget("create", {{"rho", 1}}).ok());
  for (const Json& query : {Json{{"direction", "1e60"}}, Json{{"direction", "1e-63"}}, Json{{"sd", "10"}, {"radius", "1e61"}},
                            Json{{"sd", "10"}, {"radius", 3}, {"centre", "1e101"}}}) {
    Json request = of(desk, {{"columns", "age"}, {"rho", "0.1"}});
    request.update(query);
    const auto refused = desk.call("release query", request);
    ASSERT_FALSE(refused.ok()) << query;
    EXPECT_EQ(refused.error().spent(), "nothing was spent");
  }
  EXPECT_EQ(desk.spent(), "rho 0");
}

}  // namespace
}  // namespace tacet::service
