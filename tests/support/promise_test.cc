#include "support/promise.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>
#include <mpfr.h>

#include "support/scripted_bits.h"

namespace tacet::test {
namespace {

/// P[X >= k] summed term by term with 300 bits.
double upper_by_summing(unsigned long n, double p, unsigned long k) {
  mpfr_t term, sum, factor, probability;
  mpfr_inits2(300, term, sum, factor, probability, nullptr);
  mpfr_set_d(probability, p, MPFR_RNDN);
  mpfr_ui_sub(factor, 1, probability, MPFR_RNDN);
  mpfr_div(factor, probability, factor, MPFR_RNDN);  // the odds
  mpfr_ui_sub(term, 1, probability, MPFR_RNDN);
  mpfr_pow_ui(term, term, n, MPFR_RNDN);  // P[X = 0]
  mpfr_set_ui(sum, 0, MPFR_RNDN);
  for (unsigned long i = 0; i <= n; ++i) {
    if (i >= k) mpfr_add(sum, sum, term, MPFR_RNDN);
    mpfr_mul(term, term, factor, MPFR_RNDN);
    mpfr_mul_ui(term, term, n - i, MPFR_RNDN);
    mpfr_div_ui(term, term, i + 1, MPFR_RNDN);
  }
  const double result = mpfr_get_d(sum, MPFR_RNDN);
  mpfr_clears(term, sum, factor, probability, nullptr);
  return result;
}

TEST(Promise, HoeffdingPlanHasTheSampleSizeWorkedOutInTheStyleGuide) {
  const Plan p = plan({.false_alarm = 1e-9, .miss = 1e-9, .shift = 2e-3});
  EXPECT_EQ(p.n, 10'534'208U);
  EXPECT_NEAR(p.threshold, 0.0010082, 1e-7);
}

TEST(Promise, BinomialTailsBoundTheExactSumsAndAreTightToTheSlack) {
  struct Case {
    unsigned long n;
    double p;
    unsigned long k;
  };
  for (const Case& c : {Case{10, 0.5, 7}, Case{1000, 0.001, 20}, Case{20'000, 0.3, 6600}, Case{20'000, 0.5, 10'700},
                        Case{100'000, 1e-5, 25}, Case{50'000, 0.9, 45'600}, Case{100'000, 0.25, 25'000}}) {
    const double exact = upper_by_summing(c.n, c.p, c.k);
    EXPECT_GE(binomial_upper(c.n, c.p, c.k), exact) << c.n << " " << c.p << " " << c.k;
    EXPECT_LE(binomial_upper(c.n, c.p, c.k), exact * (1 + 2e-6)) << c.n << " " << c.p << " " << c.k;
    // The lower tail at k is the upper tail of the failures at n - k.
    const double mirrored = upper_by_summing(c.n, 1 - c.p, c.n - c.k);
    EXPECT_GE(binomial_lower(c.n, c.p, c.k), mirrored * (1 - 1e-9));
    EXPECT_LE(binomial_lower(c.n, c.p, c.k), mirrored * (1 + 2e-6));
  }
  EXPECT_EQ(binomial_upper(5, 0.5, 0), 1);
  EXPECT_EQ(binomial_upper(5, 0.5, 6), 0);
  EXPECT_EQ(binomial_lower(5, 0.5, 5), 1);
}

TEST(Promise, ClopperPearsonBoundsHoldTheirLevelForEveryProbabilityOnAGrid) {
  // P[lower > p] summed exactly over all counts must not exceed alpha, and not be absurdly small
  // either.
  constexpr unsigned long kN = 60;
  constexpr double kAlpha = 0.01;
  for (double p = 0.01; p < 1; p += 0.01) {
    std::uint64_t least_wrong = kN + 1;
    for (std::uint64_t k = 0; k <= kN; ++k) {
      if (clopper_pearson_lower(k, kN, kAlpha) > p) {
        least_wrong = k;
        break;
      }
    }
    if (least_wrong <= kN) {
      EXPECT_LE(upper_by_summing(kN, p, least_wrong), kAlpha) << p;
    }
    for (std::uint64_t k = 0; k <= kN; ++k)
      EXPECT_NEAR(clopper_pearson_upper(k, kN, kAlpha), 1 - clopper_pearson_lower(kN - k, kN, kAlpha), 1e-6);
  }
  EXPECT_EQ(clopper_pearson_lower(0, kN, kAlpha), 0);
  EXPECT_EQ(clopper_pearson_upper(kN, kN, kAlpha), 1);
  EXPECT_NEAR(clopper_pearson_upper(0, kN, kAlpha), 1 - std::pow(kAlpha, 1.0 / kN), 1e-7);
}

TEST(Promise, DrawsToTellKeepBothPromises) {
  constexpr double kFalseAlarm = 1e-6, kMiss = 1e-6;
  for (const auto& [p, faulty] : {std::pair{0.5, 0.51}, std::pair{0.5, 0.45}, std::pair{0.01, 0.012}, std::pair{1e-3, 0.0}}) {
    const std::uint64_t n = draws_to_tell(p, faulty, 10, kFalseAlarm, kMiss);
    EXPECT_LE(chance_to_miss(p, faulty, n, 10, kFalseAlarm), kMiss);
    EXPECT_GT(chance_to_miss(p, faulty, n - n / 8, 10, kFalseAlarm), kMiss) << "n is not wasteful";
  }
}

TEST(Promise, JudgeIsRedForACountBeyondItsPartOfTheFalseAlarmAndGreenOtherwise) {
  // P[X >= 10] = 2^-10 for 10 fair coins; shared by two sides of one event, it is red at a false
  // alarm of 2^-9 (and the slack) and green just below.
  const std::vector<Event> events{{"heads", 0.5, 10}};
  EXPECT_TRUE(judge(events, 10, 0x1p-9 * 1.00001).red);
  EXPECT_FALSE(judge(events, 10, 0x1p-9 * 0.99999).red);
  EXPECT_TRUE(judge({{"heads", 0.5, 10, Side::TooMany}}, 10, 0x1p-10 * 1.00001).red);
  EXPECT_FALSE(judge({{"heads", 0.5, 10, Side::TooFew}}, 10, 0.1).red);
}

TEST(ScriptedBits, ReplaysItsWordsInOrderAndFailsWhenTheyEnd) {
  ScriptedBits bits({1, 2, 3});
  EXPECT_EQ(bits.word(), 1U);
  EXPECT_EQ(bits.word(), 2U);
  EXPECT_EQ(bits.unused(), 1U);
  EXPECT_EQ(bits.word(), 3U);
  EXPECT_THROW(bits.word(), exact::EntropyFailure);
  EXPECT_EQ(bits.words_used(), 3U);
}

TEST(InsecureSeededBits, RepeatsAStreamAndKeepsStreamsApart) {
  InsecureSeededBits a(1), b(1), c(2);
  bool differ = false;
  for (int i = 0; i < 2000; ++i) {
    const std::uint64_t word = a.word();
    EXPECT_EQ(word, b.word());
    differ = differ || word != c.word();
  }
  EXPECT_TRUE(differ);
}

TEST(FailingBits, FailAfterTheGivenNumberOfWords) {
  FailingBits bits(2);
  (void)bits.word();
  (void)bits.word();
  EXPECT_THROW(bits.word(), exact::EntropyFailure);
}

}  // namespace
}  // namespace tacet::test
