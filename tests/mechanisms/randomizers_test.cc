#include "tacet/mechanisms/randomizers.h"

#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/mechanisms/local_randomizer.h"
#include "tacet/privacy/parameters.h"

#include "support/promise.h"
#include "support/scripted_bits.h"

namespace tacet::mechanisms::randomizers_test {
namespace {

using ::testing::ElementsAre;

constexpr double kFalseAlarm = 1e-10;
constexpr std::uint64_t kOnes = ~std::uint64_t{0};

privacy::Epsilon epsilon(const std::string& text) { return *privacy::Epsilon::parse(text); }

std::uint64_t draws(double n) { return static_cast<std::uint64_t>(n / (test::coarseness() * test::coarseness())); }

/// Every category with its closed form, for one value, of a randomizer for `paid` held against the
/// law of `claimed`.
test::Verdict judge_exp(std::size_t categories, std::size_t value, const std::string& paid, double claimed, std::uint64_t n,
                        std::uint64_t stream) {
  const auto randomizer = *ExpRandomizer::of(categories, epsilon(paid));
  std::vector<std::uint64_t> counts(categories);
  test::InsecureSeededBits bits(stream);
  for (std::uint64_t i = 0; i < n; ++i) ++counts[*randomizer.report(value, bits)];
  const Chances chance = chances({LocalKind::Exp, claimed}, categories);
  std::vector<test::Event> events;
  for (std::size_t j = 0; j < categories; ++j)
    events.push_back({fmt::format("category {}", j), j == value ? chance.stays : chance.other, counts[j]});
  return test::judge(events, n, kFalseAlarm);
}

TEST(ExpRandomizer, ReportsEveryCategoryWithItsProbability) {
  std::uint64_t stream = 700;
  struct Case {
    std::size_t categories, value;
    std::string epsilon;
  };
  for (const Case& c : {Case{2, 0, "1"}, Case{2, 1, "0.1"}, Case{3, 1, "0.6931"}, Case{10, 9, "2.5"}, Case{50, 0, "5"}}) {
    test::declare_false_alarm(fmt::format("ExpRandomizer.ReportsEveryCategoryWithItsProbability/{}/{}", c.categories, c.epsilon),
                              kFalseAlarm);
    const test::Verdict verdict = judge_exp(c.categories, c.value, c.epsilon, std::stod(c.epsilon), draws(300'000), stream++);
    EXPECT_FALSE(verdict.red) << verdict.worst;
  }
}

TEST(ExpRandomizer, TheSameJudgeSeesAnEpsilonOffByFivePercent) {
  const Chances right = chances({LocalKind::Exp, 1}, 3);
  const Chances wrong = chances({LocalKind::Exp, 1.05}, 3);
  constexpr double kMiss = 1e-10;
  test::declare_false_alarm("ExpRandomizer.TheSameJudgeSeesAnEpsilonOffByFivePercent", kMiss);
  const std::uint64_t n = test::draws_to_tell(right.stays, wrong.stays, 3, kFalseAlarm, kMiss);
  EXPECT_TRUE(judge_exp(3, 0, "1.05", 1, n, 710).red);
}

TEST(ExpRandomizer, KeepsTheTrueCategoryAndTossesACoinForOthersInAReplayedScript) {
  // Two categories, epsilon 1: a word chooses the category; the coin exp(-1) takes four words to
  // fall tails at k = 2 (the last one decides).
  const auto randomizer = *ExpRandomizer::of(2, epsilon("1"));
  test::ScriptedBits kept({0, 0, 0, 0, kOnes});
  EXPECT_EQ(*randomizer.report(0, kept), 0U);
  EXPECT_EQ(kept.unused(), 0U);
  // Category 0 is drawn and refused, then category 1, which is the true one.
  test::ScriptedBits refused({0, 0, 0, 0, kOnes, kOnes, 0, 0, 0, kOnes});
  EXPECT_EQ(*randomizer.report(1, refused), 1U);
  EXPECT_EQ(refused.unused(), 0U);
}

TEST(ExpRandomizer, UsesAsManyWordsOnAverageWhateverTheValueIs) {
  // By Hoeffding on whether a report takes more than seven words, for two values; sees a coin that
  // is spared for the true category.
  const test::Promise promise{.false_alarm = kFalseAlarm / 2, .miss = 1e-10, .shift = 0.02 * test::coarseness()};
  const test::Plan plan = test::plan(promise);
  test::declare_false_alarm("ExpRandomizer.UsesAsManyWordsOnAverageWhateverTheValueIs", kFalseAlarm);
  const auto randomizer = *ExpRandomizer::of(3, epsilon("0.5"));
  double longer[2] = {0, 0};
  for (const std::size_t value : {0U, 1U}) {
    test::InsecureSeededBits bits(720 + value);
    for (std::uint64_t i = 0; i < plan.n; ++i) {
      const std::uint64_t before = bits.words_used();
      ASSERT_TRUE(randomizer.report(value, bits).ok());
      longer[value] += bits.words_used() - before > 7 ? 1 : 0;
    }
  }
  EXPECT_NEAR(longer[0] / static_cast<double>(plan.n), longer[1] / static_cast<double>(plan.n), 2 * plan.threshold);
}

TEST(FlipRandomizer, FlipsEveryBitAloneWithItsProbability) {
  std::uint64_t stream = 730;
  for (const std::string text : {"1", "0.2", "4"}) {
    test::declare_false_alarm(fmt::format("FlipRandomizer.FlipsEveryBitAloneWithItsProbability/{}", text), kFalseAlarm);
    const auto randomizer = *FlipRandomizer::of(3, epsilon(text));
    const Chances chance = chances({LocalKind::Flip, std::stod(text)}, 3);
    constexpr std::size_t kValue = 1;
    const std::uint64_t n = draws(300'000);
    std::vector<std::uint64_t> counts(8);
    test::InsecureSeededBits bits(stream++);
    for (std::uint64_t i = 0; i < n; ++i) {
      const auto report = *randomizer.report(kValue, bits);
      ++counts[static_cast<std::size_t>(report[0] + 2 * report[1] + 4 * report[2])];
    }
    std::vector<test::Event> events;
    for (std::size_t outcome = 0; outcome < counts.size(); ++outcome) {
      double probability = 1;
      for (std::size_t j = 0; j < 3; ++j) probability *= (((outcome >> j) & 1U) != 0) == (j == kValue) ? chance.stays : chance.other;
      events.push_back({fmt::format("bits {}", outcome), probability, counts[outcome]});
    }
    const test::Verdict verdict = test::judge(events, n, kFalseAlarm);
    EXPECT_FALSE(verdict.red) << verdict.worst;
  }
}

TEST(NoiseRandomizer, HasTheScaleOfRogersForOnePerson) {
  const auto gaussian =
      *NoiseRandomizer::of(4, kernel::NoiseFamily::Gaussian, privacy::gaussian_loss_from_rho(*privacy::Rho::parse("0.25")));
  EXPECT_DOUBLE_EQ(gaussian.plan().scale, 2);  // variance 1/rho
  const auto laplace = *NoiseRandomizer::of(4, kernel::NoiseFamily::Laplace, privacy::pure_loss(epsilon("0.5")));
  EXPECT_DOUBLE_EQ(laplace.plan().scale, 4);  // 2/epsilon
}

TEST(NoiseRandomizer, AddsTheSameNoiseToAnyValueForTheSameBits) {
  for (const kernel::NoiseFamily family : {kernel::NoiseFamily::Gaussian, kernel::NoiseFamily::Laplace}) {
    const auto randomizer = *NoiseRandomizer::of(3, family, privacy::gaussian_loss_from_mu(*privacy::Mu::parse("1")));
    test::InsecureSeededBits first(740);
    test::InsecureSeededBits second(740);
    const auto a = *randomizer.report(0, first);
    const auto b = *randomizer.report(2, second);
    EXPECT_THAT((std::vector<double>{a[0] - b[0], a[1] - b[1], a[2] - b[2]}), ElementsAre(1, 0, -1));
    for (const double value : a)
      EXPECT_EQ(std::ldexp(value, randomizer.plan().grid_log2), std::floor(std::ldexp(value, randomizer.plan().grid_log2)));
  }
}

/// Sees a bias, a missing factor of e^(eps/2) against e^eps, and a scale off by a fifth: Hoeffding
/// on each estimate.
TEST(Randomizers, ReportsOfManyPeopleLeadBackToTheirCounts) {
  const std::vector<std::size_t> truth = {6000, 1000, 3000};
  const double n = 10'000;
  std::vector<double> exp(3, 0);
  std::vector<double> flip(3, 0);
  const auto by_category = *ExpRandomizer::of(3, epsilon("1"));
  const auto by_bits = *FlipRandomizer::of(3, epsilon("1"));
  test::InsecureSeededBits bits(750);
  for (std::size_t value = 0; value < 3; ++value) {
    for (std::size_t person = 0; person < truth[value]; ++person) {
      exp[*by_category.report(value, bits)] += 1;
      const auto report = *by_bits.report(value, bits);
      for (std::size_t j = 0; j < 3; ++j) flip[j] += report[j] / n;
    }
  }
  test::declare_false_alarm("Randomizers.ReportsOfManyPeopleLeadBackToTheirCounts", kFalseAlarm);
  const double margin = std::sqrt(n * std::log(2 * 6 / kFalseAlarm) / 2);  // of a count of n independent reports; six are tested
  for (const auto& [law, reports] :
       {std::pair{LocalRandomizer{LocalKind::Exp, 1}, exp}, std::pair{LocalRandomizer{LocalKind::Flip, 1}, flip}}) {
    const Chances chance = chances(law, 3);
    ASSERT_TRUE(check_reports(law, n, reports).ok());
    const std::vector<double> counts = estimates(law, n, reports);
    for (std::size_t j = 0; j < 3; ++j)
      EXPECT_NEAR(counts[j], static_cast<double>(truth[j]), margin / (chance.stays - chance.other)) << name(law.kind) << j;
  }
}

TEST(Randomizers, RefuseWhatIsOutsideTheirDomain) {
  EXPECT_EQ(ExpRandomizer::of(1, epsilon("1")).error().name(), "categories");
  EXPECT_EQ(FlipRandomizer::of(1'000'001, epsilon("1")).error().name(), "categories");
  EXPECT_EQ(ExpRandomizer::of(2, epsilon("100.1")).error().name(), "epsilon");
  EXPECT_EQ(ExpRandomizer::of(2, epsilon("1e-10")).error().name(), "epsilon");
  EXPECT_EQ(FlipRandomizer::of(2, epsilon("1.00000000000000000000001")).error().message(),
            "epsilon is 1.00000000000000000000001, but must have at most 16 digits behind the point for randomised reports; for example: "
            "epsilon = 1");
  EXPECT_TRUE(FlipRandomizer::of(2, epsilon("99.9999999999999999")).ok());
  EXPECT_TRUE(ExpRandomizer::of(2, epsilon("1e-9")).ok());
  EXPECT_EQ(NoiseRandomizer::of(2, kernel::NoiseFamily::Gaussian, privacy::pure_loss(epsilon("1"))).error().code(), Code::Unsupported);
  EXPECT_EQ(NoiseRandomizer::of(1, kernel::NoiseFamily::Laplace, privacy::pure_loss(epsilon("1"))).error().name(), "categories");
}

TEST(Randomizers, DoNotSayWhichValueWasNoCategory) {
  test::InsecureSeededBits bits(760);
  const auto exp = ExpRandomizer::of(3, epsilon("1"))->report(777, bits);
  const auto flip = FlipRandomizer::of(3, epsilon("1"))->report(777, bits);
  const auto noise = NoiseRandomizer::of(3, kernel::NoiseFamily::Laplace, privacy::pure_loss(epsilon("1")))->report(777, bits);
  for (const Error& error : {exp.error(), flip.error(), noise.error()}) {
    EXPECT_EQ(error.code(), Code::Internal);
    EXPECT_EQ(error.message().find("777"), std::string::npos);
  }
}

TEST(Randomizers, ReportNothingWithoutBits) {
  test::FailingBits none(0);
  EXPECT_EQ(ExpRandomizer::of(3, epsilon("1"))->report(0, none).error().code(), Code::EntropyUnavailable);
  EXPECT_EQ(FlipRandomizer::of(3, epsilon("1"))->report(0, none).error().code(), Code::EntropyUnavailable);
  EXPECT_EQ(NoiseRandomizer::of(3, kernel::NoiseFamily::Laplace, privacy::pure_loss(epsilon("1")))->report(0, none).error().code(),
            Code::EntropyUnavailable);
}

}  // namespace
}  // namespace tacet::mechanisms::randomizers_test
