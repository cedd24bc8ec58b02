#include "tacet/mechanisms/local_randomizer.h"

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tacet::mechanisms::local_randomizer_test {
namespace {

using ::testing::HasSubstr;

/// Three people with values 0, 0 and 2 of three categories.
const std::vector<std::size_t> kPeople = {0, 0, 2};
const std::vector<double> kTruth = {2, 0, 1};
constexpr std::size_t kCategories = 3;
constexpr double kN = 3;

/// Calls `each` with the reports altogether, and their probability, for every outcome that three
/// people can produce.
void for_all_outcomes(const LocalRandomizer& law, const std::function<void(const std::vector<double>&, double)>& each) {
  const Chances chance = chances(law, kCategories);
  const bool exp = law.kind == LocalKind::Exp;
  const std::size_t outcomes_of_one = exp ? kCategories : 8;
  for (std::size_t outcome = 0; outcome < outcomes_of_one * outcomes_of_one * outcomes_of_one; ++outcome) {
    std::vector<double> reports(kCategories, 0);
    double probability = 1;
    std::size_t rest = outcome;
    for (const std::size_t value : kPeople) {
      const std::size_t one = rest % outcomes_of_one;
      rest /= outcomes_of_one;
      if (exp) {
        reports[one] += 1;
        probability *= one == value ? chance.stays : chance.other;
        continue;
      }
      for (std::size_t j = 0; j < kCategories; ++j) {
        const bool bit = ((one >> j) & 1U) != 0;
        reports[j] += bit ? 1 / kN : 0;
        probability *= bit == (j == value) ? chance.stays : chance.other;
      }
    }
    each(reports, probability);
  }
}

class LawOfCoins : public ::testing::TestWithParam<LocalRandomizer> {};

TEST_P(LawOfCoins, GivesUnbiasedEstimatesOverAllReports) {
  std::vector<double> mean(kCategories, 0);
  double total = 0;
  for_all_outcomes(GetParam(), [&](const std::vector<double>& reports, double probability) {
    const std::vector<double> counts = estimates(GetParam(), kN, reports);
    for (std::size_t j = 0; j < kCategories; ++j) mean[j] += probability * counts[j];
    total += probability;
  });
  EXPECT_NEAR(total, 1, 1e-12);
  for (std::size_t j = 0; j < kCategories; ++j) EXPECT_NEAR(mean[j], kTruth[j], 1e-11 / GetParam().parameter) << j;
}

TEST_P(LawOfCoins, KnowsTheCovarianceOfItsEstimatesAndEstimatesItWithoutBias) {
  for (std::size_t i = 0; i < kCategories; ++i) {
    for (std::size_t j = 0; j < kCategories; ++j) {
      double product = 0;
      double plugged_in = 0;
      for_all_outcomes(GetParam(), [&](const std::vector<double>& reports, double probability) {
        const std::vector<double> counts = estimates(GetParam(), kN, reports);
        product += probability * (counts[i] - kTruth[i]) * (counts[j] - kTruth[j]);
        plugged_in += probability * covariance(GetParam(), kN, counts, i, j);
        EXPECT_GE(covariance(GetParam(), kN, counts, i, i), 0);
      });
      const double claimed = covariance(GetParam(), kN, kTruth, i, j);
      const double size = covariance(GetParam(), kN, kTruth, 0, 0);
      EXPECT_NEAR(claimed / size, product / size, 1e-10) << i << j;
      EXPECT_NEAR(plugged_in / size, claimed / size, 1e-10) << i << j;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, LawOfCoins,
                         ::testing::Values(LocalRandomizer{LocalKind::Exp, 1}, LocalRandomizer{LocalKind::Exp, 0.05},
                                           LocalRandomizer{LocalKind::Exp, 8}, LocalRandomizer{LocalKind::Flip, 1},
                                           LocalRandomizer{LocalKind::Flip, 0.05}, LocalRandomizer{LocalKind::Flip, 8}));

TEST(Chances, AreThoseOfRogersAlgorithms17And20) {
  const Chances exp = chances({LocalKind::Exp, 1.5}, 7);
  EXPECT_NEAR(exp.stays, std::exp(1.5) / (std::exp(1.5) + 6), 1e-15);
  EXPECT_NEAR(exp.other, 1 / (std::exp(1.5) + 6), 1e-15);
  const Chances flip = chances({LocalKind::Flip, 1.5}, 7);
  EXPECT_NEAR(flip.stays, std::exp(0.75) / (std::exp(0.75) + 1), 1e-15);
  EXPECT_NEAR(flip.other, 1 / (std::exp(0.75) + 1), 1e-15);
}

TEST(Estimates, OfExpSumToTheNumberOfPeople) {
  const std::vector<double> counts = estimates({LocalKind::Exp, 0.3}, 1000, {412, 301, 287});
  EXPECT_NEAR(counts[0] + counts[1] + counts[2], 1000, 1e-9);
}

/// Rogers, Theorem 8.2.10: the covariance of the mean of the bits over a population that is itself
/// a sample is Sigma_FC/n. Ours is that of the reports alone, so the part of the sampling, (Diag p
/// - p p')/n, must be what is missing.
TEST(Covariance, OfFlippedBitsIsRogersSigmaWithoutTheSampling) {
  const double epsilon = 1.2;
  const double root = std::exp(epsilon / 2);
  const std::vector<double> p = {0.5, 0.2, 0.3};
  const double n = 1000;
  const double back = (root - 1) / (root + 1);  // the mean moves by this times p
  for (std::size_t i = 0; i < p.size(); ++i) {
    for (std::size_t j = 0; j < p.size(); ++j) {
      const double multinomial = (i == j ? p[i] : 0) - p[i] * p[j];
      const double sigma = back * back * multinomial + (i == j ? root / ((root + 1) * (root + 1)) : 0);
      const double ours = covariance({LocalKind::Flip, epsilon}, n, {500, 200, 300}, i, j) / (n * n);
      EXPECT_NEAR(ours + multinomial / n, sigma / (back * back * n), 1e-12);
    }
  }
}

/// Lemma 8.2.3: reports of a sampled population are multinomial with p-check; ours plus the
/// sampling must give that.
TEST(Covariance, OfExpIsThatOfRogersMultinomialWithoutTheSampling) {
  const double epsilon = 0.8;
  const std::vector<double> p = {0.6, 0.1, 0.3};
  const double n = 500;
  const auto [stays, other] = chances({LocalKind::Exp, epsilon}, 3);
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      const double pi = p[i] * stays + (1 - p[i]) * other;
      const double pj = p[j] * stays + (1 - p[j]) * other;
      const double reports = n * ((i == j ? pi : 0) - pi * pj) / ((stays - other) * (stays - other));
      const double sampling = n * ((i == j ? p[i] : 0) - p[i] * p[j]);
      EXPECT_NEAR(covariance({LocalKind::Exp, epsilon}, n, {300, 50, 150}, i, j) + sampling, reports, 1e-9);
    }
  }
}

TEST(Covariance, OfNoiseIsNTimesThatOfOneReport) {
  EXPECT_DOUBLE_EQ(covariance({LocalKind::Gaussian, 1.5}, 100, {1, 2}, 0, 0), 225);
  EXPECT_DOUBLE_EQ(covariance({LocalKind::Laplace, 1.5}, 100, {1, 2}, 1, 1), 450);
  EXPECT_EQ(covariance({LocalKind::Laplace, 1.5}, 100, {1, 2}, 0, 1), 0);
  EXPECT_THAT(estimates({LocalKind::Gaussian, 1.5}, 100, {0.25, -0.5}), ::testing::ElementsAre(25, -50));
}

TEST(CheckLaw, RefusesParametersOutsideTheirDomain) {
  for (const double epsilon : {0.0, -1.0, 1e-10, 101.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    EXPECT_EQ(check_distribution({LocalKind::Exp, epsilon}).error().name(), "epsilon") << epsilon;
    EXPECT_EQ(check_distribution({LocalKind::Flip, epsilon}).error().name(), "epsilon") << epsilon;
  }
  for (const double scale : {0.0, -1.0, 1e101, std::nan("")})
    EXPECT_EQ(check_distribution({LocalKind::Laplace, scale}).error().name(), "noise scale");
  EXPECT_TRUE(check_distribution({LocalKind::Gaussian, 1}).ok());
}

TEST(CheckReports, RefusesWhatNoReportsGive) {
  const LocalRandomizer exp{LocalKind::Exp, 1};
  const LocalRandomizer flip{LocalKind::Flip, 1};
  EXPECT_TRUE(check_reports(exp, 10, {4, 6}).ok());
  EXPECT_EQ(check_reports(exp, 10, {4, 7}).error().message(),
            "reports is 11 altogether, but must be as many as n, 10: every person reports one category; for example: [412, 301, 287] "
            "counts for exp, "
            "[0.41, 0.3, 0.29] means for the others");
  EXPECT_THAT(check_reports(exp, 10, {4.5, 5.5}).error().message(), HasSubstr("whole numbers"));
  EXPECT_THAT(check_reports(exp, 10, {-1, 11}).error().message(), HasSubstr("whole numbers"));
  EXPECT_THAT(check_reports(flip, 10, {0.5, 1.1}).error().message(), HasSubstr("between 0 and 1"));
  EXPECT_THAT(check_reports(flip, 10, {0.5, -0.1}).error().message(), HasSubstr("between 0 and 1"));
  EXPECT_TRUE(check_reports({LocalKind::Gaussian, 1}, 10, {-5, 100}).ok());
  EXPECT_EQ(check_reports(exp, 0, {0, 0}).error().name(), "n");
  EXPECT_EQ(check_reports(exp, 3, {3}).error().name(), "categories");
}

TEST(LocalKind, HasOneNameEach) {
  for (const LocalKind kind : {LocalKind::Exp, LocalKind::Flip, LocalKind::Gaussian, LocalKind::Laplace})
    EXPECT_EQ(*named<LocalKind>("kind", name(kind)), kind);
  EXPECT_EQ(named<LocalKind>("kind", "rappor").error().message(), "kind is rappor, but must be exp, flip, gaussian or laplace");
}

}  // namespace
}  // namespace tacet::mechanisms::local_randomizer_test
