#include "tacet/data/norm_clip.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tacet/data/moment_sums.h"

namespace tacet::data {
namespace {

constexpr std::size_t kMostCoordinates = 64;
constexpr double kLargest = 1e150;  // the sum of 64 squares is finite
// Far more than the rounding of a norm of 64 coordinates and of results computed from it.
constexpr double kShorter = 1 - 0x1p-48;

bool within(double value, double largest) { return std::isfinite(value) && std::fabs(value) <= largest; }

bool within(const std::vector<double>& numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](double number) { return within(number, kLargest); });
}

Status check(std::size_t width, const ClipRequest& request) {
  const auto& [centre, map, radius, steps] = request;
  const auto every_line = [&](const auto& holds) { return std::all_of(map.begin(), map.end(), holds); };
  const auto need = [](bool holds, const char* name, const auto& value, const std::string& rule) {
    return holds ? Status() : Status(Error::invalid(name, fmt::format("{}", value), rule));
  };
  TACET_CHECK(
      need(width >= 1 && width <= kMostCoordinates, "the number of columns", width, fmt::format("must be 1 to {}", kMostCoordinates)));
  TACET_CHECK(need(!map.empty() && map.size() <= kMostCoordinates, "the number of lines of the map", map.size(),
                   fmt::format("must be 1 to {}, one for each coordinate", kMostCoordinates)));
  TACET_CHECK(need(centre.size() == width && every_line([&](const auto& line) { return line.size() == width; }), "the query",
                   "of another width",
                   fmt::format("must have a number for each of the {} columns, in its centre and in every line", width)));
  TACET_CHECK(need(within(centre) && every_line([](const auto& line) { return within(line); }), "the query", "out of range",
                   fmt::format("must hold numbers from -{0:g} to {0:g}", kLargest)));
  TACET_CHECK(need(radius >= 1 / kLargest && radius <= kLargest, "radius", radius,
                   fmt::format("must be from {:g} to {:g}", 1 / kLargest, kLargest)));
  return need(steps >= 1 && steps <= kMostSteps, "steps", steps, fmt::format("must be from 1 to {}", kMostSteps));
}

}  // namespace

Result<NormClip> NormClip::of(const std::vector<Bounds>& columns, const ClipRequest& request) {
  TACET_CHECK(check(columns.size(), request));
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
    if (!within(reach, kLargest)) {
      return Error::invalid("map", fmt::format("a line that takes rows within the bounds as far as {}", reach),
                            "must keep them within 1e150", "use smaller factors, or measure in a larger unit");
    }
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
