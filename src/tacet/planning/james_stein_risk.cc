#include "tacet/planning/james_stein_risk.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include <boost/math/special_functions/gamma.hpp>

namespace tacet::planning {
namespace {

constexpr double kFewest = 3;
constexpr double kMost = 1e7;
constexpr double kMostNoncentral = 1e200;
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

bool in_domain(double k, double noncentrality) {
  return k >= kFewest && k <= kMost && k == std::floor(k) && noncentrality >= 0 && noncentrality <= kMostNoncentral;
}

/// a + x - x/(a+1+x - 2x/(...)), with `terms` quotients: 1/M from above.
double inverse_integral(double a, double x, int terms) {
  double denominator = a + x + terms;
  for (int j = terms; j >= 1; --j) denominator = (a + x + (j - 1)) - j * (x / denominator);
  return denominator;
}

/// 1/M(a, x). It decreases with the number of terms; it has converged if twice as many
/// change nothing.
double inverse_integral(double a, double x) {
  constexpr int kMostTerms = 1 << 14;  // never reached: 128 suffice in the slowest case, x near 20
  double last = inverse_integral(a, x, 8);
  for (int terms = 16; terms <= kMostTerms; terms *= 2) {
    const double next = inverse_integral(a, x, terms);
    if (std::abs(next - last) <= std::numeric_limits<double>::epsilon() * next) return next;
    last = next;
  }
  return last;
}

/// e^-x x^j/j! for j from `low` to `high`, by recurrence from the largest.
std::vector<double> poisson(double x, double low, double high) {
  std::vector<double> mass(static_cast<std::size_t>(high - low) + 1);
  const double peak = std::clamp(std::floor(x), low, high);
  const auto at = static_cast<std::size_t>(peak - low);
  mass[at] = x > 0 ? boost::math::gamma_p_derivative(peak + 1, x) : 1;
  for (std::size_t i = at; i + 1 < mass.size(); ++i) mass[i + 1] = mass[i] * (x / (low + static_cast<double>(i) + 1));
  for (std::size_t i = at; i > 0; --i) mass[i - 1] = mass[i] * ((low + static_cast<double>(i)) / x);
  return mass;
}

/// The saving of the positive part; the omitted terms are below 1e-18 together.
double saved_by_positive_part(double k, double x) {
  const double c = k - 2;
  // Bernstein's bound for the Poisson distribution, and P[chi2_m <= c] <= exp(-(m-c)^2/(4m))
  // (Laurent & Massart 2000).
  const double reach = 10 * std::sqrt(x) + 60;
  const double low = std::max(0.0, std::floor(x - reach));
  const double high = std::min(std::ceil(x + reach), std::ceil(51 + std::sqrt(2500 + 50 * k)));
  if (low > high) return 0;
  const std::vector<double> mass = poisson(x, low, high);
  double m = k + 2 * high;
  double below = boost::math::gamma_p(m / 2, c / 2);                // P[chi2_m <= c]
  double step = boost::math::gamma_p_derivative(m / 2 + 1, c / 2);  // below - P[chi2_(m+2) <= c]
  double sum = 0;
  for (std::size_t i = mass.size(); i-- > 0;) {
    const double j = low + static_cast<double>(i);
    sum += mass[i] * ((2 - 4 * j * (j / (c + 2 * j))) * below + 2 * j * (m / (c + 2 * j)) * step);
    step *= m / c;
    m -= 2;
    below += step;
  }
  return sum;
}

}  // namespace

double inverse_chi2_mean(double k, double noncentrality) {
  if (!(k > 2 && k <= kMost && noncentrality >= 0 && noncentrality <= kMostNoncentral)) return kNaN;
  return 0.5 / inverse_integral(k / 2 - 1, noncentrality / 2);
}

double james_stein_risk(double k, double noncentrality) {
  if (!in_domain(k, noncentrality)) return kNaN;
  const double x = noncentrality / 2;
  return 2 + (k - 2) * (x / inverse_integral(k / 2, x));
}

double positive_part_risk(double k, double noncentrality) {
  if (!in_domain(k, noncentrality)) return kNaN;
  return james_stein_risk(k, noncentrality) - saved_by_positive_part(k, noncentrality / 2);
}

}  // namespace tacet::planning
