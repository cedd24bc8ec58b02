#include "tacet/workflow/release/charged_release.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "tacet/base/decimal.h"
#include "tacet/base/text.h"
#include "tacet/data/canonical_schema.h"
#include "tacet/kernel/custody/custody.h"
#include "tacet/kernel/custody/words.h"
#include "tacet/kernel/ledger/record.h"
#include "tacet/schemas/listing.h"
#include "tacet/schemas/schema_text.h"
#include "tacet/schemas/words.h"
#include "tacet/workflow/custody/source_register.h"
#include "tacet/workflow/custody/terms_check.h"
#include "tacet/workflow/open_rows.h"

namespace tacet {
namespace {

/// The user of the system, or the analyst that the custodian names.
Result<std::string> charged_analyst(const Dataset& dataset, const kernel::Declaration& terms) {
  const std::optional<std::string>& named = dataset.place().on_behalf_of;
  const std::string& asker = dataset.context().analyst;
  if (!named || *named == asker) return asker;
  if (terms.custodian.empty() || terms.custodian == asker) return *named;
  return Error::invalid("analyst", fmt::format("\"{}\"", named->substr(0, 60)),
                        fmt::format("must be \"{}\", who asks: only the custodian, \"{}\", may name another", asker, terms.custodian),
                        "leave it out");
}

/// A schema in a request has nothing new: it must be the one in the terms.
Status check_schema(const KnownPlace& place, const data::Declared& declared) {
  if (!place.schema) return {};
  const auto difference = difference_from_terms(*place.schema, declared);
  if (!difference) return {};
  return Error::of(Code::SchemaInvalid, *difference,
                   "the terms in the ledger count; write the schema as they are (`dataset show`), or let the custodian amend them "
                   "(`dataset amend`)");
}

/// If the terms have no source, the schema may have one: the first release must not fix another.
Status check_source_of_schema(const KnownPlace& place, const data::Declared& declared, const data::DataSource& data) {
  const std::string named = resolved_source(place.schema ? place.schema->source.value_or("") : "");
  const std::string read = source_text(data);
  if (named.empty() || !declared.terms().declared().source.empty() || named == read) return {};
  return Error::invalid("data", in_quotes(read), fmt::format("must be {}, the source in the schema", in_quotes(named)),
                        "read from there, or write in the schema where the data are");
}

/// Gaussian noise in rho or mu cannot be charged to epsilon and delta, but the same noise
/// requested in these can.
Status check_currency(std::optional<std::string_view> mechanism, privacy::Currency budget, const privacy::Loss& loss) {
  if (budget != privacy::Currency::ApproximateDp || !std::holds_alternative<privacy::GaussianLoss>(loss)) return {};
  return Error::of(Code::Unsupported, "the budget is kept in epsilon and delta, but the release is asked for in rho or mu",
                   fmt::format("ask with {}epsilon = E delta = D, or use a budget in rho or mu",
                               mechanism ? fmt::format("mechanism = {} ", *mechanism) : ""));
}

std::string lower_case(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

/// For a custodian who names an analyst without a share: a suggestion with the nearest name that
/// has one.
std::string nearest_share(const std::string& analyst, const std::vector<kernel::Share>& shares) {
  std::vector<std::string> names;
  for (const kernel::Share& share : shares) {
    if (share.analyst == analyst) return {};
    if (lower_case(share.analyst) == lower_case(analyst)) return fmt::format("did you mean {}?", in_quotes(share.analyst));
    names.push_back(share.analyst);
  }
  return schemas::did_you_mean(analyst, names);
}

/// If there are shares, an analyst without one can spend nothing, unless there is an amount for
/// the others.
bool has_nothing(const kernel::BudgetState& state, const std::string& analyst) {
  const auto has_share = [&](const auto& own) { return own.analyst == analyst && own.limit; };
  return state.shared && !state.others && std::none_of(state.analysts.begin(), state.analysts.end(), has_share);
}

/// Adds to a refusal for lack of budget the largest loss of its kind that fits into the budget and
/// the limit of the analyst. For a custodian who names an analyst without a share, it also adds
/// the nearest name. Other errors are unchanged.
Error with_what_fits(Error refusal, const kernel::Custody& ledger, const kernel::ChargeRequest& request, const kernel::Terms& terms,
                     const std::string& asker) {
  if (refusal.code() != Code::BudgetExhausted) return refusal;
  const auto state = ledger.show(request.dataset);
  const std::string hint = request.analyst == asker ? "" : nearest_share(request.analyst, terms.shares());
  const auto with_hint = [&](const std::string& remedy) {
    return Error::of(refusal.code(), refusal.rule(), hint.empty() ? remedy : fmt::format("{} Otherwise {}", hint, remedy));
  };
  if (!state.ok()) return with_hint(refusal.remedy());
  refusal = kernel::with_amounts(refusal, *state, request.analyst, request.loss);
  if (has_nothing(*state, request.analyst)) return with_hint("ask its custodian: shares are given when the budget is created");
  const auto largest = largest_release(*state, request.analyst, request.loss);
  return with_hint(largest ? fmt::format("a release of at most {} fits", *largest) : "it is used up");
}

}  // namespace

Result<ChargedRelease> ChargedRelease::open(const Dataset& dataset, Asked asked) {
  const KnownPlace& place = dataset.place();
  TACET_TRY(kernel::Custody ledger, dataset.kept().take(place.ledger));
  TACET_TRY(kernel::Terms terms, ledger.terms(place.dataset));
  const privacy::Currency currency = terms.declared().budget.currency;
  TACET_TRY(std::string analyst, charged_analyst(dataset, terms.declared()));
  TACET_TRY(data::Declared declared, schemas::declared_by(std::move(terms)));
  TACET_CHECK(check_schema(place, declared));
  TACET_TRY(privacy::Loss loss, asked.price(declared, currency));
  TACET_CHECK(check_currency(asked.mechanism, currency, loss));
  TACET_TRY(std::string cost, kernel::charge_words(currency, loss));
  // Before the data is opened: the answer to a request beyond the budget must not depend on the
  // data.
  const kernel::ChargeRequest first{
      .dataset = place.dataset, .analyst = analyst, .statement = "{}", .relation = declared.relation(), .loss = loss};
  if (Status fits = ledger.check(first); !fits.ok())
    return with_what_fits(std::move(fits).error(), ledger, first, declared.terms(), dataset.context().analyst);
  TACET_TRY(data::DataSource data, open_rows(place, declared));
  TACET_CHECK(check_source_of_schema(place, declared, data));
  if (declared.terms().declared().source.empty()) {
    TACET_CHECK(check_source_is_free(source_text(data), {ledger.name(), place.dataset, place.ledger}, declared.terms().declared().again));
  }
  ChargedRelease order(dataset, std::move(ledger), std::move(declared), std::move(data), std::move(loss));
  order.cost_ = std::move(cost);
  order.analyst_ = std::move(analyst);
  order.out_ = std::move(asked.out);
  return order;
}

kernel::ChargeRequest ChargedRelease::describe(nlohmann::json statement, bool idealised) {
  statement["dataset"] = dataset_.place().dataset;
  statement["neighbours"] = kernel::describe(declared_.relation());
  statement["cost"] = cost_;
  statement_ = statement.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  return {.dataset = dataset_.place().dataset,
          .analyst = analyst_,
          .statement = statement_,
          .relation = declared_.relation(),
          .loss = loss_,
          .source = source_text(data_),
          .idealised = idealised,
          .words = cost_};
}

Status ChargedRelease::reserve(std::size_t most_bytes) {
  constexpr std::size_t kPerEscape = 6;  // a byte of a text in JSON
  const KnownPlace& place = dataset_.place();
  // The first release fixes the source: no other dataset may have it, now or between this line and
  // the charge.
  const kernel::Declaration& terms = declared_.terms().declared();
  if (terms.source.empty()) TACET_CHECK(claim_source(source_text(data_), {ledger_.name(), place.dataset, place.ledger}, terms.again));
  if (!out_) return {};
  const std::size_t letters = 2 * statement_.size() + place.dataset.size();
  TACET_TRY(NewFile file, NewFile::reserve(*out_, most_bytes + letters * kPerEscape));
  file_.emplace(std::move(file));
  return {};
}

Result<ChargedRelease::Written> ChargedRelease::write(const std::string& contents) {
  Written written{std::nullopt, kernel::hash_hex(contents)};
  if (!file_) return written;
  dataset_.context().tell("writing");
  TACET_TRY(written.file, file_->publish_somewhere(contents));
  return written;
}

// The release is on disk already; an error in reading the ledger afterwards must not hide that.
std::optional<BudgetSummary> ChargedRelease::budget_after() const {
  const auto after = ledger_.show(dataset_.place().dataset);
  if (!after.ok()) return std::nullopt;
  return budget_summary(*after, dataset_.place().ledger, analyst_);
}

std::optional<PaidBefore> ChargedRelease::earlier_charge() const {
  const auto history = ledger_.entries(dataset_.place().dataset);
  if (!history.ok()) return std::nullopt;
  std::optional<PaidBefore> before = paid_before(**history, statement_);
  if (before && before->release_hash && out_)
    before->file = file_with_hash(std::filesystem::path(*out_).parent_path().string(), *before->release_hash);
  return before;
}

Error ChargedRelease::with_hint(Error error) const {
  const auto* const file = std::get_if<data::DataFile>(&data_);
  const bool csv = file != nullptr && file->kind() == data::FileKind::Csv;
  if (error.code() != Code::NotFound || !csv || error.spent() != "nothing was spent") return error;
  const auto listing = schemas::list_columns(*file, declared_.schema());
  const std::string hint = listing.ok() ? schemas::delimiter_hint(*file, *listing) : "";
  return hint.empty() ? error : Error::of(error.code(), error.rule(), hint);
}

nlohmann::json missing_numbers(const data::Schema& schema, const std::vector<std::string>& columns) {
  nlohmann::json rules = nlohmann::json::object();
  for (const std::string& name : columns) {
    const data::Column* const column = schema.find(name);
    if (column == nullptr || !column->bounds) continue;
    const std::optional<Decimal>& missing = column->bounds->missing;
    if (!missing) {
      rules[name] = "left out";
    } else if (column->text.date) {
      rules[name] = data::number_text(*missing, /*date=*/true);
    } else {
      rules[name] = missing->approximate();
    }
  }
  return rules;
}

std::optional<mechanisms::ReleasedContributions> released_contributions(const std::optional<data::PersonLimit>& limit,
                                                                        data::CountUnit unit) {
  if (!limit) return std::nullopt;
  const auto counted = unit == data::CountUnit::Rows ? mechanisms::Counted::Rows : mechanisms::Counted::People;
  return mechanisms::ReleasedContributions{counted, limit->rows, limit->groups};
}

}  // namespace tacet
