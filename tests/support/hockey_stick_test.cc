#include "support/hockey_stick.h"

#include <cmath>

#include <gtest/gtest.h>

#include "tacet/base/result.h"

#include "support/scripted_bits.h"

namespace tacet::test {
namespace {

TEST(HockeyStick, CountsMassOnDisjointSupport) {
  const Histogram p{{"0", 500}, {"1", 500}}, q{{"0", 1000}};
  EXPECT_DOUBLE_EQ(hockey_stick(p, q, 1000, 0.0), 0.5);
  EXPECT_DOUBLE_EQ(hockey_stick(q, p, 1000, 0.0), 0.5);
}

TEST(HockeyStick, IsZeroForIdenticalHistograms) {
  const Histogram p{{"a", 300}, {"b", 700}};
  EXPECT_EQ(hockey_stick(p, p, 1000, 0.0), 0);
}

TEST(HockeyStick, OfRandomisedResponseIsZeroAtItsEpsilonAndPositiveBelow) {
  const Histogram p{{"yes", 750}, {"no", 250}}, q{{"yes", 250}, {"no", 750}};  // epsilon = log 3
  EXPECT_NEAR(hockey_stick(p, q, 1000, std::log(3.0)), 0, 1e-12);
  EXPECT_NEAR(hockey_stick(p, q, 1000, 0.5), 0.75 - std::exp(0.5) * 0.25, 1e-12);
}

TEST(GaussianDelta, AgreesWithItsClosedFormAtEpsilonZeroAndWithATabulatedValue) {
  EXPECT_NEAR(gaussian_delta(1.0, 0.0), std::erf(0.5 / std::sqrt(2.0)), 1e-15);
  EXPECT_NEAR(gaussian_delta(1.0, 1.0), 0.126936737507, 1e-10);
}

TEST(Auditor, NeverProvesMoreThanTheTruthOfAKnownPair) {
  // The counts equal their expectations, so the bound must lie below the truth, and close to it for
  // a large sample.
  constexpr std::uint64_t kN = 1'000'000;
  const EventPair pairs[] = {{"yes", 750'000, 250'000}, {"no", 250'000, 750'000}};
  const ProvenEvents proven(pairs, kN, 1e-9);
  EXPECT_EQ(proven.delta(std::log(3.0)).delta, 0);
  const double truth = 0.75 - std::exp(0.5) * 0.25;
  EXPECT_LT(proven.delta(0.5).delta, truth);
  EXPECT_GT(proven.delta(0.5).delta, truth - 0.01);
  EXPECT_LT(proven.epsilon(0), std::log(3.0));
  EXPECT_GT(proven.epsilon(0), std::log(3.0) - 0.03);
  EXPECT_LT(proven.epsilon(0.1), std::log((0.75 - 0.1) / 0.25));
}

TEST(Auditor, AccusesInBothDirections) {
  const EventPair rare_in_first[] = {{"leak", 0, 1000}};
  const EventPair rare_in_second[] = {{"leak", 1000, 0}};
  EXPECT_GT(largest_delta(rare_in_first, 10'000, 1.0, 1e-9).delta, 0.05);
  EXPECT_GT(largest_delta(rare_in_second, 10'000, 1.0, 1e-9).delta, 0.05);
}

TEST(Auditor, FindsOutcomesThatAreImpossibleUnderTheNeighbour) {
  // With probability 1/10 the outcome names the input; nobody listed that event in advance. With
  // 10^4 draws in the tested half, an upper bound of 0.0025 on what was never seen costs e^2 0.0025
  // = 0.019, and the lower bound on 1/10 exceeds 0.059 unless fewer than 790 leaks come.
  declare_false_alarm("Auditor.FindsOutcomesThatAreImpossibleUnderTheNeighbour", binomial_lower(10'000, 0.1, 790) + 1e-9);
  InsecureSeededBits bits(101);
  std::vector<std::string> first, second;
  for (int i = 0; i < 20'000; ++i) {
    for (std::vector<std::string>* sample : {&first, &second}) {
      const std::uint64_t word = bits.word();
      sample->push_back(word % 10 == 0 ? (sample == &first ? "secret a" : "secret b") : "noise " + std::to_string(word >> 60));
    }
  }
  const Accusation accusation = split_sample_delta(first, second, 2.0, 1e-9);
  EXPECT_GT(accusation.delta, 0.04) << accusation.event;
  EXPECT_LE(accusation.delta, 0.1);
}

TEST(Auditor, ProvesNothingAboutTwoSamplesOfOneLaw) {
  declare_false_alarm("Auditor.ProvesNothingAboutTwoSamplesOfOneLaw", 1e-9);
  InsecureSeededBits bits(102);
  std::vector<std::string> first, second;
  for (int i = 0; i < 20'000; ++i) {
    first.push_back(std::to_string(bits.word() >> 56));
    second.push_back(std::to_string(bits.word() >> 56));
  }
  EXPECT_EQ(split_sample_delta(first, second, 0.0, 1e-9).delta, 0);
}

TEST(Auditor, CountsAnErrorAsAnOutcomeLikeAnyOther) {
  const Result<int> fine = 1, failed = Error::of(Code::EngineFailed, "the engine failed");
  EXPECT_EQ(outcome_of(fine), "ok");
  EXPECT_EQ(outcome_of(failed), name(Code::EngineFailed));
  // Fails always on one input and never on the other: as bad as publishing the input.
  const std::vector<std::string> first(2000, outcome_of(fine)), second(2000, outcome_of(failed));
  EXPECT_GT(split_sample_delta(first, second, 1.0, 1e-9).delta, 0.5);
}

}  // namespace
}  // namespace tacet::test
