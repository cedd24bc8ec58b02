#include "tacet/accounting/short_decimal.h"

#include <gmpxx.h>
#include <gtest/gtest.h>
#include <mpfr.h>

#include "support/scripted_bits.h"

namespace tacet::accounting {
namespace {

/// Rationals from 1e-200 to 1e200 with numerators and denominators of up to 128 bits.
mpq_class random_rational(test::InsecureStream& stream) {
  const auto part = [&] {
    mpz_class value = static_cast<unsigned long>(stream.next());
    if (stream.next() % 2 == 0) value = (value << 64) + static_cast<unsigned long>(stream.next());
    return mpz_class(value + 1);
  };
  mpq_class result(part(), part());
  result.canonicalize();
  mpz_class power;
  mpz_ui_pow_ui(power.get_mpz_t(), 10, stream.next() % 160);
  return stream.next() % 2 == 0 ? mpq_class(result * power) : mpq_class(result / power);
}

TEST(ShortDecimal, EnclosesEveryValueOneStepApart) {
  test::InsecureStream stream(71);
  for (int i = 0; i < 5000; ++i) {
    const mpq_class value = random_rational(stream);
    const int digits = 1 + static_cast<int>(stream.next() % 20);
    const Decimal up = short_decimal_up(value, digits);
    const Decimal down = short_decimal_down(value, digits);
    const Decimal step = short_decimal_step(value, digits);
    ASSERT_TRUE(down.to_rational() <= value && value <= up.to_rational()) << value.get_str();
    ASSERT_TRUE(up == down || up == down + step) << value.get_str();
    ASSERT_EQ(up == down, up.to_rational() == value) << value.get_str();
  }
}

TEST(ShortDecimal, AgreesWithMpfrOnTheDigits) {
  test::InsecureStream stream(72);
  mpfr_t wide;
  mpfr_init2(wide, 2000);
  for (int i = 0; i < 2000; ++i) {
    const mpq_class value = random_rational(stream);
    mpfr_set_q(wide, value.get_mpq_t(), MPFR_RNDN);
    char text[64];
    mpfr_snprintf(text, sizeof text, "%.13RUe", wide);
    ASSERT_EQ(short_decimal_up(value, 14), *Decimal::parse(text)) << value.get_str();
    mpfr_snprintf(text, sizeof text, "%.13RDe", wide);
    ASSERT_EQ(short_decimal_down(value, 14), *Decimal::parse(text)) << value.get_str();
  }
  mpfr_clear(wide);
}

TEST(ShortDecimal, KeepsWhatIsShortAndCarriesIntoTheNextPower) {
  const auto up = [](const char* text, int digits) { return short_decimal_up(Decimal::parse(text)->to_rational(), digits).to_string(); };
  const auto down = [](const char* text, int digits) {
    return short_decimal_down(Decimal::parse(text)->to_rational(), digits).to_string();
  };
  EXPECT_EQ(up("0.5", 15), "0.5");
  EXPECT_EQ(up("9.9991", 4), "10");
  EXPECT_EQ(up("10", 1), "10");
  EXPECT_EQ(down("10", 1), "10");
  EXPECT_EQ(down("9.9999", 4), "9.999");
  EXPECT_EQ(up("1e-300", 3), "1e-300");
  EXPECT_EQ(short_decimal_step(Decimal::parse("0.33341")->to_rational(), 4).to_string(), "0.0001");
}

}  // namespace
}  // namespace tacet::accounting
