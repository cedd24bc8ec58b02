#include "tacet/numeric/noise_quantile.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

#include <boost/math/distributions/normal.hpp>
#include <boost/math/quadrature/gauss.hpp>
#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <boost/math/tools/roots.hpp>

namespace tacet::numeric {
namespace {

// Beyond these limits the series is slow or misses the tail. The bound that replaces it is within
// 1/(2p) of it.
constexpr std::size_t kMostSeriesCells = 1000;
constexpr double kLeastSeriesAlpha = 1e-6;

/// 1 - (1 - alpha)^(1/p), without cancellation.
double per_cell(std::size_t p, double alpha) { return -std::expm1(std::log1p(-alpha) / static_cast<double>(p)); }

double two_sided_normal_quantile(double alpha) { return boost::math::quantile(boost::math::complement(boost::math::normal(), alpha / 2)); }

/// The integral of cos(t z) phi(z) over [-c, c].
double restricted_transform(double t, double c) {
  const auto panels = static_cast<int>(std::ceil(std::max(c, t * c / std::numbers::pi)));
  const double width = c / panels;
  const auto integrand = [t](double z) { return std::cos(t * z) * std::exp(-z * z / 2); };
  double sum = 0;
  for (int i = 0; i < panels; ++i) sum += boost::math::quadrature::gauss<double, 15>::integrate(integrand, i * width, (i + 1) * width);
  return 2 * sum / std::sqrt(2 * std::numbers::pi);
}

/// d(0) by its Fourier series. The terms decrease like (2 phi(c)/t)^p: fast for p >= 5, too slowly
/// for fewer cells.
double density_by_series(std::size_t p, double c) {
  const auto cells = static_cast<double>(p);
  const double step = std::numbers::pi / (cells * c);
  constexpr double kNegligible = 1e-13;
  constexpr int kInARow = 16;  // a term may be small because its sine is
  double sum = std::pow(restricted_transform(0, c), cells);
  int small = 0;
  for (int k = 1; small < kInARow; ++k) {
    const double term = 2 * std::pow(restricted_transform(k * step, c), cells);
    sum += term;
    small = std::abs(term) < kNegligible * sum ? small + 1 : 0;
  }
  return sum / (2 * cells * c);
}

double normal_lower(double x) { return std::erfc(-x / std::numbers::sqrt2) / 2; }

/// d(0) for three or four cells. The sum of two cells has a density in closed form; one integral
/// adds the remaining cells.
double density_by_pairs(std::size_t p, double c) {
  const auto pair = [c](double s) {  // 0 <= s <= 2c
    return std::exp(-s * s / 4) / std::sqrt(std::numbers::pi) * (normal_lower(std::numbers::sqrt2 * (c - s / 2)) - 0.5);
  };
  const auto with_one = [&pair](double s) { return pair(s) * std::exp(-s * s / 2) / std::sqrt(2 * std::numbers::pi); };
  const auto with_pair = [&pair](double s) { return pair(s) * pair(s); };
  using Rule = boost::math::quadrature::gauss_kronrod<double, 31>;
  return 2 * (p == 3 ? Rule::integrate(with_one, 0, c, 10, 1e-13) : Rule::integrate(with_pair, 0, 2 * c, 10, 1e-13));
}

}  // namespace

double max_quantile_gaussian(std::size_t p, double alpha) { return two_sided_normal_quantile(per_cell(p, alpha)); }

double max_quantile_laplace(std::size_t p, double alpha) { return -std::log(per_cell(p, alpha)); }

double marginal_quantile_sum_zero(std::size_t p, double alpha) {
  return two_sided_normal_quantile(alpha) * std::sqrt(1 - 1 / static_cast<double>(p));
}

double max_probability_sum_zero(std::size_t p, double c) {
  if (!(c > 0)) return 0;
  if (p == 2) return std::erf(c);  // z_1 - mean = (z_1 - z_2)/2, of variance 1/2
  const auto cells = static_cast<double>(p);
  const double density = p <= 4 ? density_by_pairs(p, c) : density_by_series(p, c);
  // The density of sum z at 0 is 1/sqrt(2 pi p).
  return std::min(1.0, density * std::sqrt(2 * std::numbers::pi * cells));
}

double max_quantile_sum_zero(std::size_t p, double alpha) {
  const double one_cell = marginal_quantile_sum_zero(p, alpha);
  if (p == 2) return one_cell;
  // One cell bounds c from below, and p independent cells bound it from above (Sidak 1967).
  const double most = max_quantile_gaussian(p, alpha) * std::sqrt(1 - 1 / static_cast<double>(p));
  if (p > kMostSeriesCells || alpha < kLeastSeriesAlpha) return most;
  const auto excess = [p, alpha](double c) { return max_probability_sum_zero(p, c) - (1 - alpha); };
  std::uintmax_t rounds = 60;
  const auto bracket =
      boost::math::tools::toms748_solve(excess, one_cell * 0.999, most * 1.001, boost::math::tools::eps_tolerance<double>(40), rounds);
  return bracket.second;
}

}  // namespace tacet::numeric
