#include "tacet/data/moment_sums.h"

#include <random>

#include <gmpxx.h>
#include <gtest/gtest.h>

namespace tacet::data {
namespace {

std::vector<const std::int32_t*> pointers(const std::vector<std::vector<std::int32_t>>& columns) {
  std::vector<const std::int32_t*> out;
  for (const auto& column : columns) out.push_back(column.data());
  return out;
}

Int128 sum(const MomentSums& sums, std::size_t j) { return sums.totals().numbers[j]; }
Int128 product(const MomentSums& sums, std::size_t j, std::size_t k) { return sums.totals().numbers[sums.shape().product(j, k)]; }

TEST(MomentShape, ProductsFollowTheSumsRowByRow) {
  const MomentShape shape{3, true, 1};
  EXPECT_EQ(shape.width(), 9U);
  std::size_t next = 3;
  for (std::size_t j = 0; j < 3; ++j) {
    for (std::size_t k = j; k < 3; ++k) EXPECT_EQ(shape.product(j, k), next++);
  }
  EXPECT_EQ((MomentShape{3, false, 2}.width()), 3U);
}

// Every column at the largest size there is, for more than 10^7 rows: 2^24 2^52 = 2^76, which no
// 64-bit sum holds. What it would catch: a stretch too long for its partial sums, or totals too
// narrow.
TEST(MomentSums, TenMillionRowsAtTheBoundDoNotOverflow) {
  MomentSums sums({3, true, 1});
  const std::vector<std::vector<std::int32_t>> columns{std::vector<std::int32_t>(kStretch, kMostSteps),
                                                       std::vector<std::int32_t>(kStretch, -kMostSteps),
                                                       std::vector<std::int32_t>(kStretch, kMostSteps)};
  constexpr std::int64_t kTimes = (1 << 24) / static_cast<std::int64_t>(kStretch);
  for (std::int64_t i = 0; i < kTimes; ++i) sums.add(pointers(columns), nullptr, kStretch);
  const Int128 rows = Int128{1} << 24;
  EXPECT_EQ(sums.totals().rows[0], 1 << 24);
  EXPECT_TRUE(sum(sums, 0) == rows * kMostSteps);
  EXPECT_TRUE(sum(sums, 1) == -rows * kMostSteps);
  EXPECT_TRUE(product(sums, 0, 0) == rows << 52);
  EXPECT_TRUE(product(sums, 0, 1) == -(rows << 52));
  EXPECT_TRUE(product(sums, 1, 2) == -(rows << 52));
  EXPECT_TRUE(product(sums, 1, 1) == rows << 52);
}

// Random integers of every size, in random groups and stretches of every length, against sums in
// GMP.
TEST(MomentSums, AgreeWithBigIntegersInGroups) {
  std::mt19937_64 random(7);
  for (const std::size_t width : {1U, 2U, 3U, 4U, 5U, 9U}) {
    for (const std::size_t groups : {1U, 2U, 7U, 3000U}) {
      const MomentShape shape{width, true, groups};
      MomentSums first(shape);
      MomentSums second(shape);
      std::vector<mpz_class> expected(groups * shape.width());
      std::vector<std::int64_t> rows_of(groups);
      for (int stretch = 0; stretch < 12; ++stretch) {
        const std::size_t rows = stretch == 0 ? kStretch : random() % (kStretch + 1);
        std::vector<std::vector<std::int32_t>> columns(width, std::vector<std::int32_t>(rows));
        std::vector<std::uint32_t> codes(rows);
        for (std::size_t i = 0; i < rows; ++i) {
          codes[i] = static_cast<std::uint32_t>(random() % groups);
          ++rows_of[codes[i]];
          for (auto& column : columns) {
            const auto size = static_cast<std::int64_t>(random() % ((std::uint64_t{1} << (random() % 27)) + 1));
            column[i] = static_cast<std::int32_t>(random() % 2 == 0 ? size : -size);
          }
          for (std::size_t j = 0; j < width; ++j) {
            expected[codes[i] * shape.width() + j] += columns[j][i];
            for (std::size_t k = j; k < width; ++k)
              expected[codes[i] * shape.width() + shape.product(j, k)] += mpz_class(columns[j][i]) * columns[k][i];
          }
        }
        (stretch % 2 == 0 ? first : second).add(pointers(columns), codes.data(), rows);
      }
      first.merge(second);
      for (std::size_t group = 0; group < groups; ++group) {
        ASSERT_EQ(first.totals().rows[group], rows_of[group]);
        for (std::size_t i = 0; i < shape.width(); ++i) {
          ASSERT_EQ(to_string(first.totals().numbers[group * shape.width() + i]), expected[group * shape.width() + i].get_str());
        }
      }
    }
  }
}

}  // namespace
}  // namespace tacet::data
