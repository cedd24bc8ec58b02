#include "tacet/workflow/plan/plan_costs.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tacet {
namespace {

using planning::TableDesign;

/// Noise values for each simulated way, if the request does not give the number of trials.
constexpr std::size_t kSimulatedCells = 2'000'000;
constexpr std::size_t kUsualTrials = 4000;

Result<privacy::GaussianLoss> gaussian_loss(const GaussianAmount& amount) {
  const PrivacyAmount same = std::visit([](const auto& one) { return PrivacyAmount(one); }, amount);
  TACET_TRY(const privacy::Loss loss, loss_of(same));
  return std::get<privacy::GaussianLoss>(loss);
}

Result<TableDesign> design_of(const TableCostsRequest& request) {
  TACET_TRY(const privacy::GaussianLoss loss, gaussian_loss(request.loss));
  if (const auto* even = std::get_if<EvenTable>(&request.table))
    return TableDesign::uniform(static_cast<double>(even->people), even->cells, loss);
  return TableDesign::of(std::get<std::vector<double>>(request.table), loss);
}

}  // namespace

Result<TableCosts> plan_costs(const TableCostsRequest& request, const Context& context) {
  TACET_TRY(const TableDesign design, design_of(request));
  const std::size_t cells = design.counts().size();
  const std::size_t trials = request.trials.value_or(std::clamp(kSimulatedCells / cells, planning::kFewestTrials, kUsualTrials));
  context.tell("computing costs");
  std::vector<TableCost> ways = planning::exact_costs(design);
  const auto currency = std::holds_alternative<Rho>(request.loss) ? privacy::Currency::Zcdp : privacy::Currency::Gdp;
  TACET_TRY(const std::vector<TableCost> laplace, planning::laplace_costs(design, currency));
  ways.insert(ways.end(), laplace.begin(), laplace.end());
  if (trials > 0) {
    context.tell("simulating");
    TACET_TRY(const std::vector<TableCost> simulated, planning::simulated_costs(design, {trials, request.seed}));
    ways.insert(ways.end(), simulated.begin(), simulated.end());
  }
  std::stable_sort(ways.begin(), ways.end(), [](const TableCost& a, const TableCost& b) { return a.cost < b.cost; });
  return TableCosts{cells, design.total(), design.mu(), 1 / design.variance(), std::sqrt(design.variance()), trials, std::move(ways)};
}

}  // namespace tacet
