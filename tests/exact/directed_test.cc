#include "tacet/exact/directed.h"

#include <limits>

#include <gtest/gtest.h>

namespace tacet::exact::directed_test {
namespace {

constexpr double kLargest = std::numeric_limits<double>::max();
constexpr double kLeast = std::numeric_limits<double>::denorm_min();

TEST(Directed, EnlargedAndReducedEncloseALongDoubleAndItsError) {
  for (const long double value : {1.0L, 0.1L, 3e-300L, 1e-4000L, 12345.678901234567890123L}) {
    for (const long double error : {0x1p-60L, 0x1p-40L}) {
      EXPECT_GE(static_cast<long double>(enlarged(value, error)), value * (1 + error));
      EXPECT_LE(static_cast<long double>(reduced(value, error)), value * (1 - error));
      if (value > 1e-300L) {
        EXPECT_LE(static_cast<long double>(enlarged(value, error)), value * (1 + 3 * error + 0x1p-52L));
        EXPECT_GE(static_cast<long double>(reduced(value, error)), value * (1 - 3 * error - 0x1p-52L));
      }
    }
  }
  EXPECT_EQ(enlarged(1e-4000L, 0), kLeast);
  EXPECT_EQ(enlarged(0, 0x1p-40L), 0);
  EXPECT_EQ(reduced(1e400L, 0), kLargest);
}

}  // namespace
}  // namespace tacet::exact::directed_test
