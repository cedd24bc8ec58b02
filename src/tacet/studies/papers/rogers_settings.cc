#include "tacet/studies/papers/rogers_settings.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "tacet/numeric/weighted_chi2.h"

namespace tacet::studies {

using mechanisms::NoiseDistribution;

NoiseDistribution zcdp_noise(double rho) { return {kernel::NoiseFamily::Gaussian, 1 / std::sqrt(rho)}; }
NoiseDistribution laplace_noise(double epsilon) { return {kernel::NoiseFamily::Laplace, 2 / epsilon}; }
NoiseDistribution no_noise(double scale) { return {kernel::NoiseFamily::Gaussian, scale}; }

std::string privacy_of(const NoiseDistribution& noise) {
  if (noise.family == kernel::NoiseFamily::Laplace) return fmt::format("epsilon = {:.6g}", 2 / noise.scale);
  std::string rho = fmt::format("{:.7f}", 1 / (noise.scale * noise.scale));
  rho.erase(rho.find_last_not_of('0') + 1);
  return "rho = " + rho;
}

const std::vector<NullHypothesis>& null_hypotheses() {
  static const std::vector<NullHypothesis> kAll = {{"(1/4, 1/4, 1/4, 1/4)", {0.25, 0.25, 0.25, 0.25}},
                                                   {"(1/2, 1/6, 1/6, 1/6)", {0.5, 1.0 / 6, 1.0 / 6, 1.0 / 6}},
                                                   {"(0.4, 0.3, 0.2, 0.1)", {0.4, 0.3, 0.2, 0.1}}};
  return kAll;
}

const std::vector<Hypotheses>& rogers_hypotheses() {
  static const std::vector<Hypotheses> kAll = {
      {"(a)", {0.25, 0.25, 0.25, 0.25}, {0.26, 0.24, 0.24, 0.26}},
      {"(b)", {0.5, 1.0 / 6, 1.0 / 6, 1.0 / 6}, {0.51, 0.49 / 3, 0.49 / 3, 0.49 / 3}},
  };
  return kAll;
}

const std::vector<Hypotheses>& rogers_dependence() {
  constexpr double kThird = 1.0 / 3, kSixth = 1.0 / 6;
  static const std::vector<Hypotheses> kAll = {
      {"(a)", {0.25, 0.25, 0.25, 0.25}, {0.26, 0.24, 0.24, 0.26}},
      {"(b)", {kThird, kThird, kSixth, kSixth}, {kThird + 0.01, kThird, kSixth - 0.01, kSixth}},
  };
  return kAll;
}

std::vector<double> Margins::table() const { return {row * column, row * (1 - column), (1 - row) * column, (1 - row) * (1 - column)}; }

Result<double> pearson_critical(double df) {
  const std::vector<numeric::ChiTerm> terms = {{.weight = 1, .df = df}};
  TACET_TRY(const numeric::WeightedChi2 chi_square, numeric::WeightedChi2::of(terms));
  return chi_square.upper_quantile(kRogersAlpha);
}

double count_above(std::span<const double> statistics, double critical) {
  return static_cast<double>(std::count_if(statistics.begin(), statistics.end(), [critical](double t) { return t > critical; }));
}

report::Point point_of(double x, const Rate& rate) { return {x, rate.share, 1.96 * rate.standard_error()}; }

report::Series rates_by_people(std::string name, std::span<const double> people, const std::vector<Rate>& rates) {
  report::Series series{std::move(name), {}, report::Mark::LineAndPoints};
  for (std::size_t i = 0; i < people.size(); ++i) series.points.push_back(point_of(people[i], rates[i]));
  return series;
}

report::Series level_line(std::span<const double> people) {
  return {"0.05", {{people.front(), kRogersAlpha}, {people.back(), kRogersAlpha}}, report::Mark::Line};
}

}  // namespace tacet::studies
