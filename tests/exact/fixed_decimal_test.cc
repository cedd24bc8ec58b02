#include "tacet/exact/fixed_decimal.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "support/promise.h"
#include "support/scripted_bits.h"

namespace tacet::exact {
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
  EXPECT_EQ(FixedDecimal::at_least(0.5L, 0), of("0.5"));
  EXPECT_GT(FixedDecimal::at_least(0.5L, 0x1p-60L), of("0.5"));
  EXPECT_LT(FixedDecimal::at_most(0.5L, 0x1p-60L), of("0.5"));
  EXPECT_EQ(FixedDecimal::at_least(1e-300L, 0), of("1e-40"));
}

TEST(FixedDecimal, SumsAgreeWithRationals) {
  test::InsecureStream stream(test::suite_seed());
  FixedDecimal total;
  mpq_class exact = 0;
  for (int i = 0; i < 20000; ++i) {
    const double value = std::ldexp(static_cast<double>(stream.next() >> 11), -static_cast<int>(40 + stream.next() % 60));
    const FixedDecimal part = FixedDecimal::at_least(static_cast<long double>(value), 0);
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
  EXPECT_TRUE(FixedDecimal::at_least(std::numeric_limits<long double>::infinity(), 0).is_unlimited());
  EXPECT_TRUE(FixedDecimal::at_least(std::numeric_limits<long double>::quiet_NaN(), 0).is_unlimited());
  EXPECT_GT(huge, of("5e36"));
  EXPECT_TRUE(std::isinf(huge.approximate()));
}

TEST(FixedDecimal, TextReadsBackAndOtherTextIsRefused) {
  for (const char* text : {"0", "0.3", "1e-40", "123456789.000000001", "5e36"}) {
    EXPECT_EQ(*FixedDecimal::parse(of(text).to_string()), of(text)) << text;
  }
  EXPECT_TRUE(FixedDecimal::parse("unlimited")->is_unlimited());
  for (const char* text : {"-1", "1e-41", "1e37", "", "nan", "0x1p3"}) EXPECT_FALSE(FixedDecimal::parse(text)) << text;
  EXPECT_EQ(FixedDecimal::parse("1e-41").error().message(),
            "total is 1e-41, but must be less than 5e36 and have at most 40 digits after the point");
}

}  // namespace
}  // namespace tacet::exact
