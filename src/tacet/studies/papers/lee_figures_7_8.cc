#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

#include <fmt/format.h>

#include "tacet/numeric/insecure_counts.h"
#include "tacet/planning/simulated_cost.h"
#include "tacet/planning/table_costs.h"
#include "tacet/studies/papers/lee_tables.h"
#include "tacet/studies/study_list.h"

namespace tacet::studies::lee_figures_7_8 {
namespace {

constexpr std::array<int, 2> kModels = {1, 2};
constexpr std::array<std::size_t, 3> kSizes = {5, 10, 15};
constexpr std::array<const char*, 2> kMus = {"0.1", "0.25"};
/// The paper's are not in its text; the last is for the limit.
constexpr std::array<double, 9> kPeople = {20, 50, 100, 200, 500, 1000, 2000, 10000, 100000};
constexpr double kLimit = 100000;
/// Of the noise on each table.
constexpr std::size_t kNoises = 20;

/// What is measured of each table.
enum Quantity : std::size_t {
  G,
  R,
  Js0,
  Js,
  Rjs,
  Lap,
  CutG,
  CutR,
  CutJs0,
  CutJs,
  CutRjs,
  CutLap,
  Simplex,
  RjsSimplex,
  OffJs0,
  OffJs,
  OffRjs,
  CutDifference,
  kQuantities
};
constexpr std::array<const char*, 6> kNames = {"M_G", "M_r", "M_JS0", "M_JS", "M_rJS", "M_Lap"};
/// Ours: the nearest table with the public total in place of truncation.
constexpr std::array<const char*, 2> kOurs = {"M_r, js+, simplex (ours)", "M_rJS, simplex (ours)"};

struct Setting {
  int model;
  std::size_t p;
  const char* mu;
  double n;

  std::string name() const { return fmt::format("model={} p={} mu={} n={}", model, p, mu, n); }
  std::vector<double> shares() const {
    std::vector<double> all(p);
    for (std::size_t i = 0; i < p; ++i) all[i] = model == 1 ? 1 : static_cast<double>(i + 1);
    const double sum = std::accumulate(all.begin(), all.end(), 0.0);
    for (double& share : all) share /= sum;
    return all;
  }
};

template <class Use>
void for_all(const Use& use) {
  for (const char* mu : kMus) {
    for (const int model : kModels) {
      for (const std::size_t p : kSizes) {
        for (const double n : kPeople) use(Setting{model, p, mu, n});
      }
    }
  }
}

double exact(const std::vector<planning::TableCost>& costs, std::string_view name) {
  const auto found = std::find_if(costs.begin(), costs.end(), [name](const planning::TableCost& cost) { return cost.name == name; });
  return found == costs.end() ? -1 : found->cost;
}

/// Costs of one table; with `seed` for what has no formula.
Result<std::array<double, kQuantities>> costs_of(const std::vector<double>& counts, const Decimal& mu_squared,
                                                 const std::vector<TableMechanism>& whole, const std::vector<TableMechanism>& cut,
                                                 std::uint64_t seed) {
  TACET_TRY(const planning::TableDesign design, planning::TableDesign::of(counts, privacy::GaussianLoss{mu_squared}));
  const std::vector<planning::TableCost> exact_ones = planning::exact_costs(design);
  std::array<double, kQuantities> q{};
  q[G] = exact(exact_ones, "gaussian");
  q[R] = exact(exact_ones, "rank_deficient");
  q[Js0] = exact(exact_ones, "js0");
  q[Js] = exact(exact_ones, "js");
  q[Rjs] = exact(exact_ones, "rjs");
  q[Lap] = inference::noise_cost(whole[Lap].noise, counts.size());
  q[CutG] = exact(exact_ones, "gaussian_nonnegative");
  q[CutR] = exact(exact_ones, "rank_deficient_nonnegative");
  const auto simulated = [&](const TableMechanism& of, std::optional<double> unprojected) -> Result<double> {
    TACET_TRY(const planning::SimulatedCost cost, planning::simulate_cost(counts, of.noise, of.denoise, {kNoises, seed}, unprojected));
    return cost.cost;
  };
  for (const Quantity shrunk : {Js0, Js, Rjs}) {
    TACET_TRY(q[CutG + shrunk], simulated(cut[shrunk], q[shrunk]));
    TACET_TRY(const double cost, simulated(whole[shrunk], std::nullopt));
    q[OffJs0 + shrunk - Js0] = cost - q[shrunk];
  }
  TACET_TRY(q[CutLap], simulated(cut[Lap], q[Lap]));
  constexpr auto kSimplex = Projection::Simplex;
  TACET_TRY(q[Simplex], simulated({kOurs[0], whole[R].noise, {.shrink = inference::Shrinkage::PositivePart, .project = kSimplex}},
                                  exact(exact_ones, "rank_deficient_js+")));
  TACET_TRY(q[RjsSimplex], simulated({kOurs[1], whole[Rjs].noise, {.shrink = whole[Rjs].denoise.shrink, .project = kSimplex}}, q[Rjs]));
  q[CutDifference] = q[CutJs] - q[CutRjs];
  return q;
}

/// Sums: of each quantity, then of their squares.
Result<Sums> run(const Setting& setting, Piece& piece) {
  TACET_TRY(const std::vector<TableMechanism> whole, table_mechanisms(setting.mu, Projection::None));
  TACET_TRY(const std::vector<TableMechanism> cut, table_mechanisms(setting.mu, Projection::Nonnegative));
  TACET_TRY(const Decimal mu, Decimal::parse(setting.mu));
  const Decimal mu_squared = mu * mu;
  std::vector<double> drawn(setting.p * piece.trials), counts(setting.p);
  numeric::draw_multinomials(piece.stream, setting.n, setting.shares(), piece.trials, drawn);
  Sums sums(2 * kQuantities);
  for (std::size_t t = 0; t < piece.trials; ++t) {
    for (std::size_t i = 0; i < setting.p; ++i) counts[i] = drawn[i * piece.trials + t];
    TACET_TRY(const auto q, costs_of(counts, mu_squared, whole, cut, piece.seed + t));
    for (std::size_t i = 0; i < kQuantities; ++i) {
      sums[i] += q[i];
      sums[kQuantities + i] += q[i] * q[i];
    }
  }
  return sums;
}

std::vector<Cell> cells(const Effort& effort) {
  std::vector<Cell> all;
  for_all([&](const Setting& setting) {
    all.push_back({setting.name(), effort.of(1000, 50), 250, [setting](Piece& piece) { return run(setting, piece); }});
  });
  return all;
}

/// A mean over tables, with its standard error.
struct Mean {
  double value, error;
};
Mean mean_of(const Measured& measured, const Setting& setting, std::size_t quantity) {
  const double trials = measured.trials(setting.name()), mean = measured.mean(setting.name(), quantity);
  const double square = measured.mean(setting.name(), kQuantities + quantity);
  return {mean, std::sqrt(std::max(square - mean * mean, 0.0) / std::max(trials - 1, 1.0))};
}

report::Figure figure_of(const Measured& measured, const char* mu, bool cut) {
  report::Figure figure{.title = fmt::format("Lee, Figure {}: L2 costs {} truncation, mu = {}", cut ? 8 : 7, cut ? "with" : "without", mu),
                        .panels = {},
                        .columns = kSizes.size()};
  for (const int model : kModels) {
    for (const std::size_t p : kSizes) {
      report::Panel panel{.title = fmt::format("Model {}, p = {}", model == 1 ? "I" : "II", p),
                          .x = {"people", true},
                          .y = {"L2 cost", true},
                          .series = {}};
      const auto add = [&](const char* name, std::size_t quantity) {
        report::Series series{name, {}, report::Mark::Line};
        for (const double n : kPeople) series.points.push_back({n, mean_of(measured, {model, p, mu, n}, quantity).value});
        panel.series.push_back(std::move(series));
      };
      for (std::size_t i = 0; i < kNames.size(); ++i) add(kNames[i], i + (cut ? CutG : G));
      for (std::size_t i = 0; i < kOurs.size() && cut; ++i) add(kOurs[i], i + Simplex);
      figure.panels.push_back(std::move(panel));
    }
  }
  return figure;
}

Table table_of(const Measured& measured) {
  Table table{"costs", "L2 costs", {"model", "p", "mu", "n"}, {}};
  for (const char* cut : {"", ", truncated"})
    for (const char* name : kNames) table.columns.push_back(fmt::format("{}{}", name, cut));
  for (const char* name : kOurs) table.columns.emplace_back(name);
  for_all([&](const Setting& setting) {
    std::vector<Entry> row = {static_cast<double>(setting.model), static_cast<double>(setting.p), setting.mu, setting.n};
    for (std::size_t i = 0; i <= RjsSimplex; ++i) row.emplace_back(mean_of(measured, setting, i).value);
    table.rows.push_back(std::move(row));
  });
  return table;
}

/// Counts settings in which something holds, and keeps the worst of a number.
struct Tally {
  double held = 0, all = 0, least = 1e300, most = -1e300;
  void add(bool holds, double number) {
    held += holds ? 1 : 0;
    ++all;
    least = std::min(least, number);
    most = std::max(most, number);
  }
  bool everywhere() const { return held == all; }
};

void add_verdicts_on_formulas(Findings& found, const Measured& measured) {
  std::vector<std::pair<std::string, Comparison>> by_formula;
  Tally constant, dominance, lower_shrunk;
  for_all([&](const Setting& setting) {
    const auto mean = [&](std::size_t quantity) { return mean_of(measured, setting, quantity).value; };
    for (const Quantity shrunk : {Js0, Js, Rjs}) {
      const Mean off = mean_of(measured, setting, OffJs0 + shrunk - Js0);
      by_formula.emplace_back(fmt::format("{} {}", kNames[shrunk], setting.name()),
                              Comparison{mean(shrunk) + off.value, mean(shrunk),
                                         allowed_errors(6 * kModels.size() * kSizes.size() * kPeople.size()) * off.error});
    }
    const double variance = 2 / std::pow(std::stod(setting.mu), 2), p = static_cast<double>(setting.p);
    constant.add(std::abs(mean(G) / (p * variance) - 1) < 1e-9 && std::abs(mean(R) / ((p - 1) * variance) - 1) < 1e-9, 0);
    dominance.add(mean(R) < mean(G) && mean(Js0) < mean(G) && mean(Js) < mean(G) && mean(Rjs) < mean(R), mean(Rjs) / mean(G));
  });
  found.verdicts.push_back(holds("without truncation the costs of M_G and M_r are p 2/mu^2 and (p - 1) 2/mu^2 for every N",
                                 constant.everywhere(), {{"settings", constant.all}, {"held", constant.held}}, "Theorems 1 and 2"));
  found.verdicts.push_back(all_agree("the costs of M_JS0, M_JS and M_rJS by Lemma B.3 are those of simulated releases", by_formula));
  found.verdicts.push_back(holds("M_r, M_JS0 and M_JS cost less than M_G, and M_rJS less than M_r (Figure 1)", dominance.everywhere(),
                                 {{"settings", dominance.all}, {"held", dominance.held}, {"M_rJS over M_G at best", dominance.least}}, ""));
}

void add_verdicts_on_truncation(Findings& found, const Measured& measured) {
  Tally never_more, saves_little, saves_much, laplace;
  double shifts = 0, wrong_shifts = 0;
  for_all([&](const Setting& setting) {
    const auto mean = [&](std::size_t quantity) { return mean_of(measured, setting, quantity); };
    for (std::size_t i = G; i <= Lap; ++i) {
      const double saved = 1 - mean(CutG + i).value / mean(i).value;
      never_more.add(saved >= -4 * mean(CutG + i).error / mean(i).value - 1e-9, saved);
      if (i > R) continue;
      if (setting.n == kLimit) saves_little.add(saved < 1e-3, saved);
      if (setting.n == kPeople[0]) saves_much.add(saved > 0.1, saved);
    }
    const double before = mean(Js).value - mean(Rjs).value, error = 4 * mean(CutDifference).error;
    shifts += mean(CutDifference).value > before + error ? 1 : 0;
    wrong_shifts += mean(CutDifference).value < before - error ? 1 : 0;
    laplace.add(mean(Lap).value > mean(G).value && mean(CutLap).value > mean(CutG).value, mean(Lap).value / mean(G).value);
  });
  found.verdicts.push_back(holds("truncation never costs (Proposition 8)", never_more.everywhere(),
                                 {{"compared", never_more.all}, {"held", never_more.held}, {"most_saved", never_more.most}},
                                 "Within 4 standard errors where the cost is simulated"));
  found.verdicts.push_back(holds(
      "truncated, M_G and M_r cost less for small N, and as before for large N", saves_much.everywhere() && saves_little.everywhere(),
      {{"saved at 20, least", saves_much.least}, {"saved at 20, most", saves_much.most}, {"saved at 100000, most", saves_little.most}},
      ""));
  found.verdicts.push_back(holds("truncation takes more off the cost of M_rJS than off that of M_JS", shifts > 2 * wrong_shifts,
                                 {{"more", shifts}, {"less", wrong_shifts}, {"settings", laplace.all}},
                                 "Beyond 4 standard errors; elsewhere the two are alike. It is where the table is small for its noise"));
  found.verdicts.push_back(holds("Laplace noise costs most everywhere", laplace.everywhere(),
                                 {{"settings", laplace.all}, {"held", laplace.held}, {"least_ratio", laplace.least}},
                                 "Over M_G, with and without truncation; the paper says so in its introduction"));
}

void add_verdicts_on_ours(Findings& found, const Measured& measured) {
  Tally simplex, first, towards_mean;
  for_all([&](const Setting& setting) {
    const auto mean = [&](std::size_t quantity) { return mean_of(measured, setting, quantity); };
    const auto not_above = [&](Tally& tally, std::size_t ours, std::size_t theirs) {
      tally.add(mean(ours).value <= mean(theirs).value + 4 * (mean(ours).error + mean(theirs).error),
                mean(ours).value / mean(theirs).value);
    };
    not_above(simplex, RjsSimplex, CutRjs);
    not_above(towards_mean, Simplex, CutJs);
    for (std::size_t theirs = CutG; theirs <= CutRjs && setting.model == 1; ++theirs) not_above(first, Simplex, theirs);
  });
  found.verdicts.push_back(
      holds("M_rJS costs less with the nearest table of the public total than with truncation", simplex.everywhere(),
            {{"settings", simplex.all}, {"held", simplex.held}, {"ratio_at_best", simplex.least}, {"at_worst", simplex.most}},
            "Also post-processing, so of the same privacy; within 4 standard errors", Outcome::Better));
  found.verdicts.push_back(
      holds("positive-part shrinkage of M_r and the nearest table cost less than M_JS in both models, and than all in Model I",
            towards_mean.everywhere() && first.everywhere(),
            {{"compared", towards_mean.all + first.all},
             {"ratio_at_best", std::min(towards_mean.least, first.least)},
             {"at_worst", std::max(towards_mean.most, first.most)}},
            "Within 4 standard errors. In Model II M_rJS is better still: the line that it shrinks towards rises with the cells, as that "
            "model does",
            Outcome::Better));
}

/// With m = p - 3 coordinates less 2, J a Poisson variable of half the noncentrality, the cost of
/// M_JS is s^2 (3 + E[2 m J/(m + 2 J)]) by Lemma B.3. That of M_rJS is the same with m = p - 4 and
/// a noncentrality that is not larger, |(I - 11'/q) U' x| <= |U' x|, and grows with both.
void add_verdicts_on_order(Findings& found, const Measured& measured) {
  Tally first, second, limit, near_base, towards_mean, towards_mean_small;
  for_all([&](const Setting& setting) {
    const auto mean = [&](std::size_t quantity) { return mean_of(measured, setting, quantity).value; };
    const double ratio = mean(Js) / mean(Rjs);
    (setting.model == 1 ? first : second).add(ratio > 1, ratio);
    if (setting.n == kLimit) {
      limit.add(ratio > 1, ratio);
      const double least = std::min(mean(Js) / mean(G), mean(Rjs) / mean(R));
      near_base.add(least > 0.95, least);
    }
    (setting.n >= 100 ? towards_mean : towards_mean_small).add(mean(Js) < mean(Js0), mean(Js) / mean(Js0));
  });
  found.verdicts.push_back(differs(
      "Model I: M_JS costs less than M_rJS for many N", first.everywhere(),
      {{"settings", first.all}, {"M_rJS costs less", first.held}, {"least_ratio", first.least}, {"greatest_ratio", first.most}},
      "M_rJS costs less for every table, by Lemma B.3 itself: with k coordinates shrunk and a noncentrality d the cost is s^2 (3 + E[2 m "
      "J/(m + 2 "
      "J)]), m = k - 2, J Poisson with mean d/2, which grows with k and d, and both are smaller for M_rJS. So it dominates M_JS, which the "
      "paper leaves undecided. In Model I the two are within a few percent for small N, which few simulated tables do not resolve"));
  found.verdicts.push_back(
      holds("Model II: M_rJS costs less than M_JS except for small N", second.everywhere(),
            {{"settings", second.all}, {"held", second.held}, {"least_ratio", second.least}, {"greatest_ratio", second.most}},
            "For small N too"));
  found.verdicts.push_back(holds(
      "as N grows M_JS comes to M_G and M_rJS to M_r, so M_rJS costs less in both models", limit.everywhere() && near_base.everywhere(),
      {{"settings", limit.all}, {"least_ratio", limit.least}, {"least ratio to M_G or M_r", near_base.least}}, "At N = 100000"));
  found.verdicts.push_back(holds("M_JS costs less than M_JS0", towards_mean.everywhere(),
                                 {{"settings", towards_mean.all},
                                  {"held", towards_mean.held},
                                  {"greatest_ratio", towards_mean.most},
                                  {"held for N of 20 and 50", towards_mean_small.held},
                                  {"of", towards_mean_small.all}},
                                 "From N = 100 on. A smaller table is as near to 0 as to its mean, and M_JS0 shrinks one coordinate more"));
}

Result<Findings> conclude(const Measured& measured) {
  Findings found;
  found.tables.push_back(table_of(measured));
  for (const bool cut : {false, true})
    for (const char* mu : kMus) found.figures.push_back(figure_of(measured, mu, cut));
  add_verdicts_on_formulas(found, measured);
  add_verdicts_on_order(found, measured);
  add_verdicts_on_truncation(found, measured);
  add_verdicts_on_ours(found, measured);
  return found;
}

}  // namespace

Study make() {
  return {
      .name = "lee_figures_7_8",
      .title = "L2 costs of the mechanisms for tables",
      .paper = "Lee, Figures 7 and 8 (section 4.2.2)",
      .shows =
          "Squared errors of noisy tables, averaged over multinomial tables of two models. The pictures, the N and the number of tables "
          "are not in the text of the paper: here N is 20 to 100000, and there are 1000 tables. Costs have formulas where there are any.",
      .version = 1,
      .seconds = 8,
      .cells = cells,
      .conclude = conclude};
}

}  // namespace tacet::studies::lee_figures_7_8
