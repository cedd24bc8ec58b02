// Budgets by every filter rule: the ledger decides as the filter does, for the total and for every
// share, and remembers its terms.
#include <atomic>
#include <cmath>
#include <map>
#include <ostream>
#include <random>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/accounting/room_left.h"
#include "tacet/kernel/custody/custody.h"
#include "tacet/kernel/custody/words.h"
#include "tacet/privacy/filter_words.h"
#include "tacet/privacy/noise_proofs.h"
#include "tacet/privacy/parameters.h"

#include "kernel/ledger_requests.h"
#include "kernel/scratch_folder.h"
#include "support/spend.h"

namespace tacet::kernel::ledger_filter_test {
namespace {

using privacy::Amount;
using privacy::Filter;
using privacy::FilterRule;
using privacy::Step;
using privacy::Verdict;
using testing::decimal;
using testing::epsilon_budget;
using testing::epsilon_delta_budget;
using testing::epsilon_delta_loss;
using testing::epsilon_loss;
using ::testing::HasSubstr;
using testing::mu_budget;
using testing::mu_loss;
using testing::request;
using testing::rho_budget;
using testing::rho_loss;
using testing::rogers_budget;
using testing::whitehouse_budget;

privacy::Loss laplace_loss(const char* epsilon, const char* rho, const char* mu_squared) {
  return privacy::LaplaceLoss{decimal(epsilon), decimal(rho), decimal(mu_squared)};
}

Custody ledger_with(const Declaration& terms, const std::vector<Share>& shares = {}) {
  Custody ledger = *Custody::open(":memory:");
  const Status made = ledger.create_budget("patients", terms, shares);
  EXPECT_TRUE(made.ok()) << (made.ok() ? "" : made.error().message());
  return ledger;
}

/// Everybody without a share may spend what remains of the whole.
Declaration open_to_others(Declaration terms) {
  terms.others = terms.budget.total;
  return terms;
}

Error refusal(Custody& ledger, const ChargeRequest& asked) {
  auto grant = ledger.charge(asked);
  if (grant.ok()) ADD_FAILURE() << "was granted";
  if (grant.ok()) return Error::of(Code::Internal, "granted");
  const auto state = ledger.show(asked.dataset);
  return state.ok() ? with_amounts(grant.error(), *state, asked.analyst, asked.loss) : std::move(grant).error();
}

Error refusal_of(const Declaration& terms, const std::vector<Share>& shares = {}) {
  Custody ledger = *Custody::open(":memory:");
  Status made = ledger.create_budget("patients", terms, shares);
  if (made.ok()) ADD_FAILURE() << "was made";
  return made.ok() ? Error::of(Code::Internal, "made") : std::move(made).error();
}

Filter filter_of(const Declaration& terms, const Amount& total) {
  return *Filter::of({terms.budget.currency, total}, terms.rule, terms.slack);
}

// --- Every rule: the ledger is a durable filter. ---

struct Ruled {
  const char* name;
  Declaration terms;
  Amount share;                       // ada's
  std::vector<privacy::Loss> losses;  // that the rule can count
};
void PrintTo(const Ruled& ruled, std::ostream* out) { *out << ruled.name; }

class LedgerFilter : public ::testing::TestWithParam<Ruled> {};

TEST_P(LedgerFilter, DecidesAsAFilterThatWasFedTheSameSteps) {
  const Ruled& ruled = GetParam();
  Custody ledger = ledger_with(open_to_others(ruled.terms), {{.analyst = "ada", .limit = ruled.share}});
  Filter all = filter_of(ruled.terms, ruled.terms.budget.total);
  std::map<std::string, Filter> own;
  own.emplace("ada", filter_of(ruled.terms, ruled.share));
  own.emplace("ben", all);
  std::mt19937_64 random(20260105);
  int granted = 0;
  int refused = 0;
  for (int i = 0; i < 400; ++i) {
    const std::string analyst = random() % 2 == 0 ? "ada" : "ben";
    const privacy::Loss& loss = ruled.losses[random() % ruled.losses.size()];
    const Step step = *privacy::step_in(ruled.terms.budget.currency, loss);
    const bool fits = *all.ask(step) == Verdict::Go && *own.at(analyst).ask(step) == Verdict::Go;
    EXPECT_EQ(ledger.check(request(loss, analyst)).ok(), fits) << i;
    const auto grant = ledger.charge(request(loss, analyst));
    ASSERT_EQ(grant.ok(), fits) << i << (grant.ok() ? "" : grant.error().message());
    (fits ? granted : refused) += 1;
    if (fits) {
      ASSERT_EQ(*test::spend(all, step), Verdict::Go);
      ASSERT_EQ(*test::spend(own.at(analyst), step), Verdict::Go);
    } else {
      EXPECT_EQ(grant.error().code(), Code::BudgetExhausted);
      EXPECT_EQ(grant.error().spent(), "nothing was spent");
    }
  }
  EXPECT_GT(granted, 20);
  EXPECT_GT(refused, 20);
  const BudgetState state = *ledger.show("patients");
  EXPECT_EQ(state.filter.totals(), all.totals());
  EXPECT_EQ(state.filter.spent(), all.spent());
  ASSERT_EQ(state.analysts.size(), 2U);
  for (const auto& analyst : state.analysts) EXPECT_EQ(analyst.filter.totals(), own.at(analyst.analyst).totals());
  const auto history = ledger.history("patients");
  ASSERT_TRUE(history.ok()) << history.error().message();
  ASSERT_EQ(history->size(), static_cast<std::size_t>(granted));
  EXPECT_EQ(history->back().spent_after, privacy::spent_amount(all));
}

TEST_P(LedgerFilter, LargestReleaseThatFitsIsGrantedAndALittleMoreIsNot) {
  const Ruled& ruled = GetParam();
  for (const privacy::Loss& kind : ruled.losses) {
    Custody ledger = ledger_with(ruled.terms);
    ASSERT_TRUE(ledger.charge(request(ruled.losses[0])).ok());
    const auto largest = accounting::largest_like(ledger.show("patients")->filter, kind);
    ASSERT_TRUE(largest.has_value());
    EXPECT_TRUE(ledger.check(request(*largest)).ok());
    const Error error = [&] {
      privacy::Loss above = *largest;
      const Decimal more = decimal("1.01");
      if (auto* pure = std::get_if<privacy::PureLoss>(&above)) pure->epsilon = pure->epsilon * more;
      if (auto* approximate = std::get_if<privacy::ApproximateLoss>(&above)) approximate->epsilon = approximate->epsilon * more;
      if (auto* gaussian = std::get_if<privacy::GaussianLoss>(&above)) gaussian->mu_squared = gaussian->mu_squared * more;
      return refusal(ledger, request(above));
    }();
    EXPECT_EQ(error.code(), Code::BudgetExhausted);
    EXPECT_THAT(error.message(), HasSubstr("the release needs "));
    EXPECT_EQ(error.remedy(), "see what fits: `budget show`");
    EXPECT_TRUE(ledger.charge(request(*largest)).ok());
  }
}

TEST_P(LedgerFilter, TermsAreReadBackFromTheFile) {
  const Ruled& ruled = GetParam();
  const testing::ScratchFolder folder;
  Declaration terms = ruled.terms;
  terms.relation = Relation::AddOrRemoveOne;
  {
    Custody ledger = *Custody::open(folder.path("l"), {.create = true});
    ASSERT_TRUE(ledger.create_budget("patients", terms, {{.analyst = "ada", .limit = ruled.share}}).ok());
    ChargeRequest asked = request(ruled.losses[0]);
    asked.relation = Relation::AddOrRemoveOne;
    ASSERT_TRUE(ledger.charge(asked).ok());
  }
  const Custody ledger = *Custody::open(folder.path("l"));
  const BudgetState state = *ledger.show("patients");
  EXPECT_EQ(state.terms.rule, terms.rule);
  EXPECT_EQ(state.terms.slack, terms.slack);
  EXPECT_EQ(state.terms.relation, Relation(Relation::AddOrRemoveOne));
  EXPECT_EQ(state.terms.budget.currency, terms.budget.currency);
  EXPECT_EQ(state.terms.budget.total, terms.budget.total);
  EXPECT_EQ(state.entries, 1);
  EXPECT_EQ(state.last->analyst, "ada");
  EXPECT_EQ(state.last->loss.index(), ruled.losses[0].index());
  EXPECT_TRUE(ledger.history("patients").ok());
}

INSTANTIATE_TEST_SUITE_P(
    Rules, LedgerFilter,
    ::testing::Values(Ruled{"BasicEpsilon",
                            epsilon_budget("3"),
                            {decimal("1"), {}},
                            {epsilon_loss("0.03"), laplace_loss("0.007", "1e-5", "2e-5"), epsilon_loss("0.1")}},
                      Ruled{"Basic",
                            epsilon_delta_budget("3", "1e-6"),
                            {decimal("1"), decimal("2e-7")},
                            {epsilon_loss("0.03"), epsilon_delta_loss("0.02", "1e-8"), epsilon_delta_loss("0.1", "3e-9")}},
                      Ruled{"Rogers",
                            rogers_budget("3", "1e-6"),
                            {decimal("1.5"), decimal("5e-7")},
                            {epsilon_loss("0.03"), epsilon_delta_loss("0.02", "1e-9"), laplace_loss("0.07", "0.001", "0.002")}},
                      Ruled{"Whitehouse",
                            whitehouse_budget("3", "1e-6", "4e-7"),
                            {decimal("1.5"), decimal("5e-7")},
                            {epsilon_loss("0.03"), epsilon_delta_loss("0.02", "1e-9"), laplace_loss("0.07", "0.001", "0.002")}},
                      Ruled{"Zcdp",
                            rho_budget("1"),
                            {decimal("0.3"), {}},
                            {rho_loss("0.01"), mu_loss("0.1"), epsilon_loss("0.1"), laplace_loss("0.15", "0.0055", "0.0137")}},
                      Ruled{"Gdp",
                            mu_budget("1"),
                            {decimal("0.3"), {}},
                            {mu_loss("0.1"), rho_loss("0.002"), epsilon_loss("0.1"), laplace_loss("0.1", "0.0025", "0.00604")}}),
    [](const auto& chosen) { return std::string(chosen.param.name); });

// --- One rule at a time. ---

TEST(LedgerRules, TenThousandChargesByWhitehouseAreExactlyTheFiltersCount) {
  const Declaration terms = whitehouse_budget("1", "1e-6", "5e-7");
  Custody ledger = ledger_with(terms);
  const privacy::Loss loss = epsilon_loss("0.0018");
  const std::uint64_t expected = *accounting::times_left(filter_of(terms, terms.budget.total), Step::of(loss));
  ASSERT_GT(expected, 10'000U);
  ASSERT_LT(expected, 11'000U);
  std::uint64_t granted = 0;
  while (granted <= expected && ledger.charge(request(loss)).ok()) ++granted;
  EXPECT_EQ(granted, expected);
  EXPECT_EQ(ledger.history("patients")->size(), expected);
}

TEST(LedgerRules, ThreadsTogetherAreGrantedExactlyTheFiltersCount) {
  const testing::ScratchFolder folder;
  const Declaration terms = whitehouse_budget("1", "1e-6", "5e-7");
  ASSERT_TRUE(Custody::open(folder.path("l"), {.create = true})->create_budget("patients", terms, {}).ok());
  const privacy::Loss loss = epsilon_loss("0.02");
  std::atomic<std::uint64_t> granted = 0;
  const auto charge_all = [&](const std::string& analyst) {
    Custody ledger = *Custody::open(folder.path("l"));
    while (ledger.charge(request(loss, analyst)).ok()) ++granted;
  };
  std::thread other(charge_all, "ben");
  charge_all("ada");
  other.join();
  EXPECT_EQ(granted, *accounting::times_left(filter_of(terms, terms.budget.total), Step::of(loss)));
  EXPECT_EQ(Custody::open(folder.path("l"))->history("patients")->size(), granted);
}

TEST(LedgerRules, WhitehouseGrantsMoreSmallReleasesThanBasic) {
  const Filter whitehouse = ledger_with(whitehouse_budget("1", "1e-6", "5e-7")).show("patients")->filter;
  const Filter basic = ledger_with(epsilon_delta_budget("1", "1e-6")).show("patients")->filter;
  const Step step = Step::of(epsilon_loss("0.001"));
  EXPECT_GT(*accounting::times_left(whitehouse, step), 30 * *accounting::times_left(basic, step));
}

TEST(LedgerRules, PureLossCostsHalfItsSquareInRho) {
  Custody ledger = ledger_with(rho_budget("0.3"));
  const auto grant = ledger.charge(request(epsilon_loss("0.5")));
  ASSERT_TRUE(grant.ok());
  EXPECT_EQ(grant->receipt().charged, "rho 0.125");
  EXPECT_EQ(*charge_words(privacy::Currency::Zcdp, grant->loss()), "epsilon 0.5 (rho 0.125)");
  EXPECT_EQ(std::get<privacy::PureLoss>(grant->loss()).epsilon, decimal("0.5"));  // what is released is what was asked for
  const Entry entry = ledger.history("patients")->at(0);
  EXPECT_EQ(entry.charged.first, decimal("0.125"));
  EXPECT_EQ(std::get<privacy::PureLoss>(*entry.loss).epsilon, decimal("0.5"));
  EXPECT_EQ(refusal(ledger, request(epsilon_loss("0.6"))).message(),
            "the release needs epsilon 0.6 (rho 0.18), but 0.175 of 0.3 remains in the budget of \"patients\"; see what "
            "fits: `budget show`");
}

TEST(LedgerRules, PureLossInMuCostsTheMuThatItImplies) {
  Custody ledger = ledger_with(mu_budget("1"));
  ASSERT_TRUE(ledger.charge(request(epsilon_loss("0.5"))).ok());
  const Decimal mu = *privacy::mu_of_pure_up(decimal("0.5"));
  EXPECT_EQ(privacy::spent_amount(ledger.show("patients")->filter).first, mu * mu);
  EXPECT_TRUE(ledger.history("patients").ok());
  EXPECT_EQ(refusal(ledger, request(epsilon_loss("101"))).code(), Code::InvalidArgument);
}

TEST(LedgerRules, LaplaceNoiseCostsItsOwnPriceInRhoAndInMu) {
  const privacy::Loss table = laplace_loss("1", "0.21306131942527", "0.5006291760");
  Custody rho = ledger_with(rho_budget("0.3"));
  EXPECT_EQ(rho.charge(request(table))->receipt().charged, "rho 0.21306131942527");
  EXPECT_EQ(*charge_words(privacy::Currency::Zcdp, table), "epsilon 1 (rho 0.21306131942527)");
  EXPECT_EQ(rho.history("patients")->at(0).charged.first, decimal("0.21306131942527"));
  const Error refused = refusal(rho, request(laplace_loss("0.7", "0.10937617943743", "0.3")));
  EXPECT_EQ(refused.message(),
            "the release needs epsilon 0.7 (rho 0.10937617943743), but 0.08693868057473 of 0.3 remains in the budget of \"patients\"; "
            "see what fits: `budget show`");
  Custody mu = ledger_with(mu_budget("1"));
  EXPECT_EQ(mu.charge(request(table))->receipt().charged, "mu^2 0.500629176");
  EXPECT_EQ(*charge_words(privacy::Currency::Gdp, table), "epsilon 1 (mu^2 0.500629176)");
  // Without a mu of its own it costs what its epsilon implies.
  const privacy::Loss unknown = privacy::LaplaceLoss{decimal("0.1"), decimal("0.0025"), {}};
  const Decimal implied = *privacy::mu_of_pure_up(decimal("0.1"));
  ASSERT_TRUE(mu.charge(request(unknown)).ok());
  EXPECT_EQ(mu.history("patients")->at(1).charged.first, implied * implied);
  Custody epsilon = ledger_with(epsilon_budget("1"));
  EXPECT_EQ(epsilon.charge(request(table))->receipt().charged, "epsilon 1");
}

TEST(LedgerRules, EntriesThatWereChargedAPureLossKeepTheirMeaning) {
  Custody rho = ledger_with(rho_budget("1"));
  ChargeRequest in_words = request(epsilon_loss("1"));
  in_words.words = *charge_words(privacy::Currency::Zcdp, in_words.loss);
  EXPECT_EQ(rho.charge(in_words)->receipt().charged, "epsilon 1 (rho 0.5)");
  EXPECT_EQ(privacy::spent_amount(rho.show("patients")->filter).first, decimal("0.5"));
}

TEST(LedgerRules, LaplaceLossesOfNoSizeAreRefused) {
  Custody ledger = ledger_with(rho_budget("1"));
  for (const privacy::Loss& wrong : {laplace_loss("1", "0", "0.5"), laplace_loss("0", "0.1", "0.5"), laplace_loss("1", "0.1", "0"),
                                     laplace_loss("1", "-0.1", "0.5"), laplace_loss("1", "1e-900", "0.5"), laplace_loss("1", "0.1", "-1")})
    EXPECT_EQ(refusal(ledger, request(wrong)).code(), Code::InvalidArgument);
}

TEST(LedgerRules, RefusalByWhitehouseSaysWhatIsSpent) {
  Custody ledger =
      ledger_with(open_to_others(whitehouse_budget("1", "1e-6", "5e-7")), {{.analyst = "ben", .limit = {decimal("0.5"), decimal("6e-7")}}});
  const double log_slack = std::log(1 / 5e-7);
  ASSERT_TRUE(ledger.charge(request(epsilon_loss("0.05"))).ok());
  const Filter filter = ledger.show("patients")->filter;
  EXPECT_NEAR(filter.spent(), std::sqrt(2 * log_slack) * 0.05 + 0.00125, 1e-12);
  const std::string spent = privacy::spent_amount(filter).first.to_string();
  EXPECT_EQ(
      refusal(ledger, request(epsilon_loss("0.5"))).message(),
      fmt::format(
          "the release needs epsilon 0.5, delta 0, but the rule whitehouse has counted epsilon {} of 1 in the budget of \"patients\", and "
          "left delta 0.0000005 for releases; see what fits: `budget show`",
          spent));
  EXPECT_EQ(
      refusal(ledger, request(epsilon_delta_loss("0.01", "6e-7"))).message(),
      fmt::format("the release needs epsilon 0.01, delta 0.0000006, but the rule whitehouse has counted epsilon {} of 1 in the budget of "
                  "\"patients\", and left delta 0.0000005 for releases; see what fits: `budget show`",
                  spent));
  EXPECT_THAT(refusal(ledger, request(epsilon_loss("0.15"), "ben")).message(),
              HasSubstr("but the rule whitehouse has counted epsilon 0 of 0.5 in the share of \"ben\""));
}

TEST(LedgerRules, RefusalByRogersOfAnAbsurdLossIsAnswered) {
  Custody ledger = ledger_with(rogers_budget("1", "1e-6"));
  EXPECT_THAT(refusal(ledger, request(epsilon_loss("100000"))).message(),
              HasSubstr("but the rule rogers has counted epsilon 0 of 1 in the budget of \"patients\""));
}

TEST(LedgerRules, RuleMustServeTheCurrencyAndItsDomain) {
  Declaration terms = epsilon_budget("1");
  terms.rule = FilterRule::Rogers;
  EXPECT_EQ(
      refusal_of(terms).message(),
      "rule is rogers, but must be basic for a budget in epsilon; rogers and whitehouse need a budget with a delta: add delta = 1e-6");
  terms = rho_budget("1");
  terms.rule = FilterRule::Basic;
  EXPECT_EQ(refusal_of(terms).name(), "rule");
  EXPECT_EQ(refusal_of(rogers_budget("1", "0")).message(),
            "delta is 0, but must be greater than 0 for this rule; with delta 0 only the rule basic holds");
  EXPECT_EQ(refusal_of(whitehouse_budget("1", "0", "0")).name(), "delta");
  EXPECT_EQ(refusal_of(whitehouse_budget("1", "1e-6", "2e-6")).message(),
            "slack is 0.000002, but must be greater than 0 and at most delta, 0.000001");
  EXPECT_EQ(refusal_of(whitehouse_budget("1", "1e-6", "-1e-7")).name(), "slack");
  terms = epsilon_delta_budget("1", "1e-6");
  terms.slack = decimal("1e-7");
  EXPECT_EQ(refusal_of(terms).message(),
            "slack is 0.0000001, but goes with the rule whitehouse only; leave it out, or add rule = whitehouse");
}

TEST(LedgerRules, ShareMustBeAFilterOfTheSameRule) {
  EXPECT_EQ(
      refusal_of(whitehouse_budget("1", "1e-6", "5e-7"), {{.analyst = "ada", .limit = {decimal("0.5"), decimal("4e-7")}}}).message(),
      "the share of \"ada\" is epsilon 0.5, delta 0.0000004, but must have a delta of at least the slack of the budget, 0.0000005; give "
      "the share more delta, or the budget less slack");
  EXPECT_EQ(
      refusal_of(rogers_budget("1", "1e-6"), {{.analyst = "ada", .limit = {decimal("0.5"), {}}}}).message(),
      "the share of \"ada\" is epsilon 0.5, delta 0, but must be one that the rule rogers can keep (delta is 0, but must be greater than "
      "0 for this rule; with delta 0 only the rule basic holds)");
}

TEST(LedgerRules, ShareByWhitehouseLimitsItsAnalystAlone) {
  Custody ledger =
      ledger_with(open_to_others(whitehouse_budget("1", "1e-6", "5e-7")), {{.analyst = "ada", .limit = {decimal("0.3"), decimal("5e-7")}}});
  const privacy::Loss loss = epsilon_loss("0.01");
  int ada = 0;
  while (ledger.charge(request(loss, "ada")).ok()) ++ada;
  const Filter own = *whitehouse_filter(*privacy::Epsilon::parse("0.3"), *privacy::Delta::parse("5e-7"), *privacy::Delta::parse("5e-7"));
  EXPECT_EQ(static_cast<std::uint64_t>(ada), *accounting::times_left(own, Step::of(loss)));
  EXPECT_THAT(refusal(ledger, request(loss, "ada")).message(), HasSubstr("the share of \"ada\" in the budget of \"patients\""));
  EXPECT_THAT(refusal(ledger, request(epsilon_delta_loss("0.001", "1e-9"), "ada")).message(),
              HasSubstr("of 0.3 in the share of \"ada\" in the budget of \"patients\", and left delta 0 for releases"));
  EXPECT_TRUE(ledger.charge(request(epsilon_delta_loss("0.01", "1e-9"), "ben")).ok());
}

TEST(LedgerRules, LossUnderAnotherRelationIsRefused) {
  Custody ledger = ledger_with(rho_budget("1"));
  ChargeRequest asked = request(rho_loss("0.1"));
  asked.relation = Relation::AddOrRemoveOne;
  const Error error = refusal(ledger, asked);
  EXPECT_EQ(error.code(), Code::InvalidArgument);
  EXPECT_EQ(
      error.message(),
      "neighbours is add-or-remove-one, but must be replace-one, as in the budget of \"patients\"; set it back in the schema; losses under "
      "different relations do not add up");
  EXPECT_EQ(error.spent(), "nothing was spent");
  EXPECT_EQ(ledger.check(asked).error().message(), error.message());
  EXPECT_EQ(ledger.show("patients")->entries, 0);
}

}  // namespace
}  // namespace tacet::kernel::ledger_filter_test
