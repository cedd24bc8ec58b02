#include "tacet/kernel/release_numbers.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <gmpxx.h>

#include "tacet/exact/rounded_noise.h"
#include "tacet/exact/rounding.h"
#include "tacet/kernel/outer_products.h"
#include "tacet/kernel/release_steps.h"
#include "tacet/kernel/vault.h"
#include "tacet/privacy/calibration.h"

namespace tacet::kernel {
namespace {

constexpr double kLeastScale = 0x1p-40;
constexpr double kLargestScale = 0x1p60;
constexpr double kTicksPerScale = 1024;
constexpr double kMostTicks = 0x1p80;  // of a sensitivity
constexpr std::size_t kMostCoordinates = 1'000'000;

/// The least double that is at least the bound; a coordinate that cannot change is treated as one that can, by one unit.
double bound_up(Int128 most) { return exact::least_double_at_least(mpq_class(to_big(std::max<Int128>(most, 1)))); }

Status check_scale(double scale) {
  if (scale >= kLeastScale && scale <= kLargestScale) return {};
  return Error::invalid(
      "noise scale", fmt::format("{} steps", scale), "must lie between 2^-40 and 2^60",
      scale < kLeastScale ? "ask for less epsilon, rho or mu" : "ask for more epsilon, rho or mu, or declare a coarser resolution");
}

Status add_grid(NumbersPlan& plan, double most) {
  for (std::size_t j = plan.grid_log2.size(); j < plan.scale.size(); ++j) {
    TACET_CHECK(check_scale(plan.scale[j]));
    int k = 0;
    while (std::ldexp(plan.scale[j], k) < kTicksPerScale) ++k;
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

/// Do the products of a stretch move by less together than each by itself? A row that comes or goes attains all bounds at once.
bool joint_products(const BoxSensitivity& box) {
  return box.relation.kind() == Relation::ReplaceOne && box.outer_products > 1 && box.outer_products <= kMostOuterProducts;
}

std::size_t product_count(const BoxSensitivity& box) { return box.outer_products * (box.outer_products + 1) / 2; }

Status check_box(const BoxSensitivity& box, const std::vector<double>& weights) {
  const std::size_t stretch = weights.size();
  const bool whole = stretch > 0 && box.groups > 0 && box.most.size() == stretch * box.groups && box.most.size() <= kMostCoordinates;
  if (!whole || box.touched < 1 || box.touched > box.groups)
    return Error::of(Code::Internal, "a box must have as many coordinates as its stretches have weights");
  if (box.outer_products > stretch || product_count(box) > stretch)
    return Error::of(Code::Internal, "a stretch must hold the products that it claims");
  for (const double weight : weights) {
    if (!(weight >= 1e-50 && weight <= 1e50))
      return Error::invalid("weight", fmt::format("{}", weight), "must be a finite number greater than 0, between 1e-50 and 1e50");
  }
  return {};
}

/// What the products at the end of a stretch count as, with the factor for their weights; the bounds themselves where these ask for less.
void charge_jointly(NoiseFamily family, std::size_t columns, double factor, std::vector<double>& bounds) {
  const auto first = bounds.end() - static_cast<std::ptrdiff_t>(columns * (columns + 1) / 2);
  std::vector<double> joint = outer_product_bounds(family, {first, bounds.end()}, columns);
  for (double& bound : joint) bound = exact::product_up(bound, factor);
  // Either will do, but all of one kind.
  if (std::accumulate(joint.begin(), joint.end(), 0.0) < std::accumulate(first, bounds.end(), 0.0))
    std::copy(joint.begin(), joint.end(), first);
}

/// Every stretch of a box that was checked, with `promise` (mu or epsilon) for each.
Result<NumbersPlan> plan_stretches(NoiseFamily family, const BoxSensitivity& box, const std::vector<double>& weights, double promise) {
  const std::size_t stretch = weights.size();
  NumbersPlan plan{family, {}, {}};
  const bool joint = joint_products(box);
  const double factor = joint
                            ? outer_product_factor(family, {weights.end() - static_cast<std::ptrdiff_t>(product_count(box)), weights.end()},
                                                   box.outer_products)
                            : 1;
  for (std::size_t group = 0; group < box.groups; ++group) {
    const auto begin = box.most.begin() + static_cast<std::ptrdiff_t>(group * stretch);
    if (group > 0 && std::equal(begin, begin + static_cast<std::ptrdiff_t>(stretch), begin - static_cast<std::ptrdiff_t>(stretch))) {
      // Most groups are alike, and exact arithmetic is slow.
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
    std::vector<double> scales(stretch);
    if (family == NoiseFamily::Gaussian) {
      TACET_CHECK(privacy::calibrate_box({promise}, charged, weights, scales));
    } else {
      scales = laplace_scales(promise, charged, weights);
    }
    for (std::size_t j = 0; j < stretch; ++j) {
      plan.scale.push_back(scales[j]);
      TACET_CHECK(add_grid(plan, most[j]));
    }
  }
  return plan;
}

using DrawNoise = std::function<Int128(exact::RandomBits&)>;

Result<DrawNoise> noise_of(NoiseFamily family, double scale) {
  if (family == NoiseFamily::Gaussian) {
    TACET_TRY(const auto noise, exact::RoundedGaussian::of(scale));
    return DrawNoise([noise](exact::RandomBits& bits) { return noise.draw(bits); });
  }
  TACET_TRY(const auto noise, exact::RoundedLaplace::of(scale));
  return DrawNoise([noise](exact::RandomBits& bits) { return noise.draw(bits); });
}

/// What both releases do. `make_plan` gets the number of coordinates, which is public.
template <class Bound, class MakePlan>
Result<NoisyNumbers> publish(Sensitive<std::vector<Int128>, Bound>&& statistic, const MakePlan& make_plan, const Grant& grant,
                             exact::RandomBits& bits) {
  const Relation relation = statistic.sensitivity().relation;
  const auto opened = Vault::trusted_open(std::move(statistic));
  const std::vector<Int128>& values = *opened;
  Result<NumbersPlan> plan = make_plan(values.size());
  if (!plan) return std::move(plan).error().after_charge(grant.spent_words());
  if (values.size() != plan->scale.size())
    return Error::of(Code::Internal, "a plan must have a scale for every coordinate").after_charge(grant.spent_words());
  NoisyNumbers noisy{{}, *std::move(plan), relation, grant.loss(), grant.receipt()};
  if (Status status = add_noise(values, noisy.plan, bits, noisy.ticks); !status.ok())
    return std::move(status).error().after_charge(grant.spent_words());
  return noisy;
}

}  // namespace

double NoisyNumbers::value(std::size_t j) const { return std::ldexp(static_cast<double>(ticks[j]), -plan.grid_log2[j]); }

Status add_noise(const std::vector<Int128>& values, const NumbersPlan& plan, exact::RandomBits& bits, std::vector<Int128>& ticks) {
  ticks.reserve(values.size());
  try {
    for (std::size_t j = 0; j < values.size(); ++j) {
      TACET_TRY(const DrawNoise draw, noise_of(plan.family, std::ldexp(plan.scale[j], plan.grid_log2[j])));
      const auto sum = checked_add<Int128>(values[j] * (Int128{1} << plan.grid_log2[j]), draw(bits));
      if (!sum) return Error::of(Code::Internal, "a noisy value does not fit 128 bits");
      ticks.push_back(*sum);
    }
  } catch (const exact::EntropyFailure&) {
    ticks.clear();
    return Error::of(Code::EntropyUnavailable, "the operating system gave no random bits, so nothing was published");
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
    TACET_TRY(const double epsilon, pure_epsilon(loss, "Laplace"));
    return plan_laplace_for(box, weights, epsilon);
  }
  TACET_CHECK(check_box(box, weights));
  TACET_TRY(const privacy::ForMu mu, privacy::mu_for(loss));
  // A person in `touched` stretches spends a part of the loss in each: mu^2 adds up.
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
  if (family != NoiseFamily::Gaussian)
    return Error::of(Code::Unsupported, "a Euclidean norm is known, and Laplace noise needs a sum of sizes", "use Gaussian noise");
  const mpq_class square(to_big(norm.l2_squared));
  double scale = 0;
  if (const auto* gaussian = std::get_if<privacy::GaussianLoss>(&loss)) {
    scale = exact::least_double_root_at_least(square / gaussian->mu_squared.to_rational());
  } else {
    TACET_TRY(const privacy::ForMu mu, privacy::mu_for(loss));
    scale = exact::least_double_root_at_least(square / (mpq_class(mu.mu) * mu.mu));
  }
  NumbersPlan plan{family, std::vector<double>(coordinates, scale), {}};
  TACET_CHECK(add_grid(plan, exact::least_double_root_at_least(square)));
  return plan;
}

Result<Released<NoisyNumbers>> release(Sensitive<std::vector<Int128>, BoxSensitivity>&& statistic, NoiseFamily family,
                                       const std::vector<double>& weights, Grant&& grant, exact::RandomBits& bits) {
  TACET_CHECK(grant.check_for(statistic.sensitivity().relation, statistic.dataset()));
  const Grant consumed = std::move(grant);
  const BoxSensitivity box = statistic.sensitivity();
  const auto plan = [&](std::size_t /*coordinates*/) { return plan_numbers(family, box, weights, consumed.loss()); };
  TACET_TRY(NoisyNumbers noisy, publish(std::move(statistic), plan, consumed, bits));
  return Released<NoisyNumbers>(std::move(noisy));
}

Result<Released<NoisyNumbers>> release(Sensitive<std::vector<Int128>, NormSensitivity>&& statistic, NoiseFamily family, Grant&& grant,
                                       exact::RandomBits& bits) {
  TACET_CHECK(grant.check_for(statistic.sensitivity().relation, statistic.dataset()));
  const Grant consumed = std::move(grant);
  const NormSensitivity norm = statistic.sensitivity();
  const auto plan = [&](std::size_t coordinates) { return plan_numbers(family, norm, coordinates, consumed.loss()); };
  TACET_TRY(NoisyNumbers noisy, publish(std::move(statistic), plan, consumed, bits));
  return Released<NoisyNumbers>(std::move(noisy));
}

}  // namespace tacet::kernel
