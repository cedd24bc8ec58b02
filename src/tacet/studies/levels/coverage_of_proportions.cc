#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tacet/inference/counts/proportion_pair.h"
#include "tacet/studies/levels/drawn_table.h"
#include "tacet/studies/levels/level_grid.h"
#include "tacet/studies/study_list.h"

namespace tacet::studies::coverage_of_proportions {
namespace {

using inference::GroupMask;
using inference::Interval;
using inference::Measure;
using inference::ProportionGroups;
using mechanisms::NoiseStructure;

constexpr double kAlpha = 0.05;

/// A 3 x 2 table: event "second column" among the first row (bits 0 and 1) and among the second row
/// (bits 2 and 3); or among all people, where both rows of `among` are everything.
struct Groups {
  const char* name;
  std::vector<GroupMask> masks;
};
const std::array kGroups = {Groups{"given", {2, 3, 8, 12, 0, 0}}, Groups{"of all", {10, 11, 10, 14, 10, 10}}};
constexpr ProportionGroups kFirst{0, 1}, kSecond{2, 3};
constexpr std::array kMeasures = {Measure::Difference, Measure::Ratio, Measure::OddsRatio};

double part(const std::vector<double>& table, const std::vector<GroupMask>& masks, ProportionGroups groups) {
  double event = 0, among = 0;
  for (std::size_t i = 0; i < table.size(); ++i) {
    if ((masks[i] >> groups.event & 1) != 0) event += table[i];
    if ((masks[i] >> groups.among & 1) != 0) among += table[i];
  }
  return event / among;
}

double measure_of(const std::vector<double>& table, const std::vector<GroupMask>& masks, Measure measure) {
  const double p = part(table, masks, kFirst), q = part(table, masks, kSecond);
  if (measure == Measure::Difference) return p - q;
  return measure == Measure::Ratio ? p / q : p * (1 - q) / (q * (1 - p));
}

/// For each measure and each kind of groups: the file and the population.
std::vector<ErrorKind> kinds() {
  std::vector<ErrorKind> all;
  const auto add = [&all](const std::string& what) {
    for (const Groups& groups : kGroups) {
      for (const char* whose : {"file", "population"})
        all.push_back({fmt::format("intervals for {} hold it", what), fmt::format("{} {}", whose, groups.name), kAlpha});
    }
  };
  add("a proportion");
  for (const char* what : {"a difference of proportions", "a ratio of proportions", "an odds ratio"}) add(what);
  return all;
}

class OneTable {
 public:
  OneTable(const TableDesign& design, TableFault fault, numeric::InsecureStream& stream, ErrorTally& tally)
      : design_(design), fault_(fault), drawn_(draw_table(design, stream)), tally_(tally) {
    if (fault == TableFault::ForgetsNoise) drawn_.release = without_noise(std::move(drawn_.release));
  }

  void count() {
    std::size_t kind = 0;
    for (const Groups& groups : kGroups) {
      const auto found = inference::estimate_proportion(inference::GroupedCells(drawn_.release, groups.masks), kFirst, kAlpha);
      add(kind, found, part(drawn_.counts, groups.masks, kFirst), part(design_.p, groups.masks, kFirst));
      kind += 2;
    }
    for (const Measure measure : kMeasures) {
      for (const Groups& groups : kGroups) {
        const inference::GroupedCells cells(drawn_.release, groups.masks);
        add(kind, compare_proportions(cells, kFirst, kSecond, measure, kAlpha), measure_of(drawn_.counts, groups.masks, measure),
            measure_of(design_.p, groups.masks, measure));
        kind += 2;
      }
    }
  }

 private:
  template <class Found>
  void add(std::size_t kind, const Found& found, double in_file, double in_population) {
    const bool silent = found.reason.has_value();
    tally_.add(kind, is_outside(found.file, in_file), silent);
    const bool forgets = fault_ == TableFault::ForgetsSampling;
    tally_.add(kind + 1, is_outside(forgets ? found.file : found.population, in_population), silent);
  }

  const TableDesign& design_;
  TableFault fault_;
  DrawnTable drawn_;
  ErrorTally& tally_;
};

LevelSetting setting_of(TableDesign design, TableFault fault) {
  LevelSetting setting{.name = design.name, .count = {}, .planted = fault != TableFault::None};
  setting.count = [design = std::move(design), fault](Piece& piece, ErrorTally& tally) -> Status {
    for (std::size_t i = 0; i < piece.trials; ++i) OneTable(design, fault, piece.stream, tally).count();
    return {};
  };
  return setting;
}

struct Population {
  const char* name;
  std::vector<double> p;
};
const std::array kPopulations = {Population{"even", {0.2, 0.15, 0.2, 0.1, 0.2, 0.15}},
                                 Population{"rare", {0.3, 0.01, 0.32, 0.03, 0.3, 0.04}},
                                 Population{"sparse", {0.04, 0.01, 0.06, 0.02, 0.8, 0.07}}};

LevelGrid grid() {
  LevelGrid grid{.title = "Intervals for proportions, over all settings",
                 .kinds = kinds(),
                 .settings = {},
                 .usual = 30,
                 .in_a_hurry = 30,
                 .every = 23};
  for (const auto& [name, p] : kPopulations) {
    for (const double n : {60.0, 400.0, 5000.0}) {
      for (const double scale : {0.01, 2.0, 8.0, 30.0}) {
        for (const auto& [noise, distribution] : table_noises(scale)) {
          for (const bool n_public : {true, false}) {
            if (!n_public && distribution.structure == NoiseStructure::SumZero) continue;
            const std::string words = fmt::format("{} {}", name, name_of_table(noise, n, scale, n_public));
            grid.settings.push_back(setting_of({words, {3, 2}, p, n, distribution, n_public}, TableFault::None));
          }
        }
      }
    }
  }
  // Noise that is forgotten where it is large, and sampling where it is all.
  for (const auto& [noise, distribution] : table_noises(30)) {
    const std::string words = name_of_table(noise, 5000, 30, false) + " without the noise";
    if (distribution.structure == NoiseStructure::SumZero) continue;
    grid.settings.push_back(setting_of({words, {3, 2}, kPopulations[0].p, 5000, distribution, false}, TableFault::ForgetsNoise));
  }
  for (const auto& [noise, distribution] : table_noises(0.01)) {
    const std::string words = name_of_table(noise, 5000, 0.01, true) + " without sampling";
    grid.settings.push_back(setting_of({words, {3, 2}, kPopulations[0].p, 5000, distribution, true}, TableFault::ForgetsSampling));
  }
  return grid;
}

std::vector<Cell> cells(const Effort& effort) { return level_cells(grid(), effort); }
Result<Findings> conclude(const Measured& measured) { return level_findings(grid(), measured); }

}  // namespace

Study make() {
  return {.name = "coverage_of_proportions",
          .title = "Coverage of intervals for proportions, differences, ratios and odds ratios",
          .paper = "Tacet's own promise (docs/explanation/proportions.md)",
          .shows =
              "How often the intervals of infer proportion miss the truth at alpha 0.05: tables of 60 to 5,000 people, even, rare and "
              "sparse, with every family of noise from a hundredth of a person to a multiple of the cells, n public and private.",
          .version = 1,
          .seconds = 26,
          .cells = cells,
          .conclude = conclude};
}

}  // namespace tacet::studies::coverage_of_proportions
