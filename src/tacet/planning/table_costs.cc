#include "tacet/planning/table_costs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <utility>

#include <fmt/format.h>

#include "tacet/inference/block_sum.h"
#include "tacet/mechanisms/laplace_loss.h"
#include "tacet/numeric/insecure_counts.h"
#include "tacet/numeric/insecure_stream.h"
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

constexpr std::size_t kMostTables = 1'000'000;
/// The bounds of a sensitivity.
constexpr double kLeastSensitivity = 1e-50;
constexpr double kMostSensitivity = 1e50;

Status check_cells(std::size_t cells, const char* name) {
  if (cells >= 1 && cells <= kMostCells) return {};
  return Error::invalid(name, fmt::format("{} cells", cells), fmt::format("must be from 1 to {} cells", kMostCells));
}

Status check_counts(const std::vector<double>& counts) {
  TACET_CHECK(check_cells(counts.size(), "counts"));
  for (const double count : counts) {
    if (count >= 0 && count <= kMostCount) continue;
    return Error::invalid("counts", fmt::format("a list with {}", count), "must be numbers from 0 to 2^53",
                          "for example: counts = 75,149,28");
  }
  return {};
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

Result<LaplaceScales> scales_for_mu(double target, const TableSensitivity& sensitivity) {
  TACET_TRY(const Decimal decimal, Decimal::from_shortest(target));
  TACET_TRY(const privacy::Mu mu, privacy::Mu::of(decimal));
  TACET_TRY(const Decimal l1, Decimal::from_shortest(sensitivity.l1));
  TACET_TRY(const accounting::LaplaceScale universal, accounting::laplace_scale_universal(mu, l1));
  double sharpest = universal.value();
  if (sensitivity.rule == LaplaceRule::Table) {
    TACET_TRY(const accounting::LaplaceScale table, accounting::laplace_scale_table(mu, l1));
    sharpest = table.value();
  } else if (sensitivity.rule == LaplaceRule::OneOrTwoDimensional) {
    TACET_TRY(const accounting::LaplaceScale one, accounting::laplace_scale_one_or_two_dimensional(mu, l1, 1));
    sharpest = one.value();
  }
  return LaplaceScales{sharpest, universal.value()};
}

/// The price in rho depends on the shifts over the scale alone, so any L1 norm has the epsilon of a
/// norm of 2: of a table in two cells, of any other statistic in the worst case in one.
Result<LaplaceScales> scales_for_rho(double mu, const TableSensitivity& sensitivity) {
  TACET_TRY(const Decimal decimal, Decimal::from_shortest(mu * mu / 2));
  TACET_TRY(const privacy::Rho rho, privacy::Rho::of(decimal));
  const auto epsilon = [&](std::int64_t l2_squared) -> Result<double> {
    TACET_TRY(const privacy::Loss loss, mechanisms::laplace_loss(kernel::Sensitivity{kernel::Relation::ReplaceOne, 2, l2_squared},
                                                                 privacy::budget_of(rho), privacy::Currency::Zcdp));
    return privacy::pure_epsilon(loss)->approximate();
  };
  TACET_TRY(const double universal, epsilon(4));
  double sharpest = universal;
  if (sensitivity.rule == LaplaceRule::Table) {
    TACET_TRY(sharpest, epsilon(2));
  }
  return LaplaceScales{sensitivity.l1 / sharpest, sensitivity.l1 / universal};
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

TableSensitivity plain_counts(kernel::Relation::Kind neighbours) {
  if (neighbours == kernel::Relation::ReplaceOne) return {};
  return {.l1 = 1, .l2_squared = 1, .public_total = false, .rule = LaplaceRule::OneOrTwoDimensional};
}

Result<TableSensitivity> any_statistic(double l1, double l2) {
  if (!(l2 >= kLeastSensitivity && l2 <= kMostSensitivity))
    return Error::invalid("l2", fmt::format("{}", l2), "must be from 1e-50 to 1e50", "for example: l1 = 2 l2 = 1.5");
  if (!(l1 >= l2 && l1 <= kMostSensitivity)) {
    return Error::invalid("l1", fmt::format("{}", l1), fmt::format("must be at least l2, which is {}, and at most 1e50", l2),
                          "no change is longer in the L2 norm than in the L1 norm");
  }
  return TableSensitivity{.l1 = l1, .l2_squared = l2 * l2, .public_total = false, .rule = {}};
}

TableDesign::TableDesign(std::vector<double> counts, double mu_squared, const TableSensitivity& sensitivity)
    : counts_(std::move(counts)),
      sensitivity_(sensitivity),
      total_(block_sum(counts_)),
      mu_squared_(mu_squared),
      mu_(std::sqrt(mu_squared)),
      variance_(sensitivity.l2_squared / mu_squared) {}

Result<TableDesign> TableDesign::of(std::vector<double> counts, const privacy::GaussianLoss& loss, const TableSensitivity& sensitivity) {
  TACET_CHECK(check_counts(counts));
  const double mu_squared = loss.mu_squared.approximate();
  TACET_CHECK(check_mu(mu_squared));
  return TableDesign(std::move(counts), mu_squared, sensitivity);
}

Result<TableDesign> TableDesign::uniform(double n, std::size_t p, const privacy::GaussianLoss& loss, const TableSensitivity& sensitivity) {
  TACET_CHECK(check_cells(p, "p"));
  TACET_CHECK(mechanisms::check_people(n));
  return of(std::vector<double>(p, n / static_cast<double>(p)), loss, sensitivity);
}

Result<TableDesign> TableDesign::with(std::vector<double> counts) const {
  TACET_CHECK(check_counts(counts));
  return TableDesign(std::move(counts), mu_squared_, sensitivity_);
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
  if (!design.sensitivity().public_total) return costs;
  costs.push_back(from_deficient("rank_deficient", Shrinkage::None));
  costs.push_back(from_deficient("rank_deficient_nonnegative", Shrinkage::None, Projection::Nonnegative));
  costs.back().cost = truncated_cost(counts, rank_deficient, std::sqrt(variance * (1 - 1 / p)), saved_of_normal);
  costs.push_back(shrunk(design, from_deficient("rank_deficient_js", Shrinkage::TowardsMean), james_stein_risk, 0, 1, distance.from_mean));
  costs.push_back(
      shrunk(design, from_deficient("rank_deficient_js+", Shrinkage::PositivePart), positive_part_risk, 0, 1, distance.from_mean));
  costs.push_back(shrunk(design, from_deficient("rjs", Shrinkage::RankDeficient), james_stein_risk, 1, 1, distance.from_line));
  return costs;
}

Result<std::optional<LaplaceScales>> laplace_scales(const TableDesign& design, privacy::Currency promise) {
  if (design.mu() < kLeastLaplaceMu || design.mu() > kMostLaplaceMu) return std::optional<LaplaceScales>();
  TACET_TRY(const LaplaceScales scales, promise == privacy::Currency::Zcdp ? scales_for_rho(design.mu(), design.sensitivity())
                                                                           : scales_for_mu(design.mu(), design.sensitivity()));
  return std::optional(scales);
}

std::vector<TableCost> laplace_costs(const std::vector<double>& counts, const TableSensitivity& sensitivity, const LaplaceScales& scales) {
  const auto p = static_cast<double>(counts.size());
  const auto cost = [p](double scale) { return 2 * p * scale * scale; };
  const auto by = [](LaplaceRule rule, Projection project = Projection::None) {
    return TableWay{CountMechanism::Laplace, Shrinkage::None, project, rule};
  };
  const LaplaceRule sharpest = sensitivity.rule.value_or(LaplaceRule::Universal);
  const double truncated = truncated_cost(counts, cost(scales.sharpest), scales.sharpest, saved_of_laplace);
  return {{"laplace", cost(scales.sharpest), {}, by(sharpest)},
          {"laplace_nonnegative", truncated, {}, by(sharpest, Projection::Nonnegative)},
          {"laplace_universal", cost(scales.universal), {}, by(LaplaceRule::Universal), sensitivity.rule.has_value()}};
}

Result<std::vector<TableCost>> laplace_costs(const TableDesign& design, privacy::Currency promise) {
  TACET_TRY(const std::optional<LaplaceScales> scales, laplace_scales(design, promise));
  if (!scales) return std::vector<TableCost>();
  return laplace_costs(design.counts(), design.sensitivity(), *scales);
}

Result<std::vector<TableCost>> pure_laplace_costs(const std::vector<double>& counts, const TableSensitivity& sensitivity, double epsilon) {
  TACET_CHECK(check_counts(counts));
  if (!(epsilon >= kLeastMu && epsilon <= kMostMu))
    return Error::invalid("epsilon", fmt::format("{}", epsilon), "must be from 1e-100 to 1e6", "for example: epsilon = 1");
  const double scale = sensitivity.l1 / epsilon;
  const double cost = 2 * static_cast<double>(counts.size()) * scale * scale;
  const TableWay plain{CountMechanism::Laplace};
  const TableWay truncated{CountMechanism::Laplace, Shrinkage::None, Projection::Nonnegative};
  return std::vector<TableCost>{{"laplace", cost, {}, plain},
                                {"laplace_nonnegative", truncated_cost(counts, cost, scale, saved_of_laplace), {}, truncated}};
}

Result<std::vector<TableCost>> simulated_costs(const TableDesign& design, Simulation simulation) {
  const std::vector<TableCost> exact = exact_costs(design);
  std::vector<TableCost> costs;
  for (const Simulated& one : kSimulated) {
    if (design.counts().size() < inference::fewest_cells(one.way.shrink)) continue;
    if (one.way.mechanism == CountMechanism::RankDeficient && !design.sensitivity().public_total) continue;
    const auto start = std::find_if(exact.begin(), exact.end(), [&one](const TableCost& cost) { return cost.name == one.unprojected; });
    const auto structure = one.way.mechanism == CountMechanism::RankDeficient ? NoiseStructure::SumZero : NoiseStructure::Independent;
    const NoiseDistribution noise{NoiseFamily::Gaussian, std::sqrt(design.variance()), structure};
    TACET_TRY(const SimulatedCost simulated,
              simulate_cost(design.counts(), noise, {.shrink = one.way.shrink, .project = one.way.project}, simulation, start->cost));
    costs.push_back({one.name, simulated.cost, simulated.standard_error, one.way});
  }
  return costs;
}

Result<std::vector<TableCost>> mean_over_tables(
    const std::vector<double>& counts, Simulation tables,
    const std::function<Result<std::vector<TableCost>>(const std::vector<double>& table, std::size_t number)>& costs) {
  TACET_CHECK(check_counts(counts));
  if (tables.trials < 2 || tables.trials > kMostTables) {
    return Error::invalid("trials", fmt::format("{}", tables.trials),
                          fmt::format("must be a whole number from 2 to {} tables", kMostTables));
  }
  const double total = block_sum(counts);
  const double people = std::nearbyint(total);
  if (!(people >= 1 && people <= numeric::kMostDrawn)) {
    return Error::invalid("counts", fmt::format("a table of {} people", total), "must have from 1 to 2^50 people to sample from",
                          "leave sampled out for the cost of this one table");
  }
  std::vector<double> probabilities;  // of the cells that are not empty
  for (const double count : counts) {
    if (count > 0) probabilities.push_back(count / total);
  }
  numeric::InsecureStream stream(tables.seed, 1);
  std::vector<double> drawn(probabilities.size());
  std::vector<double> table(counts.size());
  std::vector<TableCost> means;
  std::vector<double> squares;
  for (std::size_t number = 0; number < tables.trials; ++number) {
    numeric::draw_multinomials(stream, people, probabilities, 1, drawn);
    for (std::size_t i = 0, cell = 0; i < counts.size(); ++i) table[i] = counts[i] > 0 ? drawn[cell++] : 0;
    TACET_TRY(const std::vector<TableCost> given, costs(table, number));
    if (number == 0) {
      means = given;
      squares.assign(given.size(), 0);
      continue;
    }
    for (std::size_t way = 0; way < means.size(); ++way) {
      const double from_mean = given[way].cost - means[way].cost;
      means[way].cost += from_mean / static_cast<double>(number + 1);
      squares[way] += from_mean * (given[way].cost - means[way].cost);
    }
  }
  constexpr double kRounding = 1e-12;
  const auto drawn_tables = static_cast<double>(tables.trials);
  for (std::size_t way = 0; way < means.size(); ++way) {
    const double error = std::sqrt(squares[way] / (drawn_tables - 1) / drawn_tables);
    // A cost that does not depend on the table is exact.
    means[way].standard_error = error > kRounding * means[way].cost ? std::optional(error) : std::nullopt;
  }
  return means;
}

}  // namespace tacet::planning
