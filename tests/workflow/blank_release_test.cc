#include "tacet/workflow/plan/blank_release.h"

#include <gtest/gtest.h>

#include "tacet/workflow/release/moment_design.h"

namespace tacet {
namespace {

data::Schema one_column(kernel::Relation relation) {
  data::Schema schema;
  schema.relation = std::move(relation);
  const auto number = [](const char* text) { return *Decimal::parse(text); };
  schema.columns.push_back({"ldl", std::nullopt, data::Bounds{number("50"), number("201"), number("1"), number("125")}, {}});
  return schema;
}

TEST(BlankRelease, HasTheScalesOfTheDesignAndNoValues) {
  const data::Schema schema = one_column(kernel::Relation::ReplaceOne);
  const auto blank = blank_release({.schema = schema, .columns = {"ldl"}, .groups = 3, .loss = Rho(0.02)});
  ASSERT_TRUE(blank.ok()) << blank.error().message();
  EXPECT_EQ(blank->kind, mechanisms::MomentKind::Covariance);
  EXPECT_EQ(blank->mechanism, MomentMechanism::Gaussian);
  ASSERT_EQ(blank->parts.size(), 3U);
  for (const mechanisms::GroupMoments& part : blank->parts) {
    EXPECT_EQ(part.sums[0].value, 0);
    EXPECT_GT(part.sums[0].scale, 0);
    EXPECT_GT(part.people.scale, 0) << "membership is private";
    EXPECT_EQ(part.products.size(), 1U);
  }
  const auto open = blank_release({.schema = schema, .columns = {"ldl"}, .membership = Membership::Public, .loss = Rho(0.02)});
  ASSERT_TRUE(open.ok()) << open.error().message();
  EXPECT_EQ(open->parts[0].people.scale, 0);
  EXPECT_LT(open->parts[0].sums[0].scale, blank->parts[0].sums[0].scale);
}

TEST(BlankRelease, RefusesWhatNoReleaseCouldBe) {
  const data::Schema private_n = one_column(kernel::Relation::AddOrRemoveOne);
  EXPECT_EQ(blank_release({.schema = private_n, .columns = {"ldl"}, .membership = Membership::Public, .loss = Rho(0.02)}).error().message(),
            "membership is public, but must be private under add-or-remove-one, where the number of people in a group is private; leave it "
            "out, or plan under replace-one");
  EXPECT_EQ(blank_release({.schema = private_n, .columns = {"ldl"}}).error().name(), "privacy");
  EXPECT_EQ(blank_release({.schema = private_n, .columns = {"hdl"}, .loss = Rho(0.02)}).error().code(), Code::NotFound);
}

}  // namespace
}  // namespace tacet
