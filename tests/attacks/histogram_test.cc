// Attacks on a histogram: what leaves without noise, and what its sums cost. What they would catch:
// a figure that tells how many people meet a condition, and levels of sums that are not paid.
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "service/desk.h"

namespace tacet::service {
namespace {

using test::Desk;

Json of_age(const Desk& desk, const Json& more = Json::object()) {
  Json request = {{"data", desk.path("people.csv")}, {"schema", desk.path("people.toml")}, {"column", "age"}, {"bins", 40}, {"rho", "0.01"},
                  {"out", desk.path("h.json")}};
  request.update(more);
  return request;
}

TEST(AttackHistogram, HowManyMeetAConditionIsNotTold) {
  const Desk desk;
  ASSERT_TRUE(desk.budget("create", {{"rho", 1}}).ok());
  const auto all = desk.call("release histogram", of_age(desk));
  ASSERT_TRUE(all.ok()) << all.error().message();
  EXPECT_EQ(all->at("n"), 5);
  const auto part = desk.call("release histogram", of_age(desk, {{"where", "sex = f"}, {"out", desk.path("p.json")}}));
  ASSERT_TRUE(part.ok()) << part.error().message();
  EXPECT_TRUE(part->at("n").is_null());
  EXPECT_REFUSED(desk, Code::InvalidArgument, desk.call("release histogram", of_age(desk, {{"mechanism", "rank-deficient"}})));
}

// The noise of 40 bins with two levels of sums, of 4 and of 16 of them, is that of three tables.
TEST(AttackHistogram, EveryLevelOfSumsIsPaid) {
  const Desk desk;
  ASSERT_TRUE(desk.budget("create", {{"rho", 1}}).ok());
  const auto alone = desk.call("release histogram", of_age(desk, {{"branching", 1}, {"mechanism", "gaussian"}}));
  const auto tree =
      desk.call("release histogram", of_age(desk, {{"branching", 4}, {"mechanism", "gaussian"}, {"out", desk.path("t.json")}}));
  ASSERT_TRUE(alone.ok() && tree.ok());
  ASSERT_EQ(tree->at("values").size(), 3U);
  const auto scale = [](const Json& release) { return release.at("noise").at("scale").get<double>(); };
  EXPECT_GE(scale(*tree) * scale(*tree), 3 * scale(*alone) * scale(*alone) * (1 - 1e-12));
  EXPECT_EQ(desk.spent(), "rho 0.02");
}

TEST(AttackHistogram, ARequestChoosesNeitherBoundsNorColumns) {
  const Desk desk;
  ASSERT_TRUE(desk.budget("create", {{"rho", 1}}).ok());
  EXPECT_REFUSED(desk, Code::InvalidArgument,
                 desk.call("release histogram", of_age(desk, {{"bins", nullptr}, {"edges", Json::array({0, 60, 121})}})));
  for (const char* column : {"sex", "undeclared", ""}) {
    const auto refused = desk.call("release histogram", of_age(desk, {{"column", column}}));
    ASSERT_FALSE(refused.ok()) << column;
    EXPECT_EQ(refused.error().spent(), "nothing was spent");
  }
  EXPECT_EQ(desk.spent(), "rho 0");
}

}  // namespace
}  // namespace tacet::service
