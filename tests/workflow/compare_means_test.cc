#include "tacet/workflow/infer/compare_means.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "workflow/moment_releases.h"

namespace tacet {
namespace {

using inference::Outcome;
using test::covariance_release;
using test::people_at;

MomentRelease three_arms() { return covariance_release({people_at(50, 60), people_at(50.3, 59.8), people_at(56, 60)}, {"a", "b", "c"}); }

TEST(CompareMeans, FindsTheGroupThatDiffers) {
  const auto all = compare_means({three_arms()});
  ASSERT_TRUE(all.ok()) << all.error().message();
  EXPECT_EQ(all->test.outcome, Outcome::Reject);
  EXPECT_EQ(all->test.df, 4);
  EXPECT_EQ(all->columns, (std::vector<std::string>{"ldl", "hdl"}));
  ASSERT_EQ(all->groups.size(), 3U);
  EXPECT_EQ(all->groups[2].name, "arm=c");
  EXPECT_EQ(all->groups[2].n, 1000);
  EXPECT_NEAR(all->groups[2].mean->at(0), 56, 1e-9);
}

TEST(CompareMeans, OfTwoGroupsThatAreAlikeRetainsEqualityAndTellsThePower) {
  const auto two = compare_two_means({three_arms()}, {.groups = {"a", "b"}});
  ASSERT_TRUE(two.ok()) << two.error().message();
  EXPECT_EQ(two->test.outcome, Outcome::Retain);
  EXPECT_FALSE(two->test.reason);
  EXPECT_TRUE(two->test.p_value && two->test.critical && two->test.power);
  EXPECT_GT(two->test.noise_share, 0);
  EXPECT_LT(two->test.noise_share, 1);
}

TEST(CompareMeans, OfTwoGroupsTestsAgainstOneAlternative) {
  const ComparisonRequest asked{.groups = {"a", "c"}, .alternative = {{-5, 0}}};
  const auto toward = compare_two_means({three_arms()}, asked);
  ASSERT_TRUE(toward.ok()) << toward.error().message();
  EXPECT_EQ(toward->test.outcome, Outcome::Reject);
  EXPECT_EQ(toward->test.df, 1);
  EXPECT_GT(toward->test.statistic, toward->test.critical);
  EXPECT_GT(toward->test.power, 0.9);
  EXPECT_TRUE(toward->differences) << "intervals are of all columns, as without an alternative";
  ComparisonRequest away = asked;
  away.alternative = {{5, 0}};
  EXPECT_EQ(compare_two_means({three_arms()}, away)->test.outcome, Outcome::Retain);
  away.alternative = {{5}};
  EXPECT_EQ(compare_two_means({three_arms()}, away).error().name(), "alternative");
  away = asked;
  away.method = MeansMethod::PaperBootstrap;
  EXPECT_EQ(compare_two_means({three_arms()}, away).error().message(),
            "alternative is given with method = paper-bootstrap, but goes with bootstrap: the tests of the paper are against all "
            "differences; leave "
            "method out");
  EXPECT_EQ(compare_means({three_arms()}, {.alternative = {{1, 0}}}).error().message(),
            "alternative is given for 3 groups, but goes with two groups, whose difference it is; name two with groups = a,b");
}

TEST(CompareMeans, CallsSeveralReleasesByTheNamesOfTheRequest) {
  const std::vector<MomentRelease> sites = {covariance_release({people_at(50, 60)}), covariance_release({people_at(56, 60)})};
  const auto named = compare_means(sites, {.names = {"north", "south"}, .covariances = Covariances::Unequal});
  ASSERT_TRUE(named.ok()) << named.error().message();
  EXPECT_EQ(named->groups[1].name, "south");
  EXPECT_EQ(compare_means(sites)->groups[1].name, "release 2");
  EXPECT_EQ(compare_means(sites, {.names = {"north"}}).error().message(), "names is 1, but must be one for each of the 2 releases");
}

TEST(CompareMeans, IsInconclusiveIfAGroupHasNobody) {
  mechanisms::GroupMoments nobody = people_at(50, 60);
  nobody.people.value = 0;
  const auto empty = compare_means({covariance_release({people_at(50, 60), nobody}, {"a", "b"})});
  ASSERT_TRUE(empty.ok()) << empty.error().message();
  EXPECT_EQ(empty->test.outcome, Outcome::Inconclusive);
  EXPECT_EQ(empty->test.reason, "group arm=b has no mean to compare: nobody is in this group");
  EXPECT_FALSE(empty->test.p_value);
  EXPECT_FALSE(empty->groups[1].mean);
  EXPECT_EQ(empty->groups[0].mean->size(), 2U);
}

TEST(CompareMeans, LeavesOutGroupsOfNobodyThatWereNotNamed) {
  MomentRelease arms = three_arms();
  arms.parts[1].people = {0.4, 6};
  const auto two = compare_two_means({arms});
  ASSERT_TRUE(two.ok()) << two.error().message();
  EXPECT_EQ(two->test.outcome, Outcome::Reject);
  EXPECT_EQ(two->left_out, std::vector<std::string>{"arm=b"});
  EXPECT_EQ(two->groups[1].name, "arm=c");
  EXPECT_EQ(compare_means({arms})->test.df, 2);
  EXPECT_EQ(compare_means({arms}, {.groups = {"a", "b"}})->test.outcome, Outcome::Inconclusive);
  arms.parts[2].people = {-3, 6};
  EXPECT_EQ(compare_means({arms})->test.outcome, Outcome::Inconclusive) << "one group is left, so that none may be left out";
}

TEST(CompareMeans, RefusesWhatCannotBeCompared) {
  EXPECT_EQ(compare_means({}).error().name(), "releases");
  EXPECT_EQ(compare_two_means({three_arms()}).error().message(),
            "releases is 3 groups, but must be two groups; name two with groups = a,b, or compare all as k samples");
  EXPECT_EQ(compare_means({three_arms()}, {.groups = {"a", "z"}}).error().message(),
            "groups is z, but must be groups of the release; it has: a, b, c");
  EXPECT_EQ(compare_means({three_arms()}, {.alpha = 0.7}).error().name(), "alpha");
}

TEST(CompareMeans, TellsHowFarItHasCome) {
  double last = -1;
  const Context context{.progress = [&last](std::string_view doing, double fraction) {
    if (doing == "simulating differences") last = fraction;
  }};
  ASSERT_TRUE(compare_means({three_arms()}, {}, context).ok());
  EXPECT_GT(last, 0.5);
}

}  // namespace
}  // namespace tacet
