#include <array>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tacet/studies/levels/drawn_differences.h"
#include "tacet/studies/levels/level_grid.h"
#include "tacet/studies/study_list.h"

namespace tacet::studies::coverage_of_differences {
namespace {

struct Missed {
  const char *claim, *name;
  double DifferenceMisses::* count;
  double most;
};
constexpr const char* kIntervals = "intervals for differences of means hold them together";
constexpr const char* kRegion = "the region holds the difference of means";
constexpr const char* kDistance = "the interval holds the Mahalanobis distance";
constexpr const char* kTests = "t-tests keep their level";
constexpr std::array kMissed = {Missed{kIntervals, "population", &DifferenceMisses::population, 0.05},
                                Missed{kIntervals, "file", &DifferenceMisses::file, 0.05},
                                Missed{kRegion, "population", &DifferenceMisses::region, 0.05},
                                Missed{kDistance, "from above", &DifferenceMisses::distance_above, 0.025},
                                Missed{kDistance, "from below", &DifferenceMisses::distance_below, 0.025},
                                Missed{kTests, "two-sided", &DifferenceMisses::two_sided, 0.05},
                                Missed{kTests, "greater", &DifferenceMisses::greater, 0.05},
                                Missed{kTests, "less", &DifferenceMisses::less, 0.05},
                                Missed{kTests, "of one group", &DifferenceMisses::one_group, 0.05}};
bool is_of_matrices(const Missed& missed) { return missed.claim == kRegion || missed.claim == kDistance; }

std::string name_of(const DifferenceSetting& s) {
  return fmt::format("{}, {} columns, {} + {}{} people, mu {}, {}, correlation {}, ratio {}, {}, half width {}, shift {}{}", s.family,
                     s.columns, s.first, s.second, s.third > 0 ? fmt::format(" + {}", s.third) : "", s.mu, s.skewed ? "skewed" : "normal",
                     s.correlation, s.ratio, s.private_count ? "private n" : "public n", s.half_width, s.shift,
                     s.noise != 1 ? ", half of the noise" : "");
}

LevelSetting setting_of(const DifferenceSetting& setting) {
  const auto count = [setting](Piece& piece, ErrorTally& tally) -> Status {
    const DifferenceMisses misses = count_misses(setting, piece.trials, piece.seed);
    const double silent = static_cast<double>(piece.trials) - misses.trials;
    for (std::size_t k = 0; k < kMissed.size(); ++k) {
      if (is_of_matrices(kMissed[k]) && !setting.matrices) continue;
      tally.add_many(k, {static_cast<double>(piece.trials), misses.*kMissed[k].count, silent});
    }
    return {};
  };
  return {.name = name_of(setting), .count = count, .planted = setting.noise != 1};
}

std::vector<ErrorKind> kinds() {
  std::vector<ErrorKind> all;
  for (const Missed& one : kMissed) all.push_back({one.claim, one.name, one.most});
  return all;
}

LevelGrid grid() {
  LevelGrid grid{.title = "Differences of means: error rates over all settings",
                 .kinds = kinds(),
                 .settings = {},
                 .usual = 60,
                 .in_a_hurry = 60,
                 .every = 61};
  for (const std::string family : {"gaussian", "laplace", "k-norm", "k-norm+laplace"}) {
    for (const std::size_t columns : {1U, 3U, 8U}) {
      for (const auto& [first, second] : {std::pair<std::size_t, std::size_t>{40, 40}, {300, 100}, {1500, 1500}}) {
        for (const double mu : {0.5, 2.0, 10.0}) {
          for (const int kind : {0, 1, 2, 3}) {
            DifferenceSetting s{.family = family, .columns = columns, .first = first, .second = second, .mu = mu};
            s.skewed = kind == 1;
            s.ratio = kind == 2 ? 3 : 1;
            s.half_width = kind == 2 ? 15 : kind == 3 ? 25 : 6;
            s.private_count = kind == 3 || kind == 1;
            s.correlation = kind == 0 ? 0.9 : 0.3;
            s.shift = kind == 0 ? 0 : kind == 1 ? 0.3 : 1;
            grid.settings.push_back(setting_of(s));
            if (columns == 3) {  // all three pairs together
              s.third = second;
              s.matrices = false;
              grid.settings.push_back(setting_of(s));
            }
          }
        }
      }
    }
  }
  // Noise twice as large as the release says.
  for (const std::string family : {"gaussian", "laplace", "k-norm", "k-norm+laplace"}) {
    DifferenceSetting s{.family = family, .columns = 1, .first = 40, .second = 40, .mu = 0.5, .noise = 2};
    s.matrices = false;
    grid.settings.push_back(setting_of(s));
  }
  return grid;
}

std::vector<Cell> cells(const Effort& effort) { return level_cells(grid(), effort); }
Result<Findings> conclude(const Measured& measured) { return level_findings(grid(), measured); }

}  // namespace

Study make() {
  return {.name = "coverage_of_differences",
          .title = "Coverage of differences of means, and levels of t-tests",
          .paper = "Tacet's own promise (docs/explanation/differences.md)",
          .shows =
              "How often intervals for differences, regions, Mahalanobis distances and t-tests miss the truth: four kinds of noise, 1, 3 "
              "and 8 columns in units of 1e-6, 1 and 1e9, 40 to 1,500 people, normal and skewed rows, equal and unequal covariances, "
              "public and private numbers of people, two groups and three.",
          .version = 1,
          .seconds = 60,
          .cells = cells,
          .conclude = conclude};
}

}  // namespace tacet::studies::coverage_of_differences
