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
constexpr double kMostTarget = 1e100;
/// The least length of a target across 1, relative to its largest cell: more than rounding errors.
constexpr double kLeastLine = 1e-9;

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

Status check(std::size_t cells, const NoiseDistribution& noise, const std::optional<double>& total, Shrinkage shrinkage, bool with_target) {
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
  const std::size_t fewest = fewest_cells(shrinkage, with_target);
  if (cells < fewest) {
    return Error::invalid(
        "shrink", shown,
        fmt::format("needs at least {} cells{}, and this release has {}", fewest, with_target ? " with a target" : "", cells),
        "use shrink = none");
  }
  return {};
}

/// The part of a target across 1, of unit length.
Result<std::vector<double>> line_of(std::span<const double> target, std::size_t cells, Shrinkage shrinkage) {
  if (shrinkage == Shrinkage::None || shrinkage == Shrinkage::TowardsZero) {
    return Error::invalid("target", std::string(name(shrinkage)), "goes with shrink = js, js+ or rjs");
  }
  if (target.size() != cells) {
    return Error::invalid("target", fmt::format("{} numbers", target.size()),
                          fmt::format("must have a number for each of the {} cells of the release", cells));
  }
  double largest = 0;
  for (const double one : target) {
    if (!(std::abs(one) <= kMostTarget))
      return Error::invalid("target", fmt::format("a table with {}", one), "must be numbers up to 1e100");
    largest = std::max(largest, std::abs(one));
  }
  std::vector<double> line(target.begin(), target.end());
  for (double& one : line) one /= largest > 0 ? largest : 1;
  const double mean = mean_of(line);
  for (double& one : line) one -= mean;
  const double length = std::sqrt(block_sum(line.size(), [&line](std::size_t i) { return line[i] * line[i]; }));
  if (!(length > kLeastLine)) {
    return Error::invalid("target", "a table with equal cells", "must differ between cells",
                          "leave target out: js shrinks towards equal cells");
  }
  for (double& one : line) one /= length;
  return line;
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

/// The line of rjs: the sum of Helmert's columns, of unit length.
std::vector<double> unit_helmert_line(std::size_t cells) {
  std::vector<double> line = helmert_line(cells);
  const double shorter = 1 / std::sqrt(static_cast<double>(cells) - 1);
  for (double& coordinate : line) coordinate *= shorter;
  return line;
}

/// Towards the nearest table on the line through equal cells, `centre` each.
Shrunk towards_line(std::span<const double> values, double scale, std::vector<double> unit, bool positive_part, double centre) {
  const std::size_t cells = values.size();
  const double mean = mean_of(values);
  Shrunk shrunk;
  shrunk.centre = mean;
  shrunk.line = std::move(unit);
  const double* line = shrunk.line.data();
  const double along = block_sum(cells, [values, mean, line](std::size_t i) { return line[i] * (values[i] - mean); });
  shrunk.along = along;
  shrunk.residual_squared = block_sum(cells, [values, mean, line, along](std::size_t i) {
    const double residual = (values[i] - mean) - along * line[i];
    return residual * residual;
  });
  set_factor(shrunk, static_cast<double>(cells) - 2, scale, positive_part);
  shrunk.values.assign(values.begin(), values.end());
  for (std::size_t i = 0; i < cells; ++i) {
    const double on_the_line = along * line[i];
    shrunk.values[i] = centre + (on_the_line + shrunk.factor * ((shrunk.values[i] - mean) - on_the_line));
  }
  return shrunk;
}

}  // namespace

std::size_t fewest_cells(Shrinkage shrinkage, bool with_target) {
  switch (shrinkage) {
    case Shrinkage::None: return 1;
    case Shrinkage::TowardsZero: return 3;
    case Shrinkage::TowardsMean:
    case Shrinkage::PositivePart: return with_target ? 5 : 4;
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

Result<Shrunk> shrink(std::span<const double> values, const NoiseDistribution& noise, std::optional<double> total, Shrinkage shrinkage,
                      std::span<const double> target) {
  if (shrinkage != Shrinkage::None) TACET_CHECK(check(values.size(), noise, total, shrinkage, !target.empty()));
  std::vector<double> line;
  if (!target.empty()) {
    TACET_TRY(line, line_of(target, values.size(), shrinkage));
  }
  const bool positive_part = shrinkage == Shrinkage::PositivePart;
  switch (shrinkage) {
    case Shrinkage::None: break;
    case Shrinkage::TowardsZero: return towards_zero(values, noise.scale);
    case Shrinkage::TowardsMean:
    case Shrinkage::PositivePart:
      if (line.empty()) return towards_mean(values, noise.scale, positive_part);
      return towards_line(values, noise.scale, std::move(line), positive_part, mean_of(values));
    case Shrinkage::RankDeficient:
      if (line.empty()) line = unit_helmert_line(values.size());
      return towards_line(values, noise.scale, std::move(line), false, *total / static_cast<double>(values.size()));
  }
  Shrunk as_it_is;
  as_it_is.values.assign(values.begin(), values.end());
  return as_it_is;
}

}  // namespace tacet::inference
