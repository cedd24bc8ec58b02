#include "tacet/base/decimal.h"

#include <cmath>
#include <limits>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include <gmpxx.h>
#include <gtest/gtest.h>

namespace tacet {
namespace {

Decimal decimal(const std::string& text) {
  auto value = Decimal::parse(text);
  EXPECT_TRUE(value.ok()) << text;
  return value.ok() ? *value : Decimal();
}

std::string refusal(const std::string& text) {
  const auto value = Decimal::parse(text);
  return value.ok() ? "accepted as " + value->to_string() : value.error().message();
}

/// Decimal texts of every shape, each with the rational that it means, computed apart from the
/// parser under test.
struct Sample {
  std::string text;
  mpq_class value;
};
class Samples {
 public:
  Sample next() {
    std::string whole = digits(0, 25), part = digits(whole.empty() ? 1 : 0, 25);
    const bool negative = random_() % 2 == 0;
    const bool point = !part.empty() || random_() % 4 == 0;
    long exponent = random_() % 2 == 0 ? 0 : static_cast<long>(random_() % 401) - 200;
    Sample sample;
    sample.text = (negative ? "-" : random_() % 8 == 0 ? "+" : "") + whole + (point ? "." : "") + part;
    if (exponent != 0 || random_() % 4 == 0) {
      sample.text +=
          (random_() % 2 == 0 ? "e" : "E") + std::string(exponent >= 0 && random_() % 2 == 0 ? "+" : "") + std::to_string(exponent);
    }
    exponent -= static_cast<long>(part.size());
    mpz_class power;
    mpz_ui_pow_ui(power.get_mpz_t(), 10, static_cast<unsigned long>(std::labs(exponent)));
    const mpz_class coefficient((negative ? "-" : "") + whole + part, 10);
    sample.value = exponent >= 0 ? mpq_class(coefficient * power) : mpq_class(coefficient, power);
    sample.value.canonicalize();
    return sample;
  }

 private:
  std::string digits(std::size_t least, std::size_t most) {
    std::string text(least + random_() % (most - least + 1), '0');
    // Zeros at the ends are where mistakes are.
    for (char& c : text) c = random_() % 3 == 0 ? '0' : static_cast<char>('0' + random_() % 10);
    return text;
  }
  std::mt19937_64 random_{20260104};
};

TEST(Decimal, ThreeTenthsFitThreeCharges) {
  const Decimal tenth = decimal("0.1");
  EXPECT_EQ(tenth + tenth + tenth, decimal("0.3"));
}

TEST(Decimal, ParseMeansWhatTheTextSays) {
  Samples samples;
  for (int i = 0; i < 20'000; ++i) {
    const Sample sample = samples.next();
    const auto parsed = Decimal::parse(sample.text);
    ASSERT_TRUE(parsed.ok()) << sample.text;
    ASSERT_EQ(parsed->to_rational().get_str(), sample.value.get_str()) << sample.text;
  }
}

TEST(Decimal, PrintingAndParsingReturnTheSameValueAndTheSameText) {
  Samples samples;
  for (int i = 0; i < 20'000; ++i) {
    const Decimal value = decimal(samples.next().text);
    const std::string text = value.to_string();
    const Decimal again = decimal(text);
    ASSERT_EQ(again.to_rational().get_str(), value.to_rational().get_str()) << text;
    ASSERT_EQ(again.to_string(), text);
  }
}

TEST(Decimal, ArithmeticAndOrderAgreeWithRationals) {
  Samples samples;
  for (int i = 0; i < 10'000; ++i) {
    const Sample x = samples.next(), y = samples.next();
    const Decimal a = decimal(x.text), b = decimal(y.text);
    ASSERT_EQ((a + b).to_rational().get_str(), mpq_class(x.value + y.value).get_str()) << x.text << " + " << y.text;
    ASSERT_EQ((a - b).to_rational().get_str(), mpq_class(x.value - y.value).get_str()) << x.text << " - " << y.text;
    ASSERT_EQ((a * b).to_rational().get_str(), mpq_class(x.value * y.value).get_str()) << x.text << " * " << y.text;
    ASSERT_EQ(a < b, x.value < y.value) << x.text << " < " << y.text;
    ASSERT_EQ(a == b, x.value == y.value) << x.text << " == " << y.text;
    ASSERT_EQ(a.is_positive(), x.value > 0) << x.text;
    ASSERT_EQ(a.is_zero(), x.value == 0) << x.text;
  }
}

TEST(Decimal, EqualValuesAreEqualHoweverTheyWereMade) {
  for (const char* one : {"1", "1.0", "1e0", "+1", "0.1e1", "10e-1", "1.", "01", "1000e-3", "1e+0", "1E-0"}) {
    EXPECT_EQ(decimal(one), Decimal(1)) << one;
    EXPECT_EQ(decimal(one).to_string(), "1") << one;
  }
  EXPECT_EQ(decimal("-0"), Decimal());
  EXPECT_EQ(decimal("-0").to_string(), "0");
  EXPECT_EQ(decimal("0e1000").to_string(), "0");
  EXPECT_EQ(decimal("0.1") + decimal("0.9"), Decimal(1));
  EXPECT_EQ(decimal("0.5") - decimal("0.5"), Decimal());
  EXPECT_EQ((decimal("0.5") - decimal("0.5")).to_string(), "0");
}

TEST(Decimal, ASmallDifferenceFarBehindThePointDecidesTheOrder) {
  EXPECT_LT(decimal("0.3"), decimal("0.3") + decimal("1e-1000"));
  EXPECT_GT(decimal("1e1000"), decimal("1e1000") - decimal("1e-1000"));
  EXPECT_LT(decimal("-1"), decimal("-0.9999999999999999999999999"));
}

TEST(Decimal, IntegersComeFromLongs) {
  EXPECT_EQ(Decimal(0).to_string(), "0");
  EXPECT_EQ(Decimal(1200).to_string(), "1200");
  EXPECT_EQ(Decimal(-7).to_string(), "-7");
  EXPECT_EQ(Decimal(std::numeric_limits<long>::min()).to_string(), "-9223372036854775808");
  EXPECT_EQ(Decimal(std::numeric_limits<long>::max()).to_string(), "9223372036854775807");
}

TEST(Decimal, PlainDigitsWhereTheyAreFewAndScientificOtherwise) {
  const std::vector<std::pair<const char*, const char*>> texts = {
      {"0.125", "0.125"},
      {"12.50", "12.5"},
      {".5", "0.5"},
      {"1e6", "1000000"},
      {"1e12", "1000000000000"},
      {"1e13", "1e13"},
      {"25e13", "2.5e14"},
      {"1e-12", "0.000000000001"},
      {"1e-13", "0.0000000000001"},
      {"1e-14", "1e-14"},
      {"1.5e-300", "1.5e-300"},
      {"-1.5e-300", "-1.5e-300"},
      {"123456789012345678901234567890.5", "123456789012345678901234567890.5"},
  };
  for (const auto& [in, out] : texts) EXPECT_EQ(decimal(in).to_string(), out);
}

TEST(Decimal, WhatIsNoDecimalIsRefusedInWords) {
  EXPECT_EQ(refusal("abc"), "number is \"abc\", but must be a decimal number; for example: 0.5, 3 or 1e-9");
  EXPECT_EQ(refusal(""), "number is \"\", but must be a decimal number; for example: 0.5, 3 or 1e-9");
  const std::vector<std::string> texts = {
      ".",  "-",    "+",    "e5",   "1e",    "1e+",   "1e-", "1e+-5", "1e--5", "1e-+5", "1e++5", "1.2.3", "1,5",      "0x10",
      " 1", "1 ",   "1e 5", "--1",  "+-1",   "nan",   "inf", "1/2",   "1e5.0", "1e5e5", "1_000", "1'000", "\xd9\xa1", std::string("1\0", 2),
      "½",  "1e5 ", "-.",   "-e-1", "1e0x1", "1.e.1", "१"};
  for (const std::string& text : texts) {
    const auto value = Decimal::parse(text);
    ASSERT_FALSE(value.ok()) << text << " was accepted as " << value->to_string();
    EXPECT_EQ(value.error().code(), Code::InvalidArgument);
    EXPECT_EQ(value.error().name(), "number");
    EXPECT_EQ(value.error().rule(), "must be a decimal number") << text;
    EXPECT_EQ(value.error().spent(), "nothing was spent");
  }
}

TEST(Decimal, NumbersOfAbsurdLengthAreRefused) {
  const std::string rule = "must be 0 or lie between 1e-1000 and 1e1000 in size, and have at most 4000 digits";
  const std::string nines(4001, '9'), zeros(2000, '0');
  for (const std::string& text :
       {std::string("1e1001"), std::string("1e-1001"), std::string("1e999999999999999999999"), std::string("-1e-99999999999999999999"),
        "1" + zeros, "0." + zeros + "1", "1" + zeros + "e-4000", nines + "e-3500", std::string(8001, '0')}) {
    const auto value = Decimal::parse(text);
    ASSERT_FALSE(value.ok()) << text;
    EXPECT_EQ(value.error().rule(), rule) << text;
  }
  EXPECT_EQ(refusal("1e1001"), "number is \"1e1001\", but " + rule);
  // A long text is shown in part.
  EXPECT_EQ(refusal(nines), "number is \"" + std::string(40, '9') + "...\", but " + rule);
}

TEST(Decimal, TheLongestNumbersAreStillReadBack) {
  const std::string nines(4000, '9'), zeros(2000, '0');
  for (const std::string& text :
       {std::string("1e1000"), "-" + nines.substr(0, 1001), std::string("1e-1000"), nines + "e-3000", nines + "e-4999", "0." + nines,
        "-0.0" + nines, "1" + zeros + "e-2000", "0." + zeros + "1e2000", "1" + zeros + "e-3000"}) {
    const Decimal value = decimal(text);
    EXPECT_EQ(decimal(value.to_string()), value) << text;
  }
}

TEST(Decimal, FromShortestIsWhatAPersonTyped) {
  EXPECT_EQ(*Decimal::from_shortest(0.1), decimal("0.1"));
  EXPECT_EQ(*Decimal::from_shortest(-0.0), Decimal());
  EXPECT_EQ(*Decimal::from_shortest(1e22), decimal("1e22"));
  EXPECT_EQ(*Decimal::from_shortest(5e-324), decimal("5e-324"));
  EXPECT_EQ(*Decimal::from_shortest(1.7976931348623157e308), decimal("1.7976931348623157e308"));
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(Decimal::from_shortest(infinity).error().message(), "number is inf, but must be finite");
  EXPECT_EQ(Decimal::from_shortest(-infinity).error().message(), "number is -inf, but must be finite");
  EXPECT_EQ(Decimal::from_shortest(std::nan("")).error().message(), "number is nan, but must be finite");
}

TEST(Decimal, ApproximateReturnsTheDoubleThatWasWritten) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 20'000; ++i) {
    const double value = std::ldexp(static_cast<double>(static_cast<std::int64_t>(random())), static_cast<int>(random() % 1900) - 1060);
    if (!std::isfinite(value)) continue;
    ASSERT_EQ(Decimal::from_shortest(value)->approximate(), value);
  }
}

TEST(Decimal, ApproximateBeyondTheDoublesIsInfiniteOrZero) {
  EXPECT_EQ(decimal("1e400").approximate(), std::numeric_limits<double>::infinity());
  EXPECT_EQ(decimal("-1e400").approximate(), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(decimal("1e-400").approximate(), 0.0);
  EXPECT_EQ(decimal("-1e-400").approximate(), 0.0);
  EXPECT_EQ(decimal("1e-320").approximate(), 1e-320);
}

TEST(Decimal, ExactRootIsThatOfASquareAndNoOther) {
  for (const char* root : {"0", "1", "0.5", "12", "1e-300", "0.000123456789", "4e7"}) {
    const Decimal value = *Decimal::parse(root);
    ASSERT_TRUE((value * value).exact_root()) << root;
    EXPECT_EQ(*(value * value).exact_root(), value) << root;
  }
  for (const char* no_square : {"2", "0.1", "10", "1e-3", "-4", "0.26"}) EXPECT_FALSE(Decimal::parse(no_square)->exact_root()) << no_square;
}

}  // namespace
}  // namespace tacet
