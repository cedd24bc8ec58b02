#include "tacet/workflow/custody/create_budget.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "tacet/base/text.h"
#include "tacet/kernel/custody/custody.h"
#include "tacet/privacy/parameters.h"
#include "tacet/workflow/custody/source_register.h"
#include "tacet/workflow/custody/terms_check.h"
#include "tacet/workflow/dataset.h"

namespace tacet {
namespace {

using kernel::Custody;

/// The schema declares the neighbours; without a schema, the request does.
Result<kernel::Relation> relation_of(const BudgetRequest& request) {
  const kernel::Relation usual = request.schema ? request.schema->relation : kernel::Relation(kernel::Relation::ReplaceOne);
  if (!request.neighbours) return usual;
  if (!request.schema) return kernel::Relation(*request.neighbours);
  if (usual.kind() == *request.neighbours) return usual;
  return Error::invalid("neighbours", std::string(name(*request.neighbours)),
                        fmt::format("must be what the schema says, {}", name(usual.kind())), "leave it out, or change the schema");
}

/// For the rule whitehouse half of delta unless it is given; 0 for the other rules.
Result<Decimal> slack_of(const BudgetRequest& request, privacy::FilterRule rule, const privacy::Budget& budget) {
  constexpr std::size_t kShown = 40;
  if (rule != privacy::FilterRule::Whitehouse) {
    if (!request.slack) return Decimal();
    return Error::invalid("slack", request.slack->text().substr(0, kShown), "goes with the rule whitehouse only",
                          "leave it out, or add rule = whitehouse");
  }
  if (!request.slack) return budget.total.second * *Decimal::parse("0.5");
  auto slack = Decimal::parse(request.slack->text());
  if (slack) return slack;
  return Error::invalid("slack", in_quotes(request.slack->text().substr(0, kShown)),
                        "must be a decimal number greater than 0 and at most delta", "for example: slack = 5e-7");
}

/// What everything together may cost.
Result<privacy::Budget> whole_of(const BudgetRequest& request) {
  if (request.rule != BudgetRule::Odometer) {
    TACET_TRY(const PrivacyAmount total, required_privacy(request.total));
    return budget_of(total);
  }
  if (!request.total) return odometer_budget();
  return Error::invalid("rule", "odometer", "goes without an amount: a budget by an odometer has no limit",
                        "leave the amount out, or the rule");
}

privacy::FilterRule filter_of(BudgetRule rule) {
  switch (rule) {
    case BudgetRule::Basic: return privacy::FilterRule::Basic;
    case BudgetRule::Rogers: return privacy::FilterRule::Rogers;
    case BudgetRule::Whitehouse: return privacy::FilterRule::Whitehouse;
    case BudgetRule::Gdp: return privacy::FilterRule::Gdp;
    case BudgetRule::Zcdp:
    case BudgetRule::Odometer: break;
  }
  return privacy::FilterRule::Zcdp;
}

Result<kernel::Declaration> terms_of(const BudgetRequest& request, const Context& context) {
  TACET_TRY(const privacy::Budget budget, whole_of(request));
  TACET_TRY(const kernel::Relation relation, relation_of(request));
  kernel::Declaration terms = kernel::plain_terms(budget, relation);
  TACET_CHECK(declare(terms, {.schema = request.schema,
                              .others = request.others,
                              .source = request.source,
                              .again = request.again,
                              .custodian = request.custodian.value_or(context.analyst)}));
  if (request.rule) terms.rule = filter_of(*request.rule);
  TACET_TRY(terms.slack, slack_of(request, terms.rule, budget));
  return terms;
}

Status write_terms(Custody& ledger, const KnownPlace& place, const kernel::Declaration& terms, const std::vector<kernel::Share>& shares) {
  TACET_TRY(const std::vector<std::string> datasets, ledger.datasets());
  // A dataset that has a budget is refused below, so its source is not registered again.
  if (std::find(datasets.begin(), datasets.end(), place.dataset) == datasets.end())
    TACET_CHECK(claim_source(terms.source, {ledger.name(), place.dataset, place.ledger}, terms.again));
  return ledger.create_budget(place.dataset, terms, shares);
}

}  // namespace

Result<CreatedBudget> create_budget(const BudgetRequest& request, const Context& context) {
  TACET_TRY(const KnownPlace place, known_place({.ledger = request.ledger, .dataset = request.dataset, .schema = request.schema}));
  TACET_TRY(const kernel::Declaration terms, terms_of(request, context));
  std::vector<kernel::Share> shares;
  for (const AnalystShare& asked : request.shares) {
    TACET_TRY(kernel::Share share, share_in(asked, terms.budget.currency));
    shares.push_back(std::move(share));
  }
  // Every refusal happens before a ledger is created.
  TACET_CHECK(Custody::check_terms(place.dataset, terms, shares));
  std::vector<std::string> warnings;
  if (request.schema) {
    TACET_TRY(warnings, check_new_terms(*request.schema, terms.source));
  }
  TACET_CHECK(check_source_is_free(terms.source, {}, terms.again));
  TACET_TRY(Custody ledger, Custody::open(place.ledger, {.create = true}));
  if (Status made = write_terms(ledger, place, terms, shares); !made.ok()) {
    ledger.discard_if_new();
    return std::move(made).error();
  }
  TACET_TRY(const kernel::BudgetState state, ledger.show(place.dataset));
  return CreatedBudget{budget_summary(state, place.ledger, context.analyst), std::move(warnings)};
}

}  // namespace tacet
