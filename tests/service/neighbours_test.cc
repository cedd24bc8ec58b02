// An error is an outcome like any other: on neighbouring files a request must end alike, and
// nothing it says may hold data.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/service/error_json.h"

#include "service/desk.h"
#include "support/hockey_stick.h"
#include "support/promise.h"
#include "support/scripted_bits.h"

namespace tacet::service {
namespace {

using test::Desk;
using ::testing::HasSubstr;
using ::testing::Not;

struct Person {
  std::string what, row;
};

/// Rows that a person may have, each as the file would hold it.
std::vector<Person> people() {
  return {{"declared", "f,basic,31"},
          {"missing", ",,"},
          {"quoted empty", "\"\",\"\",\"\""},
          {"undeclared", "x,gold,31"},
          {"other letter case", "F,BASIC,31"},
          {"spaces", " f , basic , 31 "},
          {"very long", std::string(1 << 20, 'y') + ",basic," + std::string(1 << 20, '9')},
          {"open quotes", "\"f,\"basic,31"},
          {"an open quote", "\"f,basic,31"},
          {"an open quote at the end", "f,basic,\""},
          {"text after a quote", "\"f\"m,basic,31"},
          {"too few fields", "f"},
          {"too many fields", "f,basic,31,31,31"},
          {"bytes that are no text", "\xff\xfe,\xC3\x28,\"\xED\xA0\x80\""},
          {"lone carriage returns", "f\rm,\"ba\rsic\",31\r"},
          {"far too many fields", "f,basic,31,m,plus,44"},
          {"quotes inside quotes", "\"f\"\"\",\"\"\"\",\"\"\"31\"\"\""},
          {"delimiters inside quotes", "\"f,m\",\"basic,plus\",\"3,1\""},
          {"quote inside a field", "f\"m,bas\"ic,3\"1"},
          {"number-like", "1e999,-0,NaN"},
          {"infinite", "inf,-inf,Infinity"},
          {"formula", "=1+1,@SUM(A1),+31"},
          {"injection", "'; DROP TABLE people; --,$(rm -rf /),`id`"},
          {"accents", "e\u0301,Zu\u0308rich,٣١"},
          {"right to left", "\u202Ef\u202C,\u2067basic\u2069,31"},
          {"pictures", "😀,👩‍👩‍👧‍👦,31"},
          {"byte order mark", "\uFEFFf,basic,31"},
          {"last letter of Unicode", "\U0010FFFF,\uFFFF,31"},
          {"NUL", std::string("f\0m,ba\0sic,31", 13)},
          {"controls", "\x01\x02,\x1b[2J,\x7f"}};
}

std::string file_with(const std::string& row) { return std::string(test::kPeople) + row + "\nm,plus,70\n"; }

/// "ok" or an error's name, and what that costs, for a release from a file with this row.
std::string outcome(const Desk& desk, const std::string& row, const Json& more) {
  desk.write("people.csv", file_with(row));
  const auto result = desk.release(more);
  return test::outcome_of(result) + (result.ok() ? "" : ", " + result.error().message());
}

TEST(Neighbours, FailureRateOnNeighboursIsAnOutcomeLikeAnyOther) {
  const Desk desk;
  ASSERT_TRUE(desk.budget("create", {{"rho", 100}}).ok());
  const std::vector<std::pair<std::string, Json>> requests = {{"granted", {}},
                                                              {"rank-deficient", {{"mechanism", "rank-deficient"}}},
                                                              {"beyond the budget", {{"rho", 1000}}},
                                                              {"undeclared column", {{"by", "name"}}},
                                                              {"numeric column", {{"by", "age"}}},
                                                              {"name taken", {{"out", "people.toml"}}}};
  int number = 0;
  for (const auto& [what, more] : requests) {
    std::string first;
    for (const Person& person : people()) {
      Json request = more;
      if (!request.contains("out")) request["out"] = "r" + std::to_string(++number) + ".json";
      const std::string now = outcome(desk, person.row, request);
      if (first.empty()) first = now;
      EXPECT_EQ(now, first) << what << " with a person who is " << person.what;
    }
  }
}

TEST(Neighbours, ReleasesCountEveryPersonInExactlyOneCell) {
  const Desk desk;
  ASSERT_TRUE(desk.budget("create", {{"mu", "1e6"}}).ok());
  int number = 0;
  for (const Person& person : people()) {
    desk.write("people.csv", file_with(person.row));
    // So little noise that the counts are to be seen through it.
    const auto result = desk.release({{"rho", nullptr}, {"mu", "1000"}, {"out", "n" + std::to_string(++number) + ".json"}});
    ASSERT_TRUE(result.ok()) << person.what << result.error().message();
    EXPECT_EQ(result->at("n"), 7) << person.what;
    double sum = 0;
    for (const Json& row : result->at("values")) {
      for (const Json& value : row) sum += value.get<double>();
    }
    EXPECT_NEAR(sum, 7, 0.1) << person.what;
  }
}

// Entropy that fails now and then: how often must not depend on the data. The same words serve
// both, so the outcomes agree one by one.
TEST(Neighbours, FailingEntropyFailsAlike) {
  for (const std::uint64_t words : {0U, 3U, 8U, 11U, 12U, 40U}) {
    std::vector<std::string> outcomes;
    for (const std::string row : {"f,basic,31", "x,,y"}) {
      Desk desk;
      ASSERT_TRUE(desk.budget("create", {{"rho", 100}}).ok());
      desk.context.random_bits = [words]() -> Result<std::unique_ptr<exact::RandomBits>> {
        return std::unique_ptr<exact::RandomBits>(std::make_unique<test::FailingBits>(words));
      };
      outcomes.push_back(outcome(desk, row, Json::object()));
    }
    EXPECT_EQ(outcomes[0], outcomes[1]) << words;
  }
}

constexpr const char* kSecret = "zebra-9731";

/// All that a request shows of itself.
std::string shown(const Result<Answer>& result) {
  if (!result.ok()) return dump(to_json(result.error())) + sentence(result.error());
  return dump(result->json()) + result->words();
}

TEST(Secrets, NoErrorAndNoAnswerHoldsValuesOfTheData) {
  const std::string good = std::string("sex,plan,age\n") + kSecret + ",basic,31\nm," + kSecret + ",44\nf,," + kSecret + "\n";
  const std::vector<std::pair<std::string, std::string>> files = {
      {"good.csv", good},
      {"ragged.csv", good + kSecret + "," + kSecret + "\n"},
      {"open_quote.csv", good + "\"" + kSecret},
      {"not_utf8.csv", good + kSecret + "\xFF,basic,31\n"},
      {"lone_return.csv", good + kSecret + "\rx,basic,31\n"},
      {"other_columns.csv", std::string("a,b\n") + kSecret + ",1\n"},
      {"headless.csv", std::string(kSecret) + ",basic,31\n"},
      {"text.parquet", good},
      {"text.duckdb", good},
      {"binary.csv", std::string("\x00\x01\x02", 3) + kSecret},
      {"text.csv.gz", good},
  };
  const Desk desk;
  ASSERT_TRUE(desk.budget("create", {{"rho", 100}}).ok());
  for (const auto& [name, text] : files) {
    desk.write(name, text);
    for (const std::string by : {"sex", "sex,plan", "age", "nothing"}) {
      const Json request = desk.release_request({{"data", desk.path(name)}, {"by", by}, {"out", by + "-" + name + ".json"}});
      EXPECT_THAT(shown(desk.perform("release counts", request)), Not(HasSubstr(kSecret))) << name << " by " << by;
    }
  }
  for (const std::string verb : {"budget show", "budget history"}) {
    EXPECT_THAT(shown(desk.perform(verb, {{"schema", desk.path("people.toml")}})), Not(HasSubstr(kSecret)));
  }
  for (const std::string& name : desk.files()) {
    if (!name.ends_with(".json")) continue;
    EXPECT_THAT(desk.read(name), Not(HasSubstr(kSecret))) << name;
  }
}

// The first line of a CSV file is its names, which init drafts from; everything below it is data.
TEST(Secrets, DraftHoldsNothingBelowTheFirstLine) {
  const Desk desk;
  desk.write("people.csv", std::string("sex,plan\n") + kSecret + "," + kSecret + "\n");
  const auto drafted = desk.perform("init", {{"data", desk.path("people.csv")}, {"out", desk.path("draft.toml")}});
  ASSERT_TRUE(drafted.ok());
  EXPECT_THAT(shown(drafted), Not(HasSubstr(kSecret)));
}

// Mistaking the data for another file is the likeliest way to show it.
TEST(Secrets, DataGivenAsSchemaReleaseOrLedgerIsNotQuoted) {
  const Desk desk;
  desk.write("people.csv", std::string("sex,plan\n") + kSecret + "," + kSecret + "\n");
  desk.write("people.json", std::string("[{\"sex\": \"") + kSecret + "\", \"plan\": 7}]");
  for (const std::string name : {"people.csv", "people.json"}) {
    const std::string path = desk.path(name);
    const std::vector<std::pair<std::string, Json>> requests = {
        {"budget show", {{"schema", path}}},
        {"budget show", {{"ledger", path}, {"dataset", "people"}}},
        {"infer estimate", {{"release", path}}},
        {"import table", {{"values", path}, {"noise", "laplace:1"}, {"out", desk.path("x.json")}}}};
    for (const auto& [verb, request] : requests) {
      const auto refused = desk.perform(verb, request);
      ASSERT_FALSE(refused.ok()) << verb;
      EXPECT_THAT(shown(refused), Not(HasSubstr(kSecret))) << verb << " with " << name;
    }
  }
}

}  // namespace
}  // namespace tacet::service
