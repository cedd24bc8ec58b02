#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tacet/studies/papers/hotelling_groups.h"
#include "tacet/studies/study_list.h"

namespace tacet::studies::hotelling_table_1 {
namespace {

constexpr std::size_t kPaperTrials = 1000;
constexpr std::array<std::size_t, 3> kColumns = {1, 10, 30};
constexpr std::array<double, 4> kEpsilons = {0.1, 0.5, 1, 5};
constexpr std::array<std::size_t, 4> kPeople = {100, 1000, 10'000, 100'000};

/// As printed, for each number of columns a line for each epsilon.
using Printed = std::array<std::array<std::array<double, kPeople.size()>, kEpsilons.size()>, kColumns.size()>;
constexpr Printed kBootstrap = {
    {{{{0.052, 0.046, 0.051, 0.048}, {0.054, 0.05, 0.059, 0.05}, {0.053, 0.05, 0.054, 0.053}, {0.041, 0.053, 0.043, 0.053}}},
     {{{0.058, 0.05, 0.068, 0.063}, {0.039, 0.06, 0.057, 0.052}, {0.048, 0.061, 0.038, 0.069}, {0.055, 0.053, 0.056, 0.051}}},
     {{{0.04, 0.057, 0.056, 0.062}, {0.054, 0.054, 0.06, 0.056}, {0.048, 0.063, 0.056, 0.054}, {0.044, 0.05, 0.062, 0.052}}}}};
constexpr Printed kAsymptotic = {
    {{{{0.738, 0.676, 0.328, 0.093}, {0.4, 0.154, 0.055, 0.058}, {0.24, 0.063, 0.057, 0.044}, {0.054, 0.047, 0.045, 0.039}}},
     {{{1, 1, 1, 1}, {1, 1, 1, 0.891}, {1, 1, 0.993, 0.428}, {0.990, 0.933, 0.181, 0.062}}},
     {{{1, 1, 1, 1}, {1, 1, 1, 1}, {1, 1, 1, 1}, {1, 1, 0.999, 0.301}}}}};
constexpr double kRounding = 0.0005001;

/// The numbers of a cell.
enum : std::size_t { kBoot, kChi2, kOurs, kOtherBoot, kOtherChi2 };

/// The variance of the noise of the means with which the printed levels of test (3.2) are those of
/// the algorithm, over the stated variance.
double implied_variance(std::size_t columns, double epsilon) {
  if (columns > 1) return 2;
  return epsilon < 0.5 ? 1 : 0.5;
}

struct Setting {
  std::size_t d, e, n;  // places in the lists

  std::size_t columns() const { return kColumns[d]; }
  double epsilon() const { return kEpsilons[e]; }
  std::size_t people() const { return kPeople[n]; }
  std::string name() const { return fmt::format("d={} n={} epsilon={}", columns(), people(), epsilon()); }
  double bootstrap() const { return kBootstrap[d][e][n]; }
  double asymptotic() const { return kAsymptotic[d][e][n]; }
};

/// The one level of test (3.3) that does not follow from the stated algorithm.
bool is_exception(const Setting& at) { return at.columns() == 30 && at.people() == 100 && at.epsilon() == 5; }

std::vector<Setting> settings() {
  std::vector<Setting> all;
  for (std::size_t d = 0; d < kColumns.size(); ++d) {
    for (std::size_t e = 0; e < kEpsilons.size(); ++e) {
      for (std::size_t n = 0; n < kPeople.size(); ++n) all.push_back({d, e, n});
    }
  }
  return all;
}

/// Many trials where the covariance is known so well that the levels are known: 11/201 for test
/// (3.3), which rejects above the 190th of 200 draws, and 0.05 for ours.
constexpr const char* kExact = "known covariance";

Result<Sums> run(const HotellingDesign& design, Piece& piece) {
  TACET_TRY(const HotellingGroups groups, HotellingGroups::of(design));
  Sums sums(5);
  for (std::size_t i = 0; i < piece.trials; ++i) {
    TACET_TRY(const HotellingTrial trial, groups.trial(piece.stream));
    const PaperTests other = trial.other.value_or(trial.paper);
    const std::array<bool, 5> rejects = {trial.paper.bootstrap, trial.paper.asymptotic, trial.ours, other.bootstrap, other.asymptotic};
    for (std::size_t k = 0; k < rejects.size(); ++k) sums[k] += rejects[k] ? 1 : 0;
  }
  return sums;
}

std::vector<Cell> cells(const Effort& effort) {
  constexpr std::array<std::size_t, 3> kQuick = {300, 150, 40}, kBlocks = {1000, 500, 100};
  constexpr std::size_t kQuickException = 400;
  std::vector<Cell> all;
  for (const Setting& at : settings()) {
    HotellingDesign design{.columns = at.columns(), .people = at.people(), .epsilon = at.epsilon()};
    if (const double factor = implied_variance(at.columns(), at.epsilon()); factor != 1) design.other_variance = factor;
    all.push_back({at.name(), effort.of(kPaperTrials, is_exception(at) ? kQuickException : kQuick[at.d]), kBlocks[at.d],
                   [design](Piece& piece) { return run(design, piece); }});
  }
  const HotellingDesign exact{.columns = 1, .people = 100'000, .epsilon = 1};
  all.push_back({kExact, effort.of(40'000, 3000), 2000, [exact](Piece& piece) { return run(exact, piece); }});
  return all;
}

using Comparisons = std::vector<std::pair<std::string, Comparison>>;

/// The verdicts on test (3.2): the printed levels are not those of the stated algorithm.
std::vector<Verdict> on_asymptotic(const Measured& measured) {
  Comparisons stated, implied;
  double away = 0, left = 0;
  std::size_t unlike = 0;
  for (const Setting& at : settings()) {
    const Rate level = measured.rate(at.name(), kChi2), other = measured.rate(at.name(), kOtherChi2);
    const Comparison as_stated = compared(level, at.asymptotic(), kPaperTrials, 48, kRounding);
    if (implied_variance(at.columns(), at.epsilon()) == 1) {
      stated.emplace_back(at.name(), as_stated);
      continue;
    }
    away = std::max(away, std::abs(as_stated.ours - as_stated.paper));
    unlike += std::abs(as_stated.ours - as_stated.paper) > as_stated.tolerance ? 1 : 0;
    // Noise of the covariance: with 10 columns and up to 1000 people it matters too.
    if (at.columns() == 10 && at.people() <= 1000 && at.epsilon() == 5) {
      left = std::max(left, std::abs(other.share - at.asymptotic()));
      continue;
    }
    implied.emplace_back(at.name(), compared(other, at.asymptotic(), kPaperTrials, 48, kRounding));
  }
  std::vector<Verdict> found;
  found.push_back(all_agree("type I errors of test (3.2) for one column and epsilon = 0.1", stated));
  const bool explained = std::all_of(implied.begin(), implied.end(),
                                     [](const auto& one) { return std::abs(one.second.ours - one.second.paper) <= one.second.tolerance; });
  found.push_back(differs(
      "type I errors of test (3.2) elsewhere", explained && unlike > 0,
      {{"compared", static_cast<double>(implied.size() + 2)},
       {"beyond the tolerance", static_cast<double>(unlike)},
       {"largest difference", away},
       {"left unexplained", left}},
      fmt::format(
          "The printed levels are not those of Algorithms 1 and 5: they are those of means whose noise has half the stated variance "
          "(one column, epsilon at least 0.5) or twice that variance (10 and 30 columns). With these variances {} levels agree; two "
          "(10 columns, up to 1000 people, epsilon = 5) stay a little below the paper's, where the noise of the covariance matters "
          "as well. What the authors' program did is not in the paper",
          implied.size())));
  const double one = measured.mean("d=1 n=10000 epsilon=1", kChi2), ten = measured.mean("d=10 n=10000 epsilon=1", kChi2),
               thirty = measured.mean("d=30 n=10000 epsilon=1", kChi2);
  found.push_back(holds("for higher dimensions the asymptotic test breaks down quickly", one < 0.1 && ten > 0.5 && thirty > 0.9,
                        {{"d = 1", one}, {"d = 10", ten}, {"d = 30", thirty}}, "Type I errors at n = 10,000 and epsilon = 1"));
  return found;
}

std::vector<Verdict> on_bootstrap(const Measured& measured) {
  Comparisons levels;
  double low = 1, high = 0;
  for (const Setting& at : settings()) {
    const Rate level = measured.rate(at.name(), kBoot);
    if (is_exception(at)) continue;
    low = std::min(low, level.share);
    high = std::max(high, level.share);
    levels.emplace_back(at.name(), compared(level, at.bootstrap(), kPaperTrials, 47, kRounding));
  }
  std::vector<Verdict> found;
  found.push_back(all_agree("type I errors of test (3.3)", levels, fmt::format("Ours are from {:.3f} to {:.3f}.", low, high)));
  const std::string at = "d=30 n=100 epsilon=5";
  const Rate level = measured.rate(at, kBoot), other = measured.rate(at, kOtherBoot);
  const Comparison with_other = compared(other, 0.044, kPaperTrials, 1, kRounding);
  found.push_back(differs("type I error of test (3.3) for d = 30, n = 100 and epsilon = 5",
                          level.share < 0.044 && std::abs(with_other.ours - with_other.paper) <= with_other.tolerance,
                          {{"ours", level.share}, {"paper", 0.044}, {"with twice the variance", other.share}},
                          "The noise of the covariance is so large that the stated test is cautious; with the variance of the noise of the "
                          "means that test (3.2) implies, twice the stated one, the printed level is within Monte Carlo error"));
  found.push_back(agrees(
      "the level of test (3.3) where the covariance is known well is 11/201", compared(measured.rate(kExact, kBoot), 11.0 / 201, 0, 1),
      "One column, n = 100,000, epsilon = 1. The floor of Algorithm 3 takes the 190th of 200 draws, so that the level is "
      "above 0.05; the 191st would keep it."));
  return found;
}

std::vector<Verdict> on_ours(const Measured& measured) {
  bool kept = true;
  double high = 0, sum = 0;
  for (const Setting& at : settings()) {
    const Rate level = measured.rate(at.name(), kOurs);
    const Comparison limit = compared(level, kHotellingAlpha, 0, 48);
    kept = kept && level.share <= kHotellingAlpha + limit.tolerance;
    high = std::max(high, level.share);
    sum += level.share / 48;
  }
  std::vector<Verdict> found;
  found.push_back(holds("a test that knows its noise keeps the level 0.05 everywhere", kept, {{"highest", high}, {"average", sum}},
                        "infer two-sample on a release for two-sample, within Monte Carlo error in all 48 settings. It is cautious where "
                        "noise hides how the rows vary",
                        Outcome::Better));
  found.push_back(agrees("the level of our test where the covariance is known well is 0.05",
                         compared(measured.rate(kExact, kOurs), 0.05, 0, 1), "One column, n = 100,000, epsilon = 1."));
  return found;
}

report::Panel panel_of(const Measured& measured, std::size_t e, std::size_t number, const std::string& title, const Printed* printed) {
  report::Panel panel{.title = fmt::format("{}, epsilon {}", title, kEpsilons[e]), .x = {"people", true}, .y = {"rejected"}, .series = {}};
  for (std::size_t d = 0; d < kColumns.size(); ++d) {
    report::Series ours{fmt::format("d = {}", kColumns[d]), {}, report::Mark::LineAndPoints};
    report::Series theirs{fmt::format("d = {}, paper", kColumns[d]), {}, report::Mark::Points};
    for (std::size_t n = 0; n < kPeople.size(); ++n) {
      const auto x = static_cast<double>(kPeople[n]);
      const Rate rate = measured.rate(Setting{d, e, n}.name(), number);
      ours.points.push_back({x, rate.share, 1.96 * rate.standard_error()});
      if (printed != nullptr) theirs.points.push_back({x, (*printed)[d][e][n]});
    }
    panel.series.push_back(std::move(ours));
    if (printed != nullptr) panel.series.push_back(std::move(theirs));
  }
  return panel;
}

Result<Findings> conclude(const Measured& measured) {
  Findings found;
  Table table{"levels",
              "Type I errors at 0.05",
              {"d", "n", "epsilon", "test (3.3)", "paper", "test (3.2)", "paper", "ours", "variance of the noise over the stated one",
               "test (3.3) with it", "test (3.2) with it"},
              {}};
  for (const Setting& at : settings()) {
    const std::string name = at.name();
    table.rows.push_back({static_cast<double>(at.columns()), static_cast<double>(at.people()), at.epsilon(), measured.mean(name, kBoot),
                          at.bootstrap(), measured.mean(name, kChi2), at.asymptotic(), measured.mean(name, kOurs),
                          implied_variance(at.columns(), at.epsilon()), measured.mean(name, kOtherBoot), measured.mean(name, kOtherChi2)});
  }
  for (std::vector<Verdict> some : {on_bootstrap(measured), on_asymptotic(measured), on_ours(measured)})
    found.verdicts.insert(found.verdicts.end(), some.begin(), some.end());
  report::Figure theirs{.title = "Hotelling, Table 1: type I errors at 0.05", .panels = {}, .columns = 4};
  report::Figure ours{.title = "The same for a test that knows its noise", .panels = {}, .columns = 4};
  for (std::size_t e = 0; e < kEpsilons.size(); ++e) theirs.panels.push_back(panel_of(measured, e, kBoot, "test (3.3)", &kBootstrap));
  for (std::size_t e = 0; e < kEpsilons.size(); ++e) theirs.panels.push_back(panel_of(measured, e, kChi2, "test (3.2)", &kAsymptotic));
  for (std::size_t e = 0; e < kEpsilons.size(); ++e) ours.panels.push_back(panel_of(measured, e, kOurs, "ours", nullptr));
  found.figures = {std::move(theirs), std::move(ours)};
  found.tables.push_back(std::move(table));
  return found;
}

}  // namespace

Study make() {
  return {.name = "hotelling_table_1",
          .title = "Comparing the means of two groups: type I errors",
          .paper = "Hotelling, Table 1 (section 4)",
          .shows =
              "How often the paper's bootstrap and asymptotic tests reject equal means on the release that it describes, and beside them "
              "the test of infer two-sample on the release that Tacet plans for it, at the same epsilon. The paper does not state the "
              "half width m of the public cube; here it is that of the rows, the square root of 3.",
          .version = 1,
          .seconds = 70,
          .cells = cells,
          .conclude = conclude};
}

}  // namespace tacet::studies::hotelling_table_1
