#include "tacet/inference/estimates/denoise.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "tacet/inference/block_sum.h"
#include "tacet/inference/noise_of_cells.h"

namespace tacet::inference {
namespace {

using mechanisms::NoiseDistribution;
using mechanisms::NoiseStructure;

/// The face of the projected point. The derivative of a projection is the projection onto the
/// directions of that face.
class Face {
 public:
  Face(const std::vector<double>& landed, const DenoiseOptions& options)
      : landed_(landed), sums_to_zero_(options.project == Projection::Simplex) {
    if (options.project != Projection::None) lower_ = options.project == Projection::Bounds ? options.bounds->lower : 0;
    if (options.project == Projection::Bounds) upper_ = options.bounds->upper;
    free_cells_ = block_sum(landed_.size(), [this](std::size_t i) { return free(i); });
  }

  /// tr F, or tr F (I - 11'/p); the directions of the simplex are orthogonal to 1 already.
  double trace(bool across_one) const {
    if (sums_to_zero_) return std::max(0.0, free_cells_ - 1);
    return across_one ? free_cells_ * (1 - 1 / static_cast<double>(landed_.size())) : free_cells_;
  }
  /// v' F v.
  template <class V>
  double squared_along(const V& v) const {
    const double squares = block_sum(landed_.size(), [&](std::size_t i) { return free(i) * v(i) * v(i); });
    if (!sums_to_zero_) return squares;
    const double sum = block_sum(landed_.size(), [&](std::size_t i) { return free(i) * v(i); });
    return free_cells_ > 0 ? squares - sum * sum / free_cells_ : 0;
  }
  /// The same for v = 1/sqrt(p).
  double squared_along_one() const { return sums_to_zero_ ? 0 : free_cells_ / static_cast<double>(landed_.size()); }

 private:
  /// 1 for a free cell, 0 for a cell at a bound; without a branch, because noise makes branches
  /// unpredictable.
  double free(std::size_t i) const {
    return static_cast<double>(static_cast<int>(landed_[i] > lower_) & static_cast<int>(landed_[i] < upper_));
  }
  const std::vector<double>& landed_;
  bool sums_to_zero_;
  double lower_ = -HUGE_VAL, upper_ = HUGE_VAL;
  double free_cells_ = 0;
};

/// True if Stein's estimate uses the noise orthogonal to 1 only: the noise keeps the total, or the
/// result depends on no other noise.
bool keeps_total(const NoiseDistribution& noise, const DenoiseOptions& options) {
  if (noise.structure == NoiseStructure::SumZero || options.shrink == Shrinkage::RankDeficient) return true;
  return options.project == Projection::Simplex && options.shrink != Shrinkage::TowardsZero;
}

double stein_estimate(std::span<const double> values, const NoiseDistribution& noise, const std::optional<double>& total,
                      const Shrunk& shrunk, const std::vector<double>& landed, const DenoiseOptions& options) {
  const auto p = static_cast<double>(values.size());
  const bool across_one = keeps_total(noise, options);
  const bool moved = across_one && noise.structure == NoiseStructure::Independent;
  const double excess = moved ? block_sum(values) / p - *total / p : 0;
  const double squared_move = block_sum(values.size(), [&](std::size_t i) {
    const double move = landed[i] - (values[i] - excess);
    return move * move;
  });
  const Face face(landed, options);
  double trace = shrunk.factor * face.trace(across_one);
  const bool to_the_mean = options.shrink == Shrinkage::TowardsMean || options.shrink == Shrinkage::PositivePart;
  if (to_the_mean && !across_one) trace += (1 - shrunk.factor) * face.squared_along_one();
  if (!shrunk.line.empty()) trace += (1 - shrunk.factor) * face.squared_along([&shrunk](std::size_t i) { return shrunk.line[i]; });
  if (shrunk.slope > 0) {
    const auto residual = [&](std::size_t i) { return shrunk.residual(values[i], i); };
    trace += shrunk.slope * (face.squared_along(residual) / shrunk.residual_squared);
  }
  const double dimensions = across_one ? p - 1 : p;
  return squared_move + noise_variance(noise) * (2 * trace - dimensions);
}

}  // namespace

double noise_cost(const NoiseDistribution& noise, std::size_t cells) {
  const auto p = static_cast<double>(cells);
  return noise_variance(noise) * (noise.structure == NoiseStructure::SumZero ? p - 1 : p);
}

Result<std::vector<double>> denoised_values(std::span<const double> values, const NoiseDistribution& noise, std::optional<double> total,
                                            const DenoiseOptions& options) {
  TACET_TRY(Shrunk shrunk, shrink(values, noise, total, options.shrink, options.target));
  return project(std::move(shrunk.values), options.project, {total, options.bounds});
}

Result<Denoised> denoise(std::span<const double> values, const NoiseDistribution& noise, std::optional<double> total,
                         const DenoiseOptions& options) {
  TACET_TRY(Shrunk shrunk, shrink(values, noise, total, options.shrink, options.target));
  TACET_TRY(std::vector<double> landed, project(std::move(shrunk.values), options.project, {total, options.bounds}));
  Denoised result{std::move(landed), noise_cost(noise, values.size()), std::nullopt};
  if (options.shrink == Shrinkage::RankDeficient) {
    NoiseDistribution projected = noise;
    projected.structure = NoiseStructure::SumZero;
    result.cost_bound = noise_cost(projected, values.size());
  }
  if (is_smooth_gaussian(noise)) result.unbiased_cost = stein_estimate(values, noise, total, shrunk, result.values, options);
  return result;
}

}  // namespace tacet::inference
