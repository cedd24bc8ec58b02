#include "tacet/kernel/release_cube_products.h"

#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <gmpxx.h>

#include "tacet/exact/rounding.h"
#include "tacet/kernel/outer_products.h"
#include "tacet/kernel/release_steps.h"
#include "tacet/kernel/vault.h"

namespace tacet::kernel {
namespace {

Status check_shape(const BoxSensitivity& box, const std::vector<double>& weights) {
  const std::size_t columns = box.outer_products;
  if (columns == 0) {
    return Error::of(Code::Unsupported, "noise for sums and products apart needs products, and these figures have none",
                     "release a covariance or a second-moment, or use K-norm noise");
  }
  if (columns > kMostOuterProducts)
    return Error::invalid("columns", fmt::format("{}", columns), fmt::format("must be at most {}", kMostOuterProducts));
  const std::size_t products = columns * (columns + 1) / 2;
  if (weights.size() != products + 1)
    return Error::of(Code::Internal, "there must be a weight for what stands before the products, and one for each product");
  if (box.groups == 0 || box.most.size() % box.groups != 0 || box.most.size() / box.groups <= products)
    return Error::of(Code::Internal, "a stretch must hold a figure before the products that it claims");
  for (const double weight : weights) {
    if (!(weight >= 1e-50 && weight <= 1e50))
      return Error::invalid("weight", fmt::format("{}", weight), "must be a finite number greater than 0, between 1e-50 and 1e50");
  }
  return {};
}

/// Of a list of stretches, each of `stretch` figures: those before the products of each, and the products.
struct Apart {
  std::vector<Int128> before, products;
};
Apart take_apart(const std::vector<Int128>& figures, std::size_t stretch, std::size_t before) {
  Apart apart;
  for (std::size_t j = 0; j < figures.size(); ++j) (j % stretch < before ? apart.before : apart.products).push_back(figures[j]);
  return apart;
}

struct Parts {
  double cube, products;
};
/// Never more than epsilon together: the sum is exact before either is rounded down.
Parts share(double epsilon, const std::vector<double>& weights) {
  mpq_class products = 0;
  for (std::size_t j = 1; j < weights.size(); ++j) products += mpq_class(weights[j]);
  const mpq_class each = mpq_class(epsilon) / (mpq_class(weights[0]) + products);
  return {exact::greatest_double_at_most(each * mpq_class(weights[0])), exact::greatest_double_at_most(each * products)};
}

Status add_parts(const std::vector<Int128>& values, exact::RandomBits& bits, NoisyCubeProducts& noisy) {
  const CubeProductsPlan& plan = noisy.plan;
  const Apart exact = take_apart(values, plan.stretch, plan.before());
  std::vector<Int128> cube;
  std::vector<Int128> products;
  TACET_CHECK(add_noise(exact.before, plan.cube, bits, cube));
  TACET_CHECK(add_noise(exact.products, plan.products, bits, products));
  for (std::size_t j = 0; j < values.size(); ++j) noisy.ticks.push_back((plan.is_product(j) ? products : cube)[plan.place(j)]);
  return {};
}

}  // namespace

std::size_t CubeProductsPlan::place(std::size_t j) const {
  const std::size_t group = j / stretch;
  const std::size_t within = j % stretch;
  return is_product(j) ? group * (stretch - before()) + within - before() : group * before() + within;
}

double CubeProductsPlan::scale_of(std::size_t j) const { return is_product(j) ? products.scale[place(j)] : cube.scale_of(place(j)); }

double NoisyCubeProducts::value(std::size_t j) const {
  const std::size_t at = plan.place(j);
  const auto tick = static_cast<double>(ticks[j]);
  return plan.is_product(j) ? std::ldexp(tick, -plan.products.grid_log2[at]) : tick / static_cast<double>(plan.cube.multiples[at]);
}

Result<CubeProductsPlan> plan_cube_products(const BoxSensitivity& box, const std::vector<double>& weights, const privacy::Loss& loss) {
  TACET_CHECK(check_shape(box, weights));
  TACET_TRY(const double epsilon, pure_epsilon(loss, "K-norm and Laplace"));
  const std::vector<double> product_weights(weights.begin() + 1, weights.end());
  const std::size_t stretch = box.most.size() / box.groups;
  const Apart most = take_apart(box.most, stretch, stretch - product_weights.size());
  const BoxSensitivity before{box.relation, most.before, box.groups, box.touched};
  const BoxSensitivity products{box.relation, most.products, box.groups, box.touched, box.outer_products};
  const Parts parts = share(epsilon, weights);
  TACET_TRY(NumbersPlan laplace, plan_laplace_for(products, product_weights, parts.products));
  TACET_TRY(CubePlan cube, plan_k_norm_for(before, parts.cube));
  return CubeProductsPlan{parts.cube, parts.products, std::move(cube), std::move(laplace), stretch};
}

Result<Released<NoisyCubeProducts>> release_cube_products(Sensitive<std::vector<Int128>, BoxSensitivity>&& statistic,
                                                          const std::vector<double>& weights, Grant&& grant, exact::RandomBits& bits) {
  TACET_CHECK(grant.check_for(statistic.sensitivity().relation, statistic.dataset()));
  const Grant consumed = std::move(grant);
  Result<CubeProductsPlan> plan = plan_cube_products(statistic.sensitivity(), weights, consumed.loss());
  if (!plan) return std::move(plan).error().after_charge(consumed.spent_words());
  const Relation relation = statistic.sensitivity().relation;
  const auto opened = Vault::trusted_open(std::move(statistic));
  const std::vector<Int128>& values = *opened;
  if (values.size() != plan->size())
    return Error::of(Code::Internal, "a box must have a bound for every coordinate").after_charge(consumed.spent_words());
  NoisyCubeProducts noisy{{}, *std::move(plan), relation, consumed.loss(), consumed.receipt()};
  if (Status status = add_parts(values, bits, noisy); !status.ok()) return std::move(status).error().after_charge(consumed.spent_words());
  return Released<NoisyCubeProducts>(std::move(noisy));
}

}  // namespace tacet::kernel
