#include "tacet/accounting/composition_basic.h"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "tacet/privacy/parameters.h"

#include "accounting/composition_reference.h"
#include "support/promise.h"
#include "support/scripted_bits.h"

namespace tacet::accounting::composition_basic_test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

privacy::Delta delta(const char* text) { return *privacy::Delta::parse(text); }

TEST(BasicComposition, IsExactInDecimals) {
  const LossList losses = *LossList::of({*LossTerm::of(0.1, 1e-7, 3), *LossTerm::of(0.2, 0, 1)});
  const ExactGuarantee total = basic_composition(losses);
  EXPECT_EQ(total.epsilon.to_string(), "0.5");
  EXPECT_EQ(total.delta, *Decimal::parse("3e-7"));
  EXPECT_EQ(basic_composition(*LossList::of({*LossTerm::of(0.1, 0, 3)})).epsilon, *Decimal::parse("0.3"));
}

TEST(BasicComposition, AgreesWithIndependentValues) {
  for (const test::CompositionRow& row : test::composition_rows()) {
    EXPECT_NEAR(basic_composition(test::losses_of(row)).epsilon.approximate() / row.sum, 1, 1e-9);
  }
}

TEST(AdvancedComposition, AgreesWithIndependentValues) {
  for (const test::CompositionRow& row : test::composition_rows()) {
    EXPECT_NEAR(*advanced_epsilon(test::losses_of(row), *privacy::Delta::of(*Decimal::from_shortest(row.delta_g))) / row.advanced, 1, 1e-9);
  }
}

// 1 - (1 - d)(1 - delta)^k = delta_g.
TEST(AdvancedComposition, DeltasOfTheMechanismsComeOffTheTarget) {
  const LossList losses = *LossList::of({*LossTerm::of(0.1, 1e-8, 50)});
  const double slack = 1 - (1 - 1e-6) / std::pow(1 - 1e-8, 50);
  const double expected = 50 * 0.1 * std::tanh(0.05) + std::sqrt(2 * 50 * 0.01 * std::log(1 / slack));
  EXPECT_NEAR(*advanced_epsilon(losses, delta("1e-6")), expected, 1e-9);
  EXPECT_GT(*advanced_epsilon(losses, delta("1e-6")), *advanced_epsilon(*LossList::of({*LossTerm::of(0.1, 0, 50)}), delta("1e-6")));
}

TEST(AdvancedComposition, GrowsWithEveryLossAndFallsWithDelta) {
  test::InsecureStream stream(test::suite_seed());
  const auto uniform = [&] { return static_cast<double>(stream.next() >> 11) * 0x1p-53; };
  for (int i = 0; i < 200; ++i) {
    const double epsilon = std::exp(-9 + 10 * uniform());
    const std::uint64_t times = 1 + stream.next() % 1000;
    const LossTerm other = *LossTerm::of(std::exp(-5 * uniform()), 0, 1 + stream.next() % 50);
    const auto at = [&](double e, std::uint64_t t, const char* d) {
      return *advanced_epsilon(*LossList::of({*LossTerm::of(e, 0, t), other}), delta(d));
    };
    const double here = at(epsilon, times, "1e-6");
    EXPECT_LT(here, at(epsilon * 1.000001, times, "1e-6"));
    EXPECT_LT(here, at(epsilon, times + 1, "1e-6"));
    EXPECT_LT(here, at(epsilon, times, "0.999e-6"));
    EXPECT_EQ(here, *advanced_epsilon(*LossList::of({other, *LossTerm::of(epsilon, 0, times)}), delta("1e-6")));  // whatever the order
  }
}

TEST(AdvancedComposition, StatesWhatIsWrong) {
  const LossList losses = *LossList::of({*LossTerm::of(0.1, 1e-3, 10)});
  EXPECT_EQ(advanced_epsilon(losses, delta("0")).error().message(),
            "delta is 0, but must be greater than 0 for this rule; for example: 1e-6");
  EXPECT_EQ(advanced_epsilon(losses, delta("1e-3")).error().message(),
            "delta is 0.001, but must be greater than what the deltas of the losses use up, 0.00995512");
}

TEST(ZcdpComposition, AddsUpExactly) {
  const auto total = zcdp_composition({{*privacy::Rho::parse("0.1"), 3}, {*privacy::Rho::parse("0.05"), 1}});
  EXPECT_EQ(total->value().to_string(), "0.35");
  EXPECT_FALSE(zcdp_composition({}));
  EXPECT_FALSE(zcdp_composition({{*privacy::Rho::parse("0.1"), 0}}));
}

TEST(GdpComposition, IsTheRootOfTheSumOfSquares) {
  const auto total = gdp_composition({{*privacy::Mu::parse("0.3"), 1}, {*privacy::Mu::parse("0.4"), 1}});
  EXPECT_EQ(total->mu_squared.to_string(), "0.25");
  EXPECT_EQ(total->mu, 0.5);
  const auto rounded = gdp_composition({{*privacy::Mu::parse("1"), 2}});
  EXPECT_GE(rounded->mu * rounded->mu, 2 - 1e-15);
  EXPECT_EQ(rounded->mu, std::nextafter(std::sqrt(2.0), 2) - (std::sqrt(2.0) * std::sqrt(2.0) > 2 ? 0x1p-52 : 0));
  EXPECT_FALSE(gdp_composition({}));
}

TEST(LossList, RefusesWhatIsNoLossAndNamesIt) {
  EXPECT_EQ(LossTerm::of(-0.25, 0, 1).error().message(), "epsilon is -0.25, but must be a finite number greater than 0");
  EXPECT_EQ(LossTerm::of(0.0, 0, 1).error().message(), "epsilon is 0, but must be a finite number greater than 0");
  EXPECT_EQ(LossTerm::of(std::nan(""), 0, 1).error().message(), "epsilon is nan, but must be a finite number greater than 0");
  EXPECT_EQ(LossTerm::of(kInfinity, 0, 1).error().message(), "epsilon is inf, but must be a finite number greater than 0");
  EXPECT_EQ(LossTerm::of(1e9, 0, 1).error().message(), "epsilon is 1000000000, but must lie between 1e-300 and 1e6");
  EXPECT_EQ(LossTerm::of(1, 1, 1).error().message(), "delta is 1, but must be at least 0 and less than 1");
  EXPECT_EQ(LossTerm::of(1, -1e-9, 1).error().message(), "delta is -0.000000001, but must be at least 0 and less than 1");
  EXPECT_EQ(LossTerm::of(1, std::nan(""), 1).error().message(), "delta is nan, but must be at least 0 and less than 1");
  EXPECT_EQ(LossTerm::of(1, 0, 0).error().message(), "times is 0, but must be at least 1 and at most 1000000000");
  EXPECT_EQ(LossTerm::of(1, 0, 2000000000).error().message(), "times is 2000000000, but must be at least 1 and at most 1000000000");
  EXPECT_EQ(LossList::of({}).error().message(), "losses is a list of 0, but must have at least 1 term and at most 1000000");
  const LossTerm many = *LossTerm::of(1, 0, 600000000);
  EXPECT_EQ(LossList::of({many, many}).error().message(), "times is 1200000000, but must be at most 1000000000 altogether");
}

TEST(LossList, PutsEqualEpsilonsTogetherWhateverTheOrder) {
  const LossTerm a = *LossTerm::of(0.1, 0, 2);
  const LossTerm b = *LossTerm::of(0.3, 1e-9, 1);
  const LossTerm c = *LossTerm::of(0.1, 1e-8, 5);
  const LossList first = *LossList::of({a, b, c});
  const LossList second = *LossList::of({c, b, a});
  ASSERT_EQ(first.groups().size(), 2U);
  EXPECT_EQ(first.groups()[1].times, 7U);
  EXPECT_EQ(first.times(), 8U);
  EXPECT_EQ(first.struck_upper(), second.struck_upper());
  EXPECT_NEAR(static_cast<double>(first.struck_lower() / 5.1e-8L), 1, 1e-7);
}

}  // namespace
}  // namespace tacet::accounting::composition_basic_test
