#include "tacet/exact/fixed_decimal.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "support/promise.h"
#include "support/scripted_bits.h"

namespace tacet::exact::fixed_decimal_test {
namespace {

FixedDecimal of(const char* text) { return FixedDecimal::at_least(*Decimal::parse(text)); }

TEST(FixedDecimal, RationalIsRoundedUpToTheNextUnit) {
  EXPECT_EQ(FixedDecimal::at_least(mpq_class(1, 3)).to_string(), "0." + std::string(39, '3') + "4");
  EXPECT_EQ(FixedDecimal::at_least(mpq_class(1, 8)).to_string(), "0.125");
}

TEST(FixedDecimal, ThreeTenthsAreThreeTimesOneTenth) {
  EXPECT_EQ(of("0.1") + of("0.1") + of("0.1"), of("0.3"));
  EXPECT_EQ(of("0.1").times(3), of("0.3"));
  EXPECT_EQ((of("0.1") + of("0.2")).to_string(), "0.3");
  EXPECT_EQ(FixedDecimal().to_string(), "0");
  EXPECT_EQ(of("12").to_string(), "12");
  EXPECT_EQ(of("1e-40").to_string(), "0.0000000000000000000000000000000000000001");
}

TEST(FixedDecimal, RoundsUpWhatHasMoreDigitsAndNeverDown) {
  EXPECT_EQ(of("1e-300"), of("1e-40"));
  EXPECT_EQ(FixedDecimal::at_most(*Decimal::parse("1e-300")), FixedDecimal());
  EXPECT_EQ(of("1.00000000000000000000000000000000000000001"), of("1.0000000000000000000000000000000000000001"));
  EXPECT_EQ(FixedDecimal::at_least(mpq_class(0.5)), of("0.5"));
  EXPECT_GT(FixedDecimal::at_least(mpq_class(1, 3)), FixedDecimal::at_most(mpq_class(1, 3)));
  EXPECT_EQ(FixedDecimal::at_most(mpq_class(1, 3)) + of("1e-40"), FixedDecimal::at_least(mpq_class(1, 3)));
}

TEST(FixedDecimal, SumsAgreeWithRationals) {
  test::InsecureStream stream(test::suite_seed());
  FixedDecimal total;
  mpq_class exact = 0;
  for (int i = 0; i < 20000; ++i) {
    const double value = std::ldexp(static_cast<double>(stream.next() >> 11), -static_cast<int>(40 + stream.next() % 60));
    const FixedDecimal part = FixedDecimal::at_least(mpq_class(value));
    total += part;
    exact += mpq_class(value);
    ASSERT_GE(part.approximate(), static_cast<long double>(value) * (1 - 0x1p-60L));
  }
  const mpq_class kept = Decimal::parse(total.to_string())->to_rational();
  EXPECT_TRUE(kept >= exact);
  EXPECT_TRUE(kept - exact <= Decimal::parse("20000e-40")->to_rational());
}

TEST(FixedDecimal, AboveItsRangeItIsUnlimitedForEver) {
  const FixedDecimal huge = of("1e37");
  EXPECT_TRUE(huge.is_unlimited());
  EXPECT_EQ(huge.to_string(), "unlimited");
  EXPECT_TRUE((huge + of("1")).is_unlimited());
  EXPECT_TRUE((of("5e36") + of("5e36")).is_unlimited());
  EXPECT_TRUE(of("5e36").times(3).is_unlimited());
  EXPECT_TRUE(of("1").times(std::numeric_limits<std::uint64_t>::max()) < FixedDecimal::unlimited());
  EXPECT_FALSE(FixedDecimal::at_most(*Decimal::parse("1e37")).is_unlimited());  // no threshold lets everything through
  EXPECT_GT(FixedDecimal::at_most(*Decimal::parse("1e37")), of("5e36"));
  EXPECT_TRUE(huge.times(0).is_zero());
  EXPECT_GT(huge, of("5e36"));
  EXPECT_TRUE(std::isinf(huge.approximate()));
}

}  // namespace
}  // namespace tacet::exact::fixed_decimal_test
