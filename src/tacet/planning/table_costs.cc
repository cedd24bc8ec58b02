#include "tacet/planning/table_costs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include <fmt/format.h>

#include "tacet/inference/block_sum.h"
#include "tacet/mechanisms/laplace_loss.h"
#include "tacet/planning/james_stein_risk.h"
#include "tacet/privacy/parameters.h"

namespace tacet::planning {
namespace {

using accounting::LaplaceRule;
using inference::block_sum;
using inference::Projection;
using inference::Shrinkage;
using kernel::NoiseFamily;
using mechanisms::CountMechanism;
using mechanisms::NoiseDistribution;
using mechanisms::NoiseStructure;

constexpr double kMostCount = 0x1p53;
constexpr std::size_t kMostCells = 10'000'000;
constexpr double kLeastMu = 1e-100;
constexpr double kMostMu = 1e6;
/// The domain of the rules for Laplace noise.
constexpr double kLeastLaplaceMu = 1e-9;
constexpr double kMostLaplaceMu = 40;

const Decimal kL1(2);

Status check_cells(std::size_t cells, const char* name) {
  if (cells >= 1 && cells <= kMostCells) return {};
  return Error::invalid(name, fmt::format("{} cells", cells), fmt::format("must be from 1 to {} cells", kMostCells));
}

Status check_mu(double mu_squared) {
  const double mu = std::sqrt(mu_squared);
  if (mu >= kLeastMu && mu <= kMostMu) return {};
  return Error::invalid("mu", fmt::format("{}", mu), "must be from 1e-100 to 1e6", "for example: mu = 0.5");
}

/// The squared distance of the truth from its target, over the variance of the noise.
struct Noncentrality {
  double from_zero, from_mean, from_line;
};

Noncentrality noncentrality(const TableDesign& design) {
  const std::vector<double>& counts = design.counts();
  const std::size_t cells = counts.size();
  const double mean = design.total() / static_cast<double>(cells);
  const auto from_mean = [&](std::size_t i) { return counts[i] - mean; };
  const std::vector<double> line = inference::helmert_line(cells);
  const double per_line = std::max(1.0, static_cast<double>(cells) - 1);
  const double along = block_sum(cells, [&](std::size_t i) { return line[i] * from_mean(i); }) / per_line;
  const auto squares = [&](const auto& distance) {
    return block_sum(cells, [&](std::size_t i) { return distance(i) * distance(i); }) / design.variance();
  };
  return {squares([&](std::size_t i) { return counts[i]; }), squares(from_mean),
          squares([&](std::size_t i) { return from_mean(i) - along * line[i]; })};
}

/// 1 - E[(max(0, t + Z) - t)^2], Z standard normal, t >= 0: the saving of truncation.
double saved_of_normal(double t) {
  const double below = std::erfc(t / std::numbers::sqrt2) / 2;
  const double density = std::exp(-t * t / 2) / std::sqrt(2 * std::numbers::pi);
  if (below == 0 || density == 0) return 0;
  return std::max(0.0, below + t * (density - t * below));
}

/// 2 - E[(max(0, t + L) - t)^2], L standard Laplace.
double saved_of_laplace(double t) { return (1 + t) * std::exp(-t); }

template <class Saved>
double truncated_cost(const std::vector<double>& counts, double cost, double scale, const Saved& saved) {
  if (!(scale > 0)) return cost;
  return cost - scale * scale * block_sum(counts.size(), [&](std::size_t i) { return saved(counts[i] / scale); });
}

/// The scales of Laplace noise for a table, and for any statistic of the same L1 norm.
struct LaplaceScales {
  double table, universal;
};

Result<LaplaceScales> scales_for_mu(double target) {
  TACET_TRY(const Decimal decimal, Decimal::from_shortest(target));
  TACET_TRY(const privacy::Mu mu, privacy::Mu::of(decimal));
  TACET_TRY(const accounting::LaplaceScale table, accounting::laplace_scale_table(mu, kL1));
  TACET_TRY(const accounting::LaplaceScale universal, accounting::laplace_scale_universal(mu, kL1));
  return LaplaceScales{table.value(), universal.value()};
}

Result<LaplaceScales> scales_for_rho(double mu) {
  TACET_TRY(const Decimal decimal, Decimal::from_shortest(mu * mu / 2));
  TACET_TRY(const privacy::Rho rho, privacy::Rho::of(decimal));
  const auto scale = [&](const kernel::Sensitivity& sensitivity) -> Result<double> {
    TACET_TRY(const privacy::Loss loss, mechanisms::laplace_loss(sensitivity, privacy::budget_of(rho), privacy::Currency::Zcdp));
    return 2 / privacy::pure_epsilon(loss)->approximate();
  };
  TACET_TRY(const double table, scale({kernel::Relation::ReplaceOne, 2, 2}));
  TACET_TRY(const double universal, scale({kernel::Relation::ReplaceOne, 2, 4}));
  return LaplaceScales{table, universal};
}

/// Of the coordinates of a table, `lost` have no noise, `kept` keep theirs, and the others are
/// shrunk at the cost of `risk`.
TableCost shrunk(const TableDesign& design, TableCost unshrunk, double (*risk)(double, double), double kept, double lost, double distance) {
  unshrunk.helps = design.counts().size() >= inference::fewest_cells(unshrunk.way.shrink);
  if (!unshrunk.helps) return unshrunk;
  const double k = static_cast<double>(design.counts().size()) - kept - lost;
  unshrunk.cost = design.variance() * (kept + risk(k, distance));
  return unshrunk;
}

struct Simulated {
  const char* name;
  const char* unprojected;  // the method without the projection, whose cost is exact
  TableWay way;
};
constexpr std::array<Simulated, 5> kSimulated = {
    {{"simplex", "rank_deficient", {CountMechanism::RankDeficient, Shrinkage::None, Projection::Simplex}},
     {"rank_deficient_js+_simplex", "rank_deficient_js+", {CountMechanism::RankDeficient, Shrinkage::PositivePart, Projection::Simplex}},
     {"js_nonnegative", "js", {CountMechanism::Gaussian, Shrinkage::TowardsMean, Projection::Nonnegative}},
     {"rjs_nonnegative", "rjs", {CountMechanism::RankDeficient, Shrinkage::RankDeficient, Projection::Nonnegative}},
     {"rjs_simplex", "rjs", {CountMechanism::RankDeficient, Shrinkage::RankDeficient, Projection::Simplex}}}};

}  // namespace

TableDesign::TableDesign(std::vector<double> counts, double mu_squared)
    : counts_(std::move(counts)), total_(block_sum(counts_)), mu_(std::sqrt(mu_squared)), variance_(2 / mu_squared) {}

Result<TableDesign> TableDesign::of(std::vector<double> counts, const privacy::GaussianLoss& loss) {
  TACET_CHECK(check_cells(counts.size(), "counts"));
  for (const double count : counts) {
    if (!(count >= 0 && count <= kMostCount)) {
      return Error::invalid("counts", fmt::format("a list with {}", count), "must be numbers from 0 to 2^53",
                            "for example: counts = 75,149,28");
    }
  }
  const double mu_squared = loss.mu_squared.approximate();
  TACET_CHECK(check_mu(mu_squared));
  return TableDesign(std::move(counts), mu_squared);
}

Result<TableDesign> TableDesign::uniform(double n, std::size_t p, const privacy::GaussianLoss& loss) {
  TACET_CHECK(check_cells(p, "p"));
  TACET_CHECK(mechanisms::check_people(n));
  return of(std::vector<double>(p, n / static_cast<double>(p)), loss);
}

std::vector<TableCost> exact_costs(const TableDesign& design) {
  const std::vector<double>& counts = design.counts();
  const auto p = static_cast<double>(counts.size());
  const double variance = design.variance();
  const Noncentrality distance = noncentrality(design);
  const double gaussian = p * variance;
  const double rank_deficient = (p - 1) * variance;
  const auto from_gaussian = [&](const char* name, Shrinkage shrink, Projection project = Projection::None) {
    return TableCost{name, gaussian, {}, {CountMechanism::Gaussian, shrink, project}};
  };
  const auto from_deficient = [&](const char* name, Shrinkage shrink, Projection project = Projection::None) {
    return TableCost{name, rank_deficient, {}, {CountMechanism::RankDeficient, shrink, project}};
  };
  std::vector<TableCost> costs;
  costs.push_back(from_gaussian("gaussian", Shrinkage::None));
  costs.push_back(from_gaussian("gaussian_nonnegative", Shrinkage::None, Projection::Nonnegative));
  costs.back().cost = truncated_cost(counts, gaussian, std::sqrt(variance), saved_of_normal);
  costs.push_back(shrunk(design, from_gaussian("js0", Shrinkage::TowardsZero), james_stein_risk, 0, 0, distance.from_zero));
  costs.push_back(shrunk(design, from_gaussian("js", Shrinkage::TowardsMean), james_stein_risk, 1, 0, distance.from_mean));
  costs.push_back(shrunk(design, from_gaussian("js+", Shrinkage::PositivePart), positive_part_risk, 1, 0, distance.from_mean));
  costs.push_back(from_deficient("rank_deficient", Shrinkage::None));
  costs.push_back(from_deficient("rank_deficient_nonnegative", Shrinkage::None, Projection::Nonnegative));
  costs.back().cost = truncated_cost(counts, rank_deficient, std::sqrt(variance * (1 - 1 / p)), saved_of_normal);
  costs.push_back(shrunk(design, from_deficient("rank_deficient_js", Shrinkage::TowardsMean), james_stein_risk, 0, 1, distance.from_mean));
  costs.push_back(
      shrunk(design, from_deficient("rank_deficient_js+", Shrinkage::PositivePart), positive_part_risk, 0, 1, distance.from_mean));
  costs.push_back(shrunk(design, from_deficient("rjs", Shrinkage::RankDeficient), james_stein_risk, 1, 1, distance.from_line));
  return costs;
}

Result<std::vector<TableCost>> laplace_costs(const TableDesign& design, privacy::Currency promise) {
  std::vector<TableCost> costs;
  if (design.mu() < kLeastLaplaceMu || design.mu() > kMostLaplaceMu) return costs;
  TACET_TRY(const LaplaceScales scales, promise == privacy::Currency::Zcdp ? scales_for_rho(design.mu()) : scales_for_mu(design.mu()));
  const auto p = static_cast<double>(design.counts().size());
  const auto cost = [p](double scale) { return 2 * p * scale * scale; };
  const auto by = [](LaplaceRule rule, Projection project = Projection::None) {
    return TableWay{CountMechanism::Laplace, Shrinkage::None, project, rule};
  };
  const double truncated = truncated_cost(design.counts(), cost(scales.table), scales.table, saved_of_laplace);
  costs.push_back({"laplace", cost(scales.table), {}, by(LaplaceRule::Table)});
  costs.push_back({"laplace_nonnegative", truncated, {}, by(LaplaceRule::Table, Projection::Nonnegative)});
  costs.push_back({"laplace_universal", cost(scales.universal), {}, by(LaplaceRule::Universal)});
  return costs;
}

Result<std::vector<TableCost>> simulated_costs(const TableDesign& design, Simulation simulation) {
  const std::vector<TableCost> exact = exact_costs(design);
  std::vector<TableCost> costs;
  for (const Simulated& one : kSimulated) {
    if (design.counts().size() < inference::fewest_cells(one.way.shrink)) continue;
    const auto start = std::find_if(exact.begin(), exact.end(), [&one](const TableCost& cost) { return cost.name == one.unprojected; });
    const auto structure = one.way.mechanism == CountMechanism::RankDeficient ? NoiseStructure::SumZero : NoiseStructure::Independent;
    const NoiseDistribution noise{NoiseFamily::Gaussian, std::sqrt(design.variance()), structure};
    TACET_TRY(const SimulatedCost simulated,
              simulate_cost(design.counts(), noise, {.shrink = one.way.shrink, .project = one.way.project}, simulation, start->cost));
    costs.push_back({one.name, simulated.cost, simulated.standard_error, one.way});
  }
  return costs;
}

}  // namespace tacet::planning
