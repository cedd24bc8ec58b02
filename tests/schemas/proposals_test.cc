// A first schema with proposals from the rows, which no budget takes until a person confirms them.
#include "tacet/schemas/profile/proposals.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/schemas/data_path.h"
#include "tacet/schemas/draft.h"
#include "tacet/schemas/schema_text.h"

#include "data/test_files.h"

namespace tacet::schemas {
namespace {

using namespace data;

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

Draft learnt_draft(const std::string& path, const DraftOptions& options = {.from_data = true}) {
  const Result<Draft> draft = draft_schema(*open_data(path), "people", options);
  EXPECT_TRUE(draft.ok()) << (draft.ok() ? "" : draft.error().message());
  return draft.ok() ? *draft : Draft();
}

std::string without_flags(std::string toml) {
  for (std::size_t at = toml.find("\nconfirmed = false"); at != std::string::npos; at = toml.find("\nconfirmed = false"))
    toml.erase(at, toml.find('\n', at + 1) - at);
  return toml;
}

/// 300 rows with every kind of column.
std::string clinic() {
  std::string text = "id;sex;code;weight;cost;admitted;birth;note;empty;city\n";
  for (int i = 0; i < 300; ++i) {
    text += fmt::format("{};{};{}.0;{},{} kg;{}.{:03},5;20{:02}-0{}-11;{}.{}.1970;text number {};;{}\n", 1000 + i,
                        i % 9 == 0   ? "NA"
                        : i % 2 == 0 ? "f"
                                     : "m",
                        i % 3, 50 + i % 70, i % 10, 1 + i % 9, i * 3, 15 + i % 4, 1 + i % 9, 1 + i % 28, 1 + i % 12, i,
                        i == 7       ? "Atlantis"
                        : i % 2 == 0 ? "Aachen"
                                     : "Zwolle");
  }
  return text;
}

TEST(Proposals, AreMadeForEveryKindOfColumn) {
  const TestFolder folder;
  const Draft draft = learnt_draft(folder.write("people.csv", clinic()));
  EXPECT_THAT(draft.toml, AllOf(HasSubstr("# FOR THE CUSTODIAN'S EYES ONLY"), HasSubstr("[csv]\ndelimiter = \";\"\n"),
                                HasSubstr("# Proposal, learnt from the data: not public until you confirm it.")));
  EXPECT_THAT(
      draft.toml,
      AllOf(HasSubstr("categories = [\"f\", \"m\"]\nmissing_values = [\"NA\"]\n"), HasSubstr("categories = [\"0\", \"1\", \"2\"]\n"),
            HasSubstr("decimal = \",\"\nunit = \"kg\"\nlower = 50\nupper = 120\nresolution = 0.1\nbins = [50, 60, "),
            HasSubstr("thousands = \".\"\ndecimal = \",\"\nlower = 0\nupper = 10000\nresolution = 0.1\n"),
            HasSubstr("date = true\nlower = 2015-01-01\nupper = 2018-12-31\nbins = [2015-01-01, "),
            HasSubstr("# Dates in another order than 2024-05-31"), HasSubstr("[columns.empty]\n# Every row is empty here"),
            HasSubstr("categories = [\"Aachen\", \"Zwolle\"]\n# 1 other text is in fewer than 5 rows")));
  EXPECT_THAT(draft.toml, AllOf(HasSubstr("[columns.id]\n# This seems to name people or records"), Not(HasSubstr("Atlantis")),
                                Not(HasSubstr("text number"))));
  EXPECT_EQ(draft.proposals, 6U);
}

TEST(Proposals, NamesThatRepeatMayBeThoseOfPeople) {
  const TestFolder folder;
  std::string visits = "visit_id,patient,doctor_id,result\n";
  for (int i = 0; i < 300; ++i) visits += fmt::format("{},p{},d{},{}\n", 5000 + i, i * 7 % 120, i % 60, i % 2 == 0 ? "good" : "bad");
  visits += "5300,NA,d1,good\n5301,NA,d1,good\n";
  const Draft draft = learnt_draft(folder.write("visits.csv", visits));
  EXPECT_THAT(draft.toml,
              AllOf(HasSubstr("\ncontributions = { person = \"patient\", rows = 3 }   # proposal, learnt from the data"),
                    HasSubstr("[columns.patient]\n# Proposal, learnt from the data: not public until you confirm it. Does it name the "
                              "person?\nconfirmed = false"),
                    HasSubstr("# Names repeat: 120 in 300 rows."), HasSubstr("[columns.visit_id]\n# This seems to name"),
                    HasSubstr("[columns.doctor_id]\n# This seems to name")));
  EXPECT_EQ(draft.proposals, 2U);
  EXPECT_THAT(parse_schema(draft.toml, false, "").error().message(), HasSubstr("columns.patient.confirmed is false"));
  const Result<Schema> confirmed = parse_schema(without_flags(draft.toml), false, "");
  ASSERT_TRUE(confirmed.ok()) << confirmed.error().message();
  ASSERT_TRUE(confirmed->contributions);
  EXPECT_EQ(confirmed->contributions->person, "patient");
  EXPECT_EQ(confirmed->contributions->rows, 3);
  EXPECT_THAT(confirmed->find("patient")->missing_values, ElementsAre("NA"));
  // Of names that do not repeat nothing is proposed, nor where nobody looks.
  EXPECT_THAT(learnt_draft(folder.write("people.csv", clinic())).toml, HasSubstr("\n# contributions = { person = \"...\""));
}

// 7.855 is eight euros or eight thousand: only a person can tell.
TEST(Proposals, TellWherePointsMaySeparateThousands) {
  const TestFolder folder;
  std::string points = "cost\n", decimals = "cost\n";
  for (int i = 0; i < 200; ++i) {
    points += i % 3 == 0 ? fmt::format("{}\n", 100 + i) : fmt::format("{}.{:03}\n", 1 + i % 9, 2 * i);
    decimals += fmt::format("{}.{}\n", 1 + i % 9, 2 * i);
  }
  EXPECT_THAT(learnt_draft(folder.write("points.csv", points)).toml,
              HasSubstr("# Beware: every point stands before three digits. If points separate thousands, write thousands = \".\""));
  EXPECT_THAT(learnt_draft(folder.write("decimals.csv", decimals)).toml, AllOf(HasSubstr("lower = "), Not(HasSubstr("Beware"))));
}

TEST(Proposals, WaitForAPersonToConfirmThem) {
  const TestFolder folder;
  const Draft draft = learnt_draft(folder.write("people.csv", clinic()));
  const Result<Schema> refused = parse_schema(draft.toml, false, "");
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code(), Code::SchemaInvalid);
  EXPECT_EQ(refused.error().message(),
            "columns.sex.confirmed is false, but must be confirmed by a person: \"sex\", \"code\", \"weight\", \"cost\", \"admitted\", "
            "\"city\" were "
            "proposed from the data, and what is learnt from data is not public; compare each with what is publicly known, change what "
            "differs, and delete its line: confirmed = false");
  const Result<Schema> checked = parse_schema(draft.toml, false, "", Unconfirmed::Allowed);
  ASSERT_TRUE(checked.ok()) << checked.error().message();
  const Result<Schema> confirmed = parse_schema(without_flags(draft.toml), false, "");
  ASSERT_TRUE(confirmed.ok()) << confirmed.error().message();
  EXPECT_EQ(confirmed->csv.delimiter, ';');
  EXPECT_EQ(confirmed->find("weight")->text.unit, "kg");
  EXPECT_TRUE(schema_with("[columns.a]\nconfirmed = true\ncategories = [\"x\"]\n").find("a")->categories.has_value());
  EXPECT_THAT(parse_schema("tacet = 1\ndataset = \"d\"\nledger = \"l\"\n[columns.a]\nconfirmed = \"no\"\n", false, "").error().message(),
              HasSubstr("columns.a.confirmed is \"no\", but must be true or false"));
}

TEST(Proposals, KeepTheirBoundsOutsideOfTheData) {
  EXPECT_THAT(round_edges(17, 90), ElementsAre("0", "20", "40", "60", "80", "100"));
  EXPECT_THAT(round_edges(0.1, 0.3), ElementsAre("0.1", "0.15", "0.2", "0.25", "0.3"));
  EXPECT_THAT(round_edges(1990, 2020), ElementsAre("1990", "1995", "2000", "2005", "2010", "2015", "2020"));
  EXPECT_THAT(round_edges(-3, -3), ElementsAre("-3", "-2.5", "-2", "-1.5", "-1", "-0.5", "0"));
  for (const double size : {1e-9, 0.007, 1.0, 3.3, 41.0, 99999.0, 1e12}) {
    for (const double from : {-7.0, -0.3, 0.0, 0.1, 5.0}) {
      const std::vector<std::string> edges = round_edges(from * size, (from + 1) * size);
      ASSERT_GE(edges.size(), 2U);
      EXPECT_LE(edges.size(), 10U);
      EXPECT_LE(Decimal::parse(edges.front())->approximate(), from * size);
      EXPECT_GE(Decimal::parse(edges.back())->approximate(), (from + 1) * size);
    }
  }
}

// A step of ten to the power of minus infinity would be one too few.
TEST(Proposals, OfTheLeastNumbersAreNotFiner) {
  for (const double least : {5e-324, 1e-300, 1e-281}) {
    for (const double from : {0.0, -least}) {
      const std::vector<std::string> edges = round_edges(from, from + least);
      ASSERT_GE(edges.size(), 2U) << least;
      EXPECT_EQ(edges.back(), "1") << least;
    }
  }
  EXPECT_THAT(round_edges(0, 1e-279), ElementsAre("0", "2e-280", "4e-280", "6e-280", "8e-280", "1e-279"));
}

TEST(Proposals, HaveAResolutionThatIsWithinTheBounds) {
  const TestFolder folder;
  for (const char* rows : {"2e-6\n3e-6\n2.5e-6\n7e-6\n", "0\n5e-324\n", "1e-20\n1e-9\n5e8\n", "1e15\n-1e15\n", "1e-30\n2e-30\n"}) {
    const Draft draft = learnt_draft(folder.write("t.csv", std::string("dose\n") + rows + rows));
    EXPECT_EQ(draft.proposals, 1U) << rows;
    EXPECT_TRUE(parse_schema(without_flags(draft.toml), false, "").ok()) << draft.toml;
  }
}

TEST(Proposals, LeaveOutTextsThatCannotBeCategories) {
  const TestFolder folder;
  const std::string strange("a\0b", 3), nul_unit("5 m\0", 4);
  const std::string rows = "f\nm\n" + strange + "\n" + std::string(200, 'x') + "\n";
  const Draft draft = learnt_draft(folder.write("t.csv", "c\n" + rows + rows));
  EXPECT_THAT(draft.toml,
              AllOf(HasSubstr("categories = [\"f\", \"m\"]\n"), HasSubstr("# 2 other texts are too long or of characters that")));
  EXPECT_TRUE(parse_schema(without_flags(draft.toml), false, "").ok()) << draft.toml;
  EXPECT_THAT(learnt_draft(folder.write("u.csv", "c\n" + nul_unit + "\n" + nul_unit + "\n")).toml, Not(HasSubstr("\nunit")));
}

// A draft is read in a terminal.
TEST(Proposals, LeaveOutWhatATerminalObeys) {
  const TestFolder folder;
  const std::string rows =
      "f\nm\n\xC2\x9B"
      "2J\n\xE2\x80\xAEm\n";
  const Draft draft = learnt_draft(folder.write("t.csv", "c\n" + rows + rows));
  EXPECT_THAT(draft.toml, AllOf(HasSubstr("categories = [\"f\", \"m\"]\n"), HasSubstr("# 2 other texts are too long or of characters"),
                                Not(HasSubstr("\xC2\x9B")), Not(HasSubstr("\xE2\x80\xAE"))));
}

TEST(Proposals, OfDatesBeginWithTheYearOne) {
  const TestFolder folder;
  std::string rows = "c\n0000-01-01\n9999-12-31\n";
  for (int day = 10; day < 31; ++day) rows += "2024-05-" + std::to_string(day) + "\n";
  const Draft draft = learnt_draft(folder.write("t.csv", rows));
  EXPECT_THAT(draft.toml, HasSubstr("lower = 0001-01-01\nupper = 9999-12-31\n"));
  EXPECT_TRUE(parse_schema(without_flags(draft.toml), false, "").ok()) << draft.toml;
}

TEST(Proposals, TakeNoSignForAUnit) {
  const TestFolder folder;
  const Draft draft = learnt_draft(folder.write("t.csv", "c\n62-\n17-\n23-\n31-\n2.5e-6\n0.000001\n"));
  EXPECT_THAT(draft.toml, Not(HasSubstr("\nunit")));
  EXPECT_TRUE(parse_schema(without_flags(draft.toml), false, "").ok()) << draft.toml;
}

TEST(Proposals, AreReadFromParquetAsFromCsv) {
  const TestFolder folder;
  const std::string query =
      "SELECT CASE i % 3 WHEN 0 THEN NULL WHEN 1 THEN 'yes' ELSE 'no' END AS smokes, (i % 80)::DOUBLE AS age, i AS id, DATE '2020-02-01' + "
      "(i % 300)::INTEGER AS day FROM range(400) AS r(i)";
  write_parquet(query, folder.path("t.parquet"));
  run_duckdb({fmt::format("COPY ({}) TO {} (FORMAT csv, HEADER)", query, sql::literal(folder.path("t.csv")))});
  for (const char* name : {"t.parquet", "t.csv"}) {
    const Draft draft = learnt_draft(folder.path(name));
    EXPECT_THAT(draft.toml,
                AllOf(HasSubstr("categories = [\"no\", \"yes\"]"), HasSubstr("lower = 0\nupper = 80\nresolution = 1\n"),
                      HasSubstr("date = true\nlower = 2020-01-01\nupper = 2020-12-31\n"), HasSubstr("# This seems to name people")))
        << name;
    EXPECT_EQ(draft.proposals, 3U) << name;
    EXPECT_TRUE(parse_schema(without_flags(draft.toml), false, "").ok()) << name;
  }
}

TEST(Proposals, OfAFileWithoutRowsAreNone) {
  const TestFolder folder;
  const Draft draft = learnt_draft(folder.write("t.csv", "a,b\n"));
  EXPECT_EQ(draft.proposals, 0U);
  EXPECT_TRUE(parse_schema(draft.toml, false, "").ok());
  EXPECT_EQ(learnt_draft(folder.write("rows.csv", "1,2\n3,4\n5,6\n")).warning,
            "the first line of the file looks like a person, not like names");
}

}  // namespace
}  // namespace tacet::schemas
