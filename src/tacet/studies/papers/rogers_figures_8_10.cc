#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "tacet/studies/papers/rogers_settings.h"
#include "tacet/studies/papers/rogers_tests.h"
#include "tacet/studies/rate_claims.h"
#include "tacet/studies/study_list.h"

namespace tacet::studies::rogers_figures_8_10 {
namespace {

using kernel::NoiseFamily;

constexpr std::size_t kPaperTrials = 1000, kInAHurry = 500, kBlock = 500;
constexpr std::array kPeople = {500.0, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5};

constexpr std::array kMargins = {Margins{"1/2, 1/2", 1.0 / 2, 1.0 / 2}, Margins{"2/3, 1/2", 2.0 / 3, 1.0 / 2},
                                 Margins{"3/4, 3/4", 3.0 / 4, 3.0 / 4}};

mechanisms::NoiseDistribution noise_of(NoiseFamily family, double epsilon) {
  return family == NoiseFamily::Gaussian ? zcdp_noise(rho_of(epsilon)) : laplace_noise(epsilon);
}
constexpr std::array kFamilies = {NoiseFamily::Gaussian, NoiseFamily::Laplace};

struct Setting {
  const Margins* truth;
  mechanisms::NoiseDistribution noise;
  double epsilon, n;

  std::string name() const { return fmt::format("{} {} n={}", truth->name, privacy_of(noise), n); }
  std::string words() const { return fmt::format("margins {}, {}, n = {}", truth->name, privacy_of(noise), n); }
  double least_cell() const { return studies::least_cell(truth->table(), n, noise); }
};

std::vector<Setting> settings(NoiseFamily family) {
  std::vector<Setting> all;
  for (const Margins& truth : kMargins) {
    for (const double epsilon : kRogersEpsilons) {
      for (const double n : kPeople) all.push_back({&truth, noise_of(family, epsilon), epsilon, n});
    }
  }
  return all;
}

std::vector<Cell> cells(const Effort& effort) {
  std::vector<Cell> all;
  for (const NoiseFamily family : kFamilies) {
    for (const Setting& setting : settings(family)) {
      all.push_back({setting.name(), effort.of(kPaperTrials, kInAHurry), kBlock,
                     [setting](Piece& piece) { return independence_sums(setting.truth->table(), setting.n, setting.noise, piece); }});
    }
  }
  return all;
}

/// A row of panels, one for each pair of margins.
void add_panels(const Measured& measured, NoiseFamily family, IndependenceSum::Place sum, const char* variant, report::Figure& figure) {
  const std::vector<double> people(kPeople.begin(), kPeople.end());
  for (const Margins& truth : kMargins) {
    report::Panel panel{.title = fmt::format("{}: {}", truth.name, variant), .x = {"people", true}, .y = {"rejected"}, .series = {}};
    for (const double epsilon : kRogersEpsilons) {
      std::vector<Rate> rates;
      for (const double n : kPeople) rates.push_back(measured.rate(Setting{&truth, noise_of(family, epsilon), epsilon, n}.name(), sum));
      panel.series.push_back(rates_by_people(privacy_of(noise_of(family, epsilon)), people, rates));
    }
    panel.series.push_back(level_line(people));
    figure.panels.push_back(std::move(panel));
  }
}

Table table_of(const Measured& measured, NoiseFamily family) {
  const bool gaussian = family == NoiseFamily::Gaussian;
  Table table{gaussian ? "gaussian" : "laplace",
              fmt::format("Type I errors at 0.05, {} noise", gaussian ? "Gaussian" : "Laplace"),
              {"margins", "privacy", "n", "MCIndep", "MCIndep with the rule", "unmodified with the rule"},
              {}};
  if (gaussian) table.columns.insert(table.columns.end(), {"AsymptIndep", "AsymptIndep with the rule", "AsymptIndep as printed"});
  for (const Setting& setting : settings(family)) {
    table.rows.push_back({setting.truth->name, privacy_of(setting.noise), setting.n});
    for (const IndependenceSum::Place sum : {IndependenceSum::MonteCarlo, IndependenceSum::MonteCarloByRule, IndependenceSum::Unmodified})
      table.rows.back().emplace_back(measured.mean(setting.name(), sum));
    if (!gaussian) continue;
    for (const IndependenceSum::Place sum : {IndependenceSum::Asymptotic, IndependenceSum::AsymptoticByRule, IndependenceSum::AsPrinted})
      table.rows.back().emplace_back(measured.mean(setting.name(), sum));
  }
  return table;
}

/// All settings with this noise whose least cell has at least so many standard deviations.
Rate pooled(const Measured& measured, NoiseFamily family, IndependenceSum::Place sum, double least_cell) {
  std::vector<std::string> cells;
  for (const Setting& setting : settings(family)) {
    if (setting.least_cell() >= least_cell) cells.push_back(setting.name());
  }
  return studies::pooled(measured, cells, sum);
}

Verdict keeps_level(const Measured& measured, NoiseFamily family, IndependenceSum::Place sum, std::string claim, std::string words) {
  std::vector<std::pair<std::string, Rate>> rates;
  for (const Setting& setting : settings(family)) rates.emplace_back(setting.words(), measured.rate(setting.name(), sum));
  return is_at_most(std::move(claim), rates, kRogersAlpha, std::move(words));
}

/// The limits of both tests: linear in the noise, which small cells bend.
constexpr double kLargeForLimit = 2, kLargeForDraws = 6;

Verdict has_level(const Measured& measured, NoiseFamily family, IndependenceSum::Place sum, double large, std::string claim,
                  std::string words) {
  std::vector<Setting> counted = settings(family);
  std::erase_if(counted, [large](const Setting& setting) { return setting.least_cell() < large; });
  std::vector<std::pair<std::string, Comparison>> levels;
  for (const Setting& setting : counted)
    levels.emplace_back(setting.words(), compared(measured.rate(setting.name(), sum), kRogersAlpha, 0, counted.size() + 1));
  levels.emplace_back("all together", compared(pooled(measured, family, sum, large), kRogersAlpha, 0, counted.size() + 1));
  return all_agree(std::move(claim), levels,
                   fmt::format("Where every cell expects at least {} standard deviations of the noise.{}", large, words));
}

std::vector<Verdict> verdicts_on_asymptotic(const Measured& measured) {
  std::vector<Verdict> found;
  found.push_back(keeps_level(measured, NoiseFamily::Gaussian, IndependenceSum::AsPrinted,
                              "AsymptIndep as printed rejects a true hypothesis in at most 0.05 of cases",
                              "By (6.20), with the rule of thumb."));
  const Rate printed = pooled(measured, NoiseFamily::Gaussian, IndependenceSum::AsPrinted, kLargeForDraws);
  const Rate drawn = pooled(measured, NoiseFamily::Gaussian, IndependenceSum::MonteCarloByRule, kLargeForDraws);
  const Comparison apart = compared(printed, drawn.share, drawn.trials, 1);
  found.push_back(
      holds("AsymptIndep as printed is more conservative than MCIndep", apart.ours < apart.paper - apart.tolerance,
            {{"asymptotic_as_printed", printed.share}, {"monte_carlo", drawn.share}, {"tolerance", apart.tolerance}},
            fmt::format("Type I errors over all settings where every cell expects at least {} standard deviations of the noise. The "
                        "printed weights treat the noise as independent of the margins that were estimated from it",
                        kLargeForDraws)));
  found.push_back(
      keeps_level(measured, NoiseFamily::Gaussian, IndependenceSum::Asymptotic,
                  "with corrected weights AsymptIndep rejects a true hypothesis in at most 0.05 of cases",
                  "In all settings, without the rule of thumb: it is inconclusive only if a fitted cell expects fewer than 5 people."));
  Verdict level = has_level(measured, NoiseFamily::Gaussian, IndependenceSum::Asymptotic, kLargeForLimit,
                            "with corrected weights AsymptIndep has the level 0.05",
                            " The derivation is in docs/explanation/chi_square_statistics.md.");
  if (level.expected) level.outcome = Outcome::Better;
  found.push_back(std::move(level));
  double contradictory = 0, tables = 0;
  for (const Setting& setting : settings(NoiseFamily::Gaussian)) {
    contradictory += measured.sum(setting.name(), IndependenceSum::Contradictory);
    tables += measured.trials(setting.name());
  }
  found.push_back(holds("AsymptIndep decides alike by its critical value (Algorithm 13) and by its p-value", contradictory == 0,
                        {{"tables", tables}, {"decided_differently", contradictory}}, "With corrected weights"));
  return found;
}

std::vector<Verdict> verdicts_on_draws(const Measured& measured) {
  std::vector<Verdict> found;
  for (const NoiseFamily family : kFamilies) {
    const std::string test = fmt::format("MCIndep with {} noise", family == NoiseFamily::Gaussian ? "Gaussian" : "Laplace");
    found.push_back(keeps_level(measured, family, IndependenceSum::MonteCarlo, test + " rejects a true hypothesis in at most 0.05 of cases",
                                "In all settings, without the rule of thumb."));
    found.push_back(has_level(measured, family, IndependenceSum::MonteCarlo, kLargeForDraws, test + " has the level 0.05", ""));
  }
  return found;
}

/// Claims on 500 people, the fewest that the text names.
std::vector<Verdict> verdicts_on_few_people(const Measured& measured) {
  constexpr double kFew = kPeople.front(), kMore = 2000;
  const double epsilon = kRogersEpsilons.front();
  std::vector<std::pair<std::string, Comparison>> none;
  std::vector<Number> levels;
  bool grows = true;
  for (const NoiseFamily family : kFamilies) {
    for (const Margins& truth : kMargins) {
      const Setting few{&truth, noise_of(family, epsilon), epsilon, kFew}, more{&truth, noise_of(family, epsilon), epsilon, kMore};
      const std::size_t count = kMargins.size() * (kFamilies.size() + 1);
      none.emplace_back("MCIndep, " + few.words(),
                        compared(measured.rate(few.name(), IndependenceSum::MonteCarloByRule), 0, kPaperTrials, count));
      if (family == NoiseFamily::Gaussian) {
        none.emplace_back("AsymptIndep, " + few.words(),
                          compared(measured.rate(few.name(), IndependenceSum::AsPrinted), 0, kPaperTrials, count));
      }
      const Rate at_few = measured.rate(few.name(), IndependenceSum::Unmodified),
                 at_more = measured.rate(more.name(), IndependenceSum::Unmodified);
      const Comparison apart = compared(at_few, at_more.share, at_more.trials, 2 * kMargins.size());
      grows = grows && apart.ours < apart.paper - apart.tolerance;
      if (&truth != kMargins.data() || family != NoiseFamily::Gaussian) continue;
      levels = {{"n_500", at_few.share}, {"n_2000", at_more.share}};
    }
  }
  std::vector<Verdict> found;
  found.push_back(all_agree("with 500 people, rho = 0.00005 and the rule of thumb no test rejects in 1,000 trials", none));
  found.push_back(holds(
      "by the rule of thumb the unmodified Indep has a lower type I error for few people", grows, levels,
      "For both noises and all margins, at rho = 0.00005 and epsilon = 0.02; the numbers are those of Gaussian noise and margins of 1/2"));
  return found;
}

Result<Findings> conclude(const Measured& measured) {
  Findings found;
  report::Figure asymptotic{.title = "Rogers, Figure 8: type I error of AsymptIndep", .panels = {}, .columns = 3};
  add_panels(measured, NoiseFamily::Gaussian, IndependenceSum::Asymptotic, "corrected", asymptotic);
  add_panels(measured, NoiseFamily::Gaussian, IndependenceSum::AsPrinted, "as printed", asymptotic);
  found.figures.push_back(std::move(asymptotic));
  for (const NoiseFamily family : kFamilies) {
    const bool gaussian = family == NoiseFamily::Gaussian;
    report::Figure drawn{.title = gaussian ? "Rogers, Figure 9: type I error of MCIndep, Gaussian noise"
                                           : "Rogers, Figure 10: type I error of MCIndep, Laplace noise",
                         .panels = {},
                         .columns = 3};
    add_panels(measured, family, IndependenceSum::MonteCarlo, "without the rule", drawn);
    add_panels(measured, family, IndependenceSum::MonteCarloByRule, "with the rule of thumb", drawn);
    found.figures.push_back(std::move(drawn));
    found.tables.push_back(table_of(measured, family));
  }
  for (const auto& verdicts : {verdicts_on_asymptotic(measured), verdicts_on_draws(measured), verdicts_on_few_people(measured)})
    found.verdicts.insert(found.verdicts.end(), verdicts.begin(), verdicts.end());
  return found;
}

}  // namespace

Study make() {
  return {.name = "rogers_figures_8_10",
          .title = "Independence: levels of tests that know their noise",
          .paper = "Rogers, Figures 8, 9 and 10 (section 6.3.2)",
          .shows =
              "Tests of independence of 2 x 2 tables. The paper's rule of thumb retains wherever the nearest possible table has a cell "
              "below 5; Tacet's tests do without it. The pictures are not in the text of the paper; their margins and numbers of people, "
              "except 500, are ours.",
          .version = 1,
          .seconds = 9,
          .cells = cells,
          .conclude = conclude};
}

}  // namespace tacet::studies::rogers_figures_8_10
