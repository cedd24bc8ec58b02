#include "tacet/base/decimal.h"

#include <gtest/gtest.h>

namespace tacet {
namespace {

TEST(Decimal, ThreeTenthsFitThreeCharges) {
  const Decimal tenth = *Decimal::parse("0.1");
  EXPECT_EQ(tenth + tenth + tenth, *Decimal::parse("0.3"));
}

}  // namespace
}  // namespace tacet
