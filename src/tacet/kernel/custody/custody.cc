#include "tacet/kernel/custody/custody.h"

#include <unistd.h>

#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "tacet/exact/entropy.h"
#include "tacet/kernel/custody/history.h"
#include "tacet/kernel/custody/new_ledger.h"
#include "tacet/kernel/ledger/ledger_state.h"
#include "tacet/kernel/ledger/rules.h"
#include "tacet/privacy/filter_words.h"
#include "tacet/privacy/parameters.h"

namespace tacet::kernel {
namespace {

using privacy::Amount;
using privacy::Filter;

constexpr std::string_view kMemory = ":memory:";

/// The second part (delta) is 0 outside the epsilon-delta currency.
Status check_amount(std::string_view what, privacy::Currency currency, const privacy::Amount& amount) {
  TACET_CHECK(check_part(what, amount.first));
  TACET_CHECK(check_part(fmt::format("the delta of {}", what), amount.second));
  if (currency != privacy::Currency::ApproximateDp && !amount.second.is_zero()) {
    return Error::invalid(fmt::format("the delta of {}", what), amount.second.to_string(),
                          fmt::format("must be 0 for a budget in {}", name(currency)), "keep the budget in epsilon-delta");
  }
  return {};
}

Status check_total(privacy::Currency currency, const privacy::Amount& total) {
  TACET_CHECK(check_amount("the budget", currency, total));
  if (!total.first.is_positive()) return Error::invalid("the budget", total.first.to_string(), "must be greater than 0");
  if (total.second >= Decimal(1)) return Error::invalid("the delta of the budget", total.second.to_string(), "must be less than 1");
  return {};
}

/// Checks that a share is a part of the budget and that the rule can keep it.
Status check_limit(const Declaration& declared, const std::string& what, const Amount& limit) {
  TACET_CHECK(check_amount(what, declared.budget.currency, limit));
  const std::string written = privacy::describe(declared.budget.currency, limit);
  if (!privacy::fits(limit, declared.budget.total)) {
    return Error::invalid(
        what, written,
        fmt::format("must be at most the whole budget, {}", privacy::describe(declared.budget.currency, declared.budget.total)));
  }
  if (limit.second < declared.slack) {
    return Error::invalid(what, written,
                          fmt::format("must have a delta of at least the slack of the budget, {}", declared.slack.to_string()),
                          "give the share more delta, or the budget less slack");
  }
  if (const Status filter = privacy::check_filter({declared.budget.currency, limit}, declared.rule, declared.slack); !filter.ok()) {
    return Error::invalid(what, written,
                          fmt::format("must be one that the rule {} can keep ({})", name(declared.rule), filter.error().message()));
  }
  return {};
}

Status check_declaration(const Declaration& declared, const std::vector<Share>& shares) {
  const privacy::Budget& budget = declared.budget;
  TACET_CHECK(check_total(budget.currency, budget.total));
  TACET_CHECK(check_amount("slack", privacy::Currency::PureDp, {declared.slack, {}}));
  TACET_CHECK(privacy::check_filter(budget, declared.rule, declared.slack));
  std::set<std::string> analysts;
  for (const Share& share : shares) {
    TACET_CHECK(check_name("analyst", share.analyst));
    TACET_CHECK(check_limit(declared, fmt::format("the share of \"{}\"", share.analyst), share.limit));
    if (!analysts.insert(share.analyst).second)
      return Error::invalid("analyst", fmt::format("\"{}\" twice", share.analyst), "must have one share only");
  }
  if (declared.others) {
    if (shares.empty()) {
      return Error::invalid("others", privacy::describe(budget.currency, *declared.others), "must come with shares",
                            "leave it out: without shares everybody may spend from the whole budget");
    }
    TACET_CHECK(check_limit(declared, "what others may spend", *declared.others));
  }
  for (const auto& [what, text] : {std::pair{"schema", &declared.schema}, std::pair{"source", &declared.source},
                                   std::pair{"custodian", &declared.custodian}, std::pair{"again", &declared.again}}) {
    TACET_CHECK(check_text(what, *text));
  }
  for (const std::string& column : declared.relation.public_columns()) TACET_CHECK(check_text("public column", column));
  return {};
}

/// Checks charges that were made elsewhere; the book checks that they fit the budget.
Status check_adopted(const TermsRecord& terms) {
  TACET_CHECK(check_text("old ledger", terms.adopted));
  for (const AdoptedCharge& charge : terms.charges) {
    TACET_CHECK(check_name("analyst", charge.analyst));
    TACET_CHECK(check_statement(charge.statement));
    TACET_CHECK(check_text("time", charge.time));
    TACET_CHECK(check_loss(charge.loss));
    if (!is_hash(charge.entry_hash)) return Error::invalid("old entry", "without a hash", "must have the hash of its receipt");
  }
  if (Book().apply(terms, "").ok()) return {};
  return Error::invalid("the budget", privacy::describe(terms.declared.budget.currency, terms.declared.budget.total),
                        fmt::format("must be one that holds the {} charges of the old ledger", terms.charges.size()),
                        "adopt it with the budget that it had");
}

}  // namespace

Declaration plain_terms(const privacy::Budget& budget, const Relation& relation) {
  return {.budget = budget, .relation = relation, .rule = privacy::usual_rule(budget.currency)};
}

Custody::Custody(std::unique_ptr<LedgerState> state, std::shared_ptr<const History> history, bool made)
    : Ledger(std::move(state)), history_(std::move(history)), made_(made) {}

Result<Custody> Custody::open(const std::string& path, const LedgerOptions& options) {
  TACET_CHECK(exact::start_sodium());
  Disk& disk = options.disk == nullptr ? Disk::real() : *options.disk;
  std::optional<Seal> own;
  auto file = path == kMemory ? ledger_in_memory() : LogFile::open(path, disk);
  if (path == kMemory) {
    TACET_TRY(own, seal_in_memory());
  }
  bool made = false;
  if (!file && file.error().code() == Code::NotFound && options.create) {
    TACET_TRY(made, make_ledger(path, options.seals.empty() ? Seal::usual_folder() : options.seals, disk));
    file = LogFile::open(path, disk);
  }
  if (!file) return std::move(file).error();
  auto history = std::make_shared<History>();
  const auto visit = [history](const Record& record, std::string_view hash, const Book& book) { history->add(record, hash, book); };
  TACET_TRY(std::unique_ptr<LedgerState> state, LedgerState::read(*std::move(file), std::move(own), options, visit));
  return Custody(std::move(state), std::move(history), made);
}

Status Custody::check_terms(const std::string& dataset, const Declaration& declared, const std::vector<Share>& shares) {
  TACET_CHECK(check_name("dataset", dataset));
  return check_declaration(declared, shares);
}

bool Custody::is_still_at(const std::string& path) const {
  std::error_code failed;
  const LedgerState& open = state();
  return open.process == ::getpid() && open.file.path() == std::filesystem::absolute(path, failed).string() && open.file.still_there() &&
         open.seal && open.seals == Seal::usual_folder() && open.seal->lock(open.patience).ok();
}

void Custody::discard_if_new() {
  if (!made_ || !state().seal) return;
  // A process that waits for this lock finds the file gone, and is refused.
  const auto alone = state().lock(FileLock::Access::Write);
  if (!alone || !state().catch_up().ok() || state().records() > 0 || !state().file.still_there()) return;
  (void)::unlink(state().file.path().c_str());
  (void)::unlink(state().seal->path().c_str());
}

Status Custody::write_terms(const TermsRecord& terms) {
  TACET_CHECK(check_terms(terms.dataset, terms.declared, terms.shares));
  TACET_CHECK(check_adopted(terms));
  TACET_CHECK(state().check_writable());
  TACET_TRY(const FileLock alone, state().lock(FileLock::Access::Write));
  TACET_CHECK(state().catch_up());
  if (state().book.find(terms.dataset) != nullptr) {
    return Error::of(Code::AlreadyExists, fmt::format("the dataset \"{}\" has a budget already, and a budget is set once", terms.dataset),
                     "see what remains of it: `budget show`");
  }
  // A charge is worthless in a file that a power cut removes.
  TACET_CHECK(keep_name(state().file));
  return state().append_marked(terms.dataset, terms).status;
}

Status Custody::create_budget(const std::string& dataset, const Declaration& declared, const std::vector<Share>& shares) {
  return write_terms({dataset, declared, shares, state().now()});
}

Status Custody::adopt(const std::string& dataset, const Declaration& declared, const std::vector<Share>& shares, const std::string& from,
                      const std::vector<AdoptedCharge>& charges) {
  return write_terms({dataset, declared, shares, state().now(), from, charges});
}

Status Custody::amend(const std::string& dataset, const Amendment& amendment) {
  TACET_CHECK(check_name("custodian", amendment.custodian));
  TACET_CHECK(check_statement(amendment.reason));
  TACET_CHECK(check_text("schema", amendment.schema.value_or("")));
  TACET_CHECK(check_text("source", amendment.source.value_or("")));
  TACET_CHECK(state().check_writable());
  TACET_TRY(const FileLock lock, state().lock(FileLock::Access::Write));
  TACET_TRY(const Book::Account* const account, state().account(dataset));
  const Declaration& declared = account->declared;
  if (!declared.custodian.empty() && declared.custodian != amendment.custodian) {
    return Error::invalid("custodian", fmt::format("\"{}\"", amendment.custodian),
                          fmt::format("must be \"{}\", who declared the terms of \"{}\"", declared.custodian, dataset), "ask them");
  }
  if (amendment.relation && !(*amendment.relation == declared.relation) && account->charges > 0) {
    return Error::invalid("neighbours", describe(*amendment.relation),
                          fmt::format("must stay {}: something was charged under it", describe(declared.relation)),
                          "losses under different relations do not add up; make a new dataset with a budget of its own");
  }
  if (amendment.contributions && account->charges > 0) {
    return Error::invalid("contributions", *amendment.contributions, "must stay as they are: something was charged under them",
                          "losses about rows and about people do not add up; make a new dataset with a budget of its own");
  }
  if (amendment.schema && account->charges > 0 && !declared.relation.public_columns().empty()) {
    return Error::invalid(
        "schema", "another one", "must stay as it is: something was charged while membership in some groups was public",
        "who is in which public group must mean the same for all that was charged; make a new dataset with a budget of its "
        "own");
  }
  const AmendmentRecord record{dataset,          account->entries + 1, amendment.custodian, amendment.reason,
                               amendment.schema, amendment.source,     amendment.relation,  state().now()};
  return state().append_marked(record.dataset, record).status;
}

Result<BudgetState> Custody::show(const std::string& dataset) const {
  TACET_TRY(const FileLock lock, state().lock(FileLock::Access::Read));
  TACET_TRY(const Book::Account* const account, state().account(dataset));
  BudgetState shown{.dataset = dataset,
                    .terms = account->declared,
                    .filter = account->filter,
                    .entries = account->entries,
                    .charges = account->charges,
                    .idealised = account->idealised,
                    .analysts = {},
                    .shared = !account->shares.empty(),
                    .others = {},
                    .last = {},
                    .adopted = account->adopted,
                    .sealed = state().seal.has_value()};
  std::map<std::string, Filter::Totals> analysts = account->spent_by;
  for (const Share& share : account->shares) analysts.try_emplace(share.analyst);
  for (const auto& [analyst, spent] : analysts) {
    const Amount* share = account->share_of(analyst);
    if (share == nullptr) {
      shown.analysts.push_back({analyst, std::nullopt, account->filter.resumed(spent)});
    } else {
      TACET_TRY(Filter filter, account->filter_of(*share, spent));
      shown.analysts.push_back({analyst, *share, std::move(filter)});
    }
  }
  if (account->declared.others) {
    TACET_TRY(shown.others, account->filter_of(*account->declared.others, account->spent_by_others));
  }
  if (account->last) shown.last = {account->last->first, account->last->second};
  return shown;
}

Result<const std::vector<Entry>*> Custody::entries(const std::string& dataset) const {
  TACET_TRY(const FileLock lock, state().lock(FileLock::Access::Read));
  TACET_CHECK(state().account(dataset));
  return &history_->of(dataset);
}

Result<std::vector<Entry>> Custody::history(const std::string& dataset) const {
  TACET_TRY(const auto* const own, entries(dataset));
  return *own;
}

Result<std::vector<std::string>> Custody::datasets() const {
  TACET_TRY(const FileLock lock, state().lock(FileLock::Access::Read));
  TACET_CHECK(state().catch_up());
  return state().book.datasets();
}

}  // namespace tacet::kernel
