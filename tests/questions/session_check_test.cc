#include "tacet/workflow/session/session_check.h"

#include <cmath>
#include <fstream>
#include <memory>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/exact/secure_bits.h"
#include "tacet/mechanisms/noise_plan.h"
#include "tacet/planning/adaptive_width.h"
#include "tacet/planning/guess_checks.h"
#include "tacet/schemas/schema_text.h"
#include "tacet/service/session/session_answer.h"
#include "tacet/workflow/custody/budget_history.h"
#include "tacet/workflow/custody/create_budget.h"
#include "tacet/workflow/session/session.h"

#include "service/desk.h"
#include "support/promise.h"

namespace tacet::session_check_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr double kPeopleThere = 4000, kBeta = 0.1;

/// A quarter smokes, and half is 40 or older.
class SessionCheckTest : public ::testing::Test {
 protected:
  SessionCheckTest() {
    std::ofstream(desk_.path("clinic.toml"))
        << "tacet = 1\ndataset = \"clinic\"\nledger = \"clinic.ledger\"\nneighbours = \"replace-one\"\n"
           "[columns.age]\nlower = 0\nupper = 100\nresolution = 1\nmissing = 50\n"
           "[columns.smoker]\ncategories = [\"no\", \"yes\"]\n";
    std::ofstream rows(desk_.path("clinic.csv"));
    rows << "age,smoker\n";
    for (int i = 0; i < kPeopleThere; ++i) rows << 20 + i % 40 << ',' << (i % 4 == 0 ? "yes" : "no") << '\n';
    rows.close();
    EXPECT_TRUE(create_budget({.schema = *schemas::read_schema(desk_.path("clinic.toml")), .total = Rho(1)}, desk_.context).ok());
  }
  Dataset clinic() const {
    return *Dataset::open({.ledger = desk_.path("clinic.ledger"), .data = desk_.path("clinic.csv")}, desk_.context);
  }
  std::string folder() const { return desk_.path("looking"); }
  /// Each question has so much that noise hardly ever decides: an exponential of scale 0.0013.
  void open(std::uint64_t queries = 3) const {
    ASSERT_TRUE(open_session(clinic(), {.folder = folder(), .queries = queries, .beta = kBeta, .rho = Rho(0.9)}).ok());
  }
  Result<SessionCheck> check(const CheckRequest& request, const Context* context = nullptr) const {
    return check_session(folder(), request, context == nullptr ? desk_.context : *context);
  }
  static GuessRequest smokers(double guess, double tolerance = 0.05) { return {{.fraction = "smoker = yes"}, guess, tolerance}; }
  static GuessRequest older(double guess, double tolerance = 0.05) { return {{.fraction = "age >= 40"}, guess, tolerance}; }
  SessionTranscript transcript() const { return *show_session(folder()); }
  test::Desk desk_;
};

/// A comparison is decided otherwise with probability exp(-0.05/0.0013) < 1e-16.
constexpr double kByChance = 1e-15;

TEST_F(SessionCheckTest, OneQuestionPaysForAllGuessesUpToTheFirstThatIsWrong) {
  open();
  test::declare_false_alarm("session checks", 20 * kByChance);
  const SessionCheck done = *check({.guesses = {smokers(0.25), older(0.52), smokers(0.24), older(0.8), smokers(0.25)}});
  EXPECT_EQ(done.question.number, 1U);
  EXPECT_EQ(done.left, 2U);
  const SessionChecks& checks = done.published.release;
  ASSERT_EQ(checks.guesses.size(), 4U);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_TRUE(checks.guesses[i].confirmed) << i;
  EXPECT_FALSE(checks.guesses[3].confirmed);
  EXPECT_FALSE(checks.guesses[3].widths.has_value());
  EXPECT_TRUE(checks.ended_by_a_wrong_one());
  EXPECT_EQ(checks.at_most, 5U);
  EXPECT_EQ(budget_history(clinic())->entries.size(), 1U);
  EXPECT_NEAR(done.published.budget->spent.amount.first.approximate(), 0.3, 1e-12);
  const auto again = check({.guesses = {smokers(0.25)}});
  EXPECT_EQ(again->question.number, 2U);
  EXPECT_FALSE(again->published.release.ended_by_a_wrong_one());
}

TEST_F(SessionCheckTest, WidthsAreThoseOfThePlan) {
  open();
  test::declare_false_alarm("session check widths", 2 * kByChance);
  const CheckedGuess guess = check({.guesses = {smokers(0.26)}, .at_most = 100})->published.release.guesses.at(0);
  const double epsilon = *mechanisms::pure_epsilon(privacy::GaussianLoss{*Decimal::parse("0.6")}, "exponential");
  const planning::GuessChecks asked{.n = kPeopleThere, .epsilon = epsilon, .checks = 100, .batches = 3, .beta = kBeta};
  const planning::CheckWidths widths = *planning::check_widths(asked);
  ASSERT_TRUE(guess.widths.has_value());
  EXPECT_NEAR(guess.widths->file, 0.05 + widths.file, 1e-6);
  const double selection = *planning::selection_width(0.9 * kBeta, planning::GdpPromise{std::sqrt(1.8)});
  EXPECT_NEAR(guess.widths->population,
              std::min(1.0, 0.05 + widths.allowance + widths.level * (std::log(3 / (0.9 * kBeta)) + 1) + selection), 1e-6);
}

TEST_F(SessionCheckTest, AfterAnotherReleaseTheWidthIsThatOfTheWholeBudget) {
  ASSERT_TRUE(open_session(clinic(), {.folder = folder(), .queries = 3, .beta = kBeta, .rho = Rho(0.0003)}).ok());
  const SessionTerms terms = *read_session(folder());
  SessionHistory history = *session_history(terms, *kernel::Custody::open(terms.ledger));
  const CheckPromise alone = *check_promise(terms, history, /*alone=*/true, 1e6, 10);
  const CheckPromise after = *check_promise(terms, history, /*alone=*/false, 1e6, 10);
  EXPECT_GT(after.beyond_tolerance.population, alone.beyond_tolerance.population);
  EXPECT_EQ(after.beyond_tolerance.file, alone.beyond_tolerance.file);
  EXPECT_TRUE(history.alone);
  ASSERT_TRUE(release_bounded_query(clinic(), {.fraction = "age >= 30", .loss = Rho(0.001)}).ok());
  history = *session_history(terms, *kernel::Custody::open(terms.ledger));
  EXPECT_FALSE(history.alone);
}

TEST_F(SessionCheckTest, AGuessMayFollowFromTheAnswersBeforeIt) {
  open();
  test::declare_false_alarm("session checks one by one", 10 * kByChance);
  std::vector<bool> seen;
  std::string refusal;
  // Halves the interval in which the share of smokers lies. Only what is right goes on for free.
  const NextGuess next = [&](const CheckedGuess& last, const std::optional<Error>& refused) -> std::optional<GuessRequest> {
    seen.push_back(last.confirmed);
    if (refused) refusal = refused->message();
    if (seen.size() == 1) return smokers(2);  // cannot be compared, and costs nothing
    if (seen.size() == 5) return std::nullopt;
    return smokers(last.guess - 0.01);
  };
  const SessionCheck done = *check({.guesses = {smokers(0.27)}, .more = next, .at_most = 50});
  EXPECT_EQ(done.published.release.guesses.size(), 4U);
  EXPECT_NEAR(done.published.release.guesses.back().guess, 0.24, 1e-12);
  EXPECT_THAT(seen, ::testing::Each(true));
  EXPECT_THAT(refusal, HasSubstr("guess is 2"));
  EXPECT_EQ(transcript().asked, 1U);
}

TEST_F(SessionCheckTest, NoMoreGuessesThanWereDeclared) {
  open();
  test::declare_false_alarm("at most so many checks", 10 * kByChance);
  const NextGuess always = [](const CheckedGuess& /*last*/, const std::optional<Error>& /*refused*/) { return smokers(0.25); };
  EXPECT_EQ(check({.guesses = {smokers(0.25)}, .more = always, .at_most = 3})->published.release.guesses.size(), 3U);
  EXPECT_THAT(check({.guesses = {smokers(0.25), smokers(0.25)}, .at_most = 1}).error().message(), HasSubstr("at-most is 1"));
  EXPECT_THAT(check({.guesses = {smokers(0.25)}, .at_most = kMostGuesses + 1}).error().message(), HasSubstr("at-most is 10001"));
}

TEST_F(SessionCheckTest, GuessesThatCannotBeComparedCostNothing) {
  open();
  const auto refusal = [&](const GuessRequest& guess) {
    const auto done = check({.guesses = {smokers(0.25), guess}});
    EXPECT_FALSE(done.ok());
    EXPECT_EQ(done.error().spent(), "nothing was spent");
    return done.error().message();
  };
  EXPECT_THAT(refusal(smokers(1.5)), HasSubstr("guess is 1.5, but must lie between 0 and 1"));
  EXPECT_THAT(refusal(smokers(NAN)), HasSubstr("must lie between 0 and 1"));
  EXPECT_THAT(refusal(smokers(0.5, -0.1)), HasSubstr("tolerance is -0.1"));
  EXPECT_THAT(refusal(smokers(0.5, 2)), HasSubstr("tolerance is 2"));
  EXPECT_THAT(refusal({{.fraction = "weight > 3"}, 0.5, 0.1}), HasSubstr("must be a declared column"));
  EXPECT_THAT(refusal({{.mean_of = "1 / age"}, 0.5, 0.1}), HasSubstr("must not divide by 0"));
  EXPECT_THAT(refusal({{}, 0.5, 0.1}), HasSubstr("must be one of fraction and mean-of"));
  EXPECT_THAT(check({}).error().message(), HasSubstr("guess is missing"));
  EXPECT_EQ(transcript().asked, 0U);
  EXPECT_EQ(budget_history(clinic())->entries.size(), 0U);
}

TEST_F(SessionCheckTest, ChecksAreCountedAmongTheQuestions) {
  open(2);
  test::declare_false_alarm("checks are questions", 3 * kByChance);
  ASSERT_TRUE(check({.guesses = {smokers(0.25)}}).ok());
  ASSERT_TRUE(ask_session(folder(), {.fraction = "age >= 40"}, desk_.context).ok());
  EXPECT_EQ(check({.guesses = {smokers(0.25)}}).error().code(), Code::BudgetExhausted);
  const SessionTranscript all = transcript();
  ASSERT_EQ(all.lines.size(), 2U);
  EXPECT_EQ(all.lines[0].question.by, AskedFor::Checks);
  ASSERT_TRUE(all.lines[0].checks.has_value());
  EXPECT_EQ(all.lines[0].checks->guesses.size(), 1U);
  EXPECT_TRUE(all.lines[1].answer.has_value());
  EXPECT_TRUE(all.alone);
  EXPECT_THAT(service::transcript_words(all), HasSubstr("1 of 1 confirmed"));
  EXPECT_THAT(service::session_page(all), HasSubstr("fraction smoker = yes: 0.25 within 0.05?"));
}

TEST_F(SessionCheckTest, ACrashAfterTheChargeEndsWhatWasPaidFor) {
  open(2);
  Context failing = desk_.context;
  failing.random_bits = [opened = std::make_shared<int>(0)]() -> Result<std::unique_ptr<exact::RandomBits>> {
    if (++*opened > 1) return Error::of(Code::EntropyUnavailable, "no random bits");
    TACET_TRY(std::unique_ptr<exact::SecureBits> bits, exact::SecureBits::open());
    return std::unique_ptr<exact::RandomBits>(std::move(bits));
  };
  const auto lost = check({.guesses = {smokers(0.25)}}, &failing);
  ASSERT_FALSE(lost.ok());
  EXPECT_THAT(lost.error().spent(), HasSubstr("rho 0.45 was spent (entry 1"));
  EXPECT_EQ(transcript().asked, 1U);
  EXPECT_FALSE(transcript().lines[0].checks.has_value());
  EXPECT_THAT(service::transcript_words(transcript()), HasSubstr("paid, no file"));
}

TEST_F(SessionCheckTest, NoNoiseIsWritten) {
  open();
  const SessionCheck done = *check({.guesses = {smokers(0.25, 1)}});
  const std::string text = desk_.read("looking/answer-0001.json");
  EXPECT_THAT(text, HasSubstr("\"confirmed\": true"));
  EXPECT_THAT(text, Not(HasSubstr("ticks")));
  const SessionChecks back = *read_checks(folder() + "/answer-0001.json");
  EXPECT_EQ(to_text(back).size(), text.size());
  EXPECT_EQ(back.guesses.at(0).text, done.published.release.guesses.at(0).text);
  EXPECT_FALSE(read_checks(folder() + "/session.json").ok());
  EXPECT_FALSE(read_checks(folder() + "/none.json").ok());
}

TEST_F(SessionCheckTest, TheVerbTakesOneGuessAListOrLines) {
  open(4);
  test::declare_false_alarm("the verb checks", 10 * kByChance);
  const auto call = [&](service::Json request) {
    request["session"] = folder();
    return desk_.call("session check", request);
  };
  const auto one = call({{"fraction", "smoker = yes"}, {"guess", 0.25}, {"tolerance", 0.05}});
  ASSERT_TRUE(one.ok()) << one.error().message();
  EXPECT_EQ(one->at("guesses").at(0).at("confirmed"), true);
  EXPECT_THAT(desk_.said, HasSubstr("fraction smoker = yes: 0.25 within 0.05: confirmed"));

  desk_.write("guesses.json", R"([{"fraction": "smoker = yes", "guess": 0.26, "tolerance": 0.05},
                                  {"mean-of": "age", "guess": 39.5, "tolerance": 5}])");
  const auto list = call({{"guesses", desk_.path("guesses.json")}});
  ASSERT_TRUE(list.ok()) << list.error().message();
  EXPECT_EQ(list->at("guesses").size(), 2U);

  constexpr std::size_t kDeepest = 300'000;
  desk_.write("lines",
              "{\"fraction\": \"smoker = yes\", \"guess\": 0.26, \"tolerance\": 0.05}\nnonsense\n"
              "{\"fraction\": " +
                  std::string(kDeepest, '[') + std::string(kDeepest, ']') +
                  ", \"guess\": 0.26, \"tolerance\": 0.05}\n"
                  "{\"fraction\": \"smoker = yes\", \"guess\": 3, \"tolerance\": 0.05}\n"
                  "{\"fraction\": \"smoker = yes\", \"guess\": 0.9, \"tolerance\": 0.05}\n"
                  "{\"fraction\": \"smoker = yes\", \"guess\": 0.26, \"tolerance\": 0.05}\n");
  const auto lines = call({{"follow", desk_.path("lines")}, {"at-most", 10}, {"answers", desk_.path("answers")}});
  ASSERT_TRUE(lines.ok()) << lines.error().message();
  EXPECT_EQ(lines->at("guesses").size(), 2U);
  EXPECT_THAT(desk_.said, HasSubstr("ended with the guess that is not confirmed"));
  const std::string answers = desk_.read("answers");
  EXPECT_EQ(std::count(answers.begin(), answers.end(), '\n'), 5);
  EXPECT_THAT(answers, HasSubstr("\"confirmed\":true"));
  EXPECT_THAT(answers, HasSubstr("guess is 3"));
  EXPECT_THAT(answers, HasSubstr("\"confirmed\":false"));

  const auto refused = [&](const service::Json& request) {
    const auto answer = call(request);
    EXPECT_FALSE(answer.ok());
    return answer.ok() ? "" : answer.error().message();
  };
  EXPECT_THAT(refused(service::Json::object()), HasSubstr("guess is missing"));
  EXPECT_THAT(refused({{"fraction", "smoker = yes"}, {"guess", 0.25}}), HasSubstr("tolerance is missing"));
  EXPECT_THAT(refused({{"fraction", "smoker = yes"}, {"tolerance", 0.25}}), HasSubstr("guess is missing"));
  EXPECT_THAT(refused({{"guess", 0.25}, {"tolerance", 0.1}, {"guesses", "x.json"}}), HasSubstr("given twice"));
  EXPECT_THAT(refused({{"follow", desk_.path("lines")}}), HasSubstr("at-most is missing"));
  EXPECT_THAT(refused({{"follow", desk_.path("none")}, {"at-most", 3}}), HasSubstr("cannot be read"));
  desk_.write("odd.json", R"([{"fraction": "smoker = yes", "guess": 0.26, "tolerance": 0.05, "alpha": 1}])");
  EXPECT_THAT(refused({{"guesses", desk_.path("odd.json")}}), HasSubstr("must be fields of a guess"));
  desk_.write("odd.json", "{}");
  EXPECT_THAT(refused({{"guesses", desk_.path("odd.json")}}), HasSubstr("must be a list of at most"));
  EXPECT_EQ(transcript().asked, 3U);
}

}  // namespace
}  // namespace tacet::session_check_test
