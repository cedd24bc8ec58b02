#include "tacet/workflow/session/session_p_value.h"

#include <algorithm>
#include <cmath>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/accounting/max_information.h"
#include "tacet/schemas/schema_text.h"
#include "tacet/service/session/session_answer.h"
#include "tacet/workflow/custody/create_budget.h"
#include "tacet/workflow/release/release_counts.h"
#include "tacet/workflow/session/session.h"
#include "tacet/workflow/session/session_check.h"

#include "service/desk.h"

namespace tacet::session_p_value_test {
namespace {

using ::testing::HasSubstr;

constexpr double kRowsOfTest = 1000;

class SessionPValueTest : public ::testing::Test {
 protected:
  SessionPValueTest() {
    std::ofstream(desk_.path("clinic.toml"))
        << "tacet = 1\ndataset = \"clinic\"\nledger = \"clinic.ledger\"\nneighbours = \"replace-one\"\n"
           "[columns.age]\nlower = 0\nupper = 100\nresolution = 1\nmissing = 50\n"
           "[columns.smoker]\ncategories = [\"no\", \"yes\"]\n";
    std::ofstream rows(desk_.path("clinic.csv"));
    rows << "age,smoker\n";
    for (int i = 0; i < kRowsOfTest; ++i) rows << 20 + i % 40 << ',' << (i % 4 == 0 ? "yes" : "no") << '\n';
    rows.close();
    EXPECT_TRUE(create_budget({.schema = *schemas::read_schema(desk_.path("clinic.toml")), .total = Rho("1e-5")}, desk_.context).ok());
  }
  Dataset clinic() const {
    return *Dataset::open({.ledger = desk_.path("clinic.ledger"), .data = desk_.path("clinic.csv")}, desk_.context);
  }
  std::string folder() const { return desk_.path("looking"); }
  void open() const { ASSERT_TRUE(open_session(clinic(), {.folder = folder(), .queries = 2, .beta = 0.1, .rho = Rho("1e-6")}).ok()); }
  void ask() const { ASSERT_TRUE(ask_session(folder(), {.fraction = "age >= 40"}, desk_.context).ok()); }
  std::string table(const std::string& name) const {
    EXPECT_TRUE(release_counts(clinic(), {.by = {"smoker"}, .loss = Rho("1e-6"), .out = desk_.path(name)}).ok());
    return desk_.path(name);
  }
  Result<SessionTest> add(const std::string& release, double p) const {
    return add_test(folder(), {.release = release, .p_value = p, .test = "gof"});
  }
  static double corrected(const accounting::SelectionStep& all, double p) {
    return *accounting::corrected_p_value({.n = kRowsOfTest, .steps = {all}}, p);
  }
  /// Of a session of rho 1e-6, whose noise is Gaussian.
  static double corrected_by_answers(double p) { return corrected(accounting::GaussianStep{std::sqrt(2e-6)}, p); }
  test::Desk desk_;
};

TEST_F(SessionPValueTest, IsThatOfWhatTheSessionMayTell) {
  open();
  ask();
  const std::string release = table("smoker.json");
  const SessionTest test = *add(release, 1e-6);
  EXPECT_EQ(test.told, 1U);
  EXPECT_TRUE(test.alone);
  EXPECT_NEAR(*test.rho, 1e-6, 1e-18);
  EXPECT_EQ(test.n, kRowsOfTest);
  EXPECT_NEAR(test.corrected, corrected_by_answers(1e-6) / 0.45, 1e-12);
  EXPECT_GT(test.corrected, 1e-6);
  EXPECT_LT(test.corrected, 0.2);
  EXPECT_NEAR(add(release, 1)->corrected, 1, 1e-12);
  EXPECT_LE(add(release, 1e-9)->corrected, test.corrected);
}

TEST_F(SessionPValueTest, AfterChecksAloneTheirEpsilonIsTheBetterBound) {
  open();
  ASSERT_TRUE(check_session(folder(), {.guesses = {{{.fraction = "age >= 40"}, 0.5, 1}}}, desk_.context).ok());
  const SessionTest test = *add(table("smoker.json"), 1e-6);
  // mu = 0.001 for each of two questions: epsilon = mu sqrt(2/pi) nearly.
  const double epsilon = 2 * 0.001 * std::sqrt(2 / M_PI);
  const double pure = *accounting::corrected_p_value({.n = kRowsOfTest, .steps = {accounting::PureStep{epsilon}}}, 1e-6);
  EXPECT_NEAR(test.corrected, pure / 0.45, 1e-6 * pure);
  EXPECT_LT(test.corrected, corrected_by_answers(1e-6) / 0.45);
}

TEST_F(SessionPValueTest, IsTheBarePValueWhereNothingHadBeenTold) {
  const std::string release = table("smoker.json");
  open();
  ask();
  const SessionTest test = *add(release, 0.03);
  EXPECT_EQ(test.told, 0U);
  EXPECT_EQ(test.corrected, 0.03);
  EXPECT_FALSE(test.rho.has_value());
  EXPECT_THAT(service::test_words(test), HasSubstr("nothing had been told"));
}

TEST_F(SessionPValueTest, AfterAnotherReleaseTheWholeBudgetCounts) {
  open();
  ask();
  table("first.json");
  const std::string release = table("second.json");
  const SessionTest test = *add(release, 1e-9);
  EXPECT_EQ(test.told, 2U);
  EXPECT_FALSE(test.alone);
  EXPECT_NEAR(*test.rho, 1e-5, 1e-18);
  EXPECT_NEAR(test.corrected, std::min(1.0, corrected(accounting::ConcentratedStep{1e-5}, 1e-9) / 0.1), 1e-12);
}

TEST_F(SessionPValueTest, TestsStandInTheTranscriptBesideTheirPValues) {
  open();
  ask();
  const std::string release = table("smoker.json");
  ASSERT_TRUE(add(release, 1e-6).ok());
  const auto answer = desk_.call("session test", {{"session", folder()}, {"release", release}, {"p-value", 0.2}, {"test", "<b>trend</b>"}});
  ASSERT_TRUE(answer.ok()) << answer.error().message();
  EXPECT_EQ(answer->at("number"), 2);
  const SessionTranscript all = *show_session(folder());
  ASSERT_EQ(all.tests.size(), 2U);
  EXPECT_EQ(all.tests[0].p_value, 1e-6);
  EXPECT_EQ(all.tests[1].test, "<b>trend</b>");
  ASSERT_TRUE(all.reading.has_value());
  EXPECT_GT(all.reading->epsilon, 0);
  EXPECT_THAT(service::transcript_words(all), HasSubstr("Test 1, gof of "));
  EXPECT_THAT(service::transcript_words(all), HasSubstr("Given away so far, by all releases: epsilon "));
  EXPECT_THAT(service::session_page(all), HasSubstr("&lt;b&gt;trend"));
  EXPECT_THAT(service::session_page(all), HasSubstr("corrected"));
}

TEST_F(SessionPValueTest, TakesThePValueFromTheAnswerOfATest) {
  open();
  ask();
  const std::string release = table("smoker.json");
  desk_.write("test.json", R"({"statistic": 3.2, "p_value": 0.004})");
  const auto answer = desk_.call("session test", {{"session", folder()}, {"release", release}, {"result", desk_.path("test.json")}});
  ASSERT_TRUE(answer.ok()) << answer.error().message();
  EXPECT_EQ(answer->at("p_value"), 0.004);
  desk_.write("test.json", R"({"statistic": 3.2})");
  EXPECT_THAT(
      desk_.call("session test", {{"session", folder()}, {"release", release}, {"result", desk_.path("test.json")}}).error().message(),
      HasSubstr("must be the JSON answer of a test"));
  EXPECT_THAT(desk_.call("session test", {{"session", folder()}, {"release", release}}).error().message(), HasSubstr("p-value is missing"));
}

// The number of its entry decides what was told before.
TEST_F(SessionPValueTest, AReleaseWithAForgedReceiptIsRefused) {
  open();
  ask();
  const std::string release = table("smoker.json");
  const auto forged = [&](const char* field, const nlohmann::json& value) {
    nlohmann::json file = nlohmann::json::parse(desk_.read("smoker.json"));
    file.at("ledger").at(field) = value;
    desk_.write("forged.json", file.dump(2) + "\n");
    const auto test = add(desk_.path("forged.json"), 1e-6);
    return test.ok() ? std::string() : test.error().message();
  };
  ASSERT_TRUE(add(release, 1e-6).ok());
  EXPECT_THAT(forged("entry", 1), HasSubstr("is not the file that was written for its entry of the ledger"));
  EXPECT_THAT(forged("entry", -5), HasSubstr("is not the file that was written"));
  EXPECT_THAT(forged("entry", 3), HasSubstr("is not the file that was written"));
  EXPECT_THAT(forged("charged", "rho 5"), HasSubstr("is not the file that was written"));
  EXPECT_EQ(show_session(folder())->tests.size(), 1U);
}

TEST_F(SessionPValueTest, OtherRowsAndImpossiblePValuesAreRefused) {
  open();
  ask();
  EXPECT_THAT(add(table("smoker.json"), 1.5).error().message(), HasSubstr("p-value is 1.5"));
  EXPECT_EQ(add(desk_.path("none.json"), 0.5).error().code(), Code::NotFound);
  ASSERT_TRUE(create_budget({.schema = *schemas::read_schema(desk_.path("people.toml")), .total = Rho(1)}, desk_.context).ok());
  ASSERT_TRUE(desk_.release().ok());
  EXPECT_THAT(add(desk_.path("r.json"), 0.5).error().message(), HasSubstr("is not a release from the rows of the session"));
  EXPECT_TRUE(show_session(folder())->tests.empty());
}

}  // namespace
}  // namespace tacet::session_p_value_test
