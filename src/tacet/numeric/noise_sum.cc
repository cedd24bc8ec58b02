#include "tacet/numeric/noise_sum.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "tacet/numeric/normal.h"

namespace tacet::numeric {
namespace {

using std::numbers::pi;

/// Weights below this part of the largest standard deviation change no digit.
constexpr double kVanishing = 1e-14;
/// The step of the trapezium rule: the integrand is bounded in a strip of half-width 0.45 or more,
/// so the relative error is about exp(-2 pi 0.45/h) = 10^-10.
constexpr double kStep = 0.125;
constexpr int kMostNodes = 400;
constexpr double kNegligible = 1e-12;
/// Below this part of a standard deviation the contour keeps its distance from the pole at 0.
constexpr double kLeastSaddle = 0.3;

std::complex<double> power(std::complex<double> base, double times) {
  if (times > 64) return std::exp(times * std::log(base));
  std::complex<double> result = 1;
  for (auto left = static_cast<unsigned>(times); left != 0; left /= 2, base *= base)
    if (left % 2 != 0) result *= base;
  return result;
}

}  // namespace

NoiseSum::NoiseSum(double variance, const std::vector<Term>& laplace, double half_step)
    : normal_variance_(variance), total_variance_(variance), half_step_(half_step) {
  for (const Term& term : laplace) total_variance_ += 2 * term.weight * term.weight * term.times;
  const double least = kVanishing * std::sqrt(total_variance_);
  for (const Term& term : laplace) {
    const double weight = std::abs(term.weight);
    if (!(weight > least) || !(term.times > 0)) continue;
    laplace_.push_back({weight, term.times});
    largest_ = std::max(largest_, weight);
  }
}

/// The s in (0, 1/largest) with K'(s) = q.
double NoiseSum::saddle(double q) const {
  double low = 0;
  double high = 1 / largest_;
  for (int i = 0; i < 25; ++i) {
    const double s = (low + high) / 2;
    double slope = normal_variance_ * s;
    for (const Term& term : laplace_) slope += term.times * 2 * term.weight * term.weight * s / (1 - term.weight * term.weight * s * s);
    (slope < q ? low : high) = s;
  }
  return (low + high) / 2;
}

double NoiseSum::upper(double q) const { return continuous_upper(q - half_step_); }

double NoiseSum::two_sided_quantile(double alpha) const { return continuous_quantile(alpha) + half_step_; }

double NoiseSum::continuous_upper(double q) const {
  if (!(total_variance_ > 0)) return q <= 0 ? 1 : 0;
  if (q < 0) return 1 - continuous_upper(-q);
  if (q == 0) return 0.5;
  if (laplace_.empty()) return normal_upper(q / std::sqrt(total_variance_));
  if (normal_variance_ == 0 && laplace_.size() == 1 && laplace_[0].times == 1) return std::exp(-q / largest_) / 2;
  const double border = 1 / largest_;
  const double c = std::max(saddle(q), std::min(kLeastSaddle / std::sqrt(total_variance_), border / 2));
  const double r = 0.7 * std::min(c, border - c);
  double sum = 0;
  for (int node = 0; node < kMostNodes; ++node) {
    const double u = kStep * node;
    const std::complex<double> s(c + r * (std::cosh(u) - 1) / 2, r * std::sinh(u) * std::numbers::sqrt3 / 2);
    const std::complex<double> ds(r * std::sinh(u) / 2, r * std::cosh(u) * std::numbers::sqrt3 / 2);
    const std::complex<double> square = s * s;
    std::complex<double> divisor = s;
    for (const Term& term : laplace_) divisor *= power(1.0 - term.weight * term.weight * square, term.times);
    const std::complex<double> value = std::exp(normal_variance_ / 2 * square - s * q) * ds / divisor;
    sum += (node == 0 ? 0.5 : 1.0) * value.imag();
    if (std::abs(value) <= kNegligible * std::abs(sum)) break;
  }
  return std::clamp(sum * kStep / pi, 0.0, 1.0);
}

double NoiseSum::continuous_quantile(double alpha) const {
  if (!(total_variance_ > 0)) return 0;
  const double sd = std::sqrt(total_variance_);
  if (laplace_.empty()) return sd * normal_upper_quantile(alpha / 2);
  double low = 0;
  double high = sd;
  while (2 * continuous_upper(high) > alpha) {
    low = high;
    high *= 2;
  }
  // The logarithm of a tail is nearly straight: the secant, kept inside by bisection.
  double at_low = std::log(2 * continuous_upper(low) / alpha);
  double at_high = std::log(2 * continuous_upper(high) / alpha);
  for (int i = 0; i < 60 && high - low > 1e-11 * high; ++i) {
    double q = high - at_high * (high - low) / (at_high - at_low);
    if (i % 3 == 2 || !(q > low && q < high)) q = (low + high) / 2;
    const double at = std::log(2 * continuous_upper(q) / alpha);
    (at > 0 ? low : high) = q;
    (at > 0 ? at_low : at_high) = at;
    if (std::abs(at) < 1e-12) return q;
  }
  return high;
}

}  // namespace tacet::numeric
