#include "tacet/studies/findings.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "tacet/studies/results.h"

namespace tacet::studies {
namespace {

TEST(AllowedErrors, AreThreeForOneComparisonAndMoreForMany) {
  EXPECT_NEAR(allowed_errors(1), 3, 1e-12);
  // scipy.stats.norm.isf(scipy.stats.norm.sf(3)/100)
  EXPECT_NEAR(allowed_errors(100), 4.1965, 2e-3);
}

TEST(Compared, HasTheErrorsOfBothSimulationsAndOfReading) {
  const Comparison one = compared({0.05, 10000}, 0.05, 10000, 1, 0.01);
  EXPECT_NEAR(one.tolerance, 3 * std::sqrt(2 * 0.05 * 0.95 / 10000) + 0.01, 1e-9);
  const Comparison exact = compared({0.1, 400}, 0.05, 0, 1);
  EXPECT_NEAR(exact.tolerance, 3 * std::sqrt(0.05 * 0.95 / 400), 1e-9);
  // Where all were rejected, one that was not is no contradiction.
  EXPECT_GT(compared({1, 100}, 1, 100, 1).tolerance, 0.01);
}

TEST(Verdict, DiffersBeyondTheToleranceAndWhereThereIsNoNumber) {
  EXPECT_EQ(agrees("a", {1, 1.5, 0.5}).outcome, Outcome::Reproduced);
  EXPECT_EQ(agrees("a", {1, 1.6, 0.5}).outcome, Outcome::Differs);
  EXPECT_FALSE(agrees("a", {1, 1.6, 0.5}).expected);
  const double nothing = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(agrees("a", {nothing, 1.6, 0.5}).outcome, Outcome::Differs);
  EXPECT_EQ(all_agree("all", {{"here", {1, 1, 0}}, {"there", {nothing, 1, 9}}}).outcome, Outcome::Differs);
  EXPECT_EQ(all_agree("none", {}).outcome, Outcome::Differs);
}

TEST(Verdict, NamesTheComparisonThatIsFurthestOff) {
  const Verdict verdict = all_agree("all", {{"near", {1, 1.1, 1}}, {"far", {2, 2.9, 1}}});
  EXPECT_EQ(verdict.outcome, Outcome::Reproduced);
  EXPECT_EQ(verdict.words, "Furthest from the paper, in tolerances: far.");
}

TEST(Verdict, WithAReasonIsExpectedAsLongAsTheReasonHolds) {
  EXPECT_TRUE(as_expected({differs("a", true, {}, "a misprint"), agrees("b", {1, 1, 0})}));
  EXPECT_FALSE(as_expected({differs("a", false, {}, "a misprint")}));
  EXPECT_FALSE(holds("a", false, {}, "").expected);
}

TEST(ToCsv, QuotesWhatHasCommas) {
  EXPECT_EQ(to_csv({"t", "T", {"a,b", "c"}, {{1.5, std::string("say \"x\"")}, {2.0, std::string("y")}}}),
            "\"a,b\",c\n1.5,\"say \"\"x\"\"\"\n2,y\n");
}

}  // namespace
}  // namespace tacet::studies
