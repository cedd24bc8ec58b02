#include "tacet/workflow/infer/t_test.h"

#include <cmath>

#include <gtest/gtest.h>

#include "workflow/moment_releases.h"

namespace tacet {
namespace {

using inference::Outcome;
using test::covariance_release;
using test::people_at;

TEST(WorkflowTTest, ComparesTwoGroupsOrOneWithAValue) {
  const MomentRelease arms = covariance_release({people_at(50, 60), people_at(56, 60), people_at(50, 60)}, {"a", "b", "c"});
  const TTestAnswer two = *t_test({arms}, {.column = "ldl", .groups = {"b", "a"}});
  EXPECT_EQ(two.column, "ldl");
  EXPECT_EQ(two.groups[0].name, "arm=b");
  EXPECT_NEAR(two.test->estimate, 6, 1e-9);
  EXPECT_EQ(two.test->outcome, Outcome::Reject);
  EXPECT_EQ(two.disjoint, Disjoint::OneRelease);
  EXPECT_EQ(t_test({arms}, {.column = "hdl", .groups = {"b", "a"}})->test->outcome, Outcome::Retain);
  const TTestAnswer one = *t_test({arms}, {.column = "ldl", .groups = {"b"}, .null = 55});
  EXPECT_NEAR(one.test->estimate, 56, 1e-9);
  EXPECT_NEAR(one.test->statistic, 1 / std::sqrt(100.0 / 999 + 0.09), 0.03);
  const MomentRelease everybody = covariance_release({people_at(50, 60)});
  EXPECT_EQ(t_test({everybody}, {.column = "hdl", .null = 60})->groups[0].name, "everybody");
  EXPECT_EQ(t_test({everybody}, {.column = "hdl", .null = 0})->test->outcome, Outcome::Reject);
}

TEST(WorkflowTTest, TestsACombinationOfColumns) {
  const MomentRelease everybody = covariance_release({people_at(50, 60)});
  const TTestAnswer twice = *t_test({everybody}, {.direction = {{1, -2}}, .null = -70});
  EXPECT_EQ(twice.column, "ldl - 2 hdl");
  EXPECT_NEAR(twice.test->estimate, -70, 1e-9);
  EXPECT_NEAR(*twice.groups[0].mean, -70, 1e-9);
  EXPECT_EQ(twice.test->outcome, Outcome::Retain);
  EXPECT_EQ(t_test({everybody}, {.direction = {{1, -2}}, .null = -60})->test->outcome, Outcome::Reject);
  EXPECT_EQ(t_test({everybody}, {.column = "ldl", .direction = {{1, 1}}}).error().message(),
            "direction is given with a column, but must be given alone: it is of all columns; leave column out");
  EXPECT_EQ(t_test({everybody}, {.direction = {{1}}}).error().message(),
            "direction is 1 numbers, but must be one for each of the columns ldl, hdl; a column that does not count has 0");
  EXPECT_EQ(t_test({everybody}, {.direction = {{0, 0}}}).error().name(), "direction");
}

TEST(WorkflowTTest, IsInconclusiveIfAGroupMayBeEmpty) {
  MomentRelease arms = covariance_release({people_at(50, 60), people_at(56, 60)}, {"a", "b"});
  arms.parts[1].people = {8, 6};
  const TTestAnswer answer = *t_test({arms}, {.column = "ldl"});
  EXPECT_FALSE(answer.test);
  EXPECT_EQ(answer.reason,
            "arm=b has no mean to test: its noisy number of people, 8, is within 2 times its noise (sd 6) of 0, so there may be nobody");
  EXPECT_FALSE(answer.groups[1].mean);
  arms.parts[1].people = {1, 0};
  EXPECT_EQ(t_test({arms}, {.column = "ldl"})->reason, "arm=b has 1 people, and at least 2 are needed to say how they vary");
}

TEST(WorkflowTTest, LeavesOutGroupsOfNobodyThatWereNotNamed) {
  MomentRelease arms = covariance_release({people_at(50, 60), people_at(56, 60), people_at(50, 60)}, {"a", "b", "other"});
  EXPECT_EQ(t_test({arms}, {.column = "ldl"}).error().message(),
            "groups is 3 groups, but must be one or two groups of the release: a, b, other; for example: groups = a,b");
  arms.parts[2].people = {0.4, 6};
  const TTestAnswer two = *t_test({arms}, {.column = "ldl"});
  EXPECT_NEAR(two.test->estimate, -6, 1e-9);
  EXPECT_EQ(two.left_out, std::vector<std::string>{"arm=other"});
  EXPECT_FALSE(t_test({arms}, {.column = "ldl", .groups = {"a", "other"}})->test);
}

TEST(WorkflowTTest, RefusesWhatItCannotTest) {
  const MomentRelease arms = covariance_release({people_at(50, 60), people_at(56, 60), people_at(50, 60)}, {"a", "b", "c"});
  const MomentRelease all = covariance_release({people_at(50, 60)});
  EXPECT_EQ(t_test({}, {}).error().name(), "release");
  EXPECT_EQ(t_test({all}, {}).error().message(),
            "column is missing, but must be a column of the release: ldl, hdl; for example: column = ldl");
  EXPECT_EQ(t_test({all}, {.column = "age"}).error().name(), "column");
  EXPECT_EQ(t_test({arms}, {.column = "ldl"}).error().message(),
            "groups is 3 groups, but must be one or two groups of the release: a, b, c; for example: groups = a,b");
  EXPECT_EQ(t_test({arms}, {.column = "ldl", .groups = {"a", "a"}}).error().name(), "groups");
  EXPECT_EQ(t_test({arms}, {.column = "ldl", .groups = {"z"}}).error().name(), "groups");
  EXPECT_EQ(t_test({all}, {.column = "ldl", .groups = {"a"}}).error().name(), "groups");
  EXPECT_EQ(t_test({arms, all}, {.column = "ldl"}).error().name(), "release");
  MomentRelease wider = all;
  wider.columns[0].upper = 120;
  EXPECT_EQ(t_test({all, wider}, {.column = "ldl"}).error().name(), "release");
  MomentRelease visits = all;
  visits.header.contributions = mechanisms::ReleasedContributions{.counted = mechanisms::Counted::Rows, .rows = 3};
  EXPECT_EQ(t_test({visits}, {.column = "ldl"}).error().code(), Code::Unsupported);
  EXPECT_TRUE(t_test({visits}, {.column = "ldl", .target = MeanTarget::Data}).ok()) << "of the file, rows will do";
}

}  // namespace
}  // namespace tacet
