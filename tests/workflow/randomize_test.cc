#include "tacet/workflow/privacy/randomize.h"

#include <signal.h>  // NOLINT(modernize-deprecated-headers): sighandler_t is not of C++
#include <sys/resource.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/workflow/custody/create_budget.h"

#include "kernel/scratch_folder.h"
#include "support/scripted_bits.h"

namespace tacet {
namespace {

/// A value that nobody must see.
constexpr const char* kSecret = "s3cret-diagnosis";

Context seeded() {
  Context context;
  context.random_bits = [] { return Result<std::unique_ptr<exact::RandomBits>>(std::make_unique<test::InsecureSeededBits>(77)); };
  return context;
}

RandomizeRequest randomize_request(LocalKind kind, const PrivacyAmount& loss) {
  return {.kind = kind, .categories = {"a", "b", "c"}, .values = {"a", "c"}, .loss = loss};
}

TEST(RandomizeValues, GivesAReportOfItsKindForEveryValue) {
  const LocalReports exp = *randomize_values(randomize_request(LocalKind::Exp, Epsilon(1)), seeded());
  EXPECT_EQ(exp.people(), 2U);
  for (const std::size_t category : std::get<CategoryReports>(exp.reports)) EXPECT_LT(category, 3U);
  const LocalReports flip = *randomize_values(randomize_request(LocalKind::Flip, Epsilon(1)), seeded());
  for (const auto& bits : std::get<BitReports>(flip.reports)) EXPECT_EQ(bits.size(), 3U);
  const LocalReports gaussian = *randomize_values(randomize_request(LocalKind::Gaussian, Rho(1)), seeded());
  EXPECT_DOUBLE_EQ(gaussian.terms.randomizer.parameter, 1) << "the sensitivity of a report is sqrt 2";
  for (const auto& numbers : std::get<NumberReports>(gaussian.reports)) EXPECT_EQ(numbers.size(), 3U);
}

TEST(RandomizeValues, KeepsAlmostEveryValueWhereEpsilonIsLarge) {
  const LocalReports reports = *randomize_values(randomize_request(LocalKind::Exp, Epsilon(100)), seeded());
  EXPECT_EQ(lines_of(reports), (std::vector<std::string>{"a", "c"})) << "another one has odds of e^-100";
}

TEST(RandomizeValues, CountsWhatIsNotListedAsTheOtherOneOrRefusesItWithoutRepeatingIt) {
  RandomizeRequest unlisted = randomize_request(LocalKind::Exp, Epsilon(100));
  unlisted.values = {kSecret};
  const auto refused = randomize_values(unlisted, seeded());
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(
      refused.error().message(),
      "value is hidden, but must be one of the categories; list every category, or name the one for all other values with other = LABEL");
  unlisted.other = "b";
  EXPECT_EQ(lines_of(*randomize_values(unlisted, seeded())), std::vector<std::string>{"b"});
  unlisted.other = "d";
  EXPECT_EQ(randomize_values(unlisted, seeded()).error().message(), "other is \"d\", but must be one of the categories");
}

TEST(RandomizeValues, RefusesWhatItsKindCannotKeep) {
  const auto message = [](LocalKind kind, const PrivacyAmount& loss) {
    return randomize_values(randomize_request(kind, loss), seeded()).error().message();
  };
  EXPECT_EQ(message(LocalKind::Exp, Rho(1)),
            "privacy is rho or mu, but must be epsilon alone: this randomizer has pure differential privacy; for example: epsilon = 1");
  EXPECT_EQ(message(LocalKind::Gaussian, Epsilon(1)),
            "privacy is epsilon alone, but must be rho, mu, or epsilon and delta: Gaussian noise is never pure; for example: rho = 0.5");
  EXPECT_EQ(message(LocalKind::Laplace, EpsilonDelta(1, 0.1)),
            "privacy is epsilon and delta, but must be epsilon alone, rho or mu: Laplace noise needs no delta; for example: epsilon = 1");
  RandomizeRequest wrong = randomize_request(LocalKind::Exp, Epsilon(1));
  wrong.values = {};
  EXPECT_EQ(randomize_values(wrong, seeded()).error().message(), "values is empty, but must be at least one value");
  wrong.categories = {"a", "a"};
  EXPECT_EQ(randomize_values(wrong, seeded()).error().message(), "categories is \"a\" twice, but must differ from each other");
  wrong.categories = {"a", "b\nc"};
  EXPECT_EQ(randomize_values(wrong, seeded()).error().message(),
            "categories is a list with a name of several lines, but must be names of one line each");
  wrong.categories = {"a"};
  EXPECT_EQ(randomize_values(wrong, seeded()).error().message(),
            "categories is 1, but must be 2 to 1000000; for example: categories = yes,no");
}

TEST(RandomizeValues, WritesOneToALineAndReplacesNothing) {
  const testing::ScratchFolder folder;
  RandomizeRequest request = randomize_request(LocalKind::Flip, Epsilon(1));
  request.out = folder.path("reports.txt");
  const LocalReports reports = *randomize_values(request, seeded());
  std::ostringstream text;
  text << std::ifstream(folder.path("reports.txt")).rdbuf();
  EXPECT_EQ(text.str(), lines_of(reports)[0] + "\n" + lines_of(reports)[1] + "\n");
  EXPECT_EQ(text.str().size(), 16U) << "[0,1,0] twice, with line feeds";
  EXPECT_EQ(randomize_values(request, seeded()).error().code(), Code::AlreadyExists);
}

/// A report that the budget of its person pays.
RandomizeRequest paid_request(const testing::ScratchFolder& folder, LocalKind kind, const PrivacyAmount& loss) {
  RandomizeRequest request = randomize_request(kind, loss);
  request.values = {"c"};
  request.budget = DatasetPlace{.ledger = folder.path("mine.ledger")};
  return request;
}

std::string remaining(const LocalReports& reports) { return words(reports.left->remaining); }

TEST(RandomizeValues, ChargesAPersonsOwnBudgetUntilItIsSpent) {
  const testing::ScratchFolder folder;
  ASSERT_TRUE(create_budget({.ledger = folder.path("mine.ledger"), .dataset = "me", .total = Epsilon(2)}).ok());
  const RandomizeRequest exp = paid_request(folder, LocalKind::Exp, Epsilon(1));
  const auto first = randomize_values(exp, seeded());
  ASSERT_TRUE(first.ok()) << first.error().message();
  EXPECT_EQ(remaining(*first), "epsilon 1");
  EXPECT_EQ(first->receipt->entry, 1);
  const auto second = randomize_values(paid_request(folder, LocalKind::Laplace, Epsilon(0.75)), seeded());
  ASSERT_TRUE(second.ok()) << second.error().message();
  EXPECT_EQ(remaining(*second), "epsilon 0.25");
  RandomizeRequest third = exp;
  third.out = folder.path("third.txt");
  const auto refused = randomize_values(third, seeded());
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code(), Code::BudgetExhausted);
  EXPECT_EQ(refused.error().spent(), "nothing was spent");
  EXPECT_FALSE(std::filesystem::exists(folder.path("third.txt")));
  // The ledger knows what was asked, and never the value.
  std::ostringstream ledger;
  ledger << std::ifstream(folder.path("mine.ledger")).rdbuf();
  EXPECT_THAT(ledger.str(), ::testing::HasSubstr("randomize"));
  const auto bought = randomize_values(paid_request(folder, LocalKind::Flip, Epsilon("0.25")), seeded());
  ASSERT_TRUE(bought.ok()) << bought.error().message();
  EXPECT_EQ(remaining(*bought), "epsilon 0");
}

/// While it lives, no file may be longer.
class ShortFiles {
 public:
  explicit ShortFiles(std::size_t bytes) : handler_(::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &former_);
    const rlimit value{bytes, former_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &value);
  }
  ~ShortFiles() {
    ::setrlimit(RLIMIT_FSIZE, &former_);
    ::signal(SIGXFSZ, handler_);
  }
  ShortFiles(const ShortFiles&) = delete;
  ShortFiles& operator=(const ShortFiles&) = delete;

 private:
  rlimit former_{};
  sighandler_t handler_;
};

// On a disk that is nearly full, too: which category it is would decide what the budget's history
// shows.
TEST(RandomizeValues, RoomForAReportDoesNotDependOnTheValue) {
  const testing::ScratchFolder folder;
  ASSERT_TRUE(create_budget({.ledger = folder.path("mine.ledger"), .dataset = "me", .total = Epsilon(2)}).ok());
  RandomizeRequest request = paid_request(folder, LocalKind::Exp, Epsilon("0.01"));
  constexpr std::size_t kLong = 20'000;
  request.categories = {"short", std::string(kLong, 'x')};
  request.out = folder.path("report.txt");
  const ShortFiles limit(kLong / 2);
  for (const std::string& value : request.categories) {
    request.values = {value};
    const auto refused = randomize_values(request, seeded());
    ASSERT_FALSE(refused.ok()) << value.substr(0, 5);
    EXPECT_EQ(refused.error().code(), Code::FileUnwritable);
    EXPECT_EQ(refused.error().spent(), "nothing was spent");
  }
}

TEST(RandomizeValues, RefusesABudgetThatIsNotOnePersons) {
  const testing::ScratchFolder folder;
  ASSERT_TRUE(create_budget({.ledger = folder.path("mine.ledger"), .dataset = "me", .total = Rho(1)}).ok());
  RandomizeRequest two = paid_request(folder, LocalKind::Gaussian, Rho(0.5));
  two.values = {"a", "c"};
  EXPECT_EQ(
      randomize_values(two, seeded()).error().message(),
      "values is 2 people, but must be one value where a budget pays, that of one person; make a budget for each person, or leave out "
      "ledger");
  ASSERT_TRUE(
      create_budget(
          {.ledger = folder.path("rows.ledger"), .dataset = "rows", .total = Rho(1), .neighbours = kernel::Relation::AddOrRemoveOne})
          .ok());
  RandomizeRequest rows = paid_request(folder, LocalKind::Gaussian, Rho(0.5));
  rows.budget->ledger = folder.path("rows.ledger");
  EXPECT_EQ(randomize_values(rows, seeded()).error().name(), "neighbours");
  // A file that cannot be written is refused before anything is charged.
  RandomizeRequest nowhere = paid_request(folder, LocalKind::Gaussian, Rho(0.5));
  nowhere.out = folder.path("no/such/folder.txt");
  EXPECT_EQ(randomize_values(nowhere, seeded()).error().spent(), "nothing was spent");
  EXPECT_EQ(remaining(*randomize_values(paid_request(folder, LocalKind::Gaussian, Rho(1)), seeded())), "rho 0");
}

}  // namespace
}  // namespace tacet
