#include <sys/stat.h>

#include <fstream>
#include <functional>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/kernel/custody/custody.h"
#include "tacet/kernel/custody/words.h"
#include "tacet/privacy/filter_words.h"

#include "kernel/ledger_requests.h"
#include "kernel/scratch_folder.h"

namespace tacet::kernel::ledger_test {
namespace {

using testing::decimal;
using ::testing::ElementsAre;
using testing::epsilon_budget;
using testing::epsilon_delta_budget;
using testing::epsilon_delta_loss;
using testing::epsilon_loss;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::MatchesRegex;
using testing::mu_budget;
using testing::mu_loss;
using testing::request;
using testing::rho_budget;
using testing::rho_loss;
using testing::terms;

/// A ledger in memory with one budget, for "patients".
Custody ledger_with(const Declaration& kept, const std::vector<Share>& shares = {}, std::function<std::int64_t()> clock = {}) {
  Custody ledger = *Custody::open(":memory:", {.clock = std::move(clock)});
  const Status made = ledger.create_budget("patients", kept, shares);
  EXPECT_TRUE(made.ok()) << (made.ok() ? "" : made.error().message());
  return ledger;
}

Error refusal(Custody& ledger, const ChargeRequest& asked) {
  auto grant = ledger.charge(asked);
  if (grant.ok()) ADD_FAILURE() << "was granted";
  if (grant.ok()) return Error::of(Code::Internal, "granted");
  const auto state = ledger.show(asked.dataset);
  return state.ok() ? with_amounts(grant.error(), *state, asked.analyst, asked.loss) : std::move(grant).error();
}

TEST(Ledger, ThreeChargesOfATenthFitThreeTenths) {
  Custody ledger = ledger_with(epsilon_budget("0.3"));
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(ledger.charge(request(epsilon_loss("0.1"))).ok());
  EXPECT_EQ(privacy::spent_amount(ledger.show("patients")->filter).first, decimal("0.3"));
  EXPECT_EQ(refusal(ledger, request(epsilon_loss("1e-300"))).code(), Code::BudgetExhausted);
}

TEST(Ledger, RefusalSaysWhatIsNeededWhatRemainsAndThatNothingWasSpent) {
  Custody ledger = ledger_with(rho_budget("1"));
  ASSERT_TRUE(ledger.charge(request(rho_loss("0.9375"))).ok());
  const Error error = refusal(ledger, request(rho_loss("0.125")));
  EXPECT_EQ(error.code(), Code::BudgetExhausted);
  EXPECT_EQ(error.message(),
            "the release needs rho 0.125, but 0.0625 of 1 remains in the budget of \"patients\"; see what fits: `budget show`");
  EXPECT_EQ(error.spent(), "nothing was spent");
  EXPECT_EQ(privacy::spent_amount(ledger.show("patients")->filter).first, decimal("0.9375"));
  EXPECT_EQ(ledger.history("patients")->size(), 1U);
}

TEST(Ledger, RefusalInAnEpsilonDeltaBudgetNamesBothParts) {
  Custody ledger = ledger_with(epsilon_delta_budget("1", "1e-6"));
  const Error error = refusal(ledger, request(epsilon_delta_loss("0.5", "2e-6")));
  EXPECT_EQ(
      error.message(),
      "the release needs epsilon 0.5, delta 0.000002, but epsilon 1, delta 0.000001 of epsilon 1, delta 0.000001 remains in the budget of "
      "\"patients\"; see what fits: `budget show`");
}

TEST(Ledger, UsedUpBudgetSaysSo) {
  Custody ledger = ledger_with(rho_budget("0.5"));
  ASSERT_TRUE(ledger.charge(request(rho_loss("0.5"))).ok());
  EXPECT_EQ(refusal(ledger, request(rho_loss("0.5"))).message(),
            "the release needs rho 0.5, but 0 of 0.5 remains in the budget of \"patients\"; see what fits: `budget show`");
}

/// Everybody without a share may spend what remains of the whole.
Declaration open_to_others(Declaration kept) {
  kept.others = kept.budget.total;
  return kept;
}

TEST(Ledger, ShareLimitsItsAnalystAndNobodyElse) {
  Custody ledger = ledger_with(open_to_others(rho_budget("1")), {{.analyst = "ada", .limit = {decimal("0.25"), {}}}});
  ASSERT_TRUE(ledger.charge(request(rho_loss("0.125"), "ada")).ok());
  const Error error = refusal(ledger, request(rho_loss("0.25"), "ada"));
  EXPECT_EQ(error.code(), Code::BudgetExhausted);
  EXPECT_EQ(error.message(),
            "the release needs rho 0.25, but 0.125 of 0.25 remains in the share of \"ada\" in the budget of \"patients\"; see what fits: "
            "`budget show`");
  EXPECT_TRUE(ledger.charge(request(rho_loss("0.875"), "ben")).ok());
  EXPECT_THAT(refusal(ledger, request(rho_loss("0.125"), "ada")).message(), HasSubstr("remains in the budget of \"patients\""));
}

TEST(Ledger, ShareOfNothingBarsItsAnalyst) {
  Custody ledger = ledger_with(rho_budget("1"), {{.analyst = "ada", .limit = {}}});
  EXPECT_EQ(refusal(ledger, request(rho_loss("1e-300"), "ada")).code(), Code::BudgetExhausted);
}

TEST(Ledger, TotalIsOneAcrossAllAnalysts) {
  Custody ledger = ledger_with(rho_budget("1"));
  EXPECT_TRUE(ledger.charge(request(rho_loss("0.5"), "ada")).ok());
  EXPECT_TRUE(ledger.charge(request(rho_loss("0.5"), "ben")).ok());
  EXPECT_EQ(refusal(ledger, request(rho_loss("0.5"), "cleo")).code(), Code::BudgetExhausted);
}

TEST(Ledger, MuAddsUpAsSquares) {
  Custody ledger = ledger_with(mu_budget("0.5"));
  ASSERT_TRUE(ledger.charge(request(mu_loss("0.3"))).ok());
  EXPECT_EQ(refusal(ledger, request(mu_loss("0.5"))).message(),
            "the release needs mu 0.5, but mu 0.4 of mu 0.5 remains in the budget of \"patients\"; see what fits: `budget show`");
  EXPECT_TRUE(ledger.charge(request(mu_loss("0.4"))).ok());
  EXPECT_EQ(privacy::spent_amount(ledger.show("patients")->filter), ledger.show("patients")->terms.budget.total);
}

TEST(Ledger, GaussianLossIsHalfItsSquaredMuInRho) {
  Custody ledger = ledger_with(rho_budget("0.125"));
  EXPECT_TRUE(ledger.charge(request(mu_loss("0.5"))).ok());
  EXPECT_EQ(privacy::spent_amount(ledger.show("patients")->filter).first, decimal("0.125"));
}

TEST(Ledger, PureLossFitsAnEpsilonDeltaBudgetAndLeavesDelta) {
  Custody ledger = ledger_with(epsilon_delta_budget("1", "1e-6"));
  ASSERT_TRUE(ledger.charge(request(epsilon_loss("0.25"))).ok());
  ASSERT_TRUE(ledger.charge(request(epsilon_delta_loss("0.25", "1e-6"))).ok());
  const BudgetState state = *ledger.show("patients");
  EXPECT_EQ(privacy::spent_amount(state.filter).first, decimal("0.5"));
  EXPECT_EQ(privacy::spent_amount(state.filter).second, decimal("1e-6"));
  EXPECT_EQ(refusal(ledger, request(epsilon_delta_loss("0.25", "1e-7"))).code(), Code::BudgetExhausted);
  EXPECT_TRUE(ledger.charge(request(epsilon_loss("0.5"))).ok());
}

TEST(Ledger, MixingWithoutAProofIsUnsupported) {
  Custody pure = ledger_with(epsilon_budget("1"));
  EXPECT_EQ(refusal(pure, request(rho_loss("0.1"))).code(), Code::Unsupported);
  EXPECT_EQ(refusal(pure, request(epsilon_delta_loss("0.1", "1e-6"))).code(), Code::Unsupported);
  for (const Declaration& kept : {rho_budget("1"), mu_budget("1")}) {
    Custody ledger = ledger_with(kept);
    const Error error = refusal(ledger, request(epsilon_delta_loss("0.1", "1e-6")));
    EXPECT_EQ(error.code(), Code::Unsupported);
    EXPECT_EQ(error.spent(), "nothing was spent");
    EXPECT_THAT(error.message(), HasSubstr("use mechanism = gaussian with rho or mu, or a budget in epsilon"));
  }
}

TEST(Ledger, ChargeIsNeverFreeAndNeverPaidBack) {
  Custody ledger = ledger_with(epsilon_delta_budget("1", "1e-6"));
  EXPECT_EQ(refusal(ledger, request(privacy::PureLoss{decimal("-0.5")})).code(), Code::InvalidArgument);
  EXPECT_EQ(refusal(ledger, request(privacy::PureLoss{decimal("0")})).message(), "the charge is 0, but must be greater than 0");
  EXPECT_EQ(refusal(ledger, request(privacy::ApproximateLoss{decimal("0.5"), decimal("-1e-9")})).message(),
            "the delta of the charge is -0.000000001, but must not be negative");
  EXPECT_EQ(ledger.show("patients")->entries, 0);
}

TEST(Ledger, AmountTooLongToBeReadBackIsRefused) {
  Custody ledger = ledger_with(mu_budget("1"));
  const std::string digits = "0." + std::string(900, '3');
  EXPECT_THAT(refusal(ledger, request(mu_loss(digits))).message(), HasSubstr("must be written in at most 1000 characters"));
  EXPECT_TRUE(ledger.charge(request(mu_loss("0." + std::string(490, '3')))).ok());
  EXPECT_TRUE(ledger.charge(request(mu_loss("1e-300"))).ok());
  EXPECT_TRUE(ledger.history("patients").ok());
}

TEST(Ledger, GrantCarriesItsLossAndItsReceipt) {
  Custody ledger = ledger_with(rho_budget("1"), {}, [] { return std::int64_t{1767225600}; });
  ASSERT_TRUE(ledger.charge(request(rho_loss("0.25"))).ok());
  const Grant grant = *ledger.charge(request(rho_loss("0.125")));
  EXPECT_EQ(std::get<privacy::GaussianLoss>(grant.loss()).mu_squared, decimal("0.25"));
  EXPECT_FALSE(grant.spent());
  const Receipt& receipt = grant.receipt();
  EXPECT_THAT(receipt.ledger, MatchesRegex("[0-9a-f]{32}"));
  EXPECT_EQ(receipt.dataset, "patients");
  EXPECT_EQ(receipt.entry, 2);
  EXPECT_EQ(receipt.time, "2026-01-01T00:00:00Z");
  EXPECT_EQ(receipt.charged, "rho 0.125");
  // printf 'counts by sex' | b2sum -l 256
  EXPECT_EQ(receipt.statement_hash, "b503087f268fda8527b1bbfcbc3876cf6b98e92aa4dee1a2419c39a689c41894");
  const std::vector<Entry> history = *ledger.history("patients");
  ASSERT_EQ(history.size(), 2U);
  EXPECT_EQ(history[1].entry_hash, receipt.entry_hash);
  EXPECT_EQ(history[1].statement, "counts by sex");
  EXPECT_EQ(history[1].charged.first, decimal("0.125"));
  EXPECT_EQ(history[1].spent_after.first, decimal("0.375"));
  EXPECT_NE(history[0].entry_hash, history[1].entry_hash);
}

TEST(Ledger, ShowListsAnalystsWithAShareOrAnEntryByName) {
  Custody ledger = ledger_with(open_to_others(rho_budget("1")),
                               {{.analyst = "cleo", .limit = {decimal("0.5"), {}}}, {.analyst = "ada", .limit = {decimal("0.25"), {}}}});
  ASSERT_TRUE(ledger.charge(request(rho_loss("0.125"), "ben")).ok());
  ASSERT_TRUE(ledger.charge(request(rho_loss("0.25"), "ada")).ok());
  const BudgetState state = *ledger.show("patients");
  EXPECT_EQ(state.terms.budget.currency, privacy::Currency::Zcdp);
  EXPECT_EQ(state.entries, 2);
  ASSERT_EQ(state.analysts.size(), 3U);
  EXPECT_EQ(state.analysts[0].analyst, "ada");
  EXPECT_EQ(state.analysts[0].limit->first, decimal("0.25"));
  EXPECT_EQ(privacy::spent_amount(state.analysts[0].filter).first, decimal("0.25"));
  EXPECT_EQ(state.analysts[1].analyst, "ben");
  EXPECT_FALSE(state.analysts[1].limit.has_value());
  EXPECT_EQ(state.analysts[2].analyst, "cleo");
  EXPECT_TRUE(privacy::spent_amount(state.analysts[2].filter).first.is_zero());
}

TEST(Ledger, TwoDatasetsInOneFileDoNotShareABudget) {
  const testing::ScratchFolder folder;
  {
    Custody ledger = *Custody::open(folder.path("l"), {.create = true});
    ASSERT_TRUE(ledger.create_budget("patients", rho_budget("1"), {}).ok());
    ASSERT_TRUE(ledger.create_budget("Patients", epsilon_budget("2"), {}).ok());
    ASSERT_TRUE(ledger.charge(request(rho_loss("1"))).ok());
  }
  Custody ledger = *Custody::open(folder.path("l"));
  EXPECT_THAT(*ledger.datasets(), ElementsAre("patients", "Patients"));
  EXPECT_TRUE(ledger.charge(request(epsilon_loss("2"), "ada", "Patients")).ok());
  EXPECT_EQ(refusal(ledger, request(rho_loss("0.1"))).code(), Code::BudgetExhausted);
  EXPECT_EQ(ledger.history("Patients")->size(), 1U);
}

TEST(Ledger, BudgetIsSetOnce) {
  Custody ledger = ledger_with(rho_budget("1"));
  const Status again = ledger.create_budget("patients", rho_budget("2"), {});
  ASSERT_FALSE(again.ok());
  EXPECT_EQ(again.error().code(), Code::AlreadyExists);
  EXPECT_EQ(again.error().message(),
            "the dataset \"patients\" has a budget already, and a budget is set once; see what remains of it: `budget show`");
  EXPECT_EQ(ledger.show("patients")->terms.budget.total.first, decimal("1"));
}

TEST(Ledger, ShareAboveTheTotalIsRefused) {
  Custody ledger = *Custody::open(":memory:");
  const Status made = ledger.create_budget("patients", rho_budget("1"), {{.analyst = "ada", .limit = {decimal("1.5"), {}}}});
  ASSERT_FALSE(made.ok());
  EXPECT_EQ(made.error().message(), "the share of \"ada\" is rho 1.5, but must be at most the whole budget, rho 1");
  const Share twice{.analyst = "ada", .limit = {decimal("0.5"), {}}};
  EXPECT_EQ(ledger.create_budget("patients", rho_budget("1"), {twice, twice}).error().code(), Code::InvalidArgument);
  EXPECT_EQ(
      ledger.create_budget("patients", rho_budget("1"), {{.analyst = "ada", .limit = {decimal("0.5"), decimal("0.1")}}}).error().code(),
      Code::InvalidArgument);
  EXPECT_THAT(*ledger.datasets(), IsEmpty());
}

TEST(Ledger, BudgetOutOfItsDomainIsRefused) {
  Custody ledger = *Custody::open(":memory:");
  EXPECT_EQ(ledger.create_budget("d", terms({privacy::Currency::Zcdp, {}}), {}).error().message(),
            "the budget is 0, but must be greater than 0");
  EXPECT_FALSE(ledger.create_budget("d", terms({privacy::Currency::Zcdp, {decimal("1"), decimal("0.5")}}), {}).ok());
  EXPECT_FALSE(ledger.create_budget("d", terms({privacy::Currency::ApproximateDp, {decimal("1"), decimal("1")}}), {}).ok());
}

TEST(Ledger, UnknownDatasetIsNotFoundAndNoOtherIsNamed) {
  Custody ledger = ledger_with(rho_budget("1"));
  const Error error = refusal(ledger, request(rho_loss("0.1"), "ada", "visitors"));
  EXPECT_EQ(error.code(), Code::NotFound);
  EXPECT_EQ(error.message(),
            "the ledger has no budget for the dataset \"visitors\"; check the name, capitals included, or set its budget: `budget create`");
  EXPECT_EQ(ledger.show("visitors").error().code(), Code::NotFound);
  EXPECT_EQ(ledger.history("visitors").error().code(), Code::NotFound);
}

TEST(Ledger, NamesAreShortUtf8WithoutControlCharacters) {
  Custody ledger = ledger_with(rho_budget("1"));
  const std::vector<std::string> bad = {"",
                                        std::string(201, 'a'),
                                        "a\nb",
                                        std::string("a\0b", 3),
                                        "\x7f",
                                        "\xc2\x85",
                                        "\xff",
                                        "\xc0\x80",
                                        "\xed\xa0\x80",
                                        "\xf4\x90\x80\x80",
                                        "\xe2\x82",
                                        "caf\xe9",
                                        "\xf0\x80\x80\x80"};
  for (const std::string& name : bad) {
    EXPECT_EQ(refusal(ledger, request(rho_loss("0.1"), name)).code(), Code::InvalidArgument);
    EXPECT_EQ(refusal(ledger, request(rho_loss("0.1"), "ada", name)).code(), Code::InvalidArgument);
    EXPECT_EQ(ledger.create_budget(name, rho_budget("1"), {}).error().code(), Code::InvalidArgument);
  }
  EXPECT_EQ(refusal(ledger, request(rho_loss("0.1"), "a\nb")).message(), "analyst is \"a\\nb\", but must not contain control characters");
  EXPECT_EQ(refusal(ledger, request(rho_loss("0.1"), "")).message(), "analyst is \"\", but must have 1 to 200 bytes (it has 0)");
  for (const std::string& name : {std::string(200, 'a'), std::string("Zoë O'Brien; DROP TABLE entry"), std::string("\xf0\x9f\x90\xa6")}) {
    EXPECT_TRUE(ledger.create_budget(name, rho_budget("1"), {}).ok());
    EXPECT_TRUE(ledger.charge(request(rho_loss("0.1"), name, name)).ok());
  }
}

TEST(Ledger, StatementIsTextAndNotEmpty) {
  Custody ledger = ledger_with(rho_budget("1"));
  ChargeRequest asked = request(rho_loss("0.1"));
  for (const std::string& statement : {std::string(), std::string("a\0b", 3), std::string("\xff"), std::string((1 << 20) + 1, 'a')}) {
    asked.statement = statement;
    EXPECT_EQ(refusal(ledger, asked).code(), Code::InvalidArgument);
  }
  asked.statement = "counts\nby sex\tand age";
  EXPECT_TRUE(ledger.charge(asked).ok());
}

TEST(Ledger, MissingFileIsNotFoundUnlessItIsToBeMade) {
  const testing::ScratchFolder folder;
  const auto missing = Custody::open(folder.path("people.ledger"));
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().code(), Code::NotFound);
  EXPECT_THAT(missing.error().message(), HasSubstr("check the path, or make one: `budget create`"));
  EXPECT_TRUE(Custody::open(folder.path("people.ledger"), {.create = true}).ok());
  EXPECT_TRUE(Custody::open(folder.path("people.ledger"), {.create = true}).ok());
  EXPECT_EQ(Custody::open(folder.path("no/such/folder"), {.create = true}).error().code(), Code::LedgerUnavailable);
  EXPECT_EQ(Custody::open(folder.folder().string(), {.create = true}).error().code(), Code::InvalidArgument);
  EXPECT_EQ(Custody::open("", {.create = true}).error().code(), Code::InvalidArgument);
}

TEST(Ledger, NewFileIsReadableByItsOwnerAloneAndLeavesNothingBesideIt) {
  const testing::ScratchFolder folder;
  {
    Custody ledger = *Custody::open(folder.path("l"), {.create = true});
    ASSERT_TRUE(ledger.create_budget("patients", rho_budget("1"), {}).ok());
    for (const auto& file : std::filesystem::directory_iterator(folder.folder())) {
      struct stat status{};
      ASSERT_EQ(::stat(file.path().c_str(), &status), 0);
      EXPECT_EQ(status.st_mode & 0777U, 0600U) << file.path().filename();
    }
  }
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.folder()), {}), 1);
}

TEST(Ledger, TwoOpenLedgersOfOneFileSeeEachOthersCharges) {
  const testing::ScratchFolder folder;
  Custody first = *Custody::open(folder.path("l"), {.create = true});
  ASSERT_TRUE(first.create_budget("patients", rho_budget("1"), {}).ok());
  Custody second = *Custody::open(folder.path("l"));
  ASSERT_TRUE(first.charge(request(rho_loss("0.5"), "ada")).ok());
  ASSERT_TRUE(second.charge(request(rho_loss("0.5"), "ben")).ok());
  EXPECT_EQ(refusal(first, request(rho_loss("0.5"))).code(), Code::BudgetExhausted);
  EXPECT_EQ(first.history("patients")->size(), 2U);
}

TEST(Ledger, MainFileAloneIsWholeAfterEveryCharge) {
  const testing::ScratchFolder folder;
  Custody ledger = *Custody::open(folder.path("l"), {.create = true});
  ASSERT_TRUE(ledger.create_budget("patients", rho_budget("1"), {}).ok());
  for (std::size_t charges = 1; charges <= 5; ++charges) {
    ASSERT_TRUE(ledger.charge(request(rho_loss("0.125"))).ok());
    const std::string copy = folder.path("copy" + std::to_string(charges));
    std::ofstream(copy, std::ios::binary) << std::ifstream(folder.path("l"), std::ios::binary).rdbuf();
    EXPECT_EQ(Custody::open(copy)->history("patients")->size(), charges);
  }
}

TEST(Ledger, LedgersInMemoryAreApart) {
  Custody first = ledger_with(rho_budget("1"));
  Custody second = *Custody::open(":memory:");
  EXPECT_THAT(*second.datasets(), IsEmpty());
  EXPECT_THAT(*first.datasets(), ElementsAre("patients"));
}

TEST(Ledger, ThousandChargesAddUpExactlyAndTheirChainHolds) {
  Custody ledger = ledger_with(epsilon_budget("1"));
  for (int i = 0; i < 1000; ++i) ASSERT_TRUE(ledger.charge(request(epsilon_loss("0.001"), "analyst " + std::to_string(i % 7))).ok());
  EXPECT_EQ(refusal(ledger, request(epsilon_loss("0.001"))).code(), Code::BudgetExhausted);
  const std::vector<Entry> history = *ledger.history("patients");
  ASSERT_EQ(history.size(), 1000U);
  EXPECT_EQ(history.back().spent_after.first, decimal("1"));
}

}  // namespace
}  // namespace tacet::kernel::ledger_test
