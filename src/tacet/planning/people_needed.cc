#include "tacet/planning/people_needed.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace tacet::planning {
namespace {

/// A search near a start ends at this relative precision.
constexpr double kSearchedPart = 0.002;
constexpr double kSearchedFactor = 1.5;
constexpr int kCurveSizes = 41;
constexpr double kCurveFactor = 20;

/// From `start` up by `factor` until the power is reached, then by bisection to `part` of the
/// answer or one person.
Result<double> search(double start, double factor, double part, double wanted, double most, const PowerWith& power) {
  double too_few = 0;
  double enough = std::min(start, most);
  while (true) {
    TACET_TRY(const double reached, power(enough));
    if (reached >= wanted) break;
    too_few = enough;
    if (enough >= most) {
      return Error::of(Code::Unsupported, fmt::format("{:.3g} people do not reach a power of {}", most, wanted),
                       "suppose a larger deviation, or allow less noise");
    }
    enough = std::min(std::ceil(factor * enough), most);
  }
  while (enough - too_few > std::max(1.0, part * enough)) {
    const double middle = std::floor((enough + too_few) / 2);
    TACET_TRY(const double reached, power(middle));
    (reached >= wanted ? enough : too_few) = middle;
  }
  return enough;
}

}  // namespace

Result<double> people_needed(double wanted, double alpha, double most, const PowerWith& power) {
  if (!(wanted > alpha && wanted < 1)) {
    return Error::invalid("power", fmt::format("{}", wanted), "must be greater than alpha and less than 1", "for example: power = 0.8");
  }
  return search(1, 2, 0, wanted, most, power);
}

Result<double> people_needed_near(double start, double wanted, double most, const PowerWith& power) {
  return search(std::ceil(start / 2), kSearchedFactor, kSearchedPart, wanted, most, power);
}

std::vector<double> curve_sizes(double middle, double least, double most) {
  std::vector<double> sizes;
  for (int i = 0; i < kCurveSizes; ++i) {
    const double people = std::round(middle * std::pow(kCurveFactor, 2.0 * i / (kCurveSizes - 1) - 1));
    if (people >= least && people <= most && (sizes.empty() || people > sizes.back())) sizes.push_back(people);
  }
  return sizes;
}

}  // namespace tacet::planning
