#include "tacet/workflow/session/session.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/exact/secure_bits.h"
#include "tacet/planning/adaptive_width.h"
#include "tacet/schemas/schema_text.h"
#include "tacet/service/session/session_answer.h"
#include "tacet/workflow/custody/budget_history.h"
#include "tacet/workflow/custody/create_budget.h"
#include "tacet/workflow/session/session_check.h"
#include "tacet/workflow/session/session_json.h"
#include "tacet/workflow/session/session_p_value.h"

#include "service/desk.h"
#include "support/promise.h"

namespace tacet {
namespace {

using ::testing::HasSubstr;

constexpr double kRows = 4000;

class SessionTest : public ::testing::Test {
 protected:
  explicit SessionTest(const PrivacyAmount& total = Rho(1), const std::string& neighbours = "replace-one") {
    std::ofstream(desk_.path("clinic.toml")) << "tacet = 1\ndataset = \"clinic\"\nledger = \"clinic.ledger\"\nneighbours = \"" << neighbours
                                             << "\"\n[columns.age]\nlower = 0\nupper = 100\nresolution = 1\nmissing = 50\n"
                                                "[columns.smoker]\ncategories = [\"no\", \"yes\"]\n";
    std::ofstream rows(desk_.path("clinic.csv"));
    rows << "age,smoker\n";
    for (int i = 0; i < kRows; ++i) rows << 20 + i % 40 << ',' << (i % 4 == 0 ? "yes" : "no") << '\n';
    rows.close();
    EXPECT_TRUE(create_budget({.schema = *schemas::read_schema(desk_.path("clinic.toml")), .total = total}, desk_.context).ok());
  }
  Dataset clinic() const {
    return *Dataset::open({.ledger = desk_.path("clinic.ledger"), .data = desk_.path("clinic.csv")}, desk_.context);
  }
  /// By name, where the ledger has several; rows are those of the terms.
  Dataset clinic_of(const std::string& dataset) const {
    return *Dataset::open({.ledger = desk_.path("clinic.ledger"), .dataset = dataset}, desk_.context);
  }
  std::string folder(const std::string& name = "looking") const { return desk_.path(name); }
  Result<Session> open(std::uint64_t queries, const Rho& rho = Rho(0.01), const std::string& name = "looking") const {
    return open_session(clinic(), {.folder = folder(name), .queries = queries, .beta = 0.1, .rho = rho});
  }
  Result<SessionAnswer> ask(const std::string& fraction, const Context* context = nullptr) const {
    return ask_session(folder(), {.fraction = fraction}, context == nullptr ? desk_.context : *context);
  }
  void release_something() const { ASSERT_TRUE(release_bounded_query(clinic(), {.fraction = "age >= 30", .loss = Rho(0.001)}).ok()); }
  std::size_t entries() const { return budget_history(clinic())->entries.size(); }
  test::Desk desk_;
};

TEST_F(SessionTest, AnswersAsManyQuestionsAsItWasOpenedForAndNoMore) {
  const Session session = *open(3);
  EXPECT_EQ(session.terms.each.to_string(), "0.00333333333333333");
  test::declare_false_alarm("session answers", 1e-13);
  EXPECT_EQ(entries(), 0U);
  for (std::uint64_t i = 1; i <= 3; ++i) {
    const auto answer = ask("age >= 40");
    ASSERT_TRUE(answer.ok()) << answer.error().message();
    EXPECT_EQ(answer->question.number, i);
    EXPECT_EQ(answer->left, 3 - i);
    // The noise has a standard deviation of 1/(4000 sqrt(0.00667)) = 0.0031: red below 1e-12.
    EXPECT_NEAR(answer->published.release.mean().front(), 0.5, 8 * 0.0031);
  }
  const auto more = ask("age >= 40");
  ASSERT_FALSE(more.ok());
  EXPECT_EQ(more.error().code(), Code::BudgetExhausted);
  EXPECT_EQ(more.error().message(),
            "the session was opened for 3 questions, and all were asked; open another one: its widths hold for its own questions");
  EXPECT_EQ(more.error().spent(), "nothing was spent");
  EXPECT_EQ(entries(), 3U);
}

TEST_F(SessionTest, WidthsAreThoseOfItsOwnAnswersWhileNothingElseIsReleased) {
  ASSERT_TRUE(open(5, Rho(0.01)).ok());
  const SessionAnswer first = *ask("smoker = yes");
  const double sd = first.published.release.mean_sd().front();
  EXPECT_NEAR(sd, 1 / (kRows * std::sqrt(2 * 0.002)), 1e-9);
  const double width = *planning::cvar_width_at({kRows, 5, 0.09}, sd);
  EXPECT_NEAR(first.intervals.population->width, width, 1e-6);
  EXPECT_EQ(first.intervals.population->beta, 0.1);
  EXPECT_TRUE(first.question.alone);

  release_something();
  const SessionAnswer second = *ask("smoker = yes");
  EXPECT_EQ(second.question.number, 2U);
  EXPECT_FALSE(second.question.alone);
  const double whole = *planning::cvar_width_within({kRows, 5, 0.01}, sd, planning::ZcdpPromise{1});
  EXPECT_NEAR(second.intervals.population->width, std::min(1.0, whole), 1e-6);
  EXPECT_GT(second.intervals.population->width, width);

  const SessionTranscript all = *show_session(folder());
  ASSERT_EQ(all.lines.size(), 2U);
  EXPECT_FALSE(all.alone);
  EXPECT_EQ(all.left, 3U);
  EXPECT_NEAR(all.spent, 0.004, 1e-12);
  EXPECT_EQ(*all.lines[0].answer, first.published.release.mean().front());
  EXPECT_EQ(all.lines[0].intervals->population->width, first.intervals.population->width);
  EXPECT_EQ(all.lines[1].intervals->population->width, second.intervals.population->width);
}

TEST_F(SessionTest, AfterAnotherReleaseWidthsAreThoseOfTheWholeBudgetForAllOfBeta) {
  release_something();
  const Session session = *open(5, Rho(0.01));
  EXPECT_FALSE(session.terms.fresh);
  const SessionAnswer first = *ask("smoker = yes");
  const double sd = first.published.release.mean_sd().front();
  const double whole = *planning::cvar_width_within({kRows, 5, 0.1}, sd, planning::ZcdpPromise{1});
  EXPECT_NEAR(first.intervals.population->width, std::min(1.0, whole), 1e-6);
}

TEST_F(SessionTest, AMeanHasTheWidthInItsOwnUnits) {
  ASSERT_TRUE(open(5, Rho(0.01)).ok());
  const SessionAnswer share = *ask("age >= 30");
  const SessionAnswer mean = *ask_session(folder(), {.mean_of = "age * 10"}, desk_.context);
  EXPECT_NEAR(mean.intervals.population->width, 1000 * share.intervals.population->width, 1e-6);
  EXPECT_EQ(show_session(folder())->lines[1].question.by, AskedFor::Expression);
}

/// Random bits that fail from their second opening on: the first is before the charge.
Context failing_after_the_charge(const Context& own) {
  Context context = own;
  context.random_bits = [opened = std::make_shared<int>(0)]() -> Result<std::unique_ptr<exact::RandomBits>> {
    if (++*opened > 1) return Error::of(Code::EntropyUnavailable, "no random bits");
    TACET_TRY(std::unique_ptr<exact::SecureBits> bits, exact::SecureBits::open());
    return std::unique_ptr<exact::RandomBits>(std::move(bits));
  };
  return context;
}

TEST_F(SessionTest, AQuestionThatWasPaidForCountsAlsoWithoutAnAnswer) {
  ASSERT_TRUE(open(2).ok());
  const Context failing = failing_after_the_charge(desk_.context);
  const auto lost = ask("age >= 40", &failing);
  ASSERT_FALSE(lost.ok());
  EXPECT_THAT(lost.error().spent(), HasSubstr("rho 0.005 was spent (entry 1"));
  SessionTranscript all = *show_session(folder());
  ASSERT_EQ(all.asked, 1U);
  EXPECT_FALSE(all.lines[0].answer.has_value());
  EXPECT_THAT(service::transcript_words(all), HasSubstr("paid, no file"));
  EXPECT_EQ(ask("age >= 40")->question.number, 2U);
  EXPECT_FALSE(ask("age >= 40").ok());
  EXPECT_EQ(entries(), 2U);
}

TEST_F(SessionTest, OfTwoWhoAskTheLastQuestionAtOnceOneHasAnAnswer) {
  ASSERT_TRUE(open(1).ok());
  Context slow = desk_.context;
  // Somebody else asks between the first look at the ledger and the charge.
  slow.random_bits = [this, asked = std::make_shared<bool>(false)]() -> Result<std::unique_ptr<exact::RandomBits>> {
    if (!std::exchange(*asked, true)) {
      EXPECT_TRUE(ask("smoker = yes").ok());
    }
    TACET_TRY(std::unique_ptr<exact::SecureBits> bits, exact::SecureBits::open());
    return std::unique_ptr<exact::RandomBits>(std::move(bits));
  };
  const auto late = ask("age >= 40", &slow);
  ASSERT_FALSE(late.ok());
  EXPECT_THAT(late.error().message(), HasSubstr("somebody else asked the last question"));
  EXPECT_THAT(late.error().spent(), HasSubstr("was spent"));
  const SessionTranscript all = *show_session(folder());
  EXPECT_EQ(all.lines.size(), 2U);
  EXPECT_TRUE(all.lines[0].answer.has_value());
  EXPECT_FALSE(all.lines[1].answer.has_value());
}

TEST_F(SessionTest, BadQuestionsCostNothingAndAreNotCounted) {
  ASSERT_TRUE(open(2).ok());
  EXPECT_THAT(ask("weight > 3").error().message(), HasSubstr("must be a declared column"));
  EXPECT_THAT(ask_session(folder(), {.mean_of = "1 / age"}, desk_.context).error().message(), HasSubstr("must not divide by 0"));
  EXPECT_THAT(ask_session(folder(), {}, desk_.context).error().message(), HasSubstr("must be one of fraction and mean-of"));
  EXPECT_EQ(show_session(folder())->asked, 0U);
  EXPECT_EQ(entries(), 0U);
}

TEST_F(SessionTest, WhatCannotHoldIsNotOpened) {
  const auto message = [&](const SessionRequest& request) {
    const auto session = open_session(clinic(), request);
    EXPECT_FALSE(session.ok());
    return session.ok() ? "" : session.error().message();
  };
  EXPECT_THAT(message({.folder = folder(), .queries = 3}), HasSubstr("rho is missing"));
  EXPECT_THAT(message({.folder = folder(), .queries = 0, .rho = Rho(0.01)}), HasSubstr("queries is 0"));
  EXPECT_THAT(message({.folder = folder(), .queries = 3, .beta = 1, .rho = Rho(0.01)}), HasSubstr("beta is 1"));
  EXPECT_THAT(message({.folder = folder(), .queries = 3, .rho = Rho(-1)}), HasSubstr("rho is -1"));
  EXPECT_THAT(message({.folder = folder(), .queries = 3, .rho = Rho(2)}), HasSubstr("remain"));
  EXPECT_THAT(message({.folder = "", .queries = 3, .rho = Rho(0.01)}), HasSubstr("session is empty"));
  ASSERT_TRUE(open(3).ok());
  EXPECT_THAT(message({.folder = folder(), .queries = 3, .rho = Rho(0.01)}), HasSubstr("is there already"));
  EXPECT_EQ(ask_session(folder("none"), {.fraction = "age > 3"}).error().code(), Code::NotFound);
}

TEST_F(SessionTest, AClosedAnEditedAndAnOutdatedSessionAnswerNothing) {
  ASSERT_TRUE(open(3).ok());
  ASSERT_TRUE(ask("age >= 40").ok());
  EXPECT_EQ(close_session(folder())->left, 0U);
  EXPECT_EQ(ask("age >= 40").error().message(), "the session is closed; open another one: session open");
  EXPECT_FALSE(close_session(folder()).ok());
  EXPECT_EQ(show_session(folder())->asked, 1U);

  ASSERT_TRUE(open(3, Rho(0.01), "second").ok());
  std::string text = desk_.read("second/session.json");
  text.replace(text.find("\"queries\": 3"), 12, "\"queries\": 9");
  desk_.write("second/session.json", text);
  EXPECT_THAT(ask_session(folder("second"), {.fraction = "age > 3"}).error().message(), HasSubstr("must have the session.json"));
}

// Its widths would promise that nothing was released before it.
TEST_F(SessionTest, ThatCallsItselfTheFirstAfterAReleaseIsRefused) {
  release_something();
  ASSERT_TRUE(open(3).ok());
  SessionTerms terms = *read_session(folder());
  ASSERT_FALSE(terms.fresh);
  terms.fresh = true;
  nlohmann::json file = session_json(terms);
  file["id"] = session_id(terms);
  desk_.write("looking/session.json", file.dump());
  EXPECT_THAT(ask("age >= 40").error().message(), HasSubstr("must have the session.json that `session open` wrote"));
  EXPECT_FALSE(show_session(folder()).ok());
  EXPECT_EQ(entries(), 1U);
}

TEST_F(SessionTest, AnAnswerThatWasAlteredIsNotShown) {
  ASSERT_TRUE(open(3).ok());
  const SessionAnswer first = *ask("age >= 40");
  ASSERT_TRUE(ask("smoker = yes").ok());
  nlohmann::json file = nlohmann::json::parse(desk_.read("looking/answer-0001.json"));
  file["noise"]["scale"] = 2 * file.at("noise").at("scale").get<double>();
  desk_.write("looking/answer-0001.json", file.dump(2) + "\n");
  SessionTranscript all = *show_session(folder());
  EXPECT_TRUE(all.lines[0].altered);
  EXPECT_FALSE(all.lines[0].answer.has_value());
  EXPECT_TRUE(all.lines[1].answer.has_value());
  EXPECT_THAT(service::transcript_words(all), HasSubstr("paid, file altered"));
  // A copy that was kept beside it is found.
  desk_.write("looking/answer-0001-kept.json", mechanisms::to_text(first.published.release));
  all = *show_session(folder());
  EXPECT_FALSE(all.lines[0].altered);
  EXPECT_EQ(*all.lines[0].answer, first.published.release.mean().front());
}

TEST_F(SessionTest, AFileOfAnyNameCanBeAsked) {
  const std::string odd = desk_.path("clinic\xff.csv");
  std::filesystem::copy_file(desk_.path("clinic.csv"), odd);
  const auto opened = open_session(*Dataset::open({.ledger = desk_.path("clinic.ledger"), .data = odd}, desk_.context),
                                   {.folder = folder(), .queries = 2, .rho = Rho(0.01)});
  ASSERT_TRUE(opened.ok()) << opened.error().message();
  EXPECT_TRUE(ask("age >= 40").ok());
}

// What is released from the other budget may say what to ask, and this ledger does not know of it.
TEST_F(SessionTest, OfRowsWithASecondBudgetHasNoWidths) {
  ASSERT_TRUE(open(3).ok());
  ASSERT_TRUE(ask("age >= 40").ok());
  data::Schema schema = *schemas::read_schema(desk_.path("clinic.toml"));
  schema.dataset = "second";
  ASSERT_TRUE(
      create_budget({.schema = schema, .total = Rho(1), .source = desk_.path("clinic.csv"), .again = "to see"}, desk_.context).ok());
  const auto late = ask("age >= 40");
  ASSERT_FALSE(late.ok());
  EXPECT_EQ(late.error().code(), Code::Unsupported);
  EXPECT_THAT(late.error().message(), HasSubstr("the rows have another budget too"));
  EXPECT_EQ(late.error().spent(), "nothing was spent");
  for (const char* name : {"clinic", "second"}) {
    const auto opened = open_session(clinic_of(name), {.folder = folder("another"), .queries = 3, .rho = Rho(0.01)});
    ASSERT_FALSE(opened.ok());
    EXPECT_THAT(opened.error().message(), HasSubstr("the rows have another budget too"));
  }
  const auto guessed = check_session(folder(), {.guesses = {{{.fraction = "age >= 40"}, 0.3, 0.02}}}, desk_.context);
  ASSERT_FALSE(guessed.ok());
  EXPECT_THAT(guessed.error().message(), HasSubstr("the rows have another budget too"));
  const auto tested = add_test(folder(), {.release = desk_.path("looking/answer-0001.json"), .p_value = 1e-5});
  ASSERT_FALSE(tested.ok());
  EXPECT_THAT(tested.error().message(), HasSubstr("the rows have another budget too"));
  EXPECT_EQ(show_session(folder())->asked, 1U) << "what was asked can still be read";
}

// As in a ledger that somebody handed over.
TEST_F(SessionTest, StatementsOfAnyDepthAreReadPast) {
  ASSERT_TRUE(open(3).ok());
  kernel::Ledger ledger = *kernel::Ledger::open(desk_.path("clinic.ledger"));
  constexpr std::size_t kDeep = 400'000;
  const std::string statement = "{\"session\":" + std::string(kDeep, '[') + std::string(kDeep, ']') + "}";
  ASSERT_TRUE(ledger
                  .charge({.dataset = "clinic",
                           .analyst = desk_.context.analyst,
                           .statement = statement,
                           .relation = kernel::Relation::ReplaceOne,
                           .loss = privacy::gaussian_loss_from_rho(*privacy::Rho::parse("0.001")),
                           .source = desk_.path("clinic.csv")})
                  .ok());
  const SessionTranscript all = *show_session(folder());
  EXPECT_EQ(all.asked, 0U);
  EXPECT_FALSE(ask("age >= 40")->question.alone);
}

TEST_F(SessionTest, APageShowsTextsAsText) {
  ASSERT_TRUE(open(3).ok());
  Context context = desk_.context;
  context.analyst = "<script>alert(1)</script>";
  ASSERT_TRUE(ask("age >= 40 and age < 50", &context).ok());
  const std::string page = service::session_page(*show_session(folder()));
  EXPECT_THAT(page, HasSubstr("&lt;script&gt;"));
  EXPECT_THAT(page, ::testing::Not(HasSubstr("<script")));
  EXPECT_THAT(page, HasSubstr("age &gt;= 40 and age &lt; 50"));
}

// Values by golden sections over epsilon and the order, and Simpson's rule, in Python.
TEST(SessionWidths, WithinAWholePromiseAgreeWithIndependentValues) {
  using namespace planning;
  const AdaptiveQueries hundred{1e4, 100, 0.05}, twenty{1e4, 20, 0.005};
  constexpr double kNoise = 3.729987566104063, kNoiseOfTwenty = 3.904417547540434;
  EXPECT_NEAR(*cvar_width_within(hundred, 0.02, ZcdpPromise{0.0008457}), 0.02 * kNoise + 0.10497409064066068, 1e-8);
  EXPECT_NEAR(*cvar_width_within(hundred, 0.02, ZcdpPromise{0.01}), 0.02 * kNoise + 0.3995680824986225, 1e-8);
  EXPECT_NEAR(*cvar_width_within(twenty, 0.02, ZcdpPromise{0.01}), 0.02 * kNoiseOfTwenty + 0.5688792055347853, 1e-8);
  // The promise of the answers themselves.
  const double mu = std::sqrt(100.0) / (1e4 * 0.02);
  EXPECT_NEAR(*cvar_width_within(hundred, 0.02, GdpPromise{mu}), *cvar_width_at(hundred, 0.02), 1e-12);
  EXPECT_GT(*cvar_width_within(hundred, 0.02, ZcdpPromise{mu * mu / 2}), *cvar_width_at(hundred, 0.02));
  EXPECT_FALSE(cvar_width_within(hundred, 0.02, GdpPromise{0}).ok());
  EXPECT_FALSE(cvar_width_within(hundred, 0.02, ZcdpPromise{-1}).ok());
  EXPECT_FALSE(cvar_width_within(hundred, 0, ZcdpPromise{0.01}).ok());
}

TEST(SessionWidths, WithinAWholePromiseFallWithPeopleAndBetaAndRiseWithQuestionsAndWhatWasTold) {
  using namespace planning;
  const auto width = [](double n, double queries, double beta, double told) {
    const double mu = std::sqrt(2 * told);
    const double gaussian = *cvar_width_within({n, queries, beta}, 0.02, GdpPromise{mu});
    const double concentrated = *cvar_width_within({n, queries, beta}, 0.02, ZcdpPromise{told});
    EXPECT_LE(gaussian, concentrated * (1 + 1e-9)) << "the exact curve is the better one";
    return std::pair(gaussian, concentrated);
  };
  const auto no_wider = [&](const auto& one, const auto& other) {
    EXPECT_LE(one.first, other.first * (1 + 1e-9));
    EXPECT_LE(one.second, other.second * (1 + 1e-9));
  };
  for (const double told : {1e-6, 1e-4, 3e-3}) {
    no_wider(width(1e4, 100, 0.05, told), width(1e3, 100, 0.05, told));
    no_wider(width(1e4, 100, 0.05, told), width(1e4, 101, 0.05, told));
    no_wider(width(1e4, 100, 0.05, told), width(1e4, 100, 0.01, told));
    no_wider(width(1e4, 100, 0.05, told), width(1e4, 100, 0.05, told * 1.1));
  }
}

class PrivateRowsTest : public SessionTest {
 protected:
  PrivateRowsTest() : SessionTest(Rho(1), "add-or-remove-one") {}
};
TEST_F(PrivateRowsTest, NeedAPublicNumberOfThem) {
  EXPECT_THAT(open(3).error().message(), HasSubstr("a session needs a public number of rows"));
}

class MuSessionTest : public SessionTest {
 protected:
  MuSessionTest() : SessionTest(Mu(0.5)) {}
};
TEST_F(MuSessionTest, AWholeBudgetInMuHasTheExactCurve) {
  release_something();
  ASSERT_TRUE(open(4).ok());
  const SessionAnswer answer = *ask("smoker = yes");
  const double sd = answer.published.release.mean_sd().front();
  EXPECT_NEAR(answer.intervals.population->width,
              std::min(1.0, *planning::cvar_width_within({kRows, 4, 0.1}, sd, planning::GdpPromise{0.5})), 1e-6);
}

class PureSessionTest : public SessionTest {
 protected:
  PureSessionTest() : SessionTest(Epsilon("1")) {}
};
TEST_F(PureSessionTest, NeedsABudgetInRhoOrMu) {
  EXPECT_THAT(open(3).error().message(), HasSubstr("a session needs a budget in rho or mu"));
}

}  // namespace
}  // namespace tacet
