// What a look at rows tells, compared with a plain count of made-up files that have every defect.
#include <sys/stat.h>

#include <cmath>
#include <map>
#include <random>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/data/scan_process.h"
#include "tacet/schemas/data_path.h"
#include "tacet/schemas/profile/advice.h"
#include "tacet/schemas/profile/look.h"
#include "tacet/schemas/profile/look_process.h"
#include "tacet/schemas/profile/profile_codec.h"
#include "tacet/schemas/schema_text.h"

#include "data/test_files.h"

namespace tacet::schemas {
namespace {

using namespace data;

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

FileProfile looked(const std::string& path, const Schema& schema, const LookOptions& options = {}) {
  const Result<FileProfile> profile = look_at(*open_data(path), schema, options);
  EXPECT_TRUE(profile.ok()) << (profile.ok() ? "" : profile.error().message());
  return profile.ok() ? *profile : FileProfile();
}

/// Of a CSV file with this text.
FileProfile looked_csv(const std::string& text, const std::string& lines) {
  const TestFolder folder;
  return looked(folder.write("t.csv", text), schema_with(lines));
}

std::vector<std::string> advised(const std::string& text, const std::string& lines) {
  return advice_on(looked_csv(text, lines), schema_with(lines));
}

constexpr const char* kSmokingCells = "[columns.smoking]\ncategories = [\"never\", \"former\", \"current\"]\n";
constexpr const char* kAgeBounds = "[columns.age]\nlower = 18\nupper = 65\nresolution = 1\n";

TEST(Profile, CountsOtherAndMissingAlsoWhereTheyShareACell) {
  const std::string text = "smoking\nnever\n never \nNever\n\"\"\n?\nNA\ncigars\ncigars\n  \nformer\n";
  const FileProfile profile =
      looked_csv(text, std::string(kSmokingCells) + "other = \"never\"\nmissing = \"never\"\nmissing_values = [\"NA\"]\n");
  ASSERT_EQ(profile.columns.size(), 1U);
  const ColumnProfile& smoking = profile.columns.front();
  EXPECT_EQ(profile.rows, 10);
  EXPECT_EQ(smoking.missing, 2);  // NA and spaces
  EXPECT_EQ(smoking.other, 5);    // Never, ?, cigars twice, and an empty text in quotes
  EXPECT_THAT(smoking.undeclared, ElementsAre(TextCount{"cigars", 2}, TextCount{"", 1}, TextCount{"?", 1}, TextCount{"Never", 1}));
  ASSERT_EQ(smoking.unused.size(), 1U);
  EXPECT_EQ(smoking.unused.front().category, "current");
  EXPECT_EQ(smoking.unused.front().instead, std::nullopt);
}

TEST(Profile, TellsWhichTextACategoryMayStandFor) {
  const std::string lines = "[columns.code]\ncategories = [1, 2, 3, \"North East\", \"no\"]\n";
  std::string text = "code\n";
  for (int i = 0; i < 1234; ++i) text += "1.00\n";
  text += "2.0\n03\nnorth-east\n";
  EXPECT_THAT(advised(text, lines),
              ElementsAre("column \"code\": category \"1\" never occurs, but \"1.00\" does 1,234 times: write it so",
                          "column \"code\": category \"3\" never occurs, but \"03\" does once: write it so",
                          "column \"code\": category \"North East\" never occurs, but \"north-east\" does once: write it so",
                          "column \"code\": no row has \"no\"; keep what is possible, and mend what is misspelt",
                          "column \"code\": 1,236 rows (99.9 %) have no declared category and count as \"other\": \"1.00\" 1,234 times, "
                          "\"03\" once, \"north-east\" once"));
}

TEST(Profile, TellsOfCategoriesInOtherLetterCase) {
  EXPECT_THAT(
      advised("sex\nf\nm\nF\n F \nx\n", "[columns.sex]\ncategories = [\"f\", \"m\"]\n"),
      ElementsAre("column \"sex\": 3 rows (60 %) have no declared category and count as \"other\": \"F\" 2 times, \"x\" once; \"F\" "
                  "differs from the category \"f\" in upper and lower case alone: write the file in one way"));
}

TEST(Profile, CountsNumbersBeyondBoundsAndThoseThatAreNone) {
  const std::string text = "age\n17\n18\n65\n66\n1000\n,\nx\n-9\nNA\n40\n\"\"\nnan\n";  // one line does not fit
  const FileProfile profile = looked_csv(text, std::string(kAgeBounds) + "missing_values = [-9, \"NA\"]\n");
  const ColumnProfile& age = profile.columns.at(0);
  EXPECT_EQ(profile.rows, 12);
  EXPECT_EQ(profile.misfits, 1);
  EXPECT_EQ(age.missing, 4);  // -9, NA, "" and nan
  EXPECT_EQ(age.numbers->below, 1);
  EXPECT_EQ(age.numbers->above, 2);
  EXPECT_EQ(age.numbers->not_numbers, 2);  // x and the line that does not fit
  EXPECT_THAT(age.numbers->texts, ElementsAre(TextCount{"x", 1}));
  EXPECT_EQ(age.other, std::nullopt);
}

TEST(Profile, ProposesHowNumbersAreWritten) {
  const auto proposed = [](const std::string& values) {
    std::string text = "age\n";
    std::istringstream in(values);
    for (std::string value; std::getline(in, value, '|');) text += "\"" + value + "\"\n";
    std::string out;
    for (const std::string& sentence : advised(text, kAgeBounds)) out += sentence + "\n";
    return out;
  };
  EXPECT_THAT(proposed("1,234|12,345|7"), HasSubstr("2 of them would be numbers with thousands = \",\""));
  EXPECT_THAT(proposed("12,5|1,234|30"), HasSubstr("2 of them would be numbers with decimal = \",\""));
  EXPECT_THAT(proposed("1.234,5|12,5"), HasSubstr("2 of them would be numbers with thousands = \".\" and decimal = \",\""));
  EXPECT_THAT(proposed("0,123|0,500"), HasSubstr("would be numbers with decimal = \",\""));
  EXPECT_THAT(proposed("12 mg|14 mg|13"), HasSubstr("2 of them would be numbers with unit = \"mg\""));
  EXPECT_THAT(proposed("1 234|25"), HasSubstr("with thousands = \" \""));
  EXPECT_THAT(proposed("2024-05-31|2024-06-01"), HasSubstr("2 of them would be dates with date = true"));
  EXPECT_THAT(proposed("31.05.2024|1.6.2024"), HasSubstr("dates are read in the order 2024-05-31 alone"));
  EXPECT_THAT(proposed("NA|?|30"), HasSubstr("missing_values = [\"?\", \"NA\"] would say so"));
  EXPECT_EQ(proposed("18|40|65"), "");
}

TEST(Profile, CountsDatesAndBins) {
  const std::string lines =
      "[columns.day]\ndate = true\nlower = 2020-01-01\nupper = 2020-12-31\nbins = [2020-02-01, 2020-07-01, 2020-12-01]\n";
  const FileProfile profile = looked_csv("day\n2019-12-31\n2020-01-15\n2020-03-01\n2021-01-01\n2020-12-31T10:00\n31/05/2020\n", lines);
  const NumberProfile& day = *profile.columns.at(0).numbers;
  EXPECT_EQ(day.below, 1);
  EXPECT_EQ(day.above, 1);
  EXPECT_EQ(day.outside_bins, 4);
  EXPECT_EQ(day.not_numbers, 1);
  EXPECT_EQ(day.other_dates, 1);
  EXPECT_EQ(profile.columns.at(0).other, std::nullopt);
}

TEST(Profile, CountsRowsOfPeopleThatAreDropped) {
  const std::string text = "patient,age\nA,20\nA,21\nA,22\nB,30\n B ,31\n,40\nC,50\n";
  const std::string columns = std::string("[columns.patient]\n") + kAgeBounds;
  const FileProfile two = looked_csv(text, "contributions = { person = \"patient\", rows = 2 }\n" + columns);
  ASSERT_TRUE(two.people.has_value());
  EXPECT_EQ(two.people->people, 3);
  EXPECT_EQ(two.people->over, 1);
  EXPECT_EQ(two.people->dropped, 1);
  EXPECT_EQ(two.people->nameless, 1);
  EXPECT_EQ(two.people->most_rows, 3);
  const std::string one = "contributions = { person = \"patient\", rows = 1 }\n" + columns;
  EXPECT_THAT(advised(text, one),
              ElementsAre("2 of 3 people (66.7 %) have more than the 1 row that count, up to 3: 3 rows (42.9 %) are dropped",
                          "1 row (14.3 %) names nobody in column \"patient\" and is dropped"));
}

TEST(Profile, TellsPeopleApartAsAReleaseDoes) {
  const std::string columns = std::string("[columns.patient]\nmissing_values = [\"NA\"]\ncategories = [\"A\"]\n") + kAgeBounds;
  const FileProfile profile =
      looked_csv("patient,age\nA,20\nNA,21\nNA,22\n,40\n", "contributions = { person = \"patient\", rows = 1 }\n" + columns);
  ASSERT_TRUE(profile.people.has_value());
  EXPECT_EQ(profile.people->people, 1);
  EXPECT_EQ(profile.people->nameless, 3);
  EXPECT_EQ(profile.people->dropped, 0);
}

TEST(Profile, OfUnitsThatAreNotUtf8) {
  EXPECT_THAT(advised("age\n12 \xB5g\n30\n", kAgeBounds), Contains(AllOf(HasSubstr("1 row (50 %) is not UTF-8"), HasSubstr("iconv"))));
}

TEST(Profile, GuessesHowAFileIsWritten) {
  const std::string lines = std::string(kSmokingCells) + kAgeBounds;
  EXPECT_THAT(advised("smoking;age\nnever;20,5\nformer;30,5\n", lines),
              Contains("this looks like fields separated by semicolons: write under [csv]: delimiter = \";\""));
  EXPECT_THAT(advised("smoking\tage\nnever\t20\n", lines),
              Contains("this looks like fields separated by tabs: write under [csv]: delimiter = \"\\t\""));
  EXPECT_THAT(advised("\xEF\xBB\xBFsmoking,age\nnever,20\nformer,30\ncurrent,30\n", lines),
              ElementsAre("the file begins with a byte order mark, which does no harm: it is skipped"));
  EXPECT_THAT(advised("smoking,age\n'never',20\n'former',30\n", lines),
              Contains("fields seem to be in single quotes: write under [csv]: quote = \"'\""));
  EXPECT_THAT(advised("smoking,age\n\"never\nor seldom\",20\n\"former\",30\n", lines), Contains(HasSubstr("line_breaks_in_quotes = true")));
  EXPECT_THAT(advised("smoking,age\n\"x\" never,20\nformer,30\n", lines),
              Contains("quotes seem to be ordinary characters: write under [csv]: quote = \"\""));
  EXPECT_THAT(advised("never,20\nformer,30\nformer,31\n", lines),
              Contains(HasSubstr("the first line looks like a person, not like names")));
  EXPECT_THAT(advised("smoking,age\nnever,20\nformer,30\n", "[csv]\nheader = false\n" + lines),
              Contains(HasSubstr("the first line looks like names, but counts as a person")));
  const std::string wide("\xFF\xFEs\0,\0\n\0", 8);
  EXPECT_THAT(advised(wide, lines), Contains(HasSubstr("the file is written in UTF-16")));
  EXPECT_THAT(advised("smoking,age\nnever,20\nn\xE4ver,30\nformer,30\ncurrent,40\n", lines),
              Contains(AllOf(HasSubstr("1 row (25 %) is not UTF-8"), HasSubstr("iconv"))));
  EXPECT_THAT(advised("smoking,age\nnever,20\nformer,30\ncurrent,40\n", lines), IsEmpty());
}

TEST(Profile, OfHardlyAnyRows) {
  const std::string lines = std::string(kSmokingCells) + kAgeBounds;
  const TestFolder folder;
  const auto empty = look_at(*open_data(folder.write("empty.csv", "")), schema_with(lines));
  ASSERT_FALSE(empty.ok());
  EXPECT_THAT(empty.error().message(), HasSubstr("is empty"));
  EXPECT_THAT(advised("smoking,age\n", lines), ElementsAre("there are no rows"));
  const FileProfile one = looked_csv("smoking,age\nnever,70\n", lines);
  EXPECT_EQ(one.rows, 1);
  EXPECT_EQ(one.columns.at(1).numbers->above, 1);
  EXPECT_THAT(advised("smoking,age\nnever,70\n", lines),
              Contains("column \"age\": 1 row (100 %) is above upper = 65 and counts as it; is that bound what is possible?"));
}

TEST(Profile, ReadsOnlyWhatIsDeclared) {
  const FileProfile profile = looked_csv("smoking,diary\nnever,SECRET\n", kSmokingCells);
  EXPECT_EQ(profile.columns.size(), 1U);
  EXPECT_THAT(profile_text(profile), Not(HasSubstr("SECRET")));
}

/// The plain count: of texts that are numbers, NULL or words.
struct PlainTally {
  std::int64_t missing = 0, below = 0, above = 0, other = 0;
};

TEST(Profile, OfParquetAndDuckDbIsThatOfCsv) {
  const TestFolder folder;
  const std::string query =
      "SELECT CASE WHEN i % 7 = 0 THEN NULL WHEN i % 11 = 0 THEN 'cigars' ELSE 'never' END AS smoking, "
      "CASE WHEN i % 13 = 0 THEN NULL ELSE i % 90 END::INTEGER AS age, (i % 1000 / 10.0)::FLOAT AS part, i % 2 = 0 AS alive, "
      "('p' || (i % 400)) AS person FROM range(1000) AS r(i)";
  write_parquet(query, folder.path("t.parquet"));
  run_duckdb({"CREATE TABLE people AS " + query}, folder.path("t.duckdb"));
  run_duckdb({fmt::format("COPY ({}) TO {} (FORMAT csv, HEADER)", query, sql::literal(folder.path("t.csv")))});
  const Schema schema = schema_with(std::string("contributions = { person = \"person\", rows = 2 }\n") + kSmokingCells + kAgeBounds +
                                    "[columns.part]\nlower = 0.1\nupper = 50\nresolution = 0.1\n[columns.person]\n"
                                    "[columns.alive]\ncategories = [true, false]\n");
  PlainTally smoking, age, part;
  for (int i = 0; i < 1000; ++i) {
    (i % 7 == 0 ? smoking.missing : i % 11 == 0 ? smoking.other : smoking.below) += 1;
    (i % 13 == 0 ? age.missing : i % 90 < 18 ? age.below : i % 90 > 65 ? age.above : age.other) += 1;
    (i % 1000 < 1 ? part.below : i % 1000 > 500 ? part.above : part.other) += 1;
  }
  for (const char* name : {"t.parquet", "t.duckdb", "t.csv"}) {
    const FileProfile profile = looked(folder.path(name), schema);
    ASSERT_EQ(profile.columns.size(), 4U) << name;
    EXPECT_EQ(profile.rows, 1000) << name;
    EXPECT_EQ(profile.columns[0].missing, smoking.missing) << name;
    EXPECT_EQ(profile.columns[0].other, smoking.other) << name;
    EXPECT_EQ(profile.columns[1].missing, age.missing) << name;
    EXPECT_EQ(profile.columns[1].numbers->below, age.below) << name;
    EXPECT_EQ(profile.columns[1].numbers->above, age.above) << name;
    EXPECT_EQ(profile.columns[2].numbers->below, part.below) << name << ": 0.1 is the bound, in the precision of the column";
    EXPECT_EQ(profile.columns[2].numbers->above, part.above) << name;
    EXPECT_EQ(profile.columns[3].other, 0) << name;
    EXPECT_EQ(profile.people->people, 400) << name;
    EXPECT_EQ(profile.people->over, 200) << name;  // 0 to 199 have three rows each
    EXPECT_EQ(profile.people->dropped, 200) << name;
  }
}

// The same rows, counted by a release's own scan: `other` and missing have cells of their own.
TEST(Profile, AgreesWithTheCellsOfARelease) {
  const TestFolder folder;
  std::mt19937 bits(7);
  const std::vector<std::string> values{"a", " a", "b", "B", "1", "1.0", "01", "", "?", "  ", "\"a\"", "a\"b", "\xFF", "\"\""};
  std::string text = "c,d\n";
  for (int i = 0; i < 2000; ++i) text += values[bits() % values.size()] + (bits() % 50 == 0 ? "\n" : ",x\n");
  folder.write("t.csv", text);
  const Schema schema =
      schema_with("[columns.c]\ncategories = [\"a\", \"b\", 1]\nother = \"o\"\nmissing = \"m\"\nmissing_values = [\"?\"]\n");
  const Counts cells = counted(folder.path("t.csv"), schema, {"c"});
  const FileProfile profile = looked(folder.path("t.csv"), schema);
  EXPECT_EQ(profile.rows, cells[0] + cells[1] + cells[2] + cells[3] + cells[4]);
  EXPECT_EQ(profile.columns.at(0).other, cells[3]);
  EXPECT_EQ(profile.columns.at(0).missing, cells[4]);
  EXPECT_GT(profile.misfits, 0);
}

// A secret is planted in files that are wrong; it must stand in no error, and nothing crashes.
TEST(Profile, OfADamagedFileIsARefusalWithoutItsContents) {
  const TestFolder folder;
  write_parquet("SELECT 'SECRET' || i AS smoking, 30 AS age FROM range(1000) AS r(i)", folder.path("good.parquet"));
  const std::string good = read_bytes(folder.path("good.parquet"));
  std::string bent = good;
  for (std::size_t at = 200; at + 400 < bent.size(); at += 7) bent[at] = static_cast<char>(bent[at] ^ 0x5A);
  std::size_t refused = 0;
  for (const auto& [name, bytes] : std::vector<std::pair<std::string, std::string>>{{"empty.parquet", ""},
                                                                                    {"cut.parquet", good.substr(0, good.size() / 2)},
                                                                                    {"bent.parquet", bent},
                                                                                    {"text.duckdb", "SECRET SECRET"},
                                                                                    {"damaged.csv.gz", "SECRET"}}) {
    const auto profile = look_at(*open_data(folder.write(name, bytes)), schema_with(std::string(kSmokingCells) + kAgeBounds));
    if (profile.ok()) continue;
    ++refused;
    EXPECT_THAT(everything(profile.error()), Not(HasSubstr("SECRET"))) << name;
  }
  EXPECT_GE(refused, 4U);
}

// It would understand the request, and mean something else by its answer.
TEST(Look, AProgramOfAnotherBuildIsRefused) {
  const TestFolder folder;
  const DataFile file = *open_data(folder.write("t.csv", "c\nx\n"));
  const LookRequest names{.scan = request_text({schema_with("[columns.c]\ncategories = [\"x\"]\n"), {}, file.form(), 1}), .names = true};
  ASSERT_TRUE(look_apart(file, names).ok());
  const auto said = look_apart(file, names, {}, *scan_program());
  ASSERT_FALSE(said.ok());
  EXPECT_EQ(said.error().code(), Code::EngineFailed);
  EXPECT_EQ(said.error().message(),
            "tacet-look, which shows data to its custodian, is of another build than this program; install Tacet whole; both come with one "
            "package, and with one make");
}

// A process that has read a hostile file may answer anything: the parent's stack must not end.
TEST(ProfileCodec, NoNestingEndsTheStack) {
  const std::string lists(10'000'000, '\x81');
  std::string objects;
  for (int i = 0; i < 2'000'000; ++i) objects += "\xA1\x61\x61";
  const std::string endless(10'000'000, '\x9F');
  for (const std::string& text : {lists, objects, endless}) {
    EXPECT_FALSE(read_profile(text).has_value());
    EXPECT_FALSE(read_names(text).has_value());
  }
}

TEST(ProfileCodec, ReadsWhatItWritesAndNothingElse) {
  FileProfile profile{.rows = 7, .misfits = 1};
  profile.columns.push_back({.name = "a", .missing = 2, .other = 3, .unused = {{"x", TextCount{"X", 3}}, {"y"}}, .undeclared = {{"X", 3}}});
  profile.columns.push_back({.name = "b", .numbers = NumberProfile{1, 2, 3, 4, {{"1,5", 1}}, WrittenAs{{.decimal = ','}, 1}, 0}});
  profile.columns.push_back({.name = "c", .numbers = NumberProfile{.written = WrittenAs{{}, 2, true}}});
  profile.people = PeopleProfile{5, 1, 2, 3, 4};
  profile.dialect = DialectProfile{.delimiter = ';', .quote = '\0', .header = false};
  const std::string text = profile_text(profile);
  const auto again = read_profile(text);
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(profile_text(*again), text);
  EXPECT_EQ(again->dialect->quote, '\0');
  EXPECT_TRUE(again->columns[2].numbers->written->or_thousands);
  EXPECT_EQ(again->columns[0].unused[0].instead->rows, 3);
  profile.columns[0].missing = -1;
  EXPECT_FALSE(read_profile(profile_text(profile)).has_value());
  profile.columns[0].missing = 0;
  profile.columns[0].undeclared[0].text = "\xFF";
  EXPECT_FALSE(read_profile(profile_text(profile)).has_value());
  for (std::size_t size = 0; size < text.size(); ++size)
    EXPECT_FALSE(read_profile(std::string_view(text).substr(0, size)).has_value()) << size;
  EXPECT_FALSE(read_look_request("[]").has_value());
  EXPECT_TRUE(read_look_request(look_request_text({"{}", true}))->learn);
}

TEST(ProfileCodec, NamesAreReadAsTheyWereWritten) {
  const std::string text = names_text({.tables = {"t", "s.\xFF"}, .columns = {{"age", "DECIMAL(5,2)"}, {"\xFF", ""}}});
  const auto names = read_names(text);
  ASSERT_TRUE(names.has_value());
  EXPECT_EQ(names_text(*names), text);
  EXPECT_EQ(names->tables[1], "s.\xFF");
  EXPECT_EQ(names->columns[0].type, "DECIMAL(5,2)");
  for (std::size_t size = 0; size < text.size(); ++size)
    EXPECT_FALSE(read_names(std::string_view(text).substr(0, size)).has_value()) << size;
  const auto asked = read_look_request(look_request_text({.scan = "{}", .names = true}));
  EXPECT_TRUE(asked->names && !asked->learn && asked->scan == "{}");
}

}  // namespace
}  // namespace tacet::schemas
