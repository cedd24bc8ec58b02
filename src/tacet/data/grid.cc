#include "tacet/data/grid.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "tacet/base/text.h"
#include "tacet/data/vectors.h"

namespace tacet::data {
namespace {

constexpr double kLeastSlack = 0x1p-20;
constexpr double kMostSlack = 0.25;
constexpr std::int32_t kDoubtful = std::numeric_limits<std::int32_t>::min();
constexpr double kNearest = 0.5;  // rounds to nearest; truncation would bias every mean

mpq_class power_of_two(int exponent) { return mpq_class(std::ldexp(1.0, exponent)); }  // exact

mpz_class floor_of(const mpq_class& value) {
  mpz_class quotient;
  mpz_fdiv_q(quotient.get_mpz_t(), value.get_num_mpz_t(), value.get_den_mpz_t());
  return quotient;
}

double double_at_most(const mpq_class& value) {
  double d = value.get_d();  // rounds toward zero
  while (mpq_class(d) > value) d = std::nextafter(d, -std::numeric_limits<double>::infinity());
  return d;
}
double double_at_least(const mpq_class& value) { return -double_at_most(-value); }

/// The domain of the header.
bool in_domain(const Bounds& bounds) {
  static const Decimal largest_bound = *Decimal::parse(kLargestBound), least_resolution = *Decimal::parse(kLeastResolution);
  const Decimal range = bounds.upper - bounds.lower;
  const Decimal largest = largest_size(bounds);
  return largest <= largest_bound && bounds.resolution >= least_resolution && bounds.resolution <= range &&
         range <= bounds.resolution * Decimal(kMostSteps) && largest <= bounds.resolution * Decimal(1L << kFinestLog2);
}

// lower + k resolution, with k the integer nearest to the middle.
Decimal middle(const Bounds& bounds) {
  const mpq_class steps = (bounds.upper - bounds.lower).to_rational() / bounds.resolution.to_rational();
  const mpz_class nearest = floor_of((steps + 1) / 2);
  return bounds.lower + Decimal(nearest.get_si()) * bounds.resolution;
}

}  // namespace

Decimal largest_size(const Bounds& bounds) {
  return std::max({bounds.upper, bounds.lower, Decimal() - bounds.upper, Decimal() - bounds.lower});
}

Result<Grid> Grid::of(const std::string& column, const Bounds& bounds, const std::optional<Decimal>& centre, Precision precision) {
  if (!in_domain(bounds)) {
    return Error::of(Code::SchemaInvalid,
                     fmt::format("column {} has bounds or a resolution with which it cannot be summed", in_quotes(column)),
                     "`dataset check` says why");
  }
  if (centre && (*centre < bounds.lower || *centre > bounds.upper)) {
    return Error::invalid("centre", centre->to_string(),
                          fmt::format("must lie between the bounds of column {}, {} and {}", in_quotes(column), bounds.lower.to_string(),
                                      bounds.upper.to_string()));
  }
  Grid grid;
  grid.centre_ = centre ? *centre : middle(bounds);
  grid.resolution_ = bounds.resolution;
  const mpq_class lower = bounds.lower.to_rational();
  const mpq_class upper = bounds.upper.to_rational();
  grid.exact_centre_ = grid.centre_.to_rational();
  grid.exact_resolution_ = bounds.resolution.to_rational();
  grid.lower_ = double_at_most(lower);
  grid.upper_ = double_at_least(upper);
  grid.near_centre_ = grid.exact_centre_.get_d();
  grid.per_unit_ = mpq_class(1 / grid.exact_resolution_).get_d();

  // A bound on five roundings and on that of the centre (docs/explanation/grid.md).
  const mpq_class centre_error = abs(mpq_class(grid.near_centre_) - grid.exact_centre_) / grid.exact_resolution_;
  const mpq_class width = (mpq_class(grid.upper_) - mpq_class(grid.lower_)) / grid.exact_resolution_ + centre_error;
  const mpq_class doubt = 2 * centre_error + 16 * power_of_two(-53) * (width + 1);
  grid.doubt_ = double_at_least(doubt);
  // A value meant to be on the grid is off by the rounding of its format; it must not be doubtful.
  const mpq_class largest = std::max<mpq_class>(abs(lower), abs(upper)) / grid.exact_resolution_;
  const auto allow_for = [&](int rounding) {
    const mpq_class wanted = 2 * (doubt + largest * power_of_two(rounding));
    grid.slack_ = kLeastSlack;
    while (grid.slack_ < kMostSlack && mpq_class(grid.slack_) < wanted) grid.slack_ *= 2;
    grid.slack_ += kNearest;
    grid.exact_slack_ = mpq_class(grid.slack_);
  };
  constexpr int kSingle = -24;
  constexpr int kDouble = -53;

  grid.lowest_ = -kMostSteps - 1;  // no clamping until they are known
  grid.highest_ = kMostSteps + 1;
  // The sensitivity is planned before the file is known, so it does not depend on its format.
  allow_for(kSingle);
  const std::int32_t lowest = grid.exact_steps(lower);
  grid.highest_ = grid.exact_steps(upper);
  grid.lowest_ = lowest;
  if (precision == Precision::Double) allow_for(kDouble);
  grid.missing_ = bounds.missing ? grid.exact_steps(bounds.missing->to_rational()) : 0;
  return grid;
}

std::int32_t Grid::exact_steps(const mpq_class& value) const {
  const mpq_class distance = (value - exact_centre_) / exact_resolution_;
  const mpz_class size = floor_of(abs(distance) + exact_slack_);
  const mpz_class steps = distance < 0 ? mpz_class(-size) : size;
  if (steps <= lowest_) return lowest_;
  if (steps >= highest_) return highest_;
  return static_cast<std::int32_t>(steps.get_si());
}

void Grid::steps(const double* values, std::size_t count, std::int32_t* out) const {
  if (!quick_steps(values, count, out)) return;
  for (std::size_t i = 0; i < count; ++i) {
    if (out[i] == kDoubtful) out[i] = exact_steps(mpq_class(std::min(std::max(values[i], lower_), upper_)));
  }
}

// Without branches, so that it vectorises; truncation of a signed size is the floor of q(x).
// Returns true if there are values that it cannot decide: they become kDoubtful.
TACET_VECTORS bool Grid::quick_steps(const double* values, std::size_t count, std::int32_t* out) const {
  const double lower = lower_, upper = upper_, centre = near_centre_, per_unit = per_unit_, slack = slack_, sure = 0.5 - doubt_;
  const std::int32_t lowest = lowest_, highest = highest_, missing = missing_;
  std::int32_t least = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double value = values[i];
    const double raised = value > lower ? value : lower;  // NaN becomes lower
    const double inside = raised < upper ? raised : upper;
    const double steps = (inside - centre) * per_unit;
    const double size = std::fabs(steps) + slack;
    const double from_half = std::fabs(size - static_cast<std::int32_t>(size) - 0.5);  // exact
    const auto q = static_cast<std::int32_t>(std::copysign(size, steps));
    const std::int32_t checked = std::min(std::max(q, lowest), highest);
    const std::int32_t decided = from_half > sure ? kDoubtful : checked;
    out[i] = value == value ? decided : missing;
    least = std::min(least, out[i]);
  }
  return least == kDoubtful;
}

}  // namespace tacet::data
