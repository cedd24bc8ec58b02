#include "tacet/workflow/plan/plan_costs.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "tacet/accounting/calibration.h"

namespace tacet {
namespace {

using planning::LaplaceScales;
using planning::TableDesign;
using planning::TableSensitivity;

/// Noise values for each simulated way, if the request does not give the number of trials.
constexpr std::size_t kSimulatedCells = 2'000'000;
constexpr std::size_t kUsualTrials = 4000;
/// Tables that are drawn where the table is sampled.
constexpr std::size_t kUsualTables = 400;

/// The loss of Gaussian noise that keeps the promise; none for a pure epsilon.
Result<std::optional<privacy::GaussianLoss>> gaussian_loss(const PrivacyAmount& amount) {
  TACET_TRY(privacy::Loss loss, loss_of(amount));
  if (std::holds_alternative<privacy::PureLoss>(loss)) return std::optional<privacy::GaussianLoss>();
  if (const auto* promise = std::get_if<privacy::ApproximateLoss>(&loss)) {
    TACET_TRY(loss, accounting::gaussian_loss_for(*promise));
  }
  return std::optional(std::get<privacy::GaussianLoss>(loss));
}

/// The epsilon of a promise in epsilon, which Laplace noise keeps without the delta.
std::optional<Digits> epsilon_of(const PrivacyAmount& amount) {
  if (const auto* pure = std::get_if<Epsilon>(&amount)) return pure->value;
  if (const auto* both = std::get_if<EpsilonDelta>(&amount)) return both->epsilon;
  return std::nullopt;
}

Result<std::vector<double>> counts_of(const TableCostsRequest& request) {
  if (const auto* even = std::get_if<EvenTable>(&request.table)) {
    // TableDesign checks both, whatever the loss.
    const privacy::GaussianLoss any{Decimal(1)};
    TACET_TRY(const TableDesign design, TableDesign::uniform(static_cast<double>(even->people), even->cells, any));
    return design.counts();
  }
  return std::get<std::vector<double>>(request.table);
}

Result<TableSensitivity> sensitivity_of(const TableCostsRequest& request) {
  if (!request.norms) return planning::plain_counts(request.neighbours);
  return planning::any_statistic(request.norms->l1, request.norms->l2);
}

/// What does not depend on the table.
struct CostSetting {
  TableSensitivity sensitivity;
  std::optional<TableDesign> gaussian;  // none for a pure epsilon
  std::optional<double> epsilon;        // of a promise in epsilon
  std::optional<LaplaceScales> scales;  // of one in rho or mu
};

Result<CostSetting> setting_of(const TableCostsRequest& request, const std::vector<double>& counts) {
  TACET_TRY(const TableSensitivity sensitivity, sensitivity_of(request));
  CostSetting setting{sensitivity, {}, {}, {}};
  TACET_TRY(const std::optional<privacy::GaussianLoss> loss, gaussian_loss(request.loss));
  if (loss) {
    TACET_TRY(setting.gaussian, TableDesign::of(counts, *loss, sensitivity));
  }
  if (const std::optional<Digits> epsilon = epsilon_of(request.loss)) {
    TACET_TRY(const Decimal parsed, Decimal::parse(epsilon->text()));
    setting.epsilon = parsed.approximate();
    return setting;
  }
  const auto currency = std::holds_alternative<Rho>(request.loss) ? privacy::Currency::Zcdp : privacy::Currency::Gdp;
  TACET_TRY(setting.scales, planning::laplace_scales(*setting.gaussian, currency));
  return setting;
}

Result<std::vector<TableCost>> costs_of_table(const CostSetting& setting, const std::vector<double>& counts, std::size_t trials,
                                              std::uint64_t seed) {
  std::vector<TableCost> ways;
  if (setting.epsilon) {
    TACET_TRY(ways, planning::pure_laplace_costs(counts, setting.sensitivity, *setting.epsilon));
  } else if (setting.scales) {
    ways = planning::laplace_costs(counts, setting.sensitivity, *setting.scales);
  }
  if (!setting.gaussian) return ways;
  TACET_TRY(const TableDesign design, setting.gaussian->with(counts));
  const std::vector<TableCost> exact = planning::exact_costs(design);
  ways.insert(ways.end(), exact.begin(), exact.end());
  if (trials == 0) return ways;
  TACET_TRY(const std::vector<TableCost> simulated, planning::simulated_costs(design, {trials, seed}));
  ways.insert(ways.end(), simulated.begin(), simulated.end());
  return ways;
}

Result<std::vector<TableCost>> all_costs(const TableCostsRequest& request, const CostSetting& setting, const std::vector<double>& counts,
                                         std::size_t trials) {
  if (!request.sampled) return costs_of_table(setting, counts, trials, request.seed);
  const std::size_t tables = trials == 0 ? kUsualTables : std::clamp<std::size_t>(trials / planning::kFewestTrials, 2, kUsualTables);
  const std::size_t of_each = trials == 0 ? 0 : std::max(trials / tables, planning::kFewestTrials);
  return planning::mean_over_tables(counts, {tables, request.seed}, [&](const std::vector<double>& table, std::size_t number) {
    return costs_of_table(setting, table, of_each, request.seed + 1 + number);
  });
}

/// Rules in the order of their crossings.
std::vector<CostCrossing> crossings_of(const TableCostsRequest& request, const TableSensitivity& sensitivity, std::size_t cells) {
  using accounting::LaplaceRule;
  const double ratio = sensitivity.l1 / std::sqrt(sensitivity.l2_squared);
  std::vector<CostCrossing> crossings;
  if (std::holds_alternative<Rho>(request.loss)) {
    if (sensitivity.rule == LaplaceRule::Table)
      crossings.push_back({CrossingRule::Table, true, planning::noise_crossing_rho(CrossingRule::Table, ratio)});
    crossings.push_back({CrossingRule::Universal, true, planning::noise_crossing_rho(CrossingRule::Universal, ratio)});
  } else if (std::holds_alternative<Mu>(request.loss)) {
    if (sensitivity.rule == LaplaceRule::Table)
      crossings.push_back({CrossingRule::Table, true, planning::noise_crossing_mu(CrossingRule::Table, ratio)});
    const bool proven = cells <= 2 || sensitivity.rule == LaplaceRule::OneOrTwoDimensional;
    crossings.push_back({CrossingRule::FromL1, proven, planning::noise_crossing_mu(CrossingRule::FromL1, ratio)});
    crossings.push_back({CrossingRule::Universal, true, planning::noise_crossing_mu(CrossingRule::Universal, ratio)});
  }
  return crossings;
}

}  // namespace

Result<TableCosts> plan_costs(const TableCostsRequest& request, const Context& context) {
  TACET_TRY(const std::vector<double> counts, counts_of(request));
  TACET_TRY(const CostSetting setting, setting_of(request, counts));
  const std::size_t cells = counts.size();
  const std::size_t usual = std::clamp(kSimulatedCells / std::max<std::size_t>(cells, 1), planning::kFewestTrials, kUsualTrials);
  const std::size_t trials = request.trials.value_or(usual);
  context.tell("computing costs");
  TACET_TRY(std::vector<TableCost> ways, all_costs(request, setting, counts, trials));
  std::stable_sort(ways.begin(), ways.end(), [](const TableCost& a, const TableCost& b) { return a.cost < b.cost; });
  TableCosts costs{cells, 0, {}, {}, {}, trials, std::move(ways), crossings_of(request, setting.sensitivity, cells)};
  for (const double count : counts) costs.people += count;
  if (setting.gaussian) {
    costs.mu = setting.gaussian->mu();
    costs.rho = *costs.mu * *costs.mu / 2;
    costs.sigma = std::sqrt(setting.gaussian->variance());
  }
  return costs;
}

}  // namespace tacet
