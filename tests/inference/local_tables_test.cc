// What is drawn has the mean and the covariance that local_randomizer.h says of n people who follow
// the probabilities.
#include "tacet/inference/local/local_tables.h"

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "tacet/inference/monte_carlo.h"

#include "support/promise.h"

namespace tacet::inference::local_tables_test {
namespace {

using mechanisms::LocalKind;
using mechanisms::LocalRandomizer;

const std::vector<double> kNull = {0.5, 0.3, 0.15, 0.05};
constexpr std::size_t kTables = 256;
constexpr double kPeople = 300;
const std::vector<LocalRandomizer> kLaws = {
    {LocalKind::Exp, 1.2}, {LocalKind::Flip, 1.7}, {LocalKind::Gaussian, 0.8}, {LocalKind::Laplace, 0.6}};

// 256,000 tables; each moment to six and a half of its standard errors, by the fourth moments of
// normal variables: would catch a chance or a scale that is off by 1 %.
TEST(LocalTables, HaveTheMomentsOfTheirLaw) {
  test::declare_false_alarm("moments of local tables", 1e-8);
  const std::size_t d = kNull.size();
  for (const LocalRandomizer& law : kLaws) {
    const LocalTables drawn(kPeople, kNull, law);
    std::vector<double> values(d * kTables);
    std::vector<double> sums(d, 0);
    std::vector<double> products(d * d, 0);
    std::vector<double> expected(kNull);
    for (double& e : expected) e *= kPeople;
    constexpr std::size_t kBlocks = 1000;
    for (std::size_t block = 0; block < kBlocks; ++block) {
      numeric::InsecureStream stream(test::suite_seed(), block);
      drawn.draw(stream, kTables, values);
      for (std::size_t t = 0; t < kTables; ++t) {
        std::vector<double> table(d);
        for (std::size_t i = 0; i < d; ++i) table[i] = values[i * kTables + t];
        if (law.kind == LocalKind::Exp) table = mechanisms::estimates(law, kPeople, table);
        for (std::size_t i = 0; i < d; ++i) {
          sums[i] += table[i] - expected[i];
          for (std::size_t j = 0; j < d; ++j) products[i * d + j] += (table[i] - expected[i]) * (table[j] - expected[j]);
        }
      }
    }
    constexpr double kAll = kBlocks * kTables;
    const auto covariance = [&](std::size_t i, std::size_t j) {
      return mechanisms::covariance(law, kPeople, expected, i, j) + kPeople * ((i == j ? kNull[i] : 0) - kNull[i] * kNull[j]);
    };
    for (std::size_t i = 0; i < d; ++i) {
      EXPECT_NEAR(sums[i] / kAll, 0, 6.5 * std::sqrt(covariance(i, i) / kAll)) << name(law.kind) << i;
      for (std::size_t j = 0; j < d; ++j) {
        const double spread = covariance(i, i) * covariance(j, j) + covariance(i, j) * covariance(i, j);
        EXPECT_NEAR(products[i * d + j] / kAll, covariance(i, j), 6.8 * std::sqrt(spread / kAll)) << name(law.kind) << i << j;
      }
    }
  }
}

TEST(LocalTables, ReportsOfExpAreWholeAndCountEverybody) {
  const LocalTables drawn(kPeople, kNull, kLaws[0]);
  std::vector<double> values(kNull.size() * kTables);
  numeric::InsecureStream stream(test::suite_seed(), 0);
  drawn.draw(stream, kTables, values);
  for (std::size_t t = 0; t < kTables; ++t) {
    double sum = 0;
    for (std::size_t i = 0; i < kNull.size(); ++i) sum += values[i * kTables + t];
    EXPECT_EQ(sum, kPeople);
  }
}

TEST(ReportProbabilities, SumToOneForExpAndKeepTheGap) {
  for (const double epsilon : {1e-9, 0.5, 3.0, 100.0}) {
    const LocalRandomizer law{LocalKind::Exp, epsilon};
    const std::vector<double> reported = report_probabilities(law, kNull);
    EXPECT_NEAR(std::accumulate(reported.begin(), reported.end(), 0.0), 1, 1e-15);
    const auto [stays, other] = mechanisms::chances(law, 4);
    EXPECT_NEAR(report_gap(law, 4), stays - other, 1e-16);
  }
  EXPECT_NEAR(report_gap({LocalKind::Exp, 1e-9}, 4), 1e-9 / 4, 1e-18);
}

}  // namespace
}  // namespace tacet::inference::local_tables_test
