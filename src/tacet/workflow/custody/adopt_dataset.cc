#include "tacet/workflow/custody/adopt_dataset.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tacet/kernel/custody/custody.h"
#include "tacet/mechanisms/json_file.h"
#include "tacet/old_ledger/old_ledger.h"
#include "tacet/schemas/words.h"
#include "tacet/workflow/custody/budget_terms.h"
#include "tacet/workflow/custody/source_register.h"
#include "tacet/workflow/custody/terms_check.h"
#include "tacet/workflow/dataset.h"

namespace tacet {
namespace {

using old_ledger::OldDataset;

/// It must be another file than the new ledger, and of an older format.
Status check_old_file(const std::string& from, const std::string& ledger) {
  std::error_code none;
  if (std::filesystem::equivalent(from, ledger, none)) {
    return Error::invalid("ledger", fmt::format("\"{}\"", ledger), "must be a new file beside the old ledger",
                          fmt::format("move the old one first: mv {} {}.old, then from = {}.old", from, from, from));
  }
  if (!kernel::Ledger::open(from).ok()) return {};
  return Error::invalid("from", fmt::format("\"{}\"", from), "must be of format 1 or 2: this ledger has terms already", "use it as it is");
}

Result<OldDataset> dataset_of(const std::vector<OldDataset>& datasets, const std::string& wanted, const std::string& from) {
  const auto found = std::find_if(datasets.begin(), datasets.end(), [&](const OldDataset& one) { return one.dataset == wanted; });
  if (found != datasets.end()) return *found;
  std::string known;
  for (const OldDataset& one : datasets) known += fmt::format("{}\"{}\"", known.empty() ? "" : ", ", one.dataset);
  return Error::of(Code::NotFound, fmt::format("the ledger \"{}\" has no budget for the dataset \"{}\"", from, wanted),
                   fmt::format("it has: {}; name one in the schema, or as dataset", known));
}

/// Losses under different relations do not add up.
Status check_relation(const kernel::Relation& asked, const OldDataset& old) {
  if (old.relation && !(*old.relation == asked)) {
    return Error::invalid("neighbours", kernel::describe(asked),
                          fmt::format("must be {}, as in the old ledger", kernel::describe(*old.relation)),
                          "set it back in the schema; losses under different relations do not add up");
  }
  if (!old.relation && !old.charges.empty() && !asked.public_columns().empty()) {
    return Error::invalid("membership", kernel::describe(asked),
                          "must not be public: the old ledger was charged, and did not say that it was",
                          "leave membership = \"public\" out of the schema");
  }
  return {};
}

/// The old ledger was charged for rows, each of which was a person.
Status check_contributions(const data::Schema& schema, const OldDataset& old) {
  if (!schema.contributions || old.charges.empty()) return {};
  return Error::invalid("contributions", schemas::contribution_words(schema.contributions),
                        "must not be declared: the old ledger was charged, and each row was a person",
                        "leave contributions out of the schema, or make a new dataset with a budget of its own");
}

/// Before ledgers had terms, a request could publish the exact sizes of groups under any relation.
/// The promise of such a release was too strong.
std::vector<kernel::AdoptedCharge> adopted_charges(const OldDataset& old) {
  using Json = nlohmann::json;
  std::vector<kernel::AdoptedCharge> charges = old.charges;
  for (kernel::AdoptedCharge& charge : charges) {
    const auto statement = mechanisms::parse_json(charge.statement, "statement", "in the old ledger");
    if (statement.ok() && statement->is_object() && statement->value("membership", Json()) == "public") charge.idealised = true;
  }
  return charges;
}

/// Registers that the dataset continues in the new ledger, and that its source has a budget there.
Status claim_adopted(const OldDataset& old, const kernel::Declaration& terms, const RegisteredDataset& into) {
  TACET_CHECK(claim_adoption(old.ledger, into));
  return claim_source(terms.source, into, terms.again);
}

}  // namespace

Result<AdoptedDataset> adopt_dataset(const AdoptRequest& request, const Context& context) {
  TACET_TRY(const KnownPlace place, known_place({.ledger = request.ledger, .dataset = request.dataset, .schema = request.schema}));
  TACET_CHECK(check_old_file(request.from, place.ledger));
  TACET_TRY(const std::vector<OldDataset> before, old_ledger::read_old_ledger(request.from));
  TACET_TRY(const OldDataset known, dataset_of(before, place.dataset, request.from));
  TACET_CHECK(check_relation(request.schema.relation, known));
  TACET_CHECK(check_contributions(request.schema, known));
  kernel::Declaration terms{.budget = known.budget, .relation = request.schema.relation, .rule = known.rule, .slack = known.slack};
  TACET_CHECK(declare(terms, {.schema = request.schema,
                              .others = request.others,
                              .source = request.source,
                              .again = request.again,
                              .custodian = context.analyst}));
  TACET_CHECK(kernel::Custody::check_terms(place.dataset, terms, known.shares));
  TACET_TRY(std::vector<std::string> warnings, check_new_terms(request.schema, terms.source));
  TACET_CHECK(check_source_is_free(terms.source, {}, terms.again));

  // A file that was closed before continues in the existing ledger, or nowhere.
  TACET_TRY(kernel::Custody ledger, kernel::Custody::open(place.ledger, {.create = known.closed_for == 0}));
  if (Status claimed = claim_adopted(known, terms, {ledger.name(), place.dataset, place.ledger}); !claimed.ok()) {
    ledger.discard_if_new();
    return std::move(claimed).error();
  }
  // From here on no earlier version can charge the old ledger; its charges until now count.
  TACET_CHECK(old_ledger::close_old_ledger(request.from, ledger.name()));
  TACET_TRY(const std::vector<OldDataset> datasets, old_ledger::read_old_ledger(request.from));
  TACET_TRY(const OldDataset old, dataset_of(datasets, place.dataset, request.from));
  TACET_CHECK(ledger.adopt(place.dataset, terms, old.shares, old.from(), adopted_charges(old)));

  TACET_TRY(const std::vector<std::string> adopted, ledger.datasets());
  std::vector<std::string> left;
  for (const OldDataset& one : datasets) {
    if (std::find(adopted.begin(), adopted.end(), one.dataset) == adopted.end()) left.push_back(one.dataset);
  }
  TACET_TRY(const kernel::BudgetState state, ledger.show(place.dataset));
  return AdoptedDataset{budget_summary(state, place.ledger, context.analyst),
                        {request.from, old.ledger, old.format, old.last_hash},
                        std::move(left),
                        std::move(warnings)};
}

}  // namespace tacet
