// The samplers under audit: a table of two cells on its worst neighbours, with noise drawn by
// exact/rounded_noise.h and scaled by hand. The kernel that ships is audited the same way in
// release_audit_test.cc; here faults can be planted below it.
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tacet/exact/rounded_noise.h"

#include "support/hockey_stick.h"
#include "support/promise.h"
#include "support/scripted_bits.h"
#include "support/two_cell_audit.h"

namespace tacet::noise_audit_test {
namespace {

using test::Neighbour;
using test::TwoCellAudit;

constexpr double kFalseAlarm = 1e-10, kMiss = 1e-10;
constexpr double kEpsilons[] = {0, 0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 3};

double phi(double x) { return std::erfc(-x / std::sqrt(2.0)) / 2; }

/// n for a quadrant of Laplace noise whose true epsilon is `faulty`, against a claim of `epsilon`:
/// P = 1/4, Q = e^-faulty/4.
std::uint64_t laplace_draws(double epsilon, double faulty) {
  return test::draws_to_accuse(0.25, 0.25 * std::exp(-faulty), epsilon, 0, TwoCellAudit::kShapeEvents, kFalseAlarm, kMiss);
}
/// n for y1 - y2 >= a - b, which separates the Gaussians best at epsilon = 0.
std::uint64_t gaussian_draws(double mu, double faulty) {
  return test::draws_to_accuse(phi(faulty / 2), phi(-faulty / 2), 0, test::gaussian_delta(mu, 0), TwoCellAudit::kShapeEvents, kFalseAlarm,
                               kMiss);
}

enum class Leak : std::uint8_t { None, LowBitFollowsTheInput };

using Family = Result<exact::RoundedNoise> (*)(double scale);

TwoCellAudit audit_noise(Family family, double claimed_scale, double factor, Leak leak, std::uint64_t n, std::uint64_t stream) {
  constexpr int kGrid = 10;
  constexpr std::int64_t kA = 40, kB = 7;
  TwoCellAudit audit({.a = kA, .b = kB, .grid_log2 = kGrid, .scale = claimed_scale});
  const exact::RoundedNoise noise = *family(std::ldexp(factor * claimed_scale, kGrid));
  test::InsecureSeededBits bits(stream);
  const auto noisy = [&](std::int64_t value) {
    Int128 y = (Int128{value} << kGrid) + noise.draw(bits);
    if (leak == Leak::LowBitFollowsTheInput && bits.word() % 50 == 0) y = (y & ~Int128{1}) | (value & 1);  // one draw in fifty
    return y;
  };
  for (std::uint64_t i = 0; i < n; ++i) {
    for (const Neighbour neighbour : {Neighbour::First, Neighbour::Second}) {
      const std::int64_t extra = neighbour == Neighbour::First ? 1 : 0;
      const Int128 y1 = noisy(kA + extra), y2 = noisy(kB + 1 - extra);
      audit.count(neighbour, y1, y2);
    }
  }
  return audit;
}

void say(const std::string& what, std::uint64_t n, double proven, double claimed) {
  std::printf("[ audit       ] %s: n = %llu per neighbour, proven epsilon >= %.4f, claimed %.4f\n", what.c_str(),
              static_cast<unsigned long long>(n), proven, claimed);
}

class NoiseAudit : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    test::declare_false_alarm(fmt::format("{}.{}", info->test_suite_name(), info->name()), 2 * kFalseAlarm + kMiss);
  }
};

TEST_F(NoiseAudit, LaplaceNoiseKeepsItsEpsilon) {
  for (const double epsilon : {0.5, 1.0, 4.0}) {
    const std::uint64_t n = laplace_draws(epsilon, epsilon * (1 + 0.05 * test::coarseness()));
    const TwoCellAudit audit = audit_noise(exact::RoundedNoise::laplace, 2 / epsilon, 1, Leak::None, n, 200);
    const test::ProvenEvents shape = audit.shape(kFalseAlarm / 3);
    say("Laplace", n, shape.epsilon(0), epsilon);
    EXPECT_EQ(shape.delta(epsilon).delta, 0) << shape.delta(epsilon).event;
    EXPECT_EQ(audit.low_bits(kFalseAlarm / 3).delta(0).delta, 0);
    EXPECT_GT(shape.epsilon(0), epsilon * (1 - 0.1 * test::coarseness())) << "the auditor proves too little to be of use";
  }
}

TEST_F(NoiseAudit, GaussianNoiseKeepsItsWholeCurve) {
  for (const double mu : {0.5, 1.0, 3.0}) {
    const std::uint64_t n = gaussian_draws(mu, mu * (1 + 0.05 * test::coarseness()));
    const TwoCellAudit audit = audit_noise(exact::RoundedNoise::gaussian, std::sqrt(2.0) / mu, 1, Leak::None, n, 210);
    const test::ProvenEvents shape = audit.shape(kFalseAlarm / 3);
    for (const double epsilon : kEpsilons) {
      EXPECT_LE(shape.delta(epsilon).delta, test::gaussian_delta(mu, epsilon)) << shape.delta(epsilon).event << " at epsilon " << epsilon;
    }
    say("Gaussian at delta 0.01", n, shape.epsilon(0.01), 0);
    EXPECT_EQ(audit.low_bits(kFalseAlarm / 3).delta(0).delta, 0);
    EXPECT_GT(shape.delta(0).delta, test::gaussian_delta(mu * (1 - 0.1 * test::coarseness()), 0))
        << "the auditor proves too little to be of use";
  }
}

TEST_F(NoiseAudit, RejectsLaplaceNoiseFivePercentTooSmall) {
  const std::uint64_t n = laplace_draws(1, 1 / 0.95);
  const TwoCellAudit audit = audit_noise(exact::RoundedNoise::laplace, 2, 0.95, Leak::None, n, 220);
  say("Laplace, 5 % too small", n, audit.shape(kFalseAlarm).epsilon(0), 1);
  EXPECT_GT(audit.shape(kFalseAlarm).delta(1).delta, 0);
}

TEST_F(NoiseAudit, RejectsGaussianNoiseFivePercentTooSmall) {
  const std::uint64_t n = gaussian_draws(1, 1 / 0.95);
  const TwoCellAudit audit = audit_noise(exact::RoundedNoise::gaussian, std::sqrt(2.0), 0.95, Leak::None, n, 230);
  EXPECT_GT(audit.shape(kFalseAlarm).delta(0).delta, test::gaussian_delta(1, 0));
}

TEST_F(NoiseAudit, RejectsNoiseWhoseLowBitsDependOnTheInput) {
  // One draw in fifty copies the input's parity: P[y1 odd] is 0.5 +- 0.01 under one input and 0.5
  // -+ 0.01 under the other.
  const std::uint64_t n = test::draws_to_accuse(0.51, 0.49, 0, 0, 525, kFalseAlarm, kMiss);
  const TwoCellAudit audit = audit_noise(exact::RoundedNoise::gaussian, std::sqrt(2.0), 1, Leak::LowBitFollowsTheInput, n, 240);
  EXPECT_GT(audit.low_bits(kFalseAlarm).delta(0).delta, 0);
  // The shape of the noise is right: only the low bits give it away.
  EXPECT_LE(audit.shape(kFalseAlarm).delta(0).delta, test::gaussian_delta(1, 0));
}

TEST_F(NoiseAudit, RejectsAGridThatMovesWithTheInput) {
  // y = x modulo 3 ticks. No residue modulo a power of two shows it, but y modulo 3 names the
  // input: the split-sample auditor, told nothing, finds it.
  constexpr int kGrid = 10;
  const auto noise = *exact::RoundedNoise::gaussian(std::ldexp(std::sqrt(2.0), kGrid));
  test::InsecureSeededBits bits(250);
  const auto residue = [&](std::int64_t value) {
    const Int128 x = Int128{value} << kGrid, y = x + 3 * (noise.draw(bits) / 3);
    return std::to_string(static_cast<int>((y % 3 + 3) % 3));
  };
  std::vector<std::string> first, second;
  for (int i = 0; i < 4000; ++i) {
    first.push_back(residue(41));
    second.push_back(residue(40));
  }
  EXPECT_GT(test::split_sample_delta(first, second, 1, kFalseAlarm).delta, 0.5);
}

}  // namespace
}  // namespace tacet::noise_audit_test
