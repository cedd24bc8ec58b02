#include "tacet/data/norm_clip.h"

#include <algorithm>
#include <cmath>

#include "tacet/data/moment_sums.h"

namespace tacet::data {
namespace {

constexpr std::size_t kMostCoordinates = 64;
constexpr double kLargest = 1e150;  // the sum of 64 squares is finite
// Far more than the rounding of a norm of 64 coordinates and of results computed from it.
constexpr double kShorter = 1 - 0x1p-48;

bool within(double value) { return std::fabs(value) <= kLargest; }  // false for NaN

/// The domain of the header, but for what the map makes of the bounds.
bool in_domain(const ClipRequest& request, std::size_t width) {
  const auto& [centre, map, radius, steps] = request;
  const auto fits = [&](const std::vector<double>& line) { return line.size() == width && std::all_of(line.begin(), line.end(), within); };
  return width >= 1 && width <= kMostCoordinates && !map.empty() && map.size() <= kMostCoordinates && fits(centre) &&
         std::all_of(map.begin(), map.end(), fits) && radius >= 1 / kLargest && within(radius) && steps >= 1 && steps <= kMostSteps;
}

}  // namespace

Result<NormClip> NormClip::of(const std::vector<Bounds>& columns, const ClipRequest& request) {
  const Error refused = Error::invalid(
      "the query", "out of range",
      "must have a number for each of 1 to 64 columns in its centre and in each of 1 to 64 lines, and keep rows within 1e150",
      "use smaller factors, or measure in a larger unit");
  if (!in_domain(request, columns.size())) return refused;
  NormClip clip;
  clip.request_ = request;
  for (const Bounds& bounds : columns) {
    clip.lower_.push_back(bounds.lower.approximate());
    clip.upper_.push_back(bounds.upper.approximate());
    clip.missing_.push_back(bounds.missing.value_or(bounds.lower).approximate());  // or left out
  }
  // So that no row can have a coordinate that is NaN.
  for (const std::vector<double>& line : request.map) {
    double reach = 0;
    for (std::size_t j = 0; j < columns.size(); ++j) {
      const double farthest = std::max(std::fabs(clip.lower_[j] - request.centre[j]), std::fabs(clip.upper_[j] - request.centre[j]));
      reach += std::fabs(line[j]) * farthest;
    }
    if (!within(reach)) return refused;
  }
  return clip;
}

std::size_t NormClip::scratch_size() const { return (columns() + coordinates() + 1) * kStretch; }

void NormClip::apply(const double* const* values, std::size_t rows, std::int32_t* const* out, double* scratch) const {
  const auto& [centre, map, radius, most_steps] = request_;
  double* const moved = scratch;
  double* const mapped = moved + columns() * kStretch;
  double* const factor = mapped + coordinates() * kStretch;
  for (std::size_t j = 0; j < columns(); ++j) {
    double* const to = moved + j * kStretch;
    for (std::size_t row = 0; row < rows; ++row) {
      const double value = std::isnan(values[j][row]) ? missing_[j] : values[j][row];
      to[row] = std::min(std::max(value, lower_[j]), upper_[j]) - centre[j];
    }
  }
  std::fill_n(factor, rows, 0.0);  // first the squared length
  for (std::size_t i = 0; i < coordinates(); ++i) {
    double* const to = mapped + i * kStretch;
    std::fill_n(to, rows, 0.0);
    for (std::size_t j = 0; j < columns(); ++j) {
      const double weight = map[i][j];
      if (weight == 0) continue;
      const double* const from = moved + j * kStretch;
      for (std::size_t row = 0; row < rows; ++row) to[row] += weight * from[row];
    }
    for (std::size_t row = 0; row < rows; ++row) factor[row] += to[row] * to[row];
  }
  for (std::size_t row = 0; row < rows; ++row) {
    const double length = std::sqrt(factor[row]);
    factor[row] = length > radius * kShorter ? most_steps / length * kShorter : most_steps / radius;
  }
  const std::int64_t most = std::int64_t{most_steps} * most_steps;
  for (std::size_t row = 0; row < rows; ++row) {
    std::int64_t squares = 0;
    for (std::size_t i = 0; i < coordinates(); ++i) {
      // |v_i| factor <= steps (1 + 2^-40): the conversion is defined, and toward zero.
      const auto q = static_cast<std::int32_t>(mapped[i * kStretch + row] * factor[row]);
      out[i][row] = q;
      squares += std::int64_t{q} * q;
    }
    if (squares <= most) continue;
    for (std::size_t i = 0; i < coordinates(); ++i) out[i][row] = 0;
  }
}

}  // namespace tacet::data
