#include "tacet/accounting/composition_optimal.h"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>
#include <mpfr.h>

#include "tacet/accounting/composition_basic.h"
#include "tacet/accounting/equal_responses.h"
#include "tacet/accounting/few_responses.h"
#include "tacet/accounting/mixed_responses.h"
#include "tacet/privacy/parameters.h"

#include "accounting/composition_reference.h"
#include "support/promise.h"
#include "support/scripted_bits.h"

namespace tacet::accounting::composition_optimal_test {
namespace {

privacy::Epsilon epsilon(double value) { return *privacy::Epsilon::of(*Decimal::from_shortest(value)); }
privacy::Delta delta(double value) { return *privacy::Delta::of(*Decimal::from_shortest(value)); }
LossList equal(double value, std::uint64_t times) { return *LossList::of({*LossTerm::of(value, 0, times)}); }

/// The sum of Kairouz, Oh & Viswanath in MPFR: numerators of 400 bits, nothing left out.
class Referee {
 public:
  Referee() { mpfr_inits2(400, sum_, weight_, term_, help_, static_cast<mpfr_ptr>(nullptr)); }
  Referee(const Referee&) = delete;
  Referee& operator=(const Referee&) = delete;
  ~Referee() { mpfr_clears(sum_, weight_, term_, help_, static_cast<mpfr_ptr>(nullptr)); }

  /// epsilon and epsilon_g as decimals.
  double delta(const char* e, unsigned long k, const char* epsilon_g) {
    mpfr_t eps;
    mpfr_t goal;
    mpfr_t ratio;
    mpfr_inits2(400, eps, goal, ratio, static_cast<mpfr_ptr>(nullptr));
    mpfr_set_str(eps, e, 10, MPFR_RNDN);
    mpfr_set_str(goal, epsilon_g, 10, MPFR_RNDN);
    // weight of l = k: 1 / (1 + e^-eps)^k; then down by l e^-eps / (k - l + 1).
    mpfr_neg(ratio, eps, MPFR_RNDN);
    mpfr_exp(ratio, ratio, MPFR_RNDN);
    mpfr_add_ui(weight_, ratio, 1, MPFR_RNDN);
    mpfr_pow_si(weight_, weight_, -static_cast<long>(k), MPFR_RNDN);
    mpfr_set_zero(sum_, 1);
    for (unsigned long l = k;; --l) {
      mpfr_mul_si(help_, eps, 2 * static_cast<long>(l) - static_cast<long>(k), MPFR_RNDN);
      mpfr_sub(help_, goal, help_, MPFR_RNDN);
      if (mpfr_sgn(help_) >= 0) break;
      mpfr_expm1(term_, help_, MPFR_RNDN);
      mpfr_mul(term_, term_, weight_, MPFR_RNDN);
      mpfr_sub(sum_, sum_, term_, MPFR_RNDN);
      if (l == 0) break;
      mpfr_mul_ui(weight_, weight_, l, MPFR_RNDN);
      mpfr_div_ui(weight_, weight_, k - l + 1, MPFR_RNDN);
      mpfr_mul(weight_, weight_, ratio, MPFR_RNDN);
    }
    const double result = mpfr_get_d(sum_, MPFR_RNDN);
    mpfr_clears(eps, goal, ratio, static_cast<mpfr_ptr>(nullptr));
    return result;
  }

 private:
  mpfr_t sum_, weight_, term_, help_;
};

TEST(OptimalDelta, AgreesWithIndependentValues) {
  for (const test::OptimalRow& row : test::kOptimalRows) {
    const Bounds bounds = *optimal_delta(equal(row.epsilon, row.k), epsilon(row.epsilon_g));
    EXPECT_NEAR(bounds.upper / row.delta, 1, 1e-9);
    EXPECT_LE(bounds.lower, bounds.upper);
    EXPECT_NEAR(bounds.lower / bounds.upper, 1, 1e-12);
  }
}

TEST(OptimalDelta, EnclosesTheExactSum) {
  Referee referee;
  struct Case {
    const char* epsilon;
    unsigned long k;
    const char* epsilon_g;
  };
  double widest = 0;
  for (const Case& c :
       {Case{"0.1", 1, "0.05"}, Case{"0.1", 1, "0.0999999"}, Case{"3", 2, "1"}, Case{"0.1", 10, "0.5"}, Case{"0.1", 10, "0.999"},
        Case{"0.01", 1000, "1"}, Case{"0.01", 1000, "9.9"}, Case{"0.5", 100, "30"}, Case{"20", 5, "90"}, Case{"20", 5, "0.001"},
        Case{"700", 3, "1400"}, Case{"1e-9", 100, "1e-8"}, Case{"0.001", 100000, "1"}, Case{"0.001", 100000, "9"}}) {
    const double exact = referee.delta(c.epsilon, c.k, c.epsilon_g);
    const LossList losses = *LossList::of({*LossTerm::of(*privacy::Epsilon::parse(c.epsilon), delta(0), c.k)});
    const Bounds bounds = *optimal_delta(losses, *privacy::Epsilon::parse(c.epsilon_g));
    EXPECT_LE(bounds.lower, exact * (1 + 1e-15)) << c.epsilon << " " << c.k << " " << c.epsilon_g;
    EXPECT_GE(bounds.upper, exact * (1 - 1e-15)) << c.epsilon << " " << c.k << " " << c.epsilon_g;
    widest = std::max(widest, (bounds.upper - bounds.lower) / exact);
  }
  EXPECT_LT(widest, 1e-11);
  std::printf("widest relative distance %.3g\n", widest);
}

TEST(OptimalEpsilon, IsTheInverseOfDelta) {
  for (const double e : {0.001, 0.01, 0.5, 3.0}) {
    for (const std::uint64_t k : {1U, 3U, 100U, 10000U, 1000000U}) {
      for (const double d : {0.3, 1e-3, 1e-6, 1e-12, 1e-200}) {
        const Bounds bounds = *optimal_epsilon(equal(e, k), delta(d));
        ASSERT_LE(bounds.lower, bounds.upper);
        EXPECT_LE(bounds.upper, e * static_cast<double>(k) * (1 + 1e-15));
        EXPECT_LE(bounds.upper - bounds.lower, 1e-11 * bounds.upper + 1e-300) << e << " " << k << " " << d;
        if (bounds.upper == 0 || bounds.upper > 9e5) continue;  // what an Epsilon may be
        EXPECT_LE(optimal_delta(equal(e, k), epsilon(bounds.upper * (1 + 1e-12)))->lower, d) << e << " " << k << " " << d;
        if (bounds.lower < 1e-9) continue;
        EXPECT_GE(optimal_delta(equal(e, k), epsilon(bounds.lower * (1 - 1e-12)))->upper, d * (1 - 1e-9)) << e << " " << k << " " << d;
      }
    }
  }
}

TEST(OptimalDelta, DeltasStrikeIndependently) {
  const LossList losses = *LossList::of({*LossTerm::of(0.1, 1e-3, 10)});
  const double pure = optimal_delta(equal(0.1, 10), epsilon(0.5))->upper;
  const double struck = 1 - std::pow(1 - 1e-3, 10);
  EXPECT_NEAR(optimal_delta(losses, epsilon(0.5))->upper, struck + (1 - struck) * pure, 1e-12);
  // And back again.
  EXPECT_NEAR(optimal_epsilon(losses, delta(struck + (1 - struck) * pure))->upper, 0.5, 1e-9);
  EXPECT_EQ(optimal_epsilon(losses, delta(1e-3)).error().message(),
            "delta is 0.001, but must be greater than what the deltas of the losses use up, 0.00995512");
  EXPECT_EQ(optimal_epsilon(losses, delta(0)).error().message(), "delta is 0, but must be greater than 0 for this rule; for example: 1e-6");
}

TEST(OptimalEpsilon, IsZeroWhereTheDeltaAloneIsEnough) {
  EXPECT_EQ(optimal_epsilon(equal(0.1, 1), delta(0.06))->upper, 0);
  EXPECT_GT(optimal_epsilon(equal(0.1, 1), delta(0.04))->lower, 0);
  EXPECT_EQ(optimal_delta(equal(0.1, 3), epsilon(0.3))->upper, 0);
  EXPECT_EQ(optimal_delta(equal(0.1, 3), epsilon(1000))->upper, 0);
}

/// The sum over all outcomes of responses with different epsilons, each outcome in long double.
long double all_subsets(const std::vector<double>& epsilons, long double goal) {
  long double sum = 0;
  for (std::uint64_t outcome = 0; outcome < (std::uint64_t{1} << epsilons.size()); ++outcome) {
    long double loss = 0;
    long double probability = 1;
    for (std::size_t i = 0; i < epsilons.size(); ++i) {
      const long double e = epsilons[i];
      const bool success = (outcome >> i & 1) != 0;
      loss += success ? e : -e;
      probability *= success ? 1 / (1 + std::exp(-e)) : 1 / (1 + std::exp(e));
    }
    if (loss > goal) sum -= probability * std::expm1(goal - loss);
  }
  return sum;
}

TEST(OptimalDelta, EnclosesTheSumOverAllSubsetsForDifferentEpsilons) {
  test::InsecureStream stream(test::suite_seed());
  const auto uniform = [&] { return static_cast<double>(stream.next() >> 11) * 0x1p-53; };
  double widest = 0;
  double widest_cells = 0;
  for (int round = 0; round < 12; ++round) {
    std::vector<double> epsilons;
    std::vector<LossTerm> terms;
    std::vector<Responses> responses;
    long double total = 0;
    for (std::uint64_t i = 0, k = 2 + stream.next() % 11; i < k; ++i) {
      epsilons.push_back(std::exp(-4 + 5 * uniform()));
      terms.push_back(*LossTerm::of(epsilons.back(), 0, 1));
      responses.push_back({epsilons.back(), 1});
      total += epsilons.back();
    }
    const LossList losses = *LossList::of(terms);
    const MixedResponses cells(responses, 1 << 16, 1e-12L);
    for (const double part : {0.05, 0.4, 0.9}) {
      const double goal = static_cast<double>(total) * part;
      const auto exact = static_cast<double>(all_subsets(epsilons, goal));
      const Bounds bounds = *optimal_delta(losses, epsilon(goal));
      EXPECT_LE(bounds.lower, exact * (1 + 1e-12)) << round << " " << part;
      EXPECT_GE(bounds.upper, exact * (1 - 1e-12)) << round << " " << part;
      widest = std::max(widest, (bounds.upper - bounds.lower) / exact);
      const LongBounds enclosed = cells.delta(goal);
      EXPECT_LE(enclosed.lower, exact * (1 + 1e-12)) << round << " " << part;
      EXPECT_GE(enclosed.upper, exact * (1 - 1e-12)) << round << " " << part;
      widest_cells = std::max(widest_cells, static_cast<double>(enclosed.upper - enclosed.lower) / exact);
      const double target = std::max(exact, 1e-290);
      const Bounds back = *optimal_epsilon(losses, delta(target));
      EXPECT_LE(back.lower, goal * (1 + 1e-9)) << round << " " << part;
      EXPECT_GE(back.upper, goal * (1 - 1e-9)) << round << " " << part;
    }
  }
  std::printf("widest relative distance of delta %.3g, in cells %.3g\n", widest, widest_cells);
  EXPECT_LT(widest, 1e-12);
  EXPECT_LT(widest_cells, 0.2);
}

TEST(FewResponses, AgreeWithEqualEpsilons) {
  const FewResponses few({{0.25L, 30}, {0.25L * (1 + 1e-18L), 12}});
  const EqualResponses exact(0.25L, 42);
  for (const long double d : {0.9L, 0.1L, 1e-3L, 1e-9L, 1e-30L, 1e-200L}) {
    EXPECT_LE(few.epsilon(d).lower, exact.epsilon(d).upper) << d;
    EXPECT_GE(few.epsilon(d).upper, exact.epsilon(d).lower) << d;
    EXPECT_LE(few.epsilon(d).upper - few.epsilon(d).lower, 1e-15L) << d;
  }
  EXPECT_EQ(FewResponses::outcomes({{1, 9}, {2, 9}}, 1000), 100U);
  EXPECT_EQ(FewResponses::outcomes({{1, 9}, {2, 9}}, 99), 100U);
  EXPECT_EQ(FewResponses::outcomes({{1, 1000000000}, {2, 1000000000}}, 99), 100U);
}

TEST(MixedResponses, EncloseEqualEpsilonsToo) {
  const EqualResponses exact(0.01L, 1000);
  const MixedResponses cells({{0.01L, 1000}}, 1 << 15, 1e-12L);
  for (const long double d : {0.1L, 1e-3L, 1e-6L, 1e-12L}) {
    const LongBounds bounds = cells.epsilon(d);
    EXPECT_LE(bounds.lower, exact.epsilon(d).upper);
    EXPECT_GE(bounds.upper, exact.epsilon(d).lower);
    EXPECT_LT(bounds.upper - bounds.lower, 1e-4L) << d;
    const LongBounds mass = cells.delta(exact.epsilon(d).upper);
    EXPECT_LE(mass.lower, d * (1 + 1e-12L));
    EXPECT_GE(mass.upper, d * (1 - 1e-12L));
  }
}

// More responses than are followed one by one: two groups, against the double sum over both
// binomials.
TEST(OptimalEpsilon, EnclosesTwoLargeGroups) {
  const LossList losses = *LossList::of({*LossTerm::of(0.01, 0, 6000), *LossTerm::of(0.013, 0, 4000)});
  const auto binomial = [](long double e, int k) {
    std::vector<long double> weights(static_cast<std::size_t>(k) + 1);
    for (int l = 0; l <= k; ++l) {
      weights[static_cast<std::size_t>(l)] = std::exp(std::lgamma(k + 1.0L) - std::lgamma(l + 1.0L) - std::lgamma(k - l + 1.0L) -
                                                      l * std::log1p(std::exp(-e)) - (k - l) * std::log1p(std::exp(e)));
    }
    return weights;
  };
  const std::vector<long double> first = binomial(0.01L, 6000);
  const std::vector<long double> second = binomial(0.013L, 4000);
  const auto exact = [&](long double goal) {
    long double sum = 0;
    for (int a = 0; a <= 6000; ++a) {
      if (first[static_cast<std::size_t>(a)] < 1e-25L) continue;
      for (int b = 0; b <= 4000; ++b) {
        const long double loss = (2 * a - 6000) * 0.01L + (2 * b - 4000) * 0.013L;
        if (second[static_cast<std::size_t>(b)] < 1e-25L || loss <= goal) continue;
        sum -= first[static_cast<std::size_t>(a)] * second[static_cast<std::size_t>(b)] * std::expm1(goal - loss);
      }
    }
    return sum;
  };
  const Bounds bounds = *optimal_epsilon(losses, delta(1e-6));
  EXPECT_GE(exact(bounds.lower), 1e-6L * (1 - 1e-9L));
  EXPECT_LE(exact(bounds.upper), 1e-6L * (1 + 1e-9L));
  EXPECT_LT(bounds.upper - bounds.lower, 2e-4);
  const Bounds mass = *optimal_delta(losses, epsilon(4));
  EXPECT_LE(mass.lower, static_cast<double>(exact(4)) * (1 + 1e-9));
  EXPECT_GE(mass.upper, static_cast<double>(exact(4)) * (1 - 1e-9));
  EXPECT_LT(mass.upper / mass.lower, 1.01);
}

TEST(OptimalComposition, IsNeverAboveTheOtherRulesAndGrowsWithEveryLoss) {
  test::InsecureStream stream(test::suite_seed());
  const auto uniform = [&] { return static_cast<double>(stream.next() >> 11) * 0x1p-53; };
  for (int round = 0; round < 6; ++round) {
    std::vector<LossTerm> terms;
    for (std::uint64_t i = 0, k = 1 + stream.next() % 6; i < k; ++i)
      terms.push_back(*LossTerm::of(std::exp(-5 + 4 * uniform()), 0, 1 + stream.next() % 40));
    const LossList losses = *LossList::of(terms);
    const privacy::Delta target = delta(std::exp(-20 * uniform() - 2));
    const Bounds here = *optimal_epsilon(losses, target);
    EXPECT_LE(here.upper, basic_composition(losses).epsilon.approximate() * (1 + 1e-12));
    EXPECT_LE(here.lower, *advanced_epsilon(losses, target));
    EXPECT_LE(here.upper, *advanced_epsilon(losses, target) * 1.0001);
    std::vector<LossTerm> more = terms;
    more.push_back(*LossTerm::of(0.05, 0, 1));
    EXPECT_GE(optimal_epsilon(*LossList::of(more), target)->upper, here.lower);
    EXPECT_LE(optimal_epsilon(losses, delta(std::min(0.9, 1.5 * target.value().approximate())))->lower, here.upper);
    std::vector<LossTerm> backwards(terms.rbegin(), terms.rend());
    EXPECT_EQ(optimal_epsilon(*LossList::of(backwards), target)->upper, here.upper);
    // Each response with the largest epsilon is an upper bound, with the smallest a lower one.
    EXPECT_LE(here.lower, optimal_epsilon(equal(losses.groups().front().epsilon.approximate(), losses.times()), target)->upper);
    EXPECT_GE(here.upper, optimal_epsilon(equal(losses.groups().back().epsilon.approximate(), losses.times()), target)->lower);
  }
}

TEST(OptimalComposition, EqualOnesGrowWithEveryArgument) {
  for (const double e : {0.01, 0.3, 2.0}) {
    for (const std::uint64_t k : {1U, 2U, 37U, 1000U}) {
      const double goal = 0.3 * e * static_cast<double>(k);
      const double here = optimal_delta(equal(e, k), epsilon(goal))->lower;
      EXPECT_LE(here, optimal_delta(equal(e * 1.001, k), epsilon(goal))->upper);
      EXPECT_LE(here, optimal_delta(equal(e, k + 1), epsilon(goal))->upper);
      EXPECT_GE(optimal_delta(equal(e, k), epsilon(goal))->upper, optimal_delta(equal(e, k), epsilon(goal * 1.001))->lower);
    }
  }
}

}  // namespace
}  // namespace tacet::accounting::composition_optimal_test
