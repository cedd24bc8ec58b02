#include <cmath>

#include <fmt/format.h>

#include "tacet/data/counts.h"
#include "tacet/data/schema.h"
#include "tacet/exact/secure_bits.h"
#include "tacet/inference/estimate.h"
#include "tacet/kernel/ledger.h"
#include "tacet/kernel/ledger_words.h"
#include "tacet/kernel/release.h"
#include "tacet/mechanisms/counts.h"
#include "tacet/mechanisms/release_file.h"
#include "tacet/privacy/calibration.h"
#include "tacet/report/text_table.h"
#include "tacet/service/all_verbs.h"
#include "tacet/service/budget_view.h"
#include "tacet/service/new_file.h"
#include "tacet/service/request.h"
#include "tacet/service/table_words.h"

namespace tacet::service {
namespace {

using kernel::Ledger;

Result<std::unique_ptr<exact::RandomBits>> open_bits(const Context& context) {
  if (context.random_bits) return context.random_bits();
  TACET_TRY(std::unique_ptr<exact::SecureBits> bits, exact::SecureBits::open());
  return std::unique_ptr<exact::RandomBits>(std::move(bits));
}

Status check_loss(mechanisms::CountMechanism mechanism, const privacy::Loss& loss) {
  const bool gaussian_noise = mechanisms::family(mechanism) == kernel::NoiseFamily::Gaussian;
  if (gaussian_noise ? std::holds_alternative<privacy::PureLoss>(loss) : std::holds_alternative<privacy::ApproximateLoss>(loss)) {
    return Error::invalid(
        "mechanism", std::string(mechanisms::name(mechanism)),
        gaussian_noise ? "must be asked for with --rho, --mu, or --epsilon and --delta: Gaussian noise is never pure"
                       : "must be asked for with --epsilon alone, --rho or --mu: Laplace noise needs no delta",
        gaussian_noise ? "for example: --mechanism gaussian --rho 0.125" : "for example: --mechanism laplace --epsilon 0.5");
  }
  return {};
}

/// Gaussian noise asked for in (epsilon, delta) is mu-GDP, and that is what it costs a budget kept in rho or mu.
Result<privacy::Loss> as_charged(const privacy::Loss& asked, privacy::Currency budget) {
  const auto* approximate = std::get_if<privacy::ApproximateLoss>(&asked);
  if (approximate == nullptr || budget == privacy::Currency::PureDp || budget == privacy::Currency::ApproximateDp) return asked;
  return privacy::gaussian_loss_for(*approximate);
}

/// What is charged for, in public terms: the text that the ledger keeps and hashes.
Json statement_of(const std::string& dataset, const std::vector<std::string>& by, mechanisms::CountMechanism mechanism,
                  kernel::Relation relation, const std::string& cost) {
  return {{"release", "counts"},
          {"dataset", dataset},
          {"by", by},
          {"mechanism", mechanisms::name(mechanism)},
          {"neighbours", kernel::name(relation)},
          {"cost", cost}};
}

Status check_columns(const std::vector<std::string>& by) {
  if (by.size() <= mechanisms::kMostAxes) return {};
  return Error::invalid("by", fmt::format("{} columns", by.size()), fmt::format("must be at most {} columns", mechanisms::kMostAxes),
                        "cross fewer of them");
}

/// Room for the release file, one number or bracket to a line, whatever the numbers will be.
std::size_t most_bytes(const data::Schema& schema, const std::vector<std::string>& by, const kernel::ChargeRequest& charge) {
  constexpr std::size_t kPerLine = 32;
  constexpr std::size_t kPerEscape = 6;  // a byte of a text in JSON
  constexpr std::size_t kRest = 4096;
  std::size_t cells = 1;
  std::size_t lines = 0;
  std::size_t letters = 2 * charge.statement.size() + charge.dataset.size();
  for (const std::string& name : by) {
    const data::Column* column = schema.find(name);
    if (column == nullptr || !column->categories) continue;
    letters += name.size();
    for (const std::string& label : column->categories->labels) letters += label.size() + kPerLine;
    lines += 2 * cells;
    cells = std::min(cells * column->categories->labels.size(), data::kMostCells);
  }
  return (lines + cells) * (kPerLine + by.size()) + letters * kPerEscape + kRest;
}

Result<Json> run(const Json& request, const Context& context) {
  // Everything that can be refused without the data is refused before it is opened, and all the rest before the charge.
  // So a request beyond the budget is answered alike whatever the data holds.
  TACET_TRY(const mechanisms::CountMechanism mechanism, mechanisms::count_mechanism_named(*text_field(request, "mechanism")));
  TACET_TRY(const privacy::Loss asked, loss_field(request));
  TACET_CHECK(check_loss(mechanism, asked));
  TACET_TRY(const std::vector<std::string> by, list_field(request, "by"));
  TACET_CHECK(check_columns(by));
  TACET_TRY(const data::Schema schema, data::read_schema(*text_field(request, "schema")));
  TACET_TRY(const LedgerPlace place, ledger_place(request));
  TACET_TRY(Ledger ledger, Ledger::open(place.ledger));
  TACET_TRY(const kernel::BudgetState before, ledger.show(place.dataset));
  TACET_TRY(const privacy::Loss loss, as_charged(asked, before.terms.budget.currency));
  TACET_TRY(const kernel::NoisePlan plan, mechanisms::plan_counts(mechanism, data::count_sensitivity(schema.relation), loss));
  TACET_TRY(const std::string cost, kernel::charge_words(before.terms.budget.currency, loss));
  const std::string analyst = text_field(request, "analyst").value_or(context.analyst);
  const Json statement = statement_of(place.dataset, by, mechanism, schema.relation, cost);
  const kernel::ChargeRequest charge{place.dataset, analyst, dump(statement), schema.relation, loss};
  TACET_CHECK(ledger.check(charge));
  TACET_TRY(NewFile file, NewFile::reserve(*text_field(request, "out"), most_bytes(schema, by, charge)));
  TACET_TRY(const std::unique_ptr<exact::RandomBits> bits, open_bits(context));

  context.tell("reading");
  TACET_TRY(const data::DataFile data, data::DataFile::open(*text_field(request, "data")));
  TACET_TRY(data::CountTable table,
            data::count(data, schema, by, {.progress = [&context](double fraction) { context.tell("reading", fraction); }}));

  TACET_TRY(kernel::Grant grant, ledger.charge(charge));
  const std::string spent = fmt::format("{} was spent (entry {} of \"{}\")", grant.receipt().charged, grant.receipt().entry, place.dataset);
  context.tell("adding noise");
  TACET_TRY(const auto released, kernel::release(std::move(table.counts), plan.family, std::move(grant), *bits));
  context.tell("writing");
  std::vector<mechanisms::ReleaseAxis> axes;
  for (data::Axis& axis : table.axes) axes.push_back({std::move(axis.column), std::move(axis.labels)});
  const mechanisms::Release release = mechanisms::describe_counts(released, mechanism, std::move(axes), table.n, statement);
  Json result = mechanisms::to_json(release);
  auto written = file.publish_somewhere(dump(result, 1) + "\n");
  if (!written) return std::move(written).error().after_charge(spent);

  result["out"] = *written;
  // The release has left and is on disk; that the ledger cannot be read a moment later takes nothing from it.
  const auto after = ledger.show(place.dataset);
  result["budget"] = after.ok() ? budget_json(*after, place.ledger) : Json(nullptr);
  return result;
}

std::string words(const Json& result) {
  const auto release = mechanisms::release_from_json(result);
  if (!release) return {};
  const auto estimate = inference::estimate(*release, {});
  if (!estimate) return {};
  std::string out = "Noisy counts, and where the true counts lie (all intervals together hold with probability 0.95):\n";
  out += table_words(*release, [&](std::size_t i) {
    return fmt::format("{} [{}, {}]", report::readable(std::round(release->values[i])), report::readable(estimate->lower[i]),
                       report::readable(estimate->upper[i]));
  });
  out += fmt::format("Noise: {} with scale {} per cell. Charged: {}.", kernel::name(release->noise.family),
                     report::readable(release->noise.scale), release->privacy.at("charged").get<std::string>());
  if (result.contains("budget") && !result.at("budget").is_null()) {
    out += fmt::format(" Remaining: {}.", result.at("budget").at("words").at("remaining").get<std::string>());
  }
  if (result.contains("out")) {
    const std::string file = report::shell_word(result.at("out").get<std::string>());
    out += fmt::format("\nWrote {}; all inference on it is free: tacet infer estimate --release {}", file, file);
  }
  return out + "\n";
}

}  // namespace

Verb release_counts_verb() {
  std::vector<Field> fields = {{"data", "FILE", "the data: .csv, .tsv, .parquet, .duckdb", FieldKind::Text, true},
                               {"schema", "S", "the schema file", FieldKind::Text, true},
                               {"by", "a,b", "the columns to cross", FieldKind::List, true},
                               {"mechanism", "M", "gaussian, rank-deficient (keeps the total) or laplace", FieldKind::Text, true},
                               {"out", "FILE", "the release file to write", FieldKind::Text, true},
                               {"analyst", "NAME", "who is charged; you, if not given"},
                               {"ledger", "FILE", "the ledger, if not the schema's"},
                               {"dataset", "NAME", "the dataset, if not the schema's"}};
  for (Field& field : currency_fields("what to spend")) fields.push_back(std::move(field));
  return {"release counts",
          "Publish a table of counts with exact noise, charged to the budget first",
          "tacet release counts --data patients.csv --schema patients.toml --by smoking,disease --mechanism gaussian --rho 0.125 --out "
          "smoking.json",
          fields,
          run,
          words};
}

}  // namespace tacet::service
