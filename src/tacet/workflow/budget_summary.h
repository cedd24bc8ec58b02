// tacet/workflow/budget_summary.h: the state of a budget, for its custodian and its analysts.
//
//   const BudgetSummary budget = *Dataset::open("patients.ledger")->budget();
//   words(budget.remaining);            // "rho 0.075"
//   budget.asker.largest_release;       // the largest release that the asking analyst can afford
//
// Everything here is public: a ledger holds no data.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tacet/base/enum_names.h"
#include "tacet/data/schema.h"
#include "tacet/kernel/custody/custody.h"
#include "tacet/kernel/relation.h"
#include "tacet/privacy/currency.h"
#include "tacet/privacy/filter.h"
#include "tacet/workflow/amount_words.h"

namespace tacet {

/// How a budget counts losses: by a filter, or without a limit, to be read at any moment.
enum class BudgetRule : std::uint8_t { Basic, Rogers, Whitehouse, Zcdp, Gdp, Odometer };
constexpr auto names_of(BudgetRule) {
  using enum BudgetRule;
  return std::to_array<Named<BudgetRule>>(
      {{Basic, "basic"}, {Rogers, "rogers"}, {Whitehouse, "whitehouse"}, {Zcdp, "zcdp"}, {Gdp, "gdp"}, {Odometer, "odometer"}});
}
/// The total of a budget without a limit: the filter zcdp with the largest rho that there is.
privacy::Budget odometer_budget();

/// A part of a budget, in its currency.
struct BudgetAmount {
  privacy::Currency currency;
  privacy::Amount amount;
};
/// "rho 0.125". A mu^2 without a short root has both: "mu 0.928429 (mu^2 0.86198)". Numbers have at
/// most six digits: what is spent is rounded up, what is available down.
std::string words(const BudgetAmount& amount, AmountIs what = AmountIs::Available);

/// The limit of an analyst's charges, besides the whole budget.
enum class SpendsFrom : std::uint8_t {
  Total,    // no other limit: there are no shares
  Share,    // a share of their own
  Others,   // the common limit of all analysts without a share
  Nothing,  // there are shares, and none for this analyst
};
constexpr auto names_of(SpendsFrom) {
  return std::to_array<Named<SpendsFrom>>(
      {{SpendsFrom::Total, "total"}, {SpendsFrom::Share, "share"}, {SpendsFrom::Others, "others"}, {SpendsFrom::Nothing, "nothing"}});
}

/// What one analyst has spent, and may still spend.
struct AnalystSummary {
  std::string analyst;
  BudgetAmount spent;
  std::optional<BudgetAmount> share;  // empty: none of their own
  BudgetAmount remaining;
};

/// The common limit of all analysts without a share.
struct OthersSummary {
  BudgetAmount most, spent, remaining;
};

/// The analyst who asks.
struct AskerSummary {
  std::string analyst;
  SpendsFrom from;
  std::optional<BudgetAmount> most;  // of their share, or of the amount for others
  BudgetAmount remaining;
  std::optional<std::string> largest_release;            // in words; nothing if none fits
  std::optional<std::uint64_t> releases_left_like_last;  // empty before the first release
};

/// The latest charge, and how many like it still fit.
struct LastCharge {
  std::string analyst;
  std::string charged;                                         // in words
  std::optional<std::uint64_t> left_in_share, left_in_others;  // how many more are possible
};

/// What was given away so far, as an epsilon and a delta. It holds when it is read, also if
/// each release was chosen after the results before it.
struct OdometerReading {
  double epsilon, delta;
};

/// The delta of a reading where the budget has none.
constexpr double kReadingDelta = 1e-6;

/// The budget of a dataset: what was spent and what remains, in all and by analyst.
struct BudgetSummary {
  std::string dataset;
  std::string ledger;  // its path
  privacy::FilterRule rule;
  std::optional<Decimal> slack;                      // of the rule whitehouse
  std::optional<kernel::Relation> relation;          // empty: ledgers of format 1 have none
  std::optional<data::Contributions> contributions;  // empty: every row is another person
  std::optional<std::string> source;                 // empty: the first release fixes it
  std::string custodian;
  std::uint64_t idealised_charges;  // for mechanisms that are proven in real arithmetic only
  bool sealed;                      // every entry was checked with the custodian's key
  int format;                       // of the ledger; those below 3 are read but not charged
  BudgetAmount total, spent, remaining;
  std::optional<std::string> largest_release;  // in words; nothing if none fits
  std::uint64_t entries, charges;
  std::vector<AnalystSummary> analysts;
  std::optional<OthersSummary> others;
  AskerSummary asker;
  std::optional<LastCharge> last;
  std::optional<std::uint64_t> releases_left_like_last;
  std::optional<OdometerReading> reading;  // empty beyond the odometer's domain

  bool unlimited() const { return rule == privacy::FilterRule::Zcdp && total.amount == odometer_budget().total; }
  BudgetRule counted_by() const;
};

constexpr int kLedgerFormat = 3;

/// AskerSummary is for the analyst `asker`. `format` is that of the file, if an older ledger was
/// copied into memory (readable_ledger.h).
BudgetSummary budget_summary(const kernel::BudgetState& state, const std::string& ledger, const std::string& asker,
                             int format = kLedgerFormat);

/// Sums of epsilon and delta hold at every moment by themselves (Rogers 5.3.7); rho, mu^2 and
/// squares of epsilon by accounting/zcdp_odometer.h. For the delta of the budget, or kReadingDelta.
std::optional<OdometerReading> odometer_reading(const kernel::BudgetState& state);

/// The rule by which losses are combined: "losses add up".
std::string_view composition_words(privacy::FilterRule rule);

/// The largest release like `like` that fits into the budget and into the limit of `analyst`, in
/// words; nothing if none fits.
std::optional<std::string> largest_release(const kernel::BudgetState& state, const std::string& analyst, const privacy::Loss& like);

}  // namespace tacet
