#include "tacet/numeric/discrete_noise.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tacet/numeric/normal.h"

namespace tacet::numeric {
namespace {

/// Above it, rounding a normal variable is as good as a table.
constexpr double kMostTableSigma = 16;
/// Probabilities further out are below 10^-30 in all.
constexpr double kTableReach = 12;
/// An integer beyond this size is not exact in a double; noise of such a scale needs no rounding.
constexpr double kMostExact = 0x1p52;

}  // namespace

DiscreteNoise DiscreteNoise::gaussian(double sigma) {
  DiscreteNoise noise;
  if (sigma > kMostTableSigma) {
    noise.form_ = Form::Rounded;
    noise.variance_ = sigma * sigma;
    noise.scale_ = std::sqrt(sigma * sigma - 1.0 / 12);
    return noise;
  }
  noise.form_ = Form::Table;
  const auto reach = static_cast<std::size_t>(std::ceil(kTableReach * sigma)) + 1;
  std::vector<double> weights(reach + 1);  // of z and of -z
  for (std::size_t z = 0; z <= reach; ++z) weights[z] = std::exp(-0.5 * std::pow(static_cast<double>(z) / sigma, 2));
  noise.beyond_.assign(reach + 1, 0);
  double outer = 0;
  double squares = 0;
  for (std::size_t z = reach; z > 0; --z) {
    noise.beyond_[z] = outer;
    outer += 2 * weights[z];
    squares += 2 * weights[z] * static_cast<double>(z) * static_cast<double>(z);
  }
  noise.beyond_[0] = outer;
  const double total = outer + weights[0];
  for (double& probability : noise.beyond_) probability /= total;
  noise.variance_ = squares / total;
  return noise;
}

DiscreteNoise DiscreteNoise::geometric(double scale) {
  DiscreteNoise noise;
  noise.form_ = Form::Geometric;
  noise.scale_ = scale;
  const double less = -std::expm1(-1 / scale);  // 1 - r
  noise.variance_ = 2 * (1 - less) / (less * less);
  return noise;
}

double DiscreteNoise::beyond(double k) const {
  if (k < 0) return 1;
  if (form_ == Form::Geometric) return 2 * std::exp(-(k + 1) / scale_) / (1 + std::exp(-1 / scale_));
  if (form_ == Form::Rounded) return 2 * normal_upper((k + 0.5) / scale_);
  return k < static_cast<double>(beyond_.size()) ? beyond_[static_cast<std::size_t>(k)] : 0;
}

double DiscreteNoise::max_quantile(std::size_t p, double alpha) const {
  // Each draw may be beyond q with this probability.
  const double each = -std::expm1(std::log1p(-alpha) / static_cast<double>(p));
  if (!(beyond(0) > each)) return 0;
  double low = 0;  // not enough
  double high = 1;
  while (beyond(high) > each) {
    low = high;
    high *= 2;
  }
  while (high - low > 1 && high < kMostExact) {
    const double middle = std::floor(low + (high - low) / 2);
    (beyond(middle) > each ? low : high) = middle;
  }
  for (int step = 0; high >= kMostExact && step < 60; ++step) {
    const double middle = low + (high - low) / 2;
    (beyond(middle) > each ? low : high) = middle;
  }
  return high;
}

void DiscreteNoise::fill(InsecureStream& stream, std::span<double> values) const {
  if (form_ == Form::Rounded) {
    stream.fill_normal(values);
    for (double& value : values) value = std::nearbyint(scale_ * value);
    return;
  }
  stream.fill_uniform(values);
  if (form_ == Form::Geometric) {
    for (double& value : values) {
      const double other = -std::log(stream.uniform());
      value = std::floor(-scale_ * std::log(value)) - std::floor(scale_ * other);
    }
    return;
  }
  for (double& value : values) {
    // Twice the distance from 1/2 is the uniform variable of |Z|, and the side its sign.
    const double sign = value < 0.5 ? -1 : 1;
    const double u = value < 0.5 ? 2 * value : 2 * (1 - value);
    std::size_t z = 0;
    while (z < beyond_.size() && beyond_[z] >= u) ++z;
    value = sign * static_cast<double>(z);
  }
}

}  // namespace tacet::numeric
