#include "tacet/studies/levels/level_grid.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace tacet::studies {
namespace {

constexpr std::size_t kTimesAgain = 4;
/// The numbers of a kind in the sums of a cell: trials, errors, silent, and whether it was measured
/// again.
constexpr std::size_t kNumbers = 4;

Result<Sums> measure_setting(const std::vector<ErrorKind>& kinds, const LevelSetting& setting, Piece& piece) {
  ErrorTally first(std::vector<bool>(kinds.size(), true));
  TACET_CHECK(setting.count(piece, first));
  std::vector<bool> again(kinds.size(), false);
  for (std::size_t k = 0; k < kinds.size(); ++k) again[k] = !setting.planted && is_too_high(first.of(k), kinds[k].most);
  ErrorTally second(again);
  if (std::find(again.begin(), again.end(), true) != again.end()) {
    // The stream goes on, and what simulates by itself gets another seed.
    Piece more{.trials = kTimesAgain * piece.trials, .seed = piece.stream.word() >> 12, .stream = piece.stream};
    TACET_CHECK(setting.count(more, second));
  }
  Sums sums;
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    const ErrorTally::Count& count = again[k] ? second.of(k) : first.of(k);
    sums.insert(sums.end(), {count.trials, count.errors, count.silent, again[k] ? 1.0 : 0.0});
  }
  return sums;
}

/// All errors of a kind together: so many standard errors above what is allowed, which a limit for
/// large n may exceed by a fiftieth.
constexpr double kErrorsTogether = 4, kApproximate = 1.02;

/// A rate that was measured in a setting.
struct LevelRate {
  const LevelSetting* setting;
  std::size_t kind;
  ErrorTally::Count count;
  bool again, too_high;
};

std::vector<LevelRate> rates_of(const LevelGrid& grid, const Measured& measured) {
  std::vector<LevelRate> rates;
  for (const LevelSetting& setting : grid.settings) {
    if (!measured.all().contains(setting.name)) continue;  // left out in a hurry
    const Sums& sums = measured.sums(setting.name);
    for (std::size_t k = 0; k < grid.kinds.size(); ++k) {
      const double* at = &sums.at(kNumbers * k);
      const ErrorTally::Count count{at[0], at[1], at[2]};
      if (count.trials > 0) rates.push_back({&setting, k, count, at[3] > 0, is_too_high(count, grid.kinds[k].most)});
    }
  }
  return rates;
}

/// Of the rates of some kinds.
struct LevelSummary {
  double rates = 0, again = 0, too_high = 0, mean = 0, silent = 0, trials = 0, errors = 0;
  double allowed = 0;                  // of all errors, if each rate is what is allowed
  const LevelRate* nearest = nullptr;  // to being too high, or beyond

  void add(const LevelRate& rate, double most) {
    ++rates;
    again += rate.again ? 1 : 0;
    too_high += rate.too_high ? 1 : 0;
    mean += rate.count.rate();
    silent += rate.count.silent;
    trials += rate.count.trials;
    errors += rate.count.errors;
    allowed += rate.count.trials * most;
    const double excess = (rate.count.rate() - most) * std::sqrt(rate.count.trials / most);
    if (nearest != nullptr && excess <= nearest_) return;
    nearest = &rate;
    nearest_ = excess;
  }
  /// Of one kind, whose settings are independent.
  bool is_too_high_together() const { return errors > kApproximate * allowed + kErrorsTogether * std::sqrt(allowed); }

 private:
  double nearest_ = 0;
};

LevelSummary summary_of(const LevelGrid& grid, const std::vector<LevelRate>& rates, const std::function<bool(const ErrorKind&)>& wanted) {
  LevelSummary summary;
  for (const LevelRate& rate : rates) {
    if (!rate.setting->planted && wanted(grid.kinds[rate.kind])) summary.add(rate, grid.kinds[rate.kind].most);
  }
  if (summary.rates > 0) summary.mean /= summary.rates;
  return summary;
}

/// A claim that is never broken has not been measured: some trials must err.
Verdict verdict_on(const std::string& claim, const LevelGrid& grid, const std::vector<LevelRate>& rates) {
  const LevelSummary all = summary_of(grid, rates, [&claim](const ErrorKind& kind) { return kind.claim == claim; });
  std::vector<Number> numbers = {
      {"rates", all.rates}, {"too high", all.too_high}, {"measured again", all.again}, {"mean", all.mean}, {"trials", all.trials}};
  bool together = true;
  for (const ErrorKind& kind : grid.kinds) {
    const auto is_it = [&kind](const ErrorKind& other) { return &other == &kind; };
    if (kind.claim == claim) together = together && !summary_of(grid, rates, is_it).is_too_high_together();
  }
  std::string words;
  if (all.nearest != nullptr) {
    const ErrorKind& kind = grid.kinds[all.nearest->kind];
    numbers.push_back({"nearest", all.nearest->count.rate()});
    numbers.push_back({"allowed", kind.most});
    words = fmt::format("Nearest to the contrary: {}, {}.", kind.name, all.nearest->setting->name);
    if (all.silent > 0) words += fmt::format(" There was no answer in {:.2g} % of the trials.", 100 * all.silent / all.trials);
  }
  if (all.errors == 0) words += " No trial erred, so that nothing was measured: try more trials.";
  if (!together) words += " All rates of a kind together are too high.";
  return holds(claim, all.too_high == 0 && all.errors > 0 && together, std::move(numbers), std::move(words));
}

std::vector<std::string> claims_of(const LevelGrid& grid) {
  std::vector<std::string> claims;
  for (const ErrorKind& kind : grid.kinds) {
    if (std::find(claims.begin(), claims.end(), kind.claim) == claims.end()) claims.push_back(kind.claim);
  }
  return claims;
}

/// Whether only settings with a planted fault add to the claim.
bool is_of_faults(const std::string& claim, const LevelGrid& grid, const std::vector<LevelRate>& rates) {
  bool planted = false;
  for (const LevelRate& rate : rates) {
    if (grid.kinds[rate.kind].claim != claim) continue;
    if (!rate.setting->planted) return false;
    planted = true;
  }
  return planted;
}

/// For each setting with a fault and each claim that it adds to.
Verdict on_planted(const LevelGrid& grid, const std::vector<LevelRate>& rates) {
  double planted = 0, found = 0;
  std::string missed;
  for (const LevelSetting& setting : grid.settings) {
    if (!setting.planted) continue;
    for (const std::string& claim : claims_of(grid)) {
      bool there = false, seen = false;
      for (const LevelRate& rate : rates) {
        if (rate.setting != &setting || grid.kinds[rate.kind].claim != claim) continue;
        there = true;
        seen = seen || rate.too_high;
      }
      planted += there ? 1 : 0;
      found += seen ? 1 : 0;
      if (there && !seen && missed.empty()) missed = fmt::format("Missed: {}, {}.", claim, setting.name);
    }
  }
  return holds("faults that are planted are found", planted > 0 && found == planted, {{"planted", planted}, {"found", found}}, missed);
}

Table table_of_kinds(const LevelGrid& grid, const std::vector<LevelRate>& rates) {
  Table table{"kinds",
              "Error rates over the settings",
              {"of", "error", "allowed", "settings", "mean", "most", "measured again", "too high", "no answer"},
              {}};
  for (const ErrorKind& kind : grid.kinds) {
    const LevelSummary all = summary_of(grid, rates, [&kind](const ErrorKind& other) { return &other == &kind; });
    if (all.nearest == nullptr) continue;
    table.rows.push_back({kind.claim, kind.name, kind.most, all.rates, std::round(1e4 * all.mean) / 1e4,
                          std::round(1e4 * all.nearest->count.rate()) / 1e4, all.again, all.too_high,
                          std::round(1e4 * all.silent / all.trials) / 1e4});
  }
  return table;
}

Table table_of_settings(const LevelGrid& grid, const std::vector<LevelRate>& rates) {
  Table table{"settings", "All error rates", {"setting", "of", "error", "allowed", "trials", "rate", "no answer", "verdict"}, {}};
  for (const LevelRate& rate : rates) {
    const ErrorKind& kind = grid.kinds[rate.kind];
    const std::string verdict = rate.too_high ? "too high" : "kept";
    table.rows.push_back({rate.setting->name, kind.claim, kind.name, kind.most, rate.count.trials, rate.count.rate(),
                          rate.count.silent / rate.count.trials, rate.setting->planted ? verdict + ", planted" : verdict});
  }
  return table;
}

/// The rates of a claim in order, of so many shares of the settings.
constexpr int kSteps = 20;

report::Figure figure_of(const LevelGrid& grid, const std::vector<LevelRate>& rates) {
  report::Panel panel{.title = "", .x = {"share of the settings"}, .y = {"share of the allowed error rate"}, .series = {}};
  for (const std::string& claim : claims_of(grid)) {
    std::vector<double> values;
    for (const LevelRate& rate : rates) {
      const ErrorKind& kind = grid.kinds[rate.kind];
      if (!rate.setting->planted && kind.claim == claim) values.push_back(rate.count.rate() / kind.most);
    }
    if (values.empty()) continue;
    std::sort(values.begin(), values.end());
    report::Series series{claim, {}, report::Mark::Line};
    for (int i = 0; i <= kSteps; ++i) {
      const double share = static_cast<double>(i) / kSteps;
      series.points.push_back({share, values[static_cast<std::size_t>(std::lround(share * static_cast<double>(values.size() - 1)))]});
    }
    panel.series.push_back(std::move(series));
  }
  panel.series.push_back({"allowed", {{0, 1}, {1, 1}}, report::Mark::Line});
  return {.title = grid.title, .panels = {std::move(panel)}, .columns = 1};
}

}  // namespace

void ErrorTally::add_many(std::size_t kind, const Count& count) {
  counts_[kind].trials += count.trials;
  counts_[kind].errors += count.errors;
  counts_[kind].silent += count.silent;
}

bool is_too_high(const ErrorTally::Count& count, double most) {
  return count.trials > 0 && count.rate() > most + 3 * std::sqrt(most * (1 - most) / count.trials);
}

std::vector<Cell> level_cells(const LevelGrid& grid, const Effort& effort) {
  const std::size_t trials = effort.of(grid.usual, grid.in_a_hurry);
  std::vector<Cell> cells;
  for (std::size_t i = 0; i < grid.settings.size(); ++i) {
    const LevelSetting& setting = grid.settings[i];
    if (effort.quick && !setting.planted && i % grid.every != 0) continue;
    const std::size_t now = setting.planted ? std::max({trials, grid.planted, grid.in_a_hurry}) : trials;
    cells.push_back(
        {setting.name, now, /*block=*/now, [kinds = grid.kinds, setting](Piece& piece) { return measure_setting(kinds, setting, piece); }});
  }
  return cells;
}

Findings level_findings(const LevelGrid& grid, const Measured& measured) {
  const std::vector<LevelRate> rates = rates_of(grid, measured);
  Findings found;
  for (const std::string& claim : claims_of(grid)) {
    if (!is_of_faults(claim, grid, rates)) found.verdicts.push_back(verdict_on(claim, grid, rates));
  }
  if (std::any_of(grid.settings.begin(), grid.settings.end(), [](const LevelSetting& one) { return one.planted; }))
    found.verdicts.push_back(on_planted(grid, rates));
  found.tables = {table_of_kinds(grid, rates), table_of_settings(grid, rates)};
  found.figures.push_back(figure_of(grid, rates));
  return found;
}

}  // namespace tacet::studies
