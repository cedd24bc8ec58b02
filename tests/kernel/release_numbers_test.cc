#include "tacet/kernel/release_numbers.h"

#include <cmath>
#include <random>

#include <gmock/gmock.h>
#include <gmpxx.h>
#include <gtest/gtest.h>

#include "tacet/mechanisms/noisy_values.h"

#include "kernel/ledger_requests.h"
#include "kernel/planned.h"
#include "kernel/purse.h"
#include "support/promise.h"
#include "support/scripted_bits.h"

namespace tacet::kernel::release_numbers_test {
namespace {

using testing::epsilon_delta_loss;
using testing::epsilon_loss;
using ::testing::HasSubstr;
using testing::mu_loss;
using testing::rho_loss;

mpq_class square(const mpq_class& x) { return x * x; }

/// The sum over one stretch of (most/s)^2, exactly.
mpq_class gaussian_spending(const NumbersPlan& plan, const BoxSensitivity& box, std::size_t group) {
  const std::size_t stretch = box.most.size() / box.groups;
  mpq_class sum = 0;
  for (std::size_t j = group * stretch; j < (group + 1) * stretch; ++j)
    sum += square(mpq_class(static_cast<long>(box.most[j])) / mpq_class(plan.scale[j]));
  return sum;
}

BoxSensitivity random_box(std::mt19937_64& random, std::size_t stretch, std::size_t groups, std::size_t touched) {
  std::uniform_int_distribution<int> exponent(0, 40);
  BoxSensitivity box{Relation::ReplaceOne, {}, groups, touched};
  for (std::size_t i = 0; i < stretch * groups; ++i)
    box.most.push_back((Int128{1} << exponent(random)) + static_cast<Int128>(random() % 1000));
  return box;
}

TEST(PlanNumbers, GaussianNoiseSpendsItsMuAndNoMoreWhateverTheWeights) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> weight(0.01, 5);
  for (int trial = 0; trial < 50; ++trial) {
    const std::size_t stretch = 1 + random() % 6;
    const std::size_t touched = 1 + random() % 2;
    const BoxSensitivity box = random_box(random, stretch, 2, touched);
    std::vector<double> weights;
    for (std::size_t j = 0; j < stretch; ++j) weights.push_back(weight(random));
    const NumbersPlan plan = *mechanisms::plan_numbers(NoiseFamily::Gaussian, box, weights, mu_loss("0.7"));
    for (std::size_t group = 0; group < 2; ++group) {
      const mpq_class spent = gaussian_spending(plan, box, group) * static_cast<unsigned long>(touched);
      ASSERT_TRUE(spent <= mpq_class(49) / 100) << trial;
      ASSERT_TRUE(spent >= mpq_class(49) / 100 * mpq_class(1 - 1e-11)) << trial;
    }
  }
}

TEST(PlanNumbers, LaplaceNoiseSpendsItsEpsilonAndNoMore) {
  std::mt19937_64 random(8);
  for (const std::size_t touched : {std::size_t{1}, std::size_t{2}}) {
    const BoxSensitivity box = random_box(random, 3, 2, touched);
    const NumbersPlan plan = *mechanisms::plan_numbers(NoiseFamily::Laplace, box, {1, 2, 0.3}, epsilon_loss("0.5"));
    mpq_class sum = 0;
    for (std::size_t j = 0; j < 3; ++j) sum += mpq_class(static_cast<long>(box.most[j])) / mpq_class(plan.scale[j]);
    EXPECT_TRUE(sum * static_cast<unsigned long>(touched) <= mpq_class(1) / 2);
    EXPECT_TRUE(sum * static_cast<unsigned long>(touched) >= mpq_class(1) / 2 * mpq_class(1 - 1e-11));
  }
}

TEST(PlanNumbers, KnowsEveryCurrencyThatTheNoiseKeeps) {
  const BoxSensitivity one{Relation::ReplaceOne, {100}, 1, 1};
  EXPECT_NEAR(mechanisms::plan_numbers(NoiseFamily::Gaussian, one, {1}, rho_loss("0.125"))->scale[0], 200, 1e-9);
  EXPECT_NEAR(mechanisms::plan_numbers(NoiseFamily::Gaussian, one, {1}, epsilon_delta_loss("1", "1e-6"))->scale[0], 422.46788893, 1e-6);
  EXPECT_DOUBLE_EQ(mechanisms::plan_numbers(NoiseFamily::Laplace, one, {1}, epsilon_loss("0.5"))->scale[0], 200);
  EXPECT_NEAR(mechanisms::plan_numbers(NoiseFamily::Laplace, one, {1}, mu_loss("1"))->scale[0], 50 * 2.4784211728023506, 1e-6);
  const NormSensitivity norm{Relation::ReplaceOne, Int128{1} << 40};
  EXPECT_DOUBLE_EQ(mechanisms::plan_numbers(NoiseFamily::Gaussian, norm, 3, mu_loss("0.5"))->scale[2], 0x1p21);
}

TEST(PlanNumbers, GridIsFineBesideTheNoise) {
  const NumbersPlan plan =
      *mechanisms::plan_numbers(NoiseFamily::Gaussian, {Relation::ReplaceOne, {1, 1000000}, 1, 1}, {1, 1}, mu_loss("1"));
  for (std::size_t j = 0; j < 2; ++j) EXPECT_LE(std::ldexp(1.0, -plan.grid_log2[j]), plan.scale[j] / 1024);
  EXPECT_EQ(plan.grid_log2[1], 0);
}

TEST(PlanNumbers, RefusesWhatIsNotProvenOrMakesNoSense) {
  const BoxSensitivity box{Relation::ReplaceOne, {100, 100}, 1, 1};
  const NormSensitivity norm{Relation::ReplaceOne, 100};
  EXPECT_EQ(mechanisms::plan_numbers(NoiseFamily::Gaussian, box, {1, 1}, epsilon_loss("1")).error().code(), Code::Unsupported);
  EXPECT_EQ(mechanisms::plan_numbers(NoiseFamily::Laplace, box, {1, 1}, epsilon_delta_loss("1", "1e-6")).error().code(), Code::Unsupported);
  EXPECT_EQ(mechanisms::plan_numbers(NoiseFamily::Laplace, norm, 2, epsilon_loss("1")).error().code(), Code::Unsupported);
  for (const double wrong : {0.0, -1.0, std::nan(""), HUGE_VAL})
    EXPECT_THAT(mechanisms::plan_numbers(NoiseFamily::Gaussian, box, {1, wrong}, mu_loss("1")).error().message(), HasSubstr("weight is "));
  EXPECT_EQ(mechanisms::plan_numbers(NoiseFamily::Gaussian, box, {1}, mu_loss("1")).error().code(), Code::Internal);
  const BoxSensitivity huge{Relation::ReplaceOne, {Int128{1} << 70}, 1, 1};
  EXPECT_THAT(mechanisms::plan_numbers(NoiseFamily::Gaussian, huge, {1}, mu_loss("1")).error().message(), HasSubstr("noise scale is "));
}

/// 40,000 groups of three figures, released at once.
Released<NoisyNumbers> release_many(NoiseFamily family, const privacy::Loss& loss, std::uint64_t stream) {
  constexpr std::size_t kGroups = 40'000;
  BoxSensitivity box{Relation::ReplaceOne, {}, kGroups, 1};
  std::vector<Int128> values;
  for (std::size_t i = 0; i < kGroups; ++i) {
    for (const int most : {1, 50, 70'000}) {
      box.most.push_back(most);
      values.push_back(Int128{most} * 1000 - static_cast<Int128>(i));
    }
  }
  test::InsecureSeededBits bits(stream);
  return *testing::release_planned(testing::sealed(std::move(values), std::move(box)), family, {1, 1, 2}, testing::Purse().grant(loss),
                                   bits);
}

// Squares (Gaussian) or sizes (Laplace) of the noise over its scale have mean 1. Over 40,000 draws
// their mean is normal with a standard deviation of sqrt(2)/200 or 1/200; 7 of those have a
// probability of 2.6e-12 each. Noise 5 % off in any coordinate is caught.
TEST(ReleaseNumbers, EveryCoordinateHasNoiseOfItsOwnScaleAroundTheTruth) {
  test::declare_false_alarm("ReleaseNumbers.EveryCoordinateHasNoiseOfItsOwnScaleAroundTheTruth", 12 * 2.6e-12);
  for (const NoiseFamily family : {NoiseFamily::Gaussian, NoiseFamily::Laplace}) {
    const bool gaussian = family == NoiseFamily::Gaussian;
    const auto released = release_many(family, gaussian ? mu_loss("1") : epsilon_loss("1"), gaussian ? 11 : 12);
    const NoisyNumbers& noisy = released.value();
    const std::vector<double> most = {1, 50, 70'000};
    for (std::size_t j = 0; j < 3; ++j) {
      double size = 0;
      double mean = 0;
      for (std::size_t i = 0; i < 40'000; ++i) {
        const double z = (mechanisms::value_of(noisy, 3 * i + j) - (most[j] * 1000 - static_cast<double>(i))) / noisy.plan.scale[3 * i + j];
        size += (gaussian ? z * z : std::abs(z)) / 40'000;
        mean += z / 40'000;
      }
      EXPECT_NEAR(size, 1, 7 * (gaussian ? std::sqrt(2.0) : 1) / 200) << j;
      EXPECT_NEAR(mean, 0, 7 * (gaussian ? 1 : std::sqrt(2.0)) / 200) << j;
    }
  }
}

TEST(ReleaseNumbers, AGrantPaysForTheNeighboursItWasChargedFor) {
  test::InsecureSeededBits bits(1);
  const auto refused = testing::release_planned(testing::sealed({5}, BoxSensitivity{Relation::AddOrRemoveOne, {1}, 1, 1}),
                                                NoiseFamily::Gaussian, {1}, testing::Purse().grant(rho_loss("0.1")), bits);  // replace-one
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code(), Code::Internal);
  EXPECT_THAT(refused.error().message(), HasSubstr("sealed for add-or-remove-one"));
  EXPECT_THAT(refused.error().spent(), HasSubstr("rho 0.1 was spent"));
}

TEST(ReleaseNumbers, ASpentGrantBuysNothingAndFailedEntropyPublishesNothing) {
  const auto sealed = [] { return testing::sealed({5}, BoxSensitivity{Relation::ReplaceOne, {1}, 1, 1}); };
  Grant grant = testing::Purse().grant(rho_loss("0.1"));
  Grant moved = std::move(grant);
  test::InsecureSeededBits bits(1);
  EXPECT_EQ(release(sealed(), *mechanisms::plan_numbers(NoiseFamily::Gaussian, {Relation::ReplaceOne, {1}, 1, 1}, {1}, rho_loss("0.1")),
                    std::move(grant), bits)  // NOLINT(bugprone-use-after-move): that is what is tested
                .error()
                .code(),
            Code::Internal);
  test::FailingBits failing(0, 1);
  const auto refused = testing::release_planned(sealed(), NoiseFamily::Gaussian, {1}, std::move(moved), failing);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code(), Code::EntropyUnavailable);
  EXPECT_THAT(refused.error().spent(), HasSubstr("rho 0.1 was spent"));
}

}  // namespace
}  // namespace tacet::kernel::release_numbers_test
