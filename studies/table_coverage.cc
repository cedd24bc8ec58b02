// table_coverage: how often intervals for proportions, ratios, odds ratios, slopes and Cramer's V
// of noisy tables miss the truth, and how often tests of trend and of strata reject a true null.
//
//   table_coverage                 the whole grid: CSV on the output, a summary on the error output
//   table_coverage --trials T      tables for each row (4000)
//   table_coverage --only WORDS    the rows whose name contains the words
//   table_coverage --planted       the faults that it must find: exits with 1 where it misses one
//
// Every table is drawn anew, with sampling error: the interval for the file must hold the value of
// the table that was drawn, the interval for the population that of the probabilities. A row is
// red where it misses more often than alpha by three standard errors, and again with new seeds and
// four times the tables: of a thousand rows that are exactly right, one has a false alarm the first
// time. Exits with 1 where a row is red.
// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "tacet/inference/counts/cramers_v.h"
#include "tacet/inference/counts/proportion_pair.h"
#include "tacet/inference/counts/residuals.h"
#include "tacet/inference/counts/stratified.h"
#include "tacet/inference/counts/trend.h"
#include "tacet/numeric/insecure_counts.h"

namespace {

using namespace tacet;
using namespace tacet::inference;
using kernel::NoiseFamily;
using mechanisms::CountRelease;
using mechanisms::NoiseDistribution;
using mechanisms::NoiseStructure;

constexpr double kAlpha = 0.05;

struct Drawn {
  CountRelease release;
  std::vector<double> counts;
};

struct Setting {
  std::string name;
  std::vector<std::size_t> shape;
  std::vector<double> p;
  double n;
  NoiseDistribution noise;
  bool n_public;
};

Drawn draw(const Setting& setting, numeric::InsecureStream& stream) {
  Drawn drawn{};
  drawn.counts.resize(setting.p.size());
  numeric::draw_multinomials(stream, setting.n, setting.p, 1, drawn.counts);
  std::vector<double> noise(setting.p.size());
  if (setting.noise.family == NoiseFamily::Laplace) {
    stream.fill_laplace(noise);
  } else {
    stream.fill_normal(noise);
  }
  double mean = 0;
  for (const double z : noise) mean += z / static_cast<double>(noise.size());
  if (setting.noise.structure != NoiseStructure::SumZero) mean = 0;
  drawn.release.shape = setting.shape;
  drawn.release.noise = setting.noise;
  if (setting.n_public) drawn.release.n = setting.n;
  for (std::size_t i = 0; i < noise.size(); ++i) drawn.release.values.push_back(drawn.counts[i] + setting.noise.scale * (noise[i] - mean));
  return drawn;
}

/// Misses of one trial: for the file, for the population; and whether there was nothing to say.
struct Missed {
  bool file = false, population = false, open = false;
};
struct Row {
  Setting setting;
  std::string what;
  std::function<Missed(const Setting&, const Drawn&, std::uint64_t seed)> trial;
  double trials = 0, file = 0, population = 0, open = 0;
};

bool outside(const Interval& interval, double value) {
  return !std::isnan(value) && (value < interval.lower * (1 - 1e-9) - 1e-12 || value > interval.upper * (1 + 1e-9) + 1e-12);
}

// A 3 x 2 table: event "second column" among the first row (bits 0 and 1) and among the second row
// (bits 2 and 3); or among all people, where both rows of `among` are everything.
const std::vector<GroupMask> kRowsOfThree = {2, 3, 8, 12, 0, 0};
const std::vector<GroupMask> kAmongAll = {10, 11, 10, 14, 10, 10};  // first: cell 1; second: cell 3

double part(const std::vector<double>& table, const std::vector<GroupMask>& masks, ProportionGroups groups) {
  double event = 0;
  double among = 0;
  for (std::size_t i = 0; i < table.size(); ++i) {
    if ((masks[i] >> groups.event & 1) != 0) event += table[i];
    if ((masks[i] >> groups.among & 1) != 0) among += table[i];
  }
  return event / among;
}

double measure_of(double p, double q, Measure measure) {
  if (measure == Measure::Difference) return p - q;
  return measure == Measure::Ratio ? p / q : p * (1 - q) / (q * (1 - p));
}

void add_proportions(std::vector<Row>& rows, const Setting& setting) {
  for (const auto& [named, masks] : {std::pair{"given", kRowsOfThree}, std::pair{"of all", kAmongAll}}) {
    rows.push_back({setting, fmt::format("proportion {}", named), [masks = masks](const Setting& s, const Drawn& d, std::uint64_t) {
                      const Proportion found = estimate_proportion(GroupedCells(d.release, masks), {0, 1}, kAlpha);
                      return Missed{outside(found.file, part(d.counts, masks, {0, 1})), outside(found.population, part(s.p, masks, {0, 1})),
                                    found.reason.has_value()};
                    }});
    for (const Measure measure : {Measure::Difference, Measure::Ratio, Measure::OddsRatio}) {
      rows.push_back(
          {setting, fmt::format("{} {}", name(measure), named), [masks = masks, measure](const Setting& s, const Drawn& d, std::uint64_t) {
             const Comparison found = compare_proportions(GroupedCells(d.release, masks), {0, 1}, {2, 3}, measure, kAlpha);
             const auto truth = [&](const std::vector<double>& table) {
               return measure_of(part(table, masks, {0, 1}), part(table, masks, {2, 3}), measure);
             };
             return Missed{outside(found.file, truth(d.counts)), outside(found.population, truth(s.p)), found.reason.has_value()};
           }});
    }
  }
}

std::vector<std::pair<std::string, NoiseDistribution>> noises(double scale) {
  return {{"gaussian", {NoiseFamily::Gaussian, scale}},
          {"sum-zero", {NoiseFamily::Gaussian, scale, NoiseStructure::SumZero}},
          {"laplace", {NoiseFamily::Laplace, scale}}};
}

void add_grid(std::vector<Row>& rows) {
  const std::vector<std::pair<std::string, std::vector<double>>> tables = {{"even", {0.2, 0.15, 0.2, 0.1, 0.2, 0.15}},
                                                                           {"rare", {0.3, 0.01, 0.32, 0.03, 0.3, 0.04}},
                                                                           {"sparse", {0.04, 0.01, 0.06, 0.02, 0.8, 0.07}}};
  for (const auto& [named, p] : tables) {
    for (const double n : {60.0, 400.0, 5000.0}) {
      for (const double scale : {0.01, 2.0, 8.0, 30.0}) {
        for (const auto& [noise, law] : noises(scale)) {
          for (const bool n_public : {true, false}) {
            if (!n_public && law.structure == NoiseStructure::SumZero) continue;
            const std::string words = fmt::format("{} {} n {} scale {}{}", named, noise, n, scale, n_public ? "" : " private");
            add_proportions(rows, {words, {3, 2}, p, n, law, n_public});
          }
        }
      }
    }
  }
}

/// The least-squares slope of the first k classes over all 2 k, with scores 1 to k.
double slope_of(const std::vector<double>& table) {
  const std::size_t k = table.size() / 2;
  double all = 0;
  double mean = 0;
  double events = 0;
  for (std::size_t i = 0; i < table.size(); ++i) {
    all += table[i];
    mean += table[i] * static_cast<double>(i % k + 1);
    if (i < k) events += table[i];
  }
  mean /= all;
  double up = 0;
  double down = 0;
  for (std::size_t i = 0; i < table.size(); ++i) {
    const double from_mean = static_cast<double>(i % k + 1) - mean;
    up += table[i] * ((i < k ? 1 : 0) - events / all) * from_mean;
    down += table[i] * from_mean * from_mean;
  }
  return up / down;
}

double common_odds_ratio(const std::vector<double>& table) {
  double above = 0;
  double below = 0;
  for (std::size_t h = 0; h + 3 < table.size(); h += 4) {
    const double n = table[h] + table[h + 1] + table[h + 2] + table[h + 3];
    if (!(n > 0)) continue;
    above += table[h] * table[h + 3] / n;
    below += table[h + 1] * table[h + 2] / n;
  }
  return above / below;
}

std::vector<std::size_t> each_cell(std::size_t cells) {
  std::vector<std::size_t> classes(cells);
  for (std::size_t i = 0; i < cells; ++i) classes[i] = i;
  return classes;
}

/// The fault in a row, so that the study itself is tested.
enum class Fault : std::uint8_t { None, ForgetsNoise, ForgetsSampling };

/// Intervals of an answer with `file` and `population`, against their true values.
template <class Answer, class Truth>
std::function<Missed(const Setting&, const Drawn&, std::uint64_t)> intervals_of(Fault fault, Answer answer, Truth truth) {
  return [=](const Setting& s, const Drawn& d, std::uint64_t seed) {
    CountRelease release = d.release;
    if (fault == Fault::ForgetsNoise) release.noise.scale = 1e-3;
    auto found = answer(release, seed);
    if (fault == Fault::ForgetsSampling) found.population = found.file;
    return Missed{found.file && outside(*found.file, truth(d.counts)), found.population && outside(*found.population, truth(s.p)),
                  !found.population};
  };
}

GofOptions quick_test(std::uint64_t seed) { return GofOptions{.alpha = kAlpha, .simulation = {.draws = 199, .seed = seed, .threads = 1}}; }

/// The slope of a trend, and the common odds ratio of strata.
void add_slopes_and_odds(std::vector<Row>& rows, const std::string& named, double n, const NoiseDistribution& law, bool n_public,
                         Fault fault) {
  const Setting rising{named, {2, 3}, {0.04, 0.1, 0.08, 0.26, 0.4, 0.12}, n, law, n_public};
  const auto trend = [](const CountRelease& release, std::uint64_t seed) {
    return *test_trend(CollapsedTable(release, each_cell(6), 6), {1, 2, 3}, quick_test(seed));
  };
  rows.push_back({rising, "slope", intervals_of(fault, trend, slope_of)});
  // Odds ratio 3 in every stratum.
  const Setting dependent{named, {2, 2, 2}, {0.2, 0.1, 0.1, 0.15, 0.18, 0.06, 0.105, 0.105}, n, law, n_public};
  const auto strata = [](const CountRelease& release, std::uint64_t seed) {
    return *test_stratified(CollapsedTable(release, each_cell(8), 8), {2, 2, 2}, quick_test(seed));
  };
  rows.push_back({dependent, "common odds ratio", intervals_of(fault, strata, common_odds_ratio)});
}

/// Tests: a rejection of a true null is a miss for the population.
void add_tests(std::vector<Row>& rows, const std::string& named, double n, const NoiseDistribution& law, bool n_public) {
  const auto level = [](const GofTest& test) {
    return Missed{false, test.outcome == Outcome::Reject, test.outcome == Outcome::Inconclusive};
  };
  const Setting null{named, {2, 3}, {0.06, 0.1, 0.04, 0.24, 0.4, 0.16}, n, law, n_public};
  rows.push_back({null, "trend test", [=](const Setting&, const Drawn& d, std::uint64_t seed) {
                    return level(test_trend(CollapsedTable(d.release, each_cell(6), 6), {1, 2, 3}, quick_test(seed))->test);
                  }});
  rows.push_back({null, "residuals", [](const Setting&, const Drawn& d, std::uint64_t seed) {
                    const CellResiduals r =
                        *adjusted_residuals(CollapsedTable(d.release, each_cell(6), 6), {2, 3},
                                            {.alpha = kAlpha, .simulation = {.draws = 199, .seed = seed, .threads = 1}});
                    bool deviates = false;
                    for (const double p : r.p_values) deviates = deviates || p <= kAlpha;
                    return Missed{false, deviates, r.reason.has_value()};
                  }});
  add_slopes_and_odds(rows, named, n, law, n_public, Fault::None);
  const Setting strata{
      named, {3, 2, 2}, {0.12, 0.06, 0.12, 0.06, 0.02, 0.06, 0.06, 0.18, 0.1, 0.05, 0.1133333333333333, 0.0566666666666667},
      n,     law,       n_public};
  rows.push_back({strata, "stratified test", [=](const Setting&, const Drawn& d, std::uint64_t seed) {
                    return level(test_stratified(CollapsedTable(d.release, each_cell(12), 12), {3, 2, 2}, quick_test(seed))->test);
                  }});
  for (const Setting& setting : {null, Setting{named + " dependent", {2, 3}, {0.04, 0.1, 0.12, 0.3, 0.36, 0.08}, n, law, n_public}}) {
    rows.push_back({setting, "cramers-v", [](const Setting& s, const Drawn& d, std::uint64_t seed) {
                      const CramersV v = *estimate_cramers_v(CollapsedTable(d.release, each_cell(6), 6), {2, 3},
                                                             {.alpha = kAlpha, .simulation = {.draws = 400, .seed = seed, .threads = 1}});
                      return Missed{outside(v.file, cramers_v({2, 3}, d.counts)), outside(v.population, cramers_v({2, 3}, s.p)),
                                    v.reason.has_value()};
                    }});
  }
}

void add_test_grid(std::vector<Row>& rows) {
  for (const double n : {80.0, 500.0, 5000.0}) {
    for (const double scale : {0.01, 4.0, 15.0}) {
      for (const auto& [noise, law] : noises(scale)) {
        for (const bool n_public : {true, false}) {
          if (!n_public && law.structure == NoiseStructure::SumZero) continue;
          add_tests(rows, fmt::format("{} n {} scale {}{}", noise, n, scale, n_public ? "" : " private"), n, law, n_public);
        }
      }
    }
  }
}

/// Rows that must be red: noise that is forgotten where it is large, and sampling where it is all.
void add_planted(std::vector<Row>& rows) {
  for (const double n : {500.0, 5000.0}) {
    for (const auto& [noise, law] : noises(15)) {
      if (law.structure == NoiseStructure::SumZero) continue;
      add_slopes_and_odds(rows, fmt::format("{} n {} scale 15 without the noise", noise, n), n, law, false, Fault::ForgetsNoise);
    }
    for (const auto& [noise, law] : noises(0.01))
      add_slopes_and_odds(rows, fmt::format("{} n {} scale 0.01 without sampling", noise, n), n, law, true, Fault::ForgetsSampling);
  }
}

double error_of(double rate, double trials) { return std::sqrt(std::max(rate, kAlpha) * (1 - std::max(rate, kAlpha)) / trials); }
bool too_high(double rate, double trials) { return rate > kAlpha + 3 * std::sqrt(kAlpha * (1 - kAlpha) / trials); }

void measure_row(Row& row, std::size_t trials, std::uint64_t seed) {
  row.trials = static_cast<double>(trials);
  row.file = row.population = row.open = 0;
  for (std::size_t trial = 0; trial < trials; ++trial) {
    numeric::InsecureStream stream(seed, trial);
    const Drawn drawn = draw(row.setting, stream);
    const Missed missed = row.trial(row.setting, drawn, trial);
    row.file += missed.file ? 1 / row.trials : 0;
    row.population += missed.population ? 1 / row.trials : 0;
    row.open += missed.open ? 1 / row.trials : 0;
  }
}

void run(std::vector<Row>& rows, std::size_t trials) {
  std::atomic<std::size_t> next = 0;
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < std::max(1U, std::thread::hardware_concurrency()); ++t) {
    threads.emplace_back([&] {
      for (std::size_t i = next++; i < rows.size(); i = next++) {
        measure_row(rows[i], trials, 1 + i);
        if (too_high(rows[i].file, rows[i].trials) || too_high(rows[i].population, rows[i].trials))
          measure_row(rows[i], 4 * trials, 1'000'000 + i);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace

int main(int argc, char** argv) {
  std::size_t trials = 4000;
  std::string only;
  bool planted = false;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--trials") == 0 && i + 1 < argc) {
      trials = std::stoul(argv[++i]);
    } else if (std::strcmp(argv[i], "--only") == 0 && i + 1 < argc) {
      only = argv[++i];
    } else if (std::strcmp(argv[i], "--planted") == 0) {
      planted = true;
    } else {
      fmt::print(stderr, "usage: table_coverage [--trials T] [--only WORDS] [--planted]\n");
      return 2;
    }
  }
  std::vector<Row> rows;
  if (planted) {
    add_planted(rows);
  } else {
    add_grid(rows);
    add_test_grid(rows);
  }
  std::erase_if(rows, [&](const Row& row) { return (row.what + ", " + row.setting.name).find(only) == std::string::npos; });
  run(rows, trials);
  fmt::print("what,setting,trials,file_missed,population_missed,standard_error,nothing_to_say,verdict\n");
  int red = 0;
  double worst = 0;
  for (const Row& row : rows) {
    const double rate = std::max(row.file, row.population);
    worst = std::max(worst, rate);
    const bool bad = too_high(row.file, row.trials) || too_high(row.population, row.trials);
    red += bad ? 1 : 0;
    fmt::print("{},{},{},{:.4f},{:.4f},{:.4f},{:.3f},{}\n", row.what, row.setting.name, row.trials, row.file, row.population,
               error_of(rate, row.trials), row.open, bad ? "too often" : "kept");
  }
  fmt::print(stderr, "{} rows at alpha {}: missed at most {:.4f}; {} rows too often.\n", rows.size(), kAlpha, worst, red);
  const int expected = planted ? static_cast<int>(rows.size()) : 0;
  if (planted) fmt::print(stderr, "{} of {} planted faults found.\n", red, expected);
  return red != expected || (planted && rows.empty()) ? 1 : 0;
}
