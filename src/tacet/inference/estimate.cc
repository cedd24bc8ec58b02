#include "tacet/inference/estimate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "tacet/numeric/noise_quantile.h"

namespace tacet::inference {
namespace {

using kernel::NoiseFamily;
using mechanisms::NoiseLaw;
using mechanisms::NoiseStructure;
using mechanisms::Release;

struct Named {
  Projection projection;
  std::string_view name;
};
constexpr std::array<Named, 3> kNames = {
    {{Projection::None, "none"}, {Projection::Nonnegative, "nonnegative"}, {Projection::Simplex, "simplex"}}};

/// Larger than the relative error of every quantile used here, so that rounding cannot cost level.
constexpr double kQuantileSlack = 1e-8;
/// Larger than the relative error of a rounded value and of its sum or difference with a margin.
constexpr double kRoundingSlack = 0x1p-50;

/// In units of the noise scale, for all cells together or for one.
double quantile(const NoiseLaw& law, std::size_t cells, double alpha, bool simultaneous) {
  if (law.structure == NoiseStructure::SumZero) {
    if (cells == 1) return 0;
    return simultaneous ? numeric::max_quantile_sum_zero(cells, alpha) : numeric::marginal_quantile_sum_zero(cells, alpha);
  }
  const std::size_t together = simultaneous ? cells : 1;
  return law.family == NoiseFamily::Gaussian ? numeric::max_quantile_gaussian(together, alpha)
                                             : numeric::max_quantile_laplace(together, alpha);
}

/// The smallest half-width that covers the noise as it was released, rounded to its grid.
double margin_of(const Release& release, double alpha, bool simultaneous) {
  const double ideal = release.noise.scale * quantile(release.noise, release.values.size(), alpha, simultaneous) * (1 + kQuantileSlack);
  if (!release.grid) return ideal;
  // A projected cell carries its own rounding error and its share of the others': at most half a step each.
  if (release.noise.structure == NoiseStructure::SumZero) return ideal + *release.grid;
  // |round(x)| <= q exactly when |x| < q + 1/2: the least such q, in steps of the grid.
  return *release.grid * std::max(0.0, std::ceil(ideal / *release.grid - 0.5));
}

double variance_per_cell(const NoiseLaw& law) { return law.scale * law.scale * (law.family == NoiseFamily::Laplace ? 2 : 1); }

double cost_of(const Release& release) {
  const auto cells = static_cast<double>(release.values.size());
  return variance_per_cell(release.noise) * (release.noise.structure == NoiseStructure::SumZero ? cells - 1 : cells);
}

}  // namespace

std::string_view name(Projection projection) {
  for (const Named& named : kNames) {
    if (named.projection == projection) return named.name;
  }
  return "unknown";
}

Result<Projection> projection_named(std::string_view name) {
  for (const Named& named : kNames) {
    if (named.name == name) return named.projection;
  }
  return Error::invalid("project", std::string(name.substr(0, 40)), "must be one of none, nonnegative, simplex",
                        "for example: --project simplex");
}

std::vector<double> project_onto_simplex(const std::vector<double>& values, double total) {
  std::vector<double> sorted = values;
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  double sum = 0;
  double shift = 0;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    sum += sorted[i];
    const double candidate = (sum - total) / static_cast<double>(i + 1);
    if (i == 0 || sorted[i] > candidate) shift = candidate;
  }
  std::vector<double> result;
  result.reserve(values.size());
  for (const double value : values) result.push_back(std::max(0.0, value - shift));
  return result;
}

Result<Estimate> estimate(const Release& release, const EstimateOptions& options) {
  TACET_CHECK(mechanisms::check_counts(release));
  if (!(options.confidence >= 0.5 && options.confidence <= 1 - 1e-9)) {
    return Error::invalid("confidence", fmt::format("{}", options.confidence), "must lie between 0.5 and 1 - 1e-9",
                          "for example: --confidence 0.95");
  }
  if (options.project == Projection::Simplex && !release.n) {
    return Error::invalid("project", "simplex", "needs the total n, which is private in this release", "use --project nonnegative");
  }
  Estimate result{};
  result.margin = margin_of(release, 1 - options.confidence, options.simultaneous);
  const double most = release.n ? *release.n : HUGE_VAL;
  result.lower.reserve(release.values.size());
  result.upper.reserve(release.values.size());
  for (const double value : release.values) {
    // A released double and the two differences below are rounded; an interval that ends at an integer must keep it.
    const double reach = result.margin + kRoundingSlack * (std::abs(value) + result.margin);
    // True counts are integers from 0 to n; an interval that misses all of them keeps the nearest one.
    result.lower.push_back(std::clamp(std::ceil(value - reach), 0.0, most) + 0.0);
    result.upper.push_back(std::max(result.lower.back(), std::clamp(std::floor(value + reach), 0.0, most)));
  }
  switch (options.project) {
    case Projection::None: result.values = release.values; break;
    case Projection::Nonnegative:
      for (const double value : release.values) result.values.push_back(std::max(0.0, value));
      break;
    case Projection::Simplex: result.values = project_onto_simplex(release.values, *release.n); break;
  }
  result.cost = cost_of(release);
  result.cost_is_bound = options.project != Projection::None;
  return result;
}

}  // namespace tacet::inference
