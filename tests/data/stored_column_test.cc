#include "tacet/data/stored_column.h"

#include <cmath>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "tacet/base/wide.h"

namespace tacet::data {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(ReadNumber, ReadsWhatPeopleWriteAsNumbers) {
  EXPECT_EQ(read_number("12.5"), 12.5);
  EXPECT_EQ(read_number("-0.1"), -0.1);
  EXPECT_EQ(read_number("+7"), 7);
  EXPECT_EQ(read_number("\t 3e2 "), 300);
  EXPECT_EQ(read_number(".5"), 0.5);
  EXPECT_EQ(read_number("5."), 5);
  EXPECT_EQ(read_number("1E-3"), 0.001);
  EXPECT_EQ(read_number("5e-324"), 5e-324);
  EXPECT_EQ(read_number("0.1000000000000000055511151231257827021181583404541015625"), 0.1);
  EXPECT_EQ(read_number("9007199254740993"), 9007199254740992.0);
  EXPECT_EQ(read_number("inf"), kInfinity);
  EXPECT_EQ(read_number("-Infinity"), -kInfinity);
  EXPECT_EQ(read_number("+INF"), kInfinity);
}

TEST(ReadNumber, NumbersBeyondTheRangeOfDoublesAreInfiniteOrZero) {
  EXPECT_EQ(read_number("1e400"), kInfinity);
  EXPECT_EQ(read_number("-1e99999999999999999999"), -kInfinity);
  EXPECT_EQ(read_number(std::string(400, '9')), kInfinity);
  EXPECT_EQ(read_number("0" + std::string(400, '9') + ".5"), kInfinity);
  EXPECT_EQ(read_number("1e-400"), 0);
  EXPECT_EQ(read_number("0." + std::string(400, '0') + "1"), 0);
  EXPECT_EQ(read_number("-0." + std::string(400, '0') + "1"), 0);
  EXPECT_EQ(read_number("0." + std::string(400, '0') + "1e800"), kInfinity);
  EXPECT_EQ(read_number("1" + std::string(400, '0') + "e-800"), 0);
  EXPECT_EQ(read_number("0e99999"), 0);
}

TEST(ReadNumber, WhatIsNoNumberIsMissing) {
  for (const char* text :
       {"", " ", "NA", "12 mg", "1,5", "1.2.3", "0x1F", "--1", "+-1", "1e", "e5", ".", "-", "+", "nan", "NaN", "-nan", "1_000", "１"})
    EXPECT_TRUE(std::isnan(read_number(text))) << text;
  EXPECT_TRUE(std::isnan(read_number(std::string_view("1\0", 2))));
}

template <class T>
std::vector<double> read(const std::vector<T>& values, const std::vector<double>& missing = {}, const void* validity = nullptr,
                         std::uint8_t scale = 0) {
  std::vector<double> buffer(values.size());
  const StoredColumn column{
      .kind = T{}, .scale = scale, .values = values.data(), .validity = static_cast<const std::uint8_t*>(validity), .rows = values.size()};
  const double* const numbers = read_numbers(column, 0, values.size(), missing, buffer.data());
  return {numbers, numbers + values.size()};
}

TEST(ReadNumbers, EveryTypeIsReadAsTheNearestDouble) {
  const Int128 huge = Int128{1} << 100;
  EXPECT_EQ(read<std::int8_t>({-128, 127}), (std::vector<double>{-128, 127}));
  EXPECT_EQ(read<std::uint8_t>({255}), (std::vector<double>{255}));
  EXPECT_EQ(read<std::int16_t>({-32768}), (std::vector<double>{-32768}));
  EXPECT_EQ(read<std::uint16_t>({65535}), (std::vector<double>{65535}));
  EXPECT_EQ(read<std::int32_t>({INT32_MIN}), (std::vector<double>{-2147483648.0}));
  EXPECT_EQ(read<std::uint32_t>({UINT32_MAX}), (std::vector<double>{4294967295.0}));
  EXPECT_EQ(read<std::int64_t>({INT64_MAX, INT64_MIN}), (std::vector<double>{0x1p63, -0x1p63}));
  EXPECT_EQ(read<std::uint64_t>({UINT64_MAX}), (std::vector<double>{0x1p64}));
  EXPECT_EQ(read<Int128>({huge, -huge, 7}), (std::vector<double>{0x1p100, -0x1p100, 7}));
  EXPECT_EQ(read<UInt128>({~UInt128{0}}), (std::vector<double>{0x1p128}));
  EXPECT_EQ(read<std::uint8_t>({0, 1}), (std::vector<double>{0, 1}));
  EXPECT_EQ(read<float>({0.5F, 0.1F}), (std::vector<double>{0.5, static_cast<double>(0.1F)}));
  EXPECT_EQ(read<double>({0.1, -kInfinity}), (std::vector<double>{0.1, -kInfinity}));
  EXPECT_EQ(read<std::int16_t>({-12345, 10}, {}, nullptr, 2), (std::vector<double>{-123.45, 0.1}));
  EXPECT_EQ(read<std::int32_t>({1}, {}, nullptr, 9), (std::vector<double>{1e-9}));
  EXPECT_EQ(read<std::int64_t>({100000000000000001}, {}, nullptr, 18), (std::vector<double>{0.100000000000000001}));
  EXPECT_EQ(read<Int128>({Int128{3}}, {}, nullptr, 38), (std::vector<double>{3e-38}));
  EXPECT_EQ(read<Int128>({-huge}), (std::vector<double>{-0x1p100}));
}

TEST(ReadNumbers, NullsAndNumbersThatMeanMissingAreNaN) {
  const std::uint64_t validity = 0b101;
  const std::vector<double> some = read<double>({1, 2, -999}, {-999}, &validity);
  EXPECT_EQ(some[0], 1);
  EXPECT_TRUE(std::isnan(some[1]));
  EXPECT_TRUE(std::isnan(some[2]));
  EXPECT_TRUE(std::isnan(read<std::int64_t>({INT64_MAX}, {9223372036854775807.0})[0]));
  EXPECT_TRUE(std::isnan(read<float>({0.1F}, {0.1})[0]));
  EXPECT_EQ(read<std::int32_t>({-998}, {-999})[0], -998);
}

TEST(ReadNumbers, DoublesWithoutNullAreNotCopied) {
  const double values[] = {1, 2, 3};
  double buffer[3] = {};
  EXPECT_EQ(read_numbers({.kind = double(), .values = values}, 1, 2, {}, buffer), values + 1);
}

TEST(ReadNumbers, StretchesBeginAnywhere) {
  const std::vector<std::int32_t> values{1, 2, 3, 4};
  const std::uint64_t validity = 0b0111;
  double buffer[2] = {};
  const double* const numbers = read_numbers(
      {.kind = std::int32_t(), .values = values.data(), .validity = reinterpret_cast<const std::uint8_t*>(&validity)}, 2, 2, {}, buffer);
  EXPECT_EQ(numbers[0], 3);
  EXPECT_TRUE(std::isnan(numbers[1]));

  const std::vector<double> many(300, 1);
  const std::vector<std::uint64_t> bits{~0ULL, 0x8000000000000001ULL, 0, 0xAAAAAAAAAAAAAAAAULL, 0xF};
  for (std::size_t begin = 0; begin < many.size(); begin += 7) {
    for (const std::size_t count :
         {std::size_t{0}, std::size_t{1}, std::size_t{63}, std::size_t{64}, std::size_t{65}, many.size() - begin}) {
      if (begin + count > many.size()) continue;
      std::vector<double> out(count + 1, 5);
      read_numbers({.kind = double(), .values = many.data(), .validity = reinterpret_cast<const std::uint8_t*>(bits.data())}, begin, count,
                   {}, out.data());
      for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(std::isnan(out[i]), ((bits[(begin + i) / 64] >> ((begin + i) % 64)) & 1U) == 0);
      EXPECT_EQ(out[count], 5);
    }
  }
}

}  // namespace
}  // namespace tacet::data
