#include "tacet/inference/block_sum.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace tacet::inference {
namespace {

TEST(BlockSum, AddsEveryTermOnce) {
  for (std::size_t count = 0; count < 3000; count += count < 20 ? 1 : 97) {
    const double expected = static_cast<double>(count) * (static_cast<double>(count) - 1) / 2;
    EXPECT_EQ(block_sum(count, [](std::size_t i) { return static_cast<double>(i); }), expected) << count;
  }
  EXPECT_EQ(block_sum(std::vector<double>{}), 0);
}

TEST(BlockSum, KeepsItsErrorBoundWhereAPlainLoopDoesNot) {
  const std::vector<double> tenths(1'000'000, 0.1);
  const double exact = 100'000 + 1e6 * (0.1L - 1 / 10.0L);
  double plain = 0;
  for (const double value : tenths) plain += value;
  const double bound = (1e6 / 1024 + 260) * 0x1p-53 * exact;
  EXPECT_NEAR(block_sum(tenths), exact, bound);
  EXPECT_GT(std::abs(plain - exact), bound);
}

}  // namespace
}  // namespace tacet::inference
