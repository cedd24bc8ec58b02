#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/mechanisms/release_file.h"
#include "tacet/schemas/schema_text.h"
#include "tacet/workflow/custody/amend_dataset.h"
#include "tacet/workflow/custody/budget_history.h"
#include "tacet/workflow/custody/check_dataset.h"
#include "tacet/workflow/custody/create_budget.h"
#include "tacet/workflow/memory_table.h"
#include "tacet/workflow/release/release_counts.h"
#include "tacet/workflow/release/release_moments.h"
#include "tacet/workflow/release/release_query.h"

#include "service/desk.h"
#include "support/scripted_bits.h"
#include "workflow/arrow_arrays.h"

namespace tacet {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

using test::Desk;

/// The rows of the desk's file, in memory.
class People {
 public:
  static MemoryTable spans(const std::string& name = "people") {
    static const std::vector<std::string> sex{"f", "m", "f", "m", "f"}, plan{"basic", "plus", "", "basic", "basic"};
    static const std::vector<double> age{31, 44, 29, std::numeric_limits<double>::quiet_NaN(), 50};
    static const std::vector<std::uint8_t> has_plan{0b11011};
    return *MemoryTable::of_columns(name, {{"sex", std::span(sex)}, {"plan", std::span(plan), has_plan}, {"age", std::span(age)}});
  }
  static MemoryTable arrow(const std::string& name = "people") {
    static test::Releases released;
    const std::vector<test::ArrowParts> columns{
        test::coded<std::int8_t>("sex", "c", {0, 1, 0, 1, 0}, test::texts("", {"f", "m"})),
        with_missing(test::texts("plan", {"basic", "plus", "", "basic", "basic"}), {true, true, false, true, true}),
        with_missing(test::numbers<std::int32_t>("age", "i", {31, 44, 29, 0, 50}), {true, true, true, false, true})};
    ArrowSchema schema = test::exported_schema(columns, released);
    ArrowArray batch = test::exported_batch(columns, {.length = 5}, released);
    return *MemoryTable::of_arrow(name, schema, batch);
  }
};

/// The same noise whenever it is drawn, so that releases of the same integers are equal.
Context with_seed(std::uint64_t stream) {
  return {.analyst = "ada", .random_bits = [stream] {
            return Result<std::unique_ptr<exact::RandomBits>>(std::make_unique<test::InsecureSeededBits>(stream));
          }};
}

/// A desk whose budget is for rows in that place, or in the place that the first release uses.
class MemoryDesk : public Desk {
 public:
  explicit MemoryDesk(const std::optional<std::string>& source = {}, const std::string& lines = "") {
    std::string text(test::kPeopleSchema);
    text.insert(text.find("neighbours"), lines);
    schema = *schemas::parse_schema(text, false, path(""));
    const auto created =
        create_budget({.schema = schema, .ledger = path("people.ledger"), .total = Rho(100), .source = source}, {.analyst = "ada"});
    EXPECT_TRUE(created.ok()) << (created.ok() ? "" : created.error().message());
    EXPECT_TRUE(created.ok() && created->warnings.empty());
  }
  Dataset dataset(const std::optional<DataPlace>& data, std::uint64_t stream = 5000) const {
    return *Dataset::open({.ledger = path("people.ledger"), .data = data}, with_seed(stream));
  }
  data::Schema schema;
};

std::string unique(const char* name) {
  static int number = 0;
  return std::string(name) + std::to_string(++number);
}

/// The release files of everything that reads rows, without what names the ledger and the time.
std::vector<nlohmann::json> all_releases(const Dataset& people) {
  std::vector<nlohmann::json> files;
  const auto keep = [&](const auto& published) {
    EXPECT_TRUE(published.ok()) << (published.ok() ? "" : published.error().message());
    if (!published.ok()) return;
    nlohmann::json file = nlohmann::json::parse(mechanisms::to_text(published->release));
    EXPECT_EQ(file.at("n"), 5);
    for (const char* name : {"ledger", "time", "receipt", "id"}) file.erase(name);
    files.push_back(std::move(file));
  };
  for (const auto mechanism : {CountMechanism::Gaussian, CountMechanism::RankDeficient})
    keep(release_counts(people, {.by = {"sex", "plan"}, .mechanism = mechanism, .loss = Rho(0.5)}));
  for (const auto kind : {MomentKind::Sum, MomentKind::Mean, MomentKind::SecondMoment, MomentKind::Covariance})
    keep(release_moments(people, {.kind = kind, .columns = {"age"}, .loss = Rho(0.5)}));
  keep(release_query(people, {.columns = {"age"}, .direction = std::vector<double>{2}, .loss = Rho(0.5)}));
  keep(release_query(people, {.columns = {"age"}, .sd = std::vector<double>{10}, .n = 5, .loss = Rho(0.5)}));
  return files;
}

TEST(MemoryRelease, EveryReleaseIsTheOneOfAFileWithTheSameRows) {
  const MemoryDesk from_file;
  const auto expected = all_releases(from_file.dataset(from_file.path("people.csv")));
  ASSERT_EQ(expected.size(), 8U);
  for (const bool arrow : {false, true}) {
    const std::string name = unique("every-");
    const MemoryDesk desk("memory:" + name);
    EXPECT_EQ(all_releases(desk.dataset(arrow ? People::arrow(name) : People::spans(name))), expected);
  }
}

TEST(MemoryRelease, IsChargedBeforeNoiseIsDrawnAndRefusedBeyondTheBudget) {
  const std::string name = unique("charged-");
  const MemoryDesk desk("memory:" + name);
  const Dataset people = desk.dataset(People::spans(name));
  Context without_bits = with_seed(1);
  int opened = 0;
  without_bits.random_bits = [&opened]() -> Result<std::unique_ptr<exact::RandomBits>> {
    return std::unique_ptr<exact::RandomBits>(std::make_unique<test::FailingBits>(++opened == 1 ? 1000 : 0));
  };
  const Dataset failing = *Dataset::open({.ledger = desk.path("people.ledger"), .data = People::spans(name)}, without_bits);
  const Error after = release_counts(failing, {.by = {"sex"}, .loss = Rho(1)}).error();
  EXPECT_THAT(after.spent(), HasSubstr("rho 1 was spent"));
  EXPECT_EQ(words(people.budget()->remaining), "rho 99");
  const Error beyond = release_counts(people, {.by = {"sex"}, .loss = Rho(99.5)}).error();
  EXPECT_EQ(beyond.code(), Code::BudgetExhausted);
  EXPECT_EQ(words(people.budget()->remaining), "rho 99");
}

TEST(MemoryRelease, TermsThatNameATableRefuseATableOfAnotherName) {
  const MemoryDesk desk;
  ASSERT_TRUE(release_counts(desk.dataset(People::spans("people")), {.by = {"sex"}, .loss = Rho(1)}).ok());  // which fixes the source
  const Error error = release_counts(desk.dataset(People::spans("persons")), {.by = {"sex"}, .loss = Rho(1)}).error();
  EXPECT_EQ(error.code(), Code::InvalidArgument);
  EXPECT_EQ(error.message(),
            "data is \"memory:persons\", but must be \"memory:people\", the source in the terms of \"people\"; give the table that "
            "name; if it was renamed, the custodian amends the source of the dataset");
  EXPECT_EQ(words(desk.dataset({}).budget()->remaining), "rho 99");
}

TEST(MemoryRelease, TermsThatNameAFileRefuseMemory) {
  const MemoryDesk desk;
  ASSERT_TRUE(release_counts(desk.dataset(desk.path("people.csv")), {.by = {"sex"}, .loss = Rho(1)}).ok());  // which fixes the source
  const Error error = release_counts(desk.dataset(People::spans("people")), {.by = {"sex"}, .loss = Rho(1)}).error();
  EXPECT_EQ(error.code(), Code::InvalidArgument);
  EXPECT_EQ(error.message(),
            "data is \"memory:people\", but must be the file \"" + desk.path("people.csv") +
                "\": the terms of \"people\" say so; leave data out to read that file; if the rows are in memory now, the custodian "
                "amends the source of the dataset");
  EXPECT_EQ(words(desk.dataset({}).budget()->remaining), "rho 99");
}

TEST(MemoryRelease, TermsThatNameMemoryRefuseFilesAndOtherTables) {
  const std::string name = unique("named-");
  const MemoryDesk desk("memory:" + name);
  const auto refused = [&](const std::optional<DataPlace>& data) {
    return release_counts(desk.dataset(data), {.by = {"sex"}, .loss = Rho(1)}).error();
  };
  EXPECT_EQ(refused(desk.path("people.csv")).message(), "data is \"" + desk.path("people.csv") + "\", but must be \"memory:" + name +
                                                            "\", a table in memory: the terms of \"people\" say so; let the program that "
                                                            "holds the rows release them; if they are in a file now, "
                                                            "the custodian amends the source of the dataset");
  EXPECT_EQ(refused({}).message(), "data is missing, but must be given: \"memory:" + name +
                                       "\" is in the memory of the program that holds it; let that program release from it");
  EXPECT_THAT(refused(People::spans("another")).message(), HasSubstr("memory:another"));
  EXPECT_THAT(refused(People::spans("another")).message(), HasSubstr("memory:" + name));
  EXPECT_EQ(words(desk.dataset({}).budget()->remaining), "rho 100");
}

TEST(MemoryRelease, ACustodianMovesTheRowsIntoMemory) {
  const MemoryDesk desk;
  const std::string name = unique("moved-");
  ASSERT_TRUE(release_counts(desk.dataset(desk.path("people.csv")), {.by = {"sex"}, .loss = Rho(1)}).ok());
  const auto amended = amend_dataset(desk.dataset({}), {.reason = "loaded once", .source = "memory:" + name});
  ASSERT_TRUE(amended.ok()) << amended.error().message();
  EXPECT_EQ(amended->warnings, std::vector<std::string>());
  const auto released = release_counts(desk.dataset(People::spans(name)), {.by = {"sex"}, .loss = Rho(1)});
  EXPECT_TRUE(released.ok()) << (released.ok() ? "" : released.error().message());
}

TEST(MemoryRelease, TheFirstReleaseFixesATableThatNobodyNamed) {
  const MemoryDesk desk;
  const std::string name = unique("first-");
  ASSERT_TRUE(release_counts(desk.dataset(People::spans(name)), {.by = {"sex"}, .loss = Rho(1)}).ok());
  EXPECT_EQ(dataset_terms(desk.dataset({}))->terms.declared().source, "memory:" + name);
  EXPECT_FALSE(release_counts(desk.dataset(desk.path("people.csv")), {.by = {"sex"}, .loss = Rho(1)}).ok());
  // Two budgets for the same people add up: the name is taken.
  const MemoryDesk other;
  const Error taken = release_counts(other.dataset(People::spans(name)), {.by = {"sex"}, .loss = Rho(1)}).error();
  EXPECT_EQ(taken.code(), Code::AlreadyExists);
  EXPECT_THAT(taken.message(), HasSubstr("\"memory:" + name + "\" has a budget already, as the dataset \"people\""));
}

TEST(MemoryRelease, TheSchemaNamesATableInMemory) {
  const std::string name = unique("schema-");
  const MemoryDesk desk({}, "source = \"memory:" + name + "\"\n");
  EXPECT_EQ(desk.schema.source, "memory:" + name);
  EXPECT_EQ(dataset_terms(desk.dataset({}))->terms.declared().source, "memory:" + name);
  const auto people =
      Dataset::open({.ledger = desk.path("people.ledger"), .schema = desk.schema, .data = People::spans(name)}, with_seed(1));
  EXPECT_TRUE(release_counts(*people, {.by = {"sex"}, .loss = Rho(1)}).ok());
}

TEST(MemoryRelease, ASourceInMemoryHasAName) {
  const Desk desk;
  const data::Schema schema = *schemas::read_schema(desk.path("people.toml"));
  EXPECT_EQ(
      create_budget({.schema = schema, .total = Rho(1), .source = "memory:"}, {.analyst = "ada"}).error().message(),
      "source is \"memory:\", but must be memory: and a name; for example: survey, whose source is memory:survey in the terms of a budget");
  EXPECT_FALSE(desk.has("people.ledger"));
}

TEST(MemoryRelease, AColumnThatIsMissingIsNamedAndNothingIsSpent) {
  const std::string name = unique("columns-");
  const MemoryDesk desk("memory:" + name);
  const std::vector<double> age{1, 2};
  const auto narrow =
      MemoryTable::of_columns(name, {{"age", std::span(age)}, {"Sex", std::span(age)}, {"plan", std::span(age)}, {"plan", std::span(age)}});
  const Error error = release_counts(desk.dataset(*narrow), {.by = {"sex"}, .loss = Rho(1)}).error();
  EXPECT_EQ(error.code(), Code::NotFound);
  EXPECT_THAT(error.message(), HasSubstr("column \"sex\", which the schema declares, is not in \"memory:" + name + "\""));
  EXPECT_EQ(words(desk.dataset({}).budget()->remaining), "rho 100");

  const DatasetCheck check = *check_dataset(desk.dataset(*narrow));
  EXPECT_EQ(check.source, "memory:" + name);
  EXPECT_EQ(check.findings,
            (std::vector<std::string>{
                "column \"sex\", which the terms declare, is not in the source; names are compared exactly, letter case included",
                "column \"plan\" is in the source more than once, so that it cannot be read"}));
  EXPECT_TRUE(check_dataset(desk.dataset(People::spans(name)))->agrees());
  EXPECT_TRUE(check_dataset(desk.dataset({}))->agrees());
  const std::vector<double> nothing;
  const DatasetCheck none = *check_dataset(desk.dataset(*MemoryTable::of_columns(name, {{"x", std::span(nothing)}})));
  EXPECT_THAT(none.findings.at(0), HasSubstr("none of the columns that are declared is in the source \"memory:" + name + "\": "));
}

TEST(MemoryRelease, ADateHasNoNumber) {
  const std::string name = unique("dates-");
  const MemoryDesk desk("memory:" + name);
  static test::Releases released;
  const std::vector<test::ArrowParts> columns{test::numbers<std::int32_t>("age", "tdD", {19'000})};
  ArrowSchema schema = test::exported_schema(columns, released);
  ArrowArray batch = test::exported_batch(columns, {.length = 1}, released);
  const Error error =
      release_moments(desk.dataset(*MemoryTable::of_arrow(name, schema, batch)), {.columns = {"age"}, .loss = Rho(1)}).error();
  EXPECT_EQ(error.code(), Code::Unsupported);
  EXPECT_EQ(error.message(), "column \"age\" of \"memory:" + name +
                                 "\" has a type whose values are no numbers; store what is to be summed as a column of numbers");
  EXPECT_EQ(error.spent(), "nothing was spent");
}

TEST(MemoryRelease, TellsHowFarItIs) {
  const std::string name = unique("progress-");
  const MemoryDesk desk("memory:" + name);
  std::vector<std::string> told;
  Context context = with_seed(1);
  context.progress = [&](std::string_view doing, double) { told.emplace_back(doing); };
  const Dataset people = *Dataset::open({.ledger = desk.path("people.ledger"), .data = People::spans(name)}, context);
  ASSERT_TRUE(release_counts(people, {.by = {"sex"}, .loss = Rho(1)}).ok());
  EXPECT_THAT(told, Contains("reading"));
}

// Three exact fractions of a scan would give the number of its stretches, and with it that of the
// rows.
TEST(MemoryRelease, TellsWholePercentsOnly) {
  std::vector<double> told;
  Context context;
  context.progress = [&](std::string_view, double fraction) { told.push_back(fraction); };
  for (const double fraction : {-1.0, 0.0, 1.0 / 97657, 12345.0 / 97657, 1.0}) context.tell("reading", fraction);
  EXPECT_EQ(told, (std::vector<double>{-1, 0, 0, 0.12, 1}));
}

TEST(MemoryRelease, WhateverWhoeverIsToldThrowsCountsAsAFailure) {
  const std::string name = unique("throwing-");
  const MemoryDesk desk("memory:" + name);
  for (const char* when : {"reading", "adding noise"}) {
    Context context = with_seed(1);
    context.progress = [&](std::string_view doing, double) {
      if (doing == when) throw 1;  // no std::exception
    };
    const Dataset people = *Dataset::open({.ledger = desk.path("people.ledger"), .data = People::spans(name)}, context);
    const auto released = release_counts(people, {.by = {"sex"}, .loss = Rho(1)});
    ASSERT_FALSE(released.ok()) << when;
    EXPECT_THAT(released.error().spent(), HasSubstr(when == std::string("reading") ? "nothing was spent" : "rho 1 was spent"));
  }
}

TEST(MemoryRelease, ACheckFindsRowsThatNoReleaseReads) {
  const std::string name = unique("checked-");
  const MemoryDesk desk("memory:" + name);
  EXPECT_THAT(check_dataset(desk.dataset(People::spans("another")))->findings,
              Contains("data is \"memory:another\", but the terms say \"memory:" + name + "\", and no release reads another source"));
  EXPECT_THAT(check_dataset(desk.dataset(desk.path("people.csv")))->findings,
              Contains(HasSubstr("people.csv\", but the terms say \"memory:" + name + "\"")));
}

}  // namespace
}  // namespace tacet
