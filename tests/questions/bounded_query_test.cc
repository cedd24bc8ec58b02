#include "tacet/workflow/session/bounded_query.h"

#include <cmath>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/planning/adaptive_width.h"
#include "tacet/schemas/schema_text.h"
#include "tacet/workflow/custody/budget_history.h"
#include "tacet/workflow/custody/create_budget.h"
#include "tacet/workflow/release/release_file.h"
#include "tacet/workflow/release/release_query.h"

#include "service/desk.h"
#include "support/promise.h"

namespace tacet {
namespace {

using ::testing::HasSubstr;

/// 400 people: ages 20, 21, ..., 59 ten times, every fourth of them a smoker.
class BoundedQueryTest : public ::testing::Test {
 protected:
  explicit BoundedQueryTest(const std::string& neighbours = "replace-one") {
    std::ofstream(desk_.path("clinic.toml")) << "tacet = 1\ndataset = \"clinic\"\nledger = \"clinic.ledger\"\nneighbours = \"" << neighbours
                                             << "\"\n[columns.age]\nlower = 0\nupper = 100\nresolution = 1\nmissing = 50\n"
                                                "[columns.smoker]\ncategories = [\"no\", \"yes\"]\n";
    std::ofstream rows(desk_.path("clinic.csv"));
    rows << "age,smoker\n";
    for (int i = 0; i < 400; ++i) rows << 20 + i % 40 << ',' << (i % 4 == 0 ? "yes" : "no") << '\n';
    rows.close();
    EXPECT_TRUE(create_budget({.schema = *schemas::read_schema(desk_.path("clinic.toml")), .total = Rho(1e6)}).ok());
  }
  Dataset clinic() const { return *Dataset::open({.ledger = desk_.path("clinic.ledger"), .data = desk_.path("clinic.csv")}); }
  Result<Published<QueryRelease>> ask(BoundedQueryRequest request, double rho = 1000) const {
    if (!request.loss) request.loss = Rho(rho);
    return release_bounded_query(clinic(), request);
  }
  double mean_of(const BoundedQueryRequest& request) const {
    const auto answer = ask(request);
    EXPECT_TRUE(answer.ok()) << answer.error().message();
    return answer->release.mean().front();
  }
  test::Desk desk_;
};

// With rho 1000 the noise of a fraction of 400 rows has a standard deviation of
// 1/(400 sqrt(2000)) = 5.6e-5. A bound of 4e-4 is 7 of them: red by chance below 3e-12 each.
TEST_F(BoundedQueryTest, AnswersAreThoseOfTheFile) {
  constexpr double kNear = 4e-4;
  test::declare_false_alarm("bounded query answers", 2e-11);
  EXPECT_NEAR(mean_of({.fraction = "smoker = yes"}), 0.25, kNear);
  EXPECT_NEAR(mean_of({.fraction = "age >= 40"}), 0.5, kNear);
  EXPECT_NEAR(mean_of({.fraction = "age > 39 and age < 41"}), 0.025, kNear);
  EXPECT_NEAR(mean_of({.mean_of = "age / 100"}), 0.395, kNear);
  EXPECT_NEAR(mean_of({.mean_of = "(age - 20) / 100 * [smoker = yes]"}), 0.045, kNear);
  EXPECT_NEAR(mean_of({.mean_of = "age"}), 39.5, 100 * kNear);
}

TEST_F(BoundedQueryTest, TheNoiseIsThatOfOneNumberInItsRange) {
  // One number of range 100 among 400 rows: replacing a row changes the mean by 1/4 at most.
  const QueryRelease release = ask({.mean_of = "age"}, 0.5)->release;
  EXPECT_NEAR(release.mean_sd().front(), 0.25, 1e-9);
  EXPECT_EQ(release.parts[0].n, 400);
  EXPECT_EQ(answer_range(release), 100);
  EXPECT_EQ(release.columns, std::vector<std::string>{"age"});
}

TEST_F(BoundedQueryTest, TheIntervalsAreThoseOfTheNoiseAndOfTheCvarWidth) {
  const QueryRelease release = ask({.mean_of = "age", .queries = 10, .beta = 0.1}, 0.5)->release;
  const AnswerIntervals intervals = *answer_intervals(release);
  EXPECT_NEAR(intervals.half_width, 0.25 * 1.959964, 1e-6);
  ASSERT_TRUE(intervals.population.has_value());
  EXPECT_EQ(intervals.population->queries, 10U);
  const double width = 100 * *planning::cvar_width_at({400, 10, 0.1}, 0.0025);
  EXPECT_NEAR(intervals.population->width, std::min(width, 100.0), 1e-4);
  EXPECT_FALSE(answer_intervals(ask({.mean_of = "age"}, 0.5)->release)->population.has_value());
}

TEST_F(BoundedQueryTest, BadQuestionsCostNothing) {
  const auto message = [&](const BoundedQueryRequest& request) {
    const auto answer = ask(request);
    EXPECT_FALSE(answer.ok());
    EXPECT_EQ(answer.error().spent(), "nothing was spent");
    return answer.error().message();
  };
  EXPECT_THAT(message({}), HasSubstr("must be one of fraction and mean-of"));
  EXPECT_THAT(message({.fraction = "age > 3", .mean_of = "age"}), HasSubstr("given twice"));
  EXPECT_THAT(message({.fraction = "weight > 3"}), HasSubstr("must be a declared column"));
  EXPECT_THAT(message({.mean_of = "1 / age"}), HasSubstr("must not divide by 0"));
  EXPECT_THAT(message({.mean_of = "age", .beta = 0.1}), HasSubstr("goes with queries"));
  EXPECT_THAT(message({.mean_of = "age", .queries = 10, .beta = 2}), HasSubstr("beta is 2"));
  EXPECT_THAT(release_query(clinic(), {.fraction = "age > 3", .sd = {{1}}, .loss = Rho(1)}).error().message(),
              HasSubstr("sd is given, but must be left out with fraction"));
  EXPECT_THAT(release_query(clinic(), {.mean_of = "age", .where = "smoker = yes", .loss = Rho(1)}).error().message(),
              HasSubstr("where is given, but must be left out with mean-of"));
  EXPECT_THAT(release_query(clinic(), {.loss = Rho(1)}).error().message(), HasSubstr("columns is missing"));
  EXPECT_THAT(release_query(clinic(), {.columns = {"age"}, .direction = {{1}}, .queries = 4, .loss = Rho(1)}).error().message(),
              HasSubstr("goes with fraction and mean-of only"));
  EXPECT_TRUE(budget_history(clinic())->entries.empty());
}

TEST_F(BoundedQueryTest, AQuestionThatIsNotAdmittedAfterItsChargeHasNoAnswer) {
  const auto answer = ask({.fraction = "age > 3", .admit = [](const kernel::Receipt&, const kernel::Custody&) {
                             return Status(Error::of(Code::Unsupported, "no"));
                           }});
  ASSERT_FALSE(answer.ok());
  EXPECT_THAT(answer.error().spent(), HasSubstr("was spent (entry 1"));
}

class PrivateNumberTest : public BoundedQueryTest {
 protected:
  PrivateNumberTest() : BoundedQueryTest("add-or-remove-one") {}
};

TEST_F(PrivateNumberTest, AQuestionIsRefused) {
  EXPECT_THAT(ask({.fraction = "smoker = yes"}).error().message(), HasSubstr("need a public number of rows"));
}

}  // namespace
}  // namespace tacet
