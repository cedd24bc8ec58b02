// The randomizers of local privacy under audit, on two values of one person. Each is held to its
// promise by the events that tell the values apart best, and by the same auditor refused when its
// epsilon is 5 % larger than claimed.
#include <array>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tacet/mechanisms/local_randomizer.h"
#include "tacet/mechanisms/randomizers.h"
#include "tacet/privacy/parameters.h"

#include "support/hockey_stick.h"
#include "support/promise.h"
#include "support/scripted_bits.h"

namespace tacet::mechanisms::local_audit_test {
namespace {

constexpr double kFalseAlarm = 1e-10, kMiss = 1e-10;
constexpr std::size_t kCategories = 3;

privacy::Loss epsilon_loss(const std::string& text) { return privacy::pure_loss(*privacy::Epsilon::parse(text)); }

class LocalAudit : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    test::declare_false_alarm(fmt::format("{}.{}", info->test_suite_name(), info->name()), kFalseAlarm + kMiss);
  }
};

/// Counts of `outcomes` events, which exclude each other, under the values 0 and 1; every one of
/// them and its complement is tested.
template <class Outcome>
test::ProvenEvents audit(std::size_t outcomes, std::uint64_t n, std::uint64_t stream, const Outcome& outcome) {
  std::vector<test::EventPair> pairs;
  for (std::size_t i = 0; i < outcomes; ++i) {
    pairs.push_back({fmt::format("outcome {}", i)});
    pairs.push_back({fmt::format("not outcome {}", i), n, n});
  }
  test::InsecureSeededBits bits(stream);
  for (std::uint64_t i = 0; i < n; ++i) {
    const std::size_t first = outcome(0, bits);
    const std::size_t second = outcome(1, bits);
    ++pairs[2 * first].first;
    --pairs[2 * first + 1].first;
    ++pairs[2 * second].second;
    --pairs[2 * second + 1].second;
  }
  return {pairs, n, kFalseAlarm};
}

std::uint64_t draws(double p, double q, double epsilon, std::size_t outcomes) {
  return test::draws_to_accuse(p, q, epsilon, 0, 2 * outcomes, kFalseAlarm, kMiss);
}

test::ProvenEvents audit_exp(const std::string& paid, std::uint64_t n, std::uint64_t stream) {
  const auto randomizer = *ExpRandomizer::of(kCategories, *privacy::Epsilon::parse(paid));
  return audit(kCategories, n, stream, [&](std::size_t value, exact::RandomBits& bits) { return *randomizer.report(value, bits); });
}
std::uint64_t exp_draws(double faulty) {
  const Chances chance = chances({LocalKind::Exp, faulty}, kCategories);
  return draws(chance.stays, chance.other, 1, kCategories);
}

test::ProvenEvents audit_flip(const std::string& paid, std::uint64_t n, std::uint64_t stream) {
  const auto randomizer = *FlipRandomizer::of(kCategories, *privacy::Epsilon::parse(paid));
  return audit(8, n, stream, [&](std::size_t value, exact::RandomBits& bits) {
    const auto report = *randomizer.report(value, bits);
    return static_cast<std::size_t>(report[0] + 2 * report[1] + 4 * report[2]);
  });
}
/// The bits (1, 0, 0) under the values 0 and 1.
std::uint64_t flip_draws(double faulty) {
  const Chances chance = chances({LocalKind::Flip, faulty}, kCategories);
  return draws(chance.stays * chance.stays * chance.stays, chance.stays * chance.other * chance.other, 1, 8);
}

/// Each of the first two numbers below 0, between 0 and 1, or above: where the likelihood ratio of
/// Laplace noise is constant.
test::ProvenEvents audit_laplace(const std::string& paid, std::uint64_t n, std::uint64_t stream) {
  const auto randomizer = *NoiseRandomizer::of(kCategories, kernel::NoiseFamily::Laplace, epsilon_loss(paid));
  return audit(9, n, stream, [&](std::size_t value, exact::RandomBits& bits) {
    const auto report = *randomizer.report(value, bits);
    const auto part = [](double y) { return std::size_t{y < 0 ? 0U : y < 1 ? 1U : 2U}; };
    return 3 * part(report[0]) + part(report[1]);
  });
}
std::uint64_t laplace_draws(double faulty) { return draws(0.25, 0.25 * std::exp(-faulty), 1, 9); }

void expect_kept(const test::ProvenEvents& proven, std::uint64_t n) {
  std::printf("[ audit       ] n = %llu per value, epsilon proven >= %.4f, claimed 1\n", static_cast<unsigned long long>(n),
              proven.epsilon(0));
  EXPECT_EQ(proven.delta(1).delta, 0) << proven.delta(1).event;
  EXPECT_GT(proven.epsilon(0), 1 - 0.1 * test::coarseness()) << "the auditor proves too little to be of use";
}

TEST_F(LocalAudit, ExpKeepsItsEpsilon) {
  const std::uint64_t n = exp_draws(1 + 0.05 * test::coarseness());
  expect_kept(audit_exp("1", n, 800), n);
}

TEST_F(LocalAudit, RejectsExpWithAnEpsilonFivePercentTooLarge) { EXPECT_GT(audit_exp("1.05", exp_draws(1.05), 810).delta(1).delta, 0); }

TEST_F(LocalAudit, FlipKeepsItsEpsilon) {
  const std::uint64_t n = flip_draws(1 + 0.05 * test::coarseness());
  expect_kept(audit_flip("1", n, 820), n);
}

TEST_F(LocalAudit, RejectsFlipWithAnEpsilonFivePercentTooLarge) { EXPECT_GT(audit_flip("1.05", flip_draws(1.05), 830).delta(1).delta, 0); }

TEST_F(LocalAudit, LaplaceKeepsItsEpsilon) {
  const std::uint64_t n = laplace_draws(1 + 0.05 * test::coarseness());
  expect_kept(audit_laplace("1", n, 840), n);
}

TEST_F(LocalAudit, RejectsLaplaceWithAnEpsilonFivePercentTooLarge) {
  EXPECT_GT(audit_laplace("1.05", laplace_draws(1.05), 850).delta(1).delta, 0);
}

double phi(double x) { return std::erfc(-x / std::sqrt(2.0)) / 2; }

/// The sign of the difference of the first two numbers tells N(mu/2, 1) from N(-mu/2, 1).
test::ProvenEvents audit_gaussian(const std::string& paid, std::uint64_t n, std::uint64_t stream) {
  const auto randomizer =
      *NoiseRandomizer::of(kCategories, kernel::NoiseFamily::Gaussian, privacy::gaussian_loss_from_mu(*privacy::Mu::parse(paid)));
  return audit(2, n, stream, [&](std::size_t value, exact::RandomBits& bits) {
    const auto report = *randomizer.report(value, bits);
    return std::size_t{report[0] > report[1] ? 1U : 0U};
  });
}
std::uint64_t gaussian_draws(double faulty) {
  return test::draws_to_accuse(phi(faulty / 2), phi(-faulty / 2), 0, test::gaussian_delta(1, 0), 4, kFalseAlarm, kMiss);
}

TEST_F(LocalAudit, GaussianKeepsItsMu) {
  const test::ProvenEvents proven = audit_gaussian("1", gaussian_draws(1 + 0.05 * test::coarseness()), 860);
  EXPECT_LE(proven.delta(0).delta, test::gaussian_delta(1, 0));
  EXPECT_GT(proven.delta(0).delta, test::gaussian_delta(1 - 0.1 * test::coarseness(), 0)) << "the auditor proves too little to be of use";
}

TEST_F(LocalAudit, RejectsGaussianWithAMuFivePercentTooLarge) {
  EXPECT_GT(audit_gaussian("1.05", gaussian_draws(1.05), 870).delta(0).delta, test::gaussian_delta(1, 0));
}

}  // namespace
}  // namespace tacet::mechanisms::local_audit_test
