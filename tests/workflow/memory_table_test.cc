#include "tacet/workflow/memory_table.h"

#include <cmath>
#include <limits>
#include <random>
#include <type_traits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/data/scan.h"
#include "tacet/schemas/data_path.h"

#include "data/test_files.h"
#include "workflow/arrow_arrays.h"

namespace tacet {
namespace {

using data::ScanRequest;
using data::Schema;
using data::StoredColumn;
using data::StoredTable;
using data::Sums;
using test::ArrowParts;
using test::BatchShape;
using test::Releases;

const char* const kColumns = R"(
[columns.sex]
categories = ["f", "m"]
[columns.plan]
categories = ["basic", "plus", "é"]
missing = "none"
other = "none"
[columns.age]
lower = 0
upper = 120
resolution = 0.5
missing = 40
missing_values = ["-999"]
[columns.visits]
lower = -5
upper = 100
resolution = 1
missing = 47.5
)";

std::vector<ScanRequest> requests_of_people() {
  return {{.by = {"sex"}},
          {.by = {"plan", "sex"}},
          {.numbers = {"age", "visits"}, .products = true},
          {.numbers = {"visits", "age"}, .by = {"plan"}, .products = true},
          {.numbers = {"age", "visits"},
           .clip = data::ClipRequest{.centre = {60, 10}, .map = {{0.1, 0}, {0, 0.3}}, .radius = 3, .steps = 1 << 20}}};
}

/// All integers that the requests give, as texts.
std::vector<std::string> integers_of(const data::DataSource& source, const data::CountOptions& options = {}) {
  const Schema schema = data::schema_with(kColumns);
  std::vector<std::string> integers;
  for (const ScanRequest& request : requests_of_people()) {
    const Result<Sums> sums = data::scan(source, schema, request, options);
    EXPECT_TRUE(sums.ok()) << (sums.ok() ? "" : sums.error().message());
    if (!sums.ok()) return {};
    for (const std::int64_t rows : sums->totals.rows) integers.push_back(std::to_string(rows));
    for (const Int128 number : sums->totals.numbers) integers.push_back(to_string(number));
  }
  return integers;
}

/// Random rows, in a form from which files, spans and arrays are made.
struct RandomPeople {
  std::vector<std::string> sex, plan;  // "" in a column of texts is not the same as missing
  std::vector<double> age;             // NaN is missing
  std::vector<std::int16_t> visits;
  std::vector<bool> has_sex, has_plan, has_visits;

  explicit RandomPeople(std::size_t rows, unsigned seed) {
    std::mt19937 random(seed);
    const auto pick = [&](const auto& from) { return from[random() % std::size(from)]; };
    const std::string sexes[] = {"f", "m", "x", "F", " m"};
    const std::string plans[] = {"basic", "plus", "é", "longer than twelve bytes", "\xC3"};
    const double ages[] = {-1, 0, 119.75, 121, 1e300, -0.0, -999, std::nan(""), std::numeric_limits<double>::infinity(), 33.3, 0.1};
    const std::int16_t counts[] = {-32768, -6, -5, 0, 1, 99, 100, 101, 32767};
    for (std::size_t i = 0; i < rows; ++i) {
      sex.push_back(pick(sexes));
      plan.push_back(pick(plans));
      age.push_back(random() % 2 == 0 ? pick(ages) : static_cast<double>(random() % 1300) / 10);
      visits.push_back(random() % 2 == 0 ? pick(counts) : static_cast<std::int16_t>(random() % 100));
      has_sex.push_back(random() % 5 != 0);
      has_plan.push_back(random() % 7 != 0);
      has_visits.push_back(random() % 3 != 0);
    }
  }
  std::size_t size() const { return sex.size(); }
};

std::string csv_of(const RandomPeople& people, std::size_t first, std::size_t rows) {
  std::string csv = "sex,plan,age,visits\n";
  for (std::size_t i = first; i < first + rows; ++i) {
    csv += fmt::format("{},{},{},{}\n", people.has_sex[i] ? people.sex[i] : "", people.has_plan[i] ? people.plan[i] : "",
                       std::isnan(people.age[i]) ? "" : fmt::format("{}", people.age[i]),
                       people.has_visits[i] ? fmt::format("{}", people.visits[i]) : "");
  }
  return csv;
}

std::vector<std::string> integers_of_csv(const RandomPeople& people, std::size_t first, std::size_t rows) {
  const data::TestFolder folder;
  return integers_of(*schemas::open_data(folder.write("t.csv", csv_of(people, first, rows))));
}

std::vector<ArrowParts> columns_of(const RandomPeople& people) {
  return {with_missing(test::texts("sex", people.sex), people.has_sex),
          with_missing(test::texts<std::int64_t>("plan", people.plan), people.has_plan), test::numbers("age", "g", people.age),
          with_missing(test::numbers("visits", "s", people.visits), people.has_visits)};
}

Result<MemoryTable> table_of(const std::vector<ArrowParts>& columns, const BatchShape& shape) {
  static Releases released;  // outlives every table
  ArrowSchema schema = test::exported_schema(columns, released);
  ArrowArray batch = test::exported_batch(columns, shape, released);
  return MemoryTable::of_arrow("t", schema, batch);
}

// ---- The same integers as from a file ----

TEST(MemoryTable, SpansGiveTheIntegersOfAFile) {
  for (const std::size_t rows : {std::size_t{0}, std::size_t{1}, std::size_t{7}, std::size_t{5000}}) {
    const RandomPeople people(rows, 1 + static_cast<unsigned>(rows));
    const test::Bytes sex = test::bits_of(people.has_sex), plan = test::bits_of(people.has_plan), visits = test::bits_of(people.has_visits);
    const std::vector<std::string_view> plans(people.plan.begin(), people.plan.end());
    const auto table = MemoryTable::of_columns("t", {{"visits", std::span(people.visits), visits},
                                                     {"sex", std::span(people.sex), sex},  // std::string
                                                     {"plan", std::span(plans), plan},
                                                     {"age", std::span(people.age)}});
    ASSERT_TRUE(table.ok()) << table.error().message();
    EXPECT_EQ(table->source(), "memory:t");
    EXPECT_EQ(integers_of(table->table()), integers_of_csv(people, 0, rows)) << rows;
  }
}

TEST(MemoryTable, ArraysGiveTheIntegersOfAFileHoweverTheyAreSliced) {
  const RandomPeople people(3000, 2);
  for (const auto& [outer, inner] : {std::pair(0, 0), std::pair(0, 1), std::pair(3, 0), std::pair(5, 9), std::pair(1000, 77)}) {
    const std::int64_t length = 3000 - outer - inner;
    std::vector<ArrowParts> columns = columns_of(people);
    for (ArrowParts& column : columns) column = test::sliced(column, inner, 3000 - inner);
    const auto table = table_of(columns, {.length = length, .offset = outer});
    ASSERT_TRUE(table.ok()) << table.error().message();
    EXPECT_EQ(integers_of(table->table()),
              integers_of_csv(people, static_cast<std::size_t>(outer + inner), static_cast<std::size_t>(length)))
        << outer << " " << inner;
  }
}

TEST(MemoryTable, AWrongOffsetOrAForgottenBitmapChangesTheIntegers) {
  const RandomPeople people(3000, 3);
  std::vector<ArrowParts> columns = columns_of(people);
  for (ArrowParts& column : columns) column = test::sliced(column, 100, 2900);
  const MemoryTable right = *table_of(columns, {.length = 2890, .offset = 10});
  const std::vector<std::string> integers = integers_of(right.table());
  for (std::size_t j = 0; j < columns.size(); ++j) {
    for (const std::size_t wrong : {0U, 10U, 100U, 109U}) {
      StoredTable planted = right.table();
      planted.batches[0][j].offset = wrong;
      EXPECT_NE(integers_of(planted), integers) << columns[j].name << " " << wrong;
    }
    StoredTable planted = right.table();
    planted.batches[0][j].validity = nullptr;
    EXPECT_EQ(integers_of(planted) == integers, columns[j].name == "age") << columns[j].name;
  }
}

TEST(MemoryTable, BatchesOfAStreamAddUpWhateverTheirLengths) {
  const RandomPeople people(5000, 4);
  Releases released;
  const std::vector<ArrowParts> columns = columns_of(people);
  std::deque<ArrowArray> batches;
  for (const auto& [begin, end] : {std::pair(0, 1), std::pair(1, 1), std::pair(1, 4096), std::pair(4096, 5000)})
    batches.push_back(test::exported_batch(columns, {.length = end - begin, .offset = begin}, released));
  ArrowArrayStream stream = test::exported_stream(test::exported_schema(columns, released), batches, released);
  {
    const auto table = MemoryTable::of_arrow("t", stream);
    ASSERT_TRUE(table.ok()) << table.error().message();
    EXPECT_EQ(stream.release, nullptr);
    EXPECT_EQ(released.streams, 1);
    EXPECT_EQ(released.schemas, 1);
    EXPECT_EQ(released.arrays, 0);
    for (const unsigned threads : {1U, 2U, 7U})
      EXPECT_EQ(integers_of(table->table(), {.threads = threads}), integers_of_csv(people, 0, 5000));
  }
  EXPECT_EQ(released.arrays, 4);
}

TEST(MemoryTable, AStreamWithoutBatchesHasColumnsAndNoRows) {
  Releases released;
  const RandomPeople nobody(0, 5);
  ArrowArrayStream stream = test::exported_stream(test::exported_schema(columns_of(nobody), released), {}, released);
  const auto table = MemoryTable::of_arrow("t", stream);
  ASSERT_TRUE(table.ok()) << table.error().message();
  EXPECT_EQ(integers_of(table->table()), integers_of_csv(nobody, 0, 0));
}

TEST(MemoryTable, ARowThatIsMissingAsAWholeHasNoValues) {
  RandomPeople people(500, 6);
  std::vector<bool> present;
  for (std::size_t i = 0; i < people.size(); ++i) present.push_back(i % 3 != 1);
  const auto table = table_of(columns_of(people), {.length = 490, .offset = 10, .present = test::bits_of(present), .nulls = -1});
  ASSERT_TRUE(table.ok()) << table.error().message();
  for (std::size_t i = 0; i < people.size(); ++i) {
    if (present[i]) continue;
    people.has_sex[i] = people.has_plan[i] = people.has_visits[i] = false;
    people.age[i] = std::nan("");
  }
  EXPECT_EQ(integers_of(table->table()), integers_of_csv(people, 10, 490));
}

TEST(MemoryTable, FactorsFlagsAndColumnsWithoutValuesAreRead) {
  const ArrowParts levels = test::with_missing(test::texts("", {"f", "m", "12", "unused", "13"}), {true, true, true, false, true});
  for (const bool has_buffers : {false, true}) {
    ArrowParts nulls{"plan", "n", {}, 8, 8};
    nulls.has_buffers = has_buffers;
    const std::vector<ArrowParts> columns{test::coded<std::int8_t>("sex", "c", {0, 1, 2, 3, -1, 5, 0, 1}, levels), nulls,
                                          test::with_missing(test::coded<std::uint32_t>("age", "I", {2, 4, 0, 3, 9, ~0U, 2, 2}, levels),
                                                             {true, true, true, true, true, true, true, false}),
                                          test::flags("visits", {true, false, true, true, false, false, true, true})};
    const auto table = table_of(columns, {.length = 8});
    ASSERT_TRUE(table.ok()) << table.error().message();
    // A position outside of the dictionary is `other`, as a text that is not UTF-8 is in a file; a
    // flag counts 0 or 1.
    const data::TestFolder folder;
    const std::string csv = "sex,plan,age,visits\nf,,12,1\nm,,13,0\nx,,f,1\n,,,1\n\xFF,,\xFF,0\n\xFF,,\xFF,0\nf,,12,1\nm,,,1\n";
    EXPECT_EQ(integers_of(table->table()), integers_of(*schemas::open_data(folder.write("t.csv", csv))));
  }
}

TEST(MemoryTable, EveryNumberTypeCountsAsItsValue) {
  const data::TestFolder folder;
  const std::vector<std::string> expected =
      integers_of(*schemas::open_data(folder.write("t.csv", "sex,plan,age,visits\nf,plus,1,3\nm,basic,0,2\nm,,100,0\n")));
  const ArrowParts sex = test::texts("sex", {"f", "m", "m"});
  const ArrowParts plan = test::with_missing(test::texts("plan", {"plus", "basic", "plus"}), {true, true, false});
  const auto check = [&]<class T>(const char* format, T, int unit) {
    const auto values = [&](std::vector<int> numbers) {
      std::vector<T> out;
      for (const int number : numbers) out.push_back(static_cast<T>(number * unit));
      return out;
    };
    const auto table = table_of(
        {sex, plan, test::numbers("age", format, values({1, 0, 100})), test::numbers("visits", format, values({3, 2, 0}))}, {.length = 3});
    ASSERT_TRUE(table.ok()) << table.error().message();
    EXPECT_EQ(integers_of(table->table()), expected) << format;
  };
  check("c", std::int8_t(), 1);
  check("C", std::uint8_t(), 1);
  check("s", std::int16_t(), 1);
  check("S", std::uint16_t(), 1);
  check("i", std::int32_t(), 1);
  check("I", std::uint32_t(), 1);
  check("l", std::int64_t(), 1);
  check("L", std::uint64_t(), 1);
  check("g", double(), 1);
  check("d:9,3", Int128(), 1000);
  check("d:38,0,128", Int128(), 1);
}

// ---- Whose it is ----

TEST(MemoryTable, ABatchIsReleasedOnceWithTheLastCopyOfItsTable) {
  const std::vector<ArrowParts> columns = columns_of(RandomPeople(10, 7));
  Releases released;
  ArrowSchema schema = test::exported_schema(columns, released);
  ArrowArray batch = test::exported_batch(columns, {.length = 10}, released);
  std::optional<MemoryTable> last;
  {
    const auto table = MemoryTable::of_arrow("t", schema, batch);
    ASSERT_TRUE(table.ok());
    EXPECT_EQ(schema.release, nullptr);
    EXPECT_EQ(batch.release, nullptr);
    EXPECT_EQ(released.schemas, 1);
    const MemoryTable copy = *table;
    last = copy;
  }
  EXPECT_EQ(released.arrays, 0);
  EXPECT_EQ(integers_of(last->table()).empty(), false);
  last.reset();
  EXPECT_EQ(released.arrays, 1);
  EXPECT_EQ(released.schemas, 1);
  // What was taken is not taken again.
  EXPECT_EQ(MemoryTable::of_arrow("t", schema, batch).error().message(),
            "data is \"memory:t\", but must not have been released; export it anew");
  ArrowArrayStream gone{};
  EXPECT_EQ(MemoryTable::of_arrow("t", gone).error().message(), "data is \"memory:t\", but must not have been released; export it anew");
}

TEST(MemoryTable, WhatIsRefusedIsReleasedOnceAllTheSame) {
  const std::vector<ArrowParts> columns = columns_of(RandomPeople(10, 8));
  Releases released;
  ArrowSchema schema = test::exported_schema(columns, released, "+l");
  ArrowArray batch = test::exported_batch(columns, {.length = 10}, released);
  EXPECT_FALSE(MemoryTable::of_arrow("t", schema, batch).ok());
  EXPECT_EQ(released.schemas, 1);
  EXPECT_EQ(released.arrays, 1);

  std::deque<ArrowArray> batches{test::exported_batch(columns, {.length = 10}, released),
                                 test::exported_batch(columns, {.length = -1}, released)};
  ArrowArrayStream bad = test::exported_stream(test::exported_schema(columns, released), batches, released);
  EXPECT_FALSE(MemoryTable::of_arrow("t", bad).ok());
  EXPECT_EQ(released.schemas, 2);
  EXPECT_EQ(released.arrays, 3);
  EXPECT_EQ(released.streams, 1);
}

TEST(MemoryTable, AStreamThatFailsIsRefusedInWordsThatTellNothingOfIt) {
  const std::vector<ArrowParts> columns = columns_of(RandomPeople(10, 9));
  Releases released;
  ArrowArrayStream stream = test::exported_stream(test::exported_schema(columns, released),
                                                  {test::exported_batch(columns, {.length = 10}, released)}, released, true);
  const Error error = MemoryTable::of_arrow("t", stream).error();
  EXPECT_EQ(error.code(), Code::DataUnreadable);
  EXPECT_EQ(error.message(), "the stream of \"memory:t\" failed before its end; ask the library that made the stream");
  EXPECT_EQ(released.schemas, 1);
  EXPECT_EQ(released.arrays, 1);
  EXPECT_EQ(released.streams, 1);

  ArrowArrayStream without_schema = test::exported_stream({}, {}, released);
  without_schema.get_schema = [](ArrowArrayStream*, ArrowSchema*) { return 22; };
  EXPECT_EQ(MemoryTable::of_arrow("t", without_schema).error().message(), error.message());
  EXPECT_EQ(released.streams, 2);
}

// ---- What is refused ----

TEST(MemoryTable, HasANameThatTermsCanHold) {
  const std::vector<double> ages{1};
  EXPECT_EQ(MemoryTable::of_columns("", {{"age", std::span(ages)}}).error().message(),
            "the name of a table in memory is \"\", but must be text in UTF-8, not empty, on one line and without control "
            "characters; for example: survey, whose source is memory:survey in the terms of a budget");
  for (const char* name : {"a\nb", "\x7f", "\xFF", "a\u009B", "\u202Efdp", "a\u2066b"})
    EXPECT_EQ(MemoryTable::of_columns(name, {{"age", std::span(ages)}}).error().code(), Code::InvalidArgument);
  EXPECT_EQ(MemoryTable::of_columns("über uns\u2030", {{"age", std::span(ages)}})->source(), "memory:über uns\u2030");
}

TEST(MemoryTable, HasColumnsOfOneLength) {
  const std::vector<double> three{1, 2, 3}, two{1, 2};
  const test::Bytes none;
  const test::Bytes bits{0xFF};
  const std::vector<double> nine(9);
  EXPECT_EQ(MemoryTable::of_columns("t", {}).error().message(),
            "data is \"memory:t\", but must have at least one column; for example: {{\"age\", std::span(ages)}}");
  EXPECT_EQ(MemoryTable::of_columns("t", {{"a", std::span(three)}, {"b", std::span(two)}}).error().message(),
            "data is \"memory:t\", but must have columns of one length, but column \"b\" has another; give a value for every row; NaN is a "
            "missing "
            "number");
  EXPECT_TRUE(MemoryTable::of_columns("t", {{"a", std::span(three), bits}}).ok());
  EXPECT_EQ(
      MemoryTable::of_columns("t", {{"a", std::span(nine), bits}}).error().message(),
      "data is \"memory:t\", but must tell which rows are missing for every row of column \"a\"; give a bit for every row, in bytes, the "
      "lowest bit first");
}

TEST(MemoryTable, SpansHoldOnlyWhatIsReadAsItIs) {
  // A std::string is not a std::string_view in memory, and const char* is neither.
  using Column = MemoryTable::Column;
  static_assert(std::is_constructible_v<Column, std::string, std::span<const double>>);
  static_assert(std::is_constructible_v<Column, std::string, std::span<bool>>);
  static_assert(std::is_constructible_v<Column, std::string, std::span<std::string>>);
  static_assert(!std::is_constructible_v<Column, std::string, std::span<const char*>>);
  static_assert(!std::is_constructible_v<Column, std::string, std::span<char>>);
  static_assert(!std::is_constructible_v<Column, std::string, std::span<long double>>);
  static_assert(!std::is_constructible_v<Column, std::string, std::span<std::vector<char>>>);
  const bool flags[] = {true, false, true};
  const auto table = MemoryTable::of_columns("t", {{"visits", std::span(flags)}});
  const Result<Sums> sums = data::scan(table->table(), data::schema_with(kColumns), {.numbers = {"visits"}}, {});
  ASSERT_TRUE(sums.ok());
  EXPECT_EQ(sums->people(), 3);
}

std::string refusal_of_arrow(const std::vector<ArrowParts>& columns, const BatchShape& shape) {
  const auto table = table_of(columns, shape);
  EXPECT_FALSE(table.ok());
  if (table.ok()) return {};
  EXPECT_EQ(table.error().code(), Code::InvalidArgument);
  const std::string message = table.error().message();
  const std::string follow = "; the library that made it must follow Arrow's C data interface";
  return message.ends_with(follow) ? message.substr(0, message.size() - follow.size()) : message;
}

TEST(MemoryTable, ATypeWithoutAnAgreedTextIsRefused) {
  for (const char* format : {"tsu:UTC", "+l", "z", "d:9,-2", "d:50,2,256", "d:9,x", "d:", "", "e", "u "}) {
    EXPECT_EQ(refusal_of_arrow({{"when", format, {std::nullopt, test::Bytes(8)}, 1}}, {.length = 1}),
              fmt::format(
                  "the format of column \"when\" of \"memory:t\" is \"{}\", but must be bool, an integer, float, double, text in UTF-8, a "
                  "date in days, a decimal of 128 bits, null or a dictionary of texts; leave the column out, or convert it first",
                  format));
  }
  const ArrowParts numbers = test::numbers<std::int64_t>("", "l", {1, 2});
  EXPECT_EQ(
      refusal_of_arrow({test::coded<std::int8_t>("x", "c", {0, 1}, numbers)}, {.length = 2}),
      "the dictionary of column \"x\" of \"memory:t\" is \"l\", but must hold texts, and the column integers; convert the column to the "
      "values of its dictionary first");
  ArrowParts doubled = test::texts("", {"a"});
  doubled.dictionary = std::make_shared<ArrowParts>(test::texts("", {"a"}));
  EXPECT_THAT(refusal_of_arrow({test::coded<std::int8_t>("x", "c", {0}, doubled)}, {.length = 1}),
              ::testing::StartsWith("the dictionary of"));
  EXPECT_THAT(refusal_of_arrow({test::coded<double>("x", "g", {0}, test::texts("", {"a"}))}, {.length = 1}),
              ::testing::StartsWith("the dictionary of"));
}

TEST(MemoryTable, AStructureThatLiesIsRefusedBeforeARowIsRead) {
  const ArrowParts age = test::numbers<double>("age", "g", {1, 2, 3});
  const auto with = [&](const auto& change) {
    ArrowParts column = age;
    change(column);
    return column;
  };
  const std::string column = "column \"age\" of \"memory:t\" is malformed, but ";
  EXPECT_EQ(refusal_of_arrow({with([](ArrowParts& c) { c.length = -1; })}, {.length = 3}),
            column + "must have a length and an offset that are not negative");
  EXPECT_EQ(refusal_of_arrow({with([](ArrowParts& c) { c.offset = -1; })}, {.length = 3}),
            column + "must have a length and an offset that are not negative");
  EXPECT_EQ(refusal_of_arrow({with([](ArrowParts& c) { c.offset = INT64_MAX; })}, {.length = 3}),
            column + "must have a length and an offset that are not negative");
  EXPECT_EQ(refusal_of_arrow({with([](ArrowParts& c) { c.children = 1; })}, {.length = 3}), column + "must have no columns inside");
  EXPECT_EQ(refusal_of_arrow({with([](ArrowParts& c) { c.buffers[1].reset(); })}, {.length = 3}), column + "must have values");
  EXPECT_EQ(refusal_of_arrow({with([](ArrowParts& c) { c.nulls = 1; })}, {.length = 3}), column + "must tell which rows are missing");
  EXPECT_EQ(refusal_of_arrow({with([](ArrowParts& c) { c.buffers.pop_back(); })}, {.length = 3}),
            "the number of buffers of column \"age\" of \"memory:t\" is 1, but must be 2");
  EXPECT_EQ(refusal_of_arrow({with([](ArrowParts& c) { c.has_buffers = false; })}, {.length = 3}),
            "the number of buffers of column \"age\" of \"memory:t\" is 0, but must be 2");
  EXPECT_EQ(refusal_of_arrow({{"age", "n", {}, std::int64_t{1} << 40}}, {.length = 3}),
            column + "must have at most 2^31 rows without values");

  ArrowParts views{"age", "vu", {std::nullopt, test::Bytes(16)}, 1};
  EXPECT_EQ(refusal_of_arrow({views}, {.length = 1}),
            "the number of buffers of column \"age\" of \"memory:t\" is 2, but must be at least 3");
  views.buffers = {std::nullopt, test::Bytes(16), test::Bytes(4), std::nullopt};
  EXPECT_EQ(refusal_of_arrow({views}, {.length = 1}), column + "must have all buffers of bytes, and their sizes");
  views.buffers = {std::nullopt, test::Bytes(16), test::Bytes(4), test::bytes_of<std::int64_t>({-4})};
  EXPECT_EQ(refusal_of_arrow({views}, {.length = 1}), column + "must have all buffers of bytes, and their sizes");
}

TEST(MemoryTable, ABatchThatLiesIsRefused) {
  const ArrowParts age = test::numbers<double>("age", "g", {1, 2, 3});
  const std::string data = "data is \"memory:t\", but ";
  EXPECT_EQ(refusal_of_arrow({age}, {.length = -1}), data + "must have batches whose length and offset are not negative");
  EXPECT_EQ(refusal_of_arrow({age}, {.length = 1, .offset = -1}), data + "must have batches whose length and offset are not negative");
  EXPECT_EQ(refusal_of_arrow({age}, {.length = 4}), data + "must have columns as long as their batch, but column \"age\" is shorter");
  EXPECT_EQ(refusal_of_arrow({age}, {.length = 3, .offset = 1}),
            data + "must have columns as long as their batch, but column \"age\" is shorter");
  EXPECT_EQ(refusal_of_arrow({age}, {.length = 3, .nulls = 1}), data + "must have batches that tell which rows are missing");

  Releases released;
  const std::string schema = data + "must be a struct (format +s) of at least one column; export a record batch or a table, not one column";
  ArrowSchema one = test::exported_schema({age}, released, "g");
  ArrowArray batch = test::exported_batch({age}, {.length = 3}, released);
  EXPECT_EQ(MemoryTable::of_arrow("t", one, batch).error().message(), schema);
  ArrowSchema none = test::exported_schema({}, released);
  batch = test::exported_batch({}, {.length = 3}, released);
  EXPECT_EQ(MemoryTable::of_arrow("t", none, batch).error().message(), schema);
  ArrowSchema two = test::exported_schema({age, age}, released);
  batch = test::exported_batch({age}, {.length = 3}, released);
  EXPECT_THAT(MemoryTable::of_arrow("t", two, batch).error().message(),
              ::testing::StartsWith(data + "must have as many columns in every batch as in its schema"));
  ArrowSchema gap = test::exported_schema({age}, released);
  gap.children[0]->release = nullptr;
  batch = test::exported_batch({age}, {.length = 3}, released);
  EXPECT_THAT(MemoryTable::of_arrow("t", gap, batch).error().message(), ::testing::StartsWith(data + "must have a schema for each column"));
  ArrowSchema whole = test::exported_schema({age}, released);
  batch = test::exported_batch({age}, {.length = 3}, released);
  batch.children[0]->release = nullptr;
  EXPECT_THAT(MemoryTable::of_arrow("t", whole, batch).error().message(), ::testing::HasSubstr("but must not have been released"));
  ArrowSchema factor = test::exported_schema({test::coded<std::int8_t>("x", "c", {0}, test::texts("", {"a"}))}, released);
  batch = test::exported_batch({test::numbers<std::int8_t>("x", "c", {0})}, {.length = 1}, released);
  EXPECT_THAT(MemoryTable::of_arrow("t", factor, batch).error().message(),
              ::testing::HasSubstr("must have its dictionary in its schema and in its array"));
}

TEST(MemoryTable, TextsWhoseOffsetsLieAreNotRead) {
  ArrowParts sex = test::texts("sex", {"f", "m", "f", "m"});
  sex.buffers[1] =
      test::bytes_of<std::int32_t>({0, 1, 900, -7, 4});  // the second goes beyond the last, the third and fourth back and below
  ArrowParts plan = test::texts("plan", {"plus", "plus", "plus", "plus"});
  plan.buffers[2].reset();
  const auto table = table_of({sex, plan}, {.length = 4});
  ASSERT_TRUE(table.ok()) << table.error().message();
  const Schema schema = data::schema_with(kColumns);
  EXPECT_EQ(data::scan(table->table(), schema, {.by = {"sex"}}, {})->totals.rows, (std::vector<std::int64_t>{1, 0, 3}));
  EXPECT_EQ(data::scan(table->table(), schema, {.by = {"plan"}}, {})->totals.rows, (std::vector<std::int64_t>{0, 0, 0, 4}));
}

}  // namespace
}  // namespace tacet
