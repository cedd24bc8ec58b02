#include "tacet/data/stored_column.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <duckdb.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tacet/base/wide.h"

#include "data/special_doubles.h"

namespace tacet::data {
namespace {

TEST(ReadNumber, DeclaredSeparatorsEncloseGroupsOfThreeDigits) {
  const NumberText english{.thousands = ','};
  for (const auto& [text, value] : std::vector<std::pair<const char*, double>>{
           {"1,234", 1234}, {"-12,345,678.5", -12345678.5}, {"12", 12}, {"1234567", 1234567}, {"+1,000e2", 100000}, {" 1,000 ", 1000}})
    EXPECT_EQ(read_number(text, english), value) << text;
  for (const char* text : {"1,23", "1,2345", ",123", "-,123", "1,,234", "1,234,", "1.5,000", "1,234,56", "1e1,000", ""})
    EXPECT_TRUE(std::isnan(read_number(text, english))) << text;
  const NumberText german{.thousands = '.', .decimal = ','};
  EXPECT_EQ(read_number("1.234,5", german), 1234.5);
  EXPECT_EQ(read_number("0,25", german), 0.25);
  EXPECT_TRUE(std::isnan(read_number("1.5", german)));  // would be fifteen, or one and a half
  EXPECT_TRUE(std::isnan(read_number("1.5", NumberText{.decimal = ','})));
  EXPECT_EQ(read_number("1 234,5", NumberText{.thousands = ' ', .decimal = ','}), 1234.5);
}

TEST(ReadNumber, ADeclaredUnitMayFollow) {
  const NumberText dose{.unit = "mg"};
  EXPECT_EQ(read_number("12 mg", dose), 12);
  EXPECT_EQ(read_number("12mg ", dose), 12);
  EXPECT_EQ(read_number("12", dose), 12);
  for (const char* text : {"12 g", "mg", "12 mg mg", "mg 12"}) EXPECT_TRUE(std::isnan(read_number(text, dose))) << text;
}

TEST(ReadNumber, DatesAreDaysSince1970) {
  const NumberText dates{.date = true};
  EXPECT_EQ(read_number("1970-01-02", dates), 1);
  EXPECT_EQ(read_number("2024-02-29", dates), 19782);
  EXPECT_EQ(read_number("1969-12-31T23:59", dates), -1);
  EXPECT_EQ(read_number("2024-05-31 12:00:00", dates), 19874);
  for (const char* text : {"2023-02-29", "2024-13-01", "2024-1-1", "31.05.2024", "20240531", "2024-05-31x", "-024-05-31", "+024-05-31", ""})
    EXPECT_TRUE(std::isnan(read_number(text, dates))) << text;
  const std::array<Date, 2> stored{Date{19782}, Date{-1}};
  std::array<double, 2> buffer{};
  (void)read_numbers({.kind = Date{}, .values = stored.data(), .rows = 2}, 0, 2, {}, buffer.data(), dates);
  EXPECT_EQ(buffer, (std::array<double, 2>{19782, -1}));
}

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
std::vector<double> read_column(const std::vector<T>& values, const std::vector<double>& missing = {}, const void* validity = nullptr,
                                std::uint8_t scale = 0) {
  std::vector<double> buffer(values.size());
  const StoredColumn column{
      .kind = T{}, .scale = scale, .values = values.data(), .validity = static_cast<const std::uint8_t*>(validity), .rows = values.size()};
  const double* const numbers = read_numbers(column, 0, values.size(), missing, buffer.data());
  return {numbers, numbers + values.size()};
}

TEST(ReadNumbers, EveryTypeIsReadAsTheNearestDouble) {
  const Int128 huge = Int128{1} << 100;
  EXPECT_EQ(read_column<std::int8_t>({-128, 127}), (std::vector<double>{-128, 127}));
  EXPECT_EQ(read_column<std::uint8_t>({255}), (std::vector<double>{255}));
  EXPECT_EQ(read_column<std::int16_t>({-32768}), (std::vector<double>{-32768}));
  EXPECT_EQ(read_column<std::uint16_t>({65535}), (std::vector<double>{65535}));
  EXPECT_EQ(read_column<std::int32_t>({INT32_MIN}), (std::vector<double>{-2147483648.0}));
  EXPECT_EQ(read_column<std::uint32_t>({UINT32_MAX}), (std::vector<double>{4294967295.0}));
  EXPECT_EQ(read_column<std::int64_t>({INT64_MAX, INT64_MIN}), (std::vector<double>{0x1p63, -0x1p63}));
  EXPECT_EQ(read_column<std::uint64_t>({UINT64_MAX}), (std::vector<double>{0x1p64}));
  EXPECT_EQ(read_column<Int128>({huge, -huge, 7}), (std::vector<double>{0x1p100, -0x1p100, 7}));
  EXPECT_EQ(read_column<UInt128>({~UInt128{0}}), (std::vector<double>{0x1p128}));
  EXPECT_EQ(read_column<std::uint8_t>({0, 1}), (std::vector<double>{0, 1}));
  EXPECT_EQ(read_column<float>({0.5F, 0.1F}), (std::vector<double>{0.5, static_cast<double>(0.1F)}));
  EXPECT_EQ(read_column<double>({0.1, -kInfinity}), (std::vector<double>{0.1, -kInfinity}));
  EXPECT_EQ(read_column<std::int16_t>({-12345, 10}, {}, nullptr, 2), (std::vector<double>{-123.45, 0.1}));
  EXPECT_EQ(read_column<std::int32_t>({1}, {}, nullptr, 9), (std::vector<double>{1e-9}));
  EXPECT_EQ(read_column<std::int64_t>({100000000000000001}, {}, nullptr, 18), (std::vector<double>{0.100000000000000001}));
  EXPECT_EQ(read_column<Int128>({Int128{3}}, {}, nullptr, 38), (std::vector<double>{3e-38}));
  EXPECT_EQ(read_column<Int128>({-huge}), (std::vector<double>{-0x1p100}));
}

TEST(ReadNumbers, NullsAndNumbersThatMeanMissingAreNaN) {
  const std::uint64_t validity = 0b101;
  const std::vector<double> some = read_column<double>({1, 2, -999}, {-999}, &validity);
  EXPECT_EQ(some[0], 1);
  EXPECT_TRUE(std::isnan(some[1]));
  EXPECT_TRUE(std::isnan(some[2]));
  EXPECT_TRUE(std::isnan(read_column<std::int64_t>({INT64_MAX}, {9223372036854775807.0})[0]));
  EXPECT_TRUE(std::isnan(read_column<float>({0.1F}, {0.1})[0]));
  EXPECT_EQ(read_column<std::int32_t>({-998}, {-999})[0], -998);
}

// A value that another thread changes meanwhile is then one value, whatever it is.
TEST(ReadNumbers, DoublesAreReadOnce) {
  const std::vector<double> values{1, 2, 3};
  std::vector<double> buffer(3);
  EXPECT_EQ(read_numbers({.kind = double(), .values = values.data(), .rows = 3}, 0, 3, {}, buffer.data()), buffer.data());
  EXPECT_EQ(buffer, values);
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

// ---- Texts, with DuckDB as the referee ----

void append(duckdb_appender appender, double value) { ASSERT_EQ(duckdb_append_double(appender, value), DuckDBSuccess); }
void append(duckdb_appender appender, float value) { ASSERT_EQ(duckdb_append_float(appender, value), DuckDBSuccess); }
void append(duckdb_appender appender, bool value) { ASSERT_EQ(duckdb_append_bool(appender, value), DuckDBSuccess); }
void append(duckdb_appender appender, std::int8_t value) { ASSERT_EQ(duckdb_append_int8(appender, value), DuckDBSuccess); }
void append(duckdb_appender appender, std::int64_t value) { ASSERT_EQ(duckdb_append_int64(appender, value), DuckDBSuccess); }
void append(duckdb_appender appender, std::uint64_t value) { ASSERT_EQ(duckdb_append_uint64(appender, value), DuckDBSuccess); }
void append(duckdb_appender appender, Date value) { ASSERT_EQ(duckdb_append_date(appender, {value.day}), DuckDBSuccess); }
void append(duckdb_appender appender, Int128 value) {
  ASSERT_EQ(duckdb_append_hugeint(appender, {static_cast<std::uint64_t>(value), static_cast<std::int64_t>(value >> 64)}), DuckDBSuccess);
}

/// The text that DuckDB casts each value of a column of that type to.
template <class T>
std::vector<std::string> cast_to_text(const std::vector<T>& values, const std::string& type, const std::string& cast = "x") {
  duckdb_database database = nullptr;
  duckdb_connection connection = nullptr;
  duckdb_appender appender = nullptr;
  duckdb_result result{};
  EXPECT_EQ(duckdb_open(nullptr, &database), DuckDBSuccess);
  EXPECT_EQ(duckdb_connect(database, &connection), DuckDBSuccess);
  EXPECT_EQ(duckdb_query(connection, fmt::format("CREATE TABLE t(x {})", type).c_str(), nullptr), DuckDBSuccess);
  EXPECT_EQ(duckdb_appender_create(connection, nullptr, "t", &appender), DuckDBSuccess);
  for (const T value : values) {
    append(appender, value);
    EXPECT_EQ(duckdb_appender_end_row(appender), DuckDBSuccess);
  }
  EXPECT_EQ(duckdb_appender_destroy(&appender), DuckDBSuccess);
  EXPECT_EQ(duckdb_query(connection, fmt::format("SELECT CAST({} AS VARCHAR) FROM t", cast).c_str(), &result), DuckDBSuccess);
  std::vector<std::string> texts;
  while (duckdb_data_chunk chunk = duckdb_fetch_chunk(result)) {
    auto* const stored = static_cast<duckdb_string_t*>(duckdb_vector_get_data(duckdb_data_chunk_get_vector(chunk, 0)));
    for (idx_t row = 0; row < duckdb_data_chunk_get_size(chunk); ++row)
      texts.emplace_back(duckdb_string_t_data(&stored[row]), duckdb_string_t_length(stored[row]));
    duckdb_destroy_data_chunk(&chunk);
  }
  duckdb_destroy_result(&result);
  duckdb_disconnect(&connection);
  duckdb_close(&database);
  return texts;
}

template <class T>
std::vector<std::string> texts_of(const std::vector<T>& values, std::uint8_t scale = 0) {
  const StoredColumn column{.kind = T{}, .scale = scale, .values = values.data(), .rows = values.size()};
  std::vector<std::string> texts;
  std::string buffer;
  for (std::size_t row = 0; row < values.size(); ++row) texts.emplace_back(text_of(column, row, buffer).value());
  return texts;
}

/// Numbers with every exponent, and those where the notation changes.
template <class Float, class Bits>
std::vector<Float> floats() {
  std::vector<Float> values{0, -0.0, 1, -1, 0.1F, static_cast<Float>(0.1), static_cast<Float>(1) / 3, 100, 1.5, 123456};
  for (int power = -45; power <= 38; ++power) values.push_back(static_cast<Float>(std::pow(10.0, power)));
  for (const Float value : {std::numeric_limits<Float>::max(), std::numeric_limits<Float>::min(), std::numeric_limits<Float>::denorm_min(),
                            std::numeric_limits<Float>::infinity(), std::numeric_limits<Float>::quiet_NaN()}) {
    values.push_back(value);
    values.push_back(-value);
  }
  std::mt19937_64 bits(1);
  for (int i = 0; i < 20'000; ++i) values.push_back(std::bit_cast<Float>(static_cast<Bits>(bits())));
  std::uniform_real_distribution<double> usual(-1e6, 1e6);
  for (int i = 0; i < 5'000; ++i) values.push_back(static_cast<Float>(std::round(usual(bits) * 100) / 100));
  return values;
}

/// The pairs that differ, some of them.
std::vector<std::string> differences(const std::vector<std::string>& ours, const std::vector<std::string>& theirs) {
  EXPECT_EQ(ours.size(), theirs.size());
  std::vector<std::string> found;
  for (std::size_t i = 0; i < std::min(ours.size(), theirs.size()) && found.size() < 20; ++i) {
    if (ours[i] != theirs[i]) found.push_back(ours[i] + ", not " + theirs[i]);
  }
  return found;
}

TEST(TextOf, FloatingPointNumbersHaveTheTextThatDuckDbCastsThemTo) {
  const auto doubles = floats<double, std::uint64_t>();
  EXPECT_EQ(differences(texts_of(doubles), cast_to_text(doubles, "DOUBLE")), std::vector<std::string>());
}

TEST(TextOf, SinglesOfUpToSevenDigitsHaveTheTextThatDuckDbCastsThemTo) {
  std::mt19937_64 random(2);
  std::vector<float> singles{
      0, -0.0F, 0.1F, 1e22F, -1, 16777216, 1e-5F, std::numeric_limits<float>::infinity(), -std::nanf(""), std::nanf("")};
  for (int i = 0; i < 50'000; ++i) {
    const auto digits = static_cast<double>(random() % 10'000'000);
    const auto value = static_cast<float>(digits / std::pow(10.0, static_cast<double>(random() % 8)));
    if (value < 16777216 && value > 1e-5F) singles.push_back(random() % 2 == 0 ? value : -value);
  }
  EXPECT_EQ(differences(texts_of(singles), cast_to_text(singles, "FLOAT")), std::vector<std::string>());
}

TEST(TextOf, EverySingleHasTheShortestTextThatIsReadAsItself) {
  // Where DuckDB sometimes writes more digits: 33317.6875, 407489984.0.
  EXPECT_EQ(texts_of<float>({33317.6875F, 407489984}), (std::vector<std::string>{"33317.688", "407490000.0"}));
  for (const float value : floats<float, std::uint32_t>()) {
    const std::string text = texts_of<float>({value})[0];
    EXPECT_TRUE(std::isnan(value) || static_cast<float>(read_number(text)) == value) << text;
  }
}

TEST(TextOf, TheOtherTypesHaveTheTextThatDuckDbCastsThemTo) {
  EXPECT_EQ(texts_of<std::int8_t>({-128, 0, 127}), cast_to_text<std::int8_t>({-128, 0, 127}, "TINYINT"));
  const std::vector<std::int64_t> wide{INT64_MIN, -1, 0, INT64_MAX};
  EXPECT_EQ(texts_of(wide), cast_to_text(wide, "BIGINT"));
  EXPECT_EQ(texts_of<std::uint64_t>({0, UINT64_MAX}), cast_to_text<std::uint64_t>({0, UINT64_MAX}, "UBIGINT"));
  const std::unique_ptr<bool[]> flags(new bool[2]{false, true});
  const StoredColumn flag{.kind = bool{}, .values = flags.get(), .rows = 2};
  std::string buffer;
  EXPECT_EQ(text_of(flag, 1, buffer), cast_to_text<bool>({true}, "BOOLEAN")[0]);
  EXPECT_EQ(text_of(flag, 0, buffer), cast_to_text<bool>({false}, "BOOLEAN")[0]);
  const std::vector<Date> days{{0}, {-1}, {19'874}, {-719'162}, {2'932'896}, {-25'509}};
  EXPECT_EQ(texts_of(days), cast_to_text(days, "DATE"));
  EXPECT_EQ(texts_of<Date>({{-719'163}, {2'932'897}, {INT32_MIN}, {INT32_MAX}}), std::vector<std::string>(4, std::string(kNoText)));
  std::vector<Int128> integers{0, 5, -5, 99, -100, 12345, -1234567};
  Int128 nines = 0;
  for (int digit = 0; digit < 38; ++digit) nines = nines * 10 + 9;
  integers.insert(integers.end(), {nines, -nines});
  EXPECT_EQ(texts_of(integers), cast_to_text(integers, "HUGEINT"));
  const std::vector<Int128> smaller{0, 5, -5, 99, -100, 12345, -1234567};
  for (const int scale : {1, 2, 5, 20}) {
    const std::string unit = fmt::format("CAST('1e-{}' AS DECIMAL(38, {}))", scale, scale);
    EXPECT_EQ(texts_of(smaller, static_cast<std::uint8_t>(scale)),
              cast_to_text(smaller, "HUGEINT", fmt::format("CAST(CAST(x AS DECIMAL(18, 0)) * {} AS DECIMAL(38, {}))", unit, scale)))
        << scale;
  }
}

TEST(TextOf, WhatPointsNowhereHasNoText) {
  const std::string bytes = "abcdef";
  const std::vector<std::string_view> block{bytes};
  const std::vector<std::int32_t> offsets{0, 2, 1, 7, -1, 3, 3, 6, 6};
  const StoredColumn texts{.kind = Text<std::int32_t>{}, .values = offsets.data(), .rows = 8, .blocks = block};
  std::string buffer;
  std::vector<std::string> read;
  for (std::size_t row = 0; row < texts.rows; ++row) read.emplace_back(*text_of(texts, row, buffer));
  const std::string none(kNoText);
  EXPECT_EQ(read, (std::vector<std::string>{"ab", none, none, none, none, "", "def", ""}));

  const std::vector<std::int16_t> positions{0, 7, 8, -1, 6};
  const StoredColumn coded{.kind = std::int16_t{}, .values = positions.data(), .rows = 5, .dictionary = &texts};
  read.clear();
  for (std::size_t row = 0; row < coded.rows; ++row) read.emplace_back(*text_of(coded, row, buffer));
  EXPECT_EQ(read, (std::vector<std::string>{"ab", "", none, none, "def"}));
  std::vector<double> numbers(5);
  (void)read_numbers(coded, 0, 5, {}, numbers.data());
  for (const double number : numbers) EXPECT_TRUE(std::isnan(number));

  const std::string longer = "thirteen bytes";
  const std::vector<std::string_view> blocks{longer};
  std::vector<View> views{
      {3, 0, 0, 0}, {14, 0, 0, 0}, {14, 0, 0, 1}, {13, 0, 1, 0}, {13, 0, -1, 0}, {-1, 0, 0, 0}, {INT32_MAX, 0, 0, INT32_MAX}, {0, 0, 9, 9}};
  std::memcpy(&views[0].prefix, "xyz", 3);
  const StoredColumn viewed{.kind = View{}, .values = views.data(), .rows = views.size(), .blocks = blocks};
  read.clear();
  for (std::size_t row = 0; row < viewed.rows; ++row) read.emplace_back(*text_of(viewed, row, buffer));
  EXPECT_EQ(read, (std::vector<std::string>{"xyz", "thirteen bytes", none, none, none, none, none, ""}));
}

}  // namespace
}  // namespace tacet::data
