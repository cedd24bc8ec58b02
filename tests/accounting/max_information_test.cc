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
      const double threshold = corrected_level(selection, alpha)->threshold;
      if (threshold == 0) continue;  // of (epsilon, delta) at 0.001: the delta is too large
      EXPECT_NEAR(*corrected_p_value(selection, threshold) / alpha, 1, 1e-6);
      EXPECT_GT(*corrected_p_value(selection, threshold * 1.01), alpha);
    }
    EXPECT_EQ(*corrected_p_value(selection, 1), 1);
    EXPECT_EQ(*corrected_p_value(selection, 0), 0);
    EXPECT_GT(*corrected_p_value(selection, 1e-6), 1e-6);
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
