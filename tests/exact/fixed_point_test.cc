#include "tacet/exact/fixed_point.h"

#include <gtest/gtest.h>

#include "support/scripted_bits.h"

namespace tacet::exact {
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

TEST(FixedPoint, WhatIsAWholeNumberOfUnitsIsNotRounded) {
  EXPECT_TRUE(units_down(mpq_class(3, 4), 2) == 3);
  EXPECT_TRUE(units_up(mpq_class(3, 4), 2) == 3);
  EXPECT_TRUE(root_units_down(mpq_class(9, 16), 2) == 3);
  EXPECT_TRUE(root_units_up(mpq_class(9, 16), 2) == 3);
  EXPECT_TRUE(root_units_up(mpq_class(0), 2) == 0);
}

}  // namespace
}  // namespace tacet::exact
