#include "tacet/data/counts.h"

#include <zlib.h>

#include <algorithm>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/schemas/data_path.h"
#include "tacet/schemas/row_condition.h"

#include "data/test_files.h"
#include "support/declared.h"
#include "support/opened.h"

namespace tacet::data {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

const char* const kTwoColumns = R"(
[columns.smoking]
categories = ["never", "former", "current"]
missing = "missing"
missing_values = ["?"]
[columns.disease]
categories = ["no", "yes"]
)";

const char* const kRows =
    "SELECT * FROM (VALUES ('never', 'no'), ('never', 'no'), ('former', 'yes'), (NULL, 'yes'), ('?', NULL), ('pipe', 'maybe'), ('current', "
    "'no'), "
    "('', 'yes')) AS t(smoking, disease)";

void gzip(const std::string& from, const std::string& to) {
  const std::string bytes = read_bytes(from);
  gzFile out = gzopen(to.c_str(), "wb");
  gzwrite(out, bytes.data(), static_cast<unsigned>(bytes.size()));
  gzclose(out);
}

TEST(Counts, EveryRowFallsInExactlyOneCell) {
  const TestFolder folder;
  write_parquet(kRows, folder.path("t.parquet"));
  const Schema schema = schema_with(kTwoColumns);
  Result<CountTable> table = try_count(folder.path("t.parquet"), schema, {"smoking", "disease"});
  ASSERT_TRUE(table.ok()) << table.error().message();
  ASSERT_EQ(table->axes.size(), 2U);
  EXPECT_EQ(table->axes[0].column, "smoking");
  EXPECT_THAT(table->axes[0].labels.value(), ElementsAre("never", "former", "current", "other", "missing"));
  EXPECT_THAT(table->axes[1].labels.value(), ElementsAre("no", "yes", "other"));
  EXPECT_EQ(table->n, 8);
  EXPECT_EQ(table->counts.sensitivity().relation.kind(), kernel::Relation::ReplaceOne);
  EXPECT_EQ(table->counts.sensitivity().l1, 2);
  EXPECT_EQ(table->counts.sensitivity().l2_squared, 2);
  EXPECT_THAT(test::opened(std::move(table->counts)), ElementsAre(2, 0, 0, 0, 1, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1));
  EXPECT_EQ(counted(folder.path("t.parquet"), schema, {"disease"}), (Counts{3, 3, 2}));
  EXPECT_EQ(counted(folder.path("t.parquet"), schema, {"disease", "smoking"}), (Counts{2, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 0, 1, 1}));
}

TEST(Counts, SizesOfPublicGroupsArePublicIfEveryRowCounts) {
  const TestFolder folder;
  const std::string path = folder.write("t.csv", "arm,ill\na,no\nb,no\na,yes\n,yes\nc,no\na,no\n");
  const std::string lines =
      "[columns.arm]\ncategories = [\"a\", \"b\"]\nmembership = \"public\"\n[columns.ill]\ncategories = [\"no\", \"yes\"]\n";
  const Schema schema = schema_with(lines);
  for (const std::vector<std::string>& by : {std::vector<std::string>{"arm", "ill"}, {"ill", "arm"}, {"arm"}}) {
    const Result<CountTable> table = try_count(path, schema, by);
    ASSERT_TRUE(table.ok()) << table.error().message();
    for (const Axis& axis : table->axes) {
      EXPECT_EQ(axis.sizes.has_value(), axis.column == "arm");
      if (!axis.sizes) continue;
      // Other and missing values are cells of their own.
      ASSERT_EQ(axis.labels.value().size(), axis.sizes->value().size());
      EXPECT_EQ(axis.sizes->value()[0], 3);
      EXPECT_EQ(axis.sizes->value()[1], 1);
    }
  }
  EXPECT_FALSE(try_count(path, schema_with(under_add_or_remove_one(lines)), {"arm"})->axes[0].sizes);
  const auto file = schemas::open_data(path);
  const RowFilter ill = schemas::parse_condition(schema, "ill = yes")->filter;
  const auto some = count(*file, test::declared(schema), {.by = {"arm"}, .where = ill});
  ASSERT_TRUE(some.ok()) << some.error().message();
  EXPECT_FALSE(some->axes[0].sizes) << "how many of a group are ill is private";
}

TEST(Counts, TheNumberOfRowsStaysPrivateUnderAddOrRemoveOne) {
  const TestFolder folder;
  write_parquet(kRows, folder.path("t.parquet"));
  const Schema schema = schema_with(std::string("neighbours = \"add-or-remove-one\"\n") + kTwoColumns);
  const Result<CountTable> table = try_count(folder.path("t.parquet"), schema, {"smoking"});
  EXPECT_FALSE(table->n.has_value());
  EXPECT_EQ(table->counts.sensitivity().relation.kind(), kernel::Relation::AddOrRemoveOne);
  EXPECT_EQ(table->counts.sensitivity().l1, 1);
  EXPECT_EQ(table->counts.sensitivity().l2_squared, 1);
}

const char* const kAge = R"(
[columns.who]
[columns.age]
lower = 0
upper = 100
resolution = 1
)";

Bins tens() {
  Bins bins{"age", {}};
  for (long edge = 0; edge <= 100; edge += 10) bins.edges.emplace_back(edge);
  return bins;
}

CountTable histogram_of(const std::string& rows, const std::string& more, std::size_t branching,
                        const std::optional<Contributions>& contributions = {}, CountUnit unit = CountUnit::People) {
  const TestFolder folder;
  write_parquet("SELECT * FROM (VALUES " + rows + ") AS t(who, age)", folder.path("t.parquet"));
  Schema schema = schema_with(more + kAge);
  schema.contributions = contributions;
  return *count(*schemas::open_data(folder.path("t.parquet")), test::declared(schema),
                {.by = {"age"}, .bins = {tens()}, .unit = unit, .branching = branching});
}

TEST(Counts, SumsOfAHistogramFollowItsBins) {
  const std::string rows = "('a', 5), ('b', 15), ('c', 15), ('d', 95), ('e', NULL), ('f', 200), ('g', 42)";
  CountTable table = histogram_of(rows, "", 3);
  EXPECT_EQ(table.axes[0].labels.value().size(), 11U);
  EXPECT_EQ(table.n, 7);
  // 10 bins and the missing; 4 sums of three bins; 2 of nine.
  EXPECT_THAT(test::opened(std::move(table.counts)), ElementsAre(1, 2, 0, 0, 1, 0, 0, 0, 0, 2, 1, 3, 1, 0, 2, 4, 2));
  EXPECT_THAT(sum_widths(10, 3), ElementsAre(3, 9));
  EXPECT_THAT(sum_widths(9, 3), ElementsAre(3));
  EXPECT_TRUE(sum_widths(9, 9).empty());
  EXPECT_TRUE(sum_widths(9, 1).empty());
  EXPECT_TRUE(sum_widths(9, 0).empty());
}

// The fold guesses the bin of a number as if bins were equally wide.
TEST(Counts, NumbersFallIntoTheirBinsHoweverWideTheseAre) {
  const char* const kWide = "[columns.age]\nlower = -50\nupper = 100\nresolution = 0.125\n";
  const std::vector<std::vector<const char*>> cuts = {
      {"0"},
      {"0", "50"},
      {"-49.875", "-49.75", "99"},
      {"0", "0.125", "64", "64.125", "64.25", "99.75", "99.875"},
      {"-49", "-40", "-39.875", "-39.75", "-20", "0", "7", "7.5", "8", "8.5", "9", "9.5", "10", "10.5", "11", "90"},
      {"-49.9", "-49.8", "-49.7", "-49.6", "-49.5", "-49.4", "-49.3", "-49.2", "-49.1", "-49", "-48.9", "-48.8", "-48.7", "-48.6"}};
  const TestFolder folder;
  write_parquet(
      "SELECT CASE WHEN i = 2000 THEN NULL WHEN i = 2001 THEN 'NaN'::DOUBLE ELSE -60 + i * 0.1::DOUBLE END AS age FROM range(2002) AS r(i)",
      folder.path("t.parquet"));
  const Schema schema = schema_with(kWide);
  for (const auto& inner : cuts) {
    Bins bins{"age", {Decimal(-50)}};
    for (const char* cut : inner) bins.edges.push_back(*Decimal::parse(cut));
    bins.edges.emplace_back(100);
    Counts expected(inner.size() + 2);
    for (int i = 0; i < 2000; ++i) {
      const double value = std::min(std::max(-60 + i * 0.1, -50.0), 100.0);
      ++expected[static_cast<std::size_t>(
          std::count_if(inner.begin(), inner.end(), [&](const char* cut) { return std::stod(cut) <= value; }))];
    }
    expected.back() = 2;
    auto table = count(*schemas::open_data(folder.path("t.parquet")), test::declared(schema), {.by = {"age"}, .bins = {bins}});
    ASSERT_TRUE(table.ok()) << table.error().message();
    EXPECT_EQ(test::opened(std::move(table->counts)), expected) << inner.size();
  }
}

/// The changes between two files, each at most what was sealed; the largest are attained.
void expect_within(CountTable first, CountTable second, std::int64_t l1, std::int64_t l2_squared) {
  const kernel::Sensitivity sealed = first.counts.sensitivity();
  const Counts a = test::opened(std::move(first.counts));
  const Counts b = test::opened(std::move(second.counts));
  std::int64_t absolute = 0;
  std::int64_t squared = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    absolute += std::abs(a[i] - b[i]);
    squared += (a[i] - b[i]) * (a[i] - b[i]);
  }
  EXPECT_EQ(absolute, l1);
  EXPECT_EQ(squared, l2_squared);
  EXPECT_LE(absolute, sealed.l1);
  EXPECT_LE(squared, sealed.l2_squared);
}

TEST(Counts, AHistogramIsSealedWithTheSensitivityOfAllItsLevels) {
  const std::string others = "('a', 5), ('b', 15)";
  const kernel::Sensitivity replaced = histogram_of(others, "", 3).counts.sensitivity();
  EXPECT_EQ(replaced.l1, 6);
  EXPECT_EQ(replaced.l2_squared, 6);
  expect_within(histogram_of(others + ", ('c', 5)", "", 3), histogram_of(others + ", ('c', 99)", "", 3), 6, 6);
  // A missing number is in no sum.
  expect_within(histogram_of(others + ", ('c', 5)", "", 3), histogram_of(others + ", ('c', NULL)", "", 3), 4, 4);
  const std::string added = "neighbours = \"add-or-remove-one\"\n";
  EXPECT_EQ(histogram_of(others, added, 3).counts.sensitivity().l1, 3);
  expect_within(histogram_of(others + ", ('c', 5)", added, 3), histogram_of(others, added, 3), 3, 3);
}

// A person with three rows in different bins is three times in the sum that holds them: 9 at each
// level of sums, where one who is in each cell once would have 3.
TEST(Counts, APersonWithManyRowsMovesTheSumsOfAHistogramByNoMoreThanTheBound) {
  const std::string added = "neighbours = \"add-or-remove-one\"\n";
  const Contributions three{"who", 3, {}};
  const std::string others = "('a', 5), ('b', 15)";
  for (const CountUnit unit : {CountUnit::People, CountUnit::Rows}) {
    const std::string many = others + ", ('c', 5), ('c', 15), ('c', 25), ('c', 5), ('c', 15), ('c', 35), ('c', 25)";
    CountTable with = histogram_of(many, added, 3, three, unit);
    EXPECT_EQ(with.counts.sensitivity().l1, 9);
    EXPECT_EQ(with.counts.sensitivity().l2_squared, unit == CountUnit::People ? 3 + 9 + 9 : 9 + 9 + 9);
    const kernel::Sensitivity sealed = with.counts.sensitivity();
    const Counts a = test::opened(std::move(with.counts));
    const Counts b = test::opened(histogram_of(others, added, 3, three, unit).counts);
    std::int64_t squared = 0;
    for (std::size_t i = 0; i < a.size(); ++i) squared += (a[i] - b[i]) * (a[i] - b[i]);
    EXPECT_GT(squared, 0);
    EXPECT_LE(squared, sealed.l2_squared);
  }
}

TEST(Counts, EveryKindOfFileGivesTheSameTable) {
  const TestFolder folder;
  write_parquet(kRows, folder.path("t.parquet"));
  run_duckdb({fmt::format("CREATE TABLE people AS {}", kRows)}, folder.path("t.duckdb"));
  const std::string rows =
      "extra,disease,smoking\n1,no,never\n2,no,never\n3,yes,former\n4,yes,\n5,,?\n6,maybe,pipe\n7,no,current\n8,yes,\"\"\n";
  folder.write("t.csv", rows);
  gzip(folder.path("t.csv"), folder.path("t.csv.gz"));
  std::string tabs = rows;
  std::replace(tabs.begin(), tabs.end(), ',', '\t');
  folder.write("t.tsv", tabs);
  const Schema schema = schema_with(kTwoColumns);
  for (const char* name : {"t.parquet", "t.duckdb", "t.csv", "t.csv.gz", "t.tsv"}) {
    EXPECT_EQ(counted(folder.path(name), schema, {"smoking", "disease"}), (Counts{2, 0, 0, 0, 1, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1})) << name;
  }
}

TEST(Counts, CategoriesAreFoundAsProgramsWriteThem) {
  // A column of doubles writes 1 as 1.0, and a spreadsheet pads fields: neither may become "other"
  // as a whole.
  const TestFolder folder;
  const std::string rows = "SELECT CAST(x AS DOUBLE) AS stage FROM (VALUES (1), (1), (2), (NULL), (7), (-9)) AS t(x)";
  write_parquet(rows, folder.path("t.parquet"));
  run_duckdb({fmt::format("CREATE TABLE people AS {}", rows)}, folder.path("t.duckdb"));
  folder.write("t.csv", "stage,x\n1.0,\n 1 ,\n\"2.0\t\",\n,\n7.0,\n-9.0,\n");
  const Schema schema = schema_with("[columns.stage]\ncategories = [1, 2]\nmissing = \"missing\"\nmissing_values = [\"-9\"]\n");
  for (const char* name : {"t.parquet", "t.duckdb", "t.csv"}) {
    EXPECT_EQ(counted(folder.path(name), schema, {"stage"}), (Counts{2, 1, 1, 2})) << name;
  }
}

TEST(Counts, FilesWithoutRowsHaveZeroCounts) {
  const TestFolder folder;
  write_parquet(std::string(kRows) + " LIMIT 0", folder.path("t.parquet"));
  run_duckdb({"CREATE TABLE people (smoking VARCHAR, disease VARCHAR)"}, folder.path("t.duckdb"));
  folder.write("t.csv", "smoking,disease\n");
  folder.write("u.csv", "smoking,disease");
  for (const char* name : {"t.parquet", "t.duckdb", "t.csv", "u.csv"}) {
    const Result<CountTable> table = try_count(folder.path(name), schema_with(kTwoColumns), {"disease"});
    ASSERT_TRUE(table.ok()) << name << table.error().message();
    EXPECT_EQ(table->n, 0) << name;
    EXPECT_EQ(counted(folder.path(name), schema_with(kTwoColumns), {"disease"}), (Counts{0, 0, 0})) << name;
  }
}

TEST(Counts, CsvFilesWithoutHeaderTakeTheirNamesFromTheSchema) {
  const TestFolder folder;
  folder.write("t.csv", "never,no\nformer,yes\n");
  const Schema schema = schema_with(std::string(kTwoColumns) + "[csv]\nheader = false\n");
  EXPECT_EQ(counted(folder.path("t.csv"), schema, {"disease"}), (Counts{1, 1, 0}));
  folder.write("empty.csv", "");
  EXPECT_EQ(counted(folder.path("empty.csv"), schema, {"disease"}), (Counts{0, 0, 0}));
  folder.write("wide.csv", "never,no,7\n");
  EXPECT_EQ(counted(folder.path("wide.csv"), schema, {"disease"}), (Counts{0, 0, 1}));  // a misfit is a person all the same
}

TEST(Counts, ValuesOfCsvFilesAreTextAndNotSniffed) {
  const TestFolder folder;
  // Read as numbers, 01 and +1 would be 1 as 1.0 is; read as dates or booleans, other texts would
  // merge.
  folder.write("t.csv", "c\n1\n01\n1.0\n+1\n1 \nTRUE\ntrue\nNULL\nnull\n2024-01-01\n2024-1-1\n");
  const Schema schema = schema_with("[columns.c]\ncategories = [1, true, \"2024-01-01\"]\n");
  EXPECT_EQ(counted(folder.path("t.csv"), schema, {"c"}), (Counts{3, 1, 1, 6}));
}

TEST(Counts, OtherTypesAreComparedByTheirText) {
  const TestFolder folder;
  struct Case {
    const char* type;
    const char* values;  // SQL
    const char* category;
    Counts expected;  // the category, other
  };
  const Case cases[] = {
      {"INTEGER", "(1), (2), (NULL)", "1", {1, 2}},
      {"UTINYINT", "(7), (7)", "7", {2, 0}},
      {"HUGEINT", "(170141183460469231731687303715884105727)", "170141183460469231731687303715884105727", {1, 0}},
      {"BOOLEAN", "(true), (false), (NULL)", "true", {1, 2}},
      {"DOUBLE", "('nan'), ('inf'), (1.5), (NULL), ('-0.0')", "nan", {1, 4}},
      {"DOUBLE", "(1.5), (1)", "1.0", {1, 1}},
      {"DECIMAL(9, 2)", "(1.5), (2.25)", "1.50", {1, 1}},
      {"DATE", "('2024-05-31'), ('infinity')", "2024-05-31", {1, 1}},
      {"TIMESTAMP", "('2024-05-31 01:02:03')", "2024-05-31 01:02:03", {1, 0}},
      {"TIMESTAMPTZ", "('2024-05-31 01:02:03+02')", "2024-05-30 23:02:03+00", {1, 0}},
      {"UUID", "('00000000-0000-0000-0000-000000000001')", "00000000-0000-0000-0000-000000000001", {1, 0}},
      {"BLOB", "('abc'), ('\\xFF')", "abc", {1, 1}},
      {"VARCHAR", "('é'), ('e'), ('E')", "é", {1, 2}},
      {"ENUM('lo', 'hi')", "('lo'), ('hi'), (NULL)", "lo", {1, 2}},
      {"TIME", "('01:02:03')", "01:02:03", {1, 0}},
      {"INTERVAL", "(INTERVAL 1 DAY)", "1 day", {1, 0}},
      {"BIT", "('101')", "101", {1, 0}},
  };
  int number = 0;
  for (const Case& c : cases) {
    const std::string stem = fmt::format("t{}", ++number);
    run_duckdb({fmt::format("CREATE TABLE t (c {})", c.type), fmt::format("INSERT INTO t VALUES {}", c.values)},
               folder.path(stem + ".duckdb"));
    const Schema schema = schema_with(fmt::format("[columns.c]\ncategories = [\"{}\"]\n", c.category));
    EXPECT_EQ(counted(folder.path(stem + ".duckdb"), schema, {"c"}), c.expected) << c.type;
    if (std::string(c.type) == "BIT" || std::string(c.type) == "HUGEINT") continue;  // Parquet has no such types
    run_duckdb({fmt::format("ATTACH '{}' AS d (READ_ONLY)", folder.path(stem + ".duckdb")),
                fmt::format("COPY (FROM d.t) TO '{}' (FORMAT parquet)", folder.path(stem + ".parquet"))});
    EXPECT_EQ(counted(folder.path(stem + ".parquet"), schema, {"c"}), c.expected) << c.type;
  }
}

TEST(Counts, NestedTypesAreRefusedByName) {
  const TestFolder folder;
  write_parquet("SELECT [1, 2] AS l, {'a': 1} AS s, MAP {'k': 1} AS m, 'x' AS c", folder.path("t.parquet"));
  const Schema schema = schema_with(
      "[columns.l]\ncategories = [\"x\"]\n[columns.s]\ncategories = [\"x\"]\n[columns.m]\ncategories = [\"x\"]\n[columns.c]\ncategories = "
      "[\"x\"]\n");
  for (const char* name : {"l", "s", "m"}) {
    const Error error = try_count(folder.path("t.parquet"), schema, {name}).error();
    EXPECT_EQ(error.code(), Code::Unsupported);
    EXPECT_THAT(error.message(), AllOf(HasSubstr(fmt::format("column \"{}\"", name)), HasSubstr("no agreed text")));
  }
  EXPECT_EQ(counted(folder.path("t.parquet"), schema, {"c"}), (Counts{1, 0}));
}

TEST(Counts, AnyNameOfColumnFileAndCategoryWorks) {
  const TestFolder folder;
  const std::vector<std::string> odd{"a\"b",
                                     "semi;colon",
                                     "quote's",
                                     "größe 日本",
                                     "line\nbreak",
                                     "back\\slash",
                                     "*",
                                     "?",
                                     "[x]",
                                     "{a,b}",
                                     "100%s",
                                     "-dash",
                                     " space ",
                                     "a.b",
                                     "select",
                                     "c1",
                                     "",
                                     "$1 :x ?",
                                     "-- comment",
                                     "/* c */",
                                     "tab\t",
                                     "'; DROP TABLE t; --"};
  std::string select;
  std::string header;
  for (std::size_t i = 0; i < odd.size(); ++i) {
    if (odd[i].empty()) continue;  // SQL has no empty name; CSV has
    select +=
        fmt::format("{}{} AS {}", select.empty() ? "SELECT " : ", ", sql::literal(odd[(i + 1) % odd.size()]), sql::identifier(odd[i]));
  }
  std::string row;
  for (std::size_t i = 0; i < odd.size(); ++i) {
    const auto field = [](const std::string& text) {
      std::string out = "\"";
      for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
      return out + "\"";
    };
    header += (i == 0 ? "" : ",") + field(odd[i]);
    row += (i == 0 ? "" : ",") + field(odd[(i + 1) % odd.size()]);
  }
  const std::string text = header + "\n" + row + "\n";
  int number = 0;
  for (std::size_t i = 0; i < odd.size(); ++i) {
    if (odd[(i + 1) % odd.size()].empty()) continue;
    Schema schema = schema_with("[csv]\nline_breaks_in_quotes = true\n[columns.c]\ncategories = [\"placeholder\"]\n");
    schema.columns[0].name = odd[i];
    schema.columns[0].categories->labels[0] = odd[(i + 1) % odd.size()];
    // As a file name: without the slash, which no file name holds.
    std::string stem = odd[i];
    std::replace(stem.begin(), stem.end(), '/', '_');
    const std::string plain = folder.path(fmt::format("plain{}.parquet", ++number));
    if (!odd[i].empty()) {
      write_parquet(select, plain);
      std::filesystem::rename(plain, folder.path(stem + ".parquet"));
      EXPECT_EQ(counted(folder.path(stem + ".parquet"), schema, {odd[i]}), (Counts{1, 0})) << odd[i];
      const std::string database = folder.path(fmt::format("plain{}.duckdb", number));
      run_duckdb({fmt::format("CREATE TABLE {} AS {}", sql::identifier(odd[i]), select)}, database);
      std::filesystem::rename(database, folder.path(stem + ".duckdb"));
      EXPECT_EQ(counted(folder.path(stem + ".duckdb"), schema, {odd[i]}), (Counts{1, 0})) << odd[i];
    }
    folder.write(stem + ".csv", text);
    EXPECT_EQ(counted(folder.path(stem + ".csv"), schema, {odd[i]}), (Counts{1, 0})) << odd[i];
  }
}

TEST(Counts, PatternsInFileNamesAreNotPatterns) {
  const TestFolder folder;
  write_parquet("SELECT 'x' AS c", folder.path("one.parquet"));
  write_parquet("SELECT 'x' AS c FROM range(5)", folder.path("five.parquet"));
  std::filesystem::rename(folder.path("one.parquet"), folder.path("*.parquet"));
  const Schema schema = schema_with("[columns.c]\ncategories = [\"x\"]\n");
  EXPECT_EQ(counted(folder.path("*.parquet"), schema, {"c"}), (Counts{1, 0}));
  EXPECT_EQ(try_count(folder.path("f*.parquet"), schema, {"c"}).error().code(), Code::NotFound);
}

TEST(Counts, RelativeNamesThatLookLikeUrlsAreLocalFiles) {
  const TestFolder folder;
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::create_directories(folder.folder() / "s3:" / "bucket");
  std::filesystem::create_directories(folder.folder() / "http:" / "host");
  write_parquet("SELECT 'x' AS c", folder.path("s3:/bucket/t.parquet"));
  folder.write("http:/host/t.csv", "c\nx\nx\n");
  run_duckdb({"CREATE TABLE t AS SELECT 'x' AS c FROM range(3)"}, folder.path("made.duckdb"));
  std::filesystem::rename(folder.path("made.duckdb"), folder.path("http:/host/t.duckdb"));
  std::filesystem::current_path(folder.folder());
  const Schema schema = schema_with("[columns.c]\ncategories = [\"x\"]\n");
  EXPECT_EQ(counted("s3://bucket/t.parquet", schema, {"c"}), (Counts{1, 0}));
  EXPECT_EQ(counted("http://host/t.csv", schema, {"c"}), (Counts{2, 0}));
  EXPECT_EQ(counted("http://host/t.duckdb", schema, {"c"}), (Counts{3, 0}));
  std::filesystem::current_path(before);
}

TEST(Counts, AnOpenFileIsCountedEvenIfItsNameIsGone) {
  const TestFolder folder;
  write_parquet("SELECT 'x' AS c", folder.path("t.parquet"));
  folder.write("t.csv", "c\nx\n");
  for (const char* name : {"t.parquet", "t.csv"}) {
    const DataFile file = *schemas::open_data(folder.path(name));
    std::filesystem::remove(folder.path(name));
    EXPECT_TRUE(count(file, test::declared(schema_with("[columns.c]\ncategories = [\"x\"]\n")), {.by = {"c"}}).ok()) << name;
    EXPECT_TRUE(count(file, test::declared(schema_with("[columns.c]\ncategories = [\"x\"]\n")), {.by = {"c"}}).ok()) << name << ", again";
  }
}

TEST(Counts, TablesOfDuckDbFilesAreChosenByName) {
  const TestFolder folder;
  run_duckdb({"CREATE TABLE a AS SELECT 'x' AS c", "CREATE TABLE \"b;c\" AS SELECT 'x' AS c FROM range(2)", "CREATE SCHEMA s",
              "CREATE TABLE s.a AS SELECT 'x' AS c FROM range(3)", "CREATE VIEW v AS SELECT 'x' AS c FROM a, a AS b"},
             folder.path("t.duckdb"));
  const auto with_table = [](const std::string& line) { return schema_with(line + "[columns.c]\ncategories = [\"x\"]\n"); };
  EXPECT_EQ(counted(folder.path("t.duckdb"), with_table("table = \"a\"\n"), {"c"}), (Counts{1, 0}));
  EXPECT_EQ(counted(folder.path("t.duckdb"), with_table("table = \"b;c\"\n"), {"c"}), (Counts{2, 0}));
  EXPECT_EQ(counted(folder.path("t.duckdb"), with_table("table = \"s.a\"\n"), {"c"}), (Counts{3, 0}));
  const Error unnamed = try_count(folder.path("t.duckdb"), with_table(""), {"c"}).error();
  EXPECT_EQ(unnamed.code(), Code::NotFound);
  EXPECT_THAT(unnamed.message(), AllOf(HasSubstr("has several and the schema declares none"), HasSubstr("write in the schema: table = ")));
  // A view may show a person twice, so it is no table.
  for (const char* wrong : {"v", "A", "s", "a\" WHERE 1=1 --"}) {
    Schema schema = with_table("");
    schema.table = wrong;
    const Error error = try_count(folder.path("t.duckdb"), schema, {"c"}).error();
    EXPECT_EQ(error.code(), Code::NotFound) << wrong;
    EXPECT_THAT(error.message(), HasSubstr("does not have the table that the schema declares"));
  }
  run_duckdb({"CREATE VIEW v AS SELECT 'x' AS c"}, folder.path("views.duckdb"));
  EXPECT_THAT(try_count(folder.path("views.duckdb"), with_table(""), {"c"}).error().message(), HasSubstr("does not have the table"));
}

TEST(Counts, RowsInTheLogOfADuckDbFileCount) {
  const TestFolder folder;
  run_duckdb({"CREATE TABLE t AS SELECT 'x' AS c"}, folder.path("t.duckdb"));
  run_duckdb({"PRAGMA disable_checkpoint_on_shutdown", "SET wal_autocheckpoint = '1TB'", "INSERT INTO t VALUES ('x'), ('y')"},
             folder.path("t.duckdb"));
  ASSERT_TRUE(std::filesystem::exists(folder.path("t.duckdb.wal")));
  EXPECT_EQ(counted(folder.path("t.duckdb"), schema_with("[columns.c]\ncategories = [\"x\"]\n"), {"c"}), (Counts{2, 1}));
  EXPECT_TRUE(std::filesystem::exists(folder.path("t.duckdb.wal")));  // and nothing was written
}

TEST(Counts, WrongRequestsAreRefusedBeforeAnyRowIsRead) {
  const TestFolder folder;
  folder.write("t.csv", "smoking,disease\nnot,read,at,all\n");
  const Schema schema =
      schema_with(std::string(kTwoColumns) +
                  "[columns.age]\nlower = 0\nupper = 9\nresolution = 1\nmissing = 4.5\n[columns.ghost]\ncategories = [\"x\"]\n");
  const auto error = [&](const std::string& by) { return try_count(folder.path("t.csv"), schema, {by}).error(); };
  for (const char* by : {"smokng", "age"}) {
    EXPECT_EQ(error(by).code(), Code::SchemaInvalid) << by;
    EXPECT_THAT(error(by).message(), HasSubstr("a column that the terms do not declare as it is used"));
  }
  EXPECT_EQ(error("ghost").code(), Code::NotFound);
  EXPECT_THAT(error("ghost").message(), HasSubstr("column \"ghost\", which the schema declares, is not in"));
  for (const char* by : {"ghost", "age", "smokng"}) EXPECT_EQ(error(by).spent(), "nothing was spent");
}

TEST(Counts, TablesBeyondTheLimitAreRefused) {
  const TestFolder folder;
  folder.write("t.csv", "a,b\nx,y\n");
  std::string categories;
  for (int i = 0; i < 4000; ++i) categories += fmt::format("\"c{}\", ", i);
  const Schema schema = schema_with(fmt::format("[columns.a]\ncategories = [{0}]\n[columns.b]\ncategories = [{0}]\n", categories));
  EXPECT_EQ(try_count(folder.path("t.csv"), schema, {"a", "b"}).error().code(), Code::SchemaInvalid);
  EXPECT_EQ(counted(folder.path("t.csv"), schema, {"a"}).size(), 4001U);
}

TEST(Counts, LargeTablesAreCountedInEveryKind) {
  const TestFolder folder;
  std::string categories;
  for (int i = 0; i < 3000; ++i) categories += fmt::format("{}, ", i);
  write_parquet("SELECT (i % 3001)::VARCHAR AS a, (i * 7 % 3002)::VARCHAR AS b FROM range(50000) AS r(i)", folder.path("t.parquet"));
  const Schema schema = schema_with(fmt::format("[columns.a]\ncategories = [{0}]\n[columns.b]\ncategories = [{0}]\n", categories));
  Counts expected(std::size_t{3001} * 3001, 0);
  for (std::size_t i = 0; i < 50000; ++i)
    ++expected[std::min<std::size_t>(i % 3001, 3000) * 3001 + std::min<std::size_t>(i * 7 % 3002, 3000)];
  EXPECT_TRUE(counted(folder.path("t.parquet"), schema, {"a", "b"}) == expected);
}

TEST(Counts, NamesOfTheFileAreNotShownWhenTheHeaderIsMissing) {
  const TestFolder folder;
  // The custodian forgot header = false: the first line is a person.
  folder.write("t.csv", "SECRET,yes\nnever,no\n");
  const Error error = try_count(folder.path("t.csv"), schema_with(kTwoColumns), {"smoking"}).error();
  EXPECT_EQ(error.code(), Code::NotFound);
  EXPECT_THAT(everything(error), AllOf(HasSubstr("\"smoking\""), HasSubstr("header = false"), Not(HasSubstr("SECRET"))));
}

TEST(Counts, NamesAreComparedExactly) {
  const TestFolder folder;
  write_parquet("SELECT 'x' AS \"C\"", folder.path("t.parquet"));
  EXPECT_EQ(try_count(folder.path("t.parquet"), schema_with("[columns.c]\ncategories = [\"x\"]\n"), {"c"}).error().code(), Code::NotFound);
  folder.write("twice.csv", "c,c\nx,y\n");
  EXPECT_THAT(try_count(folder.path("twice.csv"), schema_with("[columns.c]\ncategories = [\"x\"]\n"), {"c"}).error().message(),
              HasSubstr("or is there twice"));
}

// A secret is planted in files that are wrong in every way; it must stand in no error.
TEST(Counts, ErrorsNeverCarryContents) {
  const TestFolder folder;
  const std::string secret = "SECRET";
  std::vector<std::string> paths;
  const auto text = [&](const std::string& name, const std::string& bytes) { paths.push_back(folder.write(name, bytes)); };
  text("names.csv", "SECRET,SECRET\nSECRET,no\n");
  text("header.csv", "SECRET,\"SECRET\n");
  text("badgzip.csv.gz", std::string("\x1f\x8b\x08\x00SECRET", 10));
  text("text.parquet", "smoking,disease\nSECRET,no\n");
  text("empty.parquet", "");
  text("magic.parquet", "PAR1SECRET SECRET SECRET\x10\x01\x01PAR1");
  text("text.duckdb", "SECRET SECRET");
  text("text.db", "SQLite format 3 SECRET" + std::string(10000, 'S'));
  // Good files with a tear in them.
  write_parquet("SELECT 'SECRET' || i AS smoking, 'SECRET' AS disease FROM range(1000) AS r(i)", folder.path("good.parquet"));
  std::string bytes = read_bytes(folder.path("good.parquet"));
  text("cut.parquet", bytes.substr(0, bytes.size() / 2));
  text("tail.parquet", bytes.substr(bytes.size() / 2));
  std::fill(bytes.begin() + 4, bytes.begin() + 300, '\x7f');
  text("torn.parquet", bytes);
  run_duckdb({"CREATE TABLE t AS SELECT 'SECRET' || i AS smoking, 'SECRET' AS disease FROM range(1000) AS r(i)"},
             folder.path("good.duckdb"));
  bytes = read_bytes(folder.path("good.duckdb"));
  text("cut.duckdb", bytes.substr(0, bytes.size() / 2));
  std::fill(bytes.begin() + 12300, bytes.begin() + 12400, '\x7f');
  text("torn.duckdb", bytes);
  for (const std::string& path : paths) {
    const Result<CountTable> table = try_count(path, schema_with(kTwoColumns), {"smoking", "disease"});
    ASSERT_FALSE(table.ok()) << path;
    EXPECT_THAT(everything(table.error()), Not(HasSubstr(secret))) << path;
    EXPECT_THAT(table.error().code(), ::testing::AnyOf(Code::DataUnreadable, Code::EngineFailed, Code::NotFound)) << path;
    EXPECT_FALSE(table.error().remedy().empty()) << path;
    EXPECT_EQ(table.error().spent(), "nothing was spent") << path;
  }
}

// What a line holds, and what stands in columns that nobody asked for, decides neither whether a
// file can be read nor what others count.
TEST(Counts, NoLineOfACsvFileCanRefuseTheFileOrChangeAnother) {
  const TestFolder folder;
  const Schema schema = schema_with(kTwoColumns);
  const Counts others{1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  for (const std::string line :
       {"x", "x,x,x,x", "x,\"never,no", "x,\"never\"no,no", "x,never,\"", "\xff\"\xfe,\xff,\xff", "x,never\rno,no\r\r", "\",never,no"}) {
    for (const bool first : {false, true}) {
      folder.write("t.csv",
                   "note,smoking,disease\n" + (first ? line + "\nx,never,no\nx,former,yes\n" : "x,never,no\nx,former,yes\n" + line));
      Counts expected = others;
      ++expected[11];  // other, other
      EXPECT_EQ(counted(folder.path("t.csv"), schema, {"smoking", "disease"}), expected) << line;
    }
  }
  folder.write("t.csv", "note,smoking,disease\n\xff\xfe,never,no\n\"\xff\",former,yes\n");
  EXPECT_EQ(counted(folder.path("t.csv"), schema, {"smoking", "disease"}), others);
  // One bad byte in a field that was asked for makes that field "other", and only that.
  folder.write("t.csv", "note,smoking,disease\nx,never,\xff\nx,\"never\xff\",no\n");
  EXPECT_EQ(counted(folder.path("t.csv"), schema, {"smoking", "disease"}), (Counts{0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0}));
}

// Parquet says that its texts are UTF-8, and the engine refuses those that are not; but not in
// columns that nobody asked for.
TEST(Counts, BytesInOtherColumnsOfAParquetFileAreNotLookedAt) {
  const TestFolder folder;
  run_duckdb(
      {fmt::format("COPY (SELECT 'never' AS smoking, 'zzzz' || i AS note FROM range(3) AS r(i)) TO '{}' (FORMAT parquet, COMPRESSION "
                   "uncompressed)",
                   folder.path("good.parquet"))});
  std::string bytes = read_bytes(folder.path("good.parquet"));
  for (std::size_t at = bytes.find("zzzz"); at != std::string::npos; at = bytes.find("zzzz", at)) bytes[at] = '\xff';
  const std::string path = folder.write("t.parquet", bytes);
  const Schema schema = schema_with(std::string(kTwoColumns) + "[columns.note]\ncategories = [\"x\"]\n");
  EXPECT_EQ(counted(path, schema, {"smoking"}), (Counts{3, 0, 0, 0, 0}));
  EXPECT_EQ(try_count(path, schema, {"note"}).error().code(), Code::DataUnreadable);
}

// Which failure it was may depend on a person.
TEST(Counts, EveryFailureOfAScanHasTheSameSentence) {
  const TestFolder folder;
  std::string rows = "smoking,disease\n";
  for (int i = 0; i < 5000; ++i) rows += fmt::format("never,{}\n", i);
  gzip(folder.write("whole.csv", rows), folder.path("t.csv.gz"));
  const std::string zipped = read_bytes(folder.path("t.csv.gz"));
  run_duckdb({fmt::format("COPY (SELECT 'never' AS smoking, md5(i::VARCHAR) AS disease FROM range(5000) AS r(i)) TO '{}' (FORMAT parquet)",
                          folder.path("good.parquet"))});
  std::string torn = read_bytes(folder.path("good.parquet"));
  std::fill(torn.begin() + 4, torn.begin() + 3000, '\x7f');
  const std::string breaks = std::string(kTwoColumns) + "[csv]\nline_breaks_in_quotes = true\n";
  std::set<std::string> sentences;
  const auto failed = [&](const std::string& name, const std::string& bytes, const Schema& schema) {
    const Result<CountTable> table = try_count(folder.write(name, bytes), schema, {"smoking", "disease"});
    ASSERT_FALSE(table.ok()) << name;
    EXPECT_EQ(table.error().code(), Code::DataUnreadable) << name;
    std::string message = table.error().message();
    const std::size_t at = message.find(name);
    ASSERT_NE(at, std::string::npos) << message;
    sentences.insert(message.erase(at, name.size()));
  };
  failed("cut.csv.gz", zipped.substr(0, zipped.size() / 2), schema_with(kTwoColumns));
  failed("plain.csv.gz", rows, schema_with(kTwoColumns));
  failed("open.csv", "smoking,disease\nnever,\"no\n", schema_with(breaks));
  failed("after.csv", "smoking,disease\n\"never\"x,no\n", schema_with(breaks));
  failed("torn.parquet", torn, schema_with(kTwoColumns));
  failed("text.parquet", "no", schema_with(kTwoColumns));
  failed("text.duckdb", "no", schema_with(kTwoColumns));
  EXPECT_EQ(sentences.size(), 1U) << ::testing::PrintToString(sentences);
}

TEST(Counts, ADuckDbFileInUseIsReportedAsSuch) {
  const TestFolder folder;
  run_duckdb({"CREATE TABLE t AS SELECT 'x' AS smoking"}, folder.path("t.duckdb"));
  duckdb_database held = nullptr;
  ASSERT_EQ(duckdb_open(folder.path("t.duckdb").c_str(), &held), DuckDBSuccess);
  const Result<CountTable> table = try_count(folder.path("t.duckdb"), schema_with(kTwoColumns), {"smoking"});
  if (!table.ok()) {
    EXPECT_THAT(table.error().message(), HasSubstr("in use by another program"));
  }
  duckdb_close(&held);
}

// Random tables against a count of a few lines, for every kind of file and number of threads.
using Value = std::optional<std::string>;
using Rows = std::vector<std::pair<Value, Value>>;

const std::vector<Value> kValues{"never", "former", "current", "no",   "yes", "?",   std::nullopt, "pipe",
                                 "NEVER", "never ", "é",       "'",    "\"",  "a,b", "x\ny",       "\xF0\x9F\x98\x80",
                                 "0",     "",       "missing", "other"};

Rows random_rows(std::mt19937& random, std::size_t size) {
  Rows rows(size);
  for (auto& [a, b] : rows) {
    a = kValues[random() % kValues.size()];
    b = kValues[random() % kValues.size()];
  }
  return rows;
}

Counts reference(const Rows& rows) {
  const std::map<std::string, std::size_t> smoking{{"never", 0}, {"former", 1}, {"current", 2}, {"?", 4}};
  const std::map<std::string, std::size_t> disease{{"no", 0}, {"yes", 1}};
  Counts counts(15, 0);
  const auto cell = [](const std::map<std::string, std::size_t>& cells, std::string text, std::size_t other) {
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.pop_back();
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.erase(0, 1);
    return cells.contains(text) ? cells.at(text) : other;
  };
  for (const auto& [a, b] : rows) {
    const std::size_t i = a ? cell(smoking, *a, 3) : 4;
    const std::size_t j = b ? cell(disease, *b, 2) : 2;
    ++counts[i * 3 + j];
  }
  return counts;
}

std::string csv_text(const Rows& rows) {
  std::string text = "smoking,disease\n";
  const auto field = [](const Value& value) {
    if (!value) return std::string();
    std::string out = "\"";
    for (const char c : *value) out += c == '"' ? std::string("\"\"") : std::string(1, c);
    return out + "\"";
  };
  for (const auto& [a, b] : rows) text += field(a) + "," + field(b) + "\n";
  return text;
}

void write_all_kinds(const TestFolder& folder, const std::string& stem, const Rows& rows, std::size_t row_group) {
  folder.write(stem + ".csv", csv_text(rows));
  std::string values;
  const auto literal = [](const Value& value) { return value ? sql::literal(*value) : std::string("NULL"); };
  for (const auto& [a, b] : rows) values += fmt::format("{}({}, {})", values.empty() ? "" : ", ", literal(a), literal(b));
  std::filesystem::remove(folder.path(stem + ".duckdb"));
  std::vector<std::string> statements{"CREATE TABLE t (smoking VARCHAR, disease VARCHAR)"};
  if (!rows.empty()) statements.push_back("INSERT INTO t VALUES " + values);
  statements.push_back(fmt::format("COPY t TO '{}' (FORMAT parquet, ROW_GROUP_SIZE {})", folder.path(stem + ".parquet"), row_group));
  run_duckdb(statements, folder.path(stem + ".duckdb"));
}

TEST(Counts, AgreeWithAReferenceOnRandomTables) {
  const TestFolder folder;
  const Schema schema = schema_with(std::string(kTwoColumns) + "[csv]\nline_breaks_in_quotes = true\n");
  std::mt19937 random(7);  // fixed: nothing here can fail by chance
  for (const std::size_t size : {0U, 1U, 2U, 63U, 64U, 65U, 2047U, 2049U, 7000U}) {
    const Rows rows = random_rows(random, size);
    write_all_kinds(folder, "t", rows, 2048);
    for (const char* name : {"t.csv", "t.parquet", "t.duckdb"}) {
      for (const unsigned threads : {1U, 4U}) {
        CountOptions options;
        options.threads = threads;
        EXPECT_EQ(counted(folder.path(name), schema, {"smoking", "disease"}, options), reference(rows))
            << name << ", " << size << " rows, " << threads << " threads";
      }
    }
  }
}

// The sensitivity that is sealed with the counts, on neighbours made by replacing one row by
// anything, and by removing it.
TEST(Counts, NeighboursDifferByAtMostTheSensitivity) {
  const TestFolder folder;
  const Schema schema = schema_with(std::string(kTwoColumns) + "[csv]\nline_breaks_in_quotes = true\n");
  std::mt19937 random(11);
  const Rows rows = random_rows(random, 40);
  write_all_kinds(folder, "t", rows, 2048);
  std::map<std::string, Counts> before;
  for (const char* name : {".csv", ".parquet", ".duckdb"})
    before[name] = counted(folder.path(std::string("t") + name), schema, {"smoking", "disease"});
  const auto change = [](const Counts& a, const Counts& b) {
    std::pair<std::int64_t, std::int64_t> l1_and_l2_squared{0, 0};
    for (std::size_t i = 0; i < a.size(); ++i) {
      l1_and_l2_squared.first += std::abs(a[i] - b[i]);
      l1_and_l2_squared.second += (a[i] - b[i]) * (a[i] - b[i]);
    }
    return l1_and_l2_squared;
  };
  for (std::size_t k = 0; k < kValues.size(); k += 2) {
    Rows replaced = rows;
    replaced[random() % rows.size()] = {kValues[k], kValues[random() % kValues.size()]};
    Rows removed = rows;
    removed.erase(removed.begin() + static_cast<std::ptrdiff_t>(random() % rows.size()));
    write_all_kinds(folder, "u", replaced, 2048);
    write_all_kinds(folder, "v", removed, 2048);
    for (const auto& [name, counts] : before) {
      const auto [l1, l2_squared] = change(counts, counted(folder.path("u" + name), schema, {"smoking", "disease"}));
      EXPECT_LE(l1, 2) << name;
      EXPECT_LE(l2_squared, 2) << name;
      EXPECT_EQ(change(counts, counted(folder.path("v" + name), schema, {"smoking", "disease"})),
                (std::pair<std::int64_t, std::int64_t>{1, 1}))
          << name;
    }
  }
}

TEST(Counts, ScansTellTheirProgressToTheCallersThread) {
  const TestFolder folder;
  write_parquet("SELECT md5(i::VARCHAR) AS c FROM range(400000) AS r(i)", folder.path("t.parquet"));
  run_duckdb({fmt::format("COPY (FROM '{}') TO '{}' (FORMAT csv)", folder.path("t.parquet"), folder.path("t.csv"))});
  const Schema schema = schema_with("[columns.c]\ncategories = [\"x\"]\n");
  for (const char* name : {"t.parquet", "t.csv"}) {
    std::vector<double> told;
    const std::thread::id here = std::this_thread::get_id();
    CountOptions options;
    options.progress.tell = [&](double fraction) {
      EXPECT_EQ(std::this_thread::get_id(), here);
      told.push_back(fraction);
    };
    options.progress.after = std::chrono::hours(1);
    EXPECT_EQ(counted(folder.path(name), schema, {"c"}, options), (Counts{0, 400000}));
    EXPECT_TRUE(told.empty()) << name;
    options.progress.after = options.progress.every = std::chrono::milliseconds(0);
    EXPECT_EQ(counted(folder.path(name), schema, {"c"}, options), (Counts{0, 400000}));
    EXPECT_FALSE(told.empty()) << name;
    for (const double fraction : told) EXPECT_TRUE(fraction >= 0 && fraction <= 1) << fraction;
    EXPECT_TRUE(std::is_sorted(told.begin(), told.end())) << name;
  }
}

}  // namespace
}  // namespace tacet::data
