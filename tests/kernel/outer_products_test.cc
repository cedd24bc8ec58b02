// The joint bound on all products of a row under attack: a search for two rows whose products
// differ by more than the noise pays for. The same search is shown bounds that are too small, and
// finds them out.
#include "tacet/kernel/outer_products.h"

#include <algorithm>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "tacet/kernel/release_numbers.h"
#include "tacet/kernel/scale_check.h"
#include "tacet/mechanisms/noise_plan.h"
#include "tacet/mechanisms/product_root.h"

#include "kernel/ledger_requests.h"
#include "support/promise.h"

namespace tacet::kernel::outer_products_test {
namespace {

/// What a row may hold: whole steps in [low, high], which holds 0.
struct Range {
  int low, high;
  int size() const { return std::max(high, -low); }
};
using Row = std::vector<int>;

std::size_t pairs(std::size_t d) { return d * (d + 1) / 2; }

/// What the data room claims for these ranges: products alone, or with sums before them.
BoxSensitivity box_of(const std::vector<Range>& ranges, bool sums, std::size_t groups = 1, std::size_t touched = 1) {
  BoxSensitivity box{Relation::ReplaceOne, {}, groups, touched, ranges.size()};
  for (std::size_t group = 0; group < groups; ++group) {
    for (std::size_t i = 0; sums && i < ranges.size(); ++i) box.most.push_back(ranges[i].high - ranges[i].low);
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      box.most.push_back(Int128{ranges[i].size()} * ranges[i].size());
      for (std::size_t j = i + 1; j < ranges.size(); ++j) {
        const std::vector<int> corners = {ranges[i].low * ranges[j].low, ranges[i].low * ranges[j].high, ranges[i].high * ranges[j].low,
                                          ranges[i].high * ranges[j].high};
        box.most.push_back(*std::max_element(corners.begin(), corners.end()) - *std::min_element(corners.begin(), corners.end()));
      }
    }
  }
  return box;
}

/// What exchanging x for y spends of a promise of 1: the sum of |change|/s, or of (change/s)^2,
/// over sums (where there are any) and products.
double spending(NoiseFamily family, const Row& x, const Row& y, const std::vector<double>& scale) {
  const std::size_t d = x.size();
  double sum = 0;
  std::size_t at = 0;
  const auto add = [&](int change) {
    const double size = std::abs(change) / scale[at++];
    sum += family == NoiseFamily::Laplace ? size : size * size;
  };
  for (std::size_t i = 0; scale.size() > pairs(d) && i < d; ++i) add(x[i] - y[i]);
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = i; j < d; ++j) add(x[i] * x[j] - y[i] * y[j]);
  }
  return sum;
}

/// The most that any pair spends, found by improving pairs coordinate by coordinate over the ends
/// of each range, its middle and 0, and random steps; from corners, from 0 and from anywhere.
double most_spent(NoiseFamily family, const std::vector<Range>& ranges, const std::vector<double>& scale, std::mt19937_64& random) {
  const std::size_t d = ranges.size();
  const auto somewhere = [&](const Range& range) { return std::uniform_int_distribution<int>(range.low, range.high)(random); };
  double most = 0;
  for (int start = 0; start < 60; ++start) {
    std::vector<Row> rows(2, Row(d));
    for (std::size_t i = 0; i < d; ++i) {
      if (start < 2) {  // where the bounds are attained, whatever the seed
        rows[0][i] = ranges[i].high;
        rows[1][i] = start == 0 ? 0 : i % 2 == 0 ? ranges[i].low : ranges[i].high;
        continue;
      }
      for (Row& row : rows) {
        row[i] = start % 3 == 2 ? somewhere(ranges[i]) : random() % 2 == 0 ? ranges[i].low : ranges[i].high;
        if (start % 3 == 1 && &row == &rows[1]) row[i] = 0;
      }
    }
    double spent = spending(family, rows[0], rows[1], scale);
    for (bool better = true; better;) {
      better = false;
      for (std::size_t i = 0; i < 2 * d; ++i) {
        int& here = rows[i / d][i % d];
        const Range& range = ranges[i % d];
        for (const int tried : {range.low, range.high, 0, range.high / 2, range.low / 2, somewhere(range), somewhere(range)}) {
          const int before = std::exchange(here, tried);
          const double now = spending(family, rows[0], rows[1], scale);
          if (now > spent * (1 + 1e-12)) {
            spent = now;
            better = true;
          } else {
            here = before;
          }
        }
      }
    }
    most = std::max(most, spent);
  }
  return most;
}

privacy::Loss promise_of_one(NoiseFamily family) {
  return family == NoiseFamily::Gaussian ? testing::mu_loss("1") : testing::epsilon_loss("1");
}

std::vector<double> roots(std::vector<double> values) {
  for (double& value : values) value = std::sqrt(value);
  return values;
}

std::vector<Range> equal_ranges(std::size_t d, int size) { return std::vector<Range>(d, Range{-size, size}); }

mpq_class factor_of(const std::vector<mpq_class>& shares, std::size_t d) {
  return outer_product_factor(shares, d, mechanisms::product_root(shares, d));
}

constexpr NoiseFamily kFamilies[] = {NoiseFamily::Gaussian, NoiseFamily::Laplace};

// Random ranges (symmetric, one-sided, anything, a single step), random weights over many
// magnitudes, with and without sums.
TEST(OuterProducts, NoTwoRowsSpendMoreThanIsPromisedWhateverRangesAndWeights) {
  std::mt19937_64 random(test::suite_seed());
  for (int trial = 0; trial < 300; ++trial) {
    const std::size_t d = 2 + random() % 5;
    std::vector<Range> ranges;
    for (std::size_t i = 0; i < d; ++i) {
      const int size = 1 + static_cast<int>(random() % (random() % 2 == 0 ? 3 : 1000));
      const std::vector<Range> kinds = {{-size, size}, {0, size}, {-size, 0}, {-size, 1 + static_cast<int>(random() % 20)}};
      ranges.push_back(kinds[random() % kinds.size()]);
    }
    const BoxSensitivity box = box_of(ranges, random() % 2 == 0);
    for (const NoiseFamily family : kFamilies) {
      std::vector<double> weights = roots(mechanisms::charged_sizes(family, box));
      const double spread = trial % 3 == 0 ? 0 : 3;
      for (double& weight : weights) weight *= std::exp(spread * (static_cast<double>(random() % 2001) / 1000 - 1));
      const NumbersPlan plan = *mechanisms::plan_numbers(family, box, weights, promise_of_one(family));
      EXPECT_LE(most_spent(family, ranges, plan.scale, random), 1 + 1e-9) << trial << " with " << d << " columns";
    }
  }
}

TEST(OuterProducts, TheBoundIsAttainedByLaplaceNoiseAndByGaussianNoiseInPairsOfColumns) {
  std::mt19937_64 random(test::suite_seed());
  for (const std::size_t d : {2U, 3U, 4U, 6U}) {
    const BoxSensitivity box = box_of(equal_ranges(d, 1000), false);
    const NumbersPlan laplace =
        *mechanisms::plan_numbers(NoiseFamily::Laplace, box, std::vector<double>(pairs(d), 1), testing::epsilon_loss("1"));
    EXPECT_GE(most_spent(NoiseFamily::Laplace, equal_ranges(d, 1000), laplace.scale, random), 1 - 1e-9) << d;
    // The same noise for all products.
    const NumbersPlan gaussian =
        *mechanisms::plan_numbers(NoiseFamily::Gaussian, box, mechanisms::charged_sizes(NoiseFamily::Gaussian, box), testing::mu_loss("1"));
    const double spent = most_spent(NoiseFamily::Gaussian, equal_ranges(d, 1000), gaussian.scale, random);
    EXPECT_GE(spent, d % 2 == 0 ? 1 - 1e-9 : 0.8) << d;
    EXPECT_LE(spent, 1 + 1e-9) << d;
  }
}

// What is saved: of the bounds' own d^2 m^2, and of the root of d + 4 d(d-1)/2.
TEST(OuterProducts, ManyColumnsNeedHalfTheLaplaceNoiseAndGaussianNoiseSmallerByTheRootOfTwo) {
  const std::size_t d = 30;
  const auto columns = static_cast<double>(d);
  const BoxSensitivity box = box_of(equal_ranges(d, 1000), false);
  BoxSensitivity alone = box;
  alone.outer_products = 0;
  for (const NoiseFamily family : kFamilies) {
    const auto scale = [&](const BoxSensitivity& claimed) {  // the same for all products
      return mechanisms::plan_numbers(family, claimed, mechanisms::charged_sizes(family, claimed), promise_of_one(family))->scale[0];
    };
    const double saved = family == NoiseFamily::Laplace ? (columns + 1) / (2 * columns) : std::sqrt(columns / (2 * columns - 1));
    EXPECT_NEAR(scale(box) / scale(alone), saved, 1e-9);
  }
}

// The header's claim on what the factor costs: squared weights (Laplace: weights) a_i a_j b beside
// the diagonal, over six magnitudes.
TEST(OuterProducts, TheFactorIsOneForWeightsThatAreProducts) {
  for (const std::size_t d : {1U, 2U, 7U, 64U}) {
    for (const double b : {0.01, 1.0, std::sqrt(2.0), 2.0}) {
      std::vector<double> shares;
      for (std::size_t i = 0; i < d; ++i) {
        for (std::size_t j = i; j < d; ++j)
          shares.push_back((i == j ? 1 : b) * std::pow(10, 3 * static_cast<double>(i + j) / static_cast<double>(d)));
      }
      const mpq_class factor = factor_of({shares.begin(), shares.end()}, d);
      EXPECT_TRUE(factor >= 1) << d;
      EXPECT_TRUE(factor <= mpq_class(1 + 1e-13)) << d << " " << b << ": " << mpq_class(factor - 1).get_d();
    }
  }
}

// The root is a proposal: the bound holds for any, and gains nothing from one that is too large or
// of another size.
TEST(OuterProducts, ABadRootCostsAccuracyOnly) {
  const std::vector<mpq_class> shares = {1, 1, 1};
  const std::vector<std::int64_t> good = mechanisms::product_root(shares, 2);
  EXPECT_TRUE(outer_product_factor(shares, 2, good) <= mpq_class(1 + 1e-13));
  EXPECT_NEAR(outer_product_factor(shares, 2, {}).get_d(), 2, 1e-13);
  EXPECT_NEAR(outer_product_factor(shares, 2, std::span(good).first(3)).get_d(), 2, 1e-13);
  std::vector<std::int64_t> root = good;
  for (std::size_t at = 0; at < root.size(); ++at) {
    root[at] += std::int64_t{1} << (kRootLog2 - 4);
    EXPECT_TRUE(outer_product_factor(shares, 2, root) > mpq_class(1.01)) << at;
    root[at] = (std::int64_t{8} << kRootLog2) + 1;
    EXPECT_NEAR(outer_product_factor(shares, 2, root).get_d(), 2, 1e-13) << at;
    root[at] = good[at];
  }
  // A plan without its root is a plan with too little noise.
  const BoxSensitivity box = box_of(equal_ranges(4, 100), false);
  NumbersPlan plan = *mechanisms::plan_numbers(NoiseFamily::Gaussian, box, std::vector<double>(pairs(4), 1), testing::mu_loss("1"));
  EXPECT_TRUE(check_scales(plan, box, testing::mu_loss("1")).ok());
  plan.root.clear();
  EXPECT_FALSE(check_scales(plan, box, testing::mu_loss("1")).ok());
}

TEST(OuterProducts, ThePlantedFaultsAreFound) {
  std::mt19937_64 random(test::suite_seed());
  const std::size_t d = 4;
  const std::vector<Range> ranges = equal_ranges(d, 100);
  const BoxSensitivity box = box_of(ranges, false);
  const std::vector<double> even(pairs(d), 1);
  // Scales 1 % too small for Laplace noise.
  std::vector<double> scale = mechanisms::plan_numbers(NoiseFamily::Laplace, box, even, testing::epsilon_loss("1"))->scale;
  for (double& s : scale) s *= 0.99;
  EXPECT_GT(most_spent(NoiseFamily::Laplace, ranges, scale, random), 1.005);
  // Gaussian noise for m_i m_j, as if a row came or went.
  for (double& s : scale) s = 100 * 100 * std::sqrt(static_cast<double>(pairs(d)));
  EXPECT_GT(most_spent(NoiseFamily::Gaussian, ranges, scale, random), 1.5);
  // Weights that leave the squares next to nothing, and no factor for them.
  for (const NoiseFamily family : kFamilies) {
    std::vector<double> weights;
    for (std::size_t i = 0; i < d; ++i) {
      for (std::size_t j = i; j < d; ++j) weights.push_back(i == j ? 0.1 : 1);
    }
    std::vector<mpq_class> shares;
    for (const double weight : weights) shares.emplace_back(family == NoiseFamily::Laplace ? weight : weight * weight);
    const double exact = factor_of(shares, d).get_d();
    const double factor = family == NoiseFamily::Laplace ? exact : std::sqrt(exact);
    EXPECT_GT(factor, 1.1);
    scale = mechanisms::plan_numbers(family, box, weights, promise_of_one(family))->scale;
    EXPECT_LE(most_spent(family, ranges, scale, random), 1 + 1e-9);
    for (double& s : scale) s /= factor;
    EXPECT_GT(most_spent(family, ranges, scale, random), 1.05);
  }
}

// A person who leaves one group for another takes x from one stretch and puts y into the other; one
// who stays exchanges them in one.
TEST(OuterProducts, APersonWhoMovesBetweenGroupsSpendsNoMoreThanIsPromised) {
  std::mt19937_64 random(test::suite_seed());
  const std::vector<Range> ranges = {{-50, 50}, {-7, 20}, {0, 1}};
  const BoxSensitivity box = box_of(ranges, true, 2, 2);
  for (const NoiseFamily family : kFamilies) {
    const NumbersPlan plan = *mechanisms::plan_numbers(family, box, roots(mechanisms::charged_sizes(family, box)), promise_of_one(family));
    const std::size_t stretch = box.most.size() / 2;
    const std::vector<double> first(plan.scale.begin(), plan.scale.begin() + static_cast<std::ptrdiff_t>(stretch));
    EXPECT_LE(most_spent(family, ranges, first, random), 0.5 + 1e-9);  // one stretch, also with y = 0
  }
}

TEST(OuterProducts, ARowThatComesOrGoesNeedsNoiseForEveryBound) {
  BoxSensitivity box{Relation::AddOrRemoveOne, {100, 200, 400}, 1, 1, 2};
  for (const NoiseFamily family : kFamilies) {
    const std::vector<double> jointly = mechanisms::plan_numbers(family, box, {1, 1, 1}, promise_of_one(family))->scale;
    BoxSensitivity alone = box;
    alone.outer_products = 0;
    EXPECT_EQ(jointly, mechanisms::plan_numbers(family, alone, {1, 1, 1}, promise_of_one(family))->scale);
  }
  box.outer_products = 3;
  EXPECT_EQ(mechanisms::plan_numbers(NoiseFamily::Gaussian, box, {1, 1, 1}, testing::mu_loss("1")).error().code(), Code::Internal);
}

}  // namespace
}  // namespace tacet::kernel::outer_products_test
