// Rows that count: filters, bins, missing numbers that are left out, and people with many rows.
#include <cmath>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/data/moments.h"
#include "tacet/kernel/scale_check.h"
#include "tacet/mechanisms/noise_plan.h"
#include "tacet/schemas/data_path.h"

#include "data/test_files.h"
#include "support/declared.h"
#include "support/opened.h"

namespace tacet::data {
namespace {

using ::testing::ElementsAre;

Decimal decimal_of(const char* text) { return *Decimal::parse(text); }

const char* const kPatients = R"(
[columns.id]
[columns.sex]
categories = ["f", "m"]
missing = "unknown"
[columns.age]
lower = 0
upper = 120
resolution = 1
missing = 60
)";

/// The schema of kPatients, with what its text cannot say here.
Schema patients(const std::optional<Contributions>& contributions = {}, const std::string& first = "") {
  Schema schema = schema_with(first + kPatients);
  Column age = *schema.find("age");
  age.bounds->missing.reset();
  age.bins = {decimal_of("0"), decimal_of("18"), decimal_of("65"), decimal_of("120")};
  age.categories = Categories{bin_labels(age.bins, false), 3, 3, 3};
  age.categories->labels.emplace_back("missing");
  schema.columns[2] = age;
  schema.contributions = contributions;
  return schema;
}

const char* const kVisits =
    "id,sex,age\n"
    "1,f,17.9\n"
    "1,f,18\n"
    "2,m,64.999\n"
    "2,m,65\n"
    "3,x,-5\n"
    "4,,300\n"
    "5,f,\n"
    ",m,40\n"
    "7,f,old\n";

Counts people_table(const CountRequest& request, const Schema& schema, const std::string& csv = kVisits) {
  TestFolder folder;
  Result<CountTable> counted = count(*schemas::open_data(folder.write("t.csv", csv)), test::declared(schema), request);
  EXPECT_TRUE(counted.ok()) << (counted.ok() ? "" : counted.error().message());
  return counted.ok() ? test::opened(std::move(counted->counts)) : Counts();
}

TEST(Bins, HoldEveryNumberAndAnotherCellTheMissingOnes) {
  // -5 and 300 are beyond the bounds and count as the nearest.
  EXPECT_THAT(people_table({.by = {"age"}}, patients()), ElementsAre(2, 3, 2, 2));
}

TEST(Bins, OfARequestReplaceTheDeclaredOnes) {
  const CountRequest request{
      .by = {"age"}, .bins = {{"age", {decimal_of("0"), decimal_of("40"), decimal_of("65"), decimal_of("100"), decimal_of("120")}}}};
  EXPECT_THAT(people_table(request, patients()), ElementsAre(3, 2, 1, 1, 2));
}

TEST(Bins, HaveLabelsInPlainWords) {
  EXPECT_THAT(bin_labels({decimal_of("0"), decimal_of("18"), decimal_of("65.5")}, false), ElementsAre("0 to under 18", "18 to 65.5"));
}

RowFilter at_least(const char* cut) { return {{{"age", {decimal_of(cut)}, {0, 1, 1, 0}}}, {0}}; }

TEST(Filters, CompareNumbersAndCells) {
  EXPECT_THAT(people_table({.by = {"sex"}, .where = at_least("65")}, patients()), ElementsAre(0, 1, 0, 1));
  const RowFilter exactly{{{"age", {decimal_of("18")}, {0, 1, 0, 0}}}, {0}};
  EXPECT_THAT(people_table({.by = {"sex"}, .where = exactly}, patients()), ElementsAre(1, 0, 0, 0));
  const RowFilter missing{{{"age", {decimal_of("18")}, {0, 0, 0, 1}}}, {0}};
  EXPECT_THAT(people_table({.by = {"sex"}, .where = missing}, patients()), ElementsAre(2, 0, 0, 0));
  // (age >= 18 and sex = m) or sex = unknown
  const RowFilter formula{{{"age", {decimal_of("18")}, {0, 1, 1, 0}}, {"sex", {}, {0, 1, 0, 0}}, {"sex", {}, {0, 0, 0, 1}}},
                          {0, 1, RowFilter::kAnd, 2, RowFilter::kOr}};
  EXPECT_THAT(people_table({.by = {"sex"}, .where = formula}, patients()), ElementsAre(0, 3, 0, 1));
}

TEST(Filters, MakeTheNumberOfRowsPrivate) {
  TestFolder folder;
  const DataFile file = *schemas::open_data(folder.write("t.csv", kVisits));
  const Declared declared = test::declared(patients());
  EXPECT_EQ(count(file, declared, {.by = {"sex"}})->n.value(), 9);
  EXPECT_FALSE(count(file, declared, {.by = {"sex"}, .where = at_least("65")})->n.has_value());
}

TEST(Filters, ThatAreMisshapenAreRefusedBeforeAnyRowIsRead) {
  TestFolder folder;
  const DataFile file = *schemas::open_data(folder.write("t.csv", kVisits));
  const Declared declared = test::declared(patients());
  const std::vector<RowFilter> wrong{
      {{{"age", {decimal_of("1")}, {0, 1, 1}}}, {0}},                            // a class is missing
      {{{"age", {decimal_of("2"), decimal_of("1")}, {0, 1, 1, 0, 0, 0}}}, {0}},  // cuts that decrease
      {{{"sex", {decimal_of("1")}, {0, 1, 1, 0}}}, {0}},                         // a number of categories
      {{{"height", {decimal_of("1")}, {0, 1, 1, 0}}}, {0}},                      // not declared
      {{{"age", {decimal_of("1")}, {0, 1, 1, 0}}}, {0, 0}},                      // two results
      {{{"age", {decimal_of("1")}, {0, 1, 1, 0}}}, {0, RowFilter::kAnd}},        // an operand is missing
      {{{"age", {decimal_of("1")}, {0, 1, 1, 0}}}, {1}},                         // no such test
      {{}, {0}},                                                                 // no test at all
      {{{"age", {decimal_of("1")}, {0, 1, 1, 0}}}, {}},                          // no formula
      {{{"age", {decimal_of("1")}, {0, 1, 1, 0}}}, {-3}},                        // no such step
      {{{"age", {decimal_of("1")}, {0, 1, 1, 0}}}, std::vector<std::int32_t>(300, 0)},
  };
  for (const RowFilter& filter : wrong)
    EXPECT_EQ(count(file, declared, {.by = {"sex"}, .where = filter}).error().code(), Code::SchemaInvalid);
}

TEST(LeftOut, RowsWithoutANumberDoNotCount) {
  TestFolder folder;
  const DataFile file = *schemas::open_data(folder.write("t.csv", kVisits));
  Moments all = *moments(file, test::declared(patients()), {.columns = {"age"}, .products = false, .counts = true});
  ASSERT_TRUE(all.layout.counts);
  // 18 18 65 65 0 120 40, about the centre 60
  EXPECT_THAT(test::opened(std::move(all.values)), ElementsAre(7, 326 - 7 * 60));
  EXPECT_EQ(all.rows.n.value(), 9);  // of all rows, which stays public
}

TEST(LeftOut, AgreesAmongAllKindsOfFiles) {
  TestFolder folder;
  write_parquet(fmt::format("SELECT id, sex, TRY_CAST(age AS DOUBLE) AS age FROM read_csv({}, all_varchar = true)",
                            sql::literal(folder.write("t.csv", kVisits))),
                folder.path("t.parquet"));
  const RowFilter where{{{"sex", {}, {1, 1, 0, 0}}}, {0}};
  std::vector<std::vector<Int128>> values;
  for (const char* name : {"t.csv", "t.parquet"}) {
    Moments some = *moments(*schemas::open_data(folder.path(name)), test::declared(patients()),
                            {.columns = {"age"}, .groups = Groups{"sex", Membership::Private}, .counts = true, .where = where});
    values.push_back(test::opened(std::move(some.values)));
  }
  EXPECT_EQ(values[0], values[1]);
  EXPECT_EQ(values[0][0], 2);  // women with an age
}

// Sixty-four columns, the most, and one more that only sorts rows: whether it is missing must not
// be mistaken for whether a summed one is.
TEST(LeftOut, ANumberThatOnlySortsRowsMayBeMissing) {
  std::string lines, names, row;
  std::vector<std::string> columns;
  for (int j = 0; j < 64; ++j) {
    columns.push_back(fmt::format("c{}", j));
    lines += fmt::format("[columns.c{}]\nlower = 0\nupper = 10\nresolution = 1\n", j);
    names += columns.back() + ",";
    row += "7,";
  }
  Schema schema = schema_with(lines + "[columns.age]\nlower = 0\nupper = 120\nresolution = 1\nmissing = 60\n");
  TestFolder folder;
  const DataFile file = *schemas::open_data(folder.write("t.csv", names + "age\n" + row + "\n" + row + "50\n"));
  const RowFilter any{{{"age", {decimal_of("40")}, {1, 1, 1, 1}}}, {0}};
  Moments all = *moments(file, test::declared(schema), {.columns = columns, .products = false, .counts = true, .where = any});
  EXPECT_EQ(test::opened(std::move(all.values))[0], 2);
}

// ---- What one person can change ----

std::string csv_of(const std::vector<std::string>& rows) {
  std::string csv = "id,sex,age\n";
  for (const std::string& row : rows) csv += row + "\n";
  return csv;
}

/// The same rows in memory, which takes no process to read.
class RowsInMemory {
 public:
  explicit RowsInMemory(const std::vector<std::string>& rows) : rows_(rows) {
    for (const std::string& row : rows_) {
      std::string_view left = row;
      for (std::vector<std::string_view>& column : columns_) {
        column.push_back(left.substr(0, left.find(',')));
        left.remove_prefix(std::min(left.size(), column.back().size() + 1));
      }
    }
    StoredTable table{"memory:rows", {"id", "sex", "age"}, {{}}, nullptr};
    for (const std::vector<std::string_view>& column : columns_)
      table.batches[0].push_back({.kind = std::string_view(), .values = column.data(), .rows = rows_.size()});
    source_ = std::move(table);
  }
  RowsInMemory(const RowsInMemory&) = delete;
  const DataSource& source() const { return source_; }

 private:
  std::vector<std::string> rows_;
  std::array<std::vector<std::string_view>, 3> columns_;
  DataSource source_ = StoredTable{};
};

Counts counted_in_memory(const CountRequest& request, const Declared& declared, const std::vector<std::string>& rows) {
  const RowsInMemory memory(rows);
  return test::opened(std::move(count(memory.source(), declared, request)->counts));
}

/// Neighbouring files: a person with any rows is replaced by another, or comes.
class People {
 public:
  explicit People(std::uint64_t seed) : random_(seed) {}

  std::vector<std::string> rows_of(const std::string& person, std::size_t most, std::size_t least = 0) {
    std::vector<std::string> rows(least + random_() % (most + 1 - least));
    const bool alike = random_() % 2 == 0;
    const std::string first = row();
    for (std::string& text : rows) text = person + "," + (alike ? first : row());
    return rows;
  }
  std::vector<std::string> mixed(std::vector<std::string> rows, const std::vector<std::string>& more) {
    for (const std::string& row : more) rows.insert(rows.begin() + static_cast<std::ptrdiff_t>(random_() % (rows.size() + 1)), row);
    return rows;
  }

 private:
  std::string row() {
    const std::vector<std::string> sexes{"f", "m", "x", ""}, ages{"0", "120", "60", "-1e300", "inf", "", "17", "nan", "90"};
    return sexes[random_() % sexes.size()] + "," + ages[random_() % ages.size()];
  }
  std::mt19937_64 random_;
};

struct Change {
  double l1 = 0, l2_squared = 0;
};

/// The largest change over `files` pairs of neighbours, for people of at most `most` rows.
Change largest_table_change(const Schema& schema, const CountRequest& request, std::size_t most, int files, bool replace) {
  People people(11);
  Change largest;
  const Declared declared = test::declared(schema);
  for (int i = 0; i < files; ++i) {
    std::vector<std::string> others;
    for (int person = 0; person < 5; ++person) others = people.mixed(others, people.rows_of(fmt::format("p{}", person), 4));
    const auto one = people.mixed(others, people.rows_of("a", most));
    const auto two = replace ? people.mixed(others, people.rows_of("b", most)) : others;
    const Counts before = counted_in_memory(request, declared, one), after = counted_in_memory(request, declared, two);
    Change change;
    for (std::size_t cell = 0; cell < before.size(); ++cell) {
      const auto moved = static_cast<double>(before[cell] - after[cell]);
      change.l1 += std::abs(moved);
      change.l2_squared += moved * moved;
    }
    largest = {std::max(largest.l1, change.l1), std::max(largest.l2_squared, change.l2_squared)};
  }
  return largest;
}

// The search finds the claimed sensitivity to the unit, so a claim that is too small by one would
// fail, and so does every larger change. Deterministic.
TEST(Contributions, OnePersonChangesATableByNoMoreThanIsClaimedAndByThat) {
  struct Case {
    Contributions declared;
    CountUnit unit;
    double l1, l2_squared;  // under replace-one
  };
  const std::vector<Case> cases{{{"id", 1, {}}, CountUnit::Rows, 2, 2},
                                {{"id", 3, {}}, CountUnit::Rows, 6, 18},
                                {{"id", 3, {}}, CountUnit::People, 6, 6},
                                {{"id", 2, 2}, CountUnit::Rows, 8, 16},
                                {{"id", 2, 2}, CountUnit::People, 4, 4}};
  for (const auto& [contributions, unit, l1, l2_squared] : cases) {
    for (const bool replace : {true, false}) {
      const Schema schema = patients(contributions, replace ? "" : "neighbours = \"add-or-remove-one\"\n");
      const auto claimed = count_sensitivity(schema.relation, person_limit(schema, unit));
      EXPECT_EQ(static_cast<double>(claimed.l1), replace ? l1 : l1 / 2);
      EXPECT_EQ(static_cast<double>(claimed.l2_squared), replace ? l2_squared : l2_squared / 2);
      const Change found = largest_table_change(schema, {.by = {"sex", "age"}, .unit = unit}, 40, 400, replace);
      EXPECT_EQ(found.l1, static_cast<double>(claimed.l1)) << contributions.rows << " " << name(unit) << replace;
      EXPECT_EQ(found.l2_squared, static_cast<double>(claimed.l2_squared)) << contributions.rows << " " << name(unit) << replace;
    }
  }
}

// Found by search, for people with many rows; a claim for the bins alone is exceeded.
TEST(Contributions, SumsOfAHistogramChangeByNoMoreThanIsClaimed) {
  const Bins bins{"age", {decimal_of("0"), decimal_of("18"), decimal_of("30"), decimal_of("50"), decimal_of("65"), decimal_of("120")}};
  for (const Contributions& contributions : {Contributions{"id", 1, {}}, Contributions{"id", 3, {}}, Contributions{"id", 2, 2}}) {
    for (const CountUnit unit : {CountUnit::People, CountUnit::Rows}) {
      for (const bool replace : {true, false}) {
        const Schema schema = patients(contributions, replace ? "" : "neighbours = \"add-or-remove-one\"\n");
        const auto limit = person_limit(schema, unit);
        const auto claimed = count_sensitivity(schema.relation, limit, sum_widths(5, 2).size());
        const auto of_bins = count_sensitivity(schema.relation, limit);
        const Change found = largest_table_change(schema, {.by = {"age"}, .bins = {bins}, .unit = unit, .branching = 2}, 20, 200, replace);
        EXPECT_LE(found.l1, static_cast<double>(claimed.l1)) << contributions.rows << " " << name(unit) << replace;
        EXPECT_LE(found.l2_squared, static_cast<double>(claimed.l2_squared)) << contributions.rows << " " << name(unit) << replace;
        EXPECT_GT(found.l1, static_cast<double>(of_bins.l1)) << contributions.rows << " " << name(unit) << replace;
        EXPECT_GT(found.l2_squared, static_cast<double>(of_bins.l2_squared)) << contributions.rows << " " << name(unit) << replace;
      }
    }
  }
}

TEST(Contributions, APersonWithTenThousandRowsChangesNoMore) {
  const Schema schema = patients(Contributions{"id", 3, {}});
  const CountRequest rows{.by = {"sex"}, .unit = CountUnit::Rows};
  std::vector<std::string> others;
  for (int i = 0; i < 50; ++i) others.push_back(fmt::format("p{},{},40", i, i % 2 == 0 ? "f" : "m"));
  std::vector<std::string> with = others;
  for (int i = 0; i < 10'000; ++i) with.insert(with.begin() + (7 * i) % static_cast<int>(with.size()), "greedy,m,40");
  EXPECT_THAT(people_table(rows, schema, csv_of(others)), ElementsAre(25, 25, 0, 0));
  EXPECT_THAT(people_table(rows, schema, csv_of(with)), ElementsAre(25, 28, 0, 0));
}

// A person whose text is in the dictionary of a column, and in no row, is not there.
TEST(Contributions, OnlyPeopleWithRowsAreCounted) {
  TestFolder folder;
  run_duckdb({"CREATE TYPE person AS ENUM ('a', 'b', 'c', 'd')", "CREATE TABLE t (id person, sex VARCHAR, age DOUBLE)",
              "INSERT INTO t VALUES ('a', 'f', 1), ('b', 'm', 2), ('a', 'f', 3)"},
             folder.path("t.duckdb"));
  const CountTable table = *count(*schemas::open_data(folder.path("t.duckdb")), test::declared(patients(Contributions{"id", 1, {}})),
                                  {.by = {"sex"}, .unit = CountUnit::Rows});
  ASSERT_TRUE(table.n);
  EXPECT_EQ(table.n->value(), 2);
  PersonRows people({.rows = 1}, 0);
  for (const char* text : {"a", "b", "c", "", "b"}) people.note(text);
  std::uint32_t numbers[5];
  people.numbers(numbers);
  EXPECT_EQ(numbers[4], numbers[1]);
  people.see(numbers + 3, 2);
  people.see(numbers + 1, 1);
  EXPECT_EQ(people.people(), 1);
  EXPECT_EQ(people.rows(), 3);
}

// Lines that do not fit name no person: otherwise all of them would be one, and whoever writes a
// quote into a field would change what counts of another such person.
TEST(Contributions, ALineThatDoesNotFitNamesNobody) {
  const Schema schema = patients(Contributions{"id", 1, {}});
  const CountRequest rows{.by = {"sex"}, .unit = CountUnit::Rows};
  const std::string fitting = "id,sex,age\n1,f,20\n2,m,30\n";
  EXPECT_EQ(people_table(rows, schema, fitting + "3,\"f,40\n4,\"m,50\n"), people_table(rows, schema, fitting));
}

TEST(Filters, ABoundOfAColumnInSinglePrecisionEqualsItself) {
  TestFolder folder;
  write_parquet("SELECT 'f' AS sex, 0.1::FLOAT AS dose UNION ALL SELECT 'f', 0.05::FLOAT", folder.path("t.parquet"));
  const Schema schema =
      schema_with("[columns.sex]\ncategories = [\"f\"]\n[columns.dose]\nlower = 0\nupper = 0.1\nresolution = 0.01\nmissing = 0\n");
  // dose >= 0.1
  const RowFilter at_the_bound{{{"dose", {decimal_of("0.1")}, {0, 1, 1, 0}}}, {0}};
  Result<CountTable> table =
      count(*schemas::open_data(folder.path("t.parquet")), test::declared(schema), {.by = {"sex"}, .where = at_the_bound});
  ASSERT_TRUE(table.ok());
  EXPECT_THAT(test::opened(std::move(table->counts)), ElementsAre(1, 0));
}

TEST(Contributions, ATableOfPeopleHasAPublicTotalOnlyIfEachIsInOneCell) {
  TestFolder folder;
  const DataFile file = *schemas::open_data(folder.write("t.csv", kVisits));
  const auto total = [&](const Contributions& declared, CountUnit unit, const RowFilter& where = {}) {
    return count(file, test::declared(patients(declared)), {.by = {"sex"}, .where = where, .unit = unit})->n;
  };
  EXPECT_EQ(total({"id", 1, {}}, CountUnit::People).value(), 6);  // the row that names nobody is dropped
  EXPECT_EQ(total({"id", 5, 1}, CountUnit::People).value(), 6);
  EXPECT_FALSE(total({"id", 5, 1}, CountUnit::Rows).has_value());
  EXPECT_FALSE(total({"id", 2, {}}, CountUnit::People).has_value());
  EXPECT_FALSE(total({"id", 1, {}}, CountUnit::People, at_least("18")).has_value());
}

/// The largest mu^2 that a pair of neighbours shows with this noise, over that which was promised.
double largest_share(const Schema& schema, const MomentRequest& request, std::size_t most_rows, const kernel::NumbersPlan& plan,
                     double mu_squared) {
  People people(5);
  double largest = 0;
  const Declared declared = test::declared(schema);
  const auto values = [&](const std::vector<std::string>& rows) {
    const RowsInMemory memory(rows);
    return test::opened(std::move(moments(memory.source(), declared, request)->values));
  };
  for (int i = 0; i < 400; ++i) {
    const auto others = people.rows_of("p", 2);
    const std::size_t least = schema.contributions ? 0 : most_rows;  // a row is a person
    const auto one = people.rows_of("a", most_rows, least), two = people.rows_of("b", most_rows, least);
    const auto before = values(people.mixed(others, one)), after = values(people.mixed(others, two));
    double spent = 0;
    for (std::size_t j = 0; j < before.size(); ++j) {
      const double shift = static_cast<double>(before[j] - after[j]) / plan.scale[j];
      spent += shift * shift;
    }
    largest = std::max(largest, spent / mu_squared);
  }
  return largest;
}

// A replaced row moves the sum by 120, a row that comes or goes moves the count by 1 and the sum by
// 60: with the noise of the plan either loses all that was promised, and nothing loses more.
TEST(LeftOut, TheCountIsFreeBesideTheSumAndNoNeighboursLoseMore) {
  for (const std::optional<Contributions>& contributions : {std::optional<Contributions>(), std::optional(Contributions{"id", 3, {}})}) {
    const Schema schema = patients(contributions);
    const MomentRequest request{.columns = {"age"}, .products = false, .counts = true};
    const MomentDesign design = *design_moments(schema, request);
    const Int128 rows = contributions ? 3 : 1;
    EXPECT_EQ(design.sensitivity.most, (std::vector<Int128>{rows, 120 * rows}));
    EXPECT_EQ(design.sensitivity.alone, (std::vector<Int128>{rows, 60 * rows}));
    const privacy::Loss loss = privacy::GaussianLoss{decimal_of("1")};
    const kernel::NumbersPlan plan = *mechanisms::plan_numbers(kernel::NoiseFamily::Gaussian, design.sensitivity, {1, 3}, loss);
    EXPECT_TRUE(kernel::check_scales(plan, design.sensitivity, loss).ok());
    EXPECT_NEAR(plan.scale[1], 120 * static_cast<double>(rows), 1e-9);
    EXPECT_NEAR(plan.scale[0], static_cast<double>(rows) / std::sqrt(0.75), 1e-9);
    const double share = largest_share(schema, request, contributions ? 40 : 1, plan, 1);
    EXPECT_LE(share, 1 + 1e-9);
    EXPECT_GT(share, 1 - 1e-9);
    // Planted: noise for the count as if nobody came or went is refused, and neighbours show why.
    kernel::NumbersPlan faulty = plan;
    faulty.scale[0] /= 2;
    EXPECT_FALSE(kernel::check_scales(faulty, design.sensitivity, loss).ok());
    EXPECT_GT(largest_share(schema, request, contributions ? 40 : 1, faulty, 1), 2);
  }
}

}  // namespace
}  // namespace tacet::data
