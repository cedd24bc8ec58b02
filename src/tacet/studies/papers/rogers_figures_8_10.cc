#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "tacet/studies/papers/rogers_tests.h"
#include "tacet/studies/study_list.h"

namespace tacet::studies::rogers_figures_8_10 {
namespace {

using kernel::NoiseFamily;
using rogers::IndependenceSum;
using rogers::TwoByTwo;

constexpr std::size_t kPaperTrials = 1000, kInAHurry = 500, kBlock = 500;
constexpr std::array kPeople = {500.0, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5};

const std::vector<TwoByTwo>& margins() {
  static const std::vector<TwoByTwo> kAll = {{"1/2, 1/2", 0.5, 0.5}, {"2/3, 1/2", 2.0 / 3, 0.5}, {"3/4, 3/4", 0.75, 0.75}};
  return kAll;
}

mechanisms::NoiseDistribution noise_of(NoiseFamily family, double epsilon) {
  return family == NoiseFamily::Gaussian ? rogers::gaussian_noise(epsilon) : rogers::laplace_noise(epsilon);
}
constexpr std::array kFamilies = {NoiseFamily::Gaussian, NoiseFamily::Laplace};

struct Setting {
  const TwoByTwo* truth;
  mechanisms::NoiseDistribution noise;
  double epsilon, n;

  std::string name() const { return fmt::format("{} {} n={}", truth->name, rogers::privacy_of(noise), n); }
  std::string words() const { return fmt::format("margins {}, {}, n = {}", truth->name, rogers::privacy_of(noise), n); }
  double least_cell() const { return rogers::least_cell(*truth, n, noise); }
};

std::vector<Setting> settings(NoiseFamily family) {
  std::vector<Setting> all;
  for (const TwoByTwo& truth : margins()) {
    for (const double epsilon : rogers::kEpsilons) {
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
                     [setting](Piece& piece) { return rogers::independence_sums(*setting.truth, setting.n, setting.noise, piece); }});
    }
  }
  return all;
}

/// A row of panels, one for each pair of margins.
void add_panels(const Measured& measured, NoiseFamily family, IndependenceSum sum, const char* variant, report::Figure& figure) {
  const std::vector<double> people(kPeople.begin(), kPeople.end());
  for (const TwoByTwo& truth : margins()) {
    report::Panel panel{.title = fmt::format("{}: {}", truth.name, variant), .x = {"people", true}, .y = {"rejected"}, .series = {}};
    for (const double epsilon : rogers::kEpsilons) {
      std::vector<Rate> rates;
      for (const double n : kPeople) rates.push_back(measured.rate(Setting{&truth, noise_of(family, epsilon), epsilon, n}.name(), sum));
      panel.series.push_back(rogers::rates_by_people(rogers::privacy_of(noise_of(family, epsilon)), people, rates));
    }
    panel.series.push_back(rogers::level_line(people));
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
    table.rows.push_back({setting.truth->name, rogers::privacy_of(setting.noise), setting.n});
    for (const IndependenceSum sum : {rogers::MonteCarlo, rogers::MonteCarloByRule, rogers::Unmodified})
      table.rows.back().emplace_back(measured.mean(setting.name(), sum));
    if (!gaussian) continue;
    for (const IndependenceSum sum : {rogers::Asymptotic, rogers::AsymptoticByRule, rogers::AsPrinted})
      table.rows.back().emplace_back(measured.mean(setting.name(), sum));
  }
  return table;
}

/// All settings with this noise whose least cell has at least so many standard deviations.
Rate pooled(const Measured& measured, NoiseFamily family, IndependenceSum sum, double least_cell) {
  double rejected = 0, trials = 0;
  for (const Setting& setting : settings(family)) {
    if (setting.least_cell() < least_cell) continue;
    rejected += measured.sum(setting.name(), sum);
    trials += measured.trials(setting.name());
  }
  return {rejected / trials, trials};
}

Verdict keeps_level(const Measured& measured, NoiseFamily family, IndependenceSum sum, std::string claim, std::string words) {
  std::vector<rogers::AtMost> pairs;
  for (const Setting& setting : settings(family))
    pairs.push_back({setting.words(), measured.rate(setting.name(), sum), {rogers::kAlpha, 0}});
  return rogers::is_at_most(std::move(claim), pairs, std::move(words));
}

/// The limits of both tests: linear in the noise, which small cells bend.
constexpr double kLargeForLimit = 2, kLargeForDraws = 6;

Verdict has_level(const Measured& measured, NoiseFamily family, IndependenceSum sum, double large, std::string claim, std::string words) {
  std::vector<Setting> counted = settings(family);
  std::erase_if(counted, [large](const Setting& setting) { return setting.least_cell() < large; });
  std::vector<std::pair<std::string, Comparison>> levels;
  for (const Setting& setting : counted)
    levels.emplace_back(setting.words(), compared(measured.rate(setting.name(), sum), rogers::kAlpha, 0, counted.size() + 1));
  levels.emplace_back("all together", compared(pooled(measured, family, sum, large), rogers::kAlpha, 0, counted.size() + 1));
  return all_agree(std::move(claim), levels,
                   fmt::format("Where every cell expects at least {} standard deviations of the noise.{}", large, words));
}

std::vector<Verdict> verdicts_on_asymptotic(const Measured& measured) {
  std::vector<Verdict> found;
  found.push_back(keeps_level(measured, NoiseFamily::Gaussian, rogers::AsPrinted,
                              "AsymptIndep as printed rejects a true hypothesis in at most 0.05 of cases",
                              "By (6.20), with the rule of thumb."));
  const Rate printed = pooled(measured, NoiseFamily::Gaussian, rogers::AsPrinted, kLargeForDraws);
  const Rate drawn = pooled(measured, NoiseFamily::Gaussian, rogers::MonteCarloByRule, kLargeForDraws);
  const Comparison apart = compared(printed, drawn.share, drawn.trials, 1);
  found.push_back(
      holds("AsymptIndep as printed is more conservative than MCIndep", apart.ours < apart.paper - apart.tolerance,
            {{"asymptotic_as_printed", printed.share}, {"monte_carlo", drawn.share}, {"tolerance", apart.tolerance}},
            fmt::format("Type I errors over all settings where every cell expects at least {} standard deviations of the noise. The "
                        "printed weights treat the noise as independent of the margins that were estimated from it",
                        kLargeForDraws)));
  found.push_back(
      keeps_level(measured, NoiseFamily::Gaussian, rogers::Asymptotic,
                  "with corrected weights AsymptIndep rejects a true hypothesis in at most 0.05 of cases",
                  "In all settings, without the rule of thumb: it is inconclusive only if a fitted cell expects fewer than 5 people."));
  Verdict level = has_level(measured, NoiseFamily::Gaussian, rogers::Asymptotic, kLargeForLimit,
                            "with corrected weights AsymptIndep has the level 0.05",
                            " The derivation is in docs/explanation/chi_square_statistics.md.");
  if (level.expected) level.outcome = Outcome::Better;
  found.push_back(std::move(level));
  double contradictory = 0, tables = 0;
  for (const Setting& setting : settings(NoiseFamily::Gaussian)) {
    contradictory += measured.sum(setting.name(), rogers::Contradictory);
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
    found.push_back(keeps_level(measured, family, rogers::MonteCarlo, test + " rejects a true hypothesis in at most 0.05 of cases",
                                "In all settings, without the rule of thumb."));
    found.push_back(has_level(measured, family, rogers::MonteCarlo, kLargeForDraws, test + " has the level 0.05", ""));
  }
  return found;
}

/// Claims on 500 people, the fewest that the text names.
std::vector<Verdict> verdicts_on_few_people(const Measured& measured) {
  constexpr double kFew = kPeople.front(), kMore = 2000;
  const double epsilon = rogers::kEpsilons.front();
  std::vector<std::pair<std::string, Comparison>> none;
  std::vector<Number> levels;
  bool grows = true;
  for (const NoiseFamily family : kFamilies) {
    for (const TwoByTwo& truth : margins()) {
      const Setting few{&truth, noise_of(family, epsilon), epsilon, kFew}, more{&truth, noise_of(family, epsilon), epsilon, kMore};
      const std::size_t count = margins().size() * (kFamilies.size() + 1);
      none.emplace_back("MCIndep, " + few.words(), compared(measured.rate(few.name(), rogers::MonteCarloByRule), 0, kPaperTrials, count));
      if (family == NoiseFamily::Gaussian)
        none.emplace_back("AsymptIndep, " + few.words(), compared(measured.rate(few.name(), rogers::AsPrinted), 0, kPaperTrials, count));
      const Rate at_few = measured.rate(few.name(), rogers::Unmodified), at_more = measured.rate(more.name(), rogers::Unmodified);
      const Comparison apart = compared(at_few, at_more.share, at_more.trials, 2 * margins().size());
      grows = grows && apart.ours < apart.paper - apart.tolerance;
      if (&truth != margins().data() || family != NoiseFamily::Gaussian) continue;
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
  add_panels(measured, NoiseFamily::Gaussian, rogers::Asymptotic, "corrected", asymptotic);
  add_panels(measured, NoiseFamily::Gaussian, rogers::AsPrinted, "as printed", asymptotic);
  found.figures.push_back(std::move(asymptotic));
  for (const NoiseFamily family : kFamilies) {
    const bool gaussian = family == NoiseFamily::Gaussian;
    report::Figure drawn{.title = gaussian ? "Rogers, Figure 9: type I error of MCIndep, Gaussian noise"
                                           : "Rogers, Figure 10: type I error of MCIndep, Laplace noise",
                         .panels = {},
                         .columns = 3};
    add_panels(measured, family, rogers::MonteCarlo, "without the rule", drawn);
    add_panels(measured, family, rogers::MonteCarloByRule, "with the rule of thumb", drawn);
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
