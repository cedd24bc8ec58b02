#include "tacet/schemas/draft.h"

#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/schemas/column_request.h"
#include "tacet/schemas/data_path.h"
#include "tacet/schemas/schema_text.h"

#include "data/test_files.h"

namespace tacet::schemas {
namespace {

using namespace data;

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::string drafted(const std::string& path, const std::string& dataset = "patients", const DraftOptions& options = {}) {
  const Result<Draft> draft = draft_schema(*schemas::open_data(path), dataset, options);
  EXPECT_TRUE(draft.ok()) << (draft.ok() ? "" : draft.error().message());
  return draft.ok() ? draft->toml : "";
}

TEST(Draft, HoldsNamesAndTypesAndNothingElse) {
  const TestFolder folder;
  write_parquet(
      "SELECT 'SECRET' AS smoking, 987654 AS age, 987.654 AS weight, true AS alive, DATE '1987-06-05' AS born, [987654] AS visits",
      folder.path("t.parquet"));
  const std::string draft = drafted(folder.path("t.parquet"));
  EXPECT_THAT(
      draft, AllOf(HasSubstr("dataset = \"patients\""), HasSubstr("ledger = \"patients.ledger\""),
                   HasSubstr("neighbours = \"replace-one\""), HasSubstr("[columns.smoking]   # VARCHAR\n# categories = [\"...\", \"...\"]"),
                   HasSubstr("[columns.age]   # INTEGER\n# lower = ..."),
                   HasSubstr("[columns.alive]   # BOOLEAN\n# categories = [\"false\", \"true\"]"), HasSubstr("[columns.visits]   # LIST")));
  EXPECT_THAT(draft, AllOf(Not(HasSubstr("SECRET")), Not(HasSubstr("987")), Not(HasSubstr("1987"))));
  const Result<Schema> schema = parse_schema(draft, false, "");
  ASSERT_TRUE(schema.ok()) << schema.error().message();
  EXPECT_THAT(schema->names(), ElementsAre("smoking", "age", "weight", "alive", "born", "visits"));
}

TEST(Draft, AnUnfilledColumnGivesTheLineToWrite) {
  const TestFolder folder;
  folder.write("t.csv", "smoking,hours-per-week\nnever,40\n");
  folder.write("schema.toml", drafted(folder.path("t.csv")));
  const Result<Schema> schema = read_schema(folder.path("schema.toml"));
  ASSERT_TRUE(schema.ok()) << schema.error().message();
  EXPECT_EQ(schema->ledger, folder.path("patients.ledger"));
  EXPECT_THAT(check_tabulated(*schema, {"smoking"}).error().message(),
              HasSubstr("write under [columns.smoking]: categories = [\"...\", \"...\"]"));
}

TEST(Draft, SaysThatCsvFilesHaveNoTypes) {
  const TestFolder folder;
  folder.write("t.csv", "smoking,age\nSECRET,987654\n");
  const std::string draft = drafted(folder.path("t.csv"));
  EXPECT_THAT(draft, AllOf(HasSubstr("Types are not told: they would be learnt from the data"), HasSubstr("header = false"),
                           Not(HasSubstr("SECRET")), Not(HasSubstr("987654"))));
}

// A secret is planted in files that are wrong; it must stand in no error.
TEST(Draft, ErrorsNeverCarryContents) {
  const TestFolder folder;
  write_parquet("SELECT 'SECRET' || i AS smoking, 'SECRET' AS disease FROM range(1000) AS r(i)", folder.path("good.parquet"));
  const std::string good = read_bytes(folder.path("good.parquet"));
  std::size_t refused = 0;
  for (const auto& [name, bytes] : std::vector<std::pair<std::string, std::string>>{{"open.csv", "smoking,\"SECRET\n"},
                                                                                    {"empty.parquet", ""},
                                                                                    {"cut.parquet", good.substr(0, good.size() / 2)},
                                                                                    {"tail.parquet", good.substr(good.size() / 2)},
                                                                                    {"magic.parquet", "PAR1SECRET SECRET\x10\x01\x01PAR1"},
                                                                                    {"text.duckdb", "SECRET SECRET"}}) {
    const Result<Draft> draft = draft_schema(*schemas::open_data(folder.write(name, bytes)), "d");
    if (draft.ok()) continue;
    ++refused;
    EXPECT_THAT(everything(draft.error()), Not(HasSubstr("SECRET"))) << name;
  }
  EXPECT_GE(refused, 5U);
}

TEST(Draft, IsValidTomlForAnyNames) {
  const TestFolder folder;
  const std::vector<std::string> odd{"a\"b",         "c.d", "line\rbreak", "größe 日本", "",   "back\\slash",
                                     "# no comment", "]",   "tab\t",       "\x01",       "'''"};
  std::string header;
  for (const std::string& name : odd) {
    header += header.empty() ? "\"" : ",\"";
    for (const char c : name) header += c == '"' ? std::string("\"\"") : std::string(1, c);
    header += "\"";
  }
  folder.write("o\"d\nd.csv", header + ",c.d\n");
  const std::string draft = drafted(folder.path("o\"d\nd.csv"), "my \"data\"\n/ü");
  const Result<Schema> schema = parse_schema(draft, false, "");
  ASSERT_TRUE(schema.ok()) << schema.error().message() << draft;
  EXPECT_EQ(schema->names(), odd);
  EXPECT_EQ(schema->dataset, "my \"data\"\n/ü");
  EXPECT_EQ(schema->ledger, "my--data-----.ledger");
  EXPECT_THAT(draft, HasSubstr("# Column 12 is also named \"c.d\""));
}

TEST(Draft, NamesThatAreNoTextAreTold) {
  const TestFolder folder;
  folder.write("t.csv", "a,\xff\xfe,b\n");
  const std::string draft = drafted(folder.path("t.csv"));
  EXPECT_THAT(draft, HasSubstr("# The name of column 2 is no text in UTF-8"));
  const Result<Schema> schema = parse_schema(draft, false, "");
  ASSERT_TRUE(schema.ok()) << schema.error().message() << draft;
  EXPECT_THAT(schema->names(), ElementsAre("a", "b"));
}

// What stands in a draft as a comment is a field once the comment's sign is gone.
TEST(Draft, MentionsFieldsAsTheyAreWritten) {
  const TestFolder folder;
  folder.write("t.csv", "c\n");
  std::string draft = drafted(folder.path("t.csv"));
  for (const std::string line : {"source = \"...\"", "idealised = true", "line_breaks_in_quotes = true", "[csv]"}) {
    const std::size_t at = draft.find("\n# " + line + (line == "[csv]" ? "\n" : ""));
    ASSERT_NE(at, std::string::npos) << line;
    draft.erase(at + 1, 2);
  }
  EXPECT_THAT(draft, HasSubstr("#   membership = \"public\""));
  const Result<Schema> schema = parse_schema(draft, false, "folder");
  ASSERT_TRUE(schema.ok()) << schema.error().message() << draft;
  EXPECT_EQ(schema->source, "folder/...");
  EXPECT_TRUE(schema->idealised);
  EXPECT_TRUE(schema->csv.line_breaks_in_quotes);
}

TEST(Draft, EveryLineOfTheLegendIsTomlWithoutItsSign) {
  const TestFolder folder;
  folder.write("t.csv", "sex,age\n");
  const std::string draft = drafted(folder.path("t.csv"));
  // The fields of the kinds of columns, each under a column of its kind, as somebody would
  // uncomment them.
  std::string tabulated = "tacet = 1\ndataset = \"d\"\nledger = \"l\"\n[columns.sex]\n";
  std::string summed = "[columns.age]\n";
  std::string binned = "[columns.income]\n";
  std::string dated = "[columns.born]\n";
  std::string* kind = &tabulated;
  std::size_t lines = 0;
  std::istringstream in(draft);
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("# A column to take sums")) kind = &summed;
    if (line.starts_with("# A column of numbers")) kind = &binned;
    if (line.starts_with("# A column of dates")) kind = &dated;
    if (!line.starts_with("#   ") || line.find(" = ") == std::string::npos) continue;
    *kind += line.substr(4) + "\n";
    ++lines;
  }
  EXPECT_EQ(lines, 14U);
  tabulated.replace(tabulated.find("\"...\", \"...\""), 12, "\"f\", \"m\"");
  const std::string all = tabulated + summed + binned + dated;
  const Result<Schema> schema = parse_schema(all, false, "");
  ASSERT_TRUE(schema.ok()) << schema.error().message() << all;
  EXPECT_EQ(schema->columns[1].bounds->upper, *Decimal::parse("120"));
}

TEST(Draft, APlaceholderThatWasForgottenIsNoSchema) {
  const TestFolder folder;
  folder.write("t.csv", "sex\n");
  const std::string draft = drafted(folder.path("t.csv"));
  for (const std::string line : {"categories = [", "lower = ..."}) {
    std::string forgotten = draft;
    forgotten.erase(forgotten.find("\n# " + line) + 1, 2);
    EXPECT_FALSE(parse_schema(forgotten, false, "").ok()) << line;
  }
}

TEST(Draft, TellsADelimiterThatMayBeTheRightOneAndTakesIt) {
  const TestFolder folder;
  folder.write("semicolons.csv", "sex;age\nf;30\n");
  folder.write("tabs.csv", "sex\tage\nf\t30\n");
  folder.write("commas.tsv", "sex,age\nf,30\n");
  folder.write("one.csv", "sex\nf\n");
  for (const auto& [name, shown] :
       std::vector<std::pair<std::string, std::string>>{{"semicolons.csv", "\";\""}, {"tabs.csv", "\"\\t\""}, {"commas.tsv", "\",\""}}) {
    const Result<Draft> draft = draft_schema(*schemas::open_data(folder.path(name)), "d");
    ASSERT_TRUE(draft.ok());
    EXPECT_EQ(draft->warning, "the first line of the file is one field that holds " + shown + ", which may be its delimiter");
    EXPECT_THAT(draft->toml, HasSubstr("# Beware: " + draft->warning));
    EXPECT_TRUE(parse_schema(draft->toml, false, "").ok());
  }
  EXPECT_EQ(draft_schema(*schemas::open_data(folder.path("one.csv")), "d")->warning, "");
  const Result<Draft> right = draft_schema(*schemas::open_data(folder.path("semicolons.csv")), "d", {.delimiter = ';'});
  ASSERT_TRUE(right.ok());
  EXPECT_EQ(right->warning, "");
  const Result<Schema> schema = parse_schema(right->toml, false, "");
  ASSERT_TRUE(schema.ok()) << schema.error().message() << right->toml;
  EXPECT_EQ(schema->csv.delimiter, ';');
  EXPECT_THAT(schema->names(), ElementsAre("sex", "age"));
}

TEST(Draft, NamesTheTableOfADuckDbFile) {
  const TestFolder folder;
  run_duckdb({"CREATE TABLE people (c VARCHAR)"}, folder.path("one.duckdb"));
  EXPECT_THAT(drafted(folder.path("one.duckdb")), HasSubstr("table = \"people\"\n"));
  run_duckdb({"CREATE TABLE a (x VARCHAR)", "CREATE TABLE b (y DOUBLE)"}, folder.path("two.duckdb"));
  EXPECT_THAT(draft_schema(*schemas::open_data(folder.path("two.duckdb")), "d").error().message(), HasSubstr("\"a\", \"b\""));
  const Result<Schema> schema = parse_schema(drafted(folder.path("two.duckdb"), "d", {.table = "b"}), false, "");
  EXPECT_EQ(schema->table, "b");
  EXPECT_THAT(schema->names(), ElementsAre("y"));
}

TEST(Draft, NeedsANameForTheDataset) {
  const TestFolder folder;
  folder.write("t.csv", "a\n");
  for (const std::string& bad : {std::string(), std::string("a\0b", 3), std::string("\xff")}) {
    EXPECT_EQ(draft_schema(*schemas::open_data(folder.path("t.csv")), bad).error().code(), Code::InvalidArgument);
  }
}

}  // namespace
}  // namespace tacet::schemas
