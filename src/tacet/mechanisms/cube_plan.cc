#include "tacet/mechanisms/cube_plan.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <gmpxx.h>

#include "tacet/exact/k_norm.h"
#include "tacet/exact/rounding.h"
#include "tacet/exact/uniform.h"
#include "tacet/kernel/outer_products.h"
#include "tacet/mechanisms/noise_plan.h"

namespace tacet::mechanisms {
namespace {

using kernel::BoxSensitivity;
using kernel::CubePlan;
using kernel::CubeProductsPlan;
using kernel::NumbersPlan;

constexpr int kMostLog2 = 60;        // of a coordinate's bound
constexpr int kFinerThanBound = 20;  // bits of 2^m above the largest bound: the rounding of c_j
constexpr int kScaleLog2 = 30;       // of the least s: its rounding up
constexpr double kLeastEpsilon = 0x1p-20;
constexpr double kLargestEpsilon = 0x1p20;
constexpr std::size_t kMostCubeCoordinates = 1'000'000;

Status check_cube(const BoxSensitivity& box) {
  const std::size_t size = box.most.size();
  if (size == 0 || size > kMostCubeCoordinates || box.groups == 0 || size % box.groups != 0 || box.touched < 1 || box.touched > box.groups)
    return Error::of(Code::Internal, "a box must have 1 to 10^6 coordinates in stretches of equal length");
  if (size / box.groups > exact::KNormNoise::kMostCoordinates) {
    return Error::invalid("coordinates", fmt::format("{}", size / box.groups),
                          fmt::format("must be at most {} for K-norm noise", exact::KNormNoise::kMostCoordinates),
                          "release fewer numbers at once");
  }
  if (*std::max_element(box.most.begin(), box.most.end()) > (Int128{1} << kMostLog2))
    return Error::invalid("bound", "above 2^60 steps", "must be at most 2^60 steps for K-norm noise", "declare a coarser resolution");
  return {};
}

/// A coordinate that cannot change is treated as one that can, by one unit.
Int128 bound_of(Int128 most) { return std::max<Int128>(most, 1); }

Result<CubePlan> plan_k_norm_for(const BoxSensitivity& box, double epsilon) {
  TACET_CHECK(check_cube(box));
  const mpq_class part = mpq_class(epsilon) / static_cast<unsigned long>(box.touched);
  if (part < kLeastEpsilon || part > kLargestEpsilon) {
    return Error::invalid("epsilon", fmt::format("{}", part.get_d()), "must lie between 2^-20 and 2^20 for K-norm noise",
                          part < kLeastEpsilon ? "ask for more epsilon, rho or mu" : "ask for less epsilon, rho or mu");
  }
  // The least m with 2^m >= 2^20 most_j for every j, and s = 2^m/part >= 2^30. As most_j <= 2^60
  // and part >= 2^-20: m <= 80 and s <= 2^100.
  mpz_class cube = 1;
  const mpz_class largest = exact::to_big(static_cast<UInt128>(bound_of(*std::max_element(box.most.begin(), box.most.end()))));
  while (cube < (largest << kFinerThanBound) || cube < part * (mpz_class(1) << kScaleLog2)) cube *= 2;
  const mpq_class exact_scale = mpq_class(cube) / part;
  mpz_class scale;
  mpz_cdiv_q(scale.get_mpz_t(), exact_scale.get_num_mpz_t(), exact_scale.get_den_mpz_t());
  CubePlan plan{static_cast<Int128>(exact::from_big(scale)), {}, box.most.size() / box.groups};
  plan.multiples.reserve(box.most.size());
  const auto side = static_cast<Int128>(exact::from_big(cube));
  for (const Int128 most : box.most) plan.multiples.push_back(side / bound_of(most));
  return plan;
}

Status check_shape(const BoxSensitivity& box, const std::vector<double>& weights) {
  const std::size_t columns = box.outer_products;
  if (columns == 0) {
    return Error::of(Code::Unsupported, "separate noise for sums and products needs products, and there are none",
                     "release a covariance or a second-moment, or use K-norm noise");
  }
  if (columns > kernel::kMostColumns)
    return Error::invalid("columns", fmt::format("{}", columns), fmt::format("must be at most {}", kernel::kMostColumns));
  const std::size_t products = columns * (columns + 1) / 2;
  if (weights.size() != products + 1)
    return Error::of(Code::Internal, "there must be a weight for what stands before the products, and one for each product");
  if (box.groups == 0 || box.most.size() % box.groups != 0 || box.most.size() / box.groups <= products)
    return Error::of(Code::Internal, "a stretch must hold a value before the products that it claims");
  return check_weights(weights);
}

struct Parts {
  double cube, products;
};
/// The parts never exceed epsilon together: the sum is exact before either is rounded down.
Parts share_of_cube(double epsilon, const std::vector<double>& weights) {
  mpq_class products = 0;
  for (std::size_t j = 1; j < weights.size(); ++j) products += mpq_class(weights[j]);
  const mpq_class each = mpq_class(epsilon) / (mpq_class(weights[0]) + products);
  return {exact::greatest_double_at_most(each * mpq_class(weights[0])), exact::greatest_double_at_most(each * products)};
}

}  // namespace

Result<CubePlan> plan_k_norm(const BoxSensitivity& box, const privacy::Loss& loss) {
  TACET_TRY(const double epsilon, pure_epsilon(loss, "K-norm"));
  return plan_k_norm_for(box, epsilon);
}

Result<CubeProductsPlan> plan_cube_products(const BoxSensitivity& box, const std::vector<double>& weights, const privacy::Loss& loss) {
  TACET_CHECK(check_shape(box, weights));
  TACET_TRY(const double epsilon, pure_epsilon(loss, "K-norm and Laplace"));
  const std::vector<double> product_weights(weights.begin() + 1, weights.end());
  const std::size_t stretch = box.most.size() / box.groups;
  BoxSensitivity before{box.relation, {}, box.groups, box.touched};
  BoxSensitivity products{box.relation, {}, box.groups, box.touched, box.outer_products};
  for (std::size_t j = 0; j < box.most.size(); ++j)
    (j % stretch < stretch - product_weights.size() ? before : products).most.push_back(box.most[j]);
  const Parts parts = share_of_cube(epsilon, weights);
  TACET_TRY(NumbersPlan laplace, plan_laplace_for(products, product_weights, parts.products));
  TACET_TRY(CubePlan cube, plan_k_norm_for(before, parts.cube));
  return CubeProductsPlan{parts.cube, parts.products, std::move(cube), std::move(laplace), stretch};
}

}  // namespace tacet::mechanisms
