#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include <fmt/format.h>

#include "tacet/accounting/max_information.h"
#include "tacet/inference/adaptive/adaptive_attack.h"
#include "tacet/numeric/normal.h"
#include "tacet/planning/adaptive_width.h"
#include "tacet/studies/study_list.h"

namespace tacet::studies::rogers_adaptive_attack {
namespace {

constexpr double kBeta = 0.05, kAlpha = 0.05;
constexpr std::size_t kRows = 10'000, kMostVariables = 10'000;
constexpr std::array<std::size_t, 5> kVariables = {100, 300, 1000, 3000, kMostVariables};
/// Of the noise with the least width; 0: bare shares.
constexpr std::array<double, 3> kNoise = {0, 1, 5};
/// With five times the noise the noise decides, and the width is sharp.
constexpr double kSharp = 5;
constexpr double kPlanted = 0.7;  // a width that is 30 % too small

constexpr std::size_t kScreenedRows = 100;
constexpr std::array<std::size_t, 4> kScreened = {10, 20, 30, 50};
constexpr double kScreeningEpsilon = 0.05;

inference::AdaptiveAttack attack_of(std::size_t variables) {
  return {.n = kRows, .variables = variables, .repeats = std::max<std::size_t>(1, variables / 4)};
}

planning::AdaptiveQueries queries_of(std::size_t variables) {
  return {static_cast<double>(kRows), static_cast<double>(attack_of(variables).queries()), kBeta};
}

/// The noise and the width that is promised: for bare shares that of queries that were fixed
/// beforehand (Hoeffding), which the analyst believes in.
struct Promised {
  double noise, width;
};
Result<Promised> promised(std::size_t variables, double factor) {
  const planning::AdaptiveQueries queries = queries_of(variables);
  if (factor == 0) return Promised{0, std::sqrt(std::log(2 * queries.queries / kBeta) / (2 * queries.n))};
  TACET_TRY(const planning::AdaptiveWidth best, planning::cvar_width(queries));
  const double noise = best.noise.value_or(0) * factor;
  TACET_TRY(const double width, planning::cvar_width_at(queries, noise));
  return Promised{noise, width};
}

std::string attacked(std::size_t variables, double factor) { return fmt::format("attack d={} noise={:g}", variables, factor); }
std::string screened(std::size_t variables) { return fmt::format("screened d={}", variables); }

/// Sums of the vote's error and of the largest one; how often it exceeds the width, and 0.7 of it.
Result<Sums> attack_once(Piece& piece, std::size_t variables, double factor) {
  TACET_TRY(const Promised promise, promised(variables, factor));
  inference::AdaptiveAttack attack = attack_of(variables);
  attack.noise = promise.noise;
  attack.seed = piece.seed;
  TACET_TRY(const inference::AttackErrors errors, inference::run_attack(attack, piece.trials));
  Sums sums(4, 0);
  for (const double error : errors.vote) sums[0] += error;
  for (const double error : errors.largest) {
    sums[1] += error;
    sums[2] += error > promise.width ? 1 : 0;
    sums[3] += error > kPlanted * promise.width ? 1 : 0;
  }
  return sums;
}

Result<double> corrected_threshold() {
  TACET_TRY(const accounting::CorrectedLevel level,
            accounting::corrected_level({static_cast<double>(kScreenedRows), {accounting::PureStep{kScreeningEpsilon}}}, kAlpha));
  return level.threshold;
}

/// Rejections: bare; after private screening at 0.05, and at the corrected threshold.
Result<Sums> screen_once(Piece& piece, std::size_t variables) {
  TACET_TRY(const double threshold, corrected_threshold());
  TACET_TRY(const inference::FreedmanPValues values,
            inference::run_freedman({.n = kScreenedRows, .variables = variables, .epsilon = kScreeningEpsilon, .seed = piece.seed},
                                    piece.trials));
  const auto below = [](const std::vector<double>& ps, double most) {
    return static_cast<double>(std::count_if(ps.begin(), ps.end(), [most](double p) { return p <= most; }));
  };
  return Sums{below(values.by_correlation, kAlpha), below(values.by_noisy_share, kAlpha), below(values.by_noisy_share, threshold)};
}

std::vector<Cell> cells(const Effort& effort) {
  std::vector<Cell> all;
  for (const std::size_t variables : kVariables) {
    for (const double factor : kNoise) {
      all.push_back({attacked(variables, factor), effort.of(200, 20), 10,
                     [variables, factor](Piece& piece) { return attack_once(piece, variables, factor); }});
    }
  }
  for (const std::size_t variables : kScreened)
    all.push_back({screened(variables), effort.of(2000, 200), 100, [variables](Piece& piece) { return screen_once(piece, variables); }});
  return all;
}

/// The share of rows in which the vote of d useless variables seems right, nearly.
double believed(std::size_t variables) {
  return numeric::normal_lower(std::sqrt(2 * static_cast<double>(variables) / (std::numbers::pi * static_cast<double>(kRows))));
}

/// Not above the promise by more than chance.
bool keeps(const Rate& rate, double promise, std::size_t count) {
  return rate.share <= promise + allowed_errors(count) * std::sqrt(promise * (1 - promise) / rate.trials);
}

std::vector<Verdict> verdicts(const Measured& measured) {
  std::vector<Verdict> found;
  std::vector<std::pair<std::string, Comparison>> votes;
  bool fooled = true, within = true, caught = true;
  double most_beyond = 0, least_caught = 1;
  for (const std::size_t variables : kVariables) {
    // The error of the approximation is of the order of 1/d, that of the mean below
    // 0.005/sqrt(trials).
    const std::string bare = attacked(variables, 0);
    const double tolerance = 4 * 0.005 / std::sqrt(measured.trials(bare)) + 0.5 / static_cast<double>(variables);
    votes.push_back({fmt::format("d = {}", variables), {0.5 + measured.mean(bare, 0), believed(variables), tolerance}});
    fooled = fooled && measured.mean(bare, 2) > 0.5;
    for (const double factor : {1.0, kSharp}) {
      const Rate beyond = measured.rate(attacked(variables, factor), 2);
      most_beyond = std::max(most_beyond, beyond.share);
      within = within && keeps(beyond, kBeta, 2 * kVariables.size());
    }
    const Rate planted = measured.rate(attacked(variables, kSharp), 3);
    least_caught = std::min(least_caught, planted.share);
    caught = caught && !keeps(planted, kBeta, 1);
  }
  found.push_back(all_agree("the vote of useless variables seems right in a share Phi(sqrt(2d/(pi n))) of the rows", votes,
                            "By an analyst who asks for bare shares; it is right in one half."));
  const std::string most = attacked(kMostVariables, 0);
  found.push_back(holds("with bare shares the analyst believes in what is not there", fooled,
                        {{"share that seems right, 10,000 variables", 0.5 + measured.mean(most, 0)}, {"beyond", measured.mean(most, 2)}},
                        "The width of queries that were fixed beforehand is exceeded nearly always"));
  found.push_back(holds("with noise all answers stay within the printed width", within, {{"most beyond", most_beyond}, {"promised", kBeta}},
                        "With the best noise, and with five times as much"));
  found.push_back(holds("a width that is 30 % too small is found", caught, {{"least beyond", least_caught}, {"promised", kBeta}},
                        "With five times the best noise, where noise decides"));
  bool deceived = true, level = true;
  double most_rejected = 0;
  for (const std::size_t variables : kScreened) {
    deceived = deceived && !keeps(measured.rate(screened(variables), 0), kAlpha, 1);
    const Rate corrected = measured.rate(screened(variables), 2);
    most_rejected = std::max(most_rejected, corrected.share);
    level = level && keeps(corrected, kAlpha, kScreened.size());
  }
  found.push_back(holds("Freedman's paradox: screened variables without any effect are found together", deceived,
                        {{"rejected, 50 variables", measured.mean(screened(50), 0)}, {"level", kAlpha}},
                        "The F test of the variables that passed a screening by the same rows"));
  found.push_back(holds("after private screening the corrected threshold keeps the level", level,
                        {{"most rejected", most_rejected}, {"level", kAlpha}}, "Epsilon 0.05, 100 rows"));
  return found;
}

Result<Findings> conclude(const Measured& measured) {
  Findings found;
  Table attacks{"attack",
                "An analyst who lets useless variables vote, 10,000 rows",
                {"variables", "queries", "noise", "width", "vote seems right in", "largest error", "beyond the width", "beyond 0.7 of it"},
                {}};
  report::Panel votes{.title = "the vote", .x = {"variables", true}, .y = {"share of rows it seems right in"}, .series = {}};
  report::Panel errors{.title = "all answers", .x = {"variables", true}, .y = {"largest error", true}, .series = {}};
  for (const double factor : kNoise) {
    const std::string name = factor == 0 ? "bare shares" : factor == 1 ? "the session's noise" : "five times the noise";
    report::Series vote{name, {}, report::Mark::LineAndPoints}, error{name, {}, report::Mark::LineAndPoints};
    report::Series width{factor == 0 ? "width if fixed beforehand" : fmt::format("width with {}", name), {}};
    for (const std::size_t variables : kVariables) {
      const std::string cell = attacked(variables, factor);
      TACET_TRY(const Promised promise, promised(variables, factor));
      const auto d = static_cast<double>(variables);
      attacks.rows.push_back({d, queries_of(variables).queries, promise.noise, promise.width, 0.5 + measured.mean(cell, 0),
                              measured.mean(cell, 1), measured.mean(cell, 2), measured.mean(cell, 3)});
      vote.points.push_back({d, 0.5 + measured.mean(cell, 0)});
      error.points.push_back({d, measured.mean(cell, 1)});
      width.points.push_back({d, promise.width});
    }
    // With five times the noise the vote is lost in it.
    if (factor != kSharp) votes.series.push_back(std::move(vote));
    errors.series.push_back(std::move(error));
    errors.series.push_back(std::move(width));
  }
  Table freedman{"freedman",
                 "Freedman's paradox, 100 rows: the share of rejections",
                 {"variables", "bare", "private screening", "at the corrected threshold"},
                 {}};
  report::Panel tests{.title = "Freedman's paradox", .x = {"variables"}, .y = {"false discoveries"}, .series = {}};
  const std::array<const char*, 3> kinds = {"screened by correlation", "screened privately", "at the corrected threshold"};
  for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
    report::Series rejected{kinds[kind], {}, report::Mark::LineAndPoints};
    for (const std::size_t variables : kScreened)
      rejected.points.push_back({static_cast<double>(variables), measured.mean(screened(variables), kind)});
    tests.series.push_back(std::move(rejected));
  }
  for (const std::size_t variables : kScreened) {
    const std::string cell = screened(variables);
    freedman.rows.push_back({static_cast<double>(variables), measured.mean(cell, 0), measured.mean(cell, 1), measured.mean(cell, 2)});
  }
  found.tables = {std::move(attacks), std::move(freedman)};
  found.figures.push_back({.title = "What an analyst finds where there is nothing", .panels = {votes, errors}, .columns = 2});
  found.figures.push_back({.title = "Screened variables without an effect, tested together", .panels = {tests}, .columns = 1});
  found.verdicts = verdicts(measured);
  return found;
}

}  // namespace

Study make() {
  return {.name = "rogers_adaptive_attack",
          .title = "An analyst who finds what is not there, and the cure",
          .paper = "Rogers, chapter 1 (danger), sections 3 and 4 (cure)",
          .shows =
              "Labels and variables are coin tosses. The analyst asks how often each variable agrees with the label, lets all vote "
              "with the signs of the answers, and asks about the vote: with bare shares, and with the noise of a session. Beside it "
              "Freedman's paradox in regression. The paper describes the attack; the settings are ours, up to 10,000 variables over "
              "10,000 rows.",
          .version = 1,
          .seconds = 40,
          .cells = cells,
          .conclude = conclude};
}

}  // namespace tacet::studies::rogers_adaptive_attack
