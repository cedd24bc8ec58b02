#include "tacet/service/charged_release.h"

#include <utility>

#include <fmt/format.h>

#include "tacet/accounting/calibration.h"
#include "tacet/kernel/ledger_words.h"
#include "tacet/report/text_table.h"
#include "tacet/service/request.h"

namespace tacet::service {
namespace {

Result<privacy::Loss> as_charged(const privacy::Loss& asked, privacy::Currency budget) {
  const auto* approximate = std::get_if<privacy::ApproximateLoss>(&asked);
  if (approximate == nullptr || budget == privacy::Currency::PureDp || budget == privacy::Currency::ApproximateDp) return asked;
  return accounting::gaussian_loss_for(*approximate);
}

}  // namespace

Result<ChargedRelease> ChargedRelease::open(const Json& request, const Context& context, const privacy::Loss& asked,
                                            kernel::Relation relation) {
  TACET_TRY(LedgerPlace place, ledger_place(request));
  TACET_TRY(kernel::Ledger ledger, kernel::Ledger::open(place.ledger));
  TACET_TRY(const kernel::BudgetState before, ledger.show(place.dataset));
  const privacy::Currency currency = before.terms.budget.currency;
  TACET_TRY(privacy::Loss loss, as_charged(asked, currency));
  TACET_TRY(std::string cost, kernel::charge_words(currency, loss));
  ChargedRelease order(std::move(place), std::move(ledger), std::move(loss), relation);
  order.cost_ = std::move(cost);
  order.analyst_ = text_field(request, "analyst").value_or(context.analyst);
  order.out_ = *text_field(request, "out");
  order.open_bits_ = [context] { return context.open_bits(); };
  return order;
}

Status ChargedRelease::prepare(Json statement, std::size_t most_bytes) {
  statement_ = std::move(statement);
  statement_["dataset"] = place_.dataset;
  statement_["neighbours"] = kernel::name(relation_);
  statement_["cost"] = cost_;
  TACET_CHECK(ledger_.check({place_.dataset, analyst_, dump(statement_), relation_, loss_}));
  constexpr std::size_t kPerEscape = 6;  // a byte of a text in JSON
  const std::size_t letters = 2 * dump(statement_).size() + place_.dataset.size();
  TACET_TRY(NewFile file, NewFile::reserve(out_, most_bytes + letters * kPerEscape));
  file_.emplace(std::move(file));
  TACET_TRY(bits_, open_bits_());
  return {};
}

Result<kernel::Grant> ChargedRelease::charge() {
  TACET_TRY(kernel::Grant grant, ledger_.charge({place_.dataset, analyst_, dump(statement_), relation_, loss_}));
  spent_ = fmt::format("{} was spent (entry {} of \"{}\")", grant.receipt().charged, grant.receipt().entry, place_.dataset);
  return grant;
}

Result<Json> ChargedRelease::publish(Json release) {
  auto written = file_->publish_somewhere(dump(release, 1) + "\n");
  if (!written) return std::move(written).error().after_charge(spent_);
  release["out"] = *written;
  // The release has left and is on disk; that the ledger cannot be read a moment later takes nothing from it.
  const auto after = ledger_.show(place_.dataset);
  release["budget"] = after.ok() ? budget_json(*after, place_.ledger) : Json(nullptr);
  return release;
}

std::string ChargedRelease::words(const Json& result, const std::string& next) {
  std::string out = fmt::format("Charged: {}.", result.at("privacy").at("charged").get<std::string>());
  if (result.contains("budget") && !result.at("budget").is_null())
    out += fmt::format(" Remaining: {}.", result.at("budget").at("words").at("remaining").get<std::string>());
  if (result.contains("out")) {
    const std::string file = report::shell_word(result.at("out").get<std::string>());
    out +=
        fmt::format("\nWrote {}; all inference on it is free{}", file, next.empty() ? "." : fmt::format(": {} --release {}", next, file));
  }
  return out + "\n";
}

std::vector<Field> ChargedRelease::fields(std::vector<Field> own) {
  std::vector<Field> fields = {{"data", "FILE", "the data: .csv, .tsv, .parquet, .duckdb", FieldKind::Text, true},
                               {"schema", "S", "the schema file", FieldKind::Text, true}};
  for (Field& field : own) fields.push_back(std::move(field));
  fields.insert(fields.end(), {{"out", "FILE", "the release file to write", FieldKind::Text, true},
                               {"analyst", "NAME", "who is charged; you, if not given"},
                               {"ledger", "FILE", "the ledger, if not the schema's"},
                               {"dataset", "NAME", "the dataset, if not the schema's"}});
  for (Field& field : currency_fields("what to spend")) fields.push_back(std::move(field));
  return fields;
}

}  // namespace tacet::service
