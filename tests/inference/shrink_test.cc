#include "tacet/inference/estimates/shrink.h"

#include <cmath>
#include <numeric>
#include <random>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/promise.h"

namespace tacet::inference::shrink_test {
namespace {

using kernel::NoiseFamily;
using mechanisms::NoiseDistribution;
using mechanisms::NoiseStructure;
using ::testing::HasSubstr;

constexpr NoiseDistribution gaussian(double scale, NoiseStructure structure = NoiseStructure::Independent) {
  return {NoiseFamily::Gaussian, scale, structure};
}

using Long = std::vector<long double>;

/// The Helmert matrix of Lee, section 4.1, column by column: u_1 = 1/sqrt(p), u_k = (1, ..., 1,
/// 1-k, 0, ...)/sqrt(k (k-1)).
std::vector<Long> helmert(std::size_t p) {
  std::vector<Long> columns(p, Long(p, 0));
  for (std::size_t i = 0; i < p; ++i) columns[0][i] = 1 / std::sqrt(static_cast<long double>(p));
  for (std::size_t k = 2; k <= p; ++k) {
    const long double root = std::sqrt(static_cast<long double>(k) * static_cast<long double>(k - 1));
    for (std::size_t i = 0; i + 1 < k; ++i) columns[k - 1][i] = 1 / root;
    columns[k - 1][k - 1] = (1 - static_cast<long double>(k)) / root;
  }
  return columns;
}

long double dot(const Long& a, const Long& b) { return std::inner_product(a.begin(), a.end(), b.begin(), 0.0L); }

/// Lee, Definition 2: the estimator towards the mean of the coordinates.
Long james_stein(const Long& x, long double variance) {
  const auto k = static_cast<long double>(x.size());
  const long double mean = std::accumulate(x.begin(), x.end(), 0.0L) / k;
  long double squares = 0;
  for (const long double value : x) squares += (value - mean) * (value - mean);
  Long result;
  for (const long double value : x) result.push_back(mean + (1 - (k - 3) * variance / squares) * (value - mean));
  return result;
}

/// Lee, (10) and Example 2, with the p x p matrix.
Long rank_deficient_james_stein(const std::vector<double>& y, long double variance, double total) {
  const std::size_t p = y.size();
  const std::vector<Long> basis = helmert(p);
  const Long wide(y.begin(), y.end());
  Long coordinates;
  for (std::size_t k = 1; k < p; ++k) coordinates.push_back(dot(basis[k], wide));
  const Long shrunk = james_stein(coordinates, variance);
  Long result(p, total / static_cast<long double>(p));
  for (std::size_t k = 1; k < p; ++k) {
    for (std::size_t i = 0; i < p; ++i) result[i] += shrunk[k - 1] * basis[k][i];
  }
  return result;
}

std::vector<double> random_table(std::size_t cells, double offset, double spread, std::mt19937_64& random) {
  std::normal_distribution<double> normal(offset, spread);
  std::vector<double> values(cells);
  for (double& value : values) value = normal(random);
  return values;
}

TEST(Shrink, TowardsZeroIsTheFormulaOfTheDefinition) {
  const auto shrunk = shrink(std::vector<double>{3, 4, 12}, gaussian(2), {}, Shrinkage::TowardsZero);  // |y|^2 = 169
  ASSERT_TRUE(shrunk.ok());
  const double factor = 1 - 1 * 4.0 / 169;
  EXPECT_THAT(shrunk->values, ::testing::ElementsAre(factor * 3, factor * 4, factor * 12));
}

TEST(Shrink, TowardsTheMeanIsTheFormulaOfTheDefinitionOnRandomTables) {
  std::mt19937_64 random(test::suite_seed());
  for (const std::size_t cells : {4U, 5U, 30U, 3000U}) {
    for (const double offset : {0.0, 1e3, 1e9}) {
      const std::vector<double> y = random_table(cells, offset, 10, random);
      const auto shrunk = shrink(y, gaussian(3), {}, Shrinkage::TowardsMean);
      const Long expected = james_stein(Long(y.begin(), y.end()), 9);
      for (std::size_t i = 0; i < cells; ++i) {
        EXPECT_NEAR(shrunk->values[i], static_cast<double>(expected[i]), 1e-12 + 1e-15 * offset) << cells << " " << offset;
      }
    }
  }
}

TEST(Shrink, RankDeficientAgreesWithTheMatrixOfHelmertOnRandomTables) {
  std::mt19937_64 random(test::suite_seed() + 1);
  for (const std::size_t cells : {5U, 6U, 17U, 300U}) {
    for (const double offset : {0.0, 1e3, 1e9}) {
      const double total = offset * static_cast<double>(cells) + 7;
      const std::vector<double> y = random_table(cells, offset, 10, random);
      const auto shrunk = shrink(y, gaussian(3), total, Shrinkage::RankDeficient);
      const Long expected = rank_deficient_james_stein(y, 9, total);
      double sum = 0;
      for (std::size_t i = 0; i < cells; ++i) {
        EXPECT_NEAR(shrunk->values[i], static_cast<double>(expected[i]), 1e-11 + 1e-15 * offset) << cells << " " << offset;
        sum += shrunk->values[i];
      }
      EXPECT_NEAR(sum, total, 1e-12 * (1 + total)) << cells;
    }
  }
}

TEST(Shrink, RankDeficientNeedsNoTotalInTheNoiseToBeTheSame) {
  std::mt19937_64 random(test::suite_seed() + 2);
  std::vector<double> y = random_table(20, 50, 10, random);
  const auto independent = shrink(y, gaussian(3), 1000, Shrinkage::RankDeficient);
  const double excess = (std::accumulate(y.begin(), y.end(), 0.0) - 1000) / 20;
  for (double& value : y) value -= excess;
  const auto kept = shrink(y, gaussian(3, NoiseStructure::SumZero), 1000, Shrinkage::RankDeficient);
  for (std::size_t i = 0; i < y.size(); ++i) EXPECT_NEAR(independent->values[i], kept->values[i], 1e-12);
}

TEST(HelmertLine, IsTheSumOfTheColumns) {
  for (const std::size_t p : {1U, 2U, 3U, 4U, 50U, 400U}) {
    const std::vector<Long> basis = helmert(p);
    const std::vector<double> line = helmert_line(p);
    double squares = 0;
    for (std::size_t i = 0; i < p; ++i) {
      long double sum = 0;
      for (std::size_t k = 1; k < p; ++k) sum += basis[k][i];
      EXPECT_NEAR(line[i], static_cast<double>(sum), 1e-14) << p << " " << i;
      squares += line[i] * line[i];
    }
    EXPECT_NEAR(squares, static_cast<double>(p) - 1, 1e-12 * static_cast<double>(p));
  }
  EXPECT_TRUE(helmert_line(0).empty());
}

TEST(HelmertLine, OfAMillionCellsKeepsItsLengthAndLiesAcrossOne) {
  const std::vector<double> line = helmert_line(1'000'000);
  long double sum = 0;
  long double squares = 0;
  for (const double value : line) {
    sum += value;
    squares += static_cast<long double>(value) * value;
  }
  EXPECT_NEAR(static_cast<double>(squares / 999'999), 1, 1e-13);
  EXPECT_NEAR(static_cast<double>(sum), 0, 1e-8);
}

TEST(Shrink, PositivePartStopsAtTheMeanWherePlainShrinkageGoesPastIt) {
  const std::vector<double> y = {10, 11, 9, 10, 10.5, 9.5};  // |y - m|^2 = 2.5, (p-3) s^2 = 12
  const auto plain = shrink(y, gaussian(2), {}, Shrinkage::TowardsMean);
  EXPECT_LT(plain->factor, 0);
  EXPECT_LT(plain->values[1], plain->values[2]);
  const auto positive = shrink(y, gaussian(2), {}, Shrinkage::PositivePart);
  for (const double value : positive->values) EXPECT_EQ(value, 10);
  EXPECT_EQ(positive->slope, 0);
  const std::vector<double> far = {0, 100, 50, 20};
  EXPECT_EQ(shrink(far, gaussian(2), {}, Shrinkage::PositivePart)->values, shrink(far, gaussian(2), {}, Shrinkage::TowardsMean)->values);
}

// Values of mpmath.
TEST(Shrink, WithATargetIsTowardsItsMultiplesPlusAConstant) {
  const std::vector<double> y = {3, 9, 4, 12, 7, 20};
  const std::vector<double> target = {1, 2, 2, 5, 3, 9};
  const std::vector<double> by_js = {3.0247395833333333, 8.890625, 4.0598958333333333, 11.99609375, 7.02734375, 20.001302083333333};
  const std::vector<double> by_rjs = {2.8580729166666667, 8.7239583333333333, 3.8932291666666667,
                                      11.829427083333333, 6.8606770833333333, 19.834635416666667};
  const auto js = shrink(y, gaussian(0.5), {}, Shrinkage::TowardsMean, target);
  const auto rjs = shrink(y, gaussian(0.5), 54, Shrinkage::RankDeficient, target);
  EXPECT_NEAR(js->factor, 0.96614583333333333, 1e-14);
  for (std::size_t i = 0; i < y.size(); ++i) {
    EXPECT_NEAR(js->values[i], by_js[i], 1e-12);
    EXPECT_NEAR(rjs->values[i], by_rjs[i], 1e-12);
  }
  std::vector<double> moved = target;
  for (double& one : moved) one = 7 - 0.25 * one;
  const auto same = shrink(y, gaussian(0.5), {}, Shrinkage::TowardsMean, moved);
  for (std::size_t i = 0; i < y.size(); ++i) EXPECT_NEAR(same->values[i], js->values[i], 1e-13) << "the same line";
  EXPECT_EQ(shrink(y, gaussian(9), {}, Shrinkage::PositivePart, target)->factor, 0) << "never past the target";
}

TEST(Shrink, WithHelmertsLineAsTargetIsRjs) {
  const std::vector<double> y = {3, 9, 4, 12, 7, 20, 2};
  const auto usual = shrink(y, gaussian(1.5), 60, Shrinkage::RankDeficient);
  const auto given = shrink(y, gaussian(1.5), 60, Shrinkage::RankDeficient, helmert_line(y.size()));
  for (std::size_t i = 0; i < y.size(); ++i) EXPECT_NEAR(given->values[i], usual->values[i], 1e-13);
}

TEST(Shrink, RefusesTargetsThatCannotBeOne) {
  const auto refused = [](const std::vector<double>& target, Shrinkage shrinkage, std::size_t cells = 6) {
    return shrink(std::vector<double>(cells, 1.0), gaussian(1), 6, shrinkage, target).error();
  };
  const std::vector<double> rising = {1, 2, 3, 4, 5, 6};
  EXPECT_EQ(refused(rising, Shrinkage::TowardsZero).message(), "target is js0, but goes with shrink = js, js+ or rjs");
  EXPECT_EQ(refused(rising, Shrinkage::None).name(), "target");
  EXPECT_EQ(refused(std::vector<double>(6, 3.7), Shrinkage::TowardsMean).message(),
            "target is a table with equal cells, but must differ between cells; leave target out: js shrinks towards equal cells");
  EXPECT_EQ(refused({1, 2}, Shrinkage::TowardsMean).message(),
            "target is 2 numbers, but must have a number for each of the 6 cells of the release");
  EXPECT_EQ(refused({1, 2, 3, 4, 5, 1e101}, Shrinkage::TowardsMean).name(), "target");
  EXPECT_EQ(refused({1, 2, 3, 4, 5, std::nan("")}, Shrinkage::TowardsMean).name(), "target");
  EXPECT_THAT(refused({1, 2, 3, 4}, Shrinkage::TowardsMean, 4).message(), HasSubstr("needs at least 5 cells with a target"));
}

TEST(Shrink, OfATableAtItsTargetIsTheTarget) {
  const std::vector<double> zeros(6, 0.0);
  EXPECT_EQ(shrink(zeros, gaussian(2), {}, Shrinkage::TowardsZero)->values, zeros);
  const std::vector<double> eights(6, 8.0);
  for (const Shrinkage shrinkage : {Shrinkage::TowardsMean, Shrinkage::PositivePart, Shrinkage::RankDeficient}) {
    EXPECT_EQ(shrink(eights, gaussian(2), 48, shrinkage)->values, eights);
  }
}

TEST(Shrink, OfTheLargestAndSmallestNumbersThatAFileMayHoldIsFinite) {
  const std::vector<std::vector<double>> tables = {{1e100, -1e100, 0, 1, 2, 3},
                                                   {1e-100, -1e-100, 0, 0, 0, 2e-100},
                                                   {1e-300, -1e-300, 0, 0, 0, 1e-320},
                                                   {1e100, 1e100, 1e100, 1e100, 1e100, 9e99}};
  for (const std::vector<double>& table : tables) {
    for (const double scale : {1e-100, 1e-20, 1.0, 1e100}) {
      for (const Shrinkage shrinkage :
           {Shrinkage::TowardsZero, Shrinkage::TowardsMean, Shrinkage::PositivePart, Shrinkage::RankDeficient}) {
        const auto shrunk = shrink(table, gaussian(scale), 6, shrinkage);
        ASSERT_TRUE(shrunk.ok());
        for (const double value : shrunk->values) EXPECT_TRUE(std::isfinite(value)) << name(shrinkage) << " " << scale;
      }
    }
  }
}

TEST(Shrink, NoneIsTheTableAsItIsForAnyNoise) {
  const std::vector<double> y = {-3, 4};
  EXPECT_EQ(shrink(y, {NoiseFamily::Laplace, 2, NoiseStructure::Independent}, {}, Shrinkage::None)->values, y);
}

struct Refusal {
  Shrinkage shrinkage;
  std::size_t cells;
  NoiseDistribution law;
  std::optional<double> total;
  std::string rule;
};

TEST(Shrink, RefusesWhatIsNotProvenNamingTheRuleAndARemedy) {
  const NoiseDistribution laplace{NoiseFamily::Laplace, 2, NoiseStructure::Independent};
  const NoiseDistribution sum_zero = gaussian(2, NoiseStructure::SumZero);
  const std::vector<Refusal> refusals = {{Shrinkage::TowardsZero, 9, laplace, 9, "Gaussian noise only"},
                                         {Shrinkage::TowardsMean, 9, laplace, 9, "Gaussian noise only"},
                                         {Shrinkage::PositivePart, 9, laplace, 9, "Gaussian noise only"},
                                         {Shrinkage::RankDeficient, 9, laplace, 9, "Gaussian noise only"},
                                         {Shrinkage::TowardsZero, 9, sum_zero, 9, "needs independent noise"},
                                         {Shrinkage::RankDeficient, 9, gaussian(2), {}, "needs the total n"},
                                         {Shrinkage::TowardsZero, 2, gaussian(2), 9, "at least 3 cells, and this release has 2"},
                                         {Shrinkage::TowardsMean, 3, gaussian(2), 9, "at least 4 cells, and this release has 3"},
                                         {Shrinkage::PositivePart, 3, sum_zero, 9, "at least 4 cells, and this release has 3"},
                                         {Shrinkage::RankDeficient, 4, gaussian(2), 9, "at least 5 cells, and this release has 4"}};
  for (const Refusal& refusal : refusals) {
    const auto refused = shrink(std::vector<double>(refusal.cells, 1.0), refusal.law, refusal.total, refusal.shrinkage);
    ASSERT_FALSE(refused.ok()) << refusal.rule;
    EXPECT_EQ(refused.error().code(), Code::InvalidArgument);
    EXPECT_EQ(refused.error().name(), "shrink");
    EXPECT_EQ(refused.error().value(), name(refusal.shrinkage));
    EXPECT_THAT(refused.error().rule(), HasSubstr(refusal.rule));
    EXPECT_THAT(refused.error().remedy(), HasSubstr("shrink = "));
    // One cell more is enough where cells were too few.
    if (refusal.cells < 9) {
      EXPECT_TRUE(shrink(std::vector<double>(refusal.cells + 1, 1.0), refusal.law, refusal.total, refusal.shrinkage).ok());
    }
  }
}

TEST(Shrinkage, HasOneNameEachWhichReadsBack) {
  for (const std::string shown : {"none", "js0", "js", "js+", "rjs"}) EXPECT_EQ(name(*named<Shrinkage>("shrink", shown)), shown);
  const auto refused = named<Shrinkage>("shrink", "JS");
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().message(), "shrink is JS, but must be none, js0, js, js+ or rjs");
}

}  // namespace
}  // namespace tacet::inference::shrink_test
