#include "tacet/accounting/accountant.h"

#include <cmath>
#include <cstdio>

#include <gtest/gtest.h>

#include "tacet/privacy/parameters.h"

namespace tacet::accounting::accountant_test {
namespace {

privacy::Delta delta(const char* text) { return *privacy::Delta::parse(text); }
privacy::Epsilon epsilon(const char* text) { return *privacy::Epsilon::parse(text); }

TEST(Accountant, IsNarrowAndBelowTheWorstCaseForTenThousandMechanisms) {
  Accountant known;
  ASSERT_TRUE(known.add_gaussian(*privacy::Mu::parse("0.005"), 4000));
  ASSERT_TRUE(known.add_laplace(epsilon("0.01"), 3000));
  ASSERT_TRUE(known.add_response(epsilon("0.01"), delta("0"), 3000));
  for (const char* d : {"1e-6", "1e-12"}) {
    const Bounds bounds = *known.epsilon(delta(d));
    std::printf("delta %s: epsilon in [%.9f, %.9f], distance %.2e\n", d, bounds.lower, bounds.upper, bounds.upper - bounds.lower);
    EXPECT_LT(bounds.lower, bounds.upper);
    EXPECT_LT(bounds.upper - bounds.lower, 2e-4);
  }
  const Bounds back = *known.delta(*privacy::Epsilon::of(*Decimal::from_shortest(known.epsilon(delta("1e-6"))->upper)));
  EXPECT_LE(back.lower, 1e-6);
  EXPECT_GT(back.upper, 0.99e-6);
}

TEST(Accountant, EqualsTheOptimalRuleForResponsesAlone) {
  Accountant accountant;
  ASSERT_TRUE(accountant.add_response(epsilon("0.01"), delta("1e-9"), 600));
  ASSERT_TRUE(accountant.add_response(epsilon("0.01"), delta("0"), 400));
  const LossList losses = *LossList::of({*LossTerm::of(0.01, 1e-9, 600), *LossTerm::of(0.01, 0, 400)});
  EXPECT_NEAR(accountant.epsilon(delta("1e-5"))->upper, optimal_epsilon(losses, delta("1e-5"))->upper, 1e-12);
  EXPECT_NEAR(accountant.delta(epsilon("1"))->upper, optimal_delta(losses, epsilon("1"))->upper, 1e-15);
  EXPECT_EQ(accountant.epsilon(delta("5e-7")).error().message(),
            "delta is 0.0000005, but must be greater than what the deltas of the losses use up, 6e-07");
}

// A Laplace mechanism on two numbers that move by a and b is two mechanisms; in particular a table
// under replace-one.
TEST(Accountant, CountsAShiftOfTwoCoordinatesAsTwo) {
  Accountant two;
  ASSERT_TRUE(two.add_laplace(epsilon("0.5"), 1));
  ASSERT_TRUE(two.add_laplace(epsilon("0.5"), 1));
  Accountant at_once;
  ASSERT_TRUE(at_once.add_laplace(epsilon("0.5"), 2));
  EXPECT_EQ(two.epsilon(delta("1e-3"))->upper, at_once.epsilon(delta("1e-3"))->upper);
  EXPECT_LT(two.epsilon(delta("1e-3"))->upper, 1);
}

// Where doubles overflow and series do not converge, the bounds may be far apart; they must still
// be bounds.
TEST(Accountant, StaysSaneAtTheEndsOfItsDomain) {
  struct Case {
    const char* laplace;
    std::uint64_t times;
    const char* mu;
    const char* delta;
    double least, most;  // the truth lies between: from the largest single loss or the Gaussian alone, and from sums
  };
  for (const Case& c : {Case{"1e-300", 300000000, "0.5", "1e-6", 2.2, 2.3}, Case{"1e-300", 1, "1e-300", "1e-6", 0, 0},
                        Case{"1000000", 1, "0.5", "1e-6", 999990, 1e7}, Case{"1000000", 400000000, "1000000", "0.5", 1e14, 1e18},
                        Case{"30", 1, "0.5", "1e-300", 40, 60}, Case{"2", 1, "1e-300", "0.999", 0, 0}}) {
    Accountant accountant;
    ASSERT_TRUE(accountant.add_laplace(epsilon(c.laplace), c.times));
    ASSERT_TRUE(accountant.add_gaussian(*privacy::Mu::parse(c.mu), 1));
    const Bounds bounds = *accountant.epsilon(delta(c.delta));
    EXPECT_GE(bounds.lower, 0) << c.laplace << " " << c.mu;
    EXPECT_LE(bounds.lower, bounds.upper) << c.laplace << " " << c.mu;
    EXPECT_GE(bounds.upper, c.least) << c.laplace << " " << c.mu;
    EXPECT_LE(bounds.lower, c.most) << c.laplace << " " << c.mu;
    const Bounds mass = *accountant.delta(epsilon("1"));
    EXPECT_GE(mass.lower, 0);
    EXPECT_LE(mass.lower, mass.upper);
    EXPECT_LE(mass.upper, 1);
  }
}

TEST(Accountant, RefusesWhatIsOutsideItsDomain) {
  Accountant accountant;
  EXPECT_EQ(accountant.epsilon(delta("1e-6")).error().message(), "mechanisms is an empty list, but must have at least one");
  EXPECT_FALSE(accountant.delta(epsilon("1")));
  EXPECT_EQ(accountant.add_laplace(epsilon("1"), 0).error().message(),
            "times is 0, but must be at least 1, and at most 1000000000 altogether");
  ASSERT_TRUE(accountant.add_laplace(epsilon("1"), 1));
  EXPECT_FALSE(accountant.add_gaussian(*privacy::Mu::parse("1"), 1000000000));
  EXPECT_EQ(accountant.epsilon(delta("0")).error().message(), "delta is 0, but must be greater than 0; for example: 1e-6");
}

}  // namespace
}  // namespace tacet::accounting::accountant_test
