#include "tacet/accounting/max_information.h"

#include <cmath>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tacet::accounting::max_information_test {
namespace {

using ::testing::HasSubstr;

struct Row {
  std::string kind;
  double n, first, second, alpha, minus_log2;
};

std::vector<Row> reference_rows() {
  std::ifstream file("tests/data_reference/max_information.csv");
  std::vector<Row> rows;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream cells(line);
    Row row{};
    std::getline(cells, row.kind, ',');
    for (double* value : {&row.n, &row.first, &row.second, &row.alpha, &row.minus_log2}) {
      std::string cell;
      std::getline(cells, cell, ',');
      *value = std::stod(cell);
    }
    rows.push_back(row);
  }
  return rows;
}

Selection selection_of(const Row& row) {
  if (row.kind == "pure") return {row.n, {PureStep{row.first}}};
  if (row.kind == "approximate") return {row.n, {ApproximateStep{row.first, row.second}}};
  if (row.kind == "mutual") return {row.n, {ConcentratedStep{row.first}}};
  if (row.kind == "description") return {row.n, {DescribedStep{row.first}}};
  return {row.n, {PureStep{row.first}, DescribedStep{row.second}}};
}

TEST(CorrectedLevel, AgreesWithTheReferenceTable) {
  const std::vector<Row> rows = reference_rows();
  ASSERT_EQ(rows.size(), 16U);
  for (const Row& row : rows) {
    const CorrectedLevel level = *corrected_level(selection_of(row), row.alpha);
    // Where 2^-m has underflowed the bits still agree.
    const double minus_log2 = level.max_information - std::log2(row.alpha - level.beta);
    EXPECT_NEAR(minus_log2 / row.minus_log2, 1, 1e-6) << row.kind << " " << row.n << " " << row.first;
    if (row.minus_log2 < 900) {
      EXPECT_NEAR(-std::log2(level.threshold) / row.minus_log2, 1, 1e-9) << row.kind << " " << row.n << " " << row.first;
    }
  }
}

TEST(CorrectedLevel, OfADescriptionIsAlphaSquaredOverFour) {
  const CorrectedLevel level = *corrected_level({1000, {DescribedStep{5}}}, 0.05);
  EXPECT_NEAR(level.threshold, 0.05 * 0.05 / 4 / 32, 1e-12);
  EXPECT_NEAR(level.beta, 0.025, 1e-6);
  EXPECT_EQ(level.rule, InformationRule::Description);
  EXPECT_NEAR(*level.sharper, 0.05 / 32, 1e-15);
}

TEST(CorrectedLevel, OfAPureEpsilonKnowsWhetherRowsAreIndependent) {
  const Selection independent{10000, {PureStep{0.01}}};
  const CorrectedLevel level = *corrected_level(independent, 0.05);
  EXPECT_EQ(level.rule, InformationRule::PureProduct);
  const CorrectedLevel any = *corrected_level({10000, {PureStep{0.01}}, RowsAre::Any}, 0.05);
  EXPECT_EQ(any.rule, InformationRule::PureAny);
  EXPECT_EQ(any.beta, 0);
  EXPECT_NEAR(-std::log(any.threshold / 0.05), 100, 1e-9);
  EXPECT_GT(level.threshold, any.threshold);
  // The drift of the paper, n epsilon^2/2, is four times as large.
  const double beta = 1e-3;
  const double paper = (10000 * 1e-4 / 2 + 0.01 * std::sqrt(10000 * std::log(2 / beta) / 2)) / std::log(2);
  EXPECT_LT(max_information(independent, beta)->bits, paper);
}

TEST(CorrectedLevel, SharperThresholdsAreLarger) {
  for (const double rho : {1e-6, 1e-4, 1e-3}) {
    const CorrectedLevel level = *corrected_level({1000, {ConcentratedStep{rho}}}, 0.05);
    ASSERT_TRUE(level.sharper);
    EXPECT_GT(*level.sharper, level.threshold);
    EXPECT_LT(*level.sharper, 0.05);
  }
}

TEST(CorrectedPValue, IsTheLeastAlphaWhoseThresholdItMeets) {
  const std::vector<Selection> selections = {{1000, {PureStep{0.05}}},
                                             {1000, {ApproximateStep{0.01, 1e-14}}},
                                             {1000, {ConcentratedStep{1e-5}}},
                                             {1000, {DescribedStep{3}}},
                                             {1000, {PureStep{0.02}, DescribedStep{3}, PureStep{1e-4}}}};
  for (const Selection& selection : selections) {
    for (const double alpha : {0.001, 0.05, 0.4}) {
      const CorrectedLevel level = *corrected_level(selection, alpha);
      const double threshold = level.sharper.value_or(level.threshold);
      if (threshold == 0) continue;  // of (epsilon, delta) at 0.001: the delta is too large
      EXPECT_NEAR(*corrected_p_value(selection, threshold) / alpha, 1, 1e-6);
      EXPECT_GT(*corrected_p_value(selection, threshold * 1.01), alpha);
    }
    EXPECT_EQ(*corrected_p_value(selection, 1), 1);
    EXPECT_EQ(*corrected_p_value(selection, 0), 0);
    EXPECT_GT(*corrected_p_value(selection, 1e-6), 1e-6);
  }
}

// d(alpha, gamma) = n rho, by bisection in Python with 50 digits (mpmath).
TEST(CorrectedLevel, OfMutualInformationIsThatOfTheBinaryRelativeEntropy) {
  struct Known {
    double n, rho, alpha, minus_log2;
  };
  for (const Known& known : {Known{1000, 0.001, 0.05, 34.58183995903239}, Known{1000, 1e-05, 0.05, 5.3230165965974704},
                             Known{10000, 0.0005, 0.01, 729.42683403407282}, Known{1e+06, 1e-09, 0.001, 12.621763958961526}}) {
    const CorrectedLevel level = *corrected_level({known.n, {ConcentratedStep{known.rho}}}, known.alpha);
    EXPECT_NEAR(-std::log2(*level.sharper) / known.minus_log2, 1, 1e-9) << known.rho;
    EXPECT_GT(*level.sharper, level.threshold);
  }
}

// docs/explanation/adaptive_analysis.md, the theorem for mu-GDP.
TEST(CorrectedLevel, OfGaussianNoiseNeedsHalfOfRho) {
  for (const double mu : {1e-3, 0.01, 0.1, 0.5}) {
    const double rho = mu * mu / 2, n = 100;
    const double half = n * (mu * mu / 4 + mu * mu * mu / (6 * std::sqrt(2 * M_PI)));
    const auto bits = max_information({n, {GaussianStep{mu}}}, 0.02)->bits;
    EXPECT_NEAR(bits, (half / std::log(2) + 0.54) / 0.02, 1e-9 * bits);
    EXPECT_GT(*corrected_level({n, {GaussianStep{mu}}}, 0.05)->sharper, *corrected_level({n, {ConcentratedStep{rho}}}, 0.05)->sharper);
    // Beside a mechanism in rho it counts as one.
    const double both = *corrected_p_value({n, {GaussianStep{mu}, ConcentratedStep{1e-6}}}, 1e-5);
    EXPECT_NEAR(both, *corrected_p_value({n, {ConcentratedStep{rho + 1e-6}}}, 1e-5), 1e-9 * both);
    EXPECT_NEAR(
        *corrected_p_value({n, {GaussianStep{mu * 0.6}, GaussianStep{mu * 0.8}}}, 1e-5) / *corrected_p_value({n, {GaussianStep{mu}}}, 1e-5),
        1, 1e-9);
  }
  // Of much noise it is never more than rho.
  EXPECT_NEAR(max_information({1, {GaussianStep{100}}}, 0.02)->bits, (5000 / std::log(2) + 0.54) / 0.02, 1e-6);
}

/// I(x; Z) for a row with values 0 or 1 of equal weights and an answer x mu + N(0, 1), in nats.
double information_of_two(double mu) {
  constexpr double kStep = 1e-3;
  double nats = 0;
  for (double z = -12; z < 12 + mu; z += kStep) {
    const auto density = [z](double mean) { return std::exp(-(z - mean) * (z - mean) / 2) / std::sqrt(2 * M_PI); };
    const double zero = density(0), one = density(mu), both = (zero + one) / 2;
    for (const double p : {zero, one}) nats += p > 0 ? kStep * p / 2 * std::log(p / both) : 0;
  }
  return nats;
}

TEST(CorrectedLevel, OfGaussianNoiseBoundsTheInformationOfARowThatIsACoin) {
  for (const double mu : {0.01, 0.1, 0.5, 1.0, 2.0}) {
    const double told = information_of_two(mu), bound = mu * mu / 4 + mu * mu * mu / (6 * std::sqrt(2 * M_PI));
    EXPECT_LE(told, bound) << mu;
    EXPECT_GT(told, bound * 0.1) << mu;
  }
  EXPECT_NEAR(information_of_two(0.1) / (0.1 * 0.1 / 8), 1, 0.01) << "a quarter of rho, where a bound of a tenth of it would fail";
}

// The bound is attained by what tells no more than whether to reject: a coin with alpha in place of
// gamma has exactly the entropy. A planted bound with a tenth less would be exceeded.
TEST(CorrectedLevel, OfMutualInformationIsSharp) {
  const double nats = 1000 * 2e-4, alpha = 0.05;
  const double gamma = *corrected_level({1000, {ConcentratedStep{2e-4}}}, alpha)->sharper;
  const double told = alpha * std::log(alpha / gamma) + (1 - alpha) * std::log((1 - alpha) / (1 - gamma));
  EXPECT_NEAR(told / nats, 1, 1e-9);
  EXPECT_LT(told, nats * (1 + 1e-9));
}

TEST(CorrectedPValue, FallsAndGrowsWithWhatWasTold) {
  const auto steps_of = [](double amount) {
    return std::vector<SelectionStep>{PureStep{amount}, ApproximateStep{std::min(0.4, amount), 1e-16}, ConcentratedStep{amount},
                                      GaussianStep{amount}, DescribedStep{amount * 100}};
  };
  for (std::size_t kind = 0; kind < 5; ++kind) {
    double told_before = 0;
    for (const double amount : {1e-7, 1e-5, 1e-4, 1e-3, 1e-2, 0.1}) {
      const double told = *corrected_p_value({1000, {steps_of(amount)[kind]}}, 1e-8);
      EXPECT_GE(told, told_before * (1 - 1e-9)) << kind << " " << amount;
      EXPECT_GE(told, 1e-8) << kind;
      told_before = told;
      double before = 0;
      for (const double p : {0.0, 1e-30, 1e-12, 1e-6, 1e-3, 0.05, 0.5, 1.0}) {
        const double now = *corrected_p_value({1000, {steps_of(amount)[kind]}}, p);
        EXPECT_GE(now, before * (1 - 1e-9)) << kind << " " << amount << " " << p;
        EXPECT_GE(now, p);
        EXPECT_LE(now, 1);
        before = now;
      }
      double smaller = 0;
      for (const double n : {10.0, 100.0, 1e3, 1e4, 1e6}) {
        const double now = *corrected_p_value({n, {steps_of(amount)[kind]}}, 1e-8);
        EXPECT_GE(now, smaller * (1 - 1e-9)) << kind << " " << amount << " " << n;
        smaller = now;
      }
      double level = 0;
      for (const double alpha : {1e-6, 1e-3, 0.01, 0.05, 0.5}) {
        const CorrectedLevel now = *corrected_level({1000, {steps_of(amount)[kind]}}, alpha);
        EXPECT_GE(now.sharper.value_or(now.threshold), level * (1 - 1e-9)) << kind << " " << amount << " " << alpha;
        level = now.sharper.value_or(now.threshold);
        EXPECT_LE(level, alpha);
      }
    }
  }
}

// zCDP through the best (epsilon, delta) of its curve has no better threshold anywhere: the drift
// of 4.2.1 is 36 epsilon^2, and delta must be below beta/n^2 or so.
TEST(CorrectedLevel, OfRhoIsNotImprovedByConversionToEpsilonAndDelta) {
  for (const double n : {100.0, 1e4, 1e6}) {
    for (const double told : {1e-4, 1e-2, 0.1, 1.0, 10.0}) {
      const double rho = told / n, straight = *corrected_level({n, {ConcentratedStep{rho}}}, 0.05)->sharper;
      for (double log_delta = -12; log_delta > -90; log_delta -= 3) {
        const double epsilon = rho + 2 * std::sqrt(-rho * log_delta);
        if (epsilon > 0.5) continue;
        const double converted = corrected_level({n, {ApproximateStep{epsilon, std::exp(log_delta)}}}, 0.05)->threshold;
        EXPECT_GE(straight, converted) << n << " " << told << " " << log_delta;
      }
    }
  }
}

TEST(Composition, OfMechanismsAtTheBeginningIsThatOfTheirPrivacy) {
  const double together = corrected_level({1000, {PureStep{0.05}}}, 0.05)->threshold;
  EXPECT_NEAR(corrected_level({1000, {PureStep{0.02}, PureStep{0.03}}}, 0.05)->threshold / together, 1, 1e-9);
  const double both = corrected_level({1000, {ApproximateStep{0.01, 1e-14}}}, 0.05)->threshold;
  EXPECT_NEAR(corrected_level({1000, {PureStep{0.004}, ApproximateStep{0.006, 1e-14}}}, 0.05)->threshold / both, 1, 1e-9);
  const double rho = corrected_level({1000, {ConcentratedStep{1e-5 + 1e-6 / 2}}}, 0.05)->threshold;
  EXPECT_NEAR(corrected_level({1000, {PureStep{1e-3}, ConcentratedStep{1e-5}}}, 0.05)->threshold / rho, 1, 1e-9);
}

TEST(Composition, AddsBitsOfStepsAfterADescription) {
  const Selection first{100, {DescribedStep{3}}};
  const Selection then{100, {DescribedStep{3}, PureStep{0.01}, DescribedStep{2}}};
  EXPECT_NEAR(max_information(then, 0.02)->bits, 5 - 2 * std::log2(0.01) + 1 / std::log(2), 1e-12);
  EXPECT_NEAR(max_information(first, 0.02)->bits, 3 - std::log2(0.02), 1e-12);
  EXPECT_EQ(max_information(then, 0.02)->rule, InformationRule::Composition);
}

TEST(Composition, RefusesAnOrderThatVoidsTheBound) {
  for (const SelectionStep& late : {SelectionStep(ApproximateStep{0.01, 1e-10}), SelectionStep(ConcentratedStep{0.01})}) {
    const auto refused = corrected_level({1000, {DescribedStep{3}, late}}, 0.05);
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code(), Code::Unsupported);
    EXPECT_THAT(refused.error().message(), HasSubstr("after a description of the rows has no bound"));
    EXPECT_THAT(refused.error().message(), HasSubstr("Rogers 4.4.1"));
    EXPECT_TRUE(corrected_level({1000, {late, DescribedStep{3}}}, 0.05).ok());
    const auto dependent = corrected_level({1000, {late}, RowsAre::Any}, 0.05);
    ASSERT_FALSE(dependent.ok());
    EXPECT_THAT(dependent.error().message(), HasSubstr("holds for independent rows only"));
  }
  EXPECT_THAT(corrected_level({1000, {ConcentratedStep{0.01}, ApproximateStep{0.01, 1e-9}}}, 0.05).error().message(),
              HasSubstr("no common bound"));
}

TEST(CorrectedLevel, IsZeroWhereNothingIsLeft) {
  const CorrectedLevel level = *corrected_level({1000000, {ApproximateStep{0.1, 1e-6}}}, 0.05);
  EXPECT_EQ(level.threshold, 0);
  EXPECT_EQ(corrected_level({1000000, {PureStep{100}}}, 0.05)->threshold, 0);
}

TEST(CorrectedLevel, RefusesWhatMakesNoSense) {
  EXPECT_THAT(corrected_level({0, {PureStep{1}}}, 0.05).error().message(), HasSubstr("n is 0"));
  EXPECT_THAT(corrected_level({10, {}}, 0.05).error().message(), HasSubstr("an empty list"));
  EXPECT_THAT(corrected_level({10, {PureStep{-1}}}, 0.05).error().message(), HasSubstr("epsilon is -1"));
  EXPECT_THAT(corrected_level({10, {PureStep{std::nan("")}}}, 0.05).error().message(), HasSubstr("epsilon is nan"));
  EXPECT_THAT(corrected_level({10, {ApproximateStep{0.1, 1}}}, 0.05).error().message(), HasSubstr("delta is 1"));
  EXPECT_THAT(corrected_level({10, {ApproximateStep{0.6, 1e-9}}}, 0.05).error().message(), HasSubstr("must be at most 0.5 beside a delta"));
  EXPECT_THAT(corrected_level({10, {PureStep{1}}}, 0.7).error().message(), HasSubstr("alpha is 0.7"));
  EXPECT_THAT(corrected_p_value({10, {PureStep{1}}}, 1.5).error().message(), HasSubstr("p is 1.5"));
  EXPECT_THAT(max_information({10, {PureStep{1}}}, 1).error().message(), HasSubstr("beta is 1"));
}

}  // namespace
}  // namespace tacet::accounting::max_information_test
