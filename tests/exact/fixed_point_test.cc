#include "tacet/exact/fixed_point.h"

#include <gtest/gtest.h>

#include "support/scripted_bits.h"

namespace tacet::exact::fixed_point_test {
namespace {

TEST(FixedPoint, UnitsAndRootsAreTheNearestOnTheirSide) {
  test::InsecureStream stream(5);
  for (int i = 0; i < 2000; ++i) {
    mpq_class value(mpz_class(static_cast<unsigned long>(stream.next() >> (stream.next() % 60))),
                    mpz_class(1 + static_cast<unsigned long>(stream.next() >> (stream.next() % 60))));
    value.canonicalize();
    const unsigned long bits = stream.next() % 100;
    const mpq_class down = from_units(units_down(value, bits), bits), up = from_units(units_up(value, bits), bits);
    const mpq_class unit = from_units(1, bits);
    ASSERT_TRUE(down <= value && value < down + unit);
    ASSERT_TRUE(up >= value && value > up - unit);
    ASSERT_TRUE(units_up(-value, bits) == -units_down(value, bits));
    const mpq_class root_down = from_units(root_units_down(value, bits), bits), root_up = from_units(root_units_up(value, bits), bits);
    ASSERT_TRUE(root_down * root_down <= value && (root_down + unit) * (root_down + unit) > value);
    ASSERT_TRUE(root_up * root_up >= value && (root_up == 0 || (root_up - unit) * (root_up - unit) < value));
  }
}

TEST(FixedPoint, DividingUpIsTheLeastIntegerThatIsNoLessThanTheQuotient) {
  test::InsecureStream stream(6);
  for (int i = 0; i < 2000; ++i) {
    mpz_class value = static_cast<unsigned long>(stream.next() >> (stream.next() % 60));
    if (i % 3 == 0) value *= value * value;  // beyond 64 bits
    if (i % 2 == 0) value = -value;
    const mpz_class by = 1 + static_cast<unsigned long>(stream.next() >> (stream.next() % 60));
    const mpz_class quotient = divided_up(value, by);
    ASSERT_TRUE(quotient * by >= value && (quotient - 1) * by < value);
    const unsigned long bits = stream.next() % 100;
    ASSERT_TRUE(shifted_up(value, bits) == divided_up(value, mpz_class(1) << bits));
  }
  EXPECT_TRUE(divided_up(-6, 3) == -2 && divided_up(6, 3) == 2 && shifted_up(-8, 2) == -2);
}

TEST(FixedPoint, WhatIsAWholeNumberOfUnitsIsNotRounded) {
  EXPECT_TRUE(units_down(mpq_class(3, 4), 2) == 3);
  EXPECT_TRUE(units_up(mpq_class(3, 4), 2) == 3);
  EXPECT_TRUE(root_units_down(mpq_class(9, 16), 2) == 3);
  EXPECT_TRUE(root_units_up(mpq_class(9, 16), 2) == 3);
  EXPECT_TRUE(root_units_up(mpq_class(0), 2) == 0);
}

}  // namespace
}  // namespace tacet::exact::fixed_point_test
