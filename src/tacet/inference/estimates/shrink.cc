#include "tacet/inference/estimates/shrink.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "tacet/inference/block_sum.h"
#include "tacet/inference/noise_of_cells.h"

namespace tacet::inference {
namespace {

using kernel::NoiseFamily;
using mechanisms::NoiseDistribution;
using mechanisms::NoiseStructure;
using mechanisms::NoiseSupport;

/// A smaller distance, in noise scales, counts as 0: this keeps every quotient finite.
constexpr double kAtTheTarget = 1e-20;

double mean_of(std::span<const double> values) { return block_sum(values) / static_cast<double>(values.size()); }

/// The factor for k free coordinates.
void set_factor(Shrunk& shrunk, double k, double scale, bool positive_part) {
  const double length = std::sqrt(shrunk.residual_squared);
  if (!(length > kAtTheTarget * scale)) {
    shrunk.factor = 0;
    return;
  }
  const double ratio = scale / length;
  const double cut = (k - 2) * ratio * ratio;
  shrunk.factor = positive_part ? std::max(0.0, 1 - cut) : 1 - cut;
  shrunk.slope = positive_part && cut >= 1 ? 0 : 2 * cut;
}

Status check(std::size_t cells, const NoiseDistribution& noise, const std::optional<double>& total, Shrinkage shrinkage) {
  const std::string shown(name(shrinkage));
  if (noise.family != NoiseFamily::Gaussian) {
    return Error::invalid("shrink", shown,
                          fmt::format("is proven for Gaussian noise only, and this release has {} noise",
                                      noise.support == NoiseSupport::Continuous ? "Laplace" : "geometric"),
                          "use shrink = none; a projection serves any noise");
  }
  if (!is_smooth_gaussian(noise)) {
    return Error::invalid("shrink", shown,
                          fmt::format("needs discrete Gaussian noise with a sigma of at least {}, and this release has {:.4g}",
                                      kSmoothDiscreteScale, noise.scale),
                          "use shrink = none; a projection serves any noise");
  }
  if (shrinkage == Shrinkage::TowardsZero && noise.structure == NoiseStructure::SumZero) {
    return Error::invalid("shrink", shown, "needs independent noise, and this release keeps its total", "use shrink = js");
  }
  if (shrinkage == Shrinkage::RankDeficient && !total) {
    return Error::invalid("shrink", shown, "needs the total n, which is private in this release", "use shrink = js");
  }
  if (cells < fewest_cells(shrinkage)) {
    return Error::invalid("shrink", shown, fmt::format("needs at least {} cells, and this release has {}", fewest_cells(shrinkage), cells),
                          "use shrink = none");
  }
  return {};
}

Shrunk towards_zero(std::span<const double> values, double scale) {
  Shrunk shrunk;
  shrunk.residual_squared = block_sum(values.size(), [values](std::size_t i) { return values[i] * values[i]; });
  set_factor(shrunk, static_cast<double>(values.size()), scale, false);
  shrunk.values.assign(values.begin(), values.end());
  for (double& value : shrunk.values) value *= shrunk.factor;
  return shrunk;
}

Shrunk towards_mean(std::span<const double> values, double scale, bool positive_part) {
  const double mean = mean_of(values);
  Shrunk shrunk;
  shrunk.centre = mean;
  shrunk.residual_squared = block_sum(values.size(), [values, mean](std::size_t i) { return (values[i] - mean) * (values[i] - mean); });
  set_factor(shrunk, static_cast<double>(values.size() - 1), scale, positive_part);
  shrunk.values.assign(values.begin(), values.end());
  for (double& value : shrunk.values) value = mean + shrunk.factor * (value - mean);
  return shrunk;
}

Shrunk rank_deficient(std::span<const double> values, double scale, double total) {
  const std::size_t cells = values.size();
  const auto p = static_cast<double>(cells);
  const double mean = mean_of(values);
  Shrunk shrunk;
  shrunk.centre = mean;
  shrunk.line = helmert_line(cells);
  const double shorter = 1 / std::sqrt(p - 1);
  for (double& coordinate : shrunk.line) coordinate *= shorter;
  const double* line = shrunk.line.data();
  const double along = block_sum(cells, [values, mean, line](std::size_t i) { return line[i] * (values[i] - mean); });
  shrunk.along = along;
  shrunk.residual_squared = block_sum(cells, [values, mean, line, along](std::size_t i) {
    const double residual = (values[i] - mean) - along * line[i];
    return residual * residual;
  });
  set_factor(shrunk, p - 2, scale, false);
  shrunk.values.assign(values.begin(), values.end());
  for (std::size_t i = 0; i < cells; ++i) {
    const double on_the_line = along * line[i];
    shrunk.values[i] = total / p + (on_the_line + shrunk.factor * ((shrunk.values[i] - mean) - on_the_line));
  }
  return shrunk;
}

}  // namespace

std::size_t fewest_cells(Shrinkage shrinkage) {
  switch (shrinkage) {
    case Shrinkage::None: return 1;
    case Shrinkage::TowardsZero: return 3;
    case Shrinkage::TowardsMean:
    case Shrinkage::PositivePart: return 4;
    case Shrinkage::RankDeficient: break;
  }
  return 5;
}

std::vector<double> helmert_line(std::size_t p) {
  std::vector<double> line(p);
  double suffix = 0;  // r_(i+1) + ... + r_p
  for (std::size_t i = p; i >= 2; --i) {
    const auto k = static_cast<double>(i);
    const double r = 1 / std::sqrt(k * (k - 1));
    line[i - 1] = suffix - (k - 1) * r;
    suffix += r;
  }
  if (p > 0) line[0] = suffix;
  return line;
}

Result<Shrunk> shrink(std::span<const double> values, const NoiseDistribution& noise, std::optional<double> total, Shrinkage shrinkage) {
  if (shrinkage != Shrinkage::None) TACET_CHECK(check(values.size(), noise, total, shrinkage));
  switch (shrinkage) {
    case Shrinkage::None: break;
    case Shrinkage::TowardsZero: return towards_zero(values, noise.scale);
    case Shrinkage::TowardsMean: return towards_mean(values, noise.scale, false);
    case Shrinkage::PositivePart: return towards_mean(values, noise.scale, true);
    case Shrinkage::RankDeficient: return rank_deficient(values, noise.scale, *total);
  }
  Shrunk as_it_is;
  as_it_is.values.assign(values.begin(), values.end());
  return as_it_is;
}

}  // namespace tacet::inference
