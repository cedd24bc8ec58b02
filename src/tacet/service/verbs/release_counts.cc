#include <cmath>

#include <fmt/format.h>

#include "tacet/data/counts.h"
#include "tacet/data/schema.h"
#include "tacet/inference/estimates/estimate.h"
#include "tacet/kernel/release.h"
#include "tacet/kernel/scale_check.h"
#include "tacet/mechanisms/counts.h"
#include "tacet/mechanisms/laplace_loss.h"
#include "tacet/report/text_table.h"
#include "tacet/schemas/column_request.h"
#include "tacet/service/all_verbs.h"
#include "tacet/service/charged_release.h"
#include "tacet/service/request.h"
#include "tacet/service/table_words.h"

namespace tacet::service {
namespace {

Status check_loss(mechanisms::CountMechanism mechanism, const privacy::Loss& loss) {
  const bool gaussian_noise = mechanisms::family(mechanism) == kernel::NoiseFamily::Gaussian;
  if (gaussian_noise ? std::holds_alternative<privacy::PureLoss>(loss) : std::holds_alternative<privacy::ApproximateLoss>(loss)) {
    return Error::invalid(
        "mechanism", std::string(name(mechanism)),
        gaussian_noise ? "must be asked for with --rho, --mu, or --epsilon and --delta: Gaussian noise is never pure"
                       : "must be asked for with --epsilon alone, --rho or --mu: Laplace noise needs no delta",
        gaussian_noise ? "for example: --mechanism gaussian --rho 0.125" : "for example: --mechanism laplace --epsilon 0.5");
  }
  return {};
}

Status check_columns(const std::vector<std::string>& by) {
  if (by.size() <= mechanisms::kMostAxes) return {};
  return Error::invalid("by", fmt::format("{} columns", by.size()), fmt::format("must be at most {} columns", mechanisms::kMostAxes),
                        "cross fewer of them");
}

/// Room for the release file, one number or bracket to a line, whatever the numbers will be.
std::size_t most_bytes(const data::Schema& schema, const std::vector<std::string>& by) {
  constexpr std::size_t kPerLine = 32;
  constexpr std::size_t kPerEscape = 6;  // a byte of a text in JSON
  constexpr std::size_t kRest = 4096;
  std::size_t cells = 1;
  std::size_t lines = 0;
  std::size_t letters = 0;
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
  TACET_TRY(const mechanisms::CountMechanism mechanism, named<mechanisms::CountMechanism>("mechanism", *text_field(request, "mechanism"),
                                                                                          "for example: --mechanism gaussian --rho 0.125"));
  TACET_TRY(const privacy::Loss asked, loss_field(request));
  TACET_CHECK(check_loss(mechanism, asked));
  TACET_TRY(const std::vector<std::string> by, list_field(request, "by"));
  TACET_CHECK(check_columns(by));
  const auto price = [&](const data::Declared& declared, privacy::Currency budget) -> Result<privacy::Loss> {
    if (mechanism != mechanisms::CountMechanism::Laplace) return ChargedRelease::as_charged(asked, budget);
    TACET_TRY(const privacy::Budget promise, budget_field(request));
    return mechanisms::laplace_loss(data::count_sensitivity(declared.relation()), promise, budget);
  };
  TACET_TRY(ChargedRelease order, ChargedRelease::open(request, context, price));
  const data::Schema& schema = order.declared().schema();
  TACET_CHECK(schemas::check_tabulated(schema, by));
  const kernel::Sensitivity sensitivity = data::count_sensitivity(schema.relation);
  TACET_TRY(const kernel::NoisePlan plan, mechanisms::plan_counts(mechanism, sensitivity, order.loss()));
  TACET_CHECK(kernel::check_scales(plan, sensitivity, order.loss()));
  return order.carry_out(
      {{{"release", "counts"}, {"by", by}, {"mechanism", name(mechanism)}}, most_bytes(schema, by)},
      [&](const data::CountOptions& options) { return data::count(order.data(), order.declared(), by, options); },
      [&](data::CountTable&& table, kernel::Grant&& grant, exact::RandomBits& bits) -> Result<Json> {
        TACET_TRY(const auto released, kernel::release(std::move(table.counts), plan, std::move(grant), bits));
        std::vector<mechanisms::ReleaseAxis> axes;
        for (const data::Axis& axis : table.axes) axes.push_back({axis.column, axis.labels.value()});
        return mechanisms::to_json(mechanisms::describe_counts(released, mechanism, std::move(axes), table.n, dump(order.statement())));
      });
}

/// The noise that a cell has. Where the total was kept, a projection took 1/p of its variance, for p cells.
std::string noise_words(const mechanisms::CountRelease& release) {
  const double scale = release.noise.scale;
  if (release.noise.structure != mechanisms::NoiseStructure::SumZero)
    return fmt::format("Noise: {} with scale {} per cell. ", name(release.noise.family), report::readable(scale));
  const double kept = 1 - 1 / static_cast<double>(release.values.size());
  return fmt::format("Noise: {} with standard deviation {} per cell, which keeps the total. ", name(release.noise.family),
                     report::readable(scale * std::sqrt(kept)));
}

std::string words(const Json& result) {
  const auto release = mechanisms::count_release_from_json(result);
  if (!release) return {};
  const auto estimate = inference::estimate(*release, {});
  if (!estimate) return {};
  std::string out = "Noisy counts, and where the true counts lie (all intervals together hold with probability 0.95):\n";
  out += table_words(*release, [&](std::size_t i) {
    return fmt::format("{} [{}, {}]", report::readable(std::round(release->values[i])), report::readable(estimate->lower[i]),
                       report::readable(estimate->upper[i]));
  });
  out += noise_words(*release);
  return out + ChargedRelease::words(result, "tacet infer estimate");
}

}  // namespace

Verb release_counts_verb() {
  const std::vector<Field> own = {{"by", "a,b", "the columns to cross", FieldKind::List, true},
                                  {"mechanism", "M", "gaussian, rank-deficient (keeps the total) or laplace", FieldKind::Text, true}};
  return {"release counts",
          "Publish a table of counts with exact noise, charged to the budget first",
          "tacet release counts --data patients.csv --schema patients.toml --by smoking,disease --mechanism gaussian --rho 0.125 --out "
          "smoking.json",
          ChargedRelease::fields(own),
          run,
          words};
}

}  // namespace tacet::service
