#include "tacet/workflow/privacy/randomize.h"

#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

TEST(WriteReports, WritesOneToALineAndReplacesNothing) {
  const testing::ScratchFolder folder;
  const LocalReports reports = *randomize_values(randomize_request(LocalKind::Flip, Epsilon(1)), seeded());
  ASSERT_TRUE(write_reports(reports, folder.path("reports.txt")).ok());
  std::ostringstream text;
  text << std::ifstream(folder.path("reports.txt")).rdbuf();
  EXPECT_EQ(text.str(), lines_of(reports)[0] + "\n" + lines_of(reports)[1] + "\n");
  EXPECT_EQ(text.str().size(), 16U) << "[0,1,0] twice, with line feeds";
  EXPECT_EQ(write_reports(reports, folder.path("reports.txt")).error().code(), Code::AlreadyExists);
}

}  // namespace
}  // namespace tacet
