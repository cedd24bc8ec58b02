#include "tacet/workflow/privacy/laplace_guarantee.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/workflow/privacy/calibrate.h"

namespace tacet {
namespace {

using ::testing::HasSubstr;

/// What the rule is for.
LaplaceStatistic statistic_for(LaplaceMuRule rule, const Digits& l1) {
  LaplaceStatistic statistic{.l1 = l1};
  if (rule == LaplaceMuRule::Table) statistic.neighbours = Relation::ReplaceOne;
  if (rule == LaplaceMuRule::OneDimensional || rule == LaplaceMuRule::TwoDimensional) statistic.dimension = 1;
  return statistic;
}

LaplaceGuarantee loss(const char* l1, const char* scale, LaplaceMuRule rule) {
  return *laplace_guarantee({.statistic = statistic_for(rule, l1), .scale = scale, .rule = rule});
}

// mpmath, 30 digits: -2 Phi^-1(e^(-r/2)/2), r + e^-r - 1 and 2 Phi^-1(e^r/(1 + e^r)), r = l1/scale.
TEST(LaplaceGuarantee, OfOneNumberAgreesWithIndependentValues) {
  struct Row {
    const char* l1;
    double mu, rho, universal;
  };
  for (const Row& row : {Row{"1", 1.03006399762443388, 0.367879441171442322, 1.23203538534490286},
                         Row{"0.5", 0.561764323211018886, 0.106530659712633424, 0.623892592098508192},
                         Row{"2", 1.80090519327558068, 1.13533528323661269, 2.35796148564724971},
                         Row{"30", 10.2395476326563548, 29.0000000000000936, 14.7153336300175249}}) {
    for (const LaplaceMuRule rule : {LaplaceMuRule::OneDimensional, LaplaceMuRule::TwoDimensional, LaplaceMuRule::Conjecture12}) {
      const LaplaceGuarantee found = loss(row.l1, "1", rule);
      EXPECT_GE(found.mu / row.mu, 1 - 1e-15) << row.l1;
      EXPECT_LT(found.mu / row.mu, 1 + 1e-9) << row.l1;
      EXPECT_NEAR(found.rho / row.rho, 1, 1e-12) << row.l1;
      EXPECT_NEAR(found.mu_of_epsilon / row.universal, 1, 2e-9) << row.l1;
      EXPECT_EQ(found.proven, rule != LaplaceMuRule::Conjecture12);
    }
    EXPECT_NEAR(loss(row.l1, "1", LaplaceMuRule::Universal).mu / row.universal, 1, 2e-9) << row.l1;
  }
}

// The scales are those of Lee (17) at L1 = 2, computed apart.
TEST(LaplaceGuarantee, OfATableInvertsIndependentScales) {
  const std::vector<std::pair<const char*, double>> scales = {{"15.489097507478153", 0.1},
                                                              {"6.054090767647037", 0.25},
                                                              {"1.358905360971675", 1},
                                                              {"0.598999583929882", 2},
                                                              {"0.24251335764828233", 4}};
  for (const auto& [scale, mu] : scales) EXPECT_NEAR(loss("2", scale, LaplaceMuRule::Table).mu / mu, 1, 1e-9) << scale;
  const LaplaceGuarantee plain = loss("2", "2", LaplaceMuRule::Table);
  EXPECT_EQ(plain.epsilon, 1);
  EXPECT_NEAR(plain.rho, 2 * 0.106530659712633424, 1e-12) << "two cells change, by half a scale each";
}

TEST(LaplaceGuarantee, InvertsTheCalibrationOfEveryRule) {
  for (const LaplaceMuRule rule :
       {LaplaceMuRule::Universal, LaplaceMuRule::OneDimensional, LaplaceMuRule::TwoDimensional, LaplaceMuRule::Table}) {
    const LaplaceStatistic statistic = statistic_for(rule, 2);
    const LaplaceCalibration noise =
        *calibrate_laplace({.l1 = 2, .loss = Mu(0.5), .rule = rule, .neighbours = statistic.neighbours, .dimension = statistic.dimension});
    const LaplaceGuarantee back = *laplace_guarantee({.statistic = statistic, .scale = noise.scale, .rule = rule});
    EXPECT_NEAR(back.mu, 0.5, 1e-9) << name(rule);
  }
}

TEST(LaplaceGuarantee, ShowsWhatTheRuleOfTablesHidesUnderOtherNeighbours) {
  // For plain counts under add-or-remove-one, where l1 is 1, the scale for mu = 1 of the rule of
  // tables is really mu = 1.4155...: mpmath, as above.
  const LaplaceCalibration table =
      *calibrate_laplace({.l1 = 1, .loss = Mu(1), .rule = LaplaceMuRule::Table, .neighbours = Relation::ReplaceOne});
  EXPECT_NEAR(table.scale, 0.6794526804858375, 1e-9);
  const LaplaceGuarantee added = *laplace_guarantee({.statistic = {.l1 = 1, .neighbours = Relation::AddOrRemoveOne, .dimension = 1},
                                                     .scale = table.scale,
                                                     .rule = LaplaceMuRule::OneDimensional});
  EXPECT_NEAR(added.mu, 1.41556413377206620, 2e-9);
}

TEST(LaplaceGuarantee, RefusesARuleForAnotherStatistic) {
  const auto refusal = [](const LaplaceGuaranteeRequest& request) { return laplace_guarantee(request).error().message(); };
  EXPECT_EQ(refusal({.statistic = {.l1 = 1}, .scale = 1, .rule = LaplaceMuRule::Table}),
            "neighbours is missing, but must be given with the rule of tables, and be replace-one; "
            "for example: neighbours = replace-one, if one cell loses what another gains, l1/2 each");
  EXPECT_EQ(refusal({.statistic = {.l1 = 2, .neighbours = Relation::AddOrRemoveOne}, .scale = 1, .rule = LaplaceMuRule::Table}),
            "neighbours is add-or-remove-one, but must be replace-one for the rule of tables; "
            "one person changes one cell then: use rule = one-dimensional dimension = 1, with l1 = 1 for plain counts");
  EXPECT_EQ(
      refusal({.statistic = {.l1 = 1}, .scale = 1, .rule = LaplaceMuRule::OneDimensional}),
      "dimension is missing, but must be given with this rule, and be 1: the numbers that a person can change; for example: dimension = 1");
  EXPECT_THAT(refusal({.statistic = {.l1 = 1}, .scale = 1, .rule = LaplaceMuRule::TwoDimensional}), HasSubstr("and be 1 or 2"));
  EXPECT_EQ(refusal({.statistic = {.l1 = 1, .dimension = 2}, .scale = 1, .rule = LaplaceMuRule::OneDimensional}),
            "dimension is 2, but must be 1 for this rule; use rule = two-dimensional");
  EXPECT_EQ(refusal({.statistic = {.l1 = 1, .dimension = 5}, .scale = 1, .rule = LaplaceMuRule::TwoDimensional}),
            "dimension is 5, but must be 1 or 2 for this rule; use rule = universal, or rule = table for a table of counts");
  EXPECT_EQ(refusal({.statistic = {.l1 = 2, .dimension = 1}, .scale = 1, .rule = LaplaceMuRule::Table}),
            "dimension is 1, but must be at least 2 for the rule of tables, whose people change two cells; use rule = one-dimensional");
  EXPECT_EQ(refusal({.statistic = {.l1 = 2, .dimension = 0}, .scale = 1}), "dimension is 0, but must be at least 1");
  EXPECT_THAT(refusal({.statistic = {.l1 = 1}, .scale = "1e9"}),
              HasSubstr("scale is 1e9, but must be such that l1/scale lies between 1e-8 and 100"));
  EXPECT_THAT(refusal({.statistic = {.l1 = 1}, .scale = 0}), HasSubstr("scale is 0, but must be a finite number greater than 0"));
  EXPECT_TRUE(laplace_guarantee({.statistic = {.l1 = 1, .dimension = 5}, .scale = 1}).ok());
}

}  // namespace
}  // namespace tacet
