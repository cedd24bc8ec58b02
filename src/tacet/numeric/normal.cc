#include "tacet/numeric/normal.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tacet/numeric/mills.h"

namespace tacet::numeric {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kNothingLeft = 40;                  // exp(-40^2/2) < 2^-1100
constexpr double kLog2Rest = 0x1.abc9e3b39803fp-56;  // log 2 - kLog2.mid

/// x^2/2 = first + second, exactly unless something overflows.
struct HalfSquare {
  double first, second;
};
HalfSquare half_square(double x) {
  const double square = x * x;
  return {0.5 * square, 0.5 * std::fma(x, x, -square)};
}

/// P[0 < Z <= z] / phi(z) = z + z^3/3 + z^5/15 + ...
double central_ratio(double z) {
  const double square = z * z;
  double sum = 1;
  for (int n = 39; n >= 3; n -= 2) sum = 1 + square / n * sum;
  return z * sum;
}

/// log P[Z > z] for z >= 0, given M(z).
double log_upper_from(double z, double ratio) {
  if (z < 1) return std::log(normal_density(z) * ratio);
  if (z > 1e154) return -kInfinity;
  const HalfSquare half = half_square(z);
  return -half.first + (std::log(ratio) - kLogRootTwoPi.mid - half.second);
}

/// Abramowitz & Stegun (1964), 26.2.23: within 4.5e-4 of the upper quantile for log_p >= -700, and
/// close enough beyond to start an iteration.
double rough_upper_quantile(double log_p) {
  const double t = std::sqrt(-2 * log_p);
  return std::max(t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308))), 0.1);
}

/// The z with log P[Z > z] = log_p, for log_p <= log(1/4).
double tail_quantile(double log_p) {
  double z = rough_upper_quantile(log_p);
  for (int round = 0; round < 8; ++round) {
    const double ratio = mills(z);
    const double newton = (log_upper_from(z, ratio) - log_p) * ratio;
    const double step = newton / (1 + 0.5 * newton * (1 / ratio - z));
    z += step;
    if (std::abs(step) <= 1e-6 * z) break;  // the next error is of the order of its cube
  }
  return z;
}

/// The z with P[0 < Z <= z] = probability, for 0 <= probability <= 1/4.
double central_quantile(double probability) {
  double z = probability * kRootTwoPi.mid;
  z += z * z * z / 6;
  for (int round = 0; round < 8; ++round) {
    const double newton = central_ratio(z) - probability / normal_density(z);
    const double step = newton / (1 + 0.5 * newton * z);
    z -= step;
    if (std::abs(step) <= 1e-6 * z) break;
  }
  return z;
}

/// Moves z by `direction` 2^-50 z, then 4 times as far, and so on, until `holds` is true; infinite
/// if it never is.
template <class Holds>
double moved_until(double z, double direction, const Holds& holds) {
  for (int attempt = 0; attempt < 20; ++attempt) {
    const double end = z + direction * std::ldexp(z, 2 * attempt - 50);
    if (holds(end)) return end;
  }
  return direction * kInfinity;
}

/// The ends around z > 0 at which `below` and `above` hold.
template <class Below, class Above>
Enclosure certified(double z, const Below& below, const Above& above) {
  return {moved_until(z, -1, below), moved_until(z, 1, above)};
}

}  // namespace

double normal_density(double x) {
  if (std::abs(x) > kNothingLeft) return 0;
  const HalfSquare half = half_square(x);
  const double value = std::exp(-half.first);
  return (value - value * half.second) / kRootTwoPi.mid;
}

double normal_upper(double x) {
  if (x < 0) return 1 - normal_upper(-x);
  if (x > kNothingLeft) return 0;
  const HalfSquare half = half_square(x);
  const double value = std::exp(-half.first);
  const double ratio = mills(x) / kRootTwoPi.mid;
  return (value - value * half.second) * ratio;
}

double normal_lower(double x) { return normal_upper(-x); }

double normal_log_upper(double x) {
  if (x < 0) return std::log1p(-normal_upper(-x));
  return log_upper_from(x, mills(x));
}

double normal_log_lower(double x) { return normal_log_upper(-x); }

double normal_hazard(double x) {
  if (x >= 0) return x == kInfinity ? x : 1 / mills(x);
  return normal_density(x) / normal_upper(x);
}

double normal_upper_quantile(double p) {
  if (p > 0.5) return p <= 1 ? -normal_upper_quantile(1 - p) : kNaN;  // 1 - p is exact
  if (p >= 0.25) return central_quantile(0.5 - p);
  if (p == 0) return kInfinity;
  return p > 0 ? tail_quantile(std::log(p)) : kNaN;
}

double normal_lower_quantile(double p) { return -normal_upper_quantile(p); }

double normal_log_upper_quantile(double log_p) {
  if (!(log_p < 0)) return log_p == 0 ? -kInfinity : kNaN;
  if (log_p == -kInfinity) return kInfinity;
  if (log_p < -1.38) return tail_quantile(log_p);
  if (log_p > -0.288) return -tail_quantile(std::log(-std::expm1(log_p)));
  // 1/2 - p without cancellation: the sum in brackets is exact near log 2.
  const double central = -0.5 * std::expm1((log_p + kLog2.mid) + kLog2Rest);
  return std::copysign(central_quantile(std::abs(central)), central);
}

Ball normal_upper(const Ball& x) {
  if (!(x.rad <= 0.001)) return {0.5, kInfinity};
  if (x.mid < 0) return Ball(1) - normal_upper(-x);
  return exp(-(x * x) * 0.5) * mills(x) / kRootTwoPi;
}

Ball normal_log_upper(const Ball& x) {
  if (!(x.rad <= 0.001)) return {0, kInfinity};
  if (x.mid < 0) return log1p(-normal_upper(-x));
  return log(mills(x)) - kLogRootTwoPi - x * x * 0.5;
}

// phi(x) x (1 + x^2/3 + x^4/15 + ...). For x <= 1.001 the terms after x^38 are below
// 1.04/41!! < 2^-80.
Ball normal_central(const Ball& x) {
  const bool served = x.mid >= 0 && x.mid + x.rad <= 1.001 && x.rad <= 0.001;  // false for NaN
  if (!served) return {0.25, kInfinity};
  const Ball square = x * x;
  Ball sum(1);
  for (int n = 39; n >= 3; n -= 2) sum = Ball(1) + square / n * sum;
  return exp(-square * 0.5) * x * widened(sum, 0x1p-78) / kRootTwoPi;
}

Enclosure normal_log_upper_quantile_bounds(const Ball& log_p) {
  const bool served = log_p.mid <= -1 && log_p.rad < kInfinity;  // false for NaN
  if (!served) return {-kInfinity, kInfinity};
  const double least = lower(log_p);
  const double most = upper(log_p);
  return certified(
      normal_log_upper_quantile(log_p.mid), [&](double z) { return lower(normal_log_upper(Ball(z))) >= most; },
      [&](double z) { return upper(normal_log_upper(Ball(z))) <= least; });
}

Enclosure normal_central_quantile_bounds(const Ball& probability) {
  // False for NaN.
  const bool served = probability.mid >= 0 && probability.mid <= 0.25 && probability.rad < kInfinity;
  if (!served) return {-kInfinity, kInfinity};
  const double least = lower(probability);
  const double most = upper(probability);
  return certified(
      central_quantile(probability.mid), [&](double z) { return upper(normal_central(Ball(z))) <= least; },
      [&](double z) { return lower(normal_central(Ball(z))) >= most; });
}

}  // namespace tacet::numeric
