// Public sums of a noisy table: values of mpmath by the normal equations, the rank-deficient
// mechanism as the case of one sum, and intervals and errors of simulated noise.
#include "tacet/inference/estimates/known_sums.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/inference/estimates/estimate.h"
#include "tacet/mechanisms/counts.h"
#include "tacet/numeric/insecure_stream.h"

#include "support/promise.h"

namespace tacet::inference::known_sums_test {
namespace {

using kernel::NoiseFamily;
using mechanisms::NoiseDistribution;
using mechanisms::NoiseStructure;
using ::testing::HasSubstr;

const NoiseDistribution kIndependent{NoiseFamily::Gaussian, 3};
const std::vector<double> kNoisy = {21.5, 18.2, 19.9, 17.1, 14.6, 11.2};  // 2 x 3

KnownSum sum_of(std::vector<std::size_t> cells, double sum) {
  std::vector<double> ones(cells.size(), 1);
  return {std::move(cells), std::move(ones), sum};
}
KnownSum first_row() { return sum_of({0, 1, 2}, 60); }
KnownSum first_column() { return sum_of({0, 3}, 40); }

TEST(KnownSums, AreKeptByTheNearestTable) {
  const KeptSums kept = *keep_known_sums(kNoisy, kIndependent, 100, {first_row(), first_column()});
  const std::vector<double> values = {22.75, 17.775, 19.475, 17.25, 13.075, 9.675};
  const std::vector<double> shares = {1.0 / 3, 7.0 / 12, 7.0 / 12, 1.0 / 3, 7.0 / 12, 7.0 / 12};
  EXPECT_EQ(kept.rank, 3U);
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_NEAR(kept.values[i], values[i], 1e-12);
    EXPECT_NEAR(kept.noise_share[i], shares[i], 1e-12);
  }
}

TEST(KnownSums, OfTheTotalAloneAreTheRankDeficientMechanism) {
  std::vector<double> expected = kNoisy;
  mechanisms::keep_total(expected, 101);
  const KeptSums kept = *keep_known_sums(kNoisy, kIndependent, {}, {sum_of({0, 1, 2, 3, 4, 5}, 101)});
  EXPECT_EQ(kept.rank, 1U);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(kept.values[i], expected[i], 1e-12);
    EXPECT_NEAR(kept.noise_share[i], 5.0 / 6, 1e-12);
  }
}

TEST(KnownSums, OfTablesThatKeepTheirTotalAreTheSameAsOfIndependentNoise) {
  std::vector<double> with_total = kNoisy;
  mechanisms::keep_total(with_total, 100);
  const KeptSums from_independent = *keep_known_sums(kNoisy, kIndependent, 100, {first_row()});
  const NoiseDistribution sum_zero{NoiseFamily::Gaussian, 3, NoiseStructure::SumZero};
  const KeptSums from_kept = *keep_known_sums(with_total, sum_zero, {}, {first_row()});
  EXPECT_EQ(from_independent.rank, from_kept.rank);
  for (std::size_t i = 0; i < with_total.size(); ++i) {
    EXPECT_NEAR(from_kept.values[i], from_independent.values[i], 1e-12);
    EXPECT_NEAR(from_kept.noise_share[i], from_independent.noise_share[i], 1e-12);
  }
}

TEST(KnownSums, MayHaveAnyWeightsRepeatsAndSizes) {
  const KnownSum weighted{{0, 1, 2}, {1, 2, 3}, 120};
  const KnownSum twice{{0, 1, 2, 0}, {1e6, 4e6, 6e6, 1e6}, 240e6};
  const KeptSums once = *keep_known_sums(kNoisy, kIndependent, {}, {weighted});
  const KeptSums repeated = *keep_known_sums(kNoisy, kIndependent, {}, {weighted, twice});
  EXPECT_EQ(repeated.rank, 1U);
  for (std::size_t i = 0; i < kNoisy.size(); ++i) EXPECT_NEAR(repeated.values[i], once.values[i], 1e-9);
  EXPECT_NEAR(once.values[0] + 2 * once.values[1] + 3 * once.values[2], 120, 1e-11);
  EXPECT_EQ(once.values[3], kNoisy[3]);
}

TEST(KnownSums, RefuseWhatNoTableHasAndWhatIsNoSum) {
  const auto error = [](std::vector<KnownSum> sums, std::optional<double> total = 100) {
    return keep_known_sums(kNoisy, kIndependent, total, std::move(sums)).error();
  };
  EXPECT_EQ(error({first_row(), sum_of({3, 4, 5}, 41)}).message(),
            "known is sums that no table has, but must not contradict each other, nor the public total");
  EXPECT_EQ(error({sum_of({6}, 1)}).message(), "known is cell 6, but must be one of the 6 cells of the table");
  EXPECT_EQ(error({sum_of({}, 1)}).message(), "known is a sum of no cells, but must have a cell with a weight other than 0");
  EXPECT_EQ(error({KnownSum{{0}, {0}, 1}}).name(), "known");
  EXPECT_EQ(error({KnownSum{{0}, {1, 1}, 1}}).name(), "known");
  EXPECT_EQ(error({KnownSum{{0}, {std::nan("")}, 1}}).name(), "known");
  EXPECT_EQ(error({sum_of({0}, std::nan(""))}).name(), "known");
  EXPECT_THAT(error(std::vector<KnownSum>(201, first_row())).message(), HasSubstr("must be 1 to 200 sums"));
}

mechanisms::CountRelease release_of(std::vector<double> values, const NoiseDistribution& noise, double grid) {
  mechanisms::CountRelease release{};
  release.shape = {2, 3};
  release.values = std::move(values);
  release.noise = noise;
  release.n = 100;
  release.grid = grid;
  return release;
}

TEST(EstimateWithKnownSums, GoesWithoutShrinkageAndProjection) {
  const auto release = release_of(kNoisy, kIndependent, 0x1p-10);
  EXPECT_EQ(estimate(release, {.shrink = Shrinkage::TowardsMean, .known = {first_row()}}).error().message(),
            "known is given with shrink js and project none, but goes without shrink and project");
  EXPECT_EQ(estimate(release, {.project = Projection::Simplex, .known = {first_row()}}).error().name(), "known");
}

TEST(EstimateWithKnownSums, KnowsTheCostAndKeepsWiderIntervalsForOtherNoise) {
  const auto gaussian = release_of(kNoisy, kIndependent, 0x1p-10);
  const Estimate known = *estimate(gaussian, {.known = {first_row(), first_column()}});
  EXPECT_DOUBLE_EQ(known.cost, 9 * 3);
  EXPECT_EQ(known.cost_is, CostMeaning::Exact);
  const Estimate without = *estimate(gaussian, {});
  for (std::size_t i = 0; i < 6; ++i) EXPECT_LE(known.upper[i] - known.lower[i], without.upper[i] - without.lower[i]);
  EXPECT_NEAR(known.margin / without.margin, std::sqrt(7.0 / 12), 0.01);
  const auto laplace = release_of(kNoisy, {NoiseFamily::Laplace, 3}, 0x1p-10);
  const Estimate wide = *estimate(laplace, {.known = {first_row()}});
  EXPECT_EQ(wide.lower, estimate(laplace, {})->lower) << "no narrower intervals are proven";
  EXPECT_DOUBLE_EQ(wide.cost, 18 * 4);
}

TEST(EstimateWithKnownSums, OfAKnownCellIsThatCell) {
  const Estimate known = *estimate(release_of(kNoisy, kIndependent, 0x1p-10), {.known = {sum_of({2}, 20)}});
  EXPECT_NEAR(known.values[2], 20, 1e-12);
  EXPECT_EQ(known.lower[2], 20);
  EXPECT_EQ(known.upper[2], 20);
}

// Simultaneous intervals miss in at most 0.05 of releases, and squared errors are as promised: 20,000
// releases see 0.058 and an error that is larger by five per cent. Noise that is a tenth larger than
// the file says must be seen.
TEST(EstimateWithKnownSums, CoversAllCellsAndHasTheErrorThatItSays) {
  test::declare_false_alarm("coverage with known sums", 2e-9);
  const std::vector<double> truth = {23, 18, 19, 17, 14, 9};
  const auto releases = static_cast<std::uint64_t>(20'000 / test::coarseness());
  for (const double factor : {1.0, 1.1}) {
    numeric::InsecureStream stream(test::suite_seed(), 3);
    std::vector<double> noise(truth.size());
    std::uint64_t missed = 0;
    double squares = 0;
    for (std::uint64_t trial = 0; trial < releases; ++trial) {
      stream.fill_normal(noise);
      std::vector<double> values = truth;
      for (std::size_t i = 0; i < values.size(); ++i) values[i] += 3 * factor * noise[i];
      const Estimate found = *estimate(release_of(values, kIndependent, 0x1p-10), {.known = {first_row(), first_column()}});
      bool all = true;
      for (std::size_t i = 0; i < truth.size(); ++i) {
        all = all && found.lower[i] <= truth[i] && truth[i] <= found.upper[i];
        squares += (found.values[i] - truth[i]) * (found.values[i] - truth[i]);
      }
      missed += all ? 0 : 1;
    }
    const auto trials = static_cast<double>(releases);
    // The error is 9 times chi-square with 3 degrees of freedom: seven standard errors of a mean.
    const double tolerance = 7 * 9 * std::sqrt(6 / trials);
    if (factor == 1) {
      EXPECT_GT(test::binomial_upper(releases, 0.05, missed), 1e-9) << static_cast<double>(missed) / trials;
      EXPECT_NEAR(squares / trials, 27, tolerance);
    } else {
      EXPECT_GT(squares / trials, 27 + tolerance) << "the planted fault";
    }
  }
}

}  // namespace
}  // namespace tacet::inference::known_sums_test
