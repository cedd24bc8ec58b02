#include "tacet/mechanisms/noise_plan.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>
#include <variant>

#include <fmt/format.h>
#include <gmpxx.h>

#include "tacet/accounting/calibration.h"
#include "tacet/accounting/conversion.h"
#include "tacet/accounting/laplace_gdp.h"
#include "tacet/exact/rounding.h"
#include "tacet/exact/uniform.h"
#include "tacet/kernel/outer_products.h"
#include "tacet/mechanisms/product_root.h"
#include "tacet/privacy/parameters.h"

namespace tacet::mechanisms {
namespace {

using kernel::BoxSensitivity;
using kernel::NoiseFamily;
using kernel::NoisePlan;
using kernel::NormSensitivity;
using kernel::NumbersPlan;
using kernel::Sensitivity;

constexpr double kLeastScale = 0x1p-40;
constexpr double kLargestScale = 0x1p60;
// Rounding to the grid changes the variance of the noise by less than one part in 10^7.
constexpr double kTicksPerScale = 1024;
constexpr double kMostTicks = 0x1p80;  // of a sensitivity
constexpr std::size_t kMostCoordinates = 1'000'000;
// The kernel estimates again, from the scales, how far products change together. Its estimate may
// be larger by this factor.
constexpr double kGuess = 1 + 0x1p-42;
constexpr double kSmall = 0x1p-40;  // far above the rounding of sums of 10^4 parts

mpq_class integer(std::int64_t value) { return mpq_class(mpz_class(static_cast<long>(value))); }
mpq_class integer(Int128 value) { return mpq_class(exact::to_big(static_cast<UInt128>(value))); }

/// The least scale of Gaussian noise, for a Euclidean norm.
Result<double> gaussian_scale(const mpq_class& l2_squared, const privacy::Loss& loss) {
  if (const auto* gaussian = std::get_if<privacy::GaussianLoss>(&loss))
    return exact::least_double_root_at_least(l2_squared / gaussian->mu_squared.to_rational());
  TACET_TRY(const accounting::ForMu allowed, accounting::mu_for(loss));
  return exact::least_double_root_at_least(l2_squared / (mpq_class(allowed.mu) * allowed.mu));
}

/// The least scale that is proven to make Laplace noise mu-GDP, by the shape of the change
/// (kernel/scale_check.h).
Result<double> laplace_scale_for_mu(const Sensitivity& sensitivity, const privacy::GaussianLoss& loss) {
  TACET_TRY(const privacy::Mu mu, accounting::mu_down(loss));
  const Decimal l1(static_cast<long>(sensitivity.l1));
  const bool one = sensitivity.l1 == 1;
  const bool pair = sensitivity.l1 == 2 && sensitivity.l2_squared == 2;
  TACET_TRY(const accounting::LaplaceScale scale, one    ? accounting::laplace_scale_one_or_two_dimensional(mu, l1, 1)
                                                  : pair ? accounting::laplace_scale_table(mu, l1)
                                                         : accounting::laplace_scale_universal(mu, l1));
  return scale.value();
}

Result<double> laplace_scale(const Sensitivity& sensitivity, const privacy::Loss& loss) {
  if (const auto epsilon = privacy::pure_epsilon(loss))
    return exact::least_double_at_least(integer(sensitivity.l1) / epsilon->to_rational());
  if (const auto* gaussian = std::get_if<privacy::GaussianLoss>(&loss)) return laplace_scale_for_mu(sensitivity, *gaussian);
  return Error::of(Code::Unsupported, "Laplace noise needs no delta", "give epsilon alone, or mu or rho");
}

/// The least k >= 0 with 2^-k <= scale/1024.
int grid_for(double scale) {
  int k = 0;
  while (std::ldexp(scale, k) < kTicksPerScale) ++k;
  return k;
}

/// The least double that is at least the bound. A coordinate that cannot change is treated as one
/// that changes by one unit.
double bound_up(Int128 most) { return exact::least_double_at_least(integer(std::max<Int128>(most, 1))); }

Status check_scale(double scale) {
  if (scale >= kLeastScale && scale <= kLargestScale) return {};
  return Error::invalid(
      "noise scale", fmt::format("{} steps", scale), "must lie between 2^-40 and 2^60",
      scale < kLeastScale ? "ask for less epsilon, rho or mu" : "ask for more epsilon, rho or mu, or declare a coarser resolution");
}

Status add_grid(NumbersPlan& plan, double most) {
  for (std::size_t j = plan.grid_log2.size(); j < plan.scale.size(); ++j) {
    TACET_CHECK(check_scale(plan.scale[j]));
    const int k = grid_for(plan.scale[j]);
    if (std::ldexp(most, k) > kMostTicks) {
      return Error::invalid("noise scale", fmt::format("{} steps", plan.scale[j]), "is too small beside the size of one person's part",
                            "ask for less epsilon, rho or mu");
    }
    plan.grid_log2.push_back(k);
  }
  return {};
}

/// One stretch of a box: s_j = most_j |w|_1/(w_j epsilon), rounded up at every step.
std::vector<double> laplace_scales(double epsilon, std::span<const double> most, const std::vector<double>& weights) {
  mpq_class total = 0;
  for (const double weight : weights) total += mpq_class(weight);
  std::vector<double> scales;
  for (std::size_t j = 0; j < most.size(); ++j)
    scales.push_back(exact::least_double_at_least(mpq_class(most[j]) * total / (mpq_class(weights[j]) * mpq_class(epsilon))));
  return scales;
}

/// True if the products of a stretch change less together than each by itself. A row that is added
/// or removed attains all bounds at once.
bool joint_products(const BoxSensitivity& box) {
  return box.relation.kind() == kernel::Relation::ReplaceOne && box.outer_products > 1 && box.outer_products <= kernel::kMostColumns;
}

std::size_t product_count(const BoxSensitivity& box) { return box.outer_products * (box.outer_products + 1) / 2; }

Status check_box(const BoxSensitivity& box, const std::vector<double>& weights) {
  const std::size_t stretch = weights.size();
  const bool whole = stretch > 0 && box.groups > 0 && box.most.size() == stretch * box.groups && box.most.size() <= kMostCoordinates;
  if (!whole || box.touched < 1 || box.touched > box.groups)
    return Error::of(Code::Internal, "a box must have as many coordinates as its stretches have weights");
  if (box.outer_products > stretch || product_count(box) > stretch)
    return Error::of(Code::Internal, "a stretch must hold the products that it claims");
  return check_weights(weights);
}

/// The factor for products that share the promise by these weights, with room for the kernel's
/// estimate, and the root that it rests on.
double factor_for(NoiseFamily family, std::span<const double> weights, std::size_t columns, std::vector<std::int64_t>& root) {
  std::vector<mpq_class> shares;
  for (const double weight : weights) shares.push_back(family == NoiseFamily::Laplace ? mpq_class(weight) : mpq_class(weight) * weight);
  root = product_root(shares, columns);
  const mpq_class factor = kernel::outer_product_factor(shares, columns, root) * mpq_class(kGuess);
  return family == NoiseFamily::Laplace ? exact::least_double_at_least(factor) : exact::least_double_root_at_least(factor);
}

/// The bounds of the products of one stretch, without the factor.
std::vector<double> joint_bounds(NoiseFamily family, std::span<const double> most, std::size_t columns) {
  std::vector<double> bounds;
  // The place of (i, i).
  const auto square = [&](std::size_t i) { return mpq_class(most[i * columns - i * (i + 1) / 2 + i]); };
  for (std::size_t i = 0; i < columns; ++i) {
    for (std::size_t j = i; j < columns; ++j) {
      const double sizes = exact::least_double_root_at_least(square(i) * square(j));  // m_i m_j
      const double bound = most[bounds.size()];
      bounds.push_back(family == NoiseFamily::Laplace ? sizes : exact::least_double_root_at_least(mpq_class(bound) * sizes));
    }
  }
  return bounds;
}

/// Replaces the bounds of the products at the end of a stretch by joint ones, with the factor for
/// their weights, if these are less.
void charge_jointly(NoiseFamily family, std::size_t columns, double factor, std::vector<double>& bounds) {
  const auto first = bounds.end() - static_cast<std::ptrdiff_t>(columns * (columns + 1) / 2);
  std::vector<double> joint = joint_bounds(family, {first, bounds.end()}, columns);
  for (double& bound : joint) bound = exact::product_up(bound, factor);
  // Either set of bounds is valid, but they cannot be mixed.
  if (std::accumulate(joint.begin(), joint.end(), 0.0) < std::accumulate(first, bounds.end(), 0.0))
    std::copy(joint.begin(), joint.end(), first);
}

/// One stretch of a box, from the charged bounds of its values.
Result<std::vector<double>> stretch_scales(NoiseFamily family, double promise, const std::vector<double>& charged,
                                           const std::vector<double>& weights) {
  if (family == NoiseFamily::Laplace) return laplace_scales(promise, charged, weights);
  std::vector<double> scales(charged.size());
  TACET_CHECK(accounting::calibrate_box({promise}, charged, weights, scales));
  return scales;
}

/// One stretch whose first value is a count, where a row is replaced by another (then the count
/// stays) or comes or goes (then the others change by at most `alone`). The others get the whole
/// promise, and the count what a row that comes leaves of it; at least its share by weights.
Result<std::vector<double>> counted_scales(NoiseFamily family, double promise, const std::vector<double>& charged,
                                           std::span<const double> alone, const std::vector<double>& weights) {
  const double power = family == NoiseFamily::Gaussian ? 2 : 1;
  TACET_TRY(std::vector<double> scales,
            stretch_scales(family, promise, {charged.begin() + 1, charged.end()}, {weights.begin() + 1, weights.end()}));
  scales.insert(scales.begin(), 1);
  double coming = 0, total = 0;  // parts of the promise to its power
  for (std::size_t j = 1; j < scales.size(); ++j) coming += std::pow(alone[j] / scales[j] / promise, power);
  for (const double weight : weights) total += std::pow(weight, power);
  const double share = std::max(1 - coming, std::pow(weights[0], power) / total);
  const double wider = std::max(1.0, std::pow(coming / (1 - share), 1 / power)) * (1 + kSmall);
  for (double& scale : scales) scale *= share > 1 - coming ? wider : 1;
  scales[0] = alone[0] / (promise * std::pow(share * (1 - kSmall), 1 / power));
  return scales;
}

/// Every stretch of a box that was checked, with `promise` (mu or epsilon) for each.
Result<NumbersPlan> plan_stretches(NoiseFamily family, const BoxSensitivity& box, const std::vector<double>& weights, double promise) {
  const std::size_t stretch = weights.size();
  NumbersPlan plan{family, {}, {}};
  const bool joint = joint_products(box);
  const double factor = joint ? factor_for(family, std::span(weights).last(product_count(box)), box.outer_products, plan.root) : 1;
  for (std::size_t group = 0; group < box.groups; ++group) {
    const auto begin = box.most.begin() + static_cast<std::ptrdiff_t>(group * stretch);
    if (group > 0 && std::equal(begin, begin + static_cast<std::ptrdiff_t>(stretch), begin - static_cast<std::ptrdiff_t>(stretch))) {
      // Most groups are equal, and exact arithmetic is slow.
      for (std::size_t j = 0; j < stretch; ++j) {
        plan.scale.push_back(plan.scale[plan.scale.size() - stretch]);
        plan.grid_log2.push_back(plan.grid_log2[plan.grid_log2.size() - stretch]);
      }
      continue;
    }
    std::vector<double> most;
    for (std::size_t j = 0; j < stretch; ++j) most.push_back(bound_up(box.most[group * stretch + j]));
    std::vector<double> charged = most;
    if (joint) charge_jointly(family, box.outer_products, factor, charged);
    std::vector<double> alone;
    for (std::size_t j = 0; j < stretch && !box.alone.empty(); ++j) alone.push_back(bound_up(box.alone[group * stretch + j]));
    TACET_TRY(const std::vector<double> scales,
              alone.empty() ? stretch_scales(family, promise, charged, weights) : counted_scales(family, promise, charged, alone, weights));
    for (std::size_t j = 0; j < stretch; ++j) {
      plan.scale.push_back(scales[j]);
      TACET_CHECK(add_grid(plan, most[j]));
    }
  }
  return plan;
}

}  // namespace

Result<NoisePlan> plan_noise(NoiseFamily family, const Sensitivity& sensitivity, const privacy::Loss& loss) {
  if (sensitivity.l1 <= 0 || sensitivity.l2_squared <= 0) return Error::of(Code::Internal, "a sensitivity must be positive");
  TACET_TRY(const double scale,
            family == NoiseFamily::Gaussian ? gaussian_scale(integer(sensitivity.l2_squared), loss) : laplace_scale(sensitivity, loss));
  if (!(scale >= kLeastScale && scale <= kLargestScale)) {
    return Error::invalid("noise scale", fmt::format("{}", scale), "must lie between 2^-40 and 2^60",
                          scale < kLeastScale ? "ask for less epsilon, rho or mu" : "ask for more epsilon, rho or mu");
  }
  return NoisePlan{family, scale, grid_for(scale)};
}

Status check_weights(const std::vector<double>& weights) {
  for (const double weight : weights) {
    if (!(weight >= 1e-50 && weight <= 1e50))
      return Error::invalid("weight", fmt::format("{}", weight), "must be a finite number greater than 0, between 1e-50 and 1e50");
  }
  return {};
}

std::vector<double> charged_sizes(NoiseFamily family, const BoxSensitivity& box) {
  std::vector<double> sizes;
  for (std::size_t j = 0; j < box.most.size() / box.groups; ++j) sizes.push_back(bound_up(box.most[j]));
  if (joint_products(box)) charge_jointly(family, box.outer_products, 1, sizes);
  return sizes;
}

Result<NumbersPlan> plan_numbers(NoiseFamily family, const BoxSensitivity& box, const std::vector<double>& weights,
                                 const privacy::Loss& loss) {
  if (family == NoiseFamily::Laplace) {
    if (const auto* laplace = std::get_if<privacy::LaplaceLoss>(&loss))
      return plan_laplace_for(box, weights, exact::greatest_double_at_most(laplace->epsilon.to_rational()));
    TACET_TRY(const double epsilon, pure_epsilon(loss, "Laplace"));
    return plan_laplace_for(box, weights, epsilon);
  }
  TACET_CHECK(check_box(box, weights));
  TACET_TRY(const accounting::ForMu mu, accounting::mu_for(loss));
  // A person who changes `touched` stretches spends a part of the loss in each: mu^2 adds up.
  return plan_stretches(family, box, weights,
                        box.touched == 1 ? mu.mu : mu.mu / std::sqrt(static_cast<double>(box.touched)) * (1 - 0x1p-50));
}

Result<NumbersPlan> plan_laplace_for(const BoxSensitivity& box, const std::vector<double>& weights, double epsilon) {
  TACET_CHECK(check_box(box, weights));
  // As above: epsilon adds up.
  return plan_stretches(NoiseFamily::Laplace, box, weights,
                        box.touched == 1 ? epsilon : epsilon / static_cast<double>(box.touched) * (1 - 0x1p-50));
}

Result<NumbersPlan> plan_numbers(NoiseFamily family, const NormSensitivity& norm, std::size_t coordinates, const privacy::Loss& loss) {
  if (coordinates == 0 || coordinates > kMostCoordinates || norm.l2_squared <= 0)
    return Error::of(Code::Internal, "a norm must be positive, and have 1 to 10^6 coordinates");
  if (family != NoiseFamily::Gaussian) {
    return Error::of(Code::Unsupported, "only the L2 sensitivity is known, and Laplace noise needs the L1 sensitivity",
                     "use Gaussian noise");
  }
  const mpq_class square = integer(norm.l2_squared);
  TACET_TRY(const double scale, gaussian_scale(square, loss));
  NumbersPlan plan{family, std::vector<double>(coordinates, scale), {}};
  TACET_CHECK(add_grid(plan, exact::least_double_root_at_least(square)));
  return plan;
}

Result<double> pure_epsilon(const privacy::Loss& loss, std::string_view noise) {
  if (const auto* pure = std::get_if<privacy::PureLoss>(&loss)) return exact::greatest_double_at_most(pure->epsilon.to_rational());
  if (std::holds_alternative<privacy::GaussianLoss>(loss)) {
    TACET_TRY(const accounting::ForMu mu, accounting::mu_for(loss));
    return accounting::pure_epsilon_for_gdp(mu.mu);
  }
  if (std::holds_alternative<privacy::LaplaceLoss>(loss))
    return Error::of(Code::Unsupported, fmt::format("the loss is that of Laplace noise, and {} noise costs more", noise), "charge epsilon");
  return Error::of(Code::Unsupported, fmt::format("{} noise needs no delta", noise), "give epsilon alone, or mu or rho");
}

}  // namespace tacet::mechanisms
