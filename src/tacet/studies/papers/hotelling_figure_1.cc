#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tacet/numeric/normal.h"
#include "tacet/studies/papers/hotelling_groups.h"
#include "tacet/studies/study_list.h"

namespace tacet::studies::hotelling_figure_1 {
namespace {

constexpr std::size_t kPaperTrials = 1000;
constexpr double kShift = 1, kHighPower = 0.9;
constexpr std::array<std::size_t, 3> kColumns = {1, 10, 30};
constexpr std::array<double, 4> kEpsilons = {0.1, 0.5, 1, 5};
/// Three to a power of ten.
constexpr std::array<std::size_t, 10> kPeople = {100, 215, 464, 1000, 2154, 4642, 10'000, 21'544, 46'416, 100'000};

/// The numbers of a cell.
enum : std::size_t { kPaper, kOurs };

std::string cell_name(std::size_t d, double epsilon, std::size_t n) { return fmt::format("d={} epsilon={} n={}", d, epsilon, n); }

/// The smallest cube about 0 that holds the rows of both groups.
double half_width(std::size_t d) { return std::sqrt(3.0) + kShift / std::sqrt(static_cast<double>(d)); }

/// Another cube, that is as wide for every d; for one claim.
constexpr std::size_t kWideColumns = 30;
constexpr double kWideEpsilon = 0.1;
constexpr std::array<std::size_t, 5> kWidePeople = {10'000, 21'544, 46'416, 100'000, 215'443};
std::string wide_name(std::size_t n) { return cell_name(kWideColumns, kWideEpsilon, n) + " wide"; }

Result<Sums> run(const HotellingDesign& design, Piece& piece) {
  TACET_TRY(const HotellingGroups groups, HotellingGroups::of(design));
  Sums sums(2);
  for (std::size_t i = 0; i < piece.trials; ++i) {
    TACET_TRY(const HotellingTrial trial, groups.trial(piece.stream));
    sums[kPaper] += trial.paper.bootstrap ? 1 : 0;
    sums[kOurs] += trial.ours ? 1 : 0;
  }
  return sums;
}

std::vector<Cell> cells(const Effort& effort) {
  constexpr std::array<std::size_t, 3> kQuick = {100, 60, 30}, kBlocks = {1000, 500, 100};
  std::vector<Cell> all;
  for (std::size_t k = 0; k < kColumns.size(); ++k) {
    const std::size_t d = kColumns[k], trials = effort.of(kPaperTrials, kQuick[k]);
    for (const double epsilon : kEpsilons) {
      for (const std::size_t n : kPeople) {
        const HotellingDesign design{.columns = d, .people = n, .epsilon = epsilon, .shift = kShift, .half_width = half_width(d)};
        all.push_back({cell_name(d, epsilon, n), trials, kBlocks[k], [design](Piece& piece) { return run(design, piece); }});
      }
    }
  }
  for (const std::size_t n : kWidePeople) {
    const HotellingDesign design{
        .columns = kWideColumns, .people = n, .epsilon = kWideEpsilon, .shift = kShift, .half_width = half_width(1)};
    all.push_back({wide_name(n), effort.of(kPaperTrials, kQuick[2]), kBlocks[2], [design](Piece& piece) { return run(design, piece); }});
  }
  return all;
}

/// The normal quantile of a power, at most that of half a trial.
double probit(double power) {
  constexpr double kHalfATrial = 0.5 / kPaperTrials;
  return -numeric::normal_upper_quantile(std::clamp(power, kHalfATrial, 1 - kHalfATrial));
}

/// The number of people with this power, between those of a curve: the normal quantile of the power
/// is taken as linear in the logarithm. The first or the last number if the curve lies above or
/// below.
double people_for(const std::vector<report::Point>& curve, double power = kHighPower) {
  if (curve.front().y >= power) return curve.front().x;
  for (std::size_t i = 1; i < curve.size(); ++i) {
    const report::Point &low = curve[i - 1], &high = curve[i];
    if (high.y < power) continue;
    const double part = (probit(power) - probit(low.y)) / (probit(high.y) - probit(low.y));
    return low.x * std::pow(high.x / low.x, part);
  }
  return curve.back().x;
}

std::vector<report::Point> curve_of(const Measured& measured, std::size_t d, double epsilon, std::size_t number) {
  std::vector<report::Point> curve;
  for (const std::size_t n : kPeople) {
    const Rate power = measured.rate(cell_name(d, epsilon, n), number);
    curve.push_back({static_cast<double>(n), power.share, 1.96 * power.standard_error()});
  }
  return curve;
}

/// Whether no power is below the other by more than Monte Carlo error allows, over `count` pairs.
bool is_not_above(const Rate& low, const Rate& high, std::size_t count) {
  return low.share - high.share <= compared(low, high.share, high.trials, count).tolerance;
}

/// The order of the curves: more power with more people, with a larger epsilon, with fewer columns.
Verdict on_order(const Measured& measured) {
  constexpr std::size_t kPairs = 108 + 90 + 80;
  std::size_t pairs = 0, wrong = 0;
  const auto check = [&](const std::string& low, const std::string& high) {
    ++pairs;
    wrong += is_not_above(measured.rate(low, kPaper), measured.rate(high, kPaper), kPairs) ? 0 : 1;
  };
  for (std::size_t d = 0; d < kColumns.size(); ++d) {
    for (std::size_t e = 0; e < kEpsilons.size(); ++e) {
      for (std::size_t n = 0; n < kPeople.size(); ++n) {
        const std::string here = cell_name(kColumns[d], kEpsilons[e], kPeople[n]);
        if (n > 0) check(cell_name(kColumns[d], kEpsilons[e], kPeople[n - 1]), here);
        if (e > 0) check(cell_name(kColumns[d], kEpsilons[e - 1], kPeople[n]), here);
        if (d > 0) check(here, cell_name(kColumns[d - 1], kEpsilons[e], kPeople[n]));
      }
    }
  }
  return holds("low dimensions, weak privatizations and large groups have more power", wrong == 0,
               {{"compared", static_cast<double>(pairs)}, {"against", static_cast<double>(wrong)}},
               "All neighbouring points of all curves");
}

std::vector<Verdict> verdicts(const Measured& measured) {
  std::vector<Verdict> found = {on_order(measured)};
  std::vector<Number> ratios;
  bool order_of_magnitude = true;
  for (const std::size_t d : {std::size_t{10}, std::size_t{30}}) {
    const double ratio = people_for(curve_of(measured, d, 0.5, kPaper)) / people_for(curve_of(measured, d, 5, kPaper));
    order_of_magnitude = order_of_magnitude && ratio > 5 && ratio < 20;
    ratios.push_back({fmt::format("d = {}", d), ratio});
  }
  found.push_back(holds("from epsilon 1/2 to 5, a power of 90 % needs groups smaller by about an order of magnitude", order_of_magnitude,
                        std::move(ratios), "For one column the power is above 90 % at 100 people and epsilon = 5, where the curves begin"));
  const std::vector<report::Point> narrow = curve_of(measured, kWideColumns, kWideEpsilon, kPaper);
  std::vector<report::Point> wide;
  for (const std::size_t n : kWidePeople) wide.push_back({static_cast<double>(n), measured.mean(wide_name(n), kPaper)});
  const double strong = people_for(narrow), half = people_for(narrow, 0.5), half_wide = people_for(wide, 0.5);
  found.push_back(holds(
      "for epsilon = 0.1 and d = 30 high power requires samples of a few ten thousand observations",
      half > 2e4 && half < 1e5 && strong < 1e5 && half_wide > 2e4 && half_wide < 1e5,
      {{"people for 50 %", half}, {"for 90 %", strong}, {"for 50 % in a wider cube", half_wide}, {"for 90 % in it", people_for(wide)}},
      "The wider cube has the half width sqrt 3 + 1 in place of sqrt 3 + 1/sqrt 30"));
  std::size_t below = 0, settings = 0;
  for (const std::size_t d : kColumns) {
    for (const double epsilon : kEpsilons) {
      for (const std::size_t n : kPeople) {
        const std::string name = cell_name(d, epsilon, n);
        ++settings;
        below += is_not_above(measured.rate(name, kPaper), measured.rate(name, kOurs), 120) ? 0 : 1;
      }
    }
  }
  const double ours = people_for(curve_of(measured, kWideColumns, kWideEpsilon, kOurs));
  found.push_back(holds("more power at the same epsilon in every setting", below == 0 && ours < strong / 2,
                        {{"settings", static_cast<double>(settings)},
                         {"below", static_cast<double>(below)},
                         {"people for 90 %, epsilon 0.1, d = 30", ours},
                         {"paper's test", strong}},
                        "Each group has the whole of epsilon, the means have K-norm noise, and most of epsilon", Outcome::Better));
  return found;
}

Result<Findings> conclude(const Measured& measured) {
  Findings found;
  Table table{"powers", "Powers at the level 0.05", {"d", "epsilon", "n", "test (3.3)", "ours"}, {}};
  report::Figure figure{.title = "Hotelling, Figure 1: power against means that differ by 1", .panels = {}, .columns = 2};
  for (const double epsilon : kEpsilons) {
    report::Panel panel{
        .title = fmt::format("epsilon = {}", epsilon), .x = {"people in each group", true}, .y = {"rejected"}, .series = {}};
    for (const std::size_t d : kColumns) {
      panel.series.push_back({fmt::format("d = {}, test (3.3)", d), curve_of(measured, d, epsilon, kPaper), report::Mark::LineAndPoints});
      std::vector<report::Point> ours = curve_of(measured, d, epsilon, kOurs);
      for (report::Point& point : ours) point.error = 0;
      panel.series.push_back({fmt::format("d = {}, ours", d), std::move(ours), report::Mark::Line});
    }
    figure.panels.push_back(std::move(panel));
  }
  for (const std::size_t d : kColumns) {
    for (const double epsilon : kEpsilons) {
      for (const std::size_t n : kPeople) {
        const std::string name = cell_name(d, epsilon, n);
        table.rows.push_back(
            {static_cast<double>(d), epsilon, static_cast<double>(n), measured.mean(name, kPaper), measured.mean(name, kOurs)});
      }
    }
  }
  found.verdicts = verdicts(measured);
  found.figures.push_back(std::move(figure));
  found.tables.push_back(std::move(table));
  return found;
}

}  // namespace

Study make() {
  return {.name = "hotelling_figure_1",
          .title = "Comparing the means of two groups: power",
          .paper = "Hotelling, Figure 1 (section 4)",
          .shows =
              "How often the paper's test (3.3) finds a difference of 1, and beside it the test of infer two-sample on the release that "
              "Tacet plans for it, at the same epsilon. The picture is not in the text of the paper, which describes it; the half "
              "width m is not stated, and here the cube is the smallest that holds the rows of both groups.",
          .version = 1,
          .seconds = 145,
          .cells = cells,
          .conclude = conclude};
}

}  // namespace tacet::studies::hotelling_figure_1
