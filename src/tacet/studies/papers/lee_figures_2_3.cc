#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "tacet/accounting/laplace_gdp.h"
#include "tacet/accounting/tradeoff.h"
#include "tacet/accounting/tradeoff_comparison.h"
#include "tacet/accounting/tradeoff_table.h"
#include "tacet/privacy/parameters.h"
#include "tacet/studies/study_list.h"

namespace tacet::studies::lee_figures_2_3 {
namespace {

using accounting::TradeOff;

constexpr std::size_t kSteps = 60;
/// Curves that nearly touch are told apart from those that do by epsilons larger by this part.
constexpr double kLittleMore = 1e-4;

/// The L1 sensitivities of Figure 3, in units of the scale, and its inner curves: lambda_1 as a
/// part of lambda_2. The paper's are not in its text.
constexpr std::array<double, 3> kSums = {1, 2, 4};
constexpr std::array<double, 5> kParts = {0, 0.25, 0.5, 0.75, 1};

/// lambda_1 = |d1| - |d2|, lambda_2 = |d1| + |d2|.
Result<TradeOff> two_numbers(double part, double sum) { return TradeOff::laplace({sum * (1 + part) / 2, -sum * (1 - part) / 2}); }

std::string part_name(double part) {
  if (part == 0) return "lambda1 = 0";
  return part == 1 ? "lambda1 = lambda2, one number" : fmt::format("lambda1 = {} lambda2", part);
}

/// The epsilons that noise for mu = 1 has: of every epsilon-DP mechanism, of one number; their
/// curves, and the mu that the first one really has.
struct FigureTwo {
  double universal, tight;
  TradeOff gaussian, pure, loose_laplace, tight_laplace;
  double mu_of_loose;

  static Result<FigureTwo> make() {
    TACET_TRY(const privacy::Mu mu, privacy::Mu::parse("1"));
    TACET_TRY(const accounting::LaplaceScale any, accounting::laplace_scale_universal(mu, Decimal(1)));
    TACET_TRY(const accounting::LaplaceScale one, accounting::laplace_scale_one_or_two_dimensional(mu, Decimal(1), 1));
    const double universal = 1 / any.value(), tight = 1 / one.value();
    TACET_TRY(TradeOff gaussian, TradeOff::gaussian(1));
    TACET_TRY(TradeOff pure, TradeOff::pure(universal));
    TACET_TRY(TradeOff loose, TradeOff::laplace({universal}));
    TACET_TRY(TradeOff touching, TradeOff::laplace({tight}));
    TACET_TRY(const Decimal epsilon, Decimal::from_shortest(universal));
    TACET_TRY(const Decimal mu_of_loose, accounting::laplace_numbers_mu(epsilon));
    return FigureTwo{
        universal, tight, std::move(gaussian), std::move(pure), std::move(loose), std::move(touching), mu_of_loose.approximate()};
  }
};

/// Is f above g, and would a little more epsilon end that?
template <class Curve>
Result<bool> touches(const Curve& curve, double epsilon, const TradeOff& below) {
  TACET_TRY(const TradeOff here, curve(epsilon));
  TACET_TRY(const TradeOff beyond, curve(epsilon * (1 + kLittleMore)));
  return compare(here, below).above && !compare(beyond, below).above;
}

/// Sums: the vertical distances from G_1 of the three curves where G_1 crosses the diagonal;
/// whether they touch it; scales, epsilon and mu.
Result<Sums> figure_two() {
  TACET_TRY(const FigureTwo two, FigureTwo::make());
  TACET_TRY(const bool pure_touches, touches(TradeOff::pure, two.universal, two.gaussian));
  const auto one_number = [](double epsilon) { return TradeOff::laplace({epsilon}); };
  TACET_TRY(const bool tight_touches, touches(one_number, two.tight, two.gaussian));
  TACET_TRY(const bool loose_touches, touches(one_number, two.universal, two.gaussian));
  const double c = two.gaussian.fixed_point();
  Sums sums;
  for (const TradeOff* curve : {&two.pure, &two.loose_laplace, &two.tight_laplace}) {
    TACET_TRY(const double beta, curve->at(c));
    sums.push_back(beta - c);
  }
  for (const bool touched : {pure_touches, loose_touches, tight_touches}) sums.push_back(touched ? 1 : 0);
  sums.push_back(compare(two.loose_laplace, two.gaussian).above ? 1 : 0);
  for (const double value : {two.universal, two.tight, two.mu_of_loose}) sums.push_back(value);
  return sums;
}

/// Of the curves of one lambda_2. Sums: pairs of neighbours in order, curves above the GDP bound,
/// above the pure bound; the drop from lambda_1 = 0 to lambda_2 where the first crosses the
/// diagonal; the distance of lambda_1 = .999 lambda_2 from the curve of one number there; mu of
/// one number and of lambda_1 = 0.
Result<Sums> figure_three(double sum) {
  TACET_TRY(const Decimal epsilon, Decimal::from_shortest(sum));
  TACET_TRY(const Decimal mu_of_one, accounting::laplace_numbers_mu(epsilon));
  TACET_TRY(const Decimal mu_of_table, accounting::laplace_table_mu(epsilon));
  TACET_TRY(const TradeOff bound, TradeOff::gaussian(mu_of_one.approximate()));
  TACET_TRY(const TradeOff pure, TradeOff::pure(sum));
  std::vector<TradeOff> curves;
  for (const double part : kParts) {
    TACET_TRY(TradeOff curve, two_numbers(part, sum));
    curves.push_back(std::move(curve));
  }
  double in_order = 0, above_bound = 0, above_pure = 0;
  for (std::size_t i = 0; i < curves.size(); ++i) {
    if (i > 0) in_order += compare(curves[i - 1], curves[i]).above && !compare(curves[i], curves[i - 1]).above ? 1 : 0;
    above_bound += compare(curves[i], bound).above ? 1 : 0;
    above_pure += compare(curves[i], pure).above ? 1 : 0;
  }
  const double c = curves.front().fixed_point();
  TACET_TRY(const TradeOff nearly, two_numbers(0.999, sum));
  TACET_TRY(const double one_number, curves.back().at(c));
  TACET_TRY(const double near_one_number, nearly.at(c));
  return Sums{
      in_order, above_bound, above_pure, c - one_number, near_one_number - one_number, mu_of_one.approximate(), mu_of_table.approximate()};
}

/// Conjecture 12 for three numbers whose changes add up to `sum`. Sums: shifts tried, shifts whose
/// curve is above that of one number.
Result<Sums> three_numbers(double sum) {
  TACET_TRY(const TradeOff one, TradeOff::laplace({sum}));
  constexpr int kParts3 = 6;
  double tried = 0, above = 0;
  for (int i = kParts3; i >= 1; --i) {
    for (int j = std::min(i, kParts3 - i); j >= 1; --j) {
      const int k = kParts3 - i - j;
      if (k < 1 || k > j) continue;
      TACET_TRY(const TradeOff three, TradeOff::laplace({i * sum / kParts3, j * sum / kParts3, k * sum / kParts3}));
      ++tried;
      above += compare(three, one).above ? 1 : 0;
    }
  }
  return Sums{tried, above};
}

std::string of_sum(double sum) { return fmt::format("lambda2={}", sum); }
std::string of_three(double sum) { return fmt::format("three numbers, l1={}", sum); }

std::vector<Cell> cells(const Effort& /*effort*/) {
  std::vector<Cell> all = {{"mu=1", 1, 1, [](Piece& /*piece*/) { return figure_two(); }}};
  for (const double sum : kSums) {
    all.push_back({of_sum(sum), 1, 1, [sum](Piece& /*piece*/) { return figure_three(sum); }});
    all.push_back({of_three(sum), 1, 1, [sum](Piece& /*piece*/) { return three_numbers(sum); }});
  }
  return all;
}

report::Panel panel_of(const std::string& title, const accounting::CurveTable& table) {
  report::Panel panel{.title = title, .x = {"type I error"}, .y = {"type II error"}, .series = {}};
  for (std::size_t i = 0; i < table.names.size(); ++i) {
    report::Series series{table.names[i], {}, report::Mark::Line};
    for (std::size_t j = 0; j < table.alpha.size(); ++j) series.points.push_back({table.alpha[j], table.beta[i][j]});
    panel.series.push_back(std::move(series));
  }
  return panel;
}

void add_rows(Table& table, double sum, const accounting::CurveTable& curves) {
  for (std::size_t i = 0; i < curves.names.size(); ++i)
    for (std::size_t j = 0; j < curves.alpha.size(); ++j) table.rows.push_back({sum, curves.names[i], curves.alpha[j], curves.beta[i][j]});
}

Result<accounting::CurveTable> curves_of_figure_two() {
  TACET_TRY(const FigureTwo two, FigureTwo::make());
  TACET_TRY(const std::vector<double> grid, accounting::alpha_grid(kSteps));
  return accounting::tabulate({{"G_1, 1-GDP", two.gaussian},
                               {"epsilon_1-DP", two.pure},
                               {"Laplace noise that is epsilon_1-DP", two.loose_laplace},
                               {"Laplace noise that is just 1-GDP", two.tight_laplace}},
                              grid);
}

Result<accounting::CurveTable> curves_of_figure_three(double sum, double mu) {
  TACET_TRY(const std::vector<double> grid, accounting::alpha_grid(kSteps));
  TACET_TRY(const TradeOff bound, TradeOff::gaussian(mu));
  TACET_TRY(const TradeOff pure, TradeOff::pure(sum));
  std::vector<accounting::NamedCurve> curves;
  for (const double part : kParts) {
    TACET_TRY(TradeOff curve, two_numbers(part, sum));
    curves.push_back({part_name(part), std::move(curve)});
  }
  curves.push_back({"GDP bound", bound});
  curves.push_back({"(lambda2, 0)-DP bound", pure});
  return accounting::tabulate(curves, grid);
}

void add_verdicts_on_figure_two(Findings& found, const Sums& sums) {
  const double universal = sums[7], tight = sums[8];
  found.verdicts.push_back(holds("the curve of epsilon_1-DP is tangent to G_1", sums[3] == 1 && std::abs(sums[0]) < 1e-12,
                                 {{"epsilon_1", universal}, {"distance", sums[0]}},
                                 "Above G_1, and below it somewhere as soon as epsilon is larger by a part of 0.0001"));
  found.verdicts.push_back(holds("the curve of Laplace noise that is epsilon_1-DP is above G_1 and does not touch it",
                                 sums[6] == 1 && sums[4] == 0 && sums[1] > 0.01, {{"distance", sums[1]}, {"its_mu", sums[9]}},
                                 "The distance is taken where G_1 crosses the diagonal; the noise is as good as GDP with its_mu"));
  found.verdicts.push_back(holds("the curve of Laplace noise with the scale of Proposition 9 is tangent to G_1",
                                 sums[5] == 1 && std::abs(sums[2]) < 1e-12, {{"epsilon", tight}, {"distance", sums[2]}}, ""));
  found.verdicts.push_back(
      holds("1-GDP can be had with less Laplace noise than that of epsilon_1-DP", tight > universal,
            {{"scale", 1 / tight}, {"scale_by_epsilon", 1 / universal}, {"variance_saved", 1 - std::pow(universal / tight, 2)}},
            "Scales for one number of sensitivity 1"));
  // The two branches as printed are 1 - exp(-epsilon alpha) up to (1 - exp(-epsilon))/(epsilon -
  // exp(-epsilon)).
  const double printed = -std::expm1(-universal) / (universal - std::exp(-universal)), kink = 1 / (1 + std::exp(universal));
  found.verdicts.push_back(
      differs("the curve of epsilon-DP as it is printed before (12)", printed > 1 && kink < 0.5, {{"kink", kink}, {"printed", printed}},
              "The print has its kink beyond 1 and rises from 0. The curve is the larger of 1 - exp(epsilon) alpha and "
              "exp(-epsilon) (1 - alpha), with its kink at 1/(1 + exp(epsilon)); (12) follows from that one"));
}

/// At the left end of the second branch of (16), alpha = exp(-2/b)/4, K_1 = 2/b and the curve is
/// at 3/4. Its printed factor exp(-1 + K_1/2) should be exp(-1/b + K_1/2).
Result<Verdict> verdict_on_sixteen() {
  constexpr double kScale = 2;
  TACET_TRY(const TradeOff table, TradeOff::laplace({1 / kScale, -1 / kScale}));
  TACET_TRY(const double ours, table.at(std::exp(-2 / kScale) / 4));
  const double printed = std::exp(-1 + 1 / kScale) / 4 * (3 + 1 / kScale - 1 / kScale);
  return differs("the second branch of (16) as it is printed, at its left end for b = 2", std::abs(ours - 0.75) < 1e-12 && printed < 0.5,
                 {{"ours", ours}, {"printed", printed}},
                 "The exponent is -1/b + K_1/2, not -1 + K_1/2: (14) with delta_1 = -delta_2 = 1/b");
}

/// By mpmath, from (12), Theorem 11, (17) and (14).
Result<Verdict> verdict_on_numbers(const Sums& two) {
  TACET_TRY(const privacy::Mu mu, privacy::Mu::parse("1"));
  TACET_TRY(const accounting::LaplaceScale table, accounting::laplace_scale_table(mu, Decimal(2)));
  std::vector<std::pair<std::string, Comparison>> all = {{"epsilon_1", {two[7], 0.8069653463049624, 1e-9}},
                                                         {"the scale of Theorem 11", {2 / two[8], 2.0714029970028993, 1e-9}},
                                                         {"the scale of (17)", {table.value(), 1.358905360971675, 1e-9}}};
  struct Value {
    double first, second, alpha, beta;
  };
  for (const Value& value : {Value{0.8172305408389304, -1.777471867259079, 0.2791380769618118, 0.13269078785353106},
                             Value{1.2575704799619976, -0.9388665586886114, 0.49738172110421736, 0.07978490920201647},
                             Value{3.231417510007254, -0.829146131990766, 0.03356386138236963, 0.2569439972572313}}) {
    TACET_TRY(const TradeOff curve, TradeOff::laplace({value.first, value.second}));
    TACET_TRY(const double beta, curve.at(value.alpha));
    all.emplace_back(fmt::format("(14) at {:.4f}", value.alpha), Comparison{beta, value.beta, 1e-9});
  }
  return all_agree("scales at mu = 1 and values of (14) agree with an independent evaluation", all);
}

void add_verdicts_on_figure_three(Findings& found, const Measured& measured) {
  double in_order = 0, above_bound = 0, above_pure = 0, tried = 0, above = 0, least_drop = 1, furthest = 0;
  bool less_mu = true;
  std::vector<Number> mus;
  for (const double sum : kSums) {
    const Sums& sums = measured.sums(of_sum(sum));
    in_order += sums[0];
    above_bound += sums[1];
    above_pure += sums[2];
    least_drop = std::min(least_drop, sums[3]);
    furthest = std::max(furthest, std::abs(sums[4]));
    less_mu = less_mu && sums[6] < sums[5];
    mus.push_back({fmt::format("one number at {}", sum), sums[5]});
    mus.push_back({fmt::format("table at {}", sum), sums[6]});
    tried += measured.sum(of_three(sum), 0);
    above += measured.sum(of_three(sum), 1);
  }
  const auto families = static_cast<double>(kSums.size()), curves = static_cast<double>(kParts.size());
  found.verdicts.push_back(holds("for a fixed lambda_2 the curves fall as lambda_1 grows (Lemma 10)", in_order == families * (curves - 1),
                                 {{"pairs_in_order", in_order}, {"pairs", families * (curves - 1)}, {"least_drop", least_drop}},
                                 "Each curve is nowhere below the next, and somewhere above it"));
  found.verdicts.push_back(holds("as delta_2 goes to 0 the curve becomes that of one number", furthest < 1e-3, {{"distance", furthest}},
                                 "At lambda_1 = 0.999 lambda_2, where the curve of lambda_1 = 0 crosses the diagonal"));
  found.verdicts.push_back(holds("every curve is above its GDP bound and its pure bound",
                                 above_bound == families * curves && above_pure == families * curves,
                                 {{"curves", families * curves}, {"above_gdp", above_bound}, {"above_pure", above_pure}},
                                 "The GDP bound is that of Theorem 11, with the mu of one number"));
  found.verdicts.push_back(holds("for a table, lambda_1 = 0, the bound of Theorem 11 is not tight", less_mu, mus, "The mu of each kind"));
  found.verdicts.push_back(holds("Conjecture 12 on three numbers", above == tried, {{"shifts", tried}, {"above", above}},
                                 "No counterexample among these; no release of Tacet rests on it"));
}

Result<Findings> conclude(const Measured& measured) {
  Findings found;
  Table table{"curves", "Trade-off curves", {"lambda2 (0: Figure 2)", "curve", "alpha", "beta"}, {}};
  TACET_TRY(const accounting::CurveTable second, curves_of_figure_two());
  add_rows(table, 0, second);
  found.figures.push_back({.title = "Lee, Figure 2: trade-off curves at mu = 1", .panels = {panel_of("", second)}, .columns = 1});
  report::Figure third{.title = "Lee, Figure 3: Laplace noise of scale 1 on two numbers", .panels = {}, .columns = 3};
  for (const double sum : kSums) {
    TACET_TRY(const accounting::CurveTable curves, curves_of_figure_three(sum, measured.sum(of_sum(sum), 5)));
    add_rows(table, sum, curves);
    third.panels.push_back(panel_of(fmt::format("lambda2 = {}", sum), curves));
  }
  found.figures.push_back(std::move(third));
  found.tables.push_back(std::move(table));
  add_verdicts_on_figure_two(found, measured.sums("mu=1"));
  TACET_TRY(Verdict sixteen, verdict_on_sixteen());
  found.verdicts.push_back(std::move(sixteen));
  TACET_TRY(Verdict numbers, verdict_on_numbers(measured.sums("mu=1")));
  found.verdicts.push_back(std::move(numbers));
  add_verdicts_on_figure_three(found, measured);
  return found;
}

}  // namespace

Study make() {
  return {.name = "lee_figures_2_3",
          .title = "Trade-off curves of Laplace noise",
          .paper = "Lee, Figures 2 and 3 (section 3)",
          .shows =
              "How well a test tells neighbours apart under Laplace noise, against the Gaussian curve that the noise must stay above. The "
              "pictures are not in the text of the paper, nor are the lambdas of Figure 3: those here are ours.",
          .version = 1,
          .seconds = 3,
          .cells = cells,
          .conclude = conclude};
}

}  // namespace tacet::studies::lee_figures_2_3
