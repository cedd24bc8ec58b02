#include "tacet/data/moments.h"

#include <charconv>
#include <cmath>
#include <limits>
#include <random>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/schemas/data_path.h"

#include "data/moment_reference.h"
#include "data/test_files.h"
#include "support/allocations.h"
#include "support/declared.h"
#include "support/opened.h"

namespace tacet::data {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

const char* const kPeople = R"(
[columns.height]
lower = 100
upper = 220
resolution = 0.5
missing = 170
missing_values = ["-999"]
[columns.weight]
lower = 0
upper = 200
resolution = 0.1
missing = 100
[columns.treated]
categories = ["yes", "no"]
membership = "public"
[columns.unknown]
)";

Result<Moments> try_moments(const std::string& path, const Schema& schema, const MomentRequest& request, const CountOptions& options = {}) {
  Result<DataFile> file = schemas::open_data(path);
  if (!file.ok()) return std::move(file).error();
  return moments(*file, test::declared(schema), request, options);
}

std::vector<std::string> opened(Result<Moments> result) {
  EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().message());
  if (!result.ok()) return {};
  std::vector<std::string> values;
  for (const Int128 value : test::opened(std::move(result->values))) values.push_back(to_string(value));
  return values;
}

std::vector<std::string> numbers_of(std::initializer_list<long> values) {
  std::vector<std::string> out;
  for (const long value : values) out.push_back(std::to_string(value));
  return out;
}

TEST(Moments, SumsAndProductsOfStepsFromTheCentre) {
  const TestFolder folder;
  folder.write("t.csv", "weight,treated,height\n70.25,yes,180.5\n100,no,\n-5,yes,-999\nheavy,maybe,250\n");
  Result<Moments> result = try_moments(folder.path("t.csv"), schema_with(kPeople), {.columns = {"height", "weight"}});
  ASSERT_TRUE(result.ok()) << result.error().message();
  EXPECT_EQ(result->columns[0].name, "height");
  EXPECT_EQ(result->columns[0].grid.centre(), *Decimal::parse("160"));
  EXPECT_EQ(result->columns[0].grid.resolution(), *Decimal::parse("0.5"));
  EXPECT_EQ(result->columns[0].grid.lowest(), -120);
  EXPECT_EQ(result->columns[0].grid.highest(), 120);
  EXPECT_EQ(result->columns[1].grid.centre(), Decimal(100));
  EXPECT_EQ(result->rows.n, 4);
  EXPECT_FALSE(result->rows.groups.has_value());
  EXPECT_EQ(result->layout.size(), 5U);
  EXPECT_EQ(result->layout.product(0, 0, 1), 3U);
  // height: 41, 20 (missing), 20 (-999 means missing), 120 (beyond); weight: -298 (29.75 below), 0,
  // -1000, 0 (no number).
  EXPECT_EQ(opened(std::move(result)), numbers_of({201, -1298, 41 * 41 + 2 * 400 + 14400, 41 * -298 + 20 * -1000, 298 * 298 + 1000000}));
}

TEST(Moments, CarryTheSharpBoundOfEachCoordinate) {
  const TestFolder folder;
  folder.write("t.csv", "height,weight,treated\n");
  const auto most = [&](const std::string& lines, const MomentRequest& request) {
    Result<Moments> result = try_moments(folder.path("t.csv"), schema_with(lines), request);
    EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().message());
    std::vector<long> bounds;
    for (const Int128 bound : result->values.sensitivity().most) bounds.push_back(static_cast<long>(bound));
    bounds.push_back(static_cast<long>(result->values.sensitivity().groups));
    bounds.push_back(static_cast<long>(result->values.sensitivity().touched));
    return bounds;
  };
  const MomentRequest both{.columns = {"height", "weight"}};
  EXPECT_THAT(most(kPeople, both), ElementsAre(240, 2000, 14400, 240000, 1000000, 1, 1));
  const std::string add_or_remove = under_add_or_remove_one(kPeople);
  EXPECT_THAT(most(add_or_remove, both), ElementsAre(120, 1000, 14400, 120000, 1000000, 1, 1));
  // Off centre: height in [-20, 220], weight in [0, 2000].
  const MomentRequest off{.columns = {"height", "weight"}, .centres = {Decimal(110), Decimal(0)}};
  EXPECT_THAT(most(kPeople, off), ElementsAre(240, 2000, 48400, 240 * 2000, 4000000, 1, 1));
  EXPECT_THAT(most(add_or_remove, off), ElementsAre(220, 2000, 48400, 220 * 2000, 4000000, 1, 1));
  // Three groups: yes, no, other. With public membership a person stays; with private membership
  // two groups change.
  MomentRequest grouped{.columns = {"height"}, .groups = Groups{"treated", Membership::Public}, .counts = true};
  EXPECT_THAT(most(kPeople, grouped), ElementsAre(240, 14400, 240, 14400, 240, 14400, 3, 1));
  grouped.groups->membership = Membership::Private;
  EXPECT_THAT(most(kPeople, grouped), ElementsAre(1, 240, 14400, 1, 240, 14400, 1, 240, 14400, 3, 2));
  EXPECT_THAT(most(add_or_remove, grouped), ElementsAre(1, 120, 14400, 1, 120, 14400, 1, 120, 14400, 3, 1));
  EXPECT_THAT(most(add_or_remove, {.columns = {"height"}, .products = false, .counts = true}), ElementsAre(1, 120, 1, 1));
}

TEST(Moments, GroupsAreThoseOfTheSchema) {
  const TestFolder folder;
  folder.write("t.csv", "height,treated\n161,yes\n162,no\n163,yes\n164,\n165,perhaps\n");
  const Schema schema = schema_with(kPeople);
  Result<Moments> result =
      try_moments(folder.path("t.csv"), schema, {.columns = {"height"}, .groups = Groups{"treated", Membership::Public}});
  ASSERT_TRUE(result.ok());
  EXPECT_THAT(result->rows.groups->labels.value(), ElementsAre("yes", "no", "other"));
  EXPECT_EQ(result->rows.groups->sizes, (std::vector<std::int64_t>{2, 1, 2}));
  EXPECT_EQ(opened(std::move(result)), numbers_of({8, 40, 4, 16, 18, 164}));
  Result<Moments> counted =
      try_moments(folder.path("t.csv"), schema, {.columns = {"height"}, .groups = Groups{"treated", Membership::Private}, .counts = true});
  EXPECT_EQ(counted->rows.n, 5);
  EXPECT_FALSE(counted->rows.groups->sizes.has_value());
  EXPECT_EQ(counted->layout.count(1), 3U);
  EXPECT_EQ(opened(std::move(counted)), numbers_of({2, 8, 40, 1, 4, 16, 2, 18, 164}));
}

TEST(Moments, NumbersOfRowsStayPrivateUnderAddOrRemoveOne) {
  const TestFolder folder;
  folder.write("t.csv", "height,treated\n161,yes\n162,no\n");
  const Schema schema = schema_with(under_add_or_remove_one(kPeople));
  MomentRequest grouped{.columns = {"height"}, .products = false, .groups = Groups{"treated", Membership::Private}, .counts = true};
  Result<Moments> result = try_moments(folder.path("t.csv"), schema, grouped);
  EXPECT_FALSE(result->rows.n.has_value());
  EXPECT_FALSE(result->rows.groups && result->rows.groups->sizes);
  EXPECT_EQ(opened(std::move(result)), numbers_of({1, 2, 1, 4, 0, 0}));
  grouped.groups->membership = Membership::Public;
  EXPECT_EQ(try_moments(folder.path("t.csv"), schema, grouped).error().code(), Code::InvalidArgument);
  EXPECT_EQ(opened(try_moments(folder.path("t.csv"), schema, {.columns = {"height"}, .products = false, .counts = true})),
            numbers_of({2, 6}));
}

TEST(Moments, FilesWithOneRowOrNone) {
  const TestFolder folder;
  write_parquet("SELECT 161.0::DOUBLE AS height LIMIT 0", folder.path("none.parquet"));
  write_parquet("SELECT 161.0::DOUBLE AS height", folder.path("one.parquet"));
  run_duckdb({"CREATE TABLE t (height DOUBLE)"}, folder.path("none.duckdb"));
  run_duckdb({"CREATE TABLE t AS SELECT 161 AS height"}, folder.path("one.duckdb"));
  folder.write("none.csv", "height\n");
  folder.write("one.csv", "height\n161\n");
  for (const std::string kind : {".parquet", ".duckdb", ".csv"}) {
    Result<Moments> none = try_moments(folder.path("none" + kind), schema_with(kPeople), {.columns = {"height"}});
    ASSERT_TRUE(none.ok()) << kind << none.error().message();
    EXPECT_EQ(none->rows.n, 0);
    EXPECT_EQ(opened(std::move(none)), numbers_of({0, 0}));
    EXPECT_EQ(opened(try_moments(folder.path("one" + kind), schema_with(kPeople), {.columns = {"height"}})), numbers_of({2, 4})) << kind;
  }
}

TEST(Moments, EveryNumericTypeIsCounted) {
  const TestFolder folder;
  struct Case {
    const char* type;
    const char* values;  // SQL
    long sum;            // of steps of 0.5 from 0, with bounds of 100 and missing = 1
  };
  const Case cases[] = {
      {"DOUBLE", "(1.26), ('nan'), ('inf'), ('-inf'), (NULL), (5e-324), (1e300)", 3 + 2 + 200 - 200 + 2 + 0 + 200},
      {"FLOAT", "(1.5), ('nan'), ('inf'), (NULL)", 3 + 2 + 200 + 2},
      {"TINYINT", "(-128), (127), (3), (NULL)", -200 + 200 + 6 + 2},
      {"SMALLINT", "(-32768), (3)", -200 + 6},
      {"INTEGER", "(2147483647), (3)", 200 + 6},
      {"BIGINT", "(9223372036854775807), (-3)", 200 - 6},
      {"HUGEINT", "(170141183460469231731687303715884105727), (-7), (NULL)", 200 - 14 + 2},
      {"UTINYINT", "(255), (3)", 200 + 6},
      {"USMALLINT", "(65535), (3)", 200 + 6},
      {"UINTEGER", "(4294967295), (3)", 200 + 6},
      {"UBIGINT", "(18446744073709551615), (3)", 200 + 6},
      {"UHUGEINT", "(340282366920938463463374607431768211455), (3)", 200 + 6},
      {"DECIMAL(4, 1)", "(1.5), (-2.9), (NULL)", 3 - 6 + 2},
      {"DECIMAL(9, 4)", "(1.24), (1.5)", 2 + 3},
      {"DECIMAL(18, 9)", "(1.249999), (99.5)", 2 + 199},
      {"DECIMAL(38, 10)", "(1.5), (-9999999999999999999999999999), (NULL)", 3 - 200 + 2},
      {"BOOLEAN", "(true), (false), (NULL)", 2 + 0 + 2},
      {"VARCHAR", "('1.5'), ('text'), (''), (NULL), ('a text that is longer than twelve bytes'), ('-1e999')", 3 + 2 + 2 + 2 + 2 - 200},
  };
  const Schema schema = schema_with("[columns.c]\nlower = -100\nupper = 100\nresolution = 0.5\nmissing = 1\n");
  int number = 0;
  for (const Case& c : cases) {
    const std::string stem = fmt::format("t{}", ++number);
    run_duckdb({fmt::format("CREATE TABLE t (c {})", c.type), fmt::format("INSERT INTO t VALUES {}", c.values)},
               folder.path(stem + ".duckdb"));
    const MomentRequest request{.columns = {"c"}, .products = false};
    EXPECT_EQ(opened(try_moments(folder.path(stem + ".duckdb"), schema, request)), numbers_of({c.sum})) << c.type;
    run_duckdb({fmt::format("ATTACH '{}' AS d (READ_ONLY)", folder.path(stem + ".duckdb")),
                fmt::format("COPY (FROM d.t) TO '{}' (FORMAT parquet)", folder.path(stem + ".parquet"))});
    EXPECT_EQ(opened(try_moments(folder.path(stem + ".parquet"), schema, request)), numbers_of({c.sum})) << c.type;
  }
}

// Random rows in every kind of file, against sums of the header's formula in GMP: numbers on and
// off the grid, beyond the bounds, missing in every way. What it would catch: a row lost, doubled
// or shifted, a type misread, a product overflowing, a result that depends on threads.
TEST(Moments, AgreeWithBigIntegersInEveryKindOfFileWithAnyNumberOfThreads) {
  const TestFolder folder;
  const Schema schema = schema_with(R"(
[columns.a]
lower = -1
upper = 1
resolution = 1e-7
missing = 0.25
[columns.b]
lower = 0
upper = 1000
resolution = 0.1
missing = 500
[columns.c]
lower = -50
upper = 60000
resolution = 3
missing = 29975
[columns.g]
categories = ["x", "y"]
missing = "missing"
)");
  constexpr std::size_t kRows = 300'000;  // several row groups, so that there is work for several threads
  std::mt19937_64 random(42);
  std::vector<std::vector<double>> rows(3, std::vector<double>(kRows));
  std::vector<std::string> groups(kRows);
  std::string csv = "a,b,c,g\n";
  const auto text = [](double value) {
    if (std::isnan(value)) return std::string();
    char buffer[40];
    return std::string(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
  };
  for (std::size_t i = 0; i < kRows; ++i) {
    const double unit = std::ldexp(static_cast<double>(random() >> 11), -53);
    rows[0][i] = random() % 20 == 0 ? std::numeric_limits<double>::quiet_NaN() : 2.4 * unit - 1.2;
    rows[1][i] = random() % 50 == 0 ? std::numeric_limits<double>::infinity() : static_cast<double>(random() % 11000) / 10;
    rows[2][i] = static_cast<double>(random() % 70000);
    groups[i] = std::vector<std::string>{"x", "y", "z", ""}[random() % 4];
    csv += fmt::format("{},{},{},{}\n", text(rows[0][i]), text(rows[1][i]), text(rows[2][i]), groups[i]);
  }
  folder.write("t.csv", csv);
  const std::string from = fmt::format(
      "SELECT a, b, c::INTEGER AS c, g FROM read_csv('{}', columns = {{'a': 'DOUBLE', 'b': 'DOUBLE', 'c': 'DOUBLE', 'g': 'VARCHAR'}})",
      folder.path("t.csv"));
  write_parquet(from, folder.path("t.parquet"));
  run_duckdb({"CREATE TABLE t AS " + from}, folder.path("t.duckdb"));

  const MomentRequest request{.columns = {"a", "b", "c"}, .groups = Groups{"g", Membership::Private}, .counts = true};
  const Result<Moments> described = try_moments(folder.path("t.csv"), schema, request);
  ASSERT_TRUE(described.ok()) << described.error().message();
  std::vector<mpz_class> expected(described->layout.size());
  const MomentLayout& layout = described->layout;
  for (std::size_t i = 0; i < kRows; ++i) {
    const std::size_t group = groups[i] == "x" ? 0 : groups[i] == "y" ? 1 : groups[i] == "z" ? 2 : 3;
    ++expected[layout.count(group)];
    std::vector<mpz_class> q;
    for (std::size_t j = 0; j < 3; ++j) {
      const Grid& grid = described->columns[j].grid;
      q.push_back(reference_steps(*schema.columns[j].bounds, grid.centre(), grid.slack(), rows[j][i]));
      expected[layout.sum(group, j)] += q[j];
      for (std::size_t k = 0; k <= j; ++k) expected[layout.product(group, k, j)] += q[k] * q[j];
    }
  }
  for (const char* name : {"t.csv", "t.parquet", "t.duckdb"}) {
    for (const unsigned threads : {1U, 2U, 5U}) {
      EXPECT_EQ(opened(try_moments(folder.path(name), schema, request, {.progress = {}, .threads = threads})), texts(expected))
          << name << " " << threads;
    }
  }
  // All rows together are the sum of the groups.
  const std::vector<std::string> all = opened(try_moments(folder.path("t.parquet"), schema, {.columns = {"a", "b", "c"}}));
  for (std::size_t i = 0; i < all.size(); ++i) {
    mpz_class sum = 0;
    for (std::size_t group = 0; group < 4; ++group) sum += expected[layout.sum(group, i)];
    EXPECT_EQ(all[i], sum.get_str());
  }
}

TEST(Moments, ClippedSumsAddTheRowsOfTheClip) {
  const TestFolder folder;
  write_parquet(
      "SELECT * FROM (VALUES (3.0::DOUBLE, 4.0::DOUBLE, 'yes'), (30, 40, 'no'), (NULL, 'nan', 'yes'), ('inf', 0, NULL)) AS t(x, y, "
      "treated)",
      folder.path("t.parquet"));
  folder.write("t.csv", "treated,x,y\nyes,3,4\nno,30,40\nyes,,?\n,inf,0\n");
  const std::string lines =
      "[columns.x]\nlower = -100\nupper = 100\nresolution = 1\nmissing = 0\n[columns.y]\nlower = -100\nupper = 100\nresolution = "
      "1\nmissing = 0\n[columns.treated]\n"
      "categories = [\"yes\", \"no\"]\n";
  const ClipRequest clip{.centre = {0, 0}, .map = {{1, 0}, {0, 1}}, .radius = 10, .steps = 1000};
  for (const char* name : {"t.parquet", "t.csv"}) {
    const DataFile file = *schemas::open_data(folder.path(name));
    Result<ClippedSums> sums = clipped_sums(file, test::declared(schema_with(lines)), {"x", "y"}, clip);
    ASSERT_TRUE(sums.ok()) << sums.error().message();
    EXPECT_EQ(sums->rows.n, 4);
    EXPECT_TRUE(sums->values.sensitivity().l2_squared == 4 * 1000 * 1000);
    EXPECT_EQ(test::opened(std::move(sums->values)), (std::vector<Int128>{300 + 599 + 999, 400 + 799}));
    Result<ClippedSums> grouped = clipped_sums(file, test::declared(schema_with("neighbours = \"add-or-remove-one\"\n" + lines)),
                                               {"x", "y"}, clip, Groups{"treated", Membership::Private});
    ASSERT_TRUE(grouped.ok());
    EXPECT_FALSE(grouped->rows.n.has_value());
    EXPECT_EQ(grouped->count_steps, 1732);  // the root of 3 times 1000, rounded down
    EXPECT_TRUE(grouped->values.sensitivity().l2_squared == 1000 * 1000 + 1732 * 1732);
    EXPECT_EQ(test::opened(std::move(grouped->values)), (std::vector<Int128>{300, 400, 2 * 1732, 599, 799, 1732, 999, 0, 1732}));
  }
}

TEST(Moments, WrongRequestsAreRefusedBeforeAnyRowIsRead) {
  const TestFolder folder;
  folder.write("t.csv", "height,weight,treated\nnot,read,at,all\n");
  const Schema schema =
      schema_with(std::string(kPeople) +
                  "[columns.ghost]\nlower = 0\nupper = 9\nresolution = 1\nmissing = 4.5\n[columns.fine]\nlower = 0\nupper = "
                  "1\nresolution = 1e-9\n");
  const auto error = [&](const MomentRequest& request) {
    const Result<Moments> result = try_moments(folder.path("t.csv"), schema, request);
    EXPECT_FALSE(result.ok());
    EXPECT_EQ(result.error().spent(), "nothing was spent");
    return result.error();
  };
  EXPECT_EQ(error({.columns = {}}).code(), Code::InvalidArgument);
  EXPECT_THAT(error({.columns = {}}).message(), HasSubstr("must name at least one column"));
  for (const char* wrong : {"heigth", "treated", "unknown"}) EXPECT_EQ(error({.columns = {wrong}}).code(), Code::SchemaInvalid) << wrong;
  EXPECT_EQ(error({.columns = std::vector<std::string>(65, "height")}).code(), Code::SchemaInvalid);
  EXPECT_EQ(error({.columns = {"ghost"}}).code(), Code::NotFound);
  EXPECT_THAT(error({.columns = {"ghost"}}).message(), HasSubstr("column \"ghost\", which the schema declares, is not in"));
  EXPECT_THAT(error({.columns = {"fine"}}).message(),
              HasSubstr("column \"fine\" has bounds or a resolution with which it cannot be summed"));
  for (const char* wrong : {"weight", "nobody"})
    EXPECT_EQ(error({.columns = {"height"}, .groups = Groups{wrong, Membership::Public}}).code(), Code::SchemaInvalid) << wrong;
  EXPECT_THAT(error({.columns = {"height"}, .centres = {Decimal(1), Decimal(2)}}).message(),
              HasSubstr("must be one for each of the 1 columns"));
  EXPECT_THAT(error({.columns = {"height"}, .centres = {Decimal(1)}}).message(), HasSubstr("centre is 1, but must lie between the bounds"));
  const DataFile file = *schemas::open_data(folder.path("t.csv"));
  EXPECT_EQ(clipped_sums(file, test::declared(schema), {"treated"}, {.centre = {0}, .map = {{1}}, .radius = 1, .steps = 1}).error().code(),
            Code::SchemaInvalid);
  EXPECT_EQ(clipped_sums(file, test::declared(schema), {"height"}, {.centre = {0}, .map = {{1}}, .radius = 0, .steps = 1}).error().code(),
            Code::InvalidArgument);
}

TEST(Moments, TooManyGroupsAreRefused) {
  const TestFolder folder;
  folder.write("t.csv", "a,h\nc1,0\n");
  std::string categories;
  for (int i = 0; i < 600'000; ++i) categories += fmt::format("\"c{}\",", i);
  const Schema schema = schema_with(fmt::format(
      "[columns.a]\ncategories = [{}]\nmembership = \"public\"\n[columns.h]\nlower = 0\nupper = 1\nresolution = 1\nmissing = 0.5\n",
      categories));
  EXPECT_THAT(try_moments(folder.path("t.csv"), schema, {.columns = {"h"}, .groups = Groups{"a", Membership::Public}}).error().message(),
              HasSubstr("groups is 600001 groups of 2 numbers, but must make at most 1000000 numbers"));
}

TEST(Moments, TypesWithoutNumbersAreRefusedByName) {
  const TestFolder folder;
  write_parquet("SELECT DATE '2024-05-31' AS height, [1.0] AS weight, {'a': 1} AS treated, 1.0 AS fine", folder.path("t.parquet"));
  const Schema schema = schema_with(std::string(kPeople) + "[columns.fine]\nlower = 0\nupper = 9\nresolution = 1\nmissing = 4.5\n");
  for (const char* name : {"height", "weight"}) {
    const Error error = try_moments(folder.path("t.parquet"), schema, {.columns = {name}}).error();
    EXPECT_EQ(error.code(), Code::Unsupported);
    EXPECT_THAT(error.message(), AllOf(HasSubstr(fmt::format("column \"{}\"", name)), HasSubstr("no numbers")));
  }
  const Error group =
      try_moments(folder.path("t.parquet"), schema, {.columns = {"fine"}, .groups = Groups{"treated", Membership::Public}}).error();
  EXPECT_THAT(group.message(), HasSubstr("no agreed text"));
}

// A secret is planted in files that are wrong in every way; it must stand in no error.
TEST(Moments, ErrorsNeverCarryContents) {
  const TestFolder folder;
  std::vector<std::string> paths;
  for (const auto& [name, bytes] : {std::pair{"names.csv", "SECRET,weight\n1,2\n"},
                                    {"header.csv", "height,weight,\"SECRET\n1,2\n"},
                                    {"plain.csv.gz", "height,weight\nSECRET,2\n"},
                                    {"broken.parquet", "PAR1SECRETSECRETSECRETPAR1"},
                                    {"broken.duckdb", "SECRETSECRETSECRET"},
                                    {"empty.csv", ""},
                                    {"empty.parquet", ""}})
    paths.push_back(folder.write(name, bytes));
  // A file that breaks in the middle, after its rows have begun to be read.
  write_parquet("SELECT 'SECRET' || i AS height, i::DOUBLE AS weight FROM range(300000) AS r(i)", folder.path("whole.parquet"));
  std::string bytes = read_bytes(folder.path("whole.parquet"));
  for (std::size_t i = bytes.size() / 3; i < bytes.size() / 2; ++i) bytes[i] = static_cast<char>(bytes[i] ^ 0x5a);
  paths.push_back(folder.write("damaged.parquet", bytes));
  for (const std::string& path : paths) {
    const Result<Moments> result = try_moments(path, schema_with(kPeople), {.columns = {"height", "weight"}});
    ASSERT_FALSE(result.ok()) << path;
    EXPECT_THAT(everything(result.error()), Not(HasSubstr("SECRET"))) << path;
    EXPECT_EQ(result.error().spent(), "nothing was spent");
  }
}

// Height is 170 where it is missing, which is 20 steps from the centre.
TEST(Moments, WhatIsNoNumberIsMissingAndEveryLineIsOnePerson) {
  const TestFolder folder;
  const Schema schema = schema_with(kPeople);
  for (const std::string line :
       {"x,x,yes", "161", "161,x,yes,x", "161,\"x,yes", "\"161\"x,x,yes", "\xff\xff,x,yes", "161\r1,x,yes", "\"", "161,x,\""}) {
    folder.write("t.csv", "height,weight,treated\n163,x,no\n" + line + "\n162,x,no\n");
    Result<Moments> all = try_moments(folder.path("t.csv"), schema, {.columns = {"height"}, .products = false});
    ASSERT_TRUE(all.ok()) << line << all.error().message();
    EXPECT_EQ(all->rows.n, 3) << line;
    EXPECT_EQ(opened(std::move(all)), numbers_of({6 + 20 + 4})) << line;
    const Result<Moments> grouped =
        try_moments(folder.path("t.csv"), schema, {.columns = {"height"}, .groups = Groups{"treated", Membership::Public}});
    ASSERT_TRUE(grouped.ok()) << line;
    const bool readable = line.ends_with(",yes") && line.find('"') == std::string::npos;
    EXPECT_EQ(grouped->rows.groups->sizes, (readable ? std::vector<std::int64_t>{1, 2, 0} : std::vector<std::int64_t>{0, 2, 1})) << line;
  }
}

TEST(Moments, RowsInALongLogOfADuckDbFileCount) {
  const TestFolder folder;
  // The rows of a log are held in memory, more than a scan is given at first.
  run_duckdb({"CREATE TABLE t (height DOUBLE)"}, folder.path("t.duckdb"));
  run_duckdb({"PRAGMA disable_checkpoint_on_shutdown", "SET wal_autocheckpoint = '1TB'",
              "INSERT INTO t SELECT 161 + random() / 1e9 FROM range(8000000)"},
             folder.path("t.duckdb"));
  ASSERT_TRUE(std::filesystem::exists(folder.path("t.duckdb.wal")));
  EXPECT_EQ(opened(try_moments(folder.path("t.duckdb"), schema_with(kPeople), {.columns = {"height"}})), numbers_of({16000000, 32000000}));
}

TEST(Moments, ProgressIsToldOnTheCallersThreadAndChangesNothing) {
  const TestFolder folder;
  std::string csv = "height\n";
  for (int i = 0; i < 5000; ++i) csv += "161\n";
  folder.write("t.csv", csv);
  write_parquet("SELECT 161.0::DOUBLE AS height FROM range(3000000)", folder.path("t.parquet"));
  for (const auto& [name, rows] : {std::pair{"t.csv", 5000L}, {"t.parquet", 3000000L}}) {
    double last = 0;
    const std::thread::id caller = std::this_thread::get_id();
    CountOptions options;
    options.progress.after = options.progress.every = std::chrono::milliseconds(0);
    options.progress.tell = [&](double fraction) {
      EXPECT_EQ(std::this_thread::get_id(), caller);
      EXPECT_LE(last, fraction);
      EXPECT_LE(fraction, 1);
      last = fraction;
    };
    EXPECT_EQ(opened(try_moments(folder.path(name), schema_with(kPeople), {.columns = {"height"}, .products = false}, options)),
              numbers_of({2 * rows}));
  }
}

// Steps of 0.0001 from 500: 2312345 and -1234567, numbers that nothing else in the program holds.
TEST(Moments, LeaveNoExactSumInMemoryThatWasGivenBack) {
  const TestFolder folder;
  folder.write("t.csv", "x\n731.2345\n376.5433\n");
  const Schema schema = schema_with("[columns.x]\nlower = 0\nupper = 1000\nresolution = 0.0001\nmissing = 500\n");
  const Int128 sum = 2312345 - 1234567;
  const Int128 product = Int128{2312345} * 2312345 + Int128{1234567} * 1234567;
  const test::FreedMemory freed;
  {
    Result<Moments> moments = try_moments(folder.path("t.csv"), schema, {.columns = {"x"}});
    ASSERT_TRUE(moments.ok()) << moments.error().message();
  }
  EXPECT_FALSE(freed.holds(&sum, sizeof sum));
  EXPECT_FALSE(freed.holds(&product, sizeof product));
  {
    const std::vector<Int128> planted(2, sum);
  }
  EXPECT_TRUE(freed.holds(&sum, sizeof sum));
}

}  // namespace
}  // namespace tacet::data
