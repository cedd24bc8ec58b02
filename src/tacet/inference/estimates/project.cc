#include "tacet/inference/estimates/project.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "tacet/inference/block_sum.h"

namespace tacet::inference {
namespace {

/// Tables take 5 to 10 passes; only artificial ones take more.
constexpr int kMostPasses = 12;

/// The shift of Duchi et al., by sorting.
double shift_by_sorting(std::vector<double>& below, double total) {
  std::sort(below.begin(), below.end(), std::greater<>());
  double sum = 0;
  double shift = 0;
  for (std::size_t i = 0; i < below.size(); ++i) {
    sum += below[i];
    const double candidate = (sum - total) / static_cast<double>(i + 1);
    if (i != 0 && below[i] <= candidate) break;
    shift = candidate;
  }
  return shift;
}

/// t, from the remaining differences to the largest value: at most 0, and one of them 0. That one
/// is never dropped, as t < 0.
double shift_of(std::vector<double>& below, double total) {
  for (int pass = 0; pass < kMostPasses; ++pass) {
    const double shift = (block_sum(below) - total) / static_cast<double>(below.size());
    std::size_t kept = 0;
    for (const double difference : below) {
      below[kept] = difference;
      kept += static_cast<std::size_t>(difference > shift);
    }
    if (kept == below.size() || kept == 0) return shift;
    below.resize(kept);
  }
  return shift_by_sorting(below, total);
}

/// The differences to the largest value that remain after the first pass. No x_i exceeds the
/// total, so a cell further than that below the largest has x_i = 0. The first pass is made while
/// reading, because memory access dominates the time.
std::vector<double> in_play(const std::vector<double>& values, double largest, double total) {
  const auto beyond = [&values, largest](std::size_t i, double limit) { return static_cast<double>(values[i] - largest > limit); };
  const double count = block_sum(values.size(), [&](std::size_t i) { return beyond(i, -total); });
  const double sum = block_sum(values.size(), [&](std::size_t i) { return beyond(i, -total) * (values[i] - largest); });
  const double first_shift = std::max(-total, (sum - total) / count);
  const double left = block_sum(values.size(), [&](std::size_t i) { return beyond(i, first_shift); });
  std::vector<double> below(static_cast<std::size_t>(left) + 1);  // one more, for branchless writes
  std::size_t kept = 0;
  for (const double value : values) {
    below[kept] = value - largest;
    kept += static_cast<std::size_t>(value - largest > first_shift);
  }
  below.resize(kept);
  return below;
}

Status check_projection(Projection projection, const Possible& possible) {
  if (projection == Projection::Simplex && !possible.total) {
    return Error::invalid("project", "simplex", "needs the total n, which is private in this release", "use project = nonnegative");
  }
  if (projection == Projection::Bounds && !possible.bounds) {
    return Error::invalid("bounds", "missing", "must be given to project onto bounds", "for example: project = bounds bounds = 0,500");
  }
  if (projection != Projection::Bounds && possible.bounds) {
    return Error::invalid("bounds", "given", "goes with the projection onto bounds only", "add project = bounds");
  }
  if (possible.bounds && !(possible.bounds->lower <= possible.bounds->upper)) {
    return Error::invalid("bounds", fmt::format("{},{}", possible.bounds->lower, possible.bounds->upper),
                          "must be two numbers, the smaller one first", "for example: project = bounds bounds = 0,500");
  }
  return {};
}

}  // namespace

Result<std::vector<double>> project(std::vector<double> values, Projection projection, const Possible& possible) {
  TACET_CHECK(check_projection(projection, possible));
  switch (projection) {
    case Projection::None: break;
    case Projection::Nonnegative: return project_onto_bounds(std::move(values), {0, HUGE_VAL});
    case Projection::Simplex: return project_onto_simplex(std::move(values), *possible.total);
    case Projection::Bounds: return project_onto_bounds(std::move(values), *possible.bounds);
  }
  return values;
}

std::vector<double> project_onto_simplex(std::vector<double> values, double total) {
  if (values.empty()) return values;
  if (!(total > 0)) {
    std::fill(values.begin(), values.end(), 0.0);
    return values;
  }
  const double largest = *std::max_element(values.begin(), values.end());
  std::vector<double> below = in_play(values, largest, total);
  const double shift = below.empty() ? -total : shift_of(below, total);
  for (double& value : values) value = std::max(0.0, (value - largest) - shift);
  return values;
}

std::vector<double> project_onto_bounds(std::vector<double> values, Bounds bounds) {
  for (double& value : values) value = std::min(std::max(value, bounds.lower), bounds.upper);
  return values;
}

}  // namespace tacet::inference
