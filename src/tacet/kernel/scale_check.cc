#include "tacet/kernel/scale_check.h"

#include <algorithm>
#include <functional>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "tacet/exact/uniform.h"
#include "tacet/kernel/outer_products.h"
#include "tacet/privacy/noise_proofs.h"

namespace tacet::kernel {
namespace {

constexpr double kLeastScale = 0x1p-40;
constexpr double kLargestScale = 0x1p60;
constexpr int kFinestGrid = 50;          // a count of 63 bits and its noise fit 128 bits
constexpr unsigned long kMostLog2 = 80;  // one person's part in ticks: safe below 2^45 rows
constexpr std::size_t kMostCoordinates = 1'000'000;

Status kept(bool keeps) {
  if (keeps) return {};
  return Error::of(Code::Internal, "the planned noise would give away more than was charged, so nothing was published",
                   "report it: a plan of noise is wrong");
}

Error misshapen(const char* what) { return Error::of(Code::Internal, what, "report it: a plan of noise is wrong"); }

mpz_class big(Int128 value) { return exact::to_big(static_cast<UInt128>(value)); }

/// The sum by halves, which keeps the terms short.
mpq_class sum_of(std::span<const mpq_class> terms) {
  if (terms.empty()) return 0;
  if (terms.size() == 1) return terms.front();
  const std::size_t half = terms.size() / 2;
  return sum_of(terms.first(half)) + sum_of(terms.subspan(half));
}

Status check_scale(double scale, int grid_log2, const mpz_class& most) {
  if (!(scale >= kLeastScale && scale <= kLargestScale)) return misshapen("a noise scale must lie between 2^-40 and 2^60");
  if (grid_log2 < 0 || grid_log2 > kFinestGrid || (most << static_cast<unsigned long>(grid_log2)) > mpz_class(1) << kMostLog2)
    return misshapen("a noise grid must leave room for what one person changes");
  return {};
}

Status check_shape(const BoxSensitivity& box) {
  const std::size_t size = box.most.size();
  const bool whole = box.groups > 0 && size > 0 && size % box.groups == 0 && size <= kMostCoordinates;
  if (!whole || box.touched < 1 || box.touched > box.groups) return misshapen("a box must have 1 to 10^6 coordinates in equal stretches");
  if (std::any_of(box.most.begin(), box.most.end(), [](Int128 most) { return most < 0; }))
    return misshapen("a bound on a change must not be negative");
  const std::size_t d = box.outer_products;
  if (d > size || d * (d + 1) / 2 > size / box.groups) return misshapen("a stretch must hold the products that it claims");
  if (!box.alone.empty() && (box.alone.size() != size || box.touched != 1)) return misshapen("a row that comes must be in one stretch");
  return {};
}

Status check_gaussian(const mpq_class& mu_squared, const privacy::Loss& loss) {
  if (const auto* gaussian = std::get_if<privacy::GaussianLoss>(&loss)) return kept(mu_squared <= gaussian->mu_squared.to_rational());
  if (const auto* approximate = std::get_if<privacy::ApproximateLoss>(&loss))
    return kept(privacy::gaussian_keeps(mu_squared, approximate->epsilon.to_rational(), approximate->delta.to_rational()));
  return kept(false);
}

/// The loss of a shift of one number; convex, and 0 at 0.
using Price = mpq_class (*)(const mpq_class& part);
mpq_class itself(const mpq_class& part) { return part; }

/// Parts in mu^2 (Gaussian) or epsilon (Laplace).
std::vector<mpq_class> parts_of(NoiseFamily family, std::span<const Int128> most, std::span<const double> scales) {
  std::vector<mpq_class> parts;
  for (std::size_t j = 0; j < most.size(); ++j) {
    const mpq_class part = mpq_class(big(most[j])) / mpq_class(scales[j]);
    parts.push_back(family == NoiseFamily::Gaussian ? mpq_class(part * part) : part);
  }
  return parts;
}

/// The loss of one stretch.
mpq_class spent_in_stretch(const NumbersPlan& plan, Price price, const BoxSensitivity& box, std::span<const Int128> most,
                           std::span<const Int128> alone, std::span<const double> scales) {
  std::vector<mpq_class> parts = parts_of(plan.family, most, scales);
  // A row that is added or removed attains all bounds at once.
  const std::size_t d = box.outer_products;
  if (box.relation.kind() == Relation::ReplaceOne && d >= 2 && d <= kMostColumns) {
    const std::size_t before = parts.size() - d * (d + 1) / 2;
    mpq_class left = spent_by_products(plan.family, most.subspan(before), scales.subspan(before), d, plan.root);
    // A convex price of a given total is highest if the largest parts are as large as possible.
    const std::span<mpq_class> products = std::span(parts).subspan(before);
    std::sort(products.begin(), products.end(), std::greater<>());
    for (mpq_class& product : products) {
      product = std::min(product, left);
      left -= product;
    }
  }
  for (mpq_class& part : parts) part = price(part);
  if (alone.empty()) return sum_of(parts);
  // Either a row is replaced by another, and the count stays, or it comes or goes.
  std::vector<mpq_class> coming = parts_of(plan.family, alone, scales);
  for (mpq_class& part : coming) part = price(part);
  return std::max(sum_of(std::span(parts).subspan(1)), sum_of(coming));
}

/// The loss of one person: the sum over the `touched` stretches with the largest loss.
mpq_class spent_in_box(const NumbersPlan& plan, const BoxSensitivity& box, Price price = itself) {
  const std::size_t stretch = box.most.size() / box.groups;
  struct Alike {
    mpq_class spent;
    std::size_t times;
  };
  std::vector<Alike> runs;
  for (std::size_t group = 0; group < box.groups; ++group) {
    const auto most = std::span(box.most).subspan(group * stretch, stretch);
    const auto scales = std::span(plan.scale).subspan(group * stretch, stretch);
    const auto alone = box.alone.empty() ? std::span<const Int128>() : std::span(box.alone).subspan(group * stretch, stretch);
    const auto as_before = [&](auto part) { return std::equal(part.begin(), part.end(), part.data() - stretch); };
    // Most stretches equal the one before, and exact arithmetic is slow.
    if (group > 0 && as_before(most) && as_before(scales) && (alone.empty() || as_before(alone))) {
      ++runs.back().times;
    } else {
      runs.push_back({spent_in_stretch(plan, price, box, most, alone, scales), 1});
    }
  }
  std::sort(runs.begin(), runs.end(), [](const Alike& a, const Alike& b) { return a.spent > b.spent; });
  mpq_class spent = 0;
  std::size_t left = box.touched;
  for (const Alike& run : runs) {
    const std::size_t times = std::min(left, run.times);
    spent += run.spent * static_cast<unsigned long>(times);
    left -= times;
  }
  return spent;
}

Status check_box_plan(const NumbersPlan& plan, const BoxSensitivity& box) {
  TACET_CHECK(check_shape(box));
  if (plan.scale.size() != box.most.size() || plan.grid_log2.size() != box.most.size())
    return misshapen("a plan must have a scale for every coordinate");
  for (std::size_t j = 0; j < box.most.size(); ++j) TACET_CHECK(check_scale(plan.scale[j], plan.grid_log2[j], big(box.most[j])));
  return {};
}

Status check_cube_plan(const CubePlan& plan, const BoxSensitivity& box) {
  TACET_CHECK(check_shape(box));
  if (plan.multiples.size() != box.most.size() || plan.stretch != box.most.size() / box.groups || plan.scale <= 0)
    return misshapen("a plan must have a unit for every coordinate");
  for (std::size_t j = 0; j < box.most.size(); ++j) {
    if (plan.multiples[j] < 1 || big(plan.multiples[j]) * std::max(mpz_class(1), big(box.most[j])) > mpz_class(1) << kMostLog2)
      return misshapen("the unit of a coordinate must leave room for what one person changes");
  }
  return {};
}

mpq_class spent_in_cube(const CubePlan& plan, const BoxSensitivity& box) {
  mpz_class side = 0;
  for (std::size_t j = 0; j < box.most.size(); ++j) side = std::max(side, mpz_class(big(plan.multiples[j]) * big(box.most[j])));
  return mpq_class(side) * static_cast<unsigned long>(box.touched) / mpq_class(big(plan.scale));
}

}  // namespace

Status check_pure(const mpq_class& epsilon, const privacy::Loss& loss) {
  if (const auto* pure = std::get_if<privacy::PureLoss>(&loss)) return kept(epsilon <= pure->epsilon.to_rational());
  if (const auto* gaussian = std::get_if<privacy::GaussianLoss>(&loss))
    return kept(privacy::pure_keeps_mu(epsilon, gaussian->mu_squared.to_rational()));
  return kept(false);
}

mpq_class laplace_rho(const NoisePlan& plan, const Sensitivity& sensitivity) {
  const mpq_class person = 1 / mpq_class(plan.scale);
  const mpq_class by_l2 = mpq_class(big(sensitivity.l2_squared)) * privacy::laplace_rho_up(person);
  return std::min(by_l2, privacy::laplace_rho_up(mpq_class(big(sensitivity.l1)) * person));
}

mpq_class laplace_rho(const NumbersPlan& plan, const BoxSensitivity& box) { return spent_in_box(plan, box, privacy::laplace_rho_up); }

mpq_class laplace_mu_squared(const NumbersPlan& plan, const BoxSensitivity& box) {
  return spent_in_box(plan, box, privacy::laplace_mu_squared_up);
}

Status check_scales(const NoisePlan& plan, const Sensitivity& sensitivity, const privacy::Loss& loss) {
  if (sensitivity.l1 <= 0 || sensitivity.l2_squared <= 0) return misshapen("a sensitivity must be positive");
  TACET_CHECK(check_scale(plan.scale, plan.grid_log2, 0));
  const mpq_class scale(plan.scale);
  if (plan.family == NoiseFamily::Gaussian) return check_gaussian(mpq_class(big(sensitivity.l2_squared)) / (scale * scale), loss);
  const mpq_class ratio = mpq_class(big(sensitivity.l1)) / scale;
  const auto keeps_mu = [&](const Decimal& mu_squared) {
    const mpq_class most = mu_squared.to_rational();
    if (sensitivity.l1 == 1) return privacy::laplace_keeps_mu(ratio, most);
    if (sensitivity.l1 == 2 && sensitivity.l2_squared == 2) return privacy::laplace_table_keeps_mu(ratio, most);
    return privacy::pure_keeps_mu(ratio, most);
  };
  if (const auto* gaussian = std::get_if<privacy::GaussianLoss>(&loss)) return kept(keeps_mu(gaussian->mu_squared));
  if (const auto* laplace = std::get_if<privacy::LaplaceLoss>(&loss)) {
    return kept(ratio <= laplace->epsilon.to_rational() && laplace_rho(plan, sensitivity) <= laplace->rho.to_rational() &&
                (!laplace->mu_squared || keeps_mu(*laplace->mu_squared)));
  }
  return check_pure(ratio, loss);
}

Status check_scales(const NumbersPlan& plan, const BoxSensitivity& box, const privacy::Loss& loss) {
  TACET_CHECK(check_box_plan(plan, box));
  if (plan.family == NoiseFamily::Gaussian) return check_gaussian(spent_in_box(plan, box), loss);
  const auto* laplace = std::get_if<privacy::LaplaceLoss>(&loss);
  if (laplace == nullptr) return check_pure(spent_in_box(plan, box), loss);
  return kept(spent_in_box(plan, box) <= laplace->epsilon.to_rational() && laplace_rho(plan, box) <= laplace->rho.to_rational() &&
              (!laplace->mu_squared || laplace_mu_squared(plan, box) <= laplace->mu_squared->to_rational()));
}

Status check_scales(const NumbersPlan& plan, const NormSensitivity& norm, const privacy::Loss& loss) {
  if (plan.family != NoiseFamily::Gaussian) return misshapen("Laplace noise needs the L1 sensitivity, and only the L2 one is known");
  if (norm.l2_squared <= 0) return misshapen("a sensitivity must be positive");
  const std::size_t size = plan.scale.size();
  if (size == 0 || size > kMostCoordinates || plan.grid_log2.size() != size) return misshapen("a plan must have 1 to 10^6 coordinates");
  const mpz_class square = big(norm.l2_squared);
  for (std::size_t j = 0; j < size; ++j) TACET_CHECK(check_scale(plan.scale[j], plan.grid_log2[j], sqrt(square)));
  const mpq_class least(*std::min_element(plan.scale.begin(), plan.scale.end()));
  return check_gaussian(mpq_class(square) / (least * least), loss);
}

Status check_scales(const CubePlan& plan, const BoxSensitivity& box, const privacy::Loss& loss) {
  TACET_CHECK(check_cube_plan(plan, box));
  return check_pure(spent_in_cube(plan, box), loss);
}

Status check_scales(const CubeProductsPlan& plan, const BoxSensitivity& box, const privacy::Loss& loss) {
  TACET_CHECK(check_shape(box));
  const std::size_t products = box.outer_products * (box.outer_products + 1) / 2;
  const std::size_t stretch = box.most.size() / box.groups;
  if (plan.products.family != NoiseFamily::Laplace || products == 0 || products >= stretch || plan.stretch != stretch ||
      plan.before() != stretch - products)
    return misshapen("a plan must have the values and the products of its box");
  BoxSensitivity before{box.relation, {}, box.groups, box.touched};
  BoxSensitivity after{box.relation, {}, box.groups, box.touched, box.outer_products};
  for (std::size_t j = 0; j < box.most.size(); ++j) (plan.is_product(j) ? after : before).most.push_back(box.most[j]);
  TACET_CHECK(check_cube_plan(plan.cube, before));
  TACET_CHECK(check_box_plan(plan.products, after));
  return check_pure(spent_in_cube(plan.cube, before) + spent_in_box(plan.products, after), loss);
}

}  // namespace tacet::kernel
