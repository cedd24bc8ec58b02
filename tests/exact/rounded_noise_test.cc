// The law of rounded noise against its closed form and against Karney's sampler, and the same
// detectors against planted faults.
//
// Every census declares what it would catch; n follows. In a plain build: noise 0.6 % too small or
// a bit (or sign) off by 0.003, overlooked with probability at most 1e-9; four times coarser under
// sanitizers.
#include "tacet/exact/rounded_noise.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/karney.h"
#include "support/law.h"
#include "support/promise.h"
#include "support/scripted_bits.h"

namespace tacet::exact::rounded_noise_test {
namespace {

using test::Census;
using test::CensusPromise;
using test::Family;

/// Beyond 2^50 every draw takes the big-integer path, which is slow: the promise there is four
/// times coarser.
CensusPromise fine_promise(double scale) {
  const double coarse = test::coarseness() * (scale > 0x1p50 ? 4 : 1);
  return {.false_alarm = 2e-11, .miss = 1e-9, .scale_shift = 0.006 * coarse, .bit_shift = 0.003 * coarse};
}

/// What the planted faults are held to: larger faults, a smaller sample.
CensusPromise planted_promise() { return {.false_alarm = 2e-11, .miss = 5e-11, .scale_shift = 0.02, .bit_shift = 0.01}; }

std::string test_name() {
  const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
  return fmt::format("{}.{}", info->test_suite_name(), info->name());
}

RoundedNoise noise_of(Family family, double scale) {
  return *(family == Family::Gaussian ? RoundedNoise::gaussian(scale) : RoundedNoise::laplace(scale));
}

template <class Draw>
Census census_of(Family family, double scale, std::uint64_t n, Draw draw) {
  Census census(family, scale);
  for (std::uint64_t i = 0; i < n; ++i) census.count(draw());
  return census;
}

class Law : public ::testing::TestWithParam<std::pair<std::string, double>> {
 protected:
  void expect_closed_form(Family family) {
    const double scale = GetParam().second;
    const CensusPromise promise = fine_promise(scale);
    const std::uint64_t n = draws_for(family, promise);
    test::declare_false_alarm(test_name(), promise.false_alarm);
    std::printf("[ promise     ] n = %llu catches noise %.3g %% too small and a bit or sign off by %.3g, except with probability %.0e\n",
                static_cast<unsigned long long>(n), 100 * promise.scale_shift, promise.bit_shift, promise.miss);
    const RoundedNoise noise = noise_of(family, scale);
    test::InsecureSeededBits bits(family == Family::Gaussian ? 1 : 2);
    const Census census = census_of(family, scale, n, [&] { return noise.draw(bits); });
    const test::Verdict verdict = judge(census.events(), n, promise.false_alarm);
    EXPECT_FALSE(verdict.red) << verdict.worst;
    std::printf("[ worst event ] %s\n", verdict.worst.c_str());
  }
};

TEST_P(Law, OfRoundedGaussianNoiseIsItsClosedForm) { expect_closed_form(Family::Gaussian); }
TEST_P(Law, OfRoundedLaplaceNoiseIsItsClosedForm) { expect_closed_form(Family::Laplace); }

INSTANTIATE_TEST_SUITE_P(RoundedNoise, Law,
                         ::testing::Values(std::pair{"AtThreeTenths", 0.3}, std::pair{"AtOne", 1.0}, std::pair{"AtFour", 4.0},
                                           std::pair{"AtOneThousand", 1e3}, std::pair{"AtOneBillion", 1e9},
                                           std::pair{"AtTwoToThe40AndThreeTenths", 0x1p40 + 0.3}, std::pair{"AtTwoToThe60", 0x1p60}),
                         [](const auto& instance) { return instance.param.first; });

/// Every cell of the production table is 1/64 of a strip wide; at scale 2^40 its edges are
/// integers, so each can be counted alone.
void expect_every_cell_to_hold_its_share(Family family, std::uint64_t unit, std::uint64_t stream) {
  constexpr double kScale = 0x1p40, kFalseAlarm = 2e-11;
  constexpr std::size_t kCells = 4 * 64;
  const auto n = static_cast<std::uint64_t>(8e6 / (test::coarseness() * test::coarseness()));
  test::declare_false_alarm(test_name(), kFalseAlarm);
  const RoundedNoise noise = noise_of(family, kScale);
  test::InsecureSeededBits bits(stream);
  const std::uint64_t width = unit / 64;
  std::array<std::uint64_t, kCells> counts{};
  for (std::uint64_t i = 0; i < n; ++i) {
    const Int128 z = noise.draw(bits);
    const auto cell = static_cast<std::uint64_t>(z < 0 ? -z : z) / width;
    if (cell < kCells) ++counts[cell];
  }
  std::vector<test::Event> events;
  for (std::size_t cell = 0; cell < kCells; ++cell) {
    const Int128 from = static_cast<Int128>(cell * width), to = from + static_cast<Int128>(width) - 1;
    const double p = cell == 0 ? test::probability(family, kScale, -to, to) : 2 * test::probability(family, kScale, from, to);
    events.push_back({fmt::format("cell {} of strip {}", cell % 64, cell / 64), p, counts[cell]});
  }
  const test::Verdict verdict = judge(events, n, kFalseAlarm);
  EXPECT_FALSE(verdict.red) << verdict.worst;
}

TEST(RoundedGaussian, EveryCellOfTheFirstFourStripsHoldsItsShare) {
  expect_every_cell_to_hold_its_share(Family::Gaussian, std::uint64_t{5} << 38, 3);
}
TEST(RoundedLaplace, EveryCellOfTheFirstFourStripsHoldsItsShare) {
  expect_every_cell_to_hold_its_share(Family::Laplace, std::uint64_t{1} << 40, 4);
}

TEST(RoundedNoise, OfATinyScaleIsAlwaysZero) {
  // P[not 0] = P[|Z| > 5e299] underflows every floating-point format; a nonzero draw would be an
  // error of the arithmetic.
  test::InsecureSeededBits bits(5);
  for (const double scale : {1e-300, 5e-324, 0x1p-1022}) {
    const auto gaussian = *RoundedNoise::gaussian(scale);
    const auto laplace = *RoundedNoise::laplace(scale);
    for (int i = 0; i < 10'000; ++i) {
      ASSERT_EQ(gaussian.draw(bits), 0);
      ASSERT_EQ(laplace.draw(bits), 0);
    }
  }
}

TEST(RoundedNoise, RefusesScalesOutsideItsDomain) {
  for (const double scale : {0.0, -1.0, std::nextafter(0x1p60, 0x1p61), HUGE_VAL, std::nan("")}) {
    ASSERT_FALSE(RoundedNoise::gaussian(scale).ok()) << scale;
    ASSERT_FALSE(RoundedNoise::laplace(scale).ok()) << scale;
    EXPECT_EQ(RoundedNoise::laplace(scale).error().code(), Code::InvalidArgument);
  }
  EXPECT_TRUE(RoundedNoise::gaussian(0x1p60).ok());
}

TEST(RoundedNoise, NeverSwallowsAFailureOfTheBits) {
  const auto noise = *RoundedNoise::gaussian(4);
  for (std::uint64_t good = 0; good < 50; ++good) {
    test::FailingBits bits(good);
    EXPECT_THROW(for (;;) noise.draw(bits), EntropyFailure);
    EXPECT_EQ(bits.words_used(), good);
  }
}

// ---- the independent sampler

template <class Oracle>
void expect_agreement(Family family, double scale, std::uint64_t stream) {
  // Hoeffding's bound for without-replacement counts is blunter than the exact tail, so the same n
  // catches about 1.5 times the one-sample shifts.
  const CensusPromise promise = planted_promise();
  const auto n = static_cast<std::uint64_t>(4 * static_cast<double>(draws_for(family, promise)) / test::coarseness());
  test::declare_false_alarm(test_name() + fmt::format("/{}", scale), 3 * promise.false_alarm);
  const RoundedNoise noise = noise_of(family, scale);
  const Oracle oracle(scale);
  test::InsecureSeededBits ours(stream), theirs(stream + 1);
  const Census first = census_of(family, scale, n, [&] { return noise.draw(ours); });
  const Census second = census_of(family, scale, n, [&] { return oracle.draw(theirs); });
  const test::Verdict own = judge(first.events(), n, promise.false_alarm), law = judge(second.events(), n, promise.false_alarm);
  EXPECT_FALSE(own.red) << own.worst;
  EXPECT_FALSE(law.red) << "the oracle itself: " << law.worst;
  const test::Verdict both = judge_two_samples(first, second, promise.false_alarm);
  EXPECT_FALSE(both.red) << both.worst;
}

TEST(RoundedGaussian, AgreesWithKarneysSampler) {
  expect_agreement<test::KarneyGaussian>(Family::Gaussian, 4, 10);
  expect_agreement<test::KarneyGaussian>(Family::Gaussian, 0x1p40 + 0.3, 12);
}

TEST(RoundedLaplace, AgreesWithVonNeumannsSampler) {
  expect_agreement<test::VonNeumannLaplace>(Family::Laplace, 4, 14);
  expect_agreement<test::VonNeumannLaplace>(Family::Laplace, 0x1p40 + 0.3, 16);
}

TEST(KarneyGaussian, RoundsTheLargestAndSmallestScales) {
  test::InsecureSeededBits bits(18);
  const test::KarneyGaussian large(0x1p60), small(1e-300);
  for (int i = 0; i < 1000; ++i) {
    const Int128 z = large.draw(bits);
    EXPECT_LT(z < 0 ? -z : z, Int128{40} << 60);
    EXPECT_EQ(small.draw(bits), 0);
  }
}

// ---- planted faults, which the same census must see

enum class Fault : std::uint8_t {
  None,
  ScaleTwoPercentTooSmall,
  BiasedLowBit,
  BiasedSign,
  TailCutAtFour,
  MissingInteger,
  MissingLatticePoints
};

/// Gaussian noise with a fault of known size.
class FaultyGaussian {
 public:
  FaultyGaussian(Fault fault, double scale)
      : fault_(fault), scale_(scale), noise_(*RoundedNoise::gaussian(fault == Fault::ScaleTwoPercentTooSmall ? 0.98 * scale : scale)) {}
  Int128 draw(RandomBits& bits) const {
    Int128 z = noise_.draw(bits);
    switch (fault_) {
      case Fault::BiasedLowBit:  // P[odd] = 1/2 + 0.01: one even value in fifty becomes odd
        if ((z & 1) == 0 && bits.word() % 50 == 0) z ^= 1;
        break;
      case Fault::BiasedSign:  // P[z >= 0] = 1/2 + 0.01
        if (z < 0 && bits.word() % 50 == 0) z = -z;
        break;
      case Fault::TailCutAtFour:
        while (z > static_cast<Int128>(4 * scale_) || z < -static_cast<Int128>(4 * scale_)) z = noise_.draw(bits);
        break;
      case Fault::MissingInteger:  // a boundary closed on the wrong side: one integer is never hit, its neighbour takes its share
        if (z == static_cast<Int128>(2 * scale_)) z += 1;
        break;
      case Fault::MissingLatticePoints:  // a coarse lattice: what a double computed from too few bits looks like
        z -= z % 8;
        break;
      default: break;
    }
    return z;
  }

 private:
  Fault fault_;
  double scale_;
  RoundedNoise noise_;
};

bool census_is_red(Fault fault, double scale, std::uint64_t stream) {
  const CensusPromise promise = planted_promise();
  const std::uint64_t n = draws_for(Family::Gaussian, promise);
  const FaultyGaussian noise(fault, scale);
  test::InsecureSeededBits bits(stream);
  const Census census = census_of(Family::Gaussian, scale, n, [&] { return noise.draw(bits); });
  const test::Verdict verdict = judge(census.events(), n, promise.false_alarm);
  std::printf("[ worst event ] %s\n", verdict.worst.c_str());
  return verdict.red;
}

class PlantedFault : public ::testing::Test {
 protected:
  void SetUp() override { test::declare_false_alarm(test_name(), 2 * planted_promise().miss); }
};

TEST_F(PlantedFault, NoneIsSeenWhereThereIsNone) { EXPECT_FALSE(census_is_red(Fault::None, 1e9, 20)); }
TEST_F(PlantedFault, ScaleTwoPercentTooSmallIsSeen) {
  EXPECT_TRUE(census_is_red(Fault::ScaleTwoPercentTooSmall, 1e9, 21));
  EXPECT_TRUE(census_is_red(Fault::ScaleTwoPercentTooSmall, 4, 22));
}
TEST_F(PlantedFault, LowBitBiasedByOnePercentIsSeen) { EXPECT_TRUE(census_is_red(Fault::BiasedLowBit, 1e9, 23)); }
TEST_F(PlantedFault, SignBiasedByOnePercentIsSeen) { EXPECT_TRUE(census_is_red(Fault::BiasedSign, 1e9, 24)); }
TEST_F(PlantedFault, AnIntegerThatIsNeverHitIsSeen) { EXPECT_TRUE(census_is_red(Fault::MissingInteger, 4, 26)); }
TEST_F(PlantedFault, ALatticeTooCoarseIsSeen) { EXPECT_TRUE(census_is_red(Fault::MissingLatticePoints, 1e9, 27)); }

TEST_F(PlantedFault, TailCutAtFourScalesIsSeen) {
  // P[|Z| > 4] = 6.3e-5: the n at which never is too seldom.
  constexpr double kTail = 6.33e-5;
  const CensusPromise promise = planted_promise();
  const std::uint64_t n = test::draws_to_tell(kTail, 0, 620, promise.false_alarm, promise.miss);
  const FaultyGaussian noise(Fault::TailCutAtFour, 1e9);
  test::InsecureSeededBits bits(25);
  const Census census = census_of(Family::Gaussian, 1e9, n, [&] { return noise.draw(bits); });
  EXPECT_TRUE(judge(census.events(), n, promise.false_alarm).red);
}

}  // namespace
}  // namespace tacet::exact::rounded_noise_test
