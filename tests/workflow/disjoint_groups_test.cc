#include "tacet/workflow/infer/disjoint_groups.h"

#include <gtest/gtest.h>

#include "tacet/workflow/infer/compare_means.h"
#include "tacet/workflow/infer/homogeneity.h"
#include "tacet/workflow/infer/t_test.h"

#include "workflow/moment_releases.h"

namespace tacet {
namespace {

using mechanisms::ReleaseHeader;

ReleaseHeader charged(const std::string& dataset, std::int64_t entry, std::optional<std::string> where = {}) {
  ReleaseHeader header;
  header.receipt.emplace();
  header.receipt->ledger = "a1";
  header.receipt->dataset = dataset;
  header.receipt->entry = entry;
  header.where = std::move(where);
  return header;
}

TEST(DisjointGroups, OfOneDatasetAreRefusedUnlessConditionsOrTheRequestSaySo) {
  const ReleaseHeader all = charged("trial", 1);
  const ReleaseHeader again = charged("trial", 2);
  const ReleaseHeader old_arm = charged("trial", 3, "arm = old");
  const ReleaseHeader new_arm = charged("trial", 4, "arm = new");
  const auto refused = check_disjoint({&all, &again}, false);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().name(), "releases");
  EXPECT_EQ(refused.error().code(), Code::InvalidArgument);
  EXPECT_NE(refused.error().message().find("disjoint = true"), std::string::npos);
  EXPECT_EQ(*check_disjoint({&all, &again}, true), Disjoint::Declared);
  EXPECT_EQ(*check_disjoint({&old_arm, &new_arm}, false), Disjoint::Conditions);
  EXPECT_FALSE(check_disjoint({&old_arm, &all}, false).ok());
  EXPECT_EQ(check_disjoint({&old_arm, &new_arm, &old_arm}, true).error().name(), "releases") << "the same release twice";
}

// visit = 1 and visit = 2 keep rows apart, but both may be rows of the same patient.
TEST(DisjointGroups, ConditionsDoNotKeepPeopleApartWhoMayHaveSeveralRows) {
  ReleaseHeader first = charged("trial", 3, "visit = 1"), second = charged("trial", 4, "visit = 2");
  EXPECT_EQ(*check_disjoint({&first, &second}, false), Disjoint::Conditions);
  first.contributions = second.contributions = mechanisms::ReleasedContributions{.rows = 1};
  const auto refused = check_disjoint({&first, &second}, false);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().name(), "releases");
  EXPECT_EQ(*check_disjoint({&first, &second}, true), Disjoint::Declared);
}

TEST(DisjointGroups, OfOtherDatasetsOrUnknownOnesAreCompared) {
  const ReleaseHeader north = charged("north", 1);
  const ReleaseHeader south = charged("south", 1);
  const ReleaseHeader imported;
  EXPECT_EQ(*check_disjoint({&north, &south}, false), Disjoint::Datasets);
  EXPECT_EQ(*check_disjoint({&north, &south, &imported}, false), Disjoint::Unknown) << "the weakest";
  EXPECT_EQ(*check_disjoint({&north}, false), Disjoint::OneRelease);
  ReleaseHeader other = charged("north", 1);
  other.receipt->ledger = "b2";
  EXPECT_EQ(*check_disjoint({&north, &other}, false), Disjoint::Datasets) << "a dataset of the same name in another ledger";
}

TEST(DisjointGroups, AreAskedForByEveryComparison) {
  MomentRelease one = test::covariance_release({test::people_at(50, 60)});
  MomentRelease other = test::covariance_release({test::people_at(56, 60)});
  one.header = charged("trial", 1);
  other.header = charged("trial", 2);
  EXPECT_EQ(compare_means({one, other}).error().name(), "releases");
  EXPECT_EQ(compare_two_means({one, other}).error().name(), "releases");
  EXPECT_EQ(compare_two_means({one, other}, {.disjoint = true})->disjoint, Disjoint::Declared);
  EXPECT_EQ(t_test({one, other}, {.column = "ldl"}).error().name(), "releases");
  EXPECT_EQ(t_test({one, other}, {.column = "ldl", .disjoint = true})->disjoint, Disjoint::Declared);
  CountRelease table;
  table.values = {500, 500};
  table.shape = {2};
  table.header = charged("trial", 1);
  CountRelease second = table;
  second.header = charged("trial", 2);
  EXPECT_EQ(test_homogeneity({table, second}).error().name(), "releases");
}

}  // namespace
}  // namespace tacet
