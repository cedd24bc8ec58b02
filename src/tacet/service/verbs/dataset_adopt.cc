#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>

#include <fmt/format.h>

#include "tacet/data/canonical_schema.h"
#include "tacet/kernel/custody/custody.h"
#include "tacet/old_ledger/old_ledger.h"
#include "tacet/service/all_verbs.h"
#include "tacet/service/budget_view.h"
#include "tacet/service/request.h"
#include "tacet/service/share_field.h"
#include "tacet/service/source_register.h"
#include "tacet/service/terms_check.h"

namespace tacet::service {
namespace {

using old_ledger::OldDataset;

Result<OldDataset> dataset_of(const std::vector<OldDataset>& datasets, const std::string& wanted, const std::string& from) {
  const auto found = std::find_if(datasets.begin(), datasets.end(), [&](const OldDataset& one) { return one.dataset == wanted; });
  if (found != datasets.end()) return *found;
  std::string known;
  for (const OldDataset& one : datasets) known += fmt::format("{}\"{}\"", known.empty() ? "" : ", ", one.dataset);
  return Error::of(Code::NotFound, fmt::format("the ledger \"{}\" has no budget for the dataset \"{}\"", from, wanted),
                   fmt::format("it has: {}; name one in the schema, or with --dataset", known));
}

/// Budget, rule and shares are those of the old ledger, for ever; what is public is said now, by the schema.
Result<kernel::Declaration> terms_of(const Json& request, const data::Schema& schema, const OldDataset& old, const std::string& custodian) {
  TACET_TRY(const std::string source, source_field(request, schema));
  TACET_TRY(const std::optional<std::string> again, reason_field(request, "again"));
  if (old.relation && !(*old.relation == schema.relation)) {
    return Error::invalid("neighbours", kernel::describe(schema.relation),
                          fmt::format("must be {}, as in the old ledger", kernel::describe(*old.relation)),
                          "set it back in the schema; losses under different relations do not add up");
  }
  if (!old.relation && !old.charges.empty() && !schema.relation.public_columns().empty()) {
    return Error::invalid("membership", kernel::describe(schema.relation),
                          "must not be public: the old ledger was charged, and did not say that it was",
                          "leave membership = \"public\" out of the schema");
  }
  kernel::Declaration terms{.budget = old.budget, .relation = schema.relation, .rule = old.rule, .slack = old.slack};
  terms.schema = data::canonical(schema);
  terms.idealised = schema.idealised;
  terms.source = source;
  terms.custodian = custodian;
  terms.again = again.value_or("");
  if (const auto others = text_field(request, "others")) {
    TACET_TRY(terms.others, parse_others(*others, old.budget.currency));
  }
  return terms;
}

/// Before terms a request could tell the sizes of groups exactly under any relation. Such a release promised more than it kept.
std::vector<kernel::AdoptedCharge> adopted_charges(const OldDataset& old) {
  std::vector<kernel::AdoptedCharge> charges = old.charges;
  for (kernel::AdoptedCharge& charge : charges) {
    const Json statement = Json::parse(charge.statement, nullptr, /*allow_exceptions=*/false);
    if (statement.is_object() && statement.value("membership", Json()) == "public") charge.idealised = true;
  }
  return charges;
}

Result<Json> run(const Json& request, const Context& context) {
  TACET_TRY(const LedgerPlace place, ledger_place(request));
  const std::string from = *text_field(request, "from");
  if (!place.schema) {
    return Error::invalid("schema", "missing", "must say what is public about the dataset: an old ledger does not",
                          "add --schema people.toml; `tacet init` drafts one");
  }
  std::error_code none;
  if (std::filesystem::equivalent(from, place.ledger, none)) {
    return Error::invalid("ledger", fmt::format("\"{}\"", place.ledger), "must be a new file beside the old ledger",
                          fmt::format("move the old one first: mv {} {}.old, then --from {}.old", from, from, from));
  }
  if (kernel::Ledger::open(from).ok()) {
    return Error::invalid("from", fmt::format("\"{}\"", from), "must be of format 1 or 2: this ledger has terms already",
                          "use it as it is");
  }
  TACET_TRY(const std::vector<OldDataset> before, old_ledger::read_old_ledger(from));
  TACET_TRY(const OldDataset known, dataset_of(before, place.dataset, from));
  TACET_TRY(const kernel::Declaration terms, terms_of(request, *place.schema, known, context.analyst));
  TACET_CHECK(kernel::Custody::check_terms(place.dataset, terms, known.shares));
  TACET_TRY(const std::vector<std::string> warnings, check_new_terms(*place.schema, terms.source));
  TACET_CHECK(check_source_is_free(terms.source, {}, terms.again));

  // A file that was closed before goes on in the ledger that is there, or nowhere.
  TACET_TRY(kernel::Custody ledger, kernel::Custody::open(place.ledger, {.create = known.closed_for == 0}));
  const RegisteredDataset into{ledger.name(), place.dataset, place.ledger};
  Status claimed = claim_adoption(known.ledger, into);
  if (claimed.ok()) claimed = claim_source(terms.source, into, terms.again);
  if (!claimed.ok()) {
    ledger.discard_if_new();
    return std::move(claimed).error();
  }
  // From here on no earlier version charges the old ledger, and what it charged until now is what counts.
  TACET_CHECK(old_ledger::close_old_ledger(from, ledger.name()));
  TACET_TRY(const std::vector<OldDataset> datasets, old_ledger::read_old_ledger(from));
  TACET_TRY(const OldDataset old, dataset_of(datasets, place.dataset, from));
  TACET_CHECK(ledger.adopt(place.dataset, terms, old.shares, old.from(), adopted_charges(old)));

  TACET_TRY(const std::vector<std::string> adopted, ledger.datasets());
  Json left = Json::array();
  for (const OldDataset& one : datasets) {
    if (std::find(adopted.begin(), adopted.end(), one.dataset) == adopted.end()) left.push_back(one.dataset);
  }
  TACET_TRY(const kernel::BudgetState state, ledger.show(place.dataset));
  Json result = budget_json(state, place.ledger, context.analyst);
  result["warnings"] = warnings;
  result["adopted_from"] = {{"ledger", from}, {"name", old.ledger}, {"format", old.format}, {"last_hash", old.last_hash}};
  result["not_adopted_yet"] = left;
  return result;
}

std::string words(const Json& result) {
  const std::string from = result.at("adopted_from").at("ledger");
  std::string out = fmt::format(
      "The ledger \"{}\" was closed: no earlier version charges it any more. Its {} entr{} of \"{}\" stand at the start of \"{}\".\n", from,
      result.at("entries").get<std::int64_t>(), result.at("entries").get<std::int64_t>() == 1 ? "y" : "ies",
      result.at("dataset").get<std::string>(), result.at("ledger").get<std::string>());
  for (const Json& dataset : result.at("not_adopted_yet")) {
    out += fmt::format("It has another dataset, which can be charged once it is adopted too: \"{}\".\n", dataset.get<std::string>());
  }
  return out + budget_words(result) + warning_words(result);
}

}  // namespace

Verb dataset_adopt_verb() {
  std::vector<Field> fields = ledger_place_fields();
  const std::vector<Field> own = {
      {"from", "FILE", "the ledger of an earlier version of Tacet (format 1 or 2)", FieldKind::Text, true},
      {"others", "AMOUNT", "where there are shares: what all analysts without one may spend together; else nothing"},
      {"source", "FILE", "where the data is, if not the schema's"},
      {"again", "REASON", "why there is a second budget for the same source, if there is one"}};
  fields.insert(fields.end(), own.begin(), own.end());
  return {"dataset adopt",
          "Go on from the ledger of an earlier version: the same budget and entries, in a new ledger that has terms",
          "tacet dataset adopt --schema patients.toml --ledger new.ledger --from old.ledger",
          fields,
          run,
          words};
}

}  // namespace tacet::service
