// Columns with bins, dates, unusual numbers and several uses, and the people behind rows.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/data/canonical_schema.h"
#include "tacet/schemas/schema_text.h"

#include "data/test_files.h"

namespace tacet::schemas {
namespace {

using data::Column;
using data::schema_with;

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const char* const kAge = "lower = 0\nupper = 120\nresolution = 1\n";

Column column_with(const std::string& lines) { return schema_with("[columns.c]\n" + lines).columns[0]; }

std::string refusal_of(const std::string& lines) {
  const Result<data::Schema> schema = parse_schema("tacet = 1\ndataset = \"d\"\nledger = \"l\"\n" + lines, false, "");
  if (schema.ok()) return "no error";
  EXPECT_EQ(schema.error().code(), Code::SchemaInvalid);
  return schema.error().message();
}
std::string column_refusal(const std::string& lines) { return refusal_of("[columns.c]\n" + lines); }

TEST(ColumnText, BinsAreCellsBesideBoundsOrAlone) {
  for (const std::string beside : {"", kAge}) {
    const Column age = column_with(beside + "bins = [0, 18, 40.5, 120]\n");
    EXPECT_THAT(age.categories->labels, ElementsAre("0 to under 18", "18 to under 40.5", "40.5 to 120", "missing"));
    EXPECT_EQ(age.categories->declared, 3U);
    EXPECT_EQ(age.categories->missing, 3U);
    EXPECT_EQ(age.categories->other, 3U);
    EXPECT_EQ(age.bounds.has_value(), !beside.empty());
    EXPECT_THAT(age.bins, ElementsAre(Decimal(0), Decimal(18), *Decimal::parse("40.5"), Decimal(120)));
  }
  EXPECT_EQ(column_with("bins = [0, 1]\nmissing = \"not asked\"\n").categories->labels.back(), "not asked");
  EXPECT_EQ(column_with("bins = [0, 1]\nmissing_values = [-9]\n").missing_values, std::vector<std::string>{"-9"});
}

TEST(ColumnText, BadBinsAreExplained) {
  EXPECT_EQ(column_refusal("bins = [3]\n"),
            "columns.c.bins is [3], but must be a list of at least two edges; write under [columns.c]: bins = [0, 18, 40, 65, 120]");
  EXPECT_THAT(column_refusal("bins = 3\n"), HasSubstr("columns.c.bins is 3, but must be a list"));
  EXPECT_EQ(column_refusal("bins = [0, 5, 5]\n"),
            "columns.c.bins is [0, 5, 5], but must increase: 5 comes after 5; write under [columns.c]: bins = [0, 18, 40, 65, 120]");
  EXPECT_THAT(column_refusal("bins = [0, \"x\"]\n"), HasSubstr("columns.c.bins is \"x\", but must be a decimal number"));
  EXPECT_EQ(column_refusal(kAge + std::string("bins = [0, 18, 121]\n")),
            "columns.c.bins is [0, 18, 121], but must lie between lower and upper, 0 and 120; numbers outside of the bounds count as the "
            "nearer bound, so no bin beyond it has anybody");
  EXPECT_THAT(column_refusal(kAge + std::string("bins = [-1, 18]\n")), HasSubstr("must lie between lower and upper, 0 and 120"));
  EXPECT_EQ(
      column_refusal("bins = [0, 1]\ncategories = [\"a\"]\n"),
      "columns.c.bins is [0, 1], but a column has either categories or bins, not both; bins are the categories of numbers: delete one "
      "of the two under [columns.c]");
  EXPECT_EQ(column_refusal("bins = [0, 1]\nmissing = \"0 to 1\"\n"),
            "columns.c.missing is \"0 to 1\", but is also the name of a bin, so two cells would have one name; write under [columns.c]: "
            "missing = \"missing\"");
  EXPECT_THAT(column_refusal("bins = [0, 1]\nother = \"x\"\n"),
              HasSubstr("columns.c.other is \"x\", but has a meaning only beside categories;"));
  EXPECT_THAT(column_refusal("bins = [0, 1]\nmembership = \"public\"\n"), HasSubstr("has a meaning only beside categories;"));
  EXPECT_THAT(column_refusal("bins = [0, 1]\nmissing_number = 1\n"),
              HasSubstr("columns.c.missing_number is 1, but has a meaning only beside bounds"));
}

TEST(ColumnText, CategoriesAndBoundsOfOneColumnEachHaveTheirMissing) {
  const Column both =
      column_with("categories = [0, 1, 2]\nlower = 0\nupper = 2\nresolution = 1\nmissing = \"unknown\"\nmissing_number = 1\n");
  EXPECT_THAT(both.categories->labels, ElementsAre("0", "1", "2", "other", "unknown"));
  EXPECT_EQ(both.categories->missing, 4U);
  EXPECT_EQ(both.bounds->missing, Decimal(1));
  EXPECT_EQ(column_with("categories = [0, 1]\nlower = 0\nupper = 2\nresolution = 1\nmissing = 1\n").categories->missing, 1U);
  EXPECT_EQ(column_with(kAge + std::string("bins = [0, 120]\nmissing_number = \"left out\"\n")).bounds->missing, std::nullopt);
  EXPECT_TRUE(column_with("categories = [0, 1]\nlower = 0\nupper = 2\nresolution = 1\nmembership = \"public\"\n").public_membership);
}

// A number that was the value of missing ones must not silently become the name of a cell.
TEST(ColumnText, MissingIsACellWhereThereAreCells) {
  EXPECT_EQ(
      column_refusal(kAge + std::string("bins = [0, 120]\nmissing = 40\n")),
      "columns.c.missing is 40, but must be the name of a cell: that of missing values; write under [columns.c]: missing_number = 40, "
      "for the value of a missing number in sums");
  EXPECT_THAT(column_refusal("categories = [0, 1]\nlower = 0\nupper = 2\nresolution = 1\nmissing = 2\n"), HasSubstr("missing_number = 2"));
  EXPECT_EQ(column_refusal(kAge + std::string("bins = [0, 120]\nmissing = \"left out\"\n")),
            "columns.c.missing is \"left out\", but must be the name of a cell: a table leaves nobody out; write under [columns.c]: "
            "missing = \"missing\", and missing_number = \"left out\" for sums");
  EXPECT_EQ(column_refusal(kAge + std::string("missing_number = 40\n")),
            "columns.c.missing_number is 40, but has a meaning only where `missing` names a cell; write under [columns.c]: missing = 40");
}

TEST(ColumnText, AMissingNumberHasAValueOrIsLeftOut) {
  EXPECT_EQ(column_with(kAge).bounds->missing, std::nullopt);
  EXPECT_EQ(column_with(kAge + std::string("missing = \"left out\"\n")).bounds->missing, std::nullopt);
  EXPECT_EQ(column_with(kAge + std::string("bins = [0, 120]\n")).bounds->missing, std::nullopt);
  EXPECT_EQ(column_with(kAge + std::string("missing = 40\n")).bounds->missing, Decimal(40));
  EXPECT_EQ(column_refusal(kAge + std::string("missing = \"none\"\n")),
            "columns.c.missing is \"none\", but must be a number, or \"left out\"; write under [columns.c]: missing = \"left out\"");
  EXPECT_THAT(column_refusal(kAge + std::string("bins = [0, 120]\nmissing_number = 121\n")),
              HasSubstr("columns.c.missing_number is 121, but must lie between lower and upper, 0 and 120"));
}

TEST(ColumnText, NumbersMayHaveSeparatorsAndAUnit) {
  const Column german = column_with(kAge + std::string("thousands = \".\"\ndecimal = \",\"\nunit = \"m2\"\n"));
  EXPECT_EQ(german.text.thousands, '.');
  EXPECT_EQ(german.text.decimal, ',');
  EXPECT_EQ(german.text.unit, "m2");
  EXPECT_EQ(column_with("bins = [0, 1]\nthousands = \",\"\n").text.thousands, ',');
  EXPECT_TRUE(column_with(kAge + std::string("decimal = \".\"\ndate = false\n")).text.usual());
}

TEST(ColumnText, BadNumberTextsAreExplained) {
  const auto refused = [](const std::string& lines) { return column_refusal(kAge + lines); };
  EXPECT_EQ(refused("thousands = \"0\"\n"),
            "columns.c.thousands is \"0\", but must not be a digit, a sign or the letter e; write under [columns.c]: thousands = \",\"");
  EXPECT_THAT(refused("decimal = \"-\"\n"), HasSubstr("columns.c.decimal is \"-\", but must not be a digit"));
  EXPECT_EQ(refused("decimal = \"..\"\n"),
            "columns.c.decimal is \"..\", but must be one ASCII character, and no line break; for example: decimal = \",\"");
  EXPECT_EQ(refused("thousands = \".\"\n"),
            "columns.c.thousands is \".\", but must differ from decimal, which is \".\"; write under [columns.c]: thousands = \".\" and "
            "decimal = \",\", or the other way round");
  EXPECT_EQ(
      refused("unit = \" mg\"\n"),
      "columns.c.unit is \" mg\", but must not begin or end with a space or a tab; spaces between a number and its unit do not count");
  EXPECT_EQ(refused("unit = \"e5\"\n"),
            "columns.c.unit is \"e5\", but must not be read as a part of the number; write under [columns.c]: unit = \"mg\"");
  EXPECT_THAT(refused("unit = 5\n"), HasSubstr("columns.c.unit is 5, but must be text in quotes"));
  EXPECT_THAT(refused("unit = \"\"\n"), HasSubstr("must not be empty"));
  for (const std::string line : {"thousands = \",\"", "decimal = \",\"", "unit = \"mg\"", "date = true"}) {
    EXPECT_THAT(
        column_refusal("categories = [\"a\"]\n" + line + "\n"),
        HasSubstr("but has a meaning only beside bounds or bins; write under [columns.c]: lower = ..., upper = ... and resolution"));
  }
}

TEST(ColumnText, DatesAreDaysWithinBounds) {
  const Column born = column_with("date = true\nlower = 1970-01-02\nupper = \"2000-01-01\"\nbins = [1970-01-02, \"1980-01-01\", 10957]\n");
  EXPECT_TRUE(born.text.date);
  EXPECT_EQ(born.bounds->lower, Decimal(1));
  EXPECT_EQ(born.bounds->upper, Decimal(10957));
  EXPECT_EQ(born.bounds->resolution, Decimal(1));
  EXPECT_EQ(born.bounds->missing, std::nullopt);
  EXPECT_THAT(born.categories->labels, ElementsAre("1970-01-02 to under 1980-01-01", "1980-01-01 to 2000-01-01", "missing"));
  EXPECT_EQ(column_with("date = true\nlower = 1900-01-01\nupper = 2000-01-01\nresolution = 7\nmissing = 1970-01-01\n").bounds->missing,
            Decimal(0));
  EXPECT_EQ(column_with("date = true\nlower = \"-719162\"\nupper = 9999-12-31\n").bounds->upper, Decimal(2932896));
}

TEST(ColumnText, BadDatesAreExplained) {
  const std::string rule =
      "must be a date of the years 1 to 9999, or whole days since 1970-01-01; for example: 1900-01-01 in TOML, or \"1900-01-01\"";
  const auto lower = [](const std::string& date) { return column_refusal("date = true\nupper = 2000-01-01\nlower = " + date + "\n"); };
  EXPECT_EQ(lower("\"1900-13-01\""), "columns.c.lower is \"1900-13-01\", but " + rule);
  for (const std::string date : {"\"1900-1-1\"", "\"1900-01-01 12:00\"", "\"0000-01-01\"", "0.5", "\"0.5\"", "1e1", "true", "-719163",
                                 "2932897", "1979-05-27T07:32:00Z", "\"1e900\"", "inf"})
    EXPECT_THAT(lower(date), HasSubstr(rule)) << date;
  EXPECT_EQ(
      lower("2000-01-02"),
      "columns.c.lower is 2000-01-02, but must be less than upper, which is 2000-01-01; write the least and the greatest value that a "
      "person can have");
  EXPECT_EQ(
      column_refusal("date = true\nlower = 2000-01-01\n"),
      "columns.c.upper is not written, but a column of dates with bounds needs lower and upper; write under [columns.c]: upper = ...");
  EXPECT_EQ(column_refusal("date = 1\nbins = [0, 1]\n"),
            "columns.c.date is 1, but must be true or false; write under [columns.c]: date = true");
  EXPECT_EQ(column_refusal("date = true\nbins = [0, 1]\nunit = \"d\"\n"),
            "columns.c.unit is \"d\", but has no meaning beside date = true; dates are written as 2024-05-31");
  EXPECT_THAT(column_refusal("date = true\nlower = 0\nupper = 9\nmissing = \"never\"\n"), HasSubstr("must be a date, or \"left out\""));
  EXPECT_THAT(column_refusal("lower = 1900-01-01\nupper = 2\nresolution = 1\n"),
              HasSubstr("columns.c.lower is 1900-01-01, but must be a decimal number"));
}

TEST(Contributions, AreReadAsATableOfLimits) {
  const std::string columns = "[columns.patient]\n[columns.age]\n" + std::string(kAge);
  const data::Contributions rows = *schema_with("contributions = { person = \"patient\", rows = 3 }\n" + columns).contributions;
  EXPECT_EQ(rows.person, "patient");
  // Texts that name nobody; of a column that says nothing else they have no meaning.
  const std::string nobody = "[columns.patient]\nmissing_values = [\"NA\"]\n";
  EXPECT_EQ(schema_with("contributions = { person = \"patient\", rows = 3 }\n" + nobody).find("patient")->missing_values,
            std::vector<std::string>{"NA"});
  EXPECT_FALSE(parse_schema("tacet = 1\ndataset = \"d\"\nledger = \"l\"\n" + nobody, false, "").ok());
  EXPECT_EQ(rows.rows, 3);
  EXPECT_EQ(rows.groups, std::nullopt);
  EXPECT_EQ(schema_with("[contributions]\nperson = \"age\"\nrows = 1\ngroups = 1000\n" + columns).contributions->groups, 1000);
  EXPECT_EQ(schema_with(columns).contributions, std::nullopt);
}

// Otherwise all rows with NA in place of a name would be those of one person.
TEST(Contributions, MayNameTextsThatNameNobody) {
  const std::string limit = "contributions = { person = \"patient\", rows = 3 }\n", missing = "missing_values = [\"NA\"]\n";
  const data::Schema schema = schema_with(limit + "[columns.patient]\n" + missing);
  EXPECT_EQ(schema.find("patient")->missing_values, std::vector<std::string>{"NA"});
  const auto kept = kept_schema(data::canonical(schema));
  ASSERT_TRUE(kept.ok()) << kept.error().message();
  EXPECT_EQ(kept->find("patient")->missing_values, std::vector<std::string>{"NA"});
  const std::string refused = "columns.other.missing_values is [\"NA\"], but has a meaning only beside categories, bins or bounds";
  EXPECT_THAT(refusal_of(limit + "[columns.patient]\n[columns.other]\n" + missing), HasSubstr(refused));
  EXPECT_THAT(refusal_of("[columns.other]\n" + missing), HasSubstr(refused));
}

TEST(Contributions, ThatAreBadAreExplained) {
  const auto refused = [](const std::string& line, const std::string& columns = "[columns.patient]\n") {
    return refusal_of(line + "\n" + columns);
  };
  const std::string write = "; write: contributions = { person = \"patient\", rows = 3 }";
  EXPECT_EQ(refused("person = \"patient\""),
            "person is \"patient\", but must be written with the number of rows that a person may have" + write);
  EXPECT_EQ(refused("contributions = 3"), "contributions is 3, but must be a table" + write);
  EXPECT_EQ(refused("contributions = { rows = 3 }"),
            "contributions.person is not written, but must be the column that names the person" + write);
  EXPECT_EQ(
      refused("contributions = { person = \"patient\" }"),
      "contributions.rows is not written, but must be how many rows of one person count at most, in each group if groups is given" + write);
  EXPECT_EQ(refused("contributions = { person = 3, rows = 3 }"), "contributions.person is 3, but must be text in quotes" + write);
  EXPECT_THAT(
      refused("contributions = { persons = \"patient\", rows = 3 }"),
      HasSubstr(
          "field is \"persons\" under [contributions], but must be one of \"person\", \"rows\", \"groups\"; did you mean \"person\"?"));
  for (const std::string limit : {"0", "-1", "1001", "1.5", "\"3\"", "true"}) {
    EXPECT_THAT(
        refused("contributions = { person = \"patient\", rows = " + limit + " }"),
        HasSubstr(
            "contributions.rows is " + limit +
            ", but must be a whole number from 1 to 1000; write the most that any analysis needs of one person: noise grows with it"));
  }
  EXPECT_THAT(refused("contributions = { person = \"patient\", rows = 1, groups = 0 }"), HasSubstr("contributions.groups is 0"));
  EXPECT_EQ(refused("contributions = { person = \"user\", rows = 3 }"),
            "contributions.person is \"user\", but must be a declared column, which needs neither categories nor bounds; write: "
            "[columns.user], and nothing below it");
  EXPECT_THAT(refused("contributions = { person = \"patent\", rows = 3 }"), HasSubstr("did you mean \"patient\"?"));
  EXPECT_EQ(refused("contributions = { person = \"arm\", rows = 3 }", "[columns.arm]\ncategories = [\"a\"]\nmembership = \"public\"\n"),
            "columns.arm.membership is \"public\", but cannot be public beside contributions, where the rows of a person may be in several "
            "groups; delete the line, or the contributions");
}

// The canonical text is itself a schema in JSON.
TEST(ColumnText, TheCanonicalTextIsReadAsASchema) {
  const data::Schema schema = schema_with(R"(contributions = { person = "patient", rows = 1, groups = 2 }
[columns.patient]
[columns.age]
lower = 0
upper = 120
resolution = 1
bins = [0, 18, 120]
missing_number = 40
[columns.parity]
categories = [0, 1]
lower = 0
upper = 9
resolution = 1
missing = "unknown"
missing_number = "left out"
[columns.born]
date = true
lower = 1900-01-01
upper = 2020-12-31
[columns.seen]
date = true
bins = [2020-01-01, 2021-01-01]
[columns.dose]
lower = 0
upper = 1000
resolution = 0.1
missing = "left out"
thousands = "."
decimal = ","
unit = "mg"
)");
  const std::string text = data::canonical(schema);
  const Result<data::Schema> read = parse_schema(R"({"dataset":"d","ledger":"l",)" + text.substr(1), true, "");
  ASSERT_TRUE(read.ok()) << read.error().message();
  EXPECT_EQ(data::canonical(*read), text);
  EXPECT_EQ(data::canonical(*kept_schema(text)), text);
}

}  // namespace
}  // namespace tacet::schemas
