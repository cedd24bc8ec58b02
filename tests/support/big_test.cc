#include "support/big.h"

#include <gtest/gtest.h>

namespace tacet::test {
namespace {

TEST(Big, TheFractionForMillsRatioAgreesWithErfc) {
  for (const double x : {4.0, 4.001, 5.5, 8.0, 13.7, 37.5, 40.0}) {
    const Big by_erfc = erfc(Big(x) / sqrt(Big(2))) / 2 / normal_density(Big(x));
    EXPECT_LT(abs(normal_mills(Big(x)) / by_erfc - 1).nearest(), 1e-70) << x;
  }
}

TEST(Big, MillsRatioObeysItsDifferentialEquationFarOut) {  // M' = x M - 1
  for (const double x : {4.0, 100.0, 1e4}) {
    const Big h(1e-20);
    const Big slope = (normal_mills(Big(x) + h) - normal_mills(Big(x) - h)) / (Big(2) * h);
    EXPECT_LT(abs((Big(x) * normal_mills(Big(x)) - 1) / slope - 1).nearest(), 1e-30) << x;
  }
}

}  // namespace
}  // namespace tacet::test
