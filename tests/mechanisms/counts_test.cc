#include "tacet/mechanisms/counts.h"

#include <cmath>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tacet/mechanisms/noise_plan.h"
#include "tacet/privacy/parameters.h"

#include "mechanisms/released.h"

namespace tacet::mechanisms::counts_test {
namespace {

using kernel::NoiseFamily;
using kernel::Relation;
using ::testing::HasSubstr;

const std::vector<ReleaseAxis> kAxes = {{"sex", {"f", "m"}}, {"plan", {"basic", "plus", "none"}}};
const std::vector<std::int64_t> kCounts = {5, 0, 1000, 20, 3, 7};
constexpr std::int64_t kPeople = 1035;

CountRelease describe(CountMechanism mechanism, const privacy::Loss& loss, Relation relation = Relation::ReplaceOne,
                      std::uint64_t stream = 0) {
  const auto noisy = test::released(kCounts, relation, loss, stream);
  return describe_counts(noisy, mechanism, kAxes, test::people(kPeople, relation), R"({"release": "counts"})");
}

double sum(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

TEST(CountMechanism, HasOneNameEachWhichReadsBack) {
  for (const CountMechanism mechanism : {CountMechanism::Gaussian, CountMechanism::RankDeficient, CountMechanism::Laplace}) {
    EXPECT_EQ(*named<CountMechanism>("mechanism", name(mechanism)), mechanism);
  }
  EXPECT_EQ(family(CountMechanism::Gaussian), NoiseFamily::Gaussian);
  EXPECT_EQ(family(CountMechanism::RankDeficient), NoiseFamily::Gaussian);
  EXPECT_EQ(family(CountMechanism::Laplace), NoiseFamily::Laplace);
}

TEST(CountMechanism, UnknownNamesAreRefusedWithTheKnownOnes) {
  for (const std::string unknown : {"", "Gaussian", "gauss", "exponential"}) {
    const auto refused = named<CountMechanism>("mechanism", unknown);
    ASSERT_FALSE(refused.ok()) << unknown;
    EXPECT_EQ(refused.error().code(), Code::InvalidArgument);
    EXPECT_EQ(refused.error().name(), "mechanism");
    EXPECT_THAT(refused.error().rule(), HasSubstr("gaussian, rank-deficient or laplace"));
  }
}

TEST(PlanCounts, RankDeficientNoiseNeedsAPublicTotal) {
  const auto refused =
      plan_counts(CountMechanism::RankDeficient, test::sensitivity_of_counts(Relation::AddOrRemoveOne), test::rho("0.125"));
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code(), Code::InvalidArgument);
  EXPECT_THAT(refused.error().message(), HasSubstr("keeps the total"));
  EXPECT_TRUE(plan_counts(CountMechanism::Gaussian, test::sensitivity_of_counts(Relation::AddOrRemoveOne), test::rho("0.125")).ok());
}

TEST(ChooseMechanism, IsLaplaceForAPureLossAndOtherwiseGaussianIfNoneIsAskedFor) {
  EXPECT_EQ(choose_mechanism({}, test::epsilon("0.5")), CountMechanism::Laplace);
  EXPECT_EQ(choose_mechanism({}, test::rho("0.125")), CountMechanism::Gaussian);
  EXPECT_EQ(choose_mechanism({}, test::mu("0.5")), CountMechanism::Gaussian);
  EXPECT_EQ(choose_mechanism({}, privacy::approximate_loss(*privacy::Epsilon::parse("1"), *privacy::Delta::parse("1e-6"))),
            CountMechanism::Gaussian);
  EXPECT_EQ(choose_mechanism(CountMechanism::Laplace, test::rho("0.125")), CountMechanism::Laplace);
  EXPECT_EQ(choose_mechanism(CountMechanism::RankDeficient, test::mu("0.5")), CountMechanism::RankDeficient);
}

TEST(PlanCounts, ScalesAreThoseOfTheTheorems) {
  // Replace-one: l2^2 = 2, l1 = 2. rho 0.125 is mu^2 0.25: s = sqrt(8). epsilon 0.5: s = 4.
  const auto replace = test::sensitivity_of_counts(Relation::ReplaceOne);
  EXPECT_DOUBLE_EQ(plan_counts(CountMechanism::Gaussian, replace, test::rho("0.125"))->scale, std::sqrt(8.0));
  EXPECT_DOUBLE_EQ(plan_counts(CountMechanism::RankDeficient, replace, test::mu("0.5"))->scale, std::sqrt(8.0));
  EXPECT_DOUBLE_EQ(plan_counts(CountMechanism::Laplace, replace, test::epsilon("0.5"))->scale, 4.0);
  const auto add = test::sensitivity_of_counts(Relation::AddOrRemoveOne);
  EXPECT_DOUBLE_EQ(plan_counts(CountMechanism::Gaussian, add, test::rho("0.125"))->scale, 2.0);
  EXPECT_DOUBLE_EQ(plan_counts(CountMechanism::Laplace, add, test::epsilon("0.5"))->scale, 2.0);
}

TEST(PlanCounts, GaussianNoiseKeepsEpsilonAndDelta) {
  // sigma for l2 = 1 is that of the reference of accounting/calibration.h; a table moves by sqrt(2)
  // or 1.
  const privacy::Loss loss = privacy::approximate_loss(*privacy::Epsilon::parse("1"), *privacy::Delta::parse("1e-6"));
  const double sigma = 4.2246788893;
  EXPECT_NEAR(plan_counts(CountMechanism::Gaussian, test::sensitivity_of_counts(Relation::ReplaceOne), loss)->scale, sigma * std::sqrt(2.0),
              1e-9);
  EXPECT_NEAR(plan_counts(CountMechanism::Gaussian, test::sensitivity_of_counts(Relation::AddOrRemoveOne), loss)->scale, sigma, 1e-9);
}

TEST(PlanCounts, LaplaceNoiseKeepsMuByTheRuleOfTables) {
  // Lee et al. (2022): (17) for pairs of cells, Proposition 9 for one cell; independent values.
  const auto replace = test::sensitivity_of_counts(Relation::ReplaceOne);
  EXPECT_NEAR(plan_counts(CountMechanism::Laplace, replace, test::mu("1"))->scale, 1.358905360971675, 1e-11);
  EXPECT_NEAR(plan_counts(CountMechanism::Laplace, replace, test::rho("0.5"))->scale, 1.358905360971675, 1e-11);
  EXPECT_NEAR(plan_counts(CountMechanism::Laplace, test::sensitivity_of_counts(Relation::AddOrRemoveOne), test::mu("1"))->scale,
              2.0714029970028993 / 2, 1e-12);
}

TEST(PlanCounts, LaplaceNoiseForMuUsesTheUniversalRuleWhereMoreThanPairsMove) {
  const kernel::Sensitivity wide{Relation::ReplaceOne, 2, 4};  // one coordinate may move by 2
  EXPECT_NEAR(plan_noise(NoiseFamily::Laplace, wide, test::mu("1"))->scale, 2.4784211728023506, 1e-12);
}

TEST(PlanCounts, NoiseOfOneKindIsNotPlannedForALossOfAnother) {
  const auto replace = test::sensitivity_of_counts(Relation::ReplaceOne);
  const privacy::Loss approximate = privacy::approximate_loss(*privacy::Epsilon::parse("1"), *privacy::Delta::parse("1e-6"));
  EXPECT_EQ(plan_counts(CountMechanism::Gaussian, replace, test::epsilon("1")).error().code(), Code::Unsupported);
  EXPECT_EQ(plan_counts(CountMechanism::Laplace, replace, approximate).error().code(), Code::Unsupported);
}

TEST(KeepTotal, GivesTheNearestTableWithThatTotal) {
  std::vector<double> values = {3, -1, 10};
  keep_total(values, 9);
  EXPECT_THAT(values, ::testing::ElementsAre(2, -2, 9));
}

TEST(RankDeficient, KeepsThePublicTotalAndShiftsEveryCellAlike) {
  for (std::uint64_t stream = 0; stream < 20; ++stream) {
    const CountRelease plain = describe(CountMechanism::Gaussian, test::rho("0.001"), Relation::ReplaceOne, stream);
    const CountRelease kept = describe(CountMechanism::RankDeficient, test::rho("0.001"), Relation::ReplaceOne, stream);
    EXPECT_NEAR(sum(kept.values), static_cast<double>(kPeople), 1e-9);
    const double shift = kept.values[0] - plain.values[0];
    for (std::size_t i = 0; i < kCounts.size(); ++i) EXPECT_NEAR(kept.values[i] - plain.values[i], shift, 1e-9) << i;
    EXPECT_NE(shift, 0);
  }
}

TEST(RankDeficient, OneCellIsTheTotalItself) {
  const auto noisy = test::released({42}, Relation::ReplaceOne, test::rho("0.1"));
  const CountRelease release = describe_counts(noisy, CountMechanism::RankDeficient, {{"all", {"people"}}}, test::people(42), {});
  EXPECT_EQ(release.values, std::vector<double>{42});
}

TEST(DescribeCounts, GaussianReleaseSaysItsNoisePrivacyAndReceipt) {
  const CountRelease release = describe(CountMechanism::Gaussian, test::rho("0.125"));
  EXPECT_EQ(release.n, 1035);
  EXPECT_EQ(release.shape, (std::vector<std::size_t>{2, 3}));
  ASSERT_EQ(release.axes.size(), 2U);
  EXPECT_EQ(release.axes[1].name, "plan");
  EXPECT_EQ(release.noise.family, NoiseFamily::Gaussian);
  EXPECT_EQ(release.noise.structure, NoiseStructure::Independent);
  EXPECT_DOUBLE_EQ(release.noise.scale, std::sqrt(8.0));
  EXPECT_EQ(release.header.privacy,
            (ReleasedPrivacy{
                .currency = LossForm::Gaussian, .rho = 0.125, .mu = 0.5, .neighbours = Neighbours::ReplaceOne, .charged = "rho 0.125"}));
  EXPECT_EQ(release.header.guarantee, Guarantee::Exact);
  EXPECT_EQ(release.header.receipt->dataset, "people");
  EXPECT_EQ(release.header.receipt->entry, 1);
  EXPECT_EQ(release.header.receipt->charged, "rho 0.125");
  EXPECT_FALSE(release.header.receipt->entry_hash.empty());
  EXPECT_FALSE(release.header.receipt->statement_hash.empty());
  EXPECT_FALSE(release.header.time->empty());
}

TEST(DescribeCounts, LaplaceReleaseSaysEpsilonAndNoDelta) {
  const CountRelease release = describe(CountMechanism::Laplace, test::epsilon("0.5"));
  EXPECT_EQ(release.noise.family, NoiseFamily::Laplace);
  EXPECT_EQ(release.noise.scale, 4);
  EXPECT_EQ(release.header.privacy->currency, LossForm::Epsilon);
  EXPECT_EQ(release.header.privacy->epsilon, 0.5);
  EXPECT_EQ(release.header.privacy->delta, 0);
}

TEST(DescribeCounts, AddOrRemoveOneHasNoTotal) {
  const CountRelease release = describe(CountMechanism::Gaussian, test::rho("0.125"), Relation::AddOrRemoveOne);
  EXPECT_EQ(release.n, std::nullopt);
  EXPECT_EQ(release.header.privacy->neighbours, Neighbours::AddOrRemoveOne);
  EXPECT_TRUE(to_json(release).at("n").is_null());
}

TEST(DescribeCounts, UnprojectedValuesAreMultiplesOfTheGrid) {
  for (const privacy::Loss& loss : {test::rho("0.125"), test::rho("1000"), test::rho("1e-9"), test::epsilon("3")}) {
    const bool gaussian = std::holds_alternative<privacy::GaussianLoss>(loss);
    const CountRelease release = describe(gaussian ? CountMechanism::Gaussian : CountMechanism::Laplace, loss);
    ASSERT_TRUE(release.grid);
    EXPECT_LE(*release.grid, std::max(1.0, release.noise.scale / 1024));
    for (const double value : release.values) EXPECT_EQ(std::remainder(value, *release.grid), 0);
  }
}

}  // namespace
}  // namespace tacet::mechanisms::counts_test
